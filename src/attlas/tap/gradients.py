"""dL/dα without α: since O = αV, dL/dα_ij = dL/dO_i · V_j, so a pass over tiles of dO Vᵀ is enough."""

import torch
from torch import Tensor

from attlas.tap.call import Call
from attlas.tap.kernels import usable


@torch.no_grad()
def class_gradients(
    call: Call, gradient: Tensor, real_queries: Tensor, features: Tensor, block_bytes: int = 2**23
) -> tuple[Tensor, Tensor]:
    """Σ|dL/dα_ij| over real queries i and the keys j of each class that i may see.

    `gradient` is dL/dO (batch head query dim), `features` marks the classes (batch key class). Returns the
    sums (batch head class) and how many weights each covers (batch class).
    """
    if gradient.is_cuda and "triton" in usable():
        from attlas.tap.triton.tile_passes import gradient_by_key, takes

        if takes(call):
            by_key = gradient_by_key(call, gradient, real_queries)
            members = features.float()
            sums = torch.einsum("bhk,bkc->bhc", by_key, members)
            return sums, torch.einsum("bk,bkc->bc", _seen_from(call, real_queries), members)
    batch, heads, queries, _ = gradient.shape
    features = features.float()  # half precision cannot count
    value = call.per_head(call.value).transpose(-1, -2)  # batch head dim key
    sums = gradient.new_zeros(batch, heads, features.shape[-1], dtype=torch.float32)
    pairs = gradient.new_zeros(batch, features.shape[-1], dtype=torch.float32)
    block = max(1, block_bytes // (4 * batch * heads * value.shape[-1]))
    for start in range(0, queries, block):
        stop = min(start + block, queries)
        live = real_queries[:, None, start:stop, None]  # batch 1 query 1
        allowed = call.mask.allowed(start, stop)
        live = live.expand(-1, -1, -1, value.shape[-1]) if allowed is None else live & allowed
        size = (gradient[:, :, start:stop] @ value).float().abs() * live
        sums += torch.einsum("bhqk,bkc->bhc", size, features)
        pairs += torch.einsum("bqk,bkc->bc", live[:, 0].float(), features)
    return sums, pairs


def _seen_from(call: Call, real_queries: Tensor) -> Tensor:
    """batch key: how many real queries may see each key, if the mask's rows are runs of keys."""
    keys = call.key.shape[2]
    runs = call.mask.runs(real_queries.shape[1], keys, real_queries.device)
    assert runs is not None
    real = real_queries.int()
    # a row begins to be seen from at its first key, and ends past its last
    changes = real.new_zeros(len(real), keys + 1)
    first, past = (bound.long().expand_as(real) for bound in runs[:2])
    changes.scatter_add_(1, first, real).scatter_add_(1, past, -real)
    seen = changes.cumsum(-1)[:, :keys]
    return (seen if call.mask.keys is None else seen * call.mask.keys).float()
