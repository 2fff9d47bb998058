"""How likely each shape is, for every head over all items; and how far that would move if other documents had
been drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.batches import Batch
from attlas.corpora.recording import check_attention
from attlas.errors import AttlasError
from attlas.reducers.reducer import ItemMeans, check_numbers, layer_of, reading_order, table
from attlas.row import Row
from attlas.statistics.hypotheses import student_interval
from attlas.studies.shapes.network import SHAPES, cover, pictures, probabilities
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

SHORTEST = 4  # tokens: a map of fewer has no shape, and is not counted


class Share(NamedTuple):
    """The share of one shape among the maps of a layer, or of all layers, with a 95%
    interval over documents."""

    kind: Kind
    layer: int | None  # None: all layers
    shape: str
    share: float
    low: float
    high: float
    heads: int
    items: int
    documents: int


class ShapeShares(ItemMeans):
    """Every head's map of every item is classified. `shape_share`, one a head and shape, is the mean
    probability over items, so that a map between two shapes counts for both. Kept are the means of heads, and
    those over the heads of a layer and of all layers, in which heads weigh the same."""

    name = "shapes"
    needs = Needs(lazy_weights=True)

    def __init__(
        self,
        classify: Callable[[Tensor], Tensor] = probabilities,  # map SIZE SIZE -> map shape
    ) -> None:
        self.classify = classify
        super().__init__()  # kind.layer/heads -> head shape; kind.layer/layer, kind/all -> shape

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        covers: dict[Kind, tuple[Tensor, Tensor]] = {}  # the same for all layers
        by_kind: dict[Kind, list[Tensor]] = {}
        for call in observation.calls:
            assert call.lazy_weights is not None
            queries, keys = batch.queries(call.kind).real, batch.keys(call.kind).real
            if call.kind not in covers:
                covers[call.kind] = cover(queries), cover(keys)
            seen = pictures(call.lazy_weights, *covers[call.kind])  # batch head SIZE SIZE
            chances = self.classify(seen.flatten(0, 1)).view(*seen.shape[:2], -1).double()
            long = _long(batch, call.kind)
            check_numbers(chances[long])
            at = f"{call.kind}.{call.layer}"
            self.add_items(f"{at}/heads", chances, long[:, None, None], batch)
            self.add_items(f"{at}/layer", chances.mean(1), long[:, None], batch)
            by_kind.setdefault(call.kind, []).append(chances)
        for kind, several in by_kind.items():
            every = torch.cat(several, 1).mean(1)
            self.add_items(f"{kind}/all", every, _long(batch, kind)[:, None], batch)

    def rows(self) -> list[Row]:
        return table(self, [("shape_share", shape) for shape in SHAPES], "/heads")

    def shares(self) -> list[Share]:
        """The shares of every kind of head: of all its layers, then of each."""
        heads = {
            key.removesuffix("/heads"): sums.shape[1]
            for key, sums in self.sums.items()
            if key.endswith("/heads")
        }
        shares = []
        every = sorted(heads, key=reading_order)
        for kind in dict.fromkeys(layer_of(key)[0] for key in every):
            layers = [key for key in every if layer_of(key)[0] == kind]
            shares += self._shares(kind, None, f"{kind}/all", sum(heads[key] for key in layers))
            for key in layers:
                shares += self._shares(*layer_of(key), f"{key}/layer", heads[key])
        return shares

    def _shares(self, kind: Kind, layer: int | None, key: str, heads: int) -> list[Share]:
        known = self.mean(key)
        low, high = student_interval(known.mean, known.stderr, known.degrees)
        low, high = np.clip([low, high], 0, 1)
        items, documents = int(known.items.max()), int(known.documents.max())
        if not items:
            return []
        numbers = zip(SHAPES, known.mean.tolist(), low.tolist(), high.tolist(), strict=True)
        return [Share(kind, layer, *some, heads, items, documents) for some in numbers]


def _long(batch: Batch, kind: Kind) -> Tensor:
    """batch: whether an item has enough tokens for a shape."""
    queries, keys = batch.queries(kind).real, batch.keys(kind).real
    return (queries.sum(-1) >= SHORTEST) & (keys.sum(-1) >= SHORTEST)


def check_maps(maps: Tensor) -> None:
    """Whole maps that a user has (map query key): numbers, none negative, rows that sum to 1."""
    if maps.numel() == 0:
        raise AttlasError("there are no maps")
    if maps.ndim != 3:
        raise AttlasError(f"maps have {maps.ndim} dimensions: they must be (map, query, key)")
    if min(maps.shape[1:]) < SHORTEST:
        raise AttlasError(f"a map of fewer than {SHORTEST} tokens has no shape")
    check_attention(maps.detach().cpu().numpy(), "maps")
