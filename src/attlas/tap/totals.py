"""Totals of a forward pass, and their moments over segments: what every mean is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.tap.needs import Total
from attlas.tap.request import on_device


class Totals(Protocol):
    """The totals of several layers of one kind: for each row of the batch and each head, row functions summed
    over classes of queries."""

    @property
    def kind(self) -> Kind: ...

    @property
    def layers(self) -> tuple[int, ...]: ...

    @property
    def heads(self) -> int: ...

    @property
    def totals(self) -> tuple[Total, ...]:
        """Those that mean something in attention of this kind."""
        ...

    def moments(self, chosen: tuple[int, ...], per: Tensor) -> Tensor:
        """3 layer head mean, float64: count, sum and squared sum over rows of the batch of total / `per`.

        `chosen` has each mean's place in `totals`, or -1; `per` (mean batch, float64) is what it is divided
        by: where that is 0 or less, the row does not count.
        """
        ...


@dataclass(frozen=True)
class PlainTotals:
    kind: Kind
    layers: tuple[int, ...]
    totals: tuple[Total, ...]
    values: Tensor  # layer batch head total

    @property
    def heads(self) -> int:
        return self.values.shape[2]

    def moments(self, chosen: tuple[int, ...], per: Tensor) -> Tensor:
        there = on_device(chosen, per.device)
        values = self.values.index_select(-1, there.clamp(min=0)).double()  # layer batch head mean
        per = (per * (there >= 0)[:, None]).T[None, :, None]
        return moments_of(values / per.clamp(min=1), per > 0, dim=1)


def moments_of(values: Tensor, present: Tensor, dim: int) -> Tensor:
    """3 ...: count, sum and squared sum along `dim` (segments), where `present` (broadcastable) is True."""
    values = torch.where(present, values.double(), 0.0)
    counted = present.expand_as(values)
    return torch.stack([counted.sum(dim).double(), values.sum(dim), values.square().sum(dim)])
