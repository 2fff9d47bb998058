"""The room that judges numbers: each against scipy, numpy, or a case computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, false_discovery_control, ttest_1samp

from attlas.corpora.source import ItemId
from attlas.reducers.sums import mean_and_stderr
from attlas.statistics.bootstrap import Bootstrap, ratio_interval
from attlas.statistics.corrections import holm, holm_by_key
from attlas.statistics.hypotheses import above_zero, sign_test
from attlas.statistics.ratios import ratio_and_stderr

IDS = [ItemId(n // 3, n % 3) for n in range(60)]


def resampled(ids: list[ItemId], values: np.ndarray, seed: int = 0, replicates: int = 400) -> Bootstrap:
    """`values` is value item, of all of IDS."""
    made = Bootstrap(seed, replicates)
    made.add("x", values[:, [IDS.index(i) for i in ids]], made.weights(ids))
    return made


def whole_numbers() -> np.ndarray:
    links = np.random.default_rng(1).integers(1, 9, len(IDS))
    return np.stack([np.random.default_rng(2).binomial(links, 0.6), links]).astype(float)


def test_parts_of_a_bootstrap_add_up_to_the_whole_in_any_order() -> None:
    values = whole_numbers()
    whole = resampled(IDS, values)
    for parts in ((IDS[:20], IDS[20:35], IDS[35:]), (IDS[::-2], IDS[::2][::-1])):
        merged = Bootstrap(0, 400)
        for part in parts:
            merged.merge(resampled(list(part), values))
        assert merged.sums["x"].tobytes() == whole.sums["x"].tobytes(), "counts are whole numbers: to the bit"


def test_a_bootstrap_survives_its_state_and_depends_on_the_seed() -> None:
    made = resampled(IDS, whole_numbers())
    again = Bootstrap(0, 400)
    again.restore(made.state())
    again.merge(Bootstrap(0, 400))
    np.testing.assert_array_equal(again.sums["x"], made.sums["x"])
    assert (resampled(IDS, whole_numbers(), seed=1).sums["x"] != made.sums["x"]).any()


def test_every_item_is_drawn_once_on_average_and_on_its_own() -> None:
    weights = Bootstrap(0, 2000).weights(IDS)
    assert weights.mean() == pytest.approx(1, abs=0.01)
    assert weights.var() == pytest.approx(1, abs=0.03), "Poisson(1)"
    between = np.corrcoef(weights)[np.triu_indices(len(IDS), 1)]
    assert np.abs(between).max() < 0.12


def test_the_interval_is_that_of_an_ordinary_bootstrap() -> None:
    values = whole_numbers()
    low, high = ratio_interval(*resampled(IDS, values, replicates=4000).sums["x"])
    ordinary = bootstrap(
        (values[0], values[1]),
        lambda a, b, axis: a.sum(axis) / b.sum(axis),
        paired=True, method="percentile", n_resamples=4000, random_state=0,
    ).confidence_interval  # fmt: skip
    assert (low, high) == pytest.approx((ordinary.low, ordinary.high), abs=0.01)


def test_nothing_drawn_has_no_interval() -> None:
    assert np.isnan(ratio_interval(np.zeros(5), np.zeros(5))).all()
    assert ratio_interval(np.array([1.0, 7.0]), np.array([2.0, 0.0])) == (0.5, 0.5)


def test_the_mean_and_its_standard_error() -> None:
    values = np.array([1.0, 4.0, 7.0, 7.5])
    mean, stderr = mean_and_stderr(*(np.array([v]) for v in (4.0, values.sum(), np.square(values).sum())))
    assert mean[0] == pytest.approx(values.mean())
    assert stderr[0] == pytest.approx(values.std(ddof=1) / 2)
    mean, stderr = mean_and_stderr(np.array([0.0, 1.0]), np.array([0.0, 3.0]), np.array([0.0, 9.0]))
    assert np.isnan(mean[0])
    assert mean[1] == 3
    assert np.isnan(stderr).all()


def ratio_of(above: np.ndarray, below: np.ndarray) -> tuple[float, float]:
    sums = above.sum(), below.sum(), above @ above, above @ below, below @ below
    return ratio_and_stderr(len(above), *(float(s) for s in sums))


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
    above, below = whole_numbers()
    value, stderr = ratio_of(above, below)
    low, high = ratio_interval(*resampled(IDS, whole_numbers(), replicates=4000).sums["x"])
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
    found = above_zero(
        np.array([values.mean(), 0.0, 0.5]),
        np.array([values.std(ddof=1) / 2, 0.0, np.nan]),
        np.array([4, 4, 1]),
    )
    assert found[0] == pytest.approx(ttest_1samp(values, 0, alternative="greater").pvalue)
    assert found[1:].tolist() == [1, 1], "no spread and no mean, or no standard error, is no evidence"
    assert above_zero(np.array([0.5]), np.array([0.0]), np.array([4]))[0] == pytest.approx(0)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_lies_between_nothing_and_bonferroni_and_keeps_the_order(p: list[float]) -> None:
    given_ = np.array(p)
    found = holm(given_)
    assert (found >= given_ - 1e-12).all()
    assert (found <= np.minimum(given_ * len(p), 1) + 1e-12).all()
    stricter = found >= false_discovery_control(given_, method="bh") - 1e-12
    assert stricter.all(), "stricter than Benjamini-Hochberg"
    assert (np.diff(found[np.argsort(given_, kind="stable")]) >= -1e-12).all()


def test_holm_by_hand() -> None:
    assert holm(np.array([0.01, 0.04, 0.03])).tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert holm_by_key({"a": 0.5, "b": 0.001}) == pytest.approx({"a": 0.5, "b": 0.002})
    assert holm_by_key({}) == {}
