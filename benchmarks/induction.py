"""Do induction heads do what they are called for? Disable the best of them, and see which loss suffers.

    python benchmarks/induction.py MODEL

finds the heads with the highest induction score on repeated random tokens, takes away what they give
(`zero`), or makes their attention even (`--uniform`), and prints the loss on the second half of repeated
tokens, where induction helps, and on ordinary text, where it helps little; beside the same for as many heads
drawn at random among the others."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import numpy as np
import torch

import attlas
from attlas.address import Head
from attlas.corpora.batches import Batch
from attlas.corpora.source import Source
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.edits import uniform, zero
from attlas.studies.patterns.pattern_scores import PatternScores
from attlas.studies.patterns.sources import RepeatedTokens
from attlas.subject import Subject
from attlas.tap import Tap


def batches(subject: Subject, source: Source, most: int) -> Iterator[Batch]:
    left = most
    for shard in source.shards():
        items = source.prepare(shard, left).items
        left -= len(items)
        yield from source.batches(subject, items)
        if left <= 0:
            return


def loss(
    subject: Subject, shown: Sequence[Batch], heads: Sequence[Head], second_half: bool, even: bool
) -> float:
    """The mean loss of the next token over all places, or over the second halves."""
    total, count = 0.0, 0
    edits = [(uniform if even else zero)(heads)] if heads else []
    with torch.no_grad(), Tap(subject, edits=edits) as tap:
        for batch in shown:
            logits = tap.run(batch, predictions=True).logits
            side = batch.sides["decoder"]
            assert side.ids is not None
            losses = torch.nn.functional.cross_entropy(
                logits[:, :-1].float().transpose(1, 2), side.ids[:, 1:], reduction="none"
            )
            counted = side.real[:, 1:]
            if second_half:  # the second half's first token cannot be known
                place = side.real.cumsum(-1)[:, 1:]
                counted = counted & (place > side.real.sum(-1, keepdim=True) // 2 + 1)
            total += float(losses[counted].sum())
            count += int(counted.sum())
    return total / count


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--heads", type=int, default=5)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--items", type=int, default=16)
    parser.add_argument("--length", type=int, default=64)
    parser.add_argument("--uniform", action="store_true", help="even attention in the place of nothing")
    asked = parser.parse_args()
    subject = attlas.load(asked.model)
    repeated = list(batches(subject, RepeatedTokens(subject.tokenizer, asked.items), asked.items))
    source = TextSource(text_corpus(), subject.tokenizer, asked.length, asked.items)
    text = list(batches(subject, source, asked.items))
    reducer = PatternScores(("induction",))
    with Tap(subject, [reducer]) as tap:
        for batch in repeated:
            tap.run(batch)
    scores = sorted(reducer.scores(), key=lambda score: -score.gain)
    best = [score.head for score in scores[: asked.heads]]
    others = [score.head for score in scores[asked.heads :]]
    rng = np.random.default_rng(0)
    draws = [[others[i] for i in rng.choice(len(others), asked.heads, False)] for _ in range(asked.draws)]
    print("best: " + ", ".join(f"{s.head} ({s.score:.2f})" for s in scores[: asked.heads]))
    print(f"{'disabled':>30} {'repeated tokens':>16} {'text':>8}")
    told = [("none", []), (f"the best {asked.heads}", best)]
    told += [(f"random: {' '.join(map(str, draw))}", draw) for draw in draws]
    for name, heads in told:
        on_repeated = loss(subject, repeated, heads, True, asked.uniform)
        on_text = loss(subject, text, heads, False, asked.uniform)
        print(f"{name:>30} {on_repeated:16.3f} {on_text:8.3f}", flush=True)


if __name__ == "__main__":
    main()
