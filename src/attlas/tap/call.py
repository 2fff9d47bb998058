"""One attention call, as the model made it: everything a kernel may look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.tap.mask import Mask, take_heads

#: weights of some heads (row head query key) and what may be seen (broadcastable, or None) -> weights
WeightChange = Callable[[Tensor, Tensor | None], Tensor]
#: outputs of some heads (row head query dim) -> outputs
OutputChange = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class CallEdit:
    """What an edit does to some heads of one call, in every row of the batch or in some of them."""

    heads: tuple[int, ...]
    weights: WeightChange | None = None
    output: OutputChange | None = None
    rows: tuple[int, ...] | None = None

    def change_weights(self, weights: Tensor, allowed: Tensor | None) -> None:
        """Change the weights in place: batch head query key."""
        if self.weights is None:
            return
        if allowed is not None:
            allowed = allowed if allowed.shape[1] == 1 else allowed[:, list(self.heads)]
            allowed = allowed if self.rows is None or len(allowed) == 1 else allowed[list(self.rows)]
        at = self.place(weights.device)
        weights[at] = self.weights(weights[at], allowed)

    def change_output(self, output: Tensor) -> None:
        """Change the output in place: batch head query dim."""
        if self.output is not None:
            at = self.place(output.device)
            output[at] = self.output(output[at]).to(output.dtype)

    def place(self, device: torch.device) -> tuple[Any, Any]:
        heads = torch.tensor(self.heads, device=device)
        if self.rows is None:
            return slice(None), heads
        return torch.tensor(self.rows, device=device)[:, None], heads[None]


@dataclass(frozen=True)
class Call:
    kind: Kind
    layer: int
    query: Tensor  # batch head query dim
    key: Tensor  # batch group key dim: with grouped-query attention, fewer groups than heads
    value: Tensor  # batch group key dim
    mask: Mask
    scaling: float
    softcap: float | None = None  # scores s become cap·tanh(s / cap)
    bias: Tensor | None = None  # added to the scores, broadcastable to batch head query key
    sinks: Tensor | None = None  # one extra logit per head that takes weight and gives nothing
    dropout: float = 0.0
    edits: tuple[CallEdit, ...] = ()

    @property
    def plain(self) -> bool:
        """Softmax of scaled dot products under a padding or causal mask, and nothing more."""
        return (
            self.mask.form in ("full", "causal")
            and self.softcap is None
            and self.bias is None
            and self.sinks is None
            and not self.edits_weights
            and self.dropout == 0
        )

    @property
    def edits_weights(self) -> bool:
        return any(edit.weights is not None for edit in self.edits)

    def part(self, edit: CallEdit) -> Call:
        """The call of the rows and heads that an edit changes alone, with that edit."""
        rows = (
            slice(None) if edit.rows is None else torch.tensor(edit.rows, device=self.query.device)[:, None]
        )
        shared = self.query.shape[1] // self.key.shape[1]
        groups = tuple(head // shared for head in edit.heads)
        return replace(
            self,
            query=self.query[rows, list(edit.heads)],
            key=self.key[rows, list(groups)],
            value=self.value[rows, list(groups)],
            mask=self.mask.part(edit.rows, edit.heads),
            bias=take_heads(self.bias, edit.rows, edit.heads),
            sinks=None if self.sinks is None else self.sinks[list(edit.heads)],
            edits=(CallEdit(tuple(range(len(edit.heads))), edit.weights),),
        )

    def group_of(self, head: int) -> int:
        """The place of a head's keys and values among those that the model made."""
        return head // (self.query.shape[1] // self.key.shape[1])

    def per_head(self, tensor: Tensor) -> Tensor:
        """Keys or values with one copy per query head: batch head key dim."""
        return tensor.repeat_interleave(self.query.shape[1] // tensor.shape[1], dim=1)

    def weights(self, start: int = 0, stop: int | None = None) -> Tensor:
        """The weights of the queries from `start` to `stop`, edited: batch head query key, float32."""
        stop = self.query.shape[2] if stop is None else stop
        key = self.per_head(self.key)
        scores = self.query[:, :, start:stop] @ key.transpose(-1, -2) * self.scaling
        if self.softcap is not None:
            scores = self.softcap * torch.tanh(scores / self.softcap)
        for bias in (self.bias, self.mask.bias):
            if bias is not None:
                bias = bias[..., : scores.shape[-1]]
                scores = scores + (bias if bias.shape[-2] == 1 else bias[..., start:stop, :])
        allowed = self.mask.allowed(start, stop)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
        scores = scores if scores.dtype == torch.float64 else scores.float()
        if self.sinks is None:
            weights = scores.softmax(-1)
        else:
            sinks = self.sinks.to(scores.dtype).view(1, -1, 1, 1).expand(*scores.shape[:3], 1)
            weights = torch.cat([scores, sinks], -1).softmax(-1)[..., :-1]
        if self.edits_weights:
            weights = weights.clone()
            for edit in self.edits:
                edit.change_weights(weights, allowed)
        return weights

    def mix(self, weights: Tensor) -> Tensor:
        """The output for these rows of weights, before edits change it: batch head query dim."""
        weights = torch.nn.functional.dropout(weights, self.dropout, training=self.dropout > 0)
        return weights.to(self.value.dtype) @ self.per_head(self.value)

    def edit_output(self, output: Tensor) -> Tensor:
        """The output (batch head query dim) as the edits leave it."""
        if all(edit.output is None for edit in self.edits):
            return output
        output = output.clone()
        for edit in self.edits:
            edit.change_output(output)
        return output
