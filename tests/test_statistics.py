"""The room that judges numbers: each against scipy, numpy, or a case computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, false_discovery_control, t, ttest_1samp

from attlas.corpora.source import ItemId
from attlas.statistics.bootstrap import draw_counts, interval
from attlas.statistics.clusters import ratio_and_stderr
from attlas.statistics.hypotheses import (
    above_zero,
    holm,
    holm_by_key,
    not_zero,
    probability_above,
    sign_test,
    student_interval,
)

IDS = [ItemId(n // 3, n % 3) for n in range(60)]


def whole_numbers() -> np.ndarray:
    links = np.random.default_rng(1).integers(1, 9, len(IDS))
    return np.stack([np.random.default_rng(2).binomial(links, 0.6), links]).astype(float)


def resampled(replicates: int = 4000) -> np.ndarray:
    """The ratios of `whole_numbers` in draws of documents."""
    above, below = whole_numbers() @ draw_counts(IDS, 0, replicates)
    return above / below


def test_a_document_is_drawn_once_on_average_on_its_own_and_as_a_whole() -> None:
    weights = draw_counts(IDS, 0, 2000)
    assert weights.mean() == pytest.approx(1, abs=0.02)
    assert weights.var() == pytest.approx(1, abs=0.05), "Poisson(1)"
    by_document = weights.reshape(-1, 3, 2000)  # document place draw
    assert (by_document == by_document[:, :1]).all(), "items of a document go together"
    between = np.corrcoef(by_document[:, 0])[np.triu_indices(len(by_document), 1)]
    assert np.abs(between).max() < 0.12


def test_draws_depend_on_the_seed_and_on_nothing_else() -> None:
    np.testing.assert_array_equal(draw_counts(IDS, 0)[::-1], draw_counts(IDS[::-1], 0))
    assert (draw_counts(IDS, 0) != draw_counts(IDS, 1)).any()


def test_the_draws_of_a_document_and_seed_stay_what_they_are() -> None:
    """Or an interval would change from one version to the next, and two models would not be paired."""
    assert draw_counts([ItemId(0, 0), ItemId(1, 0)], 0, 8).tolist() == [
        [0, 1, 1, 0, 1, 0, 1, 0],
        [0, 4, 2, 0, 1, 3, 2, 1],
    ]
    assert draw_counts([ItemId(1, 0)], 1, 8).tolist() == [[0, 1, 1, 0, 0, 0, 2, 0]]


def test_an_interval_leaves_as_many_draws_out_on_either_side() -> None:
    draws = np.random.default_rng(0).permutation(1001).astype(float)
    assert interval(draws) == pytest.approx((25, 975))
    assert interval(draws, 0.5) == pytest.approx((250, 750))


def test_the_interval_is_that_of_an_ordinary_bootstrap_of_documents() -> None:
    above, below = whole_numbers().reshape(2, -1, 3).sum(-1)
    low, high = interval(resampled())
    ordinary = bootstrap(
        (above, below),
        lambda a, b, axis: a.sum(axis) / b.sum(axis),
        paired=True, method="percentile", n_resamples=4000, random_state=0,
    ).confidence_interval  # fmt: skip
    assert (low, high) == pytest.approx((ordinary.low, ordinary.high), abs=0.01)


def test_nothing_drawn_has_no_interval() -> None:
    assert np.isnan(interval(np.full(5, np.nan))).all()
    assert interval(np.array([0.5, np.nan])) == (0.5, 0.5)


def ratio_of(above: np.ndarray, below: np.ndarray) -> tuple[float, float]:
    sums = above.sum(), below.sum(), above @ above, above @ below, below @ below
    value, stderr = ratio_and_stderr(len(above), *sums)
    return float(value), float(stderr)


def test_the_standard_error_of_a_ratio_by_hand() -> None:
    above, below = np.array([1.0, 0.0, 3.0]), np.array([2.0, 1.0, 5.0])
    value, stderr = ratio_of(above, below)
    assert value == 0.5
    # residuals 0, -1/2, 1/2: their sum of squares is 1/2. 8² / (4 + 1 + 25) units of equal size say as much
    units = 64 / 30
    assert stderr == pytest.approx(np.sqrt(units / (units - 1) / 2) / 8)
    ones = np.ones(3)
    assert ratio_of(above, ones)[1] == pytest.approx(above.std(ddof=1) / np.sqrt(3)), "units of one part each"
    assert np.isnan(ratio_of(above[:1], below[:1])[1])
    assert np.isnan(ratio_and_stderr(0, 0, 0, 0, 0, 0)).all()


def test_the_standard_error_agrees_with_the_bootstrap() -> None:
    """Two ways to the same uncertainty: resampling units, and the linearised ratio."""
    value, stderr = ratio_of(*whole_numbers().reshape(2, -1, 3).sum(-1))
    low, high = interval(resampled())
    assert low < value < high
    assert (high - low) / (2 * 1.96) == pytest.approx(stderr, rel=0.1)


@pytest.mark.parametrize(("better", "worse"), [(0, 5), (3, 3), (9, 1), (400, 10), (1, 0)])
def test_the_sign_test_is_the_exact_binomial_test(better: int, worse: int) -> None:
    expected = binomtest(better, better + worse, alternative="greater").pvalue
    assert sign_test(np.array([better]), np.array([worse]))[0] == pytest.approx(expected, rel=1e-9)


def test_a_sign_test_where_nothing_is_decided_finds_nothing() -> None:
    assert sign_test(np.zeros(1), np.zeros(1))[0] == 1


def test_above_zero_is_students_one_sided_test() -> None:
    values = np.array([0.2, -0.1, 0.4, 0.3])
    p_values = above_zero(
        np.array([values.mean(), 0.0, 0.5]),
        np.array([values.std(ddof=1) / 2, 0.0, np.nan]),
        np.array([3, 3, 1]),
    )
    assert p_values[0] == pytest.approx(ttest_1samp(values, 0, alternative="greater").pvalue)
    assert p_values[1:].tolist() == [1, 1], "no spread and no mean, or no standard error, is no evidence"
    assert above_zero(np.array([0.5]), np.array([0.0]), np.array([3]))[0] == pytest.approx(0)


def test_a_two_sided_test_of_no_change_or_without_a_spread() -> None:
    """No change is no evidence; a change that is the same everywhere is beyond doubt, up or down."""
    changes, errors = np.array([0.0, np.nan, 0.5, -0.5, 0.5]), np.array([0.0, np.nan, 0.0, 0.0, np.nan])
    assert not_zero(changes, errors, np.full(5, 3.0)).tolist() == [1, 1, 0, 0, 1]


def test_how_surely_a_mean_lies_above_a_limit() -> None:
    values = np.array([0.2, 0.1, 0.4, 0.3, 0.6])
    stderr = values.std(ddof=1) / np.sqrt(5)
    above = ttest_1samp(values, 0.25, alternative="greater").pvalue
    assert probability_above(values.mean(), stderr, 4, 0.25) == pytest.approx(1 - above)
    assert probability_above(0.3, 0.0, 4, 0.25) == probability_above(0.25, 0.0, 4, 0.25) == 1
    assert probability_above(0.2, float("nan"), 4, 0.25) == 0


def test_the_best_of_several_has_the_interval_in_which_all_would_lie() -> None:
    """Bonferroni: of ten, each at 99.5 %."""
    low, high = student_interval(1.0, 0.5, 7, among=10)
    half = 0.5 * t.ppf(1 - 0.005 / 2, 7)
    assert (float(low), float(high)) == pytest.approx((1 - half, 1 + half))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_lies_between_nothing_and_bonferroni_and_keeps_the_order(p: list[float]) -> None:
    plain = np.array(p)
    adjusted = holm(plain)
    assert (adjusted >= plain - 1e-12).all()
    assert (adjusted <= np.minimum(plain * len(p), 1) + 1e-12).all()
    stricter = adjusted >= false_discovery_control(plain, method="bh") - 1e-12
    assert stricter.all(), "stricter than Benjamini-Hochberg"
    assert (np.diff(adjusted[np.argsort(plain, kind="stable")]) >= -1e-12).all()


def test_holm_by_hand() -> None:
    assert holm(np.array([0.01, 0.04, 0.03])).tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert holm_by_key({"a": 0.5, "b": 0.001}) == pytest.approx({"a": 0.5, "b": 0.002})
    assert holm_by_key({}) == {}
