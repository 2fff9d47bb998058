"""Views of models: what the tap sees is what the view shows."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
import torch

from attlas import view
from attlas.errors import AttlasError
from attlas.tap import capture
from attlas.views import rows

A, B = "I went to the store.", "At the store, I bought fresh strawberries."


def array(made, section):
    kinds = {"u8": "<u1", "u16": "<u2", "u32": "<u4", "i16": "<i2"}
    data = zlib.decompress(made.packed.data)
    return np.frombuffer(data, kinds[section["type"]], int(np.prod(section["shape"])), section["at"]).reshape(
        section["shape"]
    )


def weights_of(made, attention=0, layer=0):
    header = made.scene["attentions"][attention]["layers"][layer]
    scale = np.array(header["scale"])[:, None, None]
    if "tops" in header:
        scale = scale * (array(made, header["tops"])[..., None] / 65535.0) ** 2
    return scale * (array(made, header["weights"]) / 255.0) ** 2


def vector_of(made, which, layer=0):
    header = made.scene["attentions"][0]["layers"][layer]["vectors"][which]
    return array(made, header["values"]) / 32767 * np.array(header["scale"])[:, None, None]


def test_the_articles_example_on_the_embedded_model(mini):
    made = view(mini, A, B)
    side = made.scene["sides"]["encoder"]
    assert side["tokens"][:9] == ["[CLS]", "i", "went", "to", "the", "store", ".", "[SEP]", "at"]
    assert side["b_start"] == 8
    assert len(made.scene["attentions"][0]["layers"]) == 12
    captured = capture(mini, mini.encode(A, B))
    for layer in (0, 7):
        np.testing.assert_allclose(weights_of(made, layer=layer), captured[layer].weights, atol=0.005)


@pytest.mark.parametrize("name", ["mini", "llama"])
def test_queries_and_keys_are_those_the_softmax_saw(subject_of, name):
    subject = subject_of(name)
    made = view(subject, A, kind="neuron")
    captured = capture(subject, subject.encode(A), vectors=True)[0]
    scaling = made.scene["attentions"][0]["layers"][0]["vectors"]["scaling"]
    for which in ("query", "key", "value"):
        assert vector_of(made, which).shape == tuple(getattr(captured, which).shape)
        np.testing.assert_allclose(vector_of(made, which), getattr(captured, which), atol=1e-3)
    # after rotation and repeated to every query head, so that softmax(q·k) is the map itself
    scores = torch.from_numpy(vector_of(made, "query") @ vector_of(made, "key").transpose(0, 2, 1) * scaling)
    if name == "llama":
        scores = scores.masked_fill(~torch.ones(scores.shape[-2:]).tril().bool(), -torch.inf)
    np.testing.assert_allclose(scores.softmax(-1), captured.weights, atol=5e-3)


def test_encoder_decoder_models_show_all_three_kinds(subject_of):
    made = view(subject_of("t5"), A, B)
    shown = {a["attention"]: a for a in made.scene["attentions"]}
    assert list(shown) == ["encoder", "decoder", "cross", "encoder rollout"]
    assert shown["decoder"]["causal"]
    sides = made.scene["sides"]
    assert shown["cross"]["layers"][0]["weights"]["shape"][1:] == [
        len(sides["decoder"]["tokens"]),
        len(sides["encoder"]["tokens"]),
    ]


def test_models_outside_the_interface_are_shown_without_vectors(subject_of):
    made = view(subject_of("mpnet"), A)
    assert "vectors" not in made.scene["attentions"][0]["layers"][0]
    with pytest.raises(AttlasError, match=r"does not show its queries and keys.*neuron view needs them"):
        view(subject_of("mpnet"), A, kind="neuron")


def test_a_long_text_by_blocks_is_the_same_as_the_whole(mini, monkeypatch):
    text = " ".join([A] * 8)
    monkeypatch.setattr(rows, "BUDGET", 1000)
    monkeypatch.setattr("attlas.tap.lazy_weights.SMALL", 0)
    monkeypatch.setattr("attlas.tap.lazy_weights.BLOCK_BYTES", {"cpu": 2**15})  # few rows
    made = view(mini, text, include_layers=[3], include_heads=[1, 4])
    header = made.scene["attentions"][0]["layers"][0]
    assert header["heads"] == [1, 4]
    whole = capture(mini, mini.encode(text))[3].weights[[1, 4]].numpy()
    expected = rows.strongest(whole, rows.LEAST_K)
    np.testing.assert_allclose(weights_of(made), expected.weights, atol=0.005)
    np.testing.assert_allclose(
        np.take_along_axis(whole, array(made, header["columns"]).astype(int), -1), expected.weights, atol=1e-5
    )
    np.testing.assert_allclose((array(made, header["rest"]) / 255.0) ** 2, expected.rest, atol=0.005)


def test_large_vectors_travel_only_where_the_neuron_view_is_asked_for(mini, monkeypatch):
    def with_vectors(made):
        return [layer["layer"] for layer in made.scene["attentions"][0]["layers"] if "vectors" in layer]

    assert with_vectors(view(mini, A)) == list(range(12))
    monkeypatch.setattr("attlas.views.model.FREE_VECTORS", 10_000)
    assert with_vectors(view(mini, A)) == []
    assert with_vectors(view(mini, A, kind="neuron")) == list(range(12))


def test_layers_that_are_not_there_are_named(mini):
    with pytest.raises(AttlasError, match="none of the layers and heads asked for: its layers are 0 to 11"):
        view(mini, A, include_layers=[40])


def test_a_transformers_model_in_memory_is_a_subject_too(mini):
    from attlas.subject import Subject

    made = view(Subject(mini.model, mini.tokenizer, "mine"), A, title="mine, fine-tuned")
    assert made.scene["title"] == "mine, fine-tuned"
