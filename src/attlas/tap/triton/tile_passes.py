"""Passes by tiles that come after attention itself: over columns, for the strongest, at chosen places, in
squares; and the divergence between heads."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
import triton
from torch import Tensor

from attlas.tap.call import Call
from attlas.tap.needs import KernelRequest
from attlas.tap.triton import tile_kernels
from attlas.tap.triton.launch import (
    DTYPES,
    INTERPRETED,
    LARGEST_HEAD,
    Blocks,
    Common,
    forward,
    obstacle,
    runs_of,
    start,
)
from attlas.tap.triton.prepared import power_of_two

HEADS_IN_A_TILE, WEIGHTS_AT_ONCE = 8, 64
CHUNK = 2**17  # weights of one head that one program goes through, so that long segments are shared out
PAIRS = 32
SUMS_AT_ONCE = 16


@dataclass(frozen=True, eq=False)
class TilePasses:
    """What `LazyWeights` promises, for a call that the fused kernel takes."""

    call: Call
    logsum: Tensor  # batch head query: log₂ Σ e^score

    @staticmethod
    def of(call: Call, logsum: Tensor | None) -> TilePasses | None:
        """None where the kernels do not take the call. Without its log-sum, a pass is made for it."""
        nothing = KernelRequest.nothing(len(call.key), call.key.shape[2], call.key.device, lazy_weights=True)
        if obstacle(call, nothing) is not None:
            return None
        if logsum is None:
            rows = forward(call, nothing).rows
            assert rows is not None
            logsum = rows.logsum
        return TilePasses(call, logsum)

    def received(self, queries: Tensor) -> Tensor:
        return _columns(self.call, self.logsum, queries, absolute=False)

    def strongest(self, k: int) -> tuple[Tensor, Tensor]:
        call, at = self.call, Common.of(self.call)
        batch, heads, queries, dim = call.query.shape
        block = _blocks(dim, call.query.dtype)
        kept = self.logsum.new_empty(batch, heads, queries, k)
        places = kept.new_empty(kept.shape, dtype=torch.int32)
        tensors = (at.query, at.key, self.logsum, kept, places, at.spans, at.holes, at.runs, at.bias)
        constants = (block.rows, block.cols, *at.shape, k, max(2, triton.next_power_of_2(k)))
        programs = triton.cdiv(queries, block.rows) * batch * heads
        start(
            tile_kernels.keep_strongest,
            programs,
            tensors,
            self._numbers(at),
            at.floats,
            at.reach,
            constants,
            block,
        )
        weights, order = kept.sort(-1, descending=True)
        return weights, places.gather(-1, order).long()

    def pairs(self, segment: Tensor, query: Tensor, key: Tensor) -> Tensor:
        at = Common.of(self.call)
        heads = self.call.query.shape[1]
        weights = self.logsum.new_empty(len(query), heads)
        places = (t.long().contiguous() for t in (segment, query, key))
        tensors = (at.query, at.key, self.logsum, *places, weights, at.spans, at.holes, at.runs, at.bias)
        programs = triton.cdiv(len(query), PAIRS) * heads
        reach = (*at.reach, len(query))
        if programs:
            numbers = self._numbers(at)
            block = Blocks(PAIRS, 0, 4, 1)
            start(
                tile_kernels.at_pairs, programs, tensors, numbers, at.floats, reach, (PAIRS, *at.shape), block
            )
        return weights

    def tiles(self, size: int) -> tuple[Tensor, Tensor]:
        """batch head tile tile, and batch head tile of the first key alone."""
        call, at = self.call, Common.of(self.call)
        batch, heads, queries, dim = call.query.shape
        high, wide = triton.cdiv(queries, size), triton.cdiv(call.key.shape[2], size)
        block = _blocks(dim, call.query.dtype)
        sums = self.logsum.new_empty(batch, heads, high, wide)
        tensors = (at.query, at.key, self.logsum, sums, at.spans, at.holes, at.runs, at.bias)
        reach = (*at.reach, size, high, wide)
        constants = (block.rows, block.cols, *at.shape)
        numbers = self._numbers(at)
        start(tile_kernels.add_tiles, sums.numel(), tensors, numbers, at.floats, reach, constants, block)
        row = torch.arange(batch * queries, device=sums.device)
        first = self.pairs(row // queries, row % queries, torch.zeros_like(row)).view(batch, queries, heads)
        first = torch.nn.functional.pad(first.mT, (0, high * size - queries))
        return sums, first.view(batch, heads, high, size).sum(-1)

    def _numbers(self, at: Common) -> tuple[int, ...]:
        _, heads, queries, _ = self.call.query.shape
        return (*at.strides[:6], *at.bias_strides, heads, queries, self.call.key.shape[2])


def takes(call: Call) -> bool:
    """Whether the tensors and the mask are of a kind that `gradient_by_key` knows."""
    return (
        (call.query.is_cuda or INTERPRETED)
        and runs_of(call)
        and call.value.dtype in DTYPES
        and call.value.shape[-1] <= LARGEST_HEAD
    )


def gradient_by_key(call: Call, gradient: Tensor, queries: Tensor) -> Tensor:
    """batch head key: Σ |dL/dα| = Σ |dL/dO · V| over the queries (batch query, weights)."""
    mask = replace(call.mask, bias=None)
    as_scores = replace(
        call, query=gradient.to(call.value.dtype), key=call.value, mask=mask, bias=None, softcap=None
    )
    return _columns(as_scores, gradient, queries, absolute=True)


def _columns(call: Call, logsum: Tensor, queries: Tensor, absolute: bool) -> Tensor:
    batch, heads, rows, dim = call.query.shape
    keys = call.key.shape[2]
    block = _blocks(dim, call.query.dtype)
    at = Common.of(call)
    sums = torch.empty(batch, heads, keys, dtype=torch.float32, device=call.query.device)
    weights = queries.float().contiguous()
    tensors = (at.query, at.key, logsum, weights, sums, at.spans, at.holes, at.runs, at.bias)
    numbers = (*at.strides[:6], *at.bias_strides, heads, rows, keys)
    constants = (block.rows, block.cols, *at.shape, absolute)
    programs = triton.cdiv(keys, block.cols) * batch * heads
    start(tile_kernels.add_columns, programs, tensors, numbers, at.floats, at.reach, constants, block)
    return sums


def _blocks(dim: int, dtype: torch.dtype) -> Blocks:
    if INTERPRETED:
        return Blocks(16, 32, 4, 1)
    if dim > 256:
        return Blocks(16, 16, 4, 1) if dtype == torch.float32 else Blocks(32, 16, 4, 1)
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
    tile_kernels.diverge[(tiles * (tiles + 1) // 2, chunks, segments)](
        weights, sums, heads, rows * keys, CHUNK, BH=HEADS_IN_A_TILE, BE=WEIGHTS_AT_ONCE, num_warps=4
    )
    upper = sums.sum(1, dtype=torch.float64).triu(1).clamp(min=0)
    return upper + upper.mT


def by_item(blocks: Tensor, places: Tensor, per: Tensor) -> tuple[Tensor, Tensor]:
    """batch layer head mean, twice: what `TotalPlaces` says, in float64, and which of them count.

    `blocks` is (layer batch head block place), as `forward` leaves its sums; `places` (3 mean, end to end)
    says where among them a mean's total is, or -1; `per` (mean batch) is what it is divided by.
    """
    layers, batch, heads, several, width = blocks.shape
    means = len(per)
    values = torch.empty(batch, layers, heads, means, dtype=torch.float64, device=blocks.device)
    counted = torch.empty(values.shape, dtype=torch.bool, device=blocks.device)
    segments = min(SUMS_AT_ONCE, power_of_two(batch))
    numbers = layers, batch, heads, several, width, means
    constants = segments, SUMS_AT_ONCE // segments, power_of_two(means)
    tensors = values, counted, blocks, places, per
    start(
        tile_kernels.by_item, layers * heads, tensors, numbers, (), (), constants, Blocks(segments, 0, 4, 1)
    )
    return values, counted
