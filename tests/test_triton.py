"""The fused kernel gives eager's numbers, whatever the shape: on a GPU, or in Triton's interpreter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from transformers import masking_utils

import reference
from attlas.corpora.classes import TokenClasses
from attlas.corpora.collating import collate
from attlas.corpora.segments import Segment
from attlas.reducers import surface
from attlas.subject import Subject
from attlas.tap import Entropy, Largest, Mass, Offset, Tap, usable
from attlas.tap.call import Call, CallEdit
from attlas.tap.kernels import eager
from attlas.tap.mask import mask_function, window_of
from attlas.tap.request import KernelRequest
from attlas.tap.totals import PlainTotals
from calls import DEVICE, TOLERANCE, calls, in_double, live

if "triton" not in usable():
    pytest.skip("Triton is not installed, or has neither a GPU nor its interpreter", allow_module_level=True)

from attlas.tap.triton.fused_pass import FusedPass
from attlas.tap.triton.launch import columns_of, forward, obstacle, width_of
from attlas.tap.triton.tile_passes import moments

FUNCTIONS = (Entropy(), Mass("a"), Offset(-1), Mass("b"), Largest(), Offset(2), Mass("c"))


def request_for(call: Call) -> KernelRequest:
    """Sums over groups drawn at random are right only if the rows are."""
    batch, _, queries, _ = call.query.shape
    keys = call.key.shape[2]
    features = torch.rand(batch, keys, 3, device=DEVICE) < 0.4
    real = (
        torch.ones(batch, keys, dtype=torch.bool, device=DEVICE) if call.mask.keys is None else call.mask.keys
    )
    groups = (torch.rand(batch, 4, queries, device=DEVICE) < 0.5) & live(call)[:, None]
    return KernelRequest(FUNCTIONS, features & real[..., None], real, groups)


@settings(max_examples=20, deadline=None)
@given(calls())
def test_one_pass_gives_what_eager_gives(call: Call) -> None:
    request = request_for(call)
    assert obstacle(call, request) is None
    exact = eager(in_double(call), request)
    found = forward(call, request)
    assert exact.rows is not None
    sums = found.sums.sum(2).unflatten(-1, (-1, width_of(FUNCTIONS)))  # batch head group column
    sums = sums[..., list(columns_of(FUNCTIONS))]  # batch head group function
    wanted = torch.einsum("bgq,bhqf->bhgf", request.groups.double(), exact.rows)
    seen = live(call)[:, None, :, None]
    tolerance = TOLERANCE[call.query.dtype]
    weight = request.groups.sum(-1)[:, None, :, None].clamp(min=1)
    assert ((sums - wanted) / weight).abs().max() < tolerance * 3  # entropy reaches 4 nats
    assert ((found.output - exact.output) * seen).abs().max() < tolerance * 4
    assert found.output.isfinite().all()
    assert found.sums.isfinite().all()


def test_moments_of_many_blocks_and_segments() -> None:
    """More than are read at once, with a mean that is not there and segments that do not count."""
    torch.manual_seed(0)
    layers, batch, heads, several, width = 2, 19, 3, 21, 8
    blocks = torch.randn(layers, batch, heads, several, width, device=DEVICE)
    places = torch.tensor([5, -1, 0, 5], dtype=torch.int32, device=DEVICE)
    per = torch.randint(-1, 4, (4, batch), device=DEVICE).double()
    totals = blocks.double().sum(3)  # layer batch head place
    plain = PlainTotals("encoder", (0, 1), (), totals)
    wanted = plain.moments(tuple(places.tolist()), per)
    torch.testing.assert_close(moments(blocks, places, per), wanted, rtol=1e-9, atol=1e-9)


def test_windows_are_recognised_and_nothing_else_is() -> None:
    causal, both = masking_utils.causal_mask_function, masking_utils.bidirectional_mask_function
    assert window_of(masking_utils.sliding_window_causal_mask_function(4)) == (3, 0)
    assert window_of(masking_utils.sliding_window_bidirectional_mask_function(4)) == (4, 4)
    window = masking_utils.sliding_window_overlay(4)
    for other in (
        window,
        causal,
        masking_utils.and_masks(window, both),
        masking_utils.or_masks(window, causal),
        masking_utils.and_masks(window, causal, lambda b, h, q, k: k > 2),
        masking_utils.chunked_causal_mask_function(4, torch.zeros(1, dtype=torch.long)),
    ):
        assert window_of(other) is None


def test_what_it_cannot_do_goes_to_tiled_and_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    flip = CallEdit((0, 1), lambda weights, allowed: weights.flip(-1))
    call = replace(_plain_call(), edits=(flip,))
    request = request_for(call)
    for _ in range(2):
        found = FusedPass().call(call, request)
    assert found.rows is not None
    assert sum("does not take edits" in message for message in caplog.messages) <= 1
    torch.testing.assert_close(found.output, eager(call, request).output)


def _plain_call() -> Call:
    query, key, value = torch.randn(3, 2, 2, 9, 16, device=DEVICE).unbind()
    mask = mask_function(2, 9, 9, mask_function=masking_utils.bidirectional_mask_function)
    return Call("encoder", 0, query, key, value, mask, scaling=0.25)


@pytest.mark.parametrize("name", ["mini", "llama", "t5"])
def test_surface_statistics_equal_the_reference(
    name: str, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    subject = subject_of(name)
    segments = segments_of(subject, 2, 16)
    classes = TokenClasses(subject.tokenizer, {"the": {"the"}})
    reducer = surface(classes)
    with Tap(subject, [reducer], kernel="triton") as tap:
        tap.run(collate(subject, segments, classes))
    values: dict[tuple[object, ...], list[float]] = {}
    for segment in segments:
        for kind, layer, weights, queries, keys in reference.maps(subject, segment):
            for key, by_head in reference.statistics(weights, queries, keys, kind, False).items():
                for head, value in enumerate(by_head):
                    values.setdefault((kind, layer, head, *key), []).append(value)
    rows = reducer.rows()
    assert rows
    for row in rows:
        mean, stderr = reference.mean_and_stderr(values[row[:5]])
        assert abs(row.value - mean) < 1e-4, row
        assert abs(row.stderr - stderr) < 1e-4 or row.n == 1, row
