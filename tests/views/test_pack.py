"""Weights as bytes: how near they stay, and what long inputs keep."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attlas import view
from attlas.options.view_options import ViewOptions
from attlas.views import rows
from attlas.views.block import Block
from attlas.views.inputs import HeadVectors, LayerMaps, Maps
from attlas.views.pack import pack, quantise

# nothing is asserted about time
ANY_SPEED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@ANY_SPEED
@given(arrays(np.float32, (2, 3, 5), elements=st.floats(0, 1, width=32)))
def test_a_byte_is_never_farther_off_than_half_a_step_of_the_square_root(weights):
    scale = weights.max(axis=(1, 2), keepdims=True)
    back = scale * (quantise(weights, scale) / 255.0) ** 2
    step = scale * (2 * np.sqrt(weights / np.where(scale > 0, scale, 1)) + 1 / 510) / 510
    assert (np.abs(back - weights) <= step + 1e-6).all()


@ANY_SPEED
@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_strongest_keeps_the_largest_in_order_and_the_rest_makes_up_the_row(k, seed):
    weights = np.random.default_rng(seed).dirichlet(np.ones(6), size=(2, 4)).astype(np.float32)
    kept = rows.strongest(weights, k)
    expected = -np.sort(-weights, axis=-1)[..., :k]
    np.testing.assert_allclose(kept.weights, expected)
    np.testing.assert_allclose(np.take_along_axis(weights, kept.columns, -1), kept.weights)
    np.testing.assert_allclose(kept.weights.sum(-1) + kept.rest, 1, atol=1e-5)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [((144, 128, 128), None), ((144, 512, 512), 55), ((1, 8192, 8192), 64), ((1152, 4096, 4096), 4)],
)
def test_how_much_of_a_row_is_kept_depends_on_what_there_is_in_all(shape, expected):
    assert rows.top_k([shape]) == expected


def test_a_page_of_144_heads_and_512_tokens_is_small_and_says_what_it_left_out(random_maps):
    made = view(list(random_maps(12, 12, 512)), [f"t{i}" for i in range(512)])
    assert len(made.html()) < 18_000_000  # of random weights, which hardly compress
    assert made.scene["notes"] == [
        "Long input: each row keeps its 55 strongest weights; the others are shown as one rest. "
        "Fewer layers or heads (include_layers, include_heads) keep more."
    ]


def test_sections_begin_at_multiples_of_four_and_the_header_knows_the_size():
    block = Block()
    first = block.add(np.arange(5, dtype=np.uint8))
    second = block.add(np.array([[70_000]], dtype=np.uint32))
    assert first == {"at": 0, "type": "u8", "shape": [5]}
    assert second == {"at": 8, "type": "u32", "shape": [1, 1]}
    data = zlib.decompress(block.compress())
    assert len(data) == block.size == 12
    assert np.frombuffer(data, "<u4", 1, 8)[0] == 70_000


def test_columns_past_65536_keys_take_four_bytes():
    wide = rows.Strongest(
        np.full((1, 1, 2), 100_000),
        np.full((1, 1, 2), 0.5, np.float32),
        np.zeros((1, 1), np.float32),
        131_072,
    )
    attentions, _ = pack([Maps("decoder", [LayerMaps(0, [0], wide, {})])], Block())
    assert attentions[0]["layers"][0]["columns"]["type"] == "u32"


def test_a_sharp_row_does_not_blur_the_broad_ones():
    weights = np.full((1, 2, 4000), 1 / 4000, np.float32)
    weights[0, 0] = np.eye(1, 4000)
    block = Block()
    kept = rows.strongest(weights, 4)
    attentions, _ = pack([Maps("encoder", [LayerMaps(0, [0], kept, {})])], block)
    layer, data = attentions[0]["layers"][0], zlib.decompress(block.compress())
    tops = np.frombuffer(data, "<u2", 2, layer["tops"]["at"])
    assert (tops[1] / 65535) ** 2 == pytest.approx(1 / 4000, rel=0.01)
    assert list(data[layer["weights"]["at"] + 4 : layer["weights"]["at"] + 8]) == [255] * 4


def test_vectors_that_do_not_fit_leave_the_chosen_layer_its_own(monkeypatch):
    vectors = HeadVectors(*(np.ones((1, 4, 8), np.float32) for _ in range(3)), 0.5)
    weights = np.full((1, 4, 4), 0.25, np.float32)
    layers = [LayerMaps(i, [0], weights, {}, vectors) for i in range(4)]
    monkeypatch.setattr("attlas.views.pack.VECTOR_BUDGET", 400)
    attentions, notes = pack([Maps("encoder", layers)], Block(), ViewOptions(layer=2))
    assert [layer["layer"] for layer in attentions[0]["layers"] if "vectors" in layer] == [0, 2]
    assert "layer 0, 2 only" in notes[0]
