"""Attention by what it moves (Kobayashi 2020): a weight times the length of the vector that it moves, shared
out over the row.

The vector is a key's value after the head's part of the output map, W_O v. Shared out over a row, α n / Σ α n
is the softmax of the scores plus ln n: the same attention with a bias on every key, which every kernel takes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.errors import AttlasError
from attlas.subject.projections import OutputMap
from attlas.tap.call import Call

if TYPE_CHECKING:
    from attlas.subject import Subject

SHORTEST = 1e-30  # a vector of no length at all has a logarithm then


@dataclass
class MovedLengths:
    """The lengths |W_O v| of a model's heads, from a dim x dim matrix for every head."""

    subject: Subject
    maps: dict[tuple[Kind, int], OutputMap]

    def __post_init__(self) -> None:
        self._products: dict[tuple[Kind, int], Tensor] = {}  # head dim dim: Wᵀ W

    def of(self, call: Call) -> Tensor:
        """batch head key"""
        where = call.kind, call.layer
        if where not in self.maps:
            raise AttlasError(
                f"attention by norm: the output map of {self.subject.name}, {call.kind} layer {call.layer}, "
                "was not found"
            )
        if where not in self._products:
            weights = self.maps[where].weights.float()
            self._products[where] = torch.einsum("hmd,hme->hde", weights, weights)
        value = call.per_head(call.value).detach().float()
        squares = torch.einsum("bhkd,hde,bhke->bhk", value, self._products[where].to(value.device), value)
        return squares.clamp(min=0).sqrt()

    def call(self, call: Call) -> Call:
        """The same call, with weights by norm."""
        if call.edits_weights:
            raise AttlasError("attention by norm cannot be taken while an edit changes weights")
        added = self.of(call).clamp(min=SHORTEST).log()[:, :, None]  # batch head 1 key
        bias = added if call.bias is None else call.bias[..., : added.shape[-1]] + added
        return replace(call, bias=bias, sinks=None, edits=())
