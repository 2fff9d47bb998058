"""The fused kernel gives eager's numbers, whatever the shape: on a GPU, or in Triton's interpreter."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
import transformers
from hypothesis import given, settings
from transformers import masking_utils

import reference
from attlas.corpora.batches import TokenClasses, collate
from attlas.corpora.segments import Segment
from attlas.reducers import surface
from attlas.subject import Subject
from attlas.tap import Distance, Entropy, Largest, Mass, Offset, Tap, usable
from attlas.tap.call import Call, CallEdit
from attlas.tap.kernels import eager
from attlas.tap.making_masks import as_mask, mask_function, window_of
from attlas.tap.needs import KernelRequest
from attlas.tap.row_sample import RowSample
from attlas.tap.totals import PlainTotals, TotalPlaces
from calls import DEVICE, TOLERANCE, calls, in_double, live

if "triton" not in usable():
    pytest.skip("Triton is not installed, or has neither a GPU nor its interpreter", allow_module_level=True)

from attlas.tap.triton.fused_pass import FusedPass
from attlas.tap.triton.launch import forward, obstacle
from attlas.tap.triton.prepared import columns_of
from attlas.tap.triton.tile_passes import by_item

DISTANCES = (Distance(1), Distance(2), Distance(1, rest=True), Distance(2, rest=True))
FUNCTIONS = (Entropy(), Mass("a"), Offset(-1), Mass("b"), Largest(), Offset(2), Mass("c"), *DISTANCES)
SIZES = torch.tensor([1.0] * 7 + [40.0, 1600.0] * 2, device=DEVICE)  # of the functions, of 40 tokens at most


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
    fused = forward(call, request)
    assert exact.rows is not None
    sums = fused.sums.sum(2).unflatten(-1, (-1, columns_of(FUNCTIONS).width))  # batch head group column
    sums = sums[..., list(columns_of(FUNCTIONS).of)]  # batch head group function
    wanted = torch.einsum("bgq,bhqf->bhgf", request.groups.double(), exact.rows)
    seen = live(call)[:, None, :, None]
    tolerance = TOLERANCE[call.query.dtype]
    weight = request.groups.sum(-1)[:, None, :, None].clamp(min=1)
    assert ((sums - wanted) / weight / SIZES).abs().max() < tolerance * 3  # entropy reaches 4 nats
    assert ((fused.output - exact.output) * seen).abs().max() < tolerance * 4
    assert fused.output.isfinite().all()
    assert fused.sums.isfinite().all()


@settings(max_examples=10, deadline=None)
@given(calls())
def test_rows_at_chosen_places_are_those_that_eager_gives(call: Call) -> None:
    """Out of order, and others in each row of the batch: sums in which each stands for some rows."""
    request = request_for(call)
    order = torch.rand(live(call).shape, device=DEVICE).argsort(-1)
    places = order[:, : max(1, order.shape[1] // 2)]
    stands_for = torch.randint(0, 4, places.shape, device=DEVICE)
    few, asked = RowSample(places, stands_for.float()).of(call, request)
    assert obstacle(few, asked) is None
    exact = eager(in_double(call), request).rows
    assert exact is not None
    chosen = exact.gather(2, places[:, None, :, None].expand(-1, exact.shape[1], -1, exact.shape[3]))
    members = request.groups.gather(2, places[:, None].expand(-1, request.groups.shape[1], -1))
    wanted = torch.einsum("bgq,bq,bhqf->bhgf", members.double(), stands_for.double(), chosen)
    sums = forward(few, asked).sums.sum(2).unflatten(-1, (-1, columns_of(FUNCTIONS).width))
    apart = ((sums[..., list(columns_of(FUNCTIONS).of)] - wanted) / SIZES).abs().max()
    assert apart / max(1, int(stands_for.sum(-1).max())) < TOLERANCE[call.query.dtype] * 3


def test_values_of_many_blocks_and_segments() -> None:
    """More than are read at once, with a mean that is not there and segments that do not count."""
    torch.manual_seed(0)
    layers, batch, heads, several, width = 2, 19, 3, 21, 8
    blocks = torch.randn(layers, batch, heads, several, width, device=DEVICE)
    places = TotalPlaces(
        (5, -1, 0, 5), (-1, -1, 3, -1), (-1, -1, 1, 2)
    )  # a mean, none, one over a part, a variance
    per = torch.randint(-1, 4, (4, batch), device=DEVICE).double()
    totals = blocks.double().sum(3)  # layer batch head place
    plain = PlainTotals("encoder", (0, 1), (), totals)
    wanted, counted = plain.by_item(places, per)
    flat = torch.tensor(places, dtype=torch.int32, device=DEVICE).flatten()
    values, there = by_item(blocks, flat, per)
    assert torch.equal(there, counted.expand_as(there))
    torch.testing.assert_close(values, torch.where(counted, wanted, 0.0), rtol=1e-9, atol=1e-9)
    assert there.any(0).any(0).any(0).tolist() == [True, False, True, True]


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


CONFIG = transformers.LlamaConfig(sliding_window=3, attention_chunk_size=4)
MAKERS = {
    name: function
    for name, function in vars(masking_utils).items()
    if name.startswith("create_") and name.endswith("_mask") and "recurrent" not in name
    if function.__module__ == masking_utils.__name__
}
PLACES = [[0, 1, 2, 3, 0, 1, 2, 3, 4, 0, 1], list(range(11))]
POSITIONS = {"position_ids": torch.tensor(PLACES, device=DEVICE)}
BLOCKS = [[-1, 0, 0, 0, -1, -1, 1, 1, 1, 1, 1], [-1] * 11]
IMAGES = {"block_sequence_ids": torch.tensor(BLOCKS, device=DEVICE)}
SPECIAL = {"plain": {}, "packed": POSITIONS, "images": IMAGES, "packed, with images": POSITIONS | IMAGES}
MASKS = [
    (maker, special)
    for maker, function in MAKERS.items()
    for special, arguments in SPECIAL.items()
    if arguments.keys() <= inspect.signature(function).parameters.keys()
]


@pytest.mark.parametrize(("maker", "special"), MASKS)
def test_every_mask_that_transformers_makes_is_fused(
    maker: str, special: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release with a new maker of masks adds a case here, and it has to be fused too."""
    monkeypatch.setitem(transformers.AttentionMaskInterface._global_mapping, "ours", mask_function)
    nothing = {"attention_mask": None, "past_key_values": None}
    arguments = {n: v for n, v in nothing.items() if n in inspect.signature(MAKERS[maker]).parameters}
    masks = {}
    for implementation in ("ours", "sdpa"):
        CONFIG._attn_implementation_internal = implementation
        embedded = torch.zeros(2, 11, 8, device=DEVICE)
        masks[implementation] = MAKERS[maker](CONFIG, embedded, **arguments, **SPECIAL[special])
    query, key, value = torch.randn(3, 2, 2, 11, 16, device=DEVICE).unbind()
    ours = as_mask(masks["ours"], query, key, causal=False)
    call = Call("decoder", 0, query, key, value, ours, scaling=0.25)
    assert obstacle(call, request_for(call)) is None
    runs = ours.runs(11, 11, query.device)
    assert runs is not None
    column = torch.arange(11, device=DEVICE)
    within = (column >= runs.first[..., None]) & (column < runs.past[..., None])
    causal = maker == "create_causal_mask"
    wanted = as_mask(masks["sdpa"], query, key, causal).allowed(0, 11)
    everything = torch.ones(2, 11, 11, dtype=torch.bool, device=DEVICE)
    assert torch.equal(within & everything, everything if wanted is None else wanted[:, 0] & everything)


