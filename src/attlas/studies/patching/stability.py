"""How far the heads that patching finds would be found again: with the pairs drawn anew, and with labels that
say nothing.

Drawing anew takes as many of the pairs, each as often as chance has it. Shuffling labels tosses a coin for
every pair and swaps the answer and the wrong one: then no head carries what the labels say, and every effect
of a pair keeps its size and loses its sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from itertools import combinations

import numpy as np
import pandas as pd

from attlas.array_types import Floats
from attlas.corpora.source import ItemId, seeded
from attlas.statistics.claims import SURE
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


def redraw(pairs: int, seed: int) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """The places of pairs in each redraw."""
    drawn = (np.random.default_rng(seeded(seed, "redrawn", number)) for number in range(REDRAWS))
    return [rng.integers(0, pairs, pairs) for rng in drawn]


def shuffle_labels(pairs: int, seed: int) -> list[Floats]:
    """1 where the labels of a pair stay, and -1 where they are swapped."""
    drawn = (np.random.default_rng(seeded(seed, "shuffled", number)) for number in range(REDRAWS))
    return [np.where(rng.integers(0, 2, pairs) > 0, -1.0, 1.0) for rng in drawn]


def find_large(effects: Floats) -> set[int]:
    """The heads whose mean effect (head pair) is large beside the largest."""
    sizes = np.abs(effects.mean(-1))
    return set(np.flatnonzero(sizes >= LARGE * sizes.max()).tolist()) if sizes.max() > 0 else set()


def find_tested(effects: Floats) -> set[int]:
    """The heads whose mean effect (head pair) is not 0, by Student's test, corrected for all heads."""
    ids = [ItemId(number, 0) for number in range(effects.shape[-1])]
    known = estimates(moments_by_document(effects, ids))
    p = holm(not_zero(known.mean, known.stderr, known.degrees))
    return set(np.flatnonzero(p < SURE).tolist())


def find_first(effects: Floats) -> set[int]:
    """The heads of the largest mean effects (head pair)."""
    order = np.argsort(-np.abs(effects.mean(-1)), kind="stable")
    return set(order[: first_of(len(effects))].tolist())


def again_by_head(effects: Floats, seed: int) -> Floats:
    """head: in what share of the redraws it is among the first."""
    counts = np.zeros(len(effects))
    for places in redraw(effects.shape[-1], seed):
        counts[list(find_first(effects[:, places]))] += 1
    return counts / REDRAWS


def stability_table(effects: Mapping[str, Floats], seed: int) -> pd.DataFrame:
    """A row for every way to score heads (head pair). `again` is the share of the first ten that are among
    the first ten of a redraw, on average; `overlap` how many of two redraws' first ten are in both, of those
    in either; `tested_again` the share of the heads found by a test that it finds in a redraw. `shuffled` are
    how many heads a rule finds with labels that say nothing, on average."""
    return pd.DataFrame([{"way": way, **_stability(values, seed)} for way, values in effects.items()])


def _stability(effects: Floats, seed: int) -> dict[str, float]:
    pairs = effects.shape[-1]
    redrawn = [effects[:, places] for places in redraw(pairs, seed)]
    shuffled = [effects * signs for signs in shuffle_labels(pairs, seed)]
    first, tested = find_first(effects), find_tested(effects)
    firsts = [find_first(values) for values in redrawn]
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
        "tested_shuffled": _count(map(find_tested, shuffled)),
    }
    found_again = [len(tested & find_tested(values)) / len(tested) for values in redrawn if tested]
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
