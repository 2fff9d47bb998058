"""Distances between heads (Clark 2019, section 6): how differently two heads look at the same text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import KINDS, Head, Kind
from attlas.reducers.divergence import pairwise_divergence
from attlas.reducers.reducer import Moments, Row, State, moments_of
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, Seen

CLARK_SMOOTHING = 1e-3


class Distances:
    """Jensen-Shannon divergence in nats between every two heads of a kind, averaged over a segment's tokens,
    then over segments. `distance_within` and `distance_between` are a head's mean distance to the other heads
    of its layer, and to those of other layers; the matrices are in `arrays`.

    The original smooths each row with 0.001 of the uniform one and sums over all tokens: `faithful` does so.
    """

    name = "distances"
    needs = Needs(weights=True)

    def __init__(self, heads: Sequence[Head], faithful: bool = False) -> None:
        self.faithful = faithful
        self.heads: dict[Kind, list[Head]] = {k: [h for h in heads if h.kind == k] for k in KINDS}
        self.moments = Moments()

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        for kind in self.heads:
            seen = sorted((s for s in observation.seen if s.kind == kind), key=lambda s: s.layer)
            for row in range(len(batch.segments) if seen else 0):
                weights = _one_segment(seen, row, batch.queries(kind).real[row], batch.keys(kind).real[row])
                if self.faithful:
                    weights = (1 - CLARK_SMOOTHING) * weights + CLARK_SMOOTHING / weights.shape[-1]
                sums = pairwise_divergence(weights)  # head head
                distances = sums if self.faithful else sums / weights.shape[1]
                self._add(f"{kind}.matrix", distances)
                self._add(f"{kind}.near", self._nearness(kind, distances))

    def _add(self, key: str, values: Tensor) -> None:
        self.moments.add(key, moments_of(values[None], torch.ones(1, *[1] * values.ndim, dtype=torch.bool), dim=0))

    def _nearness(self, kind: Kind, distances: Tensor) -> Tensor:
        """head 2: the mean distance within the layer and to other layers."""
        layer = torch.tensor([h.layer for h in self.heads[kind]], device=distances.device)
        same = (layer[:, None] == layer[None]).double()
        other = 1 - same
        same = same - torch.eye(len(layer), device=distances.device, dtype=torch.float64)
        return torch.stack([(distances * m).sum(1) / m.sum(1) for m in (same, other)], -1)

    def merge(self, other: Distances) -> None:
        self.moments.merge(other.moments)

    def state(self) -> State:
        return self.moments.state()

    def restore(self, state: State) -> None:
        self.moments.restore(state)

    def _means(self, what: str) -> Iterator[tuple[Kind, npt.NDArray[np.float64], npt.NDArray[np.float64], int]]:
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


def _one_segment(seen: Sequence[Seen], row: int, queries: Tensor, keys: Tensor) -> Tensor:
    """head query key: all heads of one segment, real tokens only."""
    maps = [s.weights[row] for s in seen if s.weights is not None]
    return torch.cat(maps)[:, queries][:, :, keys].float()
