"""How fast this machine is now, from which a reproduction says how long it will take."""

from __future__ import annotations

import time
from dataclasses import dataclass

from attlas.subject import Subject
from attlas.subject.recorded import RecordedModel

TOKENS = 128  # of a segment
MEASURED, SPUN = 1.0, 0.2  # seconds: of passes, and of processor time
FEWEST = 3  # passes


@dataclass(frozen=True)
class Pace:
    """`once`: seconds of a segment through the model. `busy`: seconds that go by in one of processor time; 1
    where nobody else wants the processor."""

    once: float
    busy: float = 1.0


def measure_pace(subject: Subject) -> Pace:
    """The mean over a few seconds: where others use the machine, the quickest pass says too little."""
    return Pace(0.01 if isinstance(subject.model, RecordedModel) else _seconds_of_a_pass(subject), _busy())


def _seconds_of_a_pass(subject: Subject) -> float:
    import torch

    length = min(TOKENS, subject.longest or TOKENS)
    batch = subject.encode(" ".join(["word"] * max(1, length // 2)))
    tokens = max(int(side.real.sum()) for side in batch.sides.values())

    def run_once() -> None:
        with torch.no_grad():
            subject.run(batch.inputs, predictions=False)

    run_once()  # the first one is slower
    began, passes = time.perf_counter(), 0
    while passes < FEWEST or time.perf_counter() - began < MEASURED:
        run_once()
        passes += 1
    return (time.perf_counter() - began) / passes * length / tokens


def _busy() -> float:
    began, spent = time.perf_counter(), time.process_time()
    while time.process_time() - spent < SPUN:
        sum(range(1000))
    return (time.perf_counter() - began) / (time.process_time() - spent)
