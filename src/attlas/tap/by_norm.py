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
        turned = torch.einsum("bhkd,hde->bhke", value, self._products[where].to(value.device))
        return (turned * value).sum(-1).clamp(min=0).sqrt()

    def call(self, call: Call) -> Call:
        """The same call, with weights by norm."""
        if call.edits_weights:
            raise AttlasError("attention by norm cannot be taken while an edit changes weights")
        added = self.of(call).clamp(min=SHORTEST).log()  # batch head key
        bare = replace(call, sinks=None, edits=())
        if bare.plain and call.key.dtype == torch.float32 and not call.key.is_cuda:
            return _with_one_more_dimension(bare, added)
        bias = (
            added[:, :, None] if call.bias is None else call.bias[..., : added.shape[-1]] + added[:, :, None]
        )
        return replace(bare, bias=bias)


def _with_one_more_dimension(call: Call, added: Tensor) -> Call:
    """The bias as one more product of query and key, 1 x bias: the compiled kernel takes no bias."""
    query, key, value = call.query, call.per_head(call.key), call.per_head(call.value)
    added = (added / call.scaling).to(key.dtype)
    return replace(
        call,
        query=torch.cat([query, torch.ones_like(query[..., :1])], -1),
        key=torch.cat([key, added[..., None]], -1),
        value=torch.cat([value, torch.zeros_like(value[..., :1])], -1),
    )