def test_a_mask_whose_rows_are_not_runs_is_not_fused() -> None:
    scattered = torch.rand(2, 1, 9, 9, device=DEVICE) < 0.5
    scattered[0, 0, 4] = torch.arange(9) % 2 == 0
    call = _plain_call()
    call = replace(call, mask=as_mask(scattered, call.query, call.key, causal=False))
    assert "not runs" in (obstacle(call, request_for(call)) or "")


def test_what_it_cannot_do_goes_to_tiled_and_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    flip = CallEdit((0, 1), lambda weights, allowed: weights.flip(-1))
    call = replace(_plain_call(), edits=(flip,))
    request = request_for(call)
    for _ in range(2):
        result = FusedPass().call(call, request)
    assert result.rows is not None
    assert sum("does not take edits" in message for message in caplog.messages) <= 1
    torch.testing.assert_close(result.output, eager(call, request).output)


def _plain_call() -> Call:
    query, key, value = torch.randn(3, 2, 2, 9, 16, device=DEVICE).unbind()
    every = masking_utils.bidirectional_mask_function
    mask = mask_function(2, 9, 9, mask_function=every, device=query.device)
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
        assert abs(row.value - mean) < 1e-4 * max(1, mean), row
        assert abs(row.stderr - stderr) < 1e-4 * max(1, mean) or row.n == 1, row
