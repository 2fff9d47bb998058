"""The network that tells shapes apart, eight convolutions with ReLU, as in the paper, then a mean; and the
pictures that it is shown: what a map looks like, in a size that does not depend on how many tokens it has.

A cell of a picture is the mean of what it covers of the map, counting parts of tokens, so that the picture
of a text does not change if every token becomes two that share its weight. No cell covers padding.

`research/patterns.py` trains the network. Its normalisation is folded into the convolutions before it is
written, and its logits are divided by a temperature, so that among pictures called 80% vertical about 80%
are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn.functional import conv2d, linear, pad

from attlas.tap.lazy_weights import LazyWeights
from attlas.wording import names

SIZE = 32  # cells on a side
BLOCK_BYTES = {"cpu": 2**21, "cuda": 2**28}  # weights held at once: on a CPU, what its cache holds


def pictures_of(weights: Tensor) -> Tensor:
    """map SIZE SIZE, from maps without padding: map query key."""
    down, across = (
        cover(torch.ones(1, n, dtype=torch.bool, device=weights.device)) for n in weights.shape[1:]
    )
    return pictures(LazyWeights.over(weights[None]), down, across)[0]


def pictures(weights: LazyWeights, down: Tensor, across: Tensor) -> Tensor:
    """batch head SIZE SIZE. `down` and `across` are the covers of queries and of keys."""
    batch, heads, length, width = weights.shape
    across = across.transpose(1, 2)  # batch key cell
    step = max(1, BLOCK_BYTES.get(weights.device.type, 2**21) // (4 * batch * heads * width))
    narrow = across.new_empty(batch, length, heads, SIZE)  # some queries at a time
    for start in range(0, length, step):
        rows = weights.rows(start, min(start + step, length)).float()
        # all heads of a text in one product: `across` is not copied for each
        part = torch.bmm(rows.reshape(batch, -1, width), across).view(batch, heads, -1, SIZE)
        narrow[:, start : start + step] = part.transpose(1, 2)
    cells = torch.bmm(down, narrow.flatten(2)).view(batch, SIZE, heads, SIZE)
    return draw_cells(cells.transpose(1, 2))


def cover(real: Tensor) -> Tensor:
    """batch cell token: the share of a cell that each real token has, if they are laid out evenly over SIZE
    cells. The shares of a cell sum to 1."""
    count = real.sum(-1)[:, None, None].double()
    place = (real.double().cumsum(-1) - 1)[:, None]
    width = count / SIZE  # of a cell, in tokens
    left = torch.arange(SIZE, device=real.device, dtype=torch.float64)[None, :, None] * width
    shared = torch.minimum(left + width, place + 1) - torch.maximum(left, place)
    return torch.where(real[:, None], shared.clamp(min=0) / width.clamp(min=1 / SIZE), 0.0).float()


def draw_cells(cells: Tensor) -> Tensor:
    """Draw cells as the annotators saw them: roots, and the mean of the rows' largest is 1. What is beyond it
    is clipped, so that the first rows of a causal map do not darken the others."""
    top = cells.amax(-1).mean(-1)[..., None, None]
    return (cells / top.clamp(min=torch.finfo(cells.dtype).tiny)).clamp(max=1).sqrt()


SHAPES = tuple(names.SHAPES)
#: channels and stride of every convolution; each sees 3 x 3 places of what comes before it
LAYERS = ((16, 2), (16, 1), (24, 2), (24, 1), (32, 2), (32, 1), (48, 1), (48, 1))
WEIGHTS = "data/shapes/network.safetensors"
MAPS_AT_ONCE = 96  # pictures, so that what is between two layers stays in a core's cache


@torch.no_grad()
def probabilities(pictures: Tensor, weights: Mapping[str, Tensor] | None = None) -> Tensor:
    """map shape: how likely each shape is for each picture (map SIZE SIZE), by the network that is shipped
    if no other weights are given."""
    weights = load_weights(pictures.device) if weights is None else weights
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
def load_weights(device: torch.device) -> dict[str, Tensor]:
    with as_file(files("attlas") / WEIGHTS) as path:
        return {
            name: tensor.to(device).contiguous(
                memory_format=torch.channels_last if tensor.ndim == 4 else torch.contiguous_format
            )
            for name, tensor in load_file(path).items()
        }
