"""Corrections for having made many tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Key = TypeVar("Key")


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
