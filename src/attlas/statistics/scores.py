"""How good answers are, as GLUE scores them; over all items, and over many draws of them at once.

Every score is a function of predictions, labels (both item) and weights (item draw: how often each item
counts), and gives a number a draw. So a bootstrap is one call, and two models are paired by the same weights.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attlas.array_types import Floats

MetricFunction = Callable[[Floats, Floats, Floats], Floats]


def accuracy(predicted: Floats, labels: Floats, weights: Floats) -> Floats:
    return _ratio((predicted == labels).astype(np.float64) @ weights, weights.sum(0))


def f1(predicted: Floats, labels: Floats, weights: Floats) -> Floats:
    """The F1 score of the label 1; 0 where it is neither there nor predicted."""
    both = ((predicted == 1) & (labels == 1)).astype(np.float64) @ weights
    either = ((predicted == 1).astype(np.float64) + (labels == 1)) @ weights
    return np.where(either > 0, _ratio(2 * both, either), 0.0)


def matthews(predicted: Floats, labels: Floats, weights: Floats) -> Floats:
    """The correlation of two columns of 0 and 1; 0 where one of them is constant."""
    correlation = pearson((predicted == 1).astype(np.float64), (labels == 1).astype(np.float64), weights)
    return np.where(np.isnan(correlation), 0.0, correlation)


def pearson(predicted: Floats, labels: Floats, weights: Floats) -> Floats:
    """Pearson's correlation; NaN where one of them is constant."""
    return _correlation(predicted[:, None], labels[:, None], weights)


def spearman(predicted: Floats, labels: Floats, weights: Floats) -> Floats:
    """Pearson's of the ranks; what is equal shares the mean of its ranks."""
    return _correlation(_ranks(predicted, weights), _ranks(labels, weights), weights)


METRICS: dict[str, MetricFunction] = {
    "accuracy": accuracy,
    "f1": f1,
    "matthews": matthews,
    "pearson": pearson,
    "spearman": spearman,
}


def score(metric: str, predicted: Floats, labels: Floats) -> float:
    """The score when every item counts once."""
    return float(METRICS[metric](predicted, labels, np.ones((len(labels), 1)))[0])


def _correlation(a: Floats, b: Floats, weights: Floats) -> Floats:
    """a, b: item draw, or item 1. Means are taken away first: sums of large squares would cancel."""
    count = weights.sum(0)
    a, rounding_a = _subtract_mean(a, weights, count)
    b, rounding_b = _subtract_mean(b, weights, count)
    squares_a, squares_b = (weights * a * a).sum(0), (weights * b * b).sum(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = (weights * a * b).sum(0) / np.sqrt(squares_a * squares_b)
    return np.where((squares_a > rounding_a) & (squares_b > rounding_b), correlation, np.nan)


def _subtract_mean(a: Floats, weights: Floats, count: Floats) -> tuple[Floats, Floats]:
    """Without its mean; and the sum of squares that the rounding of the mean alone would leave."""
    rounding = (16 * np.finfo(np.float64).eps * np.abs(a).max(0)) ** 2 * count
    return a - _ratio((a * weights).sum(0), count), rounding


def _ranks(values: Floats, weights: Floats) -> Floats:
    """item draw: the rank of every item among those that a draw holds, from 1."""
    _, place, many = np.unique(values, return_inverse=True, return_counts=True)
    first = np.cumsum(many) - many  # of each value among the sorted items
    held = np.add.reduceat(weights[np.argsort(place, kind="stable")], first, 0)
    before = np.cumsum(held, 0) - held
    return (before + (held + 1) / 2)[place]


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = above / below
    return ratio
