"""Processes that run shards for another one: how they start, what is sent to them, what they keep loaded."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.context import BaseContext
from typing import Any

import torch

from attlas.engines.passes import Pass
from attlas.errors import AttlasError, option
from attlas.subject import Subject

_SAYS_WHERE_IT_IS = ("__spec__", "__file__")
IDLE = 60.0  # seconds without work after which a worker of a cluster gives its model's memory back


def process_context(module: str) -> BaseContext:
    """Choose how to start processes that need this module: from one that has loaded it for all of them, since
    that takes seconds. Where there is a GPU each loads it anew: what has looked for a GPU cannot use it after
    a fork."""
    if sys.platform != "linux" or torch.cuda.device_count():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([module])
    return context


@contextmanager
def without_main(pickled: bytes) -> Iterator[None]:
    """Processes that are spawned meanwhile do not import the main module, as they usually would: a script
    without `if __name__ == "__main__":` would do all its work in each of them, and others would at least
    load all that they import. What is `pickled` for them may need the main module, for a class that it
    defines; then nothing is changed."""
    main = sys.modules["__main__"]
    if b"__main__" in pickled:
        yield
        return
    namespace = vars(main)  # that of a notebook may lack some of its names
    kept = {name: namespace[name] for name in _SAYS_WHERE_IT_IS if name in namespace}
    namespace.update(dict.fromkeys(_SAYS_WHERE_IT_IS))
    try:
        yield
    finally:
        for name in _SAYS_WHERE_IT_IS:
            del namespace[name]
        namespace.update(kept)


class LoadedModel:
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
            subject = self._subject if origin == self._origin else _load_subject(origin, weights)
            pass_ = replace(pass_, beside=tuple(_load_subject(*other) for other in others))
            if subject.device.type == "cpu":
                torch.set_num_threads(1)  # so that the number of workers does not matter
            os.environ["TOKENIZERS_PARALLELISM"] = "false"
            self._key, self._origin, self._subject, self._pass = key, origin, subject, pass_
        return self._subject, self._pass


#: a subject or where it came from, and its weights' hash
Model = tuple[Any, str]


def job(subject: Subject, pass_: Pass) -> tuple[Model, Pass, list[Model]]:
    """Gather what a worker needs: it loads a model from where it came, if it came from somewhere."""
    return (
        _to_send(subject),
        replace(pass_, beside=()),
        [_to_send(other) for other in pass_.beside],
    )


def _to_send(subject: Subject) -> Model:
    return subject.origin or subject, subject.weight_hash()


@contextmanager
def sending(subject: Subject) -> Iterator[None]:
    """Explain in a line what cannot be pickled: a hook in a model that was given in memory, say."""
    try:
        yield
    except (pickle.PicklingError, AttributeError, TypeError, RecursionError) as error:
        reason = str(error).strip().split("\n")[0]
        raise AttlasError(
            f"this run cannot be sent to other processes ({reason}): if {subject.name} is a model in memory, "
            f"save it to a folder and name that; or leave {option('workers')} and {option('engine')} out"
        ) from error


def _load_subject(origin: Any, weights: str) -> Subject:
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
