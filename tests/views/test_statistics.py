"""Orders and labels for the model view."""

from __future__ import annotations

import numpy as np
import pytest

from attlas.address import Head
from attlas.atlas import load_atlas
from attlas.errors import AttlasError
from attlas.views import view
from attlas.views.statistics import check_heads, from_atlas


@pytest.fixture
def atlas(atlas_of):
    rows = [
        ("encoder", 0, 0, "to_next", "", 0.9),
        ("encoder", 0, 1, "to_next", "", 0.1),
        ("encoder", 0, 1, "to_class", "sep", 0.7),
        ("encoder", 0, 0, "mine", "", np.nan),
        ("encoder", 0, 0, "label", "next", 1.0),
    ]
    return atlas_of(rows)


def test_an_atlas_gives_its_statistics_and_labels(atlas):
    statistics, labels = from_atlas(atlas)
    assert statistics == [
        {"name": "mine", "values": []},
        {"name": "to [SEP]", "values": [("encoder", 0, 1, 0.7)]},
        {"name": "to the next token", "values": [("encoder", 0, 0, 0.9), ("encoder", 0, 1, 0.1)]},
    ]
    assert labels == [{"name": "next", "heads": [("encoder", 0, 0)]}]


def test_an_atlas_of_another_model_is_refused(atlas, mini):
    with pytest.raises(
        AttlasError,
        match=r"x\.attlas is of another model and not of mini: it has other heads "
        r"\(2 encoder in 1 layers; mini has 144 encoder in 12 layers\)",
    ):
        view(mini, "hi", atlas=atlas)


def test_an_atlas_may_tell_of_some_kinds_only_and_have_another_name(atlas):
    own = [Head("encoder", 0, 0), Head("encoder", 0, 1)]
    check_heads(load_atlas(atlas), [*own, Head("decoder", 0, 0)], "renamed")
    for others in ([*own, Head("encoder", 1, 0)], own[:1], [Head("decoder", 0, 0), Head("decoder", 0, 1)]):
        with pytest.raises(AttlasError, match="is of another model and not of renamed"):
            check_heads(load_atlas(atlas), others, "renamed")


def test_a_folder_that_is_no_atlas_is_named(tmp_path):
    with pytest.raises(AttlasError, match="is not an atlas"):
        from_atlas(tmp_path)


def test_this_text_gives_numbers_that_can_be_computed_by_hand():
    weights = np.array([[[1.0, 0.0], [0.5, 0.5]]], dtype=np.float32)
    found = {s["name"]: s["values"][0][3] for s in view([weights], ["a", "b"]).scene["statistics"]}
    assert found == {
        "entropy (this text)": pytest.approx(np.log(2) / 2, abs=1e-4),
        "strongest weight (this text)": 0.75,
        "first token (this text)": 0.75,
        "self (this text)": 0.75,
        "previous (this text)": 0.25,
        "next (this text)": 0.0,
    }
