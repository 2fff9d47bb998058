"""Processes that share a GPU, or have a core each."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self, TypeVar

import torch

In, Out = TypeVar("In"), TypeVar("Out")


def _called(sent: bytes) -> bytes:
    call, item = pickle.loads(sent)
    return pickle.dumps(call(item))


class Workers:
    """One process is this one."""

    def __init__(self, processes: int) -> None:
        torch.set_num_threads(1)
        context = multiprocessing.get_context("spawn")
        self._pool = context.Pool(processes, torch.set_num_threads, (1,)) if processes > 1 else None

    def map(self, call: Callable[[In], Out], items: Iterable[In]) -> list[Out]:
        """In order; an item is begun as soon as a process is free."""
        if self._pool is None:
            return [call(item) for item in items]
        # pickled here: tensors would else go through open files, of which a process has not enough
        sent = [pickle.dumps((call, item)) for item in items]
        return [pickle.loads(answer) for answer in self._pool.map(_called, sent, chunksize=1)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.terminate()
            self._pool.join()
