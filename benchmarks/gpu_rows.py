"""Statistics from a sample of rows, on a GPU: by choice for a long text, and where no fused kernel goes.

    python benchmarks/gpu_rows.py [--rows 1/16]

First Llama-8B at 32,768 tokens: a plain forward, every row, and a sample; how far means from the sample are
from those of every row over a few texts, in standard errors. Then a Llama of few layers under a mask whose
rows are not runs of keys, as sparse attention has: plain, the fallback, and every row.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction

import torch
import transformers

from attlas.corpora.batches import Batch
from attlas.corpora.source import ItemId
from attlas.row import Row
from attlas.subject import Subject
from attlas.tap import Tap
from gpu import HEADINGS, SHAPES, Way, build, make_batch, measure, plain_way, surface_of, tell

LONG = 32_768


def taps(subject: Subject, batch: Batch, rows: Sequence[float | None]) -> dict[str, Way]:
    ways: dict[str, Way] = {"plain": (nullcontext, plain_way(subject, batch))}
    for fraction in rows:
        tap = Tap(subject, surface_of(("punct", "other")), rows=fraction)
        name = "default" if fraction is None else "rows 1" if fraction == 1 else f"{Fraction(fraction)}"
        ways[name] = (lambda tap=tap: tap, lambda tap=tap: tap.run(batch))
    return ways


def by_choice(rows: float) -> None:
    subject = build("llama")
    tell("llama", LONG, 1, measure(taps(subject, make_batch(subject, LONG, 1, "decoder"), [None, rows]), 3))
    results: dict[float, list[Row]] = {}
    torch.manual_seed(0)
    texts = [make_batch(subject, LONG, 1, "decoder") for _ in range(4)]
    for fraction in (1.0, rows):
        reducers = surface_of(("punct", "other"))
        with Tap(subject, reducers, rows=fraction) as tap:
            for number, batch in enumerate(texts):
                tap.run(replace(batch, ids=(ItemId(number, 0),)))
        results[fraction] = [row for reducer in reducers for row in reducer.rows()]
    apart = torch.tensor(
        [
            abs(few.value - every.value) / few.stderr
            for few, every in zip(results[rows], results[1.0], strict=True)
            if few.stderr > 1e-9
        ]
    )
    within = (apart < 1).float().mean()
    print(f"{len(apart):,} means of {len(texts)} texts: {within:.1%} within one standard error of all rows'")


def as_fallback() -> None:
    shape = SHAPES["llama"]
    config = shape.config()
    config.num_hidden_layers = 8
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        subject = Subject(transformers.LlamaModel(config), None, "llama, 8 layers")
    torch.set_default_dtype(torch.float32)
    for length, rows in ((512, 16), (2048, 4), (8192, 1)):
        batch = make_batch(subject, length, rows, "decoder")
        scattered = torch.rand(rows, 1, length, length, device="cuda") < 0.5
        mask = scattered.tril() | torch.eye(length, dtype=torch.bool, device="cuda")
        batch = replace(batch, inputs={**batch.inputs, "attention_mask": mask})
        tell("scattered", length, rows, measure(taps(subject, batch, [None, 1]), 3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=lambda written: float(Fraction(written)), default=1 / 16)
    rows = parser.parse_args().rows
    print(HEADINGS)
    as_fallback()
    by_choice(rows)


if __name__ == "__main__":
    main()
