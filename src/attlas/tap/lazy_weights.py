"""A second look at a call, once its pass is over: what needs a row's log-sum before any weight is known; and
attention by what it moves (Kobayashi 2020): a weight times the length of the vector that it moves, shared out
over the row.

Everything goes by tiles, so that nothing of the size of queries x keys is held, unless that is little: on a
GPU fused, elsewhere a few rows at a time.

The vector is a key's value after the head's part of the output map, W_O v. Shared out over a row, α n / Σ α n
is the softmax of the scores plus ln n: the same attention with a bias on every key, which every kernel takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.errors import AttlasError
from attlas.subject.projections import OutputMap
from attlas.tap.call import Call
from attlas.tap.kernels import Rows, outside_autocast, usable

if TYPE_CHECKING:
    from attlas.subject import Subject
    from attlas.tap.triton.tile_passes import TilePasses


SHORTEST = 1e-30  # a vector of no length at all has a logarithm then


@dataclass
class MovedLengths:
    """The lengths |W_O v| of a model's heads, from a dim x dim matrix for every head."""

    subject: Subject
    maps: dict[tuple[Kind, int], OutputMap]

    def __post_init__(self) -> None:
        self._products: dict[tuple[Kind, int], Tensor] = {}  # head dim dim: Wᵀ W

    def of(self, call: Call) -> Tensor:
        """batch head key"""
        where = call.kind, call.layer
        if where not in self.maps:
            raise AttlasError(
                f"attention by norm: the output map of {self.subject.name}, {call.kind} layer {call.layer}, "
                "was not found"
            )
        if where not in self._products:
            weights = self.maps[where].weights.float()
            self._products[where] = torch.einsum("hmd,hme->hde", weights, weights)
        value = call.per_head(call.value).detach().float()
        turned = torch.einsum("bhkd,hde->bhke", value, self._products[where].to(value.device))
        return (turned * value).sum(-1).clamp(min=0).sqrt()

    def call(self, call: Call) -> Call:
        """The same call, with weights by norm."""
        if call.edits_weights:
            raise AttlasError("attention by norm cannot be taken while an edit changes weights")
        added = self.of(call).clamp(min=SHORTEST).log()  # batch head key
        bare = replace(call, sinks=None, edits=())
        if bare.plain and call.key.dtype == torch.float32 and not call.key.is_cuda:
            return _with_one_more_dimension(bare, added)
        bias = (
            added[:, :, None] if call.bias is None else call.bias[..., : added.shape[-1]] + added[:, :, None]
        )
        return replace(bare, bias=bias)


def _with_one_more_dimension(call: Call, added: Tensor) -> Call:
    """The bias as one more product of query and key, 1 x bias: the compiled kernel takes no bias."""
    query, key, value = call.query, call.per_head(call.key), call.per_head(call.value)
    added = (added / call.scaling).to(key.dtype)
    return replace(
        call,
        query=torch.cat([query, torch.ones_like(query[..., :1])], -1),
        key=torch.cat([key, added[..., None]], -1),
        value=torch.cat([value, torch.zeros_like(value[..., :1])], -1),
    )


BLOCK_BYTES = {"cpu": 2**25, "cuda": 2**28}  # weights held at once
SMALL = 2**21  # bytes of weights that are kept

Method = TypeVar("Method", bound=Callable[..., Any])


def _plainly(method: Method) -> Method:
    """Run a method without a graph, and in full precision under autocast."""

    @wraps(method)
    def without_graph(self: LazyWeights, *arguments: Any) -> Any:
        with torch.no_grad(), outside_autocast(self.device):
            return method(self, *arguments)

    return cast(Method, without_graph)


class StrongestKeys(NamedTuple):
    """The largest weights of every row, largest first, and the keys they fall on. Ties go either way."""

    weights: Tensor  # batch head query k
    keys: Tensor  # batch head query k


class TileSums(NamedTuple):
    """What neighbouring queries put on neighbouring keys, all together, and on the first key alone."""

    tiles: Tensor  # batch head tile tile
    first: Tensor  # batch head tile


