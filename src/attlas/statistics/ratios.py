"""Ratios of sums, with their standard errors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def ratio_and_stderr(
    units: npt.ArrayLike,
    above: npt.ArrayLike,
    below: npt.ArrayLike,
    above2: npt.ArrayLike,
    both: npt.ArrayLike,
    below2: npt.ArrayLike,
) -> tuple[Floats, Floats]:
    """Σ above / Σ below over units (documents, say), and its standard error with the units as what was drawn
    at random, since the parts of one unit are not independent (linearised ratio estimator).

    Given are the number of units and the sums over them of above, below, above², above·below and below².
    """
    units, above, below, above2, both, below2 = (
        np.asarray(sums, np.float64) for sums in (units, above, below, above2, both, below2)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(below > 0, above / below, np.nan)
        residuals = np.maximum(above2 - 2 * value * both + value**2 * below2, 0)
        stderr = np.sqrt(residuals * units / (units - 1)) / below
    return value, np.where(units > 1, stderr, np.nan)
