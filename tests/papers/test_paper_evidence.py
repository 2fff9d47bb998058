"""What the surface chapters of an atlas say, as items have it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from attlas.atlas import load_atlas
from attlas.papers.clark2019 import CURVES
from attlas.papers.pace import Pace, measure_pace
from attlas.papers.paper_curves import alike_items
from attlas.papers.paper_evidence import ChapterNumbers, PaperEvidence, at_depth, name_head, name_layers
from attlas.papers.runs import Run
from attlas.subject import Subject

ATLAS = load_atlas(Path(__file__).parents[1] / "data/ask/mini.attlas")
SURFACE = ChapterNumbers(ATLAS, ATLAS.first_surface() or "", "encoder")


def test_the_best_head_has_an_interval_for_all_heads_at_once() -> None:
    best = SURFACE.best("to_next")
    layer, head = (int(part) for part in best.where.split(" ")[0].split("."))
    assert best.where == name_head(layer, head) == f"{layer}.{head} ({layer + 1}-{head + 1})"
    assert best.value == SURFACE.grid("to_next").max()
    alone = SURFACE.at(layer, head, "to_next")
    assert best.bounds[0] < alone.bounds[0] < alone.value < alone.bounds[1] < best.bounds[1]


def test_the_second_head_comes_after_the_best() -> None:
    values = np.sort(SURFACE.grid("to_next"), axis=None)
    assert [SURFACE.best("to_next", rank=rank).value for rank in (0, 1)] == [values[-1], values[-2]]


def test_heads_above_a_threshold_are_counted() -> None:
    above = int((SURFACE.grid("to_next") > 0.5).sum())
    assert SURFACE.count_above(0.5, "to_next").startswith(f"{above} heads here")


def test_layers_are_named_from_0_and_from_1() -> None:
    assert name_layers(range(5, 10)) == "layers 5 to 9 (6 to 10)"
    assert name_layers([11]) == "layer 11 (12)"


@pytest.mark.parametrize(
    ("first", "last", "layers", "expected"),
    [(6, 10, 12, range(5, 10)), (6, 10, 6, range(2, 5)), (1, 1, 6, range(1))],
)
def test_layers_lie_as_deep_as_those_of_bert_base(
    first: int, last: int, layers: int, expected: range
) -> None:
    assert at_depth(first, last, layers) == expected


def test_two_models_are_alike_where_their_curves_have_one_course() -> None:
    alone = PaperEvidence(ATLAS)
    (unasked,) = alike_items(alone, CURVES)
    assert unasked.verdict == "not asked"
    assert "name the other" in unasked.why
    beside = replace(alone, beside=alone)
    asked = [item for item in alike_items(beside, CURVES) if not item.not_asked]
    assert asked, "some curve is not flat"
    for item in asked:
        assert item.corrected is not None
        assert item.corrected.value == pytest.approx(0.9999), "a model is like itself"


def test_time_that_others_take_counts_for_what_runs_beside_the_model() -> None:
    run = Run("map", "where heads look", 10, fixed=3)
    assert run.seconds(Pace(once=0.5)) == 8
    assert run.seconds(Pace(once=0.5, busy=4)) == 17


def test_the_pace_is_that_of_a_segment(mini: Subject) -> None:
    pace = measure_pace(mini)
    assert pace.once > 0
    assert pace.busy > 0
