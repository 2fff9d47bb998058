"""Do induction heads do what they are called for? Disable the best of them, and see which loss suffers.

    python benchmarks/induction.py MODEL

finds the heads with the highest induction score on repeated random tokens, takes away what they give
(`--edit zero`), or makes their attention even (`--edit uniform`), and prints the loss on the second half of
repeated tokens (`attlas disable MODEL --text repeated`), where induction helps, and on ordinary text, where
it helps little; beside the same for as many heads drawn at random among the others."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

import attlas
from attlas.corpora.text_source import RepeatedTokens
from attlas.studies.patterns.pattern_scores import PatternScore, PatternScores
from attlas.studies.patterns.pattern_texts import PatternText
from attlas.subject import Subject
from attlas.tap import Tap


def by_induction(subject: Subject, items: int) -> list[PatternScore]:
    """All heads, the best first."""
    source = PatternText(RepeatedTokens(subject.tokenizer, items))
    reducer = PatternScores(("induction",))
    with Tap(subject, [reducer]) as tap:
        for shard in source.shards():
            for batch in source.batches(subject, source.prepare(shard).items):
                tap.run(batch)
    return sorted(reducer.scores(), key=lambda score: -score.gain)


def losses(subject: Subject, sets: Sequence[str], edit: str, items: int, **text: object) -> list[float]:
    """Without any edit, and without each set of heads."""
    made = attlas.disable(subject, heads=sets, edit=edit, segments=items, progress=False, **text)
    table = made.together if len(made.together) else made.table
    return [float(table["plain"].iloc[0]), *table["disabled"].astype(float)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--heads", type=int, default=5)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--items", type=int, default=16)
    parser.add_argument("--length", type=int, default=64, help="tokens of a segment of text")
    parser.add_argument("--edit", choices=("zero", "uniform"), default="zero")
    asked = parser.parse_args()
    subject = attlas.load(asked.model)
    scores = by_induction(subject, asked.items)
    best = [str(score.head) for score in scores[: asked.heads]]
    others = [str(score.head) for score in scores[asked.heads :]]
    rng = np.random.default_rng(0)
    draws = [[others[i] for i in rng.choice(len(others), asked.heads, False)] for _ in range(asked.draws)]
    sets = [",".join(heads) for heads in (best, *draws)]
    columns = (
        losses(subject, sets, asked.edit, asked.items, text="repeated", length=80),
        losses(subject, sets, asked.edit, asked.items, length=asked.length),
    )
    print("best: " + ", ".join(f"{s.head} ({s.score:.2f})" for s in scores[: asked.heads]))
    print(f"{'disabled':>30} {'repeated tokens':>16} {'text':>8}")
    for name, on_repeated, on_text in zip(["none", *sets], *columns, strict=True):
        print(f"{name.replace(',', ' '):>30} {on_repeated:16.3f} {on_text:8.3f}")


if __name__ == "__main__":
    main()
