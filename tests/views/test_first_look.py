"""Where a view opens, what it calls heads, and what it knows of the model's own writing."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from attlas import view
from attlas.errors import AttlasError
from attlas.views.first_look import first_share, names_on

WORDS = ["the", "cat", "that", "sat", "there", "saw", "a", "small", "dog", "run"]


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def even(count: int = 10) -> np.ndarray:
    return np.full((count, count), 1 / count, np.float32)


def far(count: int = 10) -> np.ndarray:
    """Each token looks at one four further on, round the end."""
    return np.roll(np.eye(count, dtype=np.float32), 4, axis=1)


def sink(count: int = 10) -> np.ndarray:
    scores = np.where(
        np.tri(count, dtype=bool), np.random.default_rng(0).normal(size=(count, count)), -np.inf
    )
    scores[:, 0] += 5
    return softmax(scores)


def test_a_view_opens_on_the_head_that_looks_at_other_words_and_says_why():
    neighbours = np.roll(np.eye(10, dtype=np.float32), 1, axis=1)
    layers = [np.stack([neighbours, even()])[None], np.stack([even(), far()])[None]]
    scene = view(layers, WORDS).scene
    assert (scene["selection"]["layer"], scene["selection"]["heads"]) == (1, [1])
    assert scene["why"].startswith("Opened on head 1.1 (")
    # a token that is special or first does not count: nine rows in ten have another
    assert "(0.90)" in scene["why"]


@pytest.mark.parametrize("budget", [None, 500])
def test_a_second_sink_tells_nothing(budget, monkeypatch):
    """All tokens rest on the fourth, and more strongly than those of the other layer look at words."""
    if budget is not None:
        monkeypatch.setattr("attlas.views.rows.BUDGET", budget)  # each row keeps its strongest alone
    resting = 0.05 * even(12)
    resting[:, 3] += 0.95
    telling = 0.4 * even(12) + 0.6 * far(12)
    layers = [np.stack([resting, resting])[None], np.stack([telling, even(12)])[None]]
    scene = view(layers, [f"w{i}" for i in range(12)]).scene
    assert (scene["selection"]["layer"], scene["selection"]["heads"]) == (1, [0])


def test_a_second_sink_of_a_decoder_tells_nothing():
    """A row sees the tokens before it: those that come before the sink do not make it seem rare."""
    past = np.tri(24, dtype=bool)
    resting = softmax(np.where(past, 0.0, -np.inf) + 6 * (np.arange(24) == 7))
    telling = softmax(np.where(past, 0.0, -np.inf) + 4.5 * (np.eye(24, k=-5) > 0))
    layers = [np.stack([resting] * 2)[None], np.stack([telling, resting])[None]]
    words = [f"w{i}" for i in range(24)]
    scene = view(decoder_attention=layers, decoder_tokens=words).scene
    assert (scene["selection"]["layer"], scene["selection"]["heads"]) == (1, [0])


@pytest.mark.parametrize("chosen", [{"layer": 0}, {"heads": [0]}])
def test_who_chooses_needs_no_reason(chosen):
    scene = view([np.stack([even(), far()])[None]] * 2, WORDS, **chosen).scene
    assert (scene["why"], scene["selection"]["layer"]) == ("", 0)


def test_where_no_head_tells_anything_all_heads_of_the_first_layer_are_shown():
    scene = view([np.stack([even(), even()])[None]] * 2, WORDS).scene
    assert (scene["why"], scene["selection"]["layer"], scene["selection"]["heads"]) == ("", 0, [0, 1])


@pytest.mark.parametrize("count", [3, 5, 12, 40])
def test_even_attention_of_a_decoder_tells_nothing_however_short_the_text(count):
    causal = softmax(np.where(np.tri(count, dtype=bool), 0.0, -np.inf))
    assert view([causal[None, None]] * 2, [f"t{i}" for i in range(count)]).scene["why"] == ""


def test_a_short_text_opens_on_a_head_that_looks_at_words():
    looking = 0.8 * even(6) + 0.2 * np.roll(np.eye(6, dtype=np.float32), 3, axis=1)
    scene = view([even(6)[None, None], looking[None, None]], list("abcdef")).scene
    assert scene["selection"]["layer"] == 1


def test_the_first_token_is_left_out_where_it_takes_much():
    made = view([np.stack([sink(), sink()])[None]], WORDS)
    assert made.scene["selection"]["without_first"]
    expected = sink()[1:, 0].mean()
    assert first_share(made.maps[0]) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("count", [2, 3, 5, 20])
def test_even_attention_of_a_decoder_has_no_sink_however_short_the_text(count):
    causal = softmax(np.where(np.tri(count, dtype=bool), 0.0, -np.inf))
    made = view([causal[None, None]], [f"t{i}" for i in range(count)])
    assert not made.scene["selection"]["without_first"]


def test_who_says_so_keeps_the_first_token():
    made = view([sink()[None, None]], WORDS, without_first=False)
    assert not made.scene["selection"]["without_first"]


def test_a_rollout_opens_at_its_last_layer():
    made = view([np.stack([even(), far()])[None]] * 3, WORDS, attention="encoder rollout")
    assert made.scene["selection"]["layer"] == 2


def test_a_rollout_that_ends_at_the_first_token_opens_before_that():
    """The second layer and those after it send all to the first token."""
    resting = np.zeros((10, 10), np.float32)
    resting[:, 0] = 1
    looking = softmax(np.where(np.tri(10, dtype=bool), 0.0, -np.inf) + 5 * (np.eye(10, k=-3) > 0))
    layers = [looking[None, None], *[resting[None, None]] * 4]
    made = view(decoder_attention=layers, decoder_tokens=WORDS, attention="decoder rollout")
    shares = [np.asarray(layer.rollout)[1:, 0].mean() for layer in made.maps[0].layers]
    assert made.scene["selection"]["layer"] == max(i for i, share in enumerate(shares) if share < 0.75)
    assert shares[-1] > 0.75


def test_heads_are_named_by_what_they_do_on_this_text():
    previous = np.roll(np.eye(10, dtype=np.float32), -1, axis=1)
    made = view([np.stack([previous, even()])[None]], WORDS)
    named = {name["name"]: name["heads"] for name in made.scene["names"]}
    assert made.scene["names_from"] == "text"
    assert [head[:3] for head in named["previous"]] == [("encoder", 0, 0)]
    assert [head[:3] for head in named["broad"]] == [("encoder", 0, 1)]


def test_names_of_this_text_are_those_that_a_map_of_it_would_give(mini):
    """The rules are the atlas's own, and so are the statistics: here by the reducers on the same input."""
    from attlas.reducers import Means, entropy, largest, offsets, sink, to_class
    from attlas.studies.behaviours import behaviours
    from attlas.tap import Tap

    text = "The quick brown fox jumped over the lazy dog, and then it slept in the warm sun for an hour."
    batch = mini.encode(text)
    means = Means([*entropy(), *largest(), *sink(), *offsets(), *to_class(["cls", "sep", "punct"])])
    with Tap(mini, [means]) as tap:
        tap.run(batch)
    count = batch.inputs["input_ids"].shape[1]
    rows = behaviours(means.rows(), np.log(count), np.log(count))
    mapped = {(r.layer, r.head): r.group for r in rows if r.statistic == "behaviour" and r.group != "none"}
    here = {
        (layer, head): name["name"]
        for name in view(mini, text).scene["names"]
        if name["name"] != "none"
        for _, layer, head, _ in name["heads"]
    }
    assert len(set(mapped.values())) > 2
    assert here == mapped


