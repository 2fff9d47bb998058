"""A norm as the linear map that it is once what it divides by is known.

What a norm gives is `gain * (x - mean) / size + bias`, the mean taken off (LayerNorm) or not (RMSNorm). With
the size of one input held fixed, parts that add up to that input can be sent through one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class FrozenNorm:
    gain: Tensor  # model
    bias: Tensor  # model
    takes_mean_off: bool

    @staticmethod
    def of(norm: nn.Module, width: int) -> FrozenNorm:
        """Asked of the norm itself, past its hooks: it may multiply by its weight or by 1 more (Gemma)."""
        parameter = next(norm.parameters(), None)
        kind = torch.float32 if parameter is None else parameter.dtype
        device = None if parameter is None else parameter.device
        ones = torch.ones(width, dtype=kind, device=device)
        steps = ones.clone()
        steps[::2] = -1
        steps = steps - steps.mean()  # no mean, and no 0
        with torch.no_grad():
            up, down, even, odd = (norm.forward(x).float() for x in (steps, -steps, ones, -ones))
        gain = (up - down) / 2 / steps
        off = (even - odd).norm() / 2 < 0.5 * gain.norm()
        return FrozenNorm(gain, (up + down) / 2, bool(off))

    def centred(self, x: Tensor) -> Tensor:
        return x - x.mean(-1, keepdim=True) if self.takes_mean_off else x

    def scale(self, x: Tensor, normed: Tensor) -> Tensor:
        """What each input (..., model) was multiplied by to give `normed`, its gain apart: (..., 1)."""
        plain = self.centred(x) * self.gain
        scaled = normed - self.bias
        return (scaled * plain).sum(-1, keepdim=True) / plain.square().sum(-1, keepdim=True).clamp(min=1e-30)

    def through(self, part: Tensor, scale: Tensor) -> Tensor:
        """What becomes of a part of an input, the bias apart."""
        return self.centred(part) * self.gain * scale
