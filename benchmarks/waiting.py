"""Threads that sleep while they wait for each other, against threads that spin, on an idle machine and on a
busy one.

    python benchmarks/waiting.py [--segments 40] [--rounds 3]

The same map of the embedded model, in a process for each OMP_WAIT_POLICY and number of threads, all
taken in turn; then again while other processes keep every core busy, as on a machine that is shared. Seconds
are those of the map itself, after everything is loaded; ratios are to the first way in the same round.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

WAYS = {
    "one-thread": {"OMP_NUM_THREADS": "1"},
    "sleeping": {"OMP_WAIT_POLICY": "passive"},
    "spinning": {"OMP_WAIT_POLICY": "active"},
}
CODE = """
import sys, tempfile, time
import attlas
subject = attlas.load("mini")
def run(segments):
    with tempfile.TemporaryDirectory() as folder:
        attlas.map(subject, segments=segments, sample=0, atlas=folder + "/a", progress=False)
run(4)
clocks = time.perf_counter(), time.process_time()
run(int(sys.argv[1]))
print(time.perf_counter() - clocks[0], time.process_time() - clocks[1])
"""


def seconds(way: str, segments: int) -> tuple[float, float]:
    """Of the clock, and of all cores together."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    command = [sys.executable, "-c", CODE, str(segments)]
    done = subprocess.run(command, env={**kept, **WAYS[way]}, capture_output=True, text=True, check=True)
    wall, processor = map(float, done.stdout.split())
    return wall, processor


@contextmanager
def neighbours(count: int) -> Iterator[None]:
    """Other people's processes, which never rest."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def main() -> None:
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--segments", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--neighbours", type=int, default=cores, help="on the busy machine: one a core")
    options = parser.parse_args()
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f} before")
    print(f"{'machine':8} {'way':14} {'seconds':>8} {'of cores':>8} {'ratio':>6}")
    for machine, others in (("idle", 0), ("busy", options.neighbours)):
        with neighbours(others):
            rounds = [
                {way: seconds(way, options.segments) for way in options.ways} for _ in range(options.rounds)
            ]
        for way in options.ways:
            wall, processor = (statistics.median(took[way][i] for took in rounds) for i in (0, 1))
            ratio = statistics.median(took[way][0] / took[options.ways[0]][0] for took in rounds)
            print(f"{machine:8} {way:14} {wall:8.2f} {processor:8.2f} {ratio:6.2f}", flush=True)


if __name__ == "__main__":
    main()
