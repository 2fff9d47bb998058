"""One attention call, as the model made it: everything a kernel may look at."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.tap.mask import Mask

#: weights (batch head query key), allowed (broadcastable to them, or None), -> weights
WeightEdit = Callable[[Tensor, Tensor | None], Tensor]


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
    edits: tuple[WeightEdit, ...] = ()

    @property
    def plain(self) -> bool:
        """Softmax of scaled dot products under a padding or causal mask, and nothing more."""
        return (
            self.mask.form in ("full", "causal")
            and self.softcap is None
            and self.bias is None
            and self.sinks is None
            and not self.edits
            and self.dropout == 0
        )

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
        for edit in self.edits:
            weights = edit(weights, allowed)
        return weights

    def mix(self, weights: Tensor) -> Tensor:
        """The call's output for these rows of weights: batch head query dim."""
        weights = torch.nn.functional.dropout(weights, self.dropout, training=self.dropout > 0)
        return weights.to(self.value.dtype) @ self.per_head(self.value)
