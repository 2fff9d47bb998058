"""Jensen-Shannon divergence between every pair of heads."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from attlas.tap import native
from attlas.tap.kernels import usable
from attlas.tap.observation import ObservedCall

BLOCK_BYTES = (2**25, 2**29)  # weights held at once, without and with a GPU


def summed_divergence(
    calls: Sequence[ObservedCall],
    queries: Tensor,
    keys: Tensor,
    smoothing: float = 0.0,
    also: Callable[[Tensor, int], None] | None = None,
) -> Tensor:
    """batch head head: JS summed over a segment's tokens, between the heads of all these calls, a few rows of
    all heads at a time; `also` is shown these and the place of the first. `queries` and `keys` (batch token)
    are True on real tokens."""
    heads = sum(c.heads for c in calls)
    block = max(1, BLOCK_BYTES[queries.device.type == "cuda"] // (4 * heads * keys.numel()))
    length = keys.sum(-1)[:, None, None, None]
    sums = torch.zeros(len(keys), heads, heads, dtype=torch.float64, device=keys.device)
    for start in range(0, queries.shape[1], block):
        stop = min(start + block, queries.shape[1])
        several = [c.lazy_weights.rows(start, stop) for c in calls if c.lazy_weights is not None]
        rows = torch.cat(several, 1).float()
        if smoothing:
            rows = (1 - smoothing) * rows + smoothing / length * keys[:, None, None]
        rows = rows * queries[:, None, start:stop, None] * keys[:, None, None]
        sums += divergence_by_segment(rows)
        if also is not None:
            also(rows, start)
    return sums


def divergence_by_segment(weights: Tensor) -> Tensor:
    """batch head row key -> batch head head, as `pairwise_divergence`; by tiles where there is a GPU."""
    if weights.is_cuda and "triton" in usable():
        from attlas.tap.triton.tile_passes import diverge

        with torch.cuda.device(weights.device):
            return diverge(weights)
    return torch.stack([pairwise_divergence(segment) for segment in weights])


def pairwise_divergence(weights: Tensor) -> Tensor:
    """head row key -> head head: Σ over rows of JS(p, q) = ½KL(p‖m) + ½KL(q‖m), m = ½(p + q), in nats.

    Float64, symmetric, zero on the diagonal. A pair of rows of zeros adds nothing.
    """
    joint = native.joint_sums(weights)
    if joint is None:
        joint = _joint_sums(weights)
    # with X(p, q) = Σ (p + q) ln (p + q), JS(p, q) = ¼X(p, p) + ¼X(q, q) - ½X(p, q)
    alone = joint.diagonal() / 4
    upper = (alone[:, None] + alone[None] - joint / 2).triu(1).clamp(min=0)
    return upper + upper.T


def _joint_sums(weights: Tensor, block_bytes: int = 2**19) -> Tensor:
    """head head, from the diagonal up: Σ (p + q) ln (p + q) over rows and keys, a cacheful at a time."""
    heads, flat = len(weights), weights.flatten(1)
    joint = torch.zeros(heads, heads, dtype=torch.float64, device=weights.device)
    block = max(1, block_bytes // (weights.element_size() * heads))
    for start in range(0, flat.shape[1], block):
        part = flat[:, start : start + block].contiguous()
        for i in range(heads):
            both = part[i] + part[i:]
            logs = both.clamp(min=torch.finfo(both.dtype).tiny).log_()
            joint[i, i:] += both.mul_(logs).sum(-1)
    return joint
