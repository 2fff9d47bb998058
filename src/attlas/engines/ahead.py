"""Preparing shards ahead of the model, so that it never waits for a tokenizer.

In a thread where the model runs on the CPU, which is busy anyway; in processes beside a GPU, which takes
tokens faster than one core can cut them.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice

import torch

from attlas.corpora.source import Prepared, Shard, Source
from attlas.engines.engine import Work

MOST_PREPARERS = 8
AHEAD = 2  # shards for each preparer


def prepared_ahead(
    source: Source, work: Iterator[Work], device: torch.device
) -> Iterator[tuple[Shard, Prepared]]:
    """Every shard with its items, in the order of the work."""
    with _executor(device) as executor:
        waiting: deque[tuple[Shard, Future[Prepared]]] = deque()

        def submit(shard: Shard, prepared: Prepared | None) -> None:
            if prepared is None:
                waiting.append((shard, executor.submit(source.prepare, shard)))
            else:
                done: Future[Prepared] = Future()
                done.set_result(prepared)
                waiting.append((shard, done))

        most = AHEAD * getattr(executor, "_max_workers", 1)
        try:
            for one in islice(work, most):
                submit(*one)
            while waiting:
                shard, future = waiting.popleft()
                prepared = future.result()
                for one in islice(work, 1):
                    submit(*one)
                yield shard, prepared
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


def _executor(device: torch.device) -> Executor:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if device.type == "cpu" or cores < 4:
        return ThreadPoolExecutor(1, thread_name_prefix="attlas-prepare")
    return ProcessPoolExecutor(
        min(MOST_PREPARERS, cores - 2),
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin,
    )


def _begin() -> None:
    """Ctrl-C is for the process that runs the model: it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # what was imported stays: looking through it again and again takes a tenth of the time
