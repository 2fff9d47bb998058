"""The two halves of the items: heads are chosen on one, and judged on the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch

from attlas.corpora.source import Item, ItemId, seeded
from attlas.reducers.sums import Sums
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

By = Literal["document", "item"]


@dataclass(frozen=True)
class InHalf:
    """Whether an item is in the half that heads are chosen on, or in the one that they are judged on. By
    document, so that no text is in both."""

    choosing: bool
    seed: int
    by: By = "document"

    def __call__(self, item: Item) -> bool:
        return self.holds(item.id)

    def holds(self, item: ItemId) -> bool:
        unit = (item.document,) if self.by == "document" else item
        return (seeded(self.seed, "half", *unit) % 2 == 0) is self.choosing


class HalfCounts(Sums):
    """How many items there are, and how many of them are in the first half, by document."""

    name = "halves"
    needs = Needs()

    def __init__(self, seed: int = 0) -> None:
        self.first = InHalf(True, seed)
        super().__init__()

    def update(self, observation: Observation) -> None:
        ids = observation.batch.ids
        self.add("items", torch.tensor([len(ids), sum(map(self.first.holds, ids))], dtype=torch.float64))

    def by(self) -> By:
        """By document; where few documents would leave one half with hardly an item, by item."""
        items, first = self.sums["items"].tolist() if self.sums else (0, 0)
        return "document" if 5 * min(first, items - first) >= items else "item"
