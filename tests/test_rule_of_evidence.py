"""The rule of evidence, by hand at each of its edges."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from attlas.atlas.catalogue.row_sentences import sure_changes
from attlas.statistics.claims import CLAIMS, least_strength
from attlas.statistics.verdicts import MOST_DOCUMENTS, VERDICTS, Estimate, estimate, judge, judge_row
from attlas.wording.numbers import percent, percent_change

SOME = 30  # documents


def share(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, low, high, SOME)


def test_there_are_four_verdicts() -> None:
    assert VERDICTS == ("shown", "small", "undecided", "not asked")


def test_what_is_large_and_surely_beyond_both_nulls_is_shown() -> None:
    judged = judge("share", share(0.62, 0.58, 0.66), p=0.001, chance=0.01, untrained=0.05)
    assert judged.shown
    assert (judged.null, judged.untrained) == (0.05, True)
    assert judged.excess.value == pytest.approx(0.57)


def test_a_size_is_reached_by_the_number_itself_and_needs_all_of_it() -> None:
    at = share(0.2, 0.15, 0.25)
    assert judge("share", at).shown
    assert judge("share", share(0.1999, 0.15, 0.25)).verdict == "undecided"


def test_an_interval_that_lies_below_the_size_shows_that_the_claim_is_small_however_sure() -> None:
    judged = judge("pattern", share(0.03, 0.029, 0.031), p=1e-9, chance=0.01)
    assert judged.verdict == "small"
    assert judged.documents == 0
    assert judge("pattern", share(0.19, 0.18, 0.2)).verdict != "small", "it touches the size"


def test_what_an_untrained_model_does_as_well_is_small_beyond_it() -> None:
    broad = judge("pattern", share(0.98, 0.97, 0.99), p=0.0, chance=0.33, untrained=0.97, perfect=1.0)
    assert broad.verdict == "undecided", "a third of the way from 0.97 to 1 might be something"
    broad = judge("pattern", share(0.972, 0.971, 0.973), p=0.0, chance=0.33, untrained=0.97, perfect=1.0)
    assert broad.verdict == "small"
    assert broad.untrained


def test_chance_is_the_null_where_the_twin_stays_below_it() -> None:
    judged = judge("share", share(0.5, 0.45, 0.55), chance=0.2, untrained=0.1)
    assert (judged.null, judged.untrained) == (0.2, False)


def test_the_error_of_the_twin_widens_the_interval() -> None:
    alone = judge("share", share(0.5, 0.47, 0.53), untrained=0.2)
    beside = judge("share", share(0.5, 0.47, 0.53), untrained=Estimate(0.2, 0.16, 0.24, SOME))
    assert alone.excess.low == pytest.approx(0.27)
    assert beside.excess.low == pytest.approx(0.3 - 0.05), "3, 4, 5"


def test_the_way_to_perfect_is_measured_from_the_null() -> None:
    judged = judge("pattern", share(0.6, 0.55, 0.65), chance=0.2, perfect=1.0)
    assert judged.excess.value == pytest.approx(0.5)
    assert (judged.excess.low, judged.excess.high) == pytest.approx((0.4375, 0.5625))
    assert judge("pattern", share(1, 1, 1), untrained=1.0, perfect=1.0).verdict == "small"


def test_a_loss_may_fall_as_well_as_rise() -> None:
    assert judge("loss", share(-0.05, -0.07, -0.03)).shown
    assert judge("loss", share(-0.05, -0.12, 0.02)).verdict == "undecided"
    assert judge("loss", share(-0.001, -0.009, 0.007)).verdict == "small"
    assert judge("loss", share(0.001, -0.011, 0.009)).verdict == "undecided", "it may fall by more"


def test_a_share_below_its_null_is_small_however_far_below() -> None:
    assert judge("share", share(0.1, 0.0, 0.2), chance=0.5).verdict == "small"


def test_a_change_is_beside_the_twin_even_where_that_is_smaller_than_chance() -> None:
    judged = judge("spread", share(0.8, 0.78, 0.82), chance=1.0, untrained=0.97)
    assert judged.untrained
    assert judged.excess.value == pytest.approx(-0.17)
    assert judged.shown


def test_what_is_large_and_may_be_chance_is_undecided_with_the_documents_that_would_decide() -> None:
    judged = judge("share", share(0.3, -0.3, 0.9))
    assert judged.verdict == "undecided"
    assert judged.documents == SOME * 4, "half the error takes four times the documents"
    assert judged.why == "it may be chance"


def test_what_may_reach_the_size_is_undecided_with_the_documents_that_would_decide() -> None:
    judged = judge("share", share(0.1, -0.1, 0.3))
    assert judged.documents == SOME * 4, "0.1 from the size, and 0.2 of error"
    assert judge("share", share(0.2 - 1e-9, 0.1, 0.3)).documents == MOST_DOCUMENTS


def test_a_corrected_p_that_is_not_small_asks_for_more_documents_than_the_interval_does() -> None:
    sure = estimate(0.3, 0.1, SOME - 1, SOME)  # 3 standard errors
    assert judge("share", sure).shown
    judged = judge("share", sure, p=0.55)
    assert judged.verdict == "undecided"
    assert 40 < judged.documents < 60, "corrected for 100 tests, 3.5 standard errors are needed"


def test_one_document_has_no_interval_and_decides_nothing() -> None:
    judged = judge("share", Estimate(0.9, documents=1))
    assert (judged.verdict, judged.documents) == ("undecided", 2)


def test_what_was_not_measured_is_not_asked_and_says_why() -> None:
    assert judge("share", Estimate(math.nan)).verdict == "not asked"
    judged = judge("explained", share(0.9, 0.8, 1.0), why_not="the head is not shown to be worth anything")
    assert judged.verdict == "not asked"
    assert "worth" in judged.why


def test_an_interval_is_students() -> None:
    student = estimate(1.0, 0.5, 9, 10)
    assert (student.low, student.high) == pytest.approx((1 - 0.5 * 2.2622, 1 + 0.5 * 2.2622), abs=1e-4)
    assert math.isnan(estimate(1.0, math.nan, 9).low)


def test_less_than_one_degree_of_freedom_counts_as_one() -> None:
    assert estimate(1.0, 0.5, 0.4).high == pytest.approx(1 + 0.5 * 12.7062, abs=1e-4)


def test_a_twin_without_an_interval_does_not_widen_that_of_the_head() -> None:
    judged = judge("share", share(0.5, 0.47, 0.53), untrained=Estimate(0.2))
    assert (judged.excess.low, judged.excess.high) == pytest.approx((0.27, 0.33))


def test_what_is_undecided_asks_for_at_least_one_more_document() -> None:
    assert judge("share", share(0.3, 0.0, 0.6)).documents == SOME + 1


def test_a_row_that_never_changed_is_small_and_one_that_changed_without_an_interval_is_undecided() -> None:
    unchanged = {"change": 0.0, "low": None, "high": None, "p": None, "changed": 0, "n": 900}
    assert judge_row("loss", unchanged).verdict == "small"
    assert judge_row("loss", {**unchanged, "changed": 3}).verdict == "undecided"
    assert judge_row("loss", {**unchanged, "change": 0.5, "low": 0.4, "high": 0.6}).shown


def test_a_row_counts_documents_and_only_without_them_items() -> None:
    row = {"change": 0.5, "low": 0.4, "high": 0.6, "p": 0.001, "n": 900}
    assert judge_row("loss", {**row, "documents": SOME}).excess.documents == SOME
    assert judge_row("loss", row).excess.documents == 900


def test_every_kind_of_claim_says_why_its_size() -> None:
    for kind in CLAIMS.values():
        assert kind.size > 0
        assert kind.reason
        assert kind.unit
    assert least_strength("previous") == 0.2
    assert least_strength("function_vector") == 0.05


def test_a_change_counts_for_a_head_where_its_scale_has_a_size_that_matters() -> None:
    """Two untrained models differ by 0.05 in what [CLS] receives, of 4.5: that is no share, nor nats."""
    row = {"group": "cls", "change": 0.06, "low": 0.05, "high": 0.07, "p": 0.0001, "n": 20}
    names = ["received", "to_class", "token_distance", "entropy"]
    changes = pd.DataFrame([{**row, "statistic": name} for name in names])
    assert sure_changes(changes, {})["statistic"].tolist() == ["to_class", "entropy"]
    assert sure_changes(changes[:0], {}).columns.tolist() == changes.columns.tolist()


@pytest.mark.parametrize(
    ("share", "said"),
    [
        *((0.0, "0.0 %"), (-1e-9, "0.0 %"), (0.0001, "<0.1 %"), (-0.0001, ">-0.1 %"), (0.701, "70.1 %")),
        *((0.9996, ">99.9 %"), (1 - 1e-7, "100.0 %"), (1.0, "100.0 %"), (math.nan, "–")),
    ],
)
def test_only_nothing_is_0_percent_and_only_all_of_it_is_100(share: float, said: str) -> None:
    assert percent(share) == said


def test_a_change_too_small_to_write_has_no_sign() -> None:
    assert [percent_change(c) for c in (-0.0001, 0.0, 0.17, -0.002)] == [
        *("within 0.1 %", "within 0.1 %", "+17.0 %", "-0.2 %")
    ]
