"""Orders and names for the model view."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from attlas import view
from attlas.address import Head
from attlas.atlas import load_atlas
from attlas.errors import AttlasError
from attlas.views.atlas_data import check_heads, from_atlas
from attlas.views.head_names import names_of


@pytest.fixture
def atlas(atlas_of):
    rows = [
        ("encoder", 0, 0, "to_next", "", 0.9),
        ("encoder", 0, 1, "to_next", "", 0.1),
        ("encoder", 0, 1, "to_class", "sep", 0.7),
        ("encoder", 0, 0, "mine", "", np.nan),
        ("encoder", 0, 0, "behaviour", "next", 1.0),
    ]
    return atlas_of(rows)


def test_an_atlas_gives_its_statistics_and_old_labels_are_behaviours(atlas):
    statistics, names = from_atlas(atlas)
    assert statistics == [
        {
            "name": "to the next token",
            "first": "largest",
            "values": [("encoder", 0, 0, 0.9), ("encoder", 0, 1, 0.1)],
        },
        {"name": "to [SEP]", "first": "largest", "values": [("encoder", 0, 1, 0.7)]},
    ]
    assert [(name["kind"], name["name"], name["heads"]) for name in names] == [
        ("behaviour", "next", [("encoder", 0, 0, 1.0)])
    ]


def test_a_score_comes_before_its_yardstick(atlas_of):
    names = ("pattern_null", "pattern_score", "entropy")
    rows = [("encoder", 0, 0, name, "induction" * name.startswith("pattern"), 0.5) for name in names]
    statistics, _ = from_atlas(atlas_of(rows))
    assert [statistic["name"] for statistic in statistics] == ["entropy", "induction", "induction, null"]


def test_names_of_three_kinds_are_kept_apart_with_their_confidence(atlas_of):
    rows = [
        ("encoder", 0, 0, "to_next", "", 0.9),
        ("encoder", 0, 0, "pattern", "previous", 0.8),
        ("encoder", 0, 0, "second_pattern", "induction", 0.3),
        ("encoder", 0, 0, "behaviour", "previous", 0.9),
        ("encoder", 0, 1, "pattern", "none", 0.6),
        ("encoder", 0, 1, "shape", "vertical", 0.7),
    ]
    statistics, names = from_atlas(atlas_of(rows))
    assert [statistic["name"] for statistic in statistics] == ["to the next token"]
    heads = {(name["kind"], name["name"]): (name["heads"], name["second"]) for name in names}
    assert heads == {
        ("behaviour", "previous"): ([("encoder", 0, 0, 0.9)], []),
        ("pattern", "induction"): ([], [("encoder", 0, 0, 0.3)]),
        ("pattern", "previous"): ([("encoder", 0, 0, 0.8)], []),
        ("pattern", "none"): ([("encoder", 0, 1, 0.6)], []),
        ("shape", "vertical"): ([("encoder", 0, 1, 0.7)], []),
    }
    colours = {name["light"] for name in names if name["kind"] == "pattern"}
    assert len(colours) == 3


def test_of_two_chapters_that_name_a_head_the_first_is_right():
    columns = ["kind", "layer", "head", "statistic", "group", "value"]
    rows = [("decoder", 1, 2, "pattern", "sink", 0.5), ("decoder", 1, 2, "pattern", "induction", 0.9)]
    (name,) = names_of(pd.DataFrame(rows, columns=columns))
    assert (name["name"], name["heads"]) == ("sink", [("decoder", 1, 2, 0.5)])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"pattern": "sink"}, "no head has the pattern 'sink': known are induction"),
        ({"behaviour": "next"}, "no head has the behaviour 'next': known are none: give an atlas"),
        ({"colour": "shape"}, "heads cannot be coloured by shape: no atlas names the shapes"),
        ({"colour": "mood"}, "colour='mood': should be 'head', 'behaviour', 'pattern' or 'shape'"),
    ],
)
def test_names_that_no_head_has_are_refused(atlas_of, random_maps, wrong, said):
    path = atlas_of([("encoder", 0, 0, "pattern", "induction", 0.9)])
    with pytest.raises(AttlasError, match=said):
        view(list(random_maps(1, 1, 3)), list("abc"), kind="model", atlas=path, **wrong)


def test_an_atlas_of_another_model_is_refused(atlas, mini):
    with pytest.raises(
        AttlasError,
        match=r"x\.attlas is of another model and not of mini: it has other heads "
        r"\(2 encoder in 1 layers; mini has 144 encoder in 12 layers\)",
    ):
        view(mini, "hi", atlas=atlas)


def test_an_atlas_may_tell_of_some_kinds_only_and_have_another_name(atlas):
    heads = [Head("encoder", 0, 0), Head("encoder", 0, 1)]
    check_heads(load_atlas(atlas), [*heads, Head("decoder", 0, 0)], "renamed")
    for others in (
        [*heads, Head("encoder", 1, 0)],
        heads[:1],
        [Head("decoder", 0, 0), Head("decoder", 0, 1)],
    ):
        with pytest.raises(AttlasError, match="is of another model and not of renamed"):
            check_heads(load_atlas(atlas), others, "renamed")


def test_a_folder_that_is_no_atlas_is_named(tmp_path):
    with pytest.raises(AttlasError, match="is not an atlas"):
        from_atlas(tmp_path)


def test_this_text_gives_numbers_that_can_be_computed_by_hand():
    weights = np.array([[[0.5, 0.5], [0.25, 0.75]]], dtype=np.float32)
    values = {s["name"]: s["values"][0][3] for s in view([weights], ["a", "b"]).scene["statistics"]}
    entropy = (np.log(2) - 0.25 * np.log(0.25) - 0.75 * np.log(0.75)) / 2
    assert values == {
        "entropy (this text)": pytest.approx(entropy, abs=1e-4),
        "strongest weight (this text)": 0.625,
        "first token (this text)": 0.375,
        "self (this text)": 0.625,
        "previous (this text)": 0.25,
        "next (this text)": 0.5,
    }


def test_a_perfect_next_token_head_is_one_whatever_the_length():
    weights = np.eye(5, k=1, dtype=np.float32)
    weights[-1, 0] = 1
    values = {s["name"]: s["values"][0][3] for s in view([weights[None]], list("abcde")).scene["statistics"]}
    assert values["next (this text)"] == 1


def test_what_a_causal_head_cannot_do_is_not_listed():
    names = [s["name"] for s in view([np.tri(3)[None] / [[1], [2], [3]]], list("abc")).scene["statistics"]]
    assert "next (this text)" not in names
    assert "previous (this text)" in names


@pytest.mark.parametrize("name", ["mini", "llama", "mpnet"])
def test_a_view_says_of_a_head_what_a_map_of_that_input_says(subject_of, name):
    """From the model, and from its tensors: each equals the reducers' mean over that one segment."""
    from attlas.reducers.surface_statistics import surface
    from attlas.tap import Tap, capture
    from attlas.views.text_measures import NAMES

    subject = subject_of(name)
    batch = subject.encode("I went to the store.")
    measured = surface(subject.classes)
    with Tap(subject, [measured]) as tap:
        tap.run(batch)
    mapped = {
        (NAMES[row.statistic, row.group], row.kind, row.layer, row.head): row.value
        for row in measured.rows()
        if (row.statistic, row.group) in NAMES
    }
    tensors = [captured.weights for captured in capture(subject, batch)]
    tokens = subject.strings(next(iter(batch.sides.values())))
    for made in (view(subject, "I went to the store."), view(tensors, tokens)):
        assert made.scene["statistics"]
        for statistic in made.scene["statistics"]:
            measure = statistic["name"].removesuffix(" (this text)")
            for kind, layer, head, value in statistic["values"]:
                # five digits travel
                assert value == pytest.approx(mapped[measure, kind, layer, head], abs=1.1e-5)
