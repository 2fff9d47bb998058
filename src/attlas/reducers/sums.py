"""Sums: what most reducers keep, and all that they need to merge.

`ItemMeans` keeps seven sums in float64 of everything (`attlas.statistics.clusters.MOMENTS`), so that every
mean has its standard error over documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast

import numpy as np
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.reducers.by_document import OpenDocuments
from attlas.reducers.reducer import Row, State, reading_order
from attlas.statistics.clusters import MOMENTS, Estimates, estimates

__all__ = ["ItemMeans", "Sums", "table"]

OVER_ITEMS = 3  # of the moments: their number, the sum, and that of squares


class Sums:
    """Tensors under string keys, to which others are added. They stay on the device they came from until
    they are asked for. A reducer that keeps nothing else is a `Sums` with `needs` and `update`."""

    def __init__(self) -> None:
        self.sums: dict[str, Tensor] = {}

    def add(self, key: str, sums: Tensor) -> None:
        before = self.sums.get(key)
        self.sums[key] = sums if before is None else before.to(sums.device) + sums

    def merge(self, other: Self) -> None:
        for key, sums in other.sums.items():
            self.add(key, sums)

    def state(self) -> State:
        return {key: sums.cpu().numpy() for key, sums in self.sums.items()}

    def restore(self, state: State) -> None:
        self.sums = {key: torch.from_numpy(np.array(sums)) for key, sums in state.items()}


class ItemMeans(Sums):
    """Means over items, under string keys; all items weigh the same, and documents are what was drawn. A
    document's items must all be shown to one of the reducers that are merged: shards are whole documents."""

    def __init__(self) -> None:
        super().__init__()  # key -> 7 ...
        self.open: dict[str, OpenDocuments] = {}

    def add_items(self, key: str, values: Tensor, present: Tensor, batch: Batch) -> None:
        """The items of a batch: `values` is item ..., and `present` (broadcastable) says which count."""
        values = torch.where(present, values.double(), 0.0)
        counted = present.expand_as(values).double()
        if key not in self.open:
            self.open[key] = OpenDocuments(_over_documents)
        both = torch.stack([counted, values], 1)  # item 2 ...
        ended = self.open[key].add(both, batch)
        if ended is None:
            ended = both.new_zeros(len(MOMENTS) - OVER_ITEMS, *both.shape[2:])
        self.add(key, torch.cat([both.sum(0), values.square().sum(0, keepdim=True), ended]))

    def merge(self, other: Self) -> None:
        for key, sums in other.moments().items():
            self.add(key, sums)

    def moments(self) -> dict[str, Tensor]:
        """The sums, as if no open document went on."""
        return {key: self._moments(key) for key in self.sums}

    def _moments(self, key: str) -> Tensor:
        sums, rest = self.sums[key], self.open[key].rest() if key in self.open else None
        if rest is None:
            return sums
        return sums + torch.cat([torch.zeros_like(sums[:OVER_ITEMS]), rest.to(sums.device)])

    def state(self) -> State:
        return {key: sums.cpu().numpy() for key, sums in self.moments().items()}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.open = {}

    def mean(self, key: str) -> Estimates:
        return estimates(self._moments(key).cpu().numpy())


def _over_documents(sums: Tensor) -> Tensor:
    """4 ...: documents, sum², sum·items and items², of documents' items and sums (document 2 ...)."""
    items, total = sums.unbind(1)
    items_squared, total_squared = sums.square().sum(0)
    documents = (items > 0).sum(0, dtype=torch.float64)
    return torch.stack([documents, total_squared, (total * items).sum(0), items_squared])


def table(means: ItemMeans, columns: Sequence[tuple[str, str]], end: str = "") -> list[Row]:
    """The rows of means kept as `kind.layer` (and an `end`) -> head column, which is (statistic, group)."""
    rows = []
    for key in sorted((k.removesuffix(end) for k in means.sums if k.endswith(end)), key=reading_order):
        kind, _, layer = key.partition(".")
        rows += estimate_rows(cast(Kind, kind), int(layer), means.mean(key + end), columns)
    return rows


def estimate_rows(kind: Kind, layer: int, known: Estimates, columns: Sequence[tuple[str, str]]) -> list[Row]:
    """Of one layer, head column."""
    rows = []
    for head, i in zip(*np.nonzero(known.items), strict=True):
        statistic, group = columns[i]
        rows.append(Row(kind, layer, int(head), statistic, group, *known.at(head, i)))
    return rows
