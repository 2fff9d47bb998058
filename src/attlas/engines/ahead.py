"""Preparing shards ahead of a GPU, which takes tokens faster than one core can cut them: in processes of
their own.

On a CPU the model has all cores anyway, and shards are prepared one after the other. A thread beside the
model would help neither: they would wait for each other at Python's lock.
"""

from __future__ import annotations

import multiprocessing
import pickle
import tempfile
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path

import torch

from attlas.corpora import preparer
from attlas.corpora.source import PreparedShard, Preparer, Shard, Source
from attlas.engines.engine import Work
from attlas.engines.worker_process import cores, without_main

MOST_PREPARERS = 8
AHEAD = 2  # shards for each preparer


def prepare_ahead(
    source: Source, work: Iterator[Work], device: torch.device
) -> Iterator[tuple[Shard, PreparedShard]]:
    """Yield every shard with its items, in the order of the work."""
    with _Preparers(source, _processes(device)) as preparers:
        waiting: deque[tuple[Shard, Future[PreparedShard]]] = deque()
        while True:
            here = None if waiting else next(work, None)
            if preparers.ready:
                for shard, _ in islice(work, preparers.ahead - len(waiting)):
                    waiting.append((shard, preparers.submit(shard)))
            if here is not None:  # while they work on those that come after it
                yield here[0], source.prepare(here[0])
            elif waiting:
                shard, future = waiting.popleft()
                yield shard, preparers.result(shard, future)
            else:
                return


class _Preparers:
    """Processes that are ready once they have started; never, if there are none. Those that import little
    are given work at once."""

    def __init__(self, source: Source, processes: int) -> None:
        self.source = source
        self.ahead = AHEAD * processes
        light: Preparer = getattr(source, "preparer", source)
        self._soon = light is not source
        self._pool: ProcessPoolExecutor | None = None
        self._started: list[Future[None]] = []
        self._file: Path | None = None
        if processes:
            # through a file: what a process is started with must fit into a pipe, or we wait until it has
            # imported everything
            descriptor, name = tempfile.mkstemp(prefix="attlas-")  # readable by this user alone
            pickled = pickle.dumps(light)
            with open(descriptor, "wb") as file:
                file.write(pickled)
            self._file = Path(name)
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(processes, context, initializer=preparer.begin, initargs=(name,))
            with without_main(pickled):
                self._started = [self._pool.submit(preparer.nothing) for _ in range(processes)]

    def __enter__(self) -> _Preparers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    @property
    def ready(self) -> bool:
        started = self._soon or all(f.done() and f.exception() is None for f in self._started)
        return self._pool is not None and started

    def submit(self, shard: Shard) -> Future[PreparedShard]:
        assert self._pool is not None
        try:
            return self._pool.submit(preparer.prepare, shard)
        except BrokenProcessPool as error:
            lost: Future[PreparedShard] = Future()
            lost.set_exception(error)
            return lost

    def result(self, shard: Shard, future: Future[PreparedShard]) -> PreparedShard:
        """Wait for what a process prepares; where one was killed, none of them is asked again."""
        try:
            return future.result()
        except BrokenProcessPool:
            self._pool = None
            return self.source.prepare(shard)


def _processes(device: torch.device) -> int:
    """The number of processes beside a GPU, which leave some cores to the one that drives it."""
    return 0 if device.type == "cpu" else max(0, min(MOST_PREPARERS, cores() - 2))
