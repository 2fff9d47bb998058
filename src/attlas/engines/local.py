"""This process: passes over segments, one batch after another, with checkpoints."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attlas.corpora.classes import TokenClasses
from attlas.corpora.objective import objective
from attlas.corpora.segments import Segment, batches, collate
from attlas.engines.checkpoint import Arrays, Checkpoint
from attlas.reducers.reducer import Reducer
from attlas.subject import Subject
from attlas.tap.tap import Tap

SECONDS_BETWEEN_CHECKPOINTS = 10.0


@dataclass(frozen=True)
class Pass:
    """Reducers that see the same segments. With `gradients`, the model's own loss is differentiated."""

    name: str
    reducers: Sequence[Reducer]
    segments: Sequence[Segment]
    gradients: bool = False


@dataclass(frozen=True)
class Work:
    """One batch of one pass."""

    of: Pass
    segments: Sequence[Segment]


def run(
    subject: Subject,
    passes: Sequence[Pass],
    batch_size: int,
    classes: TokenClasses,
    seed: int = 0,
    kernel: str | None = None,
    checkpoint: Checkpoint | None = None,
    done: int = 0,
    state: Arrays | None = None,
    progress: Callable[[Pass, int], None] = lambda _, __: None,
) -> None:
    """Runs every batch of every pass, from the `done`-th on; `progress` hears of segments finished."""
    work = [Work(p, part) for p in passes for part in batches(p.segments, batch_size)]
    _restore(passes, state or {})
    for item in work[:done]:
        progress(item.of, len(item.segments))
    saved = time.monotonic()
    with _interrupts_wait() as interrupted, _taps(subject, kernel) as tap_of:
        for item in work[done:]:
            _run_batch(subject, tap_of(item.of), item, classes, seed)
            done += 1
            progress(item.of, len(item.segments))
            due = time.monotonic() - saved > SECONDS_BETWEEN_CHECKPOINTS
            if checkpoint is not None and (due or interrupted()):
                checkpoint.save(done, _state(passes))
                saved = time.monotonic()
            if interrupted():
                raise KeyboardInterrupt
    if checkpoint is not None:
        checkpoint.save(done, _state(passes))


@contextlib.contextmanager
def _interrupts_wait() -> Iterator[Callable[[], bool]]:
    """Ctrl-C takes effect between two batches, when no reducer is half updated; a second one at once."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    asked = threading.Event()
    before = signal.getsignal(signal.SIGINT)

    def note(*_: object) -> None:
        asked.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _taps(subject: Subject, kernel: str | None) -> Iterator[Callable[[Pass], Tap]]:
    """One tap for all batches of a pass, since opening and closing it takes a while: pass -> open tap."""
    open_taps: dict[str, Tap] = {}
    with contextlib.ExitStack() as stack:

        def tap_of(one: Pass) -> Tap:
            if one.name not in open_taps:
                stack.close()
                open_taps.clear()
                open_taps[one.name] = stack.enter_context(Tap(subject, one.reducers, kernel=kernel))
            return open_taps[one.name]

        yield tap_of


def _run_batch(subject: Subject, tap: Tap, item: Work, classes: TokenClasses, seed: int) -> None:
    batch = collate(subject, item.segments, classes)
    if item.of.gradients:
        tap.run(*objective(subject, batch, seed))
        return
    tap.run(batch)


def _state(passes: Sequence[Pass]) -> dict[str, npt.NDArray[np.float64]]:
    return {
        f"{p.name}/{r.name}/{key}": array
        for p in passes
        for r in p.reducers
        for key, array in r.state().items()
    }


def _restore(passes: Sequence[Pass], state: Arrays) -> None:
    for p in passes:
        for r in p.reducers:
            prefix = f"{p.name}/{r.name}/"
            r.restore({k.removeprefix(prefix): v for k, v in state.items() if k.startswith(prefix)})
