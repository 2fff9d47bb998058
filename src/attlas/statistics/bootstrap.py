"""The bootstrap: how far a number would move if other items had been drawn.

Every item (a window, a segment) draws its own weights, Poisson(1) for each replicate, from its id and the
seed. So the sums of two parts of a corpus add up to those of the whole, whatever the order, the batches and
the machine, and nothing is kept per item (the "Poisson bootstrap").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from attlas.corpora.source import ItemId, seeded

Floats = npt.NDArray[np.float64]
REPLICATES = 1000


class Bootstrap:
    """Weighted sums of some values of every item, under string keys; mergeable."""

    def __init__(self, seed: int = 0, replicates: int = REPLICATES) -> None:
        self.seed = seed
        self.replicates = replicates
        self.sums: dict[str, Floats] = {}  # key -> value replicate

    def weights(self, ids: Iterable[ItemId]) -> Floats:
        """item replicate: how often each item is drawn."""
        return np.stack([_drawn(self.seed, item, self.replicates) for item in ids]).astype(np.float64)

    def add(self, key: str, values: Floats, weights: Floats) -> None:
        """Adds some items: `values` is value item, `weights` item replicate."""
        sums = values @ weights
        self.sums[key] = self.sums[key] + sums if key in self.sums else sums

    def merge(self, other: Bootstrap) -> None:
        for key, sums in other.sums.items():
            self.sums[key] = self.sums[key] + sums if key in self.sums else sums.copy()

    def state(self) -> dict[str, Floats]:
        return {key: sums.copy() for key, sums in self.sums.items()}

    def restore(self, state: Mapping[str, npt.NDArray[np.float64]]) -> None:
        self.sums = {key: np.array(sums, dtype=np.float64) for key, sums in state.items()}


def _drawn(seed: int, item: ItemId, replicates: int) -> npt.NDArray[np.int64]:
    key = seeded(seed, "bootstrap", item.document, item.place)
    return np.random.Generator(np.random.Philox(key=key)).poisson(1, replicates)


def ratio_interval(above: Floats, below: Floats, level: float = 0.95) -> tuple[float, float]:
    """The middle `level` of the replicates' ratios; a replicate that drew nothing has none."""
    drawn = below > 0
    if not drawn.any():
        return float("nan"), float("nan")
    low, high = np.quantile(above[drawn] / below[drawn], [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
