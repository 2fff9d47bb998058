"""The verdict on an item follows from its numbers by the rule of evidence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from attlas.papers.paper_curves import correlation
from attlas.papers.paper_items import UNTRAINED_TOO, Measured, PaperItem, Reported

CLAIM = PaperItem(
    "Figure 1",
    "share on [SEP]",
    Reported("more than half"),
    "share",
    corrected=Measured(0.62, 0.58, 0.66, documents=29),
)
NUMBER = PaperItem(
    "Figure 2",
    "share on [SEP]",
    Reported("0.50", 0.50, 0.02),
    corrected=Measured(0.51, 0.49, 0.53),
    agrees=True,
)


def test_a_claim_holds_beyond_its_nulls_by_the_size_that_matters() -> None:
    assert CLAIM.verdict == "holds"
    assert replace(CLAIM, chance=0.5).verdict == "does not hold", "0.12 beyond chance is less than a fifth"
    assert replace(CLAIM, untrained=Measured(0.5, 0.49, 0.51)).verdict == "does not hold"
    assert replace(CLAIM, chance=0.4, corrected=Measured(0.62, 0.3, 0.9, documents=29)).verdict == "undecided"


def test_a_gain_of_nothing_is_no_direction() -> None:
    tiny = replace(CLAIM, corrected=Measured(0.00826, 0.00825, 0.00827), chance=0.008)
    assert tiny.verdict == "does not hold"


def test_a_threshold_that_the_paper_words_must_be_reached() -> None:
    assert replace(CLAIM, threshold=0.5).verdict == "holds"
    assert replace(CLAIM, threshold=0.9).verdict == "does not hold"
    wide = Measured(0.62, 0.3, 0.94, documents=29)
    undecided = replace(CLAIM, threshold=0.9, corrected=wide)
    assert undecided.verdict == "undecided"
    assert "documents would decide, 29 read" in undecided.why


def test_a_number_agrees_where_its_whole_interval_is_near_the_papers() -> None:
    assert NUMBER.verdict == "holds"
    assert replace(NUMBER, reported=Reported("0.60", 0.60, 0.02)).verdict == "does not hold"
    wide = replace(NUMBER, corrected=Measured(0.51, 0.3, 0.72, documents=20))
    assert wide.verdict == "undecided", "a wide interval has the paper's number in it, and shows nothing"


def test_how_exactly_the_paper_is_known_widens_what_agrees() -> None:
    near = replace(NUMBER, corrected=Measured(0.58, 0.56, 0.6))
    assert near.verdict == "does not hold"
    assert replace(near, reported=Reported("0.50", 0.50, 0.06)).verdict == "holds"


def test_a_number_that_the_untrained_twin_has_too_is_not_asked() -> None:
    alike = replace(NUMBER, untrained=Measured(0.5))
    assert (alike.verdict, alike.why) == ("not asked", UNTRAINED_TOO)
    assert replace(NUMBER, untrained=Measured(0.2)).verdict == "holds"
    lost = replace(alike, corrected=Measured(0.8, 0.78, 0.82))
    assert lost.verdict == "does not hold", "what training takes away was learned"
    assert replace(alike, corrected=Measured(0.5, 0.2, 0.8)).verdict == "not asked"


def test_a_claim_that_goes_down_is_judged_from_the_other_side() -> None:
    falls = PaperItem(
        "x", "loss", Reported("less"), "loss", corrected=Measured(-0.03, -0.04, -0.02), below=True
    )
    assert falls.verdict == "holds"
    assert replace(falls, corrected=Measured(0.03, 0.02, 0.04)).verdict == "does not hold", "the other way"
    assert replace(falls, corrected=Measured(-0.001, -0.002, 0.0)).verdict == "does not hold", "too small"
    ratio = PaperItem("x", "ratio", Reported("near 0"), "pattern", chance=1.0, below=True, perfect=0.0)
    assert replace(ratio, corrected=Measured(0.3, 0.2, 0.4)).verdict == "holds"
    assert replace(ratio, corrected=Measured(0.9, 0.85, 0.95)).verdict == "does not hold"


def test_percent_are_judged_as_shares() -> None:
    item = PaperItem("Table 1", "det", Reported("94.3", 94.3), "gain", unit="percent", chance=51.7)
    best = replace(item, corrected=Measured(79.8, 76.0, 83.6))
    assert best.verdict == "holds"
    assert best.beside_paper == "the paper's number is higher"
    assert replace(best, corrected=Measured(54.0, 48.0, 60.0)).verdict == "undecided"
    paired = replace(best, corrected=Measured(54.0, 48.0, 60.0), gain=Measured(2.3, 1.0, 3.6))
    assert paired.verdict == "does not hold", "the gain was measured on the same sentences"


def test_one_text_is_judged_by_size_alone_and_says_so() -> None:
    alone = replace(CLAIM, corrected=None, faithful=Measured(0.9))
    assert (alone.verdict, alone.why) == ("holds", "by size alone: one text has no interval")


def test_what_was_not_measured_says_why() -> None:
    unasked = replace(CLAIM, not_asked="data missing: no treebank")
    assert (unasked.verdict, unasked.why) == ("not asked", "data missing: no treebank")
    assert replace(CLAIM, corrected=None).verdict == "not asked"


def test_causes_are_named_where_a_claim_does_not_hold() -> None:
    item = replace(CLAIM, chance=0.6, causes=("another treebank",))
    assert (item.verdict, item.why) == ("does not hold", "another treebank")
    assert replace(CLAIM, causes=("another treebank",)).why == ""


def test_a_curve_is_graded_by_its_course_over_layers() -> None:
    papers = np.array([0.03, 0.05, 0.08, 0.22, 0.50, 0.55, 0.54, 0.57, 0.58, 0.47, 0.05, 0.08])
    noise = np.random.default_rng(0).normal(0, 0.02, 12)
    item = PaperItem("Figure 2", "course", Reported("a curve"), "curve")
    alike = correlation(papers, papers + noise)
    assert alike.value == pytest.approx(float(np.corrcoef(papers, papers + noise)[0, 1]))
    assert replace(item, corrected=alike).verdict == "holds"
    assert replace(item, corrected=correlation(papers, papers[::-1] * 0 + noise)).verdict != "holds"
    assert replace(item, corrected=correlation(papers, 1 - papers)).verdict == "does not hold"
    low, high = alike.bounds
    plain = np.tanh(np.arctanh(alike.value) + np.array([-1.96, 1.96]) / 3)
    assert low < plain[0] < plain[1] < high, "neighbouring layers are alike: fewer than 12 to go by"