@dataclass(frozen=True, eq=False)
class LazyWeights:
    """`rows` gives the weights of the queries from one to another; all else is made of it, or of `call`."""

    shape: tuple[int, int, int, int]  # batch head query key
    rows: Callable[[int, int], Tensor]  # first and past-the-last query -> batch head query key, float
    device: torch.device
    call: Call | None = None  # None where a model returned its weights itself
    known: Rows | None = None  # what the kernel left
    block_bytes: int = BLOCK_BYTES["cpu"]

    @staticmethod
    def at(call: Call, known: Rows | None = None, device: torch.device | None = None) -> LazyWeights:
        """The call's, on another device if need be: that of the batch, where its layer lies elsewhere."""
        batch, heads, queries, _ = call.query.shape
        shape = batch, heads, queries, call.key.shape[2]
        if device not in (None, call.query.device):
            return LazyWeights(shape, lambda *rows: call.weights(*rows).to(device), device, call)
        block = BLOCK_BYTES["cuda" if call.query.is_cuda else "cpu"]
        return LazyWeights(shape, call.weights, call.query.device, call, known, block)

    @staticmethod
    def over(weights: Tensor) -> LazyWeights:
        batch, heads, queries, keys = weights.shape
        shape = batch, heads, queries, keys
        return LazyWeights(shape, lambda start, stop: weights[:, :, start:stop], weights.device)

    @_plainly
    def strongest(self, k: int) -> StrongestKeys:
        """The k largest weights of every row; fewer where there are fewer keys."""
        k = min(k, self.shape[3])
        if k == 1 and self.known is not None:
            return StrongestKeys(self.known.largest[..., None], self.known.best.long()[..., None])
        if self._fused is not None:
            return StrongestKeys(*self._fused.strongest(k))
        blocks = [rows.max(-1, keepdim=True) if k == 1 else rows.topk(k) for _, rows in self.blocks()]
        return StrongestKeys(torch.cat([f[0] for f in blocks], 2), torch.cat([f[1] for f in blocks], 2))

    @_plainly
    def visible(self) -> Tensor:
        """(batch or 1) query: how many keys each query may see."""
        if self.call is not None:
            return self.call.mask.visible(*self.shape[2:], self.call.query.device).to(self.device)
        # a model that returned its weights does not say: keys that got some from any head
        return torch.cat([(rows > 0).any(1).sum(-1) for _, rows in self.blocks()], -1)

    @_plainly
    def received(self, queries: Tensor) -> Tensor:
        """batch head key: the sum of each column, rows weighted by `queries` (batch query)."""
        if self._fused is not None:
            return self._fused.received(queries)
        return sum(  # type: ignore[return-value]
            torch.einsum("bhqk,bq->bhk", rows, queries[:, start : start + rows.shape[2]].to(rows.dtype))
            for start, rows in self.blocks()
        )

    @_plainly
    def pairs(self, segment: Tensor, query: Tensor, key: Tensor) -> Tensor:
        """pair head: the weights at chosen places (each argument has one number a pair)."""
        if self._fused is not None:
            return self._fused.pairs(segment, query, key)
        weights: Tensor | None = None
        for start, rows in self.blocks():
            if weights is None:
                weights = rows.new_zeros(len(query), self.shape[1])
            here = ((query >= start) & (query < start + rows.shape[2])).nonzero()[:, 0]
            weights[here] = rows[segment[here], :, query[here] - start, key[here]]
        assert weights is not None
        return weights

    @_plainly
    def tiles(self, size: int) -> TileSums:
        """All that `size` neighbouring queries put on `size` neighbouring keys, and on the first key."""
        if self._fused is not None:
            return TileSums(*self._fused.tiles(size))
        batch, heads, queries, keys = self.shape
        high, wide = -(-queries // size), -(-keys // size)
        sums: Tensor | None = None
        for start, rows in self.blocks():
            if sums is None:
                sums = rows.new_zeros(batch, heads, high, wide + 1)
            whole = torch.nn.functional.pad(rows, (0, wide * size - keys))
            across = torch.cat([whole.view(batch, heads, -1, wide, size).sum(-1), rows[..., :1]], -1)
            above = start // size  # rows of tiles
            tile = torch.arange(start, start + rows.shape[2], device=rows.device) // size - above
            belongs = torch.nn.functional.one_hot(tile).to(rows.dtype)  # query tile
            sums[:, :, above : above + belongs.shape[1]] += torch.einsum("bhqc,qt->bhtc", across, belongs)
        assert sums is not None
        return TileSums(sums[..., :-1], sums[..., -1])

    def blocks(self) -> Iterator[tuple[int, Tensor]]:
        """All rows, a block at a time: where it begins, and its weights, batch head query key."""
        batch, heads, queries, keys = self.shape
        step = max(1, self.block_bytes // (4 * batch * heads * keys))
        if 4 * batch * heads * queries * keys <= SMALL:
            yield 0, self._whole
            return
        for start in range(0, queries, step):
            yield start, self.rows(start, min(start + step, queries))

    @cached_property
    def _whole(self) -> Tensor:
        """All weights, where they are few: kept for the next question."""
        return self.rows(0, self.shape[2])

    @cached_property
    def _fused(self) -> TilePasses | None:
        """The same passes as Triton kernels, where there are such and they take the call."""
        if self.call is None or not self.call.query.is_cuda or "triton" not in usable():
            return None
        if self.call.query.device != self.device:
            return None
        from attlas.tap.triton.tile_passes import TilePasses

        return TilePasses.of(self.call, None if self.known is None else self.known.logsum)
