"""The verdict on an item follows from its numbers by one rule."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from attlas.atlas import load_atlas
from attlas.papers import clark2019
from attlas.papers.paper_items import Measured, PaperEvidence, PaperItem, Reported

ATLAS = Path(__file__).parents[1] / "data/ask/mini.attlas"

CLAIM = PaperItem(
    "Figure 2", "share on [SEP]", Reported("0.50", 0.50, 0.02), corrected=Measured(0.51, 0.49, 0.53)
)


def test_a_number_in_the_interval_is_within() -> None:
    assert CLAIM.verdict == "within"


def test_a_wrong_constant_flips_the_verdict() -> None:
    assert replace(CLAIM, reported=Reported("0.60", 0.60, 0.02)).verdict == "differs"


def test_a_wrong_constant_of_a_paper_flips_the_verdict_on_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = PaperEvidence(load_atlas(ATLAS))
    surface = evidence.numbers()
    assert surface is not None
    measured = surface.over([3], "to_class", "sep").value

    def verdict(constant: float) -> str:
        values = tuple(constant if layer == 3 else 0.5 for layer in range(12))
        monkeypatch.setattr(clark2019, "FIGURE_2", {("to_class", "sep"): ("share on [SEP]", values)})
        return next(
            item.verdict for item in clark2019.items(evidence) if item.what == "share on [SEP], layer 4"
        )

    assert verdict(measured) == "within"
    assert verdict(measured + 0.5) == "differs: cause known"


def test_how_exactly_the_paper_is_known_widens_the_interval() -> None:
    near = replace(CLAIM, corrected=Measured(0.53, 0.515, 0.545))
    assert near.verdict == "within"
    assert replace(near, reported=Reported("0.50", 0.50, 0.01)).verdict == "differs"


def test_the_originals_own_definition_may_agree_where_ours_does_not() -> None:
    item = replace(CLAIM, corrected=Measured(0.7, 0.69, 0.71), faithful=Measured(0.5))
    assert item.verdict == "within"


def test_another_size_on_the_same_side_of_chance_is_the_same_direction() -> None:
    assert replace(CLAIM, corrected=Measured(0.2, 0.15, 0.25), chance=0.1).verdict == "same direction"
    assert (
        replace(CLAIM, corrected=Measured(0.05, 0.04, 0.06), chance=0.1, below=True).verdict
        == "same direction"
    )


def test_an_interval_with_chance_in_it_decides_nothing() -> None:
    wide = Measured(0.5, 0.05, 0.95)
    assert replace(CLAIM, corrected=wide, chance=0.1).verdict == "undecided"


def test_the_papers_number_is_no_agreement_on_the_other_side_of_chance() -> None:
    """A head of 66 % where a fixed offset has 83 says the reverse of one of 70 where it has 70."""
    item = replace(CLAIM, corrected=Measured(0.5, 0.45, 0.55), chance=0.8)
    assert item.verdict == "differs"
    assert replace(item, below=True).verdict == "within"


def test_where_no_answer_changed_nothing_is_decided() -> None:
    assert replace(CLAIM, corrected=Measured(0.0), chance=0.0).verdict == "undecided"


def test_the_other_side_of_chance_differs_and_says_why_where_that_is_known() -> None:
    item = replace(CLAIM, corrected=Measured(0.05, 0.04, 0.06), chance=0.1)
    assert item.verdict == "differs"
    known = replace(item, causes=("another model: mini is not BERT-base",))
    assert (known.verdict, known.why) == ("differs: cause known", "another model: mini is not BERT-base")


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"missing": "no treebank"}, "data missing"),
        ({"incomparable": "6 layers, not 12"}, "not comparable"),
        ({"corrected": None}, "not comparable"),
    ],
)
def test_what_was_not_measured_has_no_verdict_of_agreement(changes: dict[str, object], verdict: str) -> None:
    assert replace(CLAIM, **changes).verdict == verdict  # type: ignore[arg-type]
