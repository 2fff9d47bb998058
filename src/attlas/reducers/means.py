"""Means over segments: the shape that all surface statistics have.

Within each segment a total is divided by a number of that segment; the results are averaged over segments,
which all weigh the same. A `Mean` says what is wanted, and `Means` counts any number of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor

from attlas.address import KINDS
from attlas.corpora.batches import Batch, Tokens
from attlas.reducers.reducer import ItemMeans, estimate_rows
from attlas.row import Row
from attlas.statistics.clusters import Estimates
from attlas.tap.needs import Needs, Total, on_device
from attlas.tap.observation import Observation
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


class Means(ItemMeans):
    """Every mean over segments, for every head: kind -> layer head mean. Of its weights, or of those by norm,
    whose statistics are called `norm_...`."""

    def __init__(self, means: Sequence[Mean], name: str = "means", by_norm: bool = False) -> None:
        super().__init__()
        self.name = name
        self.means = tuple(means)
        totals = (total for mean in means for total in (mean.total, mean.over, mean.squared))
        wanted = frozenset(total for total in totals if total is not None)
        self.by_norm = by_norm
        self.needs = Needs(norm_totals=wanted) if by_norm else Needs(totals=wanted)
        self._known_places: dict[tuple[Any, ...], _FoundPlaces] = {}

    def update(self, observation: Observation) -> None:
        seen = observation.norm_totals if self.by_norm else observation.totals
        for kind in dict.fromkeys(totals.kind for totals in seen):
            several = [totals for totals in seen if totals.kind == kind]
            if (known := self.by_item(several, observation.batch)) is not None:
                self.add_items(kind, *known, observation.batch)

    def by_item(self, several: Sequence[Totals], batch: Batch) -> tuple[Tensor, Tensor] | None:
        """batch layer head mean, twice: the values of every segment, and which of them count. None where no
        mean has a total here."""
        parts = []
        for totals in several:
            places, per = self._places_and_per(totals, batch)
            if per is not None:
                # layers may lie on several devices
                values, present = totals.by_item(places, per.to(totals.device))
                parts.append((totals.layers, values.to(per.device), present.to(per.device)))
        if not parts:
            return None
        layers = max(max(of) for of, _, _ in parts) + 1
        if len(parts) == 1 and parts[0][0] == tuple(range(layers)):
            return parts[0][1:]
        shape = len(batch.ids), layers, max(part.shape[2] for _, part, _ in parts), len(self.means)
        values = parts[0][1].new_zeros(shape)
        there = torch.zeros(shape, dtype=torch.bool, device=values.device)
        for of, part, present in parts:
            place = on_device(of, values.device)
            values[:, place, : part.shape[2]] = part
            there[:, place, : part.shape[2]] = present
        return values, there

    def _places_and_per(self, totals: Totals, batch: Batch) -> tuple[TotalPlaces, Tensor | None]:
        """Where the means are among the totals; and what they are divided by (mean batch), None where no mean
        has a total here."""
        queries, keys = batch.queries(totals.kind), batch.keys(totals.kind)
        known = self._places(totals, queries, keys)
        if not known.per:
            return known.places, None
        counts = queries.counts if queries is keys else torch.cat([queries.counts, keys.counts])
        per = torch.addcmul(known.plus, counts.index_select(0, known.counted), known.times)
        return known.places, per

    def rows(self) -> list[Row]:
        return mean_rows(self, self.means)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_known_places": {}}

    def _places(self, totals: Totals, queries: Tokens, keys: Tokens) -> _FoundPlaces:
        # a pass over a GPU's batch takes milliseconds, and finding everything by name would take one
        alike = id(totals.totals), queries.names, keys.names, queries is keys, queries.real.device
        known = self._known_places.get(alike)
        if known is None or known.totals is not totals.totals:
            known = self._known_places[alike] = _find_places(self.means, totals.totals, queries, keys)
        return known


def mean_rows(kept: ItemMeans, means: Sequence[Mean], end: str = "") -> list[Row]:
    """The rows of means that are kept as kind (and an `end`) -> layer head mean."""
    columns = [(mean.statistic, mean.group) for mean in means]
    rows = []
    for kind in (k for k in KINDS if k + end in kept.sums):
        known = kept.mean(kind + end)
        for layer in range(known.mean.shape[0]):
            rows += estimate_rows(kind, layer, Estimates(*(part[layer] for part in known)), columns)
    return rows


class _FoundPlaces(NamedTuple):
    """Where to find what a list of means needs in the totals and counts of a pass."""

    totals: tuple[Total, ...]
    places: TotalPlaces
    per: bool  # whether any mean has one
    counted: Tensor  # mean: its denominator's class among the counts of queries, then of keys
    times: Tensor  # mean 1, float64; 0 where the mean is not here
    plus: Tensor  # mean 1, float64


def _find_places(
    means: Sequence[Mean], totals: tuple[Total, ...], queries: Tokens, keys: Tokens
) -> _FoundPlaces:
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

    return _FoundPlaces(
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
    """Divide as the original code does, whatever the segment."""
    return Denominator("queries", "all", times=0, plus=number)
