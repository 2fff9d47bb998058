"""Jensen-Shannon divergence between every pair of heads."""

import torch
from torch import Tensor

from attlas.tap import native
from attlas.tap.kernels import usable


def divergence_by_segment(weights: Tensor) -> Tensor:
    """batch head row key -> batch head head, as `pairwise_divergence`; by tiles where there is a GPU."""
    if weights.is_cuda and "triton" in usable():
        from attlas.tap.triton.tile_passes import diverge

        with torch.cuda.device(weights.device):
            return diverge(weights)
    return torch.stack([pairwise_divergence(one) for one in weights])


def pairwise_divergence(weights: Tensor) -> Tensor:
    """head row key -> head head: Σ over rows of JS(p, q) = ½KL(p‖m) + ½KL(q‖m), m = ½(p + q), in nats.

    Float64, symmetric, zero on the diagonal. A pair of rows of zeros adds nothing.
    """
    joint = native.joint_sums(weights)
    if joint is None:
        joint = _joint_sums(weights)
    # with X(p, q) = Σ (p + q) ln (p + q), JS(p, q) = ¼X(p, p) + ¼X(q, q) - ½X(p, q)
    own = joint.diagonal() / 4
    upper = (own[:, None] + own[None] - joint / 2).triu(1).clamp(min=0)
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
