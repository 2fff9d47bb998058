"""Ratios of sums, with their standard errors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def ratio_and_stderr(
    units: float, above: float, below: float, above2: float, both: float, below2: float
) -> tuple[float, float]:
    """Σ above / Σ below over units (windows, say), and its standard error with the units as what was drawn at
    random, since the parts of one unit are not independent (linearised ratio estimator).

    Given are the number of units and the sums over them of above, below, above², above·below and below².
    """
    value = above / below if below else float("nan")
    if units < 2:
        return value, float("nan")
    residuals = above2 - 2 * value * both + value**2 * below2
    return value, float(np.sqrt(max(residuals, 0) * units / (units - 1)) / below)
