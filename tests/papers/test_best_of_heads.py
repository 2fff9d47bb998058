"""The best of many heads has an interval that knows that it was picked."""

from __future__ import annotations

import numpy as np

from attlas.statistics.hypotheses import student_interval

HEADS, DOCUMENTS, TRIALS = 144, 25, 400


def _coverage(truth: np.ndarray, among: int) -> float:
    """How often the interval of the head that looks best has that head's truth in it."""
    random = np.random.default_rng(0)
    covered = 0
    for _ in range(TRIALS):
        by_document = random.normal(truth[:, None], 0.2, (HEADS, DOCUMENTS))
        mean, stderr = by_document.mean(1), by_document.std(1, ddof=1) / np.sqrt(DOCUMENTS)
        best = int(mean.argmax())
        low, high = student_interval(mean[best], stderr[best], DOCUMENTS - 1, among)
        covered += bool(low <= truth[best] <= high)
    return covered / TRIALS


def test_the_interval_of_a_head_that_was_picked_holds_as_often_as_it_says() -> None:
    alike = np.full(HEADS, 0.3)
    assert _coverage(alike, among=1) < 0.5, "the usual interval misses the truth more often than not"
    assert _coverage(alike, among=HEADS) >= 0.94


def test_where_one_head_stands_out_the_wider_interval_holds_too() -> None:
    one_stands_out = np.where(np.arange(HEADS) == 17, 0.9, 0.3)
    assert _coverage(one_stands_out, among=HEADS) >= 0.94
