"""A forward pass of a model whose layers are computed on several devices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.tap.call import Call
from attlas.tap.kernels import KernelPass, KernelResult
from attlas.tap.needs import Total
from attlas.tap.request import KernelRequest
from attlas.tap.totals import TotalPlaces, Totals


@dataclass
class DevicePasses:
    """Each device has a kernel of its own, and what it adds up comes to where it is counted."""

    begin: Callable[[torch.device], KernelPass]
    passes: dict[torch.device, KernelPass] = field(default_factory=dict)

    def _on(self, device: torch.device) -> KernelPass:
        if device not in self.passes:
            self.passes[device] = self.begin(device)
        return self.passes[device]

    def call(self, call: Call, request: KernelRequest) -> KernelResult:
        return self._on(call.query.device).call(call, request)

    def add_rows(self, kind: Kind, layer: int, rows: Tensor, request: KernelRequest) -> None:
        self._on(rows.device).add_rows(kind, layer, rows, request)

    def totals(self) -> tuple[Totals, ...]:
        return tuple(
            TotalsElsewhere(totals, device)
            for device, on_device in self.passes.items()
            for totals in on_device.totals()
        )


@dataclass(frozen=True)
class TotalsElsewhere:
    """Totals that lie on another device than what they are divided by."""

    there: Totals
    device: torch.device

    @property
    def kind(self) -> Kind:
        return self.there.kind

    @property
    def layers(self) -> tuple[int, ...]:
        return self.there.layers

    @property
    def heads(self) -> int:
        return self.there.heads

    @property
    def totals(self) -> tuple[Total, ...]:
        return self.there.totals

    def by_item(self, places: TotalPlaces, per: Tensor) -> tuple[Tensor, Tensor]:
        values, present = self.there.by_item(places, per.to(self.device))
        return values.to(per.device), present.to(per.device)
