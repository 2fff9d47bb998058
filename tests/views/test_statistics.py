"""Orders and labels for the model view."""

from __future__ import annotations

import numpy as np
import pytest

from attlas.errors import AttlasError
from attlas.views import view
from attlas.views.statistics import from_atlas


@pytest.fixture
def atlas(atlas_of):
    rows = [
        ("encoder", 0, 0, "to_next", "", 0.9),
        ("encoder", 0, 1, "to_next", "", 0.1),
        ("encoder", 0, 1, "to_class", "sep", 0.7),
        ("encoder", 0, 0, "to_class", "sep", np.nan),
        ("encoder", 0, 0, "label", "next", 1.0),
    ]
    return atlas_of(rows)


def test_an_atlas_gives_its_statistics_and_labels(atlas):
    statistics, labels = from_atlas(atlas)
    assert statistics == [
        {"name": "to class sep", "values": [("encoder", 0, 1, 0.7)]},
        {"name": "to next", "values": [("encoder", 0, 0, 0.9), ("encoder", 0, 1, 0.1)]},
    ]
    assert labels == [{"name": "next", "heads": [("encoder", 0, 0)]}]


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