def test_without_anything_to_measure_no_head_has_a_name():
    scores = np.random.default_rng(0).normal(size=(1, 2, 4, 4)).astype(np.float32)
    made = view([scores], list("abcd"), check=False)
    assert names_on(made.maps, {"encoder": list("abcd")}) == []


@pytest.fixture(scope="module")
def decoder(subject_of):
    return subject_of("llama")


def test_a_decoder_says_how_likely_each_token_was(decoder):
    made = view(decoder, "the cat sat on the mat")
    shown = made.scene["sides"]["decoder"]
    ids = decoder.tokenizer("the cat sat on the mat", return_tensors="pt")["input_ids"]
    with torch.no_grad():
        expected = decoder.model(ids).logits[0].softmax(-1)
    assert shown["probabilities"][0] is None
    likely = [float(expected[i, ids[0, i + 1]]) for i in range(ids.shape[1] - 1)]
    assert shown["probabilities"][1:] == pytest.approx(likely, abs=1e-4)
    assert shown["generated"] is None


def test_what_a_model_wrote_itself_is_marked(decoder):
    made = view(decoder, "the cat sat", generate=4)
    start = len(decoder.tokenizer("the cat sat")["input_ids"])
    assert made.scene["sides"]["decoder"]["generated"] == start
    # greedy: nothing was likelier
    assert len(made.scene["sides"]["decoder"]["tokens"]) == start + 4


def test_an_encoder_writes_nothing(mini):
    shown = view(mini, "the cat sat").scene["sides"]["encoder"]
    assert (shown["generated"], shown["probabilities"]) == (None, [])


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"heads": [0, 0]}, r"heads=\[0, 0\] names a head twice: name each once"),
        ({"threshold": 5.0}, "threshold=5.0 is not a weight: choose from 0 to 1"),
        ({"threshold": float("nan")}, "threshold=nan is not a weight"),
    ],
)
def test_what_no_head_could_show_is_refused(chosen, said):
    with pytest.raises(AttlasError, match=said):
        view([even()[None, None]], WORDS, **chosen)


@pytest.mark.parametrize("square", [0, 7, 401])
def test_squares_that_nobody_could_see_are_refused(square):
    with pytest.raises(AttlasError, match=f"square is {square}: choose 8 to 400 pixels"):
        view([even()[None, None]], WORDS, kind="model", square=square)
