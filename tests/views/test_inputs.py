"""Own tensors: what BertViz takes is taken, and what is wrong is said."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from attlas import view
from attlas.errors import AttlasError
from attlas.views import head_view, model_view

TOKENS = ["a", "b", "c", "d"]


@pytest.fixture
def maps(random_maps):
    return random_maps(3, 2, 4)


def layers_of(made):
    return [layer["layer"] for layer in made.scene["attentions"][0]["layers"]]


@pytest.mark.parametrize(
    "form", ["torch", "torch half", "numpy", "without batch", "one array", "one array with batch"]
)
def test_every_usual_form_of_attention_gives_the_same_view(maps, form):
    forms = {
        "torch": lambda: tuple(torch.from_numpy(m)[None] for m in maps),
        "torch half": lambda: tuple(torch.from_numpy(m)[None].bfloat16().float() for m in maps),
        "numpy": lambda: [m[None] for m in maps],
        "without batch": lambda: list(maps),
        "one array": lambda: maps,
        "one array with batch": lambda: torch.from_numpy(maps)[:, None],
    }
    made = view(forms[form](), TOKENS)
    assert layers_of(made) == [0, 1, 2]
    assert made.scene["attentions"][0]["layers"][1]["scale"] == pytest.approx(
        maps[1].max(axis=(1, 2)), rel=1e-2
    )


def test_layers_and_heads_keep_their_numbers_when_only_some_are_included(maps):
    made = view(list(maps), TOKENS, include_layers=[2, 1], include_heads=[1])
    layers = made.scene["attentions"][0]["layers"]
    assert [(layer["layer"], layer["heads"]) for layer in layers] == [(1, [1]), (2, [1])]
    assert made.scene["selection"]["layer"] in (1, 2)
    assert layers[0]["scale"] == pytest.approx([maps[1, 1].max()])


def test_layers_without_attention_are_left_out_and_the_others_keep_their_numbers(maps):
    assert layers_of(view([maps[0], None, maps[2]], TOKENS)) == [0, 2]


def test_causal_attention_is_a_decoders(random_maps):
    scene = view(list(random_maps(1, 2, 4, causal=True)), TOKENS).scene
    assert scene["attentions"][0]["attention"] == "decoder"
    assert scene["attentions"][0]["causal"]


def test_any_subset_of_encoder_decoder_and_cross_attention_is_taken(random_maps):
    made = view(
        encoder_attention=list(random_maps(2, 2, 4)),
        cross_attention=list(random_maps(2, 2, 3, 4)),
        encoder_tokens=TOKENS,
        decoder_tokens=["x", "y", "z"],
    )
    kinds = [(a["attention"], a["queries"], a["keys"]) for a in made.scene["attentions"]]
    assert kinds == [
        ("encoder", "encoder", "encoder"),
        ("cross", "decoder", "encoder"),
        ("encoder rollout", "encoder", "encoder"),
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": ()}, "empty tuple under SDPA.*eager"),
        ({"source": [np.ones((2, 2, 4, 4)) / 4]}, "layer 0 has a batch of 2"),
        ({"source": [np.ones((4, 4)) / 4]}, r"layer 0 has shape \(4, 4\): each layer must be"),
        ({"source": np.ones((4, 4)) / 4}, r"shape \(4, 4\): pass a list"),
        ({"source": [np.ones((2, 4, 4))]}, r"row 0 of head 0\.0 sums to 4.*after the softmax"),
        ({"source": [np.full((2, 4, 4), np.nan)]}, r"row 0 of head 0\.0 holds what is not a number"),
        ({"source": [np.array([[[2.0, -1.0]] * 2])], "text": ["a", "b"]}, "least weight -1"),
        ({"source": [np.ones((2, 4, 4)) / 4, np.ones((2, 3, 3)) / 3]}, "different sizes"),
        ({"source": [None, None]}, "all are None"),
        ({"text": ["a", "b", "c"]}, "has 4 queries, but there are 3 encoder tokens"),
        ({"text": "abcd"}, "one string: pass a list"),
        ({"text": None}, "without tokens"),
        ({"include_layers": [7]}, "layer 7, but encoder attention has layers 0 to 2"),
        ({"include_heads": [5]}, "layer 0 .encoder. has heads 0 to 1"),
        ({"layer": 9}, "no layer 9 here: encoder attention has layers 0 to 2"),
        ({"heads": [9]}, r"no head 0\.9 here"),
        ({"heads": []}, "heads is empty"),
        ({"kind": "hat"}, "kind='hat': should be 'head', 'model', 'text', 'matrix', 'neuron' or 'image'"),
        ({"kind": "neuron"}, "needs queries and keys"),
        ({"attention": "cross"}, "no cross attention here"),
        ({"sentence_b_start": 4}, "between token 1 and token 3"),
        ({"encoder_attention": [np.ones((2, 4, 4)) / 4]}, "not both"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(maps, change, message):
    arguments = {"source": list(maps), "text": TOKENS} | change
    with pytest.raises(AttlasError, match=message) as caught:
        view(arguments.pop("source"), arguments.pop("text"), **arguments)
    assert "\n" not in str(caught.value)


def test_cross_attention_needs_the_tokens_of_both_sides(random_maps):
    with pytest.raises(AttlasError, match="pass encoder_tokens"):
        view(cross_attention=list(random_maps(1, 2, 3, 4)), decoder_tokens=["x", "y", "z"])


def test_a_model_without_a_text_is_told_so():
    with pytest.raises(AttlasError, match="needs a text"):
        view("mini")


def test_bertviz_notebooks_work_with_another_import(maps):
    attention = tuple(torch.from_numpy(m)[None] for m in maps)
    page = head_view(attention, TOKENS, 2, layer=1, heads=[0], include_layers=[1, 2], html_action="return")
    assert page.data.startswith("<!doctype html>")
    made = model_view(attention, TOKENS, sentence_b_start=2, display_mode="light", include_heads=[1])
    assert made.scene["theme"] == "light"
    assert made.scene["selection"]["kind"] == "model"
    with pytest.raises(AttlasError, match="html_action"):
        head_view(attention, TOKENS, html_action="save")


def test_nothing_instead_of_attention_says_what_to_pass():
    for draw in (lambda: view(None, TOKENS), lambda: head_view(None, TOKENS)):
        with pytest.raises(AttlasError, match=r"only None.*outputs\.attentions"):
            draw()
    with pytest.raises(AttlasError, match=r"layer 0 is a str, not a tensor.*outputs\.attentions"):
        view(["a", "b"], TOKENS)


def test_an_option_that_does_not_exist_is_named(maps):
    with pytest.raises(TypeError, match="has no option 'flavour'"):
        view(list(maps), TOKENS, flavour="red")


def test_a_model_whose_weights_are_broken_is_said(subject_of):
    import copy

    from attlas.subject import Subject

    good = subject_of("llama")
    broken = copy.deepcopy(good.model)
    for parameter in broken.parameters():
        parameter.data.fill_(float("nan"))
    with pytest.raises(AttlasError, match="is not a number"):
        view(Subject(broken, good.tokenizer, "broken"), "I went home.")


def test_rollout_is_every_layer_through_those_below(maps):
    made = view(list(maps), TOKENS)
    assert [a["attention"] for a in made.scene["attentions"]] == ["encoder", "encoder rollout"]
    expected = np.eye(4)
    for layer, weights in zip(made.maps[0].layers, maps, strict=True):
        expected = (0.5 * weights.mean(0) + 0.5 * np.eye(4)) @ expected
        np.testing.assert_allclose(layer.rollout, expected, atol=1e-6)
        np.testing.assert_allclose(layer.rollout.sum(-1), 1, atol=1e-6)
    # of some layers there is none, since it would not begin at the input
    assert len(view(list(maps), TOKENS, include_layers=[1, 2]).scene["attentions"]) == 1


def test_edits_travel_with_the_scene(mini):
    import attlas

    heads = [head for head in mini.heads if head.layer == 3]
    made = view(mini, "I went home.", edits=[attlas.edit.uniform(heads)])
    assert made.scene["edits"][0]["heads"][0] == ("encoder", 3, 0)
    tokens = len(made.scene["sides"]["encoder"]["tokens"])
    np.testing.assert_allclose(made.maps[0].layers[3].weights, 1 / tokens, atol=1e-6)


def test_a_head_that_is_not_shown_has_a_part_in_the_rollout(maps):
    assert view(list(maps), TOKENS, include_heads=[0]).maps[0].layers[0].rollout is not None
    maps = maps.copy()
    maps[:, 1] *= 3
    assert view(list(maps), TOKENS, include_heads=[0]).maps[0].layers[0].rollout is None
