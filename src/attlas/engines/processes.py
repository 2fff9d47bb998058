"""Several processes of this machine, each with the model; on several GPUs, one process a GPU.

On a CPU every process has one thread, so that a result does not depend on how many there are. A process that
is killed (out of memory, say) costs its shard, which is run again by another.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import tempfile
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from attlas.corpora.preparer import end_with_the_driver
from attlas.corpora.source import PreparedShard, Shard
from attlas.engines.engine import Work, refuse_address
from attlas.engines.part import PassPart
from attlas.engines.passes import Pass
from attlas.engines.worker import Advance, run_shard
from attlas.engines.worker_process import (
    LoadedModel,
    cores,
    job,
    process_context,
    sending,
    without_main,
)
from attlas.errors import AttlasError, option
from attlas.subject import Subject

MOST_LOSSES = 3  # times that a process may die on the same shard


def engine(workers: int | None, address: str | None) -> Processes:
    """Run shards in several processes of this machine: the default with `--workers`."""
    refuse_address(address)
    return Processes(workers)


class Processes:
    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or torch.cuda.device_count() or cores()
        self._pool: ProcessPoolExecutor | None = None
        self._folder: Path | None = None
        self._passes = 0

    def __enter__(self) -> Processes:
        self._folder = Path(tempfile.mkdtemp(prefix="attlas-"))  # readable by this user alone
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def run(
        self, subject: Subject, pass_: Pass, work: Iterator[Work], advance: Advance
    ) -> Iterator[tuple[int, PassPart]]:
        assert self._folder is not None
        path = self._folder / f"{self._passes}.pickle"
        self._passes += 1
        with sending(subject):
            pickled = pickle.dumps(job(subject, pass_))
        path.write_bytes(pickled)
        running: dict[Future[PassPart], Work] = {}
        losses: dict[int, int] = {}
        again: list[Work] = []
        while True:
            room = 2 * self.workers - len(running)  # one at work and one waiting for each
            more = [again.pop() for _ in range(min(room, len(again)))]
            for shard, prepared in [*more, *islice(work, room - len(more))]:
                with without_main(pickled):
                    running[self._submit(path, shard, prepared)] = shard, prepared
            if not running:
                break
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                shard, prepared = running.pop(future)
                try:
                    part = future.result()
                except BrokenProcessPool:
                    again.append((shard, prepared))
                    continue
                advance(part.counts["items"])
                yield shard.number, part
            if again and not running:
                self._after_a_loss(again, losses)
        path.unlink()

    def _submit(self, path: Path, shard: Shard, prepared: PreparedShard | None) -> Future[PassPart]:
        if self._pool is None:
            context = process_context(__name__)
            begun = context.Value("i", 0), dict(os.environ)
            self._pool = ProcessPoolExecutor(
                self.workers, mp_context=context, initializer=_begin, initargs=begun
            )
        try:
            return self._pool.submit(_run, str(path), shard, prepared)
        except BrokenProcessPool as error:
            lost: Future[PassPart] = Future()
            lost.set_exception(error)
            return lost

    def _after_a_loss(self, again: list[Work], losses: dict[int, int]) -> None:
        """A pool that lost a process is gone, and nobody says which shard it was at: all that were in it are
        run again, in a new pool."""
        self._stop()
        for shard, _ in again:
            losses[shard.number] = losses.get(shard.number, 0) + 1
            if losses[shard.number] > MOST_LOSSES:
                raise AttlasError(
                    f"worker processes were killed {losses[shard.number]} times while they ran the same part "
                    "of the corpus, perhaps because memory ran out: try fewer "
                    f"{option('workers')}. (A script that defines what the workers need, such as a reducer, "
                    "needs `if __name__ == '__main__':` around what it does.)"
                )

    def _stop(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            processes = list((getattr(pool, "_processes", None) or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            for process in processes:
                process.join(5)


# in the worker processes

_loaded = LoadedModel()


def _begin(counter: Any, environment: dict[str, str]) -> None:
    os.environ.update(environment)  # the process that starts us may be older than the driver's
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver hears it, and ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_the_driver()
    with counter.get_lock():
        place = counter.value
        counter.value += 1
    if torch.cuda.is_available():
        torch.cuda.set_device(place % torch.cuda.device_count())


def _run(path: str, shard: Shard, prepared: PreparedShard | None) -> PassPart:
    subject, pass_ = _loaded.get(path, lambda: pickle.loads(Path(path).read_bytes()))
    return run_shard(subject, pass_, prepared or pass_.source.prepare(shard))
