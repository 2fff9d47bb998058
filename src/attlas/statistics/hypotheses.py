"""Tests of one number against another, and intervals. Degrees of freedom are those of `clusters.degrees`.

Student's distribution is taken from `scipy.special`: `scipy.stats` takes half a second to import, which
`attlas ask` and `attlas show` would spend on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from attlas.array_types import Floats

Key = TypeVar("Key")
LEVEL = 0.95


def sign_test(better: Floats, worse: Floats) -> Floats:
    """One-sided p: could as many units be better, of those that are better or worse, if both were as likely?

    Exact, so that it can be trusted far out in the tail. Where no unit is decided, p is 1.
    """
    from scipy.stats import binom

    return np.where(better + worse > 0, binom.sf(better - 1, better + worse, 0.5), 1.0)


def above_zero(mean: Floats, stderr: Floats, degrees: Floats) -> Floats:
    """One-sided p of Student's test that a mean is above 0. Where there is no standard error, p is 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        score = mean / stderr
    return np.where(np.isnan(score), 1.0, stdtr(degrees, -np.nan_to_num(score)))


def not_zero(mean: Floats, stderr: Floats, degrees: Floats) -> Floats:
    """Two-sided p of Student's test. Where nothing changes, or there is no standard error, p is 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.abs(mean) / stderr
    tail = stdtr(degrees, -np.nan_to_num(score, nan=0, posinf=np.inf))
    p: Floats = np.where(np.isnan(score), 1.0, 2 * tail)
    return p


def student_interval(
    mean: npt.ArrayLike, stderr: npt.ArrayLike, degrees: npt.ArrayLike, among: int = 1
) -> tuple[Floats, Floats]:
    """Where the mean would lie in 95 of 100 such samples. The best `among` several has a wider interval, that
    in which all of them would lie together (Bonferroni): so it holds whichever was picked."""
    middle: Floats = np.asarray(mean, np.float64)
    tail = (1 - LEVEL) / 2 / among
    half: Floats = np.asarray(stderr, np.float64) * -stdtrit(np.asarray(degrees, np.float64), tail)
    return middle - half, middle + half


def probability_above(mean: float, stderr: float, degrees: float, limit: float = 0.0) -> float:
    """Return the probability that what was measured lies above a limit; without a standard error, whether it
    does."""
    return float(stdtr(degrees, (mean - limit) / stderr)) if stderr > 0 else float(mean >= limit)


def most_unseen(units: float) -> float:
    """The largest share of units that may still have what none of these `units` has (95 %; about 3 divided by
    their number, the "rule of three")."""
    return float(1 - (1 - LEVEL) ** (1 / units))


def mcnemar(only_first: Floats, only_second: Floats) -> Floats:
    """Two-sided exact p: do two models err on different items by chance alone? Given are how many items only
    the first answers rightly, and only the second. Where they never differ, p is 1."""
    from scipy.stats import binom

    fewer, differ = np.minimum(only_first, only_second), only_first + only_second
    return np.where(differ > 0, np.minimum(1.0, 2 * binom.cdf(fewer, differ, 0.5)), 1.0)


def holm(p: Floats) -> Floats:
    """Holm's step-down correction: the chance of even one wrong finding among all these tests stays below p,
    whatever the dependence between them."""
    order = np.argsort(p)
    steps = np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order])
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1)
    return adjusted


def holm_by_key(p: Mapping[Key, float]) -> dict[Key, float]:
    return dict(zip(p, holm(np.array(list(p.values()), dtype=np.float64)).tolist(), strict=True))
