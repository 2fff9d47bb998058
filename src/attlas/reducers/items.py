"""What is known of the items themselves: how long they are, a sample of them, their tokens. No attention is
needed for it."""

from __future__ import annotations

import numpy as np
import torch

from attlas.array_types import Ints
from attlas.corpora.source import ItemId, seeded
from attlas.reducers.kept_arrays import ItemArrays
from attlas.reducers.reducer import State, Sums
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

_SUMS = "sums"


class Lengths(Sums):
    """How many items and tokens there were; and the mean over items of the entropy that even attention has:
    ln n where every token sees all n, and the mean of ln 1 ... ln n where the i-th sees i."""

    name = "lengths"
    needs = Needs()

    def update(self, observation: Observation) -> None:
        side = next(iter(observation.batch.sides.values()))
        n = side.count("all")
        by_item = torch.stack([torch.ones_like(n), n, n.log(), torch.lgamma(n + 1) / n])
        self.add(_SUMS, by_item.sum(-1))  # items, tokens, Σ ln n, Σ ln(n!)/n

    def means(self) -> dict[str, float]:
        """tokens, and the two mean entropies."""
        items, tokens, full, causal = self.sums[_SUMS].tolist() if self.sums else [0.0] * 4
        return {
            "tokens": int(tokens),
            "mean_log_length": full / max(items, 1),
            "mean_log_visible": causal / max(items, 1),
        }


class Sample:
    """`size` items at random: those to which the seed gives the smallest numbers, whoever sees them first."""

    name = "sample"
    needs = Needs()

    def __init__(self, size: int, seed: int = 0) -> None:
        self.size = size
        self.seed = seed
        self.drawn: set[tuple[int, ItemId]] = set()

    def update(self, observation: Observation) -> None:
        self._keep({(seeded(self.seed, "sample", *i), i) for i in observation.batch.ids})

    def _keep(self, more: set[tuple[int, ItemId]]) -> None:
        self.drawn = set(sorted(self.drawn | more)[: self.size])

    def merge(self, other: Sample) -> None:
        self._keep(other.drawn)

    def state(self) -> State:
        rows = [(drawn, *item) for drawn, item in sorted(self.drawn)]
        return {"drawn": np.array(rows, np.int64)} if rows else {}

    def restore(self, state: State) -> None:
        rows = state["drawn"].tolist() if state else []
        self.drawn = {(drawn, ItemId(document, place)) for drawn, document, place in rows}

    def ids(self) -> list[ItemId]:
        return [item for _, item in sorted(self.drawn)]


class TokenLists(ItemArrays):
    """The tokens of every item, by side."""

    name = "tokens"
    needs = Needs()

    @property
    def lists(self) -> dict[tuple[ItemId, str], Ints]:
        return self.kept

    def update(self, observation: Observation) -> None:
        for side, tokens in observation.batch.sides.items():
            if tokens.ids is None:
                continue
            ids, real = tokens.ids.cpu(), tokens.real.cpu()
            for row, item in enumerate(observation.batch.ids):
                self.kept[item, side] = ids[row][real[row]].numpy().astype(np.int64)

    def lengths(self) -> dict[ItemId, int]:
        """Tokens of each item: those of the side that reads the text first."""
        lengths: dict[ItemId, int] = {}
        for (item, side), ids in self.lists.items():
            if side == "encoder" or item not in lengths:
                lengths[item] = len(ids)
        return lengths
