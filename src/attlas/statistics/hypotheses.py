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
