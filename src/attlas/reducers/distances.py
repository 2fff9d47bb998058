"""Distances between heads (Clark 2019, section 6): how differently two heads look at the same text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import KINDS, Head, Kind
from attlas.reducers.divergence import divergence_by_segment
from attlas.reducers.reducer import Moments, Row, State, moments_of
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, ObservedCall

Array = npt.NDArray[np.float64]
CLARK_SMOOTHING = 1e-3
BLOCK_BYTES = (2**25, 2**29)  # weights held at once, without and with a GPU


class Distances:
    """Jensen-Shannon divergence in nats between every two heads of a kind, averaged over a segment's tokens,
    then over segments. `distance_within` and `distance_between` are a head's mean distance to the other heads
    of its layer, and to those of other layers; the matrices are in `arrays`.

    The original smooths each row with 0.001 of the uniform one and sums over all tokens: `faithful` does so.
    """

    name = "distances"
    needs = Needs(lazy_weights=True)

    def __init__(self, heads: Sequence[Head], faithful: bool = False) -> None:
        self.faithful = faithful
        self.heads: dict[Kind, list[Head]] = {k: [h for h in heads if h.kind == k] for k in KINDS}
        self.moments = Moments()

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        for kind in self.heads:
            calls = sorted((c for c in observation.calls if c.kind == kind), key=lambda c: c.layer)
            if not calls:
                continue
            queries, keys = batch.queries(kind), batch.keys(kind)
            smoothing = CLARK_SMOOTHING if self.faithful else 0.0
            distances = summed_divergence(calls, queries.real, keys.real, smoothing)  # batch head head
            if not self.faithful:
                distances = distances / queries.count("all")[:, None, None]
            self._add(f"{kind}.matrix", distances)
            self._add(f"{kind}.near", self._nearness(kind, distances))

    def _add(self, key: str, values: Tensor) -> None:
        present = torch.ones(1, *[1] * (values.ndim - 1), dtype=torch.bool, device=values.device)
        self.moments.add(key, moments_of(values, present, dim=0))

    def _nearness(self, kind: Kind, distances: Tensor) -> Tensor:
        """batch head 2: the mean distance within the layer and to other layers."""
        layer = torch.tensor([h.layer for h in self.heads[kind]], device=distances.device)
        same = (layer[:, None] == layer[None]).double()
        other = 1 - same
        same = same - torch.eye(len(layer), device=distances.device, dtype=torch.float64)
        return torch.stack([(distances * m).sum(-1) / m.sum(-1) for m in (same, other)], -1)

    def merge(self, other: Distances) -> None:
        self.moments.merge(other.moments)

    def state(self) -> State:
        return self.moments.state()

    def restore(self, state: State) -> None:
        self.moments.restore(state)

    def _means(self, what: str) -> Iterator[tuple[Kind, Array, Array, int]]:
        for key in self.moments.sums:
            kind, _, name = key.partition(".")
            if name == what:
                mean, stderr, count = self.moments.mean(key)
                n = int(count.flat[0])
                scale = n if self.faithful else 1  # the original's sum over segments
                yield cast(Kind, kind), mean * scale, stderr * scale, n

    def result(self) -> list[Row]:
        return [
            Row(kind, head.layer, head.head, name, "", mean[i, j], stderr[i, j], n)
            for kind, mean, stderr, n in self._means("near")
            for i, head in enumerate(self.heads[kind])
            for j, name in enumerate(("distance_within", "distance_between"))
            if np.isfinite(mean[i, j])
        ]

    def arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        found = {}
        for kind, mean, stderr, _ in self._means("matrix"):
            found[f"{kind}.distances"] = mean
            found[f"{kind}.distances_stderr"] = stderr
        return found


def summed_divergence(
    calls: Sequence[ObservedCall], queries: Tensor, keys: Tensor, smoothing: float = 0.0
) -> Tensor:
    """batch head head: JS summed over a segment's tokens, between the heads of all these calls, a few rows of
    all heads at a time. `queries` and `keys` (batch token) are True on real tokens."""
    heads = sum(c.heads for c in calls)
    block = max(1, BLOCK_BYTES[queries.device.type == "cuda"] // (4 * heads * keys.numel()))
    length = keys.sum(-1)[:, None, None, None]
    sums = torch.zeros(len(keys), heads, heads, dtype=torch.float64, device=keys.device)
    for start in range(0, queries.shape[1], block):
        stop = min(start + block, queries.shape[1])
        several = [c.lazy_weights.rows(start, stop) for c in calls if c.lazy_weights is not None]
        rows = torch.cat(several, 1).float()
        if smoothing:
            rows = (1 - smoothing) * rows + smoothing / length * keys[:, None, None]
        sums += divergence_by_segment(rows * queries[:, None, start:stop, None] * keys[:, None, None])
    return sums
