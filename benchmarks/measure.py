"""How the benchmarks measure: ways taken in turn within one run, and peak memory in a process of its own."""

import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from attlas.engines.worker_process import process_context

Result = TypeVar("Result")


def interleaved(
    ways: Mapping[str, Callable[[], object]], repeats: int, cpu_time: bool = False
) -> dict[str, list[float]]:
    """Seconds of each way in each round. A round takes every way once, so that a busy machine is busy for all
    of them; the first round, in which caches fill, is not counted."""
    clock = time.process_time if cpu_time else time.perf_counter
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for round_ in range(repeats + 1):
        for name, way in ways.items():
            start = clock()
            way()
            if round_:
                seconds[name].append(clock() - start)
    return seconds


def ratio(seconds: Mapping[str, list[float]], way: str, to: str) -> float:
    """The median over rounds of how much longer one way took than another in the same round."""
    return statistics.median(a / b for a, b in zip(seconds[way], seconds[to], strict=True))


def peak(work: Callable[[], object]) -> int:
    """By how many bytes the process's resident memory rose above where it stood when the work began.

    Linux keeps the highest value (VmHWM) and forgets it on request; elsewhere it is the process's maximum.
    """
    before = _resident("VmRSS")
    if before is None:
        work()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    Path("/proc/self/clear_refs").write_text("5")
    work()
    return (_resident("VmHWM") or before) - before


def _resident(field: str) -> int | None:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def in_a_process_of_its_own(work: Callable[..., Result], *arguments: Any) -> Result:
    with ProcessPoolExecutor(1, mp_context=process_context("attlas.engines.processes")) as pool:
        return pool.submit(work, *arguments).result()
