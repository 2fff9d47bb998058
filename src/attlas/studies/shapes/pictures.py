"""Pictures: what a map looks like, in a size that does not depend on how many tokens it has.

A cell of a picture is the mean of what it covers of the map, counting parts of tokens, so that the picture of
a text does not change if every token becomes two that share its weight. No cell covers padding.
"""

from __future__ import annotations

import torch
from torch import Tensor

from attlas.tap.lazy_weights import LazyWeights

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
    return drawn(cells.transpose(1, 2))


def cover(real: Tensor) -> Tensor:
    """batch cell token: the share of a cell that each real token has, if they are laid out evenly over SIZE
    cells. The shares of a cell sum to 1."""
    count = real.sum(-1)[:, None, None].double()
    place = (real.double().cumsum(-1) - 1)[:, None]
    width = count / SIZE  # of a cell, in tokens
    left = torch.arange(SIZE, device=real.device, dtype=torch.float64)[None, :, None] * width
    shared = torch.minimum(left + width, place + 1) - torch.maximum(left, place)
    return torch.where(real[:, None], shared.clamp(min=0) / width.clamp(min=1 / SIZE), 0.0).float()


def drawn(cells: Tensor) -> Tensor:
    """As the annotators saw it: roots, and the mean of the rows' largest is 1. What is beyond it is clipped,
    so that the first rows of a causal map do not darken the others."""
    top = cells.amax(-1).mean(-1)[..., None, None]
    return (cells / top.clamp(min=torch.finfo(cells.dtype).tiny)).clamp(max=1).sqrt()
