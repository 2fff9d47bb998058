"""How far the heads that patching finds would be found again: with the pairs drawn anew, and with labels that
say nothing.

Drawing anew takes as many documents (pairs, or groups of pairs that are alike), each as often as chance has
it. Shuffling labels tosses a coin for every pair and swaps the answer and the wrong one: then no head carries
what the labels say, and every effect of a pair keeps its size and loses its sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

import numpy as np
import pandas as pd

from attlas.array_types import Floats
from attlas.corpora.source import ItemId, seeded
from attlas.statistics.claims import CLAIMS, SURE
from attlas.statistics.clusters import estimates, moments_by_document
from attlas.statistics.hypotheses import holm, not_zero

REDRAWS = 20
FIRST = 10  # heads, the strongest, that are looked for again; no more than half of all
LARGE = 0.1  # of the largest effect: what is often called found, without a test
EXACT, ATTRIBUTED, INTEGRATED, DIRECT = (
    *("patching", "attribution", "integrated gradients"),
    "direct contribution",
)


def first_of(heads: int) -> int:
    """How many heads are looked for again."""
    return max(1, min(FIRST, heads // 2))


@dataclass(frozen=True)
class Redraw:
    """The places of the pairs of a redraw, and what they are: a document that is drawn twice is two."""

    places: list[int]
    ids: list[ItemId]


def redraw(ids: Sequence[ItemId], seed: int) -> list[Redraw]:
    """Draw documents with all of their pairs."""
    documents = sorted({id.document for id in ids})
    places = [[at for at, id in enumerate(ids) if id.document == document] for document in documents]
    redraws = []
    for number in range(REDRAWS):
        rng = np.random.default_rng(seeded(seed, "redrawn", number))
        drawn = [places[i] for i in rng.integers(0, len(documents), len(documents))]
        renamed = [ItemId(copy, i) for copy, several in enumerate(drawn) for i in range(len(several))]
        redraws.append(Redraw([at for several in drawn for at in several], renamed))
    return redraws


def shuffle_labels(pairs: int, seed: int) -> list[Floats]:
    """1 where the labels of a pair stay, and -1 where they are swapped."""
    drawn = (np.random.default_rng(seeded(seed, "shuffled", number)) for number in range(REDRAWS))
    return [np.where(rng.integers(0, 2, pairs) > 0, -1.0, 1.0) for rng in drawn]


def find_large(effects: Floats) -> set[int]:
    """The heads whose mean effect (head pair) is large beside the largest."""
    sizes = np.abs(effects.mean(-1))
    return set(np.flatnonzero(sizes >= LARGE * sizes.max()).tolist()) if sizes.max() > 0 else set()


def find_tested(effects: Floats, ids: Sequence[ItemId], least: float = CLAIMS["logits"].size) -> set[int]:
    """The heads whose mean effect (head pair) is shown: large enough to matter, and not 0 by Student's test
    over documents, corrected for all heads."""
    known = estimates(moments_by_document(effects, ids))
    p = holm(not_zero(known.mean, known.stderr, known.degrees))
    return set(np.flatnonzero((np.abs(known.mean) >= least) & (p < SURE)).tolist())


def find_first(effects: Floats) -> set[int]:
    """The heads of the largest mean effects (head pair)."""
    order = np.argsort(-np.abs(effects.mean(-1)), kind="stable")
    return set(order[: first_of(len(effects))].tolist())


def again_by_head(effects: Floats, ids: Sequence[ItemId], seed: int) -> Floats:
    """head: in what share of the redraws it is among the first."""
    counts = np.zeros(len(effects))
    for drawn in redraw(ids, seed):
        counts[list(find_first(effects[:, drawn.places]))] += 1
    return counts / REDRAWS


def stability_table(
    effects: Mapping[str, Floats],
    ids: Sequence[ItemId],
    seed: int,
    least: float = CLAIMS["logits"].size,
    shuffled: Mapping[str, Sequence[Floats]] = MappingProxyType({}),
) -> pd.DataFrame:
    """A row for every way to score heads (head pair). `least` is the smallest effect that matters; `shuffled`
    are scores with labels that say nothing, where they were measured.

    `again` is the share of the first ten that are among the first ten of a redraw, on average; `overlap` how
    many of two redraws' first ten are in both, of those in either; `tested_again` the share of the heads that
    a test finds which it finds in a redraw. Columns that end in `_shuffled` are how many heads a rule finds
    with labels that say nothing, on average."""
    return pd.DataFrame(
        [
            {"way": way, **_stability(values, ids, seed, least, shuffled.get(way))}
            for way, values in effects.items()
        ]
    )


def _stability(
    effects: Floats, ids: Sequence[ItemId], seed: int, least: float, shuffled: Sequence[Floats] | None
) -> dict[str, float]:
    pairs = effects.shape[-1]
    redrawn = [(effects[:, drawn.places], drawn.ids) for drawn in redraw(ids, seed)]
    if shuffled is None:
        shuffled = [effects * signs for signs in shuffle_labels(pairs, seed)]
    first, tested = find_first(effects), find_tested(effects, ids, least)
    firsts = [find_first(values) for values, _ in redrawn]
    numbers: dict[str, float] = {
        "first": len(first),
        "heads": len(effects),
        "again": float(np.mean([len(first & other) / len(first) for other in firsts])),
        "overlap": float(np.mean([len(a & b) / len(a | b) for a, b in combinations(firsts, 2)])),
        "by_chance": len(first) / len(effects),
        "always": len(set.intersection(*firsts)),
        "large": len(find_large(effects)),
        "large_shuffled": _count(map(find_large, shuffled)),
        "tested": len(tested),
        "tested_shuffled": _count(find_tested(values, ids, least) for values in shuffled),
    }
    found_again = [len(tested & find_tested(*drawn, least)) / len(tested) for drawn in redrawn if tested]
    return {**numbers, "tested_again": float(np.mean(found_again)) if found_again else np.nan, "n": pairs}


def _count(several: Iterable[Sized]) -> float:
    """How many heads are found, on average."""
    return float(np.mean([len(heads) for heads in several]))


def stability_sentence(table: pd.DataFrame) -> str:
    """How often the first ten return, and what is found where nothing is."""
    rows = table.to_dict("records")
    again = ", ".join(f"{row['way']} {row['again']:.0%}" for row in rows)
    exact = rows[0]
    return (
        f"with the pairs drawn anew {REDRAWS} times, a head of the first {exact['first']:.0f} is among them "
        f"again: {again} ({exact['by_chance']:.0%} by chance). With labels shuffled, the test finds "
        f"{exact['tested_shuffled']:.1f} heads instead of {exact['tested']:.0f} by patching, and a tenth of "
        f"the largest effect as a threshold {exact['large_shuffled']:.1f} instead of {exact['large']:.0f}"
    )
