"""Tests of one number against another."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import binom, t

Floats = npt.NDArray[np.float64]


def sign_test(better: Floats, worse: Floats) -> Floats:
    """One-sided p: could as many units be better, of those that are better or worse, if both were as likely?

    Exact, so that it can be trusted far out in the tail. Where no unit is decided, p is 1.
    """
    return np.where(better + worse > 0, binom.sf(better - 1, better + worse, 0.5), 1.0)


def above_zero(mean: Floats, stderr: Floats, count: Floats) -> Floats:
    """One-sided p of Student's test that a mean is above 0. Where there is no standard error, p is 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        score = mean / stderr
    return np.where(np.isnan(score), 1.0, t.sf(np.nan_to_num(score), np.maximum(count - 1, 1)))


def mcnemar(only_first: Floats, only_second: Floats) -> Floats:
    """Two-sided exact p: do two models err on different items by chance alone? Given are how many items only
    the first answers rightly, and only the second. Where they never differ, p is 1."""
    fewer, differ = np.minimum(only_first, only_second), only_first + only_second
    return np.where(differ > 0, np.minimum(1.0, 2 * binom.cdf(fewer, differ, 0.5)), 1.0)
