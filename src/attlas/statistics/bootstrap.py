"""The bootstrap: how far a number that is no mean would move if other documents had been drawn.

Every document draws its own weights, Poisson(1) for each replicate, from its number and the seed, and gives
them to all of its items. So they depend neither on the order nor on the machine (the "Poisson bootstrap").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attlas.array_types import Floats
from attlas.corpora.source import ItemId, seeded
from attlas.statistics.hypotheses import LEVEL

REPLICATES = 1000


def draw_counts(ids: Sequence[ItemId], seed: int = 0, replicates: int = REPLICATES) -> Floats:
    """item draw: how often each item counts; the same for all models that answer to it."""
    weights = {number: _weights(seed, number, replicates) for number in {item.document for item in ids}}
    return np.stack([weights[item.document] for item in ids])


def _weights(seed: int, document: int, replicates: int) -> Floats:
    key = seeded(seed, "bootstrap", document)
    return np.random.Generator(np.random.Philox(key=key)).poisson(1, replicates).astype(np.float64)


def interval(draws: Floats, level: float = LEVEL) -> tuple[float, float]:
    """The middle `level` of the draws that have a number."""
    there = draws[np.isfinite(draws)]
    if not len(there):
        return float("nan"), float("nan")
    low, high = np.quantile(there, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
