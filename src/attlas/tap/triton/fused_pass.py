"""A forward pass on the fused kernel.

Two things make it fast. A launch for one layer is repeated for those after it, without looking at arguments
again. And the sums that each block of queries leaves are not added up layer by layer: when the pass is over,
one more launch makes the values of every mean out of those of all layers.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.tap.call import Call
from attlas.tap.kernels import KernelResult, PlainPass, SampledPass, own_attention, tiled
from attlas.tap.needs import Entropy, KernelRequest, Layout, Total, on_device, places
from attlas.tap.totals import TotalPlaces, Totals
from attlas.tap.triton.launch import Launch, forward, obstacle
from attlas.tap.triton.prepared import columns_of
from attlas.tap.triton.tile_passes import by_item

SAMPLED, MOST_SAMPLED = 1 / 16, 256  # of the rows, and rows at most, where the fused kernel cannot go

_said: set[str] = set()


class _Sums(NamedTuple):
    """What layers of one make left: batch head block place each."""

    layout: Layout
    places: tuple[int, ...]  # where each total is
    layers: list[int]
    blocks: list[Tensor]


@dataclass(frozen=True)
class _Repeatable:
    mask: Any  # as the model gave it: as long as it is held, no other object has its id
    launch: Launch
    sums: _Sums


class FusedPass:
    """What the fused kernel does not take goes to `tiled`: a sample of its rows, unless all are wanted."""

    def __init__(self, exact: bool = False) -> None:
        self.plain = PlainPass(tiled)
        self.sampled = None if exact else SampledPass(SAMPLED, self.plain, MOST_SAMPLED)
        self.sums: dict[Any, _Sums] = {}
        self.last: tuple[Launch, _Sums] | None = None  # the last call's launch
        self.repeatable: dict[Any, _Repeatable] = {}

    def call(self, call: Call, request: KernelRequest) -> KernelResult:
        self.last = None
        if request.weights:
            return self.plain.call(call, request)
        if torch.is_grad_enabled() and any(t.requires_grad for t in (call.query, call.key, call.value)):
            output = None if request.functions else own_attention(call)
            return self.plain.call(call, request) if output is None else KernelResult(output)
        if (why := obstacle(call, request)) is not None:
            return self._otherwise(why, call, request)
        fused = forward(call, request)
        if request.functions:
            sums = self._sums_like(call.kind, fused.sums, request)
            sums.layers.append(call.layer)
            sums.blocks.append(fused.sums)
            if fused.launch is not None:
                self.last = fused.launch, sums
        return KernelResult(fused.output, known=fused.rows)

    def _otherwise(self, why: str, call: Call, request: KernelRequest) -> KernelResult:
        sampled = None if _wants_every_row(call, request) else self.sampled
        if why not in _said:
            _said.add(why)
            instead = "a sample of the rows is observed" if sampled else "`tiled` does it"
            logging.getLogger("attlas").warning("the kernel `triton` does not take %s: %s", why, instead)
        return (sampled or self.plain).call(call, request)

    def _sums_like(self, kind: Kind, blocks: Tensor, request: KernelRequest) -> _Sums:
        columns = columns_of(request.functions)
        where = places(request.layout, columns.of, columns.width)
        return self.sums.setdefault((kind, blocks.shape), _Sums(request.layout, where, [], []))

    def remember(self, like: tuple[Any, ...], mask: Any) -> None:
        """The last call's launch may be repeated for calls like this."""
        if self.last is not None:
            self.repeatable[like] = _Repeatable(mask, *self.last)

    def repeat(
        self, like: tuple[Any, ...], layer: int, query: Tensor, key: Tensor, value: Tensor, scaling: float
    ) -> Tensor | None:
        """The output (batch query head dim) of a call like an earlier one, if its tensors are alike too."""
        known = self.repeatable.get(like)
        if known is None:
            return None
        repeated = known.launch.repeat(query, key, value, scaling)
        if repeated is None:
            return None
        output, blocks = repeated
        known.sums.layers.append(layer)
        known.sums.blocks.append(blocks)
        return output

    def add_rows(self, kind: Kind, layer: int, rows: Tensor, request: KernelRequest) -> None:
        self.plain.add_rows(kind, layer, rows, request)

    def totals(self) -> tuple[Totals, ...]:
        fused = tuple(FusedTotals(key[0], sums) for key, sums in self.sums.items())
        return (*fused, *self.plain.totals())


class FusedTotals:
    def __init__(self, kind: Kind, sums: _Sums) -> None:
        self.kind = kind
        self.sums = sums

    @property
    def layers(self) -> tuple[int, ...]:
        return tuple(self.sums.layers)

    @property
    def device(self) -> torch.device:
        return self.sums.blocks[0].device

    @property
    def totals(self) -> tuple[Total, ...]:
        return self.sums.layout.totals

    def by_item(self, places: TotalPlaces, per: Tensor) -> tuple[Tensor, Tensor]:
        where = on_device(_choose_places(self.sums.places, places), per.device, torch.int32)
        return by_item(torch.stack(self.sums.blocks), where, per)


def _wants_every_row(call: Call, request: KernelRequest) -> bool:
    """Whether somebody asked for numbers as exact as can be, or for few of them."""
    smoothed = any(isinstance(f, Entropy) and f.smoothing for f in request.functions)
    return smoothed or call.edits_weights or call.query.dtype == torch.float64


@lru_cache
def _choose_places(places: tuple[int, ...], wanted: TotalPlaces) -> tuple[int, ...]:
    """Each total's place; then those that are divided by, and those that are squared."""
    return tuple(-1 if i < 0 else places[i] for which in wanted for i in which)
