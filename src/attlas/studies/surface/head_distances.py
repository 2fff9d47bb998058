"""Distances between heads: how differently two heads look at the same text (Clark 2019, section 6), and a
picture of that, heads in the plane (figure 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import KINDS, Head, Kind
from attlas.corpora.batches import Batch
from attlas.reducers.divergence import summed_divergence
from attlas.reducers.reducer import ItemMeans
from attlas.row import Row
from attlas.statistics.clusters import Estimates
from attlas.studies.surface.causal_heads import RestDivergence
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

CLARK_SMOOTHING = 1e-3


class Distances(ItemMeans):
    """Jensen-Shannon divergence in nats between every two heads of a kind, averaged over a segment's tokens,
    then over segments. `distance_within` and `distance_between` are a head's mean distance to the other heads
    of its layer, and to those of other layers; the matrices are in `arrays`. Of causal heads
    `rest_distance_within` and `rest_distance_between` are the same for what does not fall on the first token.

    The original smooths each row with 0.001 of the uniform one and sums over all tokens: `faithful` does so.
    """

    name = "distances"
    needs = Needs(lazy_weights=True)

    def __init__(self, heads: Sequence[Head], faithful: bool = False) -> None:
        self.faithful = faithful
        self.heads: dict[Kind, list[Head]] = {k: [h for h in heads if h.kind == k] for k in KINDS}
        super().__init__()

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        for kind in self.heads:
            calls = sorted((c for c in observation.calls if c.kind == kind), key=lambda c: c.layer)
            if not calls:
                continue
            queries, keys = batch.queries(kind), batch.keys(kind)
            smoothing = CLARK_SMOOTHING if self.faithful else 0.0
            rest = RestDivergence(queries, keys) if kind == "decoder" and not self.faithful else None
            distances = summed_divergence(calls, queries.real, keys.real, smoothing, rest)  # batch head head
            if rest is not None:
                self._add_near(f"{kind}.rest", kind, *rest.distances(distances), batch)
            if not self.faithful:
                distances = distances / queries.count("all")[:, None, None]
            every = torch.ones_like(distances, dtype=torch.bool)
            self.add_items(f"{kind}.matrix", distances, every, batch)
            self._add_near(f"{kind}.near", kind, distances, every, batch)

    def _add_near(self, key: str, kind: Kind, distances: Tensor, there: Tensor, batch: Batch) -> None:
        """head 2: the mean distance within the layer and to other layers, over those pairs that are there."""
        layer = torch.tensor([h.layer for h in self.heads[kind]], device=distances.device)
        same = layer[:, None] == layer[None]
        itself = torch.eye(len(layer), device=distances.device, dtype=torch.bool)
        pairs = [there & m for m in (same & ~itself, ~same)]
        many = torch.stack([p.sum(-1) for p in pairs], -1)  # batch head 2
        sums = torch.stack([(distances * p).sum(-1) for p in pairs], -1)
        self.add_items(key, sums / many.clamp(min=1), many > 0, batch)

    def _means(self, what: str) -> Iterator[tuple[Kind, Estimates]]:
        for key in self.sums:
            kind, _, name = key.partition(".")
            if name == what:
                known = self.mean(key)
                scale = known.items if self.faithful else 1  # the original's sum over segments
                scaled = known._replace(mean=known.mean * scale, stderr=known.stderr * scale)
                yield cast(Kind, kind), scaled

    def rows(self) -> list[Row]:
        return [
            Row(kind, head.layer, head.head, f"{of}_{where}", "", *known.for_row(i, j))
            for key, of in (("near", "distance"), ("rest", "rest_distance"))
            for kind, known in self._means(key)
            for i, head in enumerate(self.heads[kind])
            for j, where in enumerate(("within", "between"))
            if np.isfinite(known.mean[i, j])
        ]

    def arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        arrays = {}
        for kind, known in self._means("matrix"):
            arrays[f"{kind}.distances"] = known.mean
            arrays[f"{kind}.distances_stderr"] = known.stderr
        return arrays


Places = npt.NDArray[np.float64]  # head 2

# as the original has them
STARTS = 5
STEPS = 1000
ENOUGH = 1e-10  # a step that gains less is the last


def in_the_plane(distances: npt.NDArray[np.float64], seed: int = 0) -> Places:
    """head 2: metric multidimensional scaling of the distances. Of several random starts, the one that ends
    closest to them."""
    heads = len(distances)
    if not distances.any():  # all heads alike
        return np.zeros((heads, 2))
    if heads < 3:
        return np.stack([np.arange(heads, dtype=np.float64) * distances.max(initial=0), np.zeros(heads)], -1)
    scale = float(distances.max())  # so that ENOUGH means the same for sums and for means
    rng = np.random.default_rng(seed)
    ends = [_move_until_still(distances / scale, rng.uniform(size=(heads, 2))) for _ in range(STARTS)]
    places, _ = min(ends, key=lambda end: end[1])
    return places * scale


def _move_until_still(distances: npt.NDArray[np.float64], places: Places) -> tuple[Places, float]:
    """Places that were moved until no step gains much, and how far their distances are from those wanted.

    A step (the Guttman transform of SMACOF) moves each head to the mean of where the others would have it:
    at the wanted distance from them, in the direction in which it stands.
    """
    heads, size = len(places), float((distances**2).sum())
    stress = np.inf
    for _ in range(STEPS):
        squares = (places**2).sum(-1)
        apart = np.sqrt(np.maximum(squares[:, None] + squares - 2 * places @ places.T, 0))
        before, stress = stress, float(((apart - distances) ** 2).sum())
        if before - stress < ENOUGH * size:
            break
        pull = np.divide(distances, apart, out=np.zeros_like(apart), where=apart > 0)
        places = (pull.sum(-1, keepdims=True) * places - pull @ places) / heads
    return places, stress
