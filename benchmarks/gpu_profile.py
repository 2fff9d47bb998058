"""What bounds a watched pass on a GPU: the host that launches kernels, or the kernels themselves.

    python benchmarks/gpu_profile.py [--sizes bert:512x32 qwen3:8192x1] [--kernels 8]

For a plain forward and one under a tap with every surface statistic, a pass takes so many milliseconds

- `alone`: from an idle GPU to an idle GPU, as `benchmarks/gpu.py` measures it;
- `in a row`: one of many that follow each other, as over a corpus;
- `host`: until Python has launched everything, whether or not the GPU is done;
- `busy`: of the GPU, all kernels added up (by PyTorch's profiler), those of attention beside them.

Where `host` is near `alone`, the host sets the pace; where `busy` is, the kernels do.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from gpu import SHAPES, build, in_a_row, make_batch, milliseconds, plain_way, surface_of, tapped_way

PASSES = 20
ATTENTION = ("attend", "fmha", "flash", "sdpa")  # parts of the names of kernels that attend


def launching(run: Callable[[], Any]) -> float:
    torch.cuda.synchronize()
    start = time.perf_counter()
    run()
    took = time.perf_counter() - start
    torch.cuda.synchronize()
    return took * 1e3


def kernels_of(run: Callable[[], Any]) -> dict[str, tuple[float, int]]:
    """name -> milliseconds and launches a pass."""
    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        for _ in range(3):
            run()
        torch.cuda.synchronize()
    return {e.key: (e.self_device_time_total / 3e3, e.count // 3) for e in seen.key_averages()}


def report(name: str, length: int, rows: int, most: int) -> None:
    subject, shape = build(name), SHAPES[name]
    batch = make_batch(subject, length, rows, shape.side)
    around, watched = tapped_way(subject, batch, surface_of(shape.classes))
    print(f"\n{name} {length} x {rows}")
    print("            alone  in a row    host    busy  attention  launches")
    seen = {}
    with around():  # a plain pass does not go through the tap's own forward
        watched()
        several = {"attlas": times(watched)}
        seen["attlas"] = kernels_of(watched)
    plain = plain_way(subject, batch)
    plain()
    several["plain"] = times(plain)
    seen["plain"] = kernels_of(plain)
    for way, (alone, row, host) in reversed(several.items()):
        busy = sum(took for took, _ in seen[way].values())
        attention = sum(
            took for kernel, (took, _) in seen[way].items() if any(n in kernel.lower() for n in ATTENTION)
        )
        launches = sum(count for _, count in seen[way].values())
        print(f"{way:>8} {alone:8.2f} {row:9.2f} {host:7.2f} {busy:7.2f} {attention:10.2f} {launches:9}")
    print("what the watched pass has more of, ms and launches:")
    more = {
        kernel: (took - seen["plain"].get(kernel, (0.0, 0))[0], count - seen["plain"].get(kernel, (0, 0))[1])
        for kernel, (took, count) in seen["attlas"].items()
    }
    for kernel, (took, count) in sorted(more.items(), key=lambda item: -item[1][0])[:most]:
        print(f"{took:8.3f} {count:5} {kernel[:110]}")


def times(run: Callable[[], Any]) -> tuple[float, float, float]:
    for _ in range(3):
        run()
    alone, host = (statistics.median(way(run) for _ in range(PASSES)) for way in (milliseconds, launching))
    return alone, statistics.median(in_a_row(run, PASSES) for _ in range(3)), host


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", nargs="+", default=["bert:512x32", "qwen3:8192x1"])
    parser.add_argument("--kernels", type=int, default=12, help="to list")
    options = parser.parse_args()
    for size in options.sizes:
        name, _, shape = size.partition(":")
        length, _, rows = shape.partition("x")
        report(name, int(length), int(rows), options.kernels)


if __name__ == "__main__":
    main()
