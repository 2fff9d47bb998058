"""The room that judges numbers: each against scipy, numpy, or a case computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, false_discovery_control, ttest_1samp

from attlas.corpora.source import ItemId
from attlas.statistics.bootstrap import drawn, interval
from attlas.statistics.corrections import holm, holm_by_key
from attlas.statistics.hypotheses import above_zero, sign_test
from attlas.statistics.ratios import ratio_and_stderr

IDS = [ItemId(n // 3, n % 3) for n in range(60)]


def whole_numbers() -> np.ndarray:
    links = np.random.default_rng(1).integers(1, 9, len(IDS))
    return np.stack([np.random.default_rng(2).binomial(links, 0.6), links]).astype(float)


def resampled(replicates: int = 4000) -> np.ndarray:
    """The ratios of `whole_numbers` in draws of documents."""
    above, below = whole_numbers() @ drawn(IDS, 0, replicates)
    return above / below


def test_a_document_is_drawn_once_on_average_on_its_own_and_as_a_whole() -> None:
    weights = drawn(IDS, 0, 2000)
    assert weights.mean() == pytest.approx(1, abs=0.02)
    assert weights.var() == pytest.approx(1, abs=0.05), "Poisson(1)"
    by_document = weights.reshape(-1, 3, 2000)  # document place draw
    assert (by_document == by_document[:, :1]).all(), "items of a document go together"
    between = np.corrcoef(by_document[:, 0])[np.triu_indices(len(by_document), 1)]
    assert np.abs(between).max() < 0.12


def test_draws_depend_on_the_seed_and_on_nothing_else() -> None:
    np.testing.assert_array_equal(drawn(IDS, 0)[::-1], drawn(IDS[::-1], 0))
    assert (drawn(IDS, 0) != drawn(IDS, 1)).any()


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
    # residuals 0, -1/2, 1/2: their sum of squares is 1/2, times 3/2, over Σ below = 8
    assert stderr == pytest.approx(np.sqrt(0.75) / 8)
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
