"""Standard errors, intervals and tests are over documents: against plain formulas over items, and in
simulations where the truth is known."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

import naive
import reference
from attlas.corpora.batches import Batch
from attlas.corpora.halves import Half
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId
from attlas.reducers.reducer import ItemMeans
from attlas.statistics.clusters import Estimates, estimates, moments_by_document
from attlas.statistics.hypotheses import most_unseen, not_zero, probability_above, student_interval
from attlas.studies.disabling.outcomes import LOSS, Metric, Outcomes, changes
from attlas.studies.disabling.screening import HalfCounts
from attlas.studies.links.accuracy import LinkAccuracy
from attlas.studies.patterns.pattern_scores import PatternScores
from attlas.subject import Subject
from attlas.tap.observation import Observation
from listed import REDUCERS, observe, rows_of, windows_of

#: of seven items: documents of three, two, one and one
DOCUMENTS = (0, 0, 0, 1, 1, 2, 5)


def in_documents(items: Sequence[Any]) -> list[Any]:
    """The same items, as if they came from few documents."""
    places: dict[int, int] = defaultdict(int)
    moved = []
    for item, document in zip(items, DOCUMENTS, strict=True):
        moved.append(replace(item, id=ItemId(document, places[document])))
        places[document] += 1
    return moved


def batch_of(ids: Sequence[ItemId], ends: frozenset[int] | None = None) -> Batch:
    return Batch({}, {}, tuple(ids), ends=ends)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.floats(0, 1)), min_size=1, max_size=24), st.integers(1, 5))
def test_a_mean_and_its_error_do_not_depend_on_batches_or_when_documents_end(
    items: list[tuple[int, float]], size: int
) -> None:
    ids = [ItemId(document, place) for place, (document, _) in enumerate(items)]
    values = torch.tensor([[value] for _, value in items], dtype=torch.float64)
    every = torch.ones(1, 1, dtype=torch.bool)
    without_ends, with_ends = ItemMeans(), ItemMeans()
    for start in range(0, len(items), size):
        here, later = ids[start : start + size], {item.document for item in ids[start + size :]}
        ends = frozenset({item.document for item in here} - later)
        without_ends.add_items("x", values[start : start + size], every, batch_of(here))
        with_ends.add_items("x", values[start : start + size], every, batch_of(here, ends))
    assert not with_ends.open["x"].places, "documents that ended are forgotten"
    mean, stderr = reference.clustered([v for _, v in items], [d for d, _ in items])
    for reducer in (without_ends, with_ends):
        known = reducer.mean("x").at(0)
        assert known[0] == pytest.approx(mean, abs=1e-12)
        assert known[1] == pytest.approx(stderr, abs=1e-7, nan_ok=True)
        assert known[2:] == (len(items), len({d for d, _ in items}))
    plain = estimates(moments_by_document(np.array([v for _, v in items]), ids))
    assert (float(plain.mean), float(plain.stderr)) == pytest.approx((mean, stderr), abs=1e-7, nan_ok=True)


def test_the_place_of_a_document_that_ended_is_free_for_the_next() -> None:
    """The first document ends while the second goes on, and a third begins; then both end."""
    reducer = ItemMeans()
    every = torch.ones(1, 1, dtype=torch.bool)
    shown = [
        ([(0, 0, 3.0), (1, 0, 5.0)], frozenset[int]()),
        ([(0, 1, 4.0), (1, 1, 1.0), (2, 0, 7.0)], frozenset({0})),
        ([(1, 2, 2.0), (2, 1, 9.0), (3, 0, 6.0)], frozenset({1, 2, 3})),
    ]
    for items, ends in shown:
        values = torch.tensor([[value] for _, _, value in items])
        ids = [ItemId(document, place) for document, place, _ in items]
        reducer.add_items("x", values, every, batch_of(ids, ends))
    values_of = [value for items, _ in shown for _, _, value in items]
    documents = [document for items, _ in shown for document, _, _ in items]
    mean, stderr = reference.clustered(values_of, documents)
    assert reducer.mean("x").at(0) == pytest.approx((mean, stderr, 8, 4))


def test_items_that_do_not_count_are_in_no_document() -> None:
    reducer = ItemMeans()
    ids = [ItemId(0, 0), ItemId(0, 1), ItemId(1, 0), ItemId(2, 0)]
    values = torch.tensor([[1.0], [2.0], [9.0], [4.0]])
    reducer.add_items("x", values, torch.tensor([[True], [True], [False], [True]]), batch_of(ids))
    mean, stderr = reference.clustered([1.0, 2.0, 4.0], [0, 0, 2])
    assert reducer.mean("x").at(0) == pytest.approx((mean, stderr, 3, 2))


def test_where_documents_have_one_item_errors_are_the_usual_ones() -> None:
    values = np.random.default_rng(0).normal(1, 1, 12)
    known = estimates(moments_by_document(values, [ItemId(n, 0) for n in range(12)]))
    usual = ttest_1samp(values, 0)
    assert float(known.stderr) == pytest.approx(values.std(ddof=1) / math.sqrt(12))
    low, high = student_interval(known.mean, known.stderr, known.degrees)
    assert (float(low), float(high)) == pytest.approx(tuple(usual.confidence_interval()))
    assert float(not_zero(known.mean, known.stderr, known.degrees)) == pytest.approx(usual.pvalue)
    greater = ttest_1samp(values, 0, alternative="greater").pvalue
    degrees = float(known.degrees)
    assert 1 - probability_above(float(known.mean), float(known.stderr), degrees) == pytest.approx(greater)


def test_one_document_has_the_errors_of_its_items_and_says_so() -> None:
    values = np.array([1.0, 2.0, 4.0])
    known = estimates(moments_by_document(values, [ItemId(7, n) for n in range(3)]))
    assert known.at()[1:] == pytest.approx((values.std(ddof=1) / math.sqrt(3), 3, 1))
    assert float(known.degrees) == 2


def test_several_means_at_once_are_each_its_own() -> None:
    """Of documents of three, one and two items."""
    ids = [ItemId(d, place) for d, n in enumerate((3, 1, 2)) for place in range(n)]
    values = np.random.default_rng(0).normal(size=(2, 3, len(ids)))
    known = estimates(moments_by_document(values, ids))
    assert known.mean.shape == (2, 3)
    for place in np.ndindex(2, 3):
        mean, stderr = reference.clustered(values[place].tolist(), [item.document for item in ids])
        assert known.at(*place) == pytest.approx((mean, stderr, 6, 3))


def test_degrees_of_freedom_are_effective_documents_less_one_or_items_less_one_of_one_document() -> None:
    items, documents = np.array([9.0, 9, 4, 1]), np.array([5.0, 2, 1, 1])
    known = Estimates(np.zeros(4), np.zeros(4), items, documents, np.array([4.5, 1.8, 1, 1]))
    assert known.degrees.tolist() == [3.5, 1, 3, 1]


def test_documents_of_equal_size_all_count_and_one_large_one_counts_for_most() -> None:
    def effective(*sizes: int) -> float:
        ids = [ItemId(d, place) for d, n in enumerate(sizes) for place in range(n)]
        return float(estimates(moments_by_document(np.arange(float(len(ids))), ids)).effective)

    assert effective(3, 3, 3, 3) == 4
    assert effective(7, 1, 1, 1) == pytest.approx(100 / 52)
    assert effective(5) == 1


def simulated(heads: int, documents: int, shared: float, seed: int) -> tuple[Estimates, Estimates]:
    """Heads whose true mean is 0, over documents of 2 to 12 segments. `shared` is the part of a segment's
    variance that belongs to its document. The estimates over documents, and as if segments were
    independent."""
    rng = np.random.default_rng(seed)
    ids = [ItemId(d, place) for d in range(documents) for place in range(rng.integers(2, 13))]
    of = np.array([item.document for item in ids])
    effects = rng.normal(0, math.sqrt(shared), (documents, heads))
    values = torch.from_numpy(effects[of] + rng.normal(0, math.sqrt(1 - shared), (len(ids), heads)))
    every = torch.ones(1, 1, dtype=torch.bool)
    over_documents, over_items = ItemMeans(), ItemMeans()
    for start in range(0, len(ids), 16):
        batch = batch_of(ids[start : start + 16])
        over_documents.add_items("x", values[start : start + 16], every, batch)
        alone = batch_of([ItemId(start + n, 0) for n in range(len(batch.ids))])
        over_items.add_items("x", values[start : start + 16], every, alone)
    return over_documents.mean("x"), over_items.mean("x")


def covered(known: Estimates) -> float:
    low, high = student_interval(known.mean, known.stderr, known.degrees)
    return float(((low <= 0) & (high >= 0)).mean())


@pytest.mark.parametrize("shared", [0.0, 0.06, 0.17])
@pytest.mark.parametrize("documents", [12, 29])
def test_intervals_of_simulated_heads_cover_at_their_nominal_rate(documents: int, shared: float) -> None:
    """95 of 100, for shares of variance that the embedded text has. Of 4,000 heads, the share that is covered
    has a standard deviation of √(0.95 · 0.05 / 4,000) = 0.0034: four of them, and 0.01 for what documents of
    unequal size cost when they are few."""
    heads = 4000
    over_documents, over_items = simulated(heads, documents, shared, seed=documents)
    tolerance = 4 * math.sqrt(0.95 * 0.05 / heads) + 0.01
    assert covered(over_documents) == pytest.approx(0.95, abs=tolerance)
    if shared:
        assert covered(over_items) < 0.95 - tolerance, "segments are not independent"


def test_tests_of_simulated_heads_are_wrong_at_their_nominal_rate() -> None:
    known, as_if_independent = simulated(4000, 29, 0.17, seed=3)
    wrong = (not_zero(known.mean, known.stderr, known.degrees) < 0.05).mean()
    assert wrong == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / 4000) + 0.01)
    naive_p = not_zero(as_if_independent.mean, as_if_independent.stderr, as_if_independent.degrees)
    assert (naive_p < 0.05).mean() > 0.1


@pytest.mark.parametrize("shared", [0.0, 0.06, 0.17])
@pytest.mark.parametrize("sizes", ["equal", "unequal"])
def test_tails_hold_down_to_one_in_ten_thousand(sizes: str, shared: float) -> None:
    """Coverage of 94 to 96 of 100, and no more than 1.5 times the nominal rate of false findings, give or
    take three standard deviations of 200,000 heads. `benchmarks/tails.py` does the same with millions."""
    heads = 200_000
    n = np.full(29, 7.0) if sizes == "equal" else np.geomspace(5, 160, 29).round()
    spread = np.sqrt(n**2 * shared + n * (1 - shared))
    sums = np.random.default_rng(0).normal(size=(heads, len(n))) * spread
    ones = np.ones(heads)
    over = (sums**2).sum(1), sums @ n, ones * (n**2).sum()
    known = estimates(np.stack([ones * n.sum(), sums.sum(1), ones, ones * len(n), *over]))
    assert 0.9375 < covered(known) < 0.96
    p = not_zero(known.mean, known.stderr, known.degrees)
    by_count = not_zero(known.mean, known.stderr, np.full(heads, len(n) - 1.0))
    for level in (0.01, 0.001, 0.0001):
        assert (p < level).mean() < 1.5 * level + 3 * math.sqrt(level / heads)
    if sizes == "unequal" and shared:
        assert (by_count < 0.001).mean() > 2 * 0.001, "the largest documents decide"


@pytest.mark.parametrize("size", [1, 3, 7])
def test_errors_of_the_surface_are_those_of_a_plain_formula_over_documents(
    size: int, mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:
    segments = in_documents(segments_of(mini, 7))
    rows = rows_of(observe(mini, REDUCERS["surface"](mini, False), segments[::-1], size))
    values: dict[Any, list[tuple[float, int]]] = defaultdict(list)
    for segment in segments:
        for key, (value,) in reference.values(mini, (segment,), False).items():
            values[key].append((value, segment.id.document))
    assert {row[:5] for row in rows} == values.keys()
    for row in rows:
        mean, stderr = reference.clustered(*map(list, zip(*values[row[:5]], strict=True)))  # type: ignore[arg-type]
        assert (row.value, row.stderr) == pytest.approx((mean, stderr), abs=1e-5), row
        assert (row.n, row.documents) == (len(values[row[:5]]), len({d for _, d in values[row[:5]]}))


def test_errors_of_patterns_are_those_of_a_plain_formula_over_documents(
    mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:
    segments = in_documents(segments_of(mini, 7))
    whole = observe(mini, PatternScores(), segments, 4)
    assert isinstance(whole, PatternScores)
    values: dict[Any, list[tuple[float, float, int]]] = defaultdict(list)
    for segment in segments:
        alone = observe(mini, PatternScores(), [segment], 1)
        assert isinstance(alone, PatternScores)
        for key in alone.sums:
            known = alone.mean(key)
            for head in range(known.mean.shape[0]):
                for column in range(known.mean.shape[1]):
                    if known.items[head, column, 0]:
                        score, _, gain = known.mean[head, column]
                        values[key, head, column].append((score, gain, segment.id.document))
    compared_scores = 0
    for key in whole.sums:
        known = whole.mean(key)
        for (at, head, column), several in values.items():
            if at != key:
                continue
            scores, gains, documents = (list(of) for of in zip(*several, strict=True))
            for place, of in ((0, scores), (2, gains)):
                expected = reference.clustered(of, documents)
                mean, stderr, n, many = known.at(head, column, place)
                assert (mean, stderr) == pytest.approx(expected, abs=1e-6)
                assert (n, many) == (len(of), len(set(documents)))
                compared_scores += 1
    assert compared_scores > 144


def outcomes_of(values: np.ndarray, labels: np.ndarray | None = None) -> Outcomes:
    """Of edit item, in DOCUMENTS."""
    reducer = Outcomes()
    places: dict[int, int] = defaultdict(int)
    for i, document in enumerate(DOCUMENTS):
        item = ItemId(document, places[document])
        places[document] += 1
        label = np.nan if labels is None else float(labels[i])
        reducer.numbers[item] = np.array([label, *values[:, i]])
    return reducer


def test_a_change_of_the_loss_has_the_error_of_a_plain_formula_over_documents() -> None:
    rng = np.random.default_rng(0)
    plain, edited = rng.normal(3, 1, 7), rng.normal(3.5, 1, 7)
    (change,) = changes(outcomes_of(np.stack([plain, edited])), LOSS, seed=0)
    mean, stderr = reference.clustered((edited - plain).tolist(), DOCUMENTS)
    assert (change.change, change.stderr) == pytest.approx((mean, stderr))
    assert (change.n, change.documents, change.changed) == (7, 4, 7)
    freedom = 49 / 15 - 1  # documents of 3, 2, 1 and 1
    low, high = student_interval(mean, stderr, freedom)
    assert (change.low, change.high) == pytest.approx((float(low), float(high)))
    assert change.p == pytest.approx(float(not_zero(*map(np.array, (mean, stderr, freedom)))))


def test_where_no_item_changes_the_interval_is_the_rule_of_three_and_not_of_no_width() -> None:
    assert most_unseen(300) == pytest.approx(3 / 300, rel=0.01)
    assert most_unseen(1) == pytest.approx(0.95)
    answers = np.array([[1.0, 0, 1, 1, 0, 0, 1]] * 2)
    right = Metric(
        "accuracy", True, lambda v, y, w: (v == y) @ w / w.sum(0), lambda v, y: 1.0 * (v == y), True
    )
    (change,) = changes(outcomes_of(answers, np.ones(7)), right, seed=0)
    assert (change.change, change.changed, change.p) == (0, 0, 1)
    assert (change.low, change.high) == pytest.approx((-most_unseen(4), most_unseen(4))), "of four documents"
    (loss,) = changes(outcomes_of(answers), LOSS, seed=0)
    assert np.isnan([loss.low, loss.high]).all(), "how large a change of a loss would be is not known"


@pytest.mark.parametrize("units", ["document", "window"])
def test_errors_of_accuracies_are_those_of_a_plain_formula_over_documents(units: Any, mini: Subject) -> None:
    windows = in_documents(windows_of("treebank", mini, 7))
    listed = REDUCERS["dependencies"](mini, False)
    assert isinstance(listed, LinkAccuracy)
    reducer = LinkAccuracy("links", listed.find, listed.statistics, "mean", listed.baselines, units)
    rows = rows_of(observe(mini, reducer, windows, 3))
    direction = {statistic: name for name, statistic in reducer.statistics.items()}
    counts: dict[Any, dict[int, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for place, window in enumerate(windows):
        for key, (right, links) in naive.answers(mini, window, reducer.find(window)).items():
            unit = counts[key][window.id.document if units == "document" else place]
            unit[0] += right
            unit[1] += links
    assert len(rows) == len(counts)
    for row in rows:
        by_unit = counts[(*row[:3], direction[row.statistic], row.group)]
        right, links = (sum(unit[i] for unit in by_unit.values()) for i in (0, 1))
        assert row.value == pytest.approx(right / links)
        assert row.documents == (len(by_unit) if units == "document" else 0)
        if len(by_unit) > 1:
            residuals = [(r - right / links * n) ** 2 for r, n in by_unit.values()]
            effective = links**2 / sum(n**2 for _, n in by_unit.values())
            expected = math.sqrt(effective / (effective - 1) * sum(residuals)) / links
            assert row.stderr == pytest.approx(expected, abs=1e-9)


def test_halves_are_of_documents_unless_there_are_hardly_any() -> None:
    def halved(ids: list[ItemId]) -> str:
        counts = HalfCounts(seed=0)
        counts.update(Observation(batch_of(ids)))
        return counts.by()

    assert halved([ItemId(n, place) for n in range(20) for place in range(3)]) == "document"
    assert halved([ItemId(0, place) for place in range(60)]) == "item"
    first = Half(True, 0)
    assert len({first.holds(ItemId(4, place)) for place in range(9)}) == 1, "a document is in one half"
