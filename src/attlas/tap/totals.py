"""Totals of a forward pass, divided by what each segment has: what every mean is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.tap.needs import Total, on_device

LEAST = 1e-3  # of a segment's attention: a head that gives less to some tokens has no mean over that part


class TotalPlaces(NamedTuple):
    """Where means find what they are made of among the totals: a number for each mean, -1 for nothing."""

    totals: tuple[int, ...]
    over: tuple[int, ...]  # what the total is divided by, where that is a part of the attention
    squared: tuple[int, ...]  # what is divided alike, squared and subtracted: then the mean is a variance


class Totals(Protocol):
    """The totals of several layers of one kind: for each row of the batch and each head, row functions summed
    over classes of queries."""

    @property
    def kind(self) -> Kind: ...

    @property
    def layers(self) -> tuple[int, ...]: ...

    @property
    def device(self) -> torch.device:
        """Where they lie, and where `per` must be."""
        ...

    @property
    def totals(self) -> tuple[Total, ...]:
        """Return the totals that mean something in attention of this kind."""
        ...

    def by_item(self, places: TotalPlaces, per: Tensor) -> tuple[Tensor, Tensor]:
        """batch layer head mean, twice: total / `per` in float64, and which of them count.

        `per` (mean batch, float64) is what a total is divided by: where that is 0 or less, the row does not
        count. Nor does it where `per` is the attention of which a total has a part, and the part is tiny.
        """
        ...


@dataclass(frozen=True)
class PlainTotals:
    kind: Kind
    layers: tuple[int, ...]
    totals: tuple[Total, ...]
    values: Tensor  # layer batch head total

    @property
    def device(self) -> torch.device:
        return self.values.device

    def by_item(self, places: TotalPlaces, per: Tensor) -> tuple[Tensor, Tensor]:
        totals, over, squared = (on_device(where, per.device) for where in places)
        per = (per * (totals >= 0)[:, None]).T[:, None, None]  # batch 1 1 mean
        part = self._at(over)
        present = (per > 0) & ((over < 0) | (part >= LEAST * per))
        by = torch.where(present, torch.where(over < 0, per, part), 1.0)
        values = self._at(totals) / by
        variance = (values - (self._at(squared) / by).square()).clamp(min=0)
        return torch.where(squared < 0, values, variance), present

    def _at(self, places: Tensor) -> Tensor:
        """batch layer head mean"""
        return self.values.transpose(0, 1).index_select(-1, places.clamp(min=0)).double()
