"""Passes by tiles that come after attention itself: sums over columns, and divergence between heads."""

from __future__ import annotations

from dataclasses import replace

import torch
import triton
from torch import Tensor

from attlas.tap.call import Call
from attlas.tap.triton import code
from attlas.tap.triton.launch import DTYPES, INTERPRETED, Blocks, Common, start

HEADS_IN_A_TILE, WEIGHTS_AT_ONCE = 8, 64
CHUNK = 2**17  # weights of one head that one program goes through, so that long segments are shared out


def takes(call: Call) -> bool:
    """Whether the tensors and the mask are of a kind that these passes know."""
    return (
        (call.query.is_cuda or INTERPRETED)
        and call.mask.form != "other"
        and call.mask.bias is None
        and call.value.dtype in DTYPES
        and call.value.shape[-1] == call.query.shape[-1] <= 256
    )


def mass_received(call: Call, logsum: Tensor, queries: Tensor) -> Tensor:
    """batch head key: Σ α over the queries (batch query, weights), given the log-sum of `forward`."""
    return _columns(call, logsum, queries, absolute=False)


def gradient_by_key(call: Call, gradient: Tensor, queries: Tensor) -> Tensor:
    """batch head key: Σ |dL/dα| = Σ |dL/dO · V| over the queries (batch query, weights)."""
    as_scores = replace(call, query=gradient.to(call.value.dtype), key=call.value, bias=None, softcap=None)
    return _columns(as_scores, gradient, queries, absolute=True)


def _columns(call: Call, logsum: Tensor, queries: Tensor, absolute: bool) -> Tensor:
    batch, heads, rows, dim = call.query.shape
    keys = call.key.shape[2]
    block = _blocks(dim, call.query.dtype)
    at = Common.of(call)
    sums = torch.empty(batch, heads, keys, dtype=torch.float32, device=call.query.device)
    weights = queries.float().contiguous()
    tensors = (at.query, at.key, logsum, weights, sums, at.spans, at.holes, at.bias)
    numbers = (*at.strides[:6], *at.bias_strides, heads, rows, keys)
    constants = (block.rows, block.cols, *at.shape, absolute)
    programs = triton.cdiv(keys, block.cols) * batch * heads
    start(code.add_columns, programs, tensors, numbers, at.floats, at.reach, constants, block)
    return sums


def _blocks(dim: int, dtype: torch.dtype) -> Blocks:
    if INTERPRETED:
        return Blocks(16, 32, 4, 1)
    if dtype == torch.float32 or dim > 128:
        return Blocks(32, 32, 4, 2)
    return Blocks(64, 64, 4, 3)


def diverge(weights: Tensor) -> Tensor:
    """batch head row key -> batch head head: Σ over rows of JS(p, q) in nats, float64."""
    weights = weights.float().contiguous()
    segments, heads, rows, keys = weights.shape
    tiles = triton.cdiv(heads, HEADS_IN_A_TILE)
    chunks = triton.cdiv(rows * keys, CHUNK)
    sums = torch.zeros(segments, chunks, heads, heads, dtype=torch.float32, device=weights.device)
    code.diverge[(tiles * (tiles + 1) // 2, chunks, segments)](
        weights, sums, heads, rows * keys, CHUNK, BH=HEADS_IN_A_TILE, BE=WEIGHTS_AT_ONCE, num_warps=4
    )
    upper = sums.sum(1, dtype=torch.float64).triu(1).clamp(min=0)
    return upper + upper.mT
