"""How a map scales over processes of one machine, and whether `attlas plan` foresaw it.

    python benchmarks/engines.py [--workers 1 2] [--shard 4096] [--text FILE] [--shards 100]

Each number of workers takes every surface statistic of the embedded model over the same shards of a text, of
which there must be a few for each worker: all of the embedded text if nothing else is said. Starting the
workers and loading the model in each is not counted: the first shards that come back end it. The last column
is what `attlas plan` says from its short run, made before.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice

import attlas
from attlas.engines import engine_named
from attlas.options import BatchOptions, TextOptions
from attlas.studies import estimate
from attlas.studies.surface.surface_study import Surface, surface_study


def seconds_of(study: Surface, workers: int, shards: int | None) -> tuple[float, int]:
    """Seconds and tokens from the first shards that came back to the last one."""
    pass_ = study.statistics_pass()
    stamps: list[tuple[float, int]] = []
    with engine_named("processes", workers) as engine:
        work = ((shard, None) for shard in islice(pass_.source.shards(), shards))
        for _, part in engine.run(study.subject, pass_, work, lambda _: None):
            stamps.append((time.perf_counter(), part.counts["tokens"]))
    first = 2 * workers  # by then all of them are at work
    return stamps[-1][0] - stamps[first][0], sum(tokens for _, tokens in stamps[first + 1 :])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--shard", type=int, default=4096)
    parser.add_argument("--text")
    parser.add_argument("--shards", type=int)
    parser.add_argument("--seconds", type=float, default=estimate.SECONDS, help="for the plan's short run")
    options = parser.parse_args()
    estimate.SECONDS = options.seconds
    subject = attlas.load("mini")
    text_options = TextOptions(text=options.text, segments="all")
    study = surface_study(subject, text_options, BatchOptions(shard=options.shard))
    print(f"{'workers':>7} {'tokens':>9} {'tokens/s':>9} {'each':>8} {'seconds':>8} {'planned':>8}")
    for workers in options.workers:
        plan = estimate.plan_for(study, 1e6, workers)
        took, tokens = seconds_of(study, workers, options.shards)
        planned = plan.total_seconds * tokens / plan.tokens
        rate = tokens / took
        print(
            f"{workers:7} {tokens:9,} {rate:9,.0f} {rate / workers:8,.0f} {took:8.1f} {planned:8.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
