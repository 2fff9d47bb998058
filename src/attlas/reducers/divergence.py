"""Jensen-Shannon divergence between every pair of heads."""

import torch
from torch import Tensor

from attlas.tap import native


def pairwise_divergence(weights: Tensor) -> Tensor:
    """head row key -> head head: Σ over rows of JS(p, q) = ½KL(p‖m) + ½KL(q‖m), m = ½(p + q), in nats.

    Float64, symmetric, zero on the diagonal. A pair of rows of zeros adds nothing.
    """
    compiled = native.diverge(weights)
    return _blocked(weights) if compiled is None else compiled


def _blocked(weights: Tensor, block_bytes: int = 2**21) -> Tensor:
    """JS(p, q) = H(m) - ½H(p) - ½H(q); the mixtures of one head with all later ones, a few rows at a time."""
    heads, rows, keys = weights.shape
    mixed = torch.zeros(heads, heads, dtype=torch.float64, device=weights.device)
    own = torch.special.entr(weights).sum(-1).sum(-1, dtype=torch.float64)
    block = max(1, block_bytes // (weights.element_size() * heads * keys))
    for start in range(0, rows, block):
        part = weights[:, start : start + block]
        for i in range(heads - 1):
            halves = torch.special.entr((part[i] + part[i + 1 :]) / 2)
            mixed[i, i + 1 :] += halves.sum(-1).sum(-1, dtype=torch.float64)
    mixed += mixed.T.clone()
    total: Tensor = mixed - (own[:, None] + own[None]) / 2
    return total.clamp(min=0).fill_diagonal_(0)
