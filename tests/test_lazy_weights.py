"""Lazy weights answer what all the weights would, by blocks of rows and as fused passes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor

from attlas.tap import usable
from attlas.tap.call import Call
from attlas.tap.lazy_weights import LazyWeights
from attlas.tap.making_masks import as_mask
from attlas.tap.needs import KernelRequest
from calls import TOLERANCE, calls, in_double, live

if TYPE_CHECKING:
    from attlas.tap.triton.tile_passes import TilePasses

WAYS = ["blocks", *(["fused"] if "triton" in usable() else [])]


def lazily(call: Call, way: str) -> LazyWeights | TilePasses:
    if way == "blocks":
        return replace(LazyWeights.at(call), call=None, block_bytes=2000)  # of few rows
    from attlas.tap.triton.tile_passes import TilePasses

    passes = TilePasses.of(call, None)
    assert passes is not None
    return passes


def exact(call: Call) -> Tensor:
    """batch head query key, float64; rows of queries that see nothing are zero, and nobody reads them."""
    return in_double(call).weights() * live(call)[:, None, :, None]


def cleared(rows: Tensor, call: Call) -> Tensor:
    return rows * live(call)[:, None, :, None]


EXAMPLES = settings(max_examples=15, deadline=None)


@pytest.mark.parametrize("way", WAYS)
@EXAMPLES
@given(call=calls())
def test_received(way: str, call: Call) -> None:
    queries = torch.rand(live(call).shape, device=call.query.device) * live(call)
    received = lazily(call, way).received(queries)
    wanted = torch.einsum("bhqk,bq->bhk", exact(call), queries.double())
    most = queries.sum(-1).clamp(min=1)[:, None, None]
    assert ((received - wanted) / most).abs().max() < TOLERANCE[call.query.dtype]


@pytest.mark.parametrize("way", WAYS)
@EXAMPLES
@given(call=calls(), k=st.integers(1, 9))
def test_the_strongest(way: str, call: Call, k: int) -> None:
    all_weights = exact(call)
    k = min(k, all_weights.shape[-1])
    weights, keys = lazily(call, way).strongest(k)
    assert weights.shape == keys.shape == (*all_weights.shape[:3], k)
    tolerance = TOLERANCE[call.query.dtype]
    wanted = all_weights.topk(k).values
    assert (cleared(weights, call) - wanted).abs().max() < tolerance
    there = all_weights.gather(-1, keys)
    assert (cleared(weights, call) - there).abs().max() < tolerance
    distinct = keys.sort(-1).values.diff(dim=-1) > 0
    assert distinct.all()
    assert (weights.diff(dim=-1) <= 0).all()


@pytest.mark.parametrize("way", WAYS)
@EXAMPLES
@given(call=calls(), several=st.integers(0, 40))
def test_chosen_pairs(way: str, call: Call, several: int) -> None:
    all_weights = exact(call)
    batch, _, queries, keys = all_weights.shape
    device = call.query.device
    segment, query, key = (torch.randint(n, (several,), device=device) for n in (batch, queries, keys))
    weights = lazily(call, way).pairs(segment, query, key) * live(call)[segment, query][:, None]
    assert weights.shape == (several, all_weights.shape[1])
    wanted = all_weights[segment, :, query, key]
    assert (weights - wanted).abs().sum() < TOLERANCE[call.query.dtype] * max(1, weights.numel())


@pytest.mark.parametrize("way", WAYS)
@EXAMPLES
@given(call=calls(), size=st.integers(5, 45))
def test_tiles(way: str, call: Call, size: int) -> None:
    assume(bool(live(call).all()))
    all_weights = exact(call)
    high, wide = (-(-n // size) for n in all_weights.shape[2:])
    tiles, first = lazily(call, way).tiles(size)
    assert tiles.shape == (*all_weights.shape[:2], high, wide)
    assert first.shape == (*all_weights.shape[:2], high)
    for row in range(high):
        on_first = all_weights[:, :, row * size : (row + 1) * size, 0].sum(-1)
        assert (first[:, :, row] - on_first).abs().max() < TOLERANCE[call.query.dtype] * size
        for column in range(wide):
            part = slice(row * size, (row + 1) * size), slice(column * size, (column + 1) * size)
            wanted = all_weights[:, :, *part].sum((2, 3))
            assert (tiles[:, :, row, column] - wanted).abs().max() < TOLERANCE[call.query.dtype] * size


@pytest.mark.skipif("fused" not in WAYS, reason="Triton is not installed, or has neither GPU nor interpreter")
@settings(max_examples=8, deadline=None)
@given(calls())
def test_the_first_pass_leaves_log_sums_and_the_largest_weight_with_its_key(call: Call) -> None:
    from attlas.tap.triton.fused_pass import FusedPass

    request = KernelRequest.nothing(len(call.key), call.key.shape[2], call.key.device, lazy_weights=True)
    known = FusedPass().call(call, request).known
    assert known is not None
    weights, best = LazyWeights.at(call, known).strongest(1)
    all_weights = exact(call)
    tolerance = TOLERANCE[call.query.dtype]
    assert (cleared(weights, call) - all_weights.amax(-1, keepdim=True)).abs().max() < tolerance
    assert (cleared(weights, call) - all_weights.gather(-1, best)).abs().max() < tolerance


@EXAMPLES
@given(call=calls(), form=st.sampled_from(["own", "other"]))
def test_how_many_keys_may_be_seen(call: Call, form: str) -> None:
    mask = call.mask if form == "own" else replace(call.mask, form="other")
    queries, keys = call.query.shape[2], call.key.shape[2]
    allowed = call.mask.rows(0, queries).sum(-1)[:, 0]
    visible = LazyWeights.at(replace(call, mask=mask)).visible()
    assert (visible.expand(len(call.query), queries) == allowed).all()
    assert visible.max() <= keys
    returned = LazyWeights.over(exact(call)).visible()
    assert (returned == allowed * live(call)).all()


def test_full_precision_under_autocast() -> None:
    query, key, value = torch.randn(3, 1, 2, 50, 16).unbind()
    call = Call("encoder", 0, query, key, value, as_mask(None, query, key, False), scaling=0.25)
    plain = LazyWeights.at(call).received(torch.ones(1, 50))
    with torch.autocast("cpu", torch.bfloat16):
        received = LazyWeights.at(call).received(torch.ones(1, 50))
    torch.testing.assert_close(received, plain)
