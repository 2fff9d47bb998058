"""The network that tells shapes apart: eight convolutions with ReLU, as in the paper, then a mean.

`training/patterns.py` trains it. Its normalisation is folded into the convolutions before it is written, and
its logits are divided by a temperature, so that among pictures called 80% vertical about 80% are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.functional import conv2d, linear, pad, relu

from attlas.atlas import names

SHAPES = tuple(names.SHAPES)
#: channels and stride of every convolution; each sees 3 x 3 places of what comes before it
LAYERS = ((16, 2), (16, 1), (24, 2), (24, 1), (32, 2), (32, 1), (48, 1), (48, 1))
WEIGHTS = "data/shapes/network.safetensors"
MAPS_AT_ONCE = 96  # pictures, so that what is between two layers stays in a core's cache


class ShapeNetwork(nn.Module):
    """As it is trained; `folded` is what is used."""

    def __init__(self, layers: tuple[tuple[int, int], ...] = LAYERS, dropout: float = 0.3) -> None:
        super().__init__()
        before = (1, *(channels for channels, _ in layers[:-1]))
        self.convolutions = nn.ModuleList(
            nn.Conv2d(into, channels, 3, stride, 1, bias=False)
            for into, (channels, stride) in zip(before, layers, strict=True)
        )
        self.normalisations = nn.ModuleList(nn.BatchNorm2d(channels) for channels, _ in layers)
        self.dropout = nn.Dropout(dropout)
        self.last = nn.Linear(layers[-1][0], len(SHAPES))

    def forward(self, pictures: Tensor) -> Tensor:
        """map SIZE SIZE -> map shape: logits."""
        x = pictures[:, None]
        for convolution, normalisation in zip(self.convolutions, self.normalisations, strict=True):
            x = relu(normalisation(convolution(x)))
        return self.last(self.dropout(x.mean((2, 3))))  # type: ignore[no-any-return]

    @torch.no_grad()
    def folded(self, temperature: float) -> dict[str, Tensor]:
        """The weights and biases of plain convolutions that give the same logits, over the temperature."""
        weights = {}
        pairs = zip(self.convolutions, self.normalisations, strict=True)
        for i, (convolution, normalisation) in enumerate(pairs):
            assert isinstance(convolution, nn.Conv2d)
            assert isinstance(normalisation, nn.BatchNorm2d)
            assert normalisation.running_mean is not None
            assert normalisation.running_var is not None
            scale = normalisation.weight / (normalisation.running_var + normalisation.eps).sqrt()
            weights[f"{i}.weight"] = convolution.weight * scale[:, None, None, None]
            weights[f"{i}.bias"] = normalisation.bias - normalisation.running_mean * scale
        weights["last.weight"] = self.last.weight / temperature
        weights["last.bias"] = self.last.bias / temperature
        return {name: t.detach().clone(memory_format=torch.contiguous_format) for name, t in weights.items()}


@torch.no_grad()
def probabilities(pictures: Tensor, weights: Mapping[str, Tensor] | None = None) -> Tensor:
    """map shape: how likely each shape is for each picture (map SIZE SIZE), by the network that is shipped
    if no other weights are given."""
    weights = trained(pictures.device) if weights is None else weights
    count = len(pictures)
    whole = pad(pictures, (0, 0, 0, 0, 0, -count % MAPS_AT_ONCE))
    with _onednn():
        logits = [_logits(some, weights) for some in torch.split(whole, MAPS_AT_ONCE)]
    return torch.cat(logits)[:count].softmax(-1)


@contextmanager
def _onednn() -> Iterator[None]:
    """Convolutions are much faster with it. A pass switches it off, since it keeps a kernel for every shape
    that it meets; here there is but one, the last pictures being filled up with empty ones."""
    onednn: Any = torch.backends.mkldnn
    before = onednn.enabled
    onednn.enabled = onednn.is_available()
    try:
        yield
    finally:
        onednn.enabled = before


def _logits(pictures: Tensor, weights: Mapping[str, Tensor]) -> Tensor:
    x = pictures[:, None].contiguous(memory_format=torch.channels_last)
    for i, (_, stride) in enumerate(LAYERS):
        x = conv2d(x, weights[f"{i}.weight"], weights[f"{i}.bias"], stride, 1).relu_()
    return linear(x.mean((2, 3)), weights["last.weight"], weights["last.bias"])


@cache
def trained(device: torch.device) -> dict[str, Tensor]:
    with as_file(files("attlas") / WEIGHTS) as path:
        return {
            name: tensor.to(device).contiguous(
                memory_format=torch.channels_last if tensor.ndim == 4 else torch.contiguous_format
            )
            for name, tensor in load_file(path).items()
        }
