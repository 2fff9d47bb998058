"""Preparing shards ahead of the model, so that it never waits for a tokenizer.

In a thread where the model runs on the CPU, which is busy anyway; in processes beside a GPU, which takes
tokens faster than one core can cut them.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from types import TracebackType

import torch

from attlas.corpora.source import Prepared, Shard, Source
from attlas.engines.engine import Work

MOST_PREPARERS = 8
AHEAD = 2  # shards for each preparer


def prepared_ahead(
    source: Source, work: Iterator[Work], device: torch.device
) -> Iterator[tuple[Shard, Prepared]]:
    """Every shard with its items, in the order of the work."""
    with _Preparers(source, _processes(device)) as preparers:
        waiting: deque[tuple[Shard, Future[Prepared]]] = deque()

        def take(most: int) -> None:
            for shard, prepared in islice(work, most):
                waiting.append((shard, preparers.submit(shard, prepared)))

        take(preparers.ahead)
        while waiting:
            shard, future = waiting.popleft()
            prepared = future.result()
            take(1)
            yield shard, prepared


class _Preparers:
    """A thread, and processes that take over from it once they have started, which takes them seconds."""

    def __init__(self, source: Source, processes: int) -> None:
        self.source = source
        self.ahead = AHEAD * max(1, processes)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="attlas-prepare")
        self._pool: ProcessPoolExecutor | None = None
        self._started: list[Future[None]] = []
        self._processes = processes

    def __enter__(self) -> _Preparers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for executor in (self._thread, self._pool):
            if executor is not None:
                executor.shutdown(wait=False, cancel_futures=True)

    def submit(self, shard: Shard, prepared: Prepared | None) -> Future[Prepared]:
        if prepared is not None:
            done: Future[Prepared] = Future()
            done.set_result(prepared)
            return done
        if self._processes and self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_begin,
                initargs=(pickle.dumps(self.source),),  # once, since a tokenizer is large
            )
            self._started = [self._pool.submit(_nothing) for _ in range(self._processes)]
        if self._pool is not None and all(one.done() for one in self._started):
            return self._pool.submit(_prepare, shard)
        return self._thread.submit(self.source.prepare, shard)


def _processes(device: torch.device) -> int:
    """How many beside a GPU, which leave some cores to the process that drives it."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 0 if device.type == "cpu" else max(0, min(MOST_PREPARERS, cores - 2))


# in the preparing processes

_source: list[Source] = []


def _begin(source: bytes) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that runs the model: it ends us
    _source[:] = [pickle.loads(source)]
    gc.freeze()  # what was imported stays: looking through it again and again takes a tenth of the time


def _nothing() -> None:
    """Is done when a process has started."""


def _prepare(shard: Shard) -> Prepared:
    return _source[0].prepare(shard)
