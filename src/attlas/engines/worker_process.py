"""What a process that runs shards for another one needs: its model and the pass, loaded once."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch

from attlas.engines.passes import Pass
from attlas.errors import AttlasError, option
from attlas.subject import Subject

IDLE = 60.0  # seconds without work after which a worker of a cluster gives its model's memory back


class Loaded:
    """The model and the pass that a worker process has at hand, loaded once."""

    def __init__(self) -> None:
        self._key = ""
        self._gpu: int | None = None
        self._origin: Any = None
        self._subject: Any = None
        self._pass: Any = None
        self._busy = threading.Lock()
        self._rest: threading.Timer | None = None

    @contextmanager
    def at_work(self, idle: float = IDLE) -> Iterator[None]:
        """Inside, the model stays. When nothing was done for so long after it, it goes: others may want the
        GPU, and the next shard loads it again."""
        if self._rest is not None:
            self._rest.cancel()
        with self._busy:
            yield
        self._rest = threading.Timer(idle, self._leave)
        self._rest.daemon = True
        self._rest.start()

    def _leave(self) -> None:
        with self._busy:
            self._key, self._origin, self._subject, self._pass = "", None, None, None
            if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
                torch.cuda.empty_cache()

    def get(self, key: str, read: Callable[[], Any], gpu: int | None = None) -> tuple[Subject, Pass]:
        """`read` gives the job of that key: a model, the pass, and the models that the pass has beside it. A
        model is a subject, or where it came from, with its weights' hash. On another GPU than before, it is
        loaded again."""
        if gpu is not None and gpu != self._gpu:
            self._key, self._origin, self._subject, self._pass, self._gpu = "", None, None, None, gpu
            torch.cuda.empty_cache()  # the next worker on the GPU it leaves needs the memory
            torch.cuda.set_device(gpu)
        if key != self._key:
            (origin, weights), pass_, others = read()
            subject = self._subject if origin == self._origin else _loaded(origin, weights)
            pass_ = replace(pass_, beside=tuple(_loaded(*other) for other in others))
            if subject.device.type == "cpu":
                torch.set_num_threads(1)  # so that the number of workers does not matter
            os.environ["TOKENIZERS_PARALLELISM"] = "false"
            self._key, self._origin, self._subject, self._pass = key, origin, subject, pass_
        return self._subject, self._pass


#: a subject or where it came from, and its weights' hash
Model = tuple[Any, str]


def job(subject: Subject, pass_: Pass) -> tuple[Model, Pass, list[Model]]:
    """What a worker needs: it loads a model from where it came, if it came from somewhere."""
    return _sent(subject), replace(pass_, beside=()), [_sent(other) for other in pass_.beside]


def _sent(subject: Subject) -> Model:
    return subject.origin or subject, subject.weight_hash()


def unsendable(subject: Subject, error: BaseException) -> AttlasError:
    """For what cannot be pickled: a hook in a model that was given in memory, say."""
    said = str(error).strip().split("\n")[0]
    return AttlasError(
        f"this run cannot be sent to other processes ({said}): if {subject.name} is a model in memory, save "
        f"it to a folder and name that; or leave {option('workers')} and {option('engine')} out"
    )


def _loaded(origin: Any, weights: str) -> Subject:
    if isinstance(origin, Subject):
        subject = origin
        if subject.device.type == "cuda":
            subject.model.to("cuda")  # it comes back on the GPU that it was on, and not on this worker's
    else:
        subject = origin.load()
    if subject.weight_hash() != weights:
        raise AttlasError(
            f"a worker loads other weights for {subject.name} than this process: save the model to a folder "
            "that all workers can read, and name that folder"
        )
    return subject


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
