"""Means over segments: the shape that all surface statistics have.

Within each segment a total is divided by a number of that segment; the results are averaged over segments,
which all weigh the same. A `Mean` says what is wanted, and `Means` counts any number of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from attlas.address import KINDS, Kind
from attlas.corpora.batches import Batch, Tokens
from attlas.reducers.reducer import Row, State
from attlas.reducers.sums import mean_and_stderr
from attlas.tap.needs import Needs, Total
from attlas.tap.observation import Observation
from attlas.tap.request import on_device
from attlas.tap.totals import TotalPlaces, Totals


@dataclass(frozen=True)
class Denominator:
    """What a segment's total is divided by: `times` the members of a class, and `plus` a number. A segment
    where that is 0 or less is not counted."""

    side: Literal["queries", "keys"]
    name: str
    times: int = 1
    plus: int = 0


@dataclass(frozen=True)
class Mean:
    """A statistic of every head: what is divided by what, and what the result is called.

    `over` is a part of the attention by which the total is divided instead; `per` is then all of it. With
    `squared`, the total of squares becomes a variance: the square of that total's mean is subtracted.
    """

    statistic: str
    group: str
    total: Total
    per: Denominator
    over: Total | None = None
    squared: Total | None = None


class Means:
    """Count, sum and squared sum over segments of every mean, for every head."""

    def __init__(self, means: Sequence[Mean], name: str = "means") -> None:
        self.name = name
        self.means = tuple(means)
        totals = (total for mean in means for total in (mean.total, mean.over, mean.squared))
        self.needs = Needs(totals=frozenset(total for total in totals if total is not None))
        self.sums: dict[Kind, Tensor] = {}  # 3 layer head mean, float64
        self._known_places: dict[tuple[Any, ...], _Known] = {}

    def update(self, observation: Observation) -> None:
        for totals in observation.totals:
            places, per = self.places_and_per(totals, observation.batch)
            if per is not None:
                self._add(totals.kind, totals.layers, totals.moments(places, per))

    def places_and_per(self, totals: Totals, batch: Batch) -> tuple[TotalPlaces, Tensor | None]:
        """Where the means are among the totals; and what they are divided by (mean batch), None where no mean
        has a total here."""
        queries, keys = batch.queries(totals.kind), batch.keys(totals.kind)
        known = self._places(totals, queries, keys)
        if not known.per:
            return known.places, None
        counts = queries.counts if queries is keys else torch.cat([queries.counts, keys.counts])
        per = torch.addcmul(known.plus, counts.index_select(0, known.counted), known.times)
        return known.places, per

    def _add(self, kind: Kind, layers: tuple[int, ...], moments: Tensor) -> None:
        """`moments` is 3 layer head mean, for these layers."""
        shape = (3, max(layers) + 1, moments.shape[2], len(self.means))
        sums = self.sums[kind] = _grown(self.sums.get(kind), shape, moments.device)
        if layers == tuple(range(sums.shape[1])) and moments.shape == sums.shape:
            sums += moments
        else:
            sums[:, :, : moments.shape[2]].index_add_(1, on_device(layers, moments.device), moments)

    def merge(self, other: Means) -> None:
        for kind, sums in other.sums.items():
            self._add(kind, tuple(range(sums.shape[1])), sums)

    def state(self) -> State:
        return {kind: sums.cpu().numpy().copy() for kind, sums in self.sums.items()}

    def restore(self, state: State) -> None:
        self.sums = {kind: torch.from_numpy(np.array(state[kind])) for kind in KINDS if kind in state}

    def rows(self) -> list[Row]:
        rows = []
        for kind in (k for k in KINDS if k in self.sums):
            count, total, squares = self.sums[kind].cpu().numpy()
            mean, stderr = mean_and_stderr(count, total, squares)
            for layer, head, i in zip(*np.nonzero(count), strict=True):
                at, named = (layer, head, i), self.means[i]
                numbers = float(mean[at]), float(stderr[at]), int(count[at])
                rows.append(Row(kind, int(layer), int(head), named.statistic, named.group, *numbers))
        return rows

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_known_places": {}}

    def _places(self, totals: Totals, queries: Tokens, keys: Tokens) -> _Known:
        # a pass over a GPU's batch takes milliseconds, and finding everything by name would take one
        alike = id(totals.totals), queries.names, keys.names, queries is keys, queries.real.device
        known = self._known_places.get(alike)
        if known is None or known.totals is not totals.totals:
            known = self._known_places[alike] = _known(self.means, totals.totals, queries, keys)
        return known


def _grown(old: Tensor | None, shape: tuple[int, int, int, int], device: torch.device) -> Tensor:
    """The sums so far, in a tensor of at least that shape."""
    if old is None:
        return torch.zeros(shape, dtype=torch.float64, device=device)
    largest = tuple(map(max, old.shape, shape))
    if old.shape == largest and old.device == device:
        return old
    grown = torch.zeros(largest, dtype=torch.float64, device=device)
    grown[:, : old.shape[1], : old.shape[2]] = old
    return grown


class _Known(NamedTuple):
    """Where to find what a list of means needs in the totals and counts of a pass."""

    totals: tuple[Total, ...]
    places: TotalPlaces
    per: bool  # whether any mean has one
    counted: Tensor  # mean: its denominator's class among the counts of queries, then of keys
    times: Tensor  # mean 1, float64; 0 where the mean is not here
    plus: Tensor  # mean 1, float64


def _known(means: Sequence[Mean], totals: tuple[Total, ...], queries: Tokens, keys: Tokens) -> _Known:
    names = {"queries": queries.names, "keys": keys.names}
    shift = {"queries": 0, "keys": 0 if queries is keys else len(queries.names)}
    whole, over, squared = (
        tuple(-1 if total not in totals else totals.index(total) for total in wanted)
        for wanted in zip(*((mean.total, mean.over, mean.squared) for mean in means), strict=True)
    )
    here = [i >= 0 for i in whole]
    counted = [
        shift[mean.per.side] + names[mean.per.side].index(mean.per.name) if there else 0
        for mean, there in zip(means, here, strict=True)
    ]
    device = queries.real.device

    def column(numbers: list[int]) -> Tensor:
        return torch.tensor(numbers, dtype=torch.float64, device=device)[:, None]

    return _Known(
        totals,
        TotalPlaces(whole, over, squared),
        any(here),
        torch.tensor(counted, dtype=torch.long, device=device),
        column([mean.per.times * there for mean, there in zip(means, here, strict=True)]),
        column([mean.per.plus * there for mean, there in zip(means, here, strict=True)]),
    )


def queries_of(total: Total) -> Denominator:
    """The number of queries that the total runs over."""
    return Denominator("queries", total.over)


def keys_in(name: str) -> Denominator:
    """The number of keys in a class."""
    return Denominator("keys", name)


def tokens_less(removed: int) -> Denominator:
    """n less a constant."""
    return Denominator("queries", "all", plus=-removed)


def constant(number: int) -> Denominator:
    """As the original code divides, whatever the segment."""
    return Denominator("queries", "all", times=0, plus=number)
