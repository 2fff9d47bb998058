"""Distances between heads (Clark 2019, section 6): how differently two heads look at the same text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import KINDS, Head, Kind
from attlas.reducers.divergence import summed_divergence
from attlas.reducers.reducer import Row
from attlas.reducers.sums import Sums, moments_of
from attlas.studies.surface.rest import RestDivergence
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Array = npt.NDArray[np.float64]
CLARK_SMOOTHING = 1e-3


class Distances(Sums):
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
                self._add_near(f"{kind}.rest", kind, *rest.distances(distances))
            if not self.faithful:
                distances = distances / queries.count("all")[:, None, None]
            self._add_all(f"{kind}.matrix", distances)
            self._add_near(f"{kind}.near", kind, distances, torch.ones_like(distances, dtype=torch.bool))

    def _add_all(self, key: str, values: Tensor) -> None:
        present = torch.ones(1, *[1] * (values.ndim - 1), dtype=torch.bool, device=values.device)
        self.add(key, moments_of(values, present, dim=0))

    def _add_near(self, key: str, kind: Kind, distances: Tensor, there: Tensor) -> None:
        """head 2: the mean distance within the layer and to other layers, over those pairs that are there."""
        layer = torch.tensor([h.layer for h in self.heads[kind]], device=distances.device)
        same = layer[:, None] == layer[None]
        itself = torch.eye(len(layer), device=distances.device, dtype=torch.bool)
        pairs = [there & m for m in (same & ~itself, ~same)]
        many = torch.stack([p.sum(-1) for p in pairs], -1)  # batch head 2
        sums = torch.stack([(distances * p).sum(-1) for p in pairs], -1)
        self.add(key, moments_of(sums / many.clamp(min=1), many > 0, dim=0))

    def _means(self, what: str) -> Iterator[tuple[Kind, Array, Array, Array]]:
        for key in self.sums:
            kind, _, name = key.partition(".")
            if name == what:
                mean, stderr, count = self.mean(key)
                scale = count if self.faithful else 1  # the original's sum over segments
                yield cast(Kind, kind), mean * scale, stderr * scale, count

    def rows(self) -> list[Row]:
        return [
            Row(kind, head.layer, head.head, f"{of}_{where}", "", mean[i, j], stderr[i, j], int(count[i, j]))
            for key, of in (("near", "distance"), ("rest", "rest_distance"))
            for kind, mean, stderr, count in self._means(key)
            for i, head in enumerate(self.heads[kind])
            for j, where in enumerate(("within", "between"))
            if np.isfinite(mean[i, j])
        ]

    def arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        arrays = {}
        for kind, mean, stderr, _ in self._means("matrix"):
            arrays[f"{kind}.distances"] = mean
            arrays[f"{kind}.distances_stderr"] = stderr
        return arrays
