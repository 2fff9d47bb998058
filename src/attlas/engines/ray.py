"""A Ray cluster: every shard is a task, and Ray decides where it runs, runs it again when its process or node
is lost, and shows it in its dashboard."""

from __future__ import annotations

import importlib
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from attlas.corpora.source import PreparedShard, Shard
from attlas.engines.engine import Work
from attlas.engines.part import PassPart
from attlas.engines.passes import Pass
from attlas.engines.worker import Advance, run_shard
from attlas.engines.worker_process import LoadedModel, job, sending
from attlas.errors import AttlasError, option
from attlas.extras import install_command
from attlas.subject import Subject

MOST_LOSSES = 5  # times that Ray tries a task again after its process or node was lost


ON_A_CPU: dict[str, Any] = {"num_cpus": 1}
#: Ray would begin a new process for every task on a GPU (`max_calls`), which would load the model for every
#: shard. A process that goes on may be given another GPU, so it has to see all of them.
ON_A_GPU: dict[str, Any] = {
    "num_gpus": 1,
    "max_calls": 0,
    "runtime_env": {"env_vars": {"RAY_EXPERIMENTAL_NOSET_CUDA_VISIBLE_DEVICES": "1"}},
}


def engine(workers: int | None, address: str | None) -> OnRay:
    """Run shards as tasks of a Ray cluster."""
    return OnRay(workers, address)


class OnRay:
    """`workers` is how many shards are under way at once; all CPUs or GPUs of the cluster if not given."""

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        self.workers = workers
        self.address = address
        self._ray: Any = None
        self._started = False

    def __enter__(self) -> OnRay:
        try:
            self._ray = importlib.import_module("ray")
        except ImportError:
            raise AttlasError(f"{option('engine', 'ray')} needs Ray: {install_command('ray')}") from None
        if not self._ray.is_initialized():
            self._connect()
            self._started = True
        return self

    def _connect(self) -> None:
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if self.address is not None:
            _check_answers(self.address)
            options["address"] = self.address
        else:
            options["include_dashboard"] = False
            options["num_cpus"] = self.workers
        try:
            with _own_sigterm():
                self._ray.init(**options)
        except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
            first = str(error).strip().split("\n")[0]
            raise AttlasError(
                f"no Ray cluster answers at {self.address or 'this machine'}: {first}{_about_tokens()}"
            ) from error

    def __exit__(self, *_: object) -> None:
        if self._started:
            self._ray.shutdown()

    def run(
        self, subject: Subject, pass_: Pass, work: Iterator[Work], advance: Advance
    ) -> Iterator[tuple[int, PassPart]]:
        ray = self._ray
        there = ray.cluster_resources()
        on_gpu = subject.device.type == "cuda"
        if not on_gpu and there.get("GPU") and subject.origin is not None and subject.origin.device != "cpu":
            raise AttlasError(
                "the cluster has GPUs and this machine has none: start the run where there is one, or say "
                f"{option('device', 'cpu')}"
            )
        task = ray.remote(max_retries=MOST_LOSSES, **(ON_A_GPU if on_gpu else ON_A_CPU))(_run)
        most = self.workers or max(1, int(there.get("GPU" if on_gpu else "CPU", 1)))
        with sending(subject):
            sent = ray.put(job(subject, pass_))
        running: dict[Any, int] = {}
        while True:
            for shard, prepared in islice(work, 2 * most - len(running)):
                # a reference within a list is not fetched before the task asks for it
                running[task.remote([sent], sent.hex(), shard, prepared)] = shard.number
            if not running:
                return
            done, _ = ray.wait(list(running), num_returns=1)
            for reference in done:
                number = running.pop(reference)
                part = self._get(reference)
                advance(part.counts["items"])
                yield number, part

    def _get(self, reference: Any) -> PassPart:
        try:
            part: PassPart = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            cause = getattr(error, "cause", None)
            raise cause if isinstance(cause, AttlasError) else error from None
        except self._ray.exceptions.RayError as error:
            first = str(error).strip().split("\n")[0]
            raise AttlasError(f"Ray lost a part of the work {MOST_LOSSES + 1} times: {first}") from error
        return part


@contextmanager
def _own_sigterm() -> Iterator[None]:
    """Ray takes SIGTERM for itself, and ends the driver before it can say how to go on."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


def _about_tokens() -> str:
    """`ray start` asks for a token where the user has one, but Ray sends it nowhere unless it is told to."""
    if "RAY_AUTH_MODE" in os.environ:
        return ""
    return ". If the cluster asks for a token (`ray start` says so), set RAY_AUTH_MODE=token"


def _check_answers(address: str) -> None:
    """Ray itself tries for minutes."""
    url = urlsplit(address if "://" in address else f"ray://{address}")
    try:
        host, port = url.hostname, url.port
    except ValueError as error:
        raise AttlasError(f"{option('address', address)}: {error}") from error
    if host is None or port is None:
        return  # `auto` and `local`, which Ray answers at once
    try:
        socket.create_connection((host, port), timeout=5).close()
    except OSError as error:
        why = error.strerror or error
        raise AttlasError(
            f"no Ray cluster answers at {address}: {why}; `ray start --head` starts one"
        ) from error


# in a worker of the cluster

_loaded = LoadedModel()


def _run(sent: list[Any], key: str, shard: Shard, prepared: PreparedShard | None) -> PassPart:
    import ray

    gpus = ray.get_gpu_ids()
    gpu = place_of_gpu(str(gpus[0]), os.environ.get("CUDA_VISIBLE_DEVICES")) if gpus else None
    with _loaded.at_work():
        subject, pass_ = _loaded.get(key, lambda: ray.get(sent[0]), gpu)
        return run_shard(subject, pass_, prepared or pass_.source.prepare(shard))


def place_of_gpu(gpu: str, visible: str | None) -> int:
    """What PyTorch calls the GPU that Ray gave a task: its place among the visible ones, which Ray names by
    what CUDA_VISIBLE_DEVICES had when the node was started."""
    names = [name.strip() for name in (visible or "").split(",") if name.strip()]
    return names.index(gpu) if gpu in names else int(gpu)
