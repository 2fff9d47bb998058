"""Sums: what most reducers keep, and all that they need to merge.

Where sums are counts, sums and squared sums in float64 (`moments_of`), every mean has its standard error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.reducers.reducer import Row, State, reading_order
from attlas.tap.totals import moments_of

__all__ = ["Sums", "mean_and_stderr", "moments_of", "table"]

Array = npt.NDArray[np.float64]


class Sums:
    """Tensors under string keys, to which others are added. They stay on the device they came from until
    they are asked for. A reducer that keeps nothing else is a `Sums` with `needs` and `update`."""

    def __init__(self) -> None:
        self.sums: dict[str, Tensor] = {}

    def add(self, key: str, sums: Tensor) -> None:
        before = self.sums.get(key)
        self.sums[key] = sums if before is None else before.to(sums.device) + sums

    def merge(self, other: Self) -> None:
        for key, sums in other.sums.items():
            self.add(key, sums)

    def state(self) -> State:
        return {key: sums.cpu().numpy() for key, sums in self.sums.items()}

    def restore(self, state: State) -> None:
        self.sums = {key: torch.from_numpy(np.array(sums)) for key, sums in state.items()}

    def mean(self, key: str) -> tuple[Array, Array, Array]:
        """Of what `moments_of` made: mean, standard error of the mean, and count."""
        count, total, squares = self.sums[key].cpu().numpy()
        return *mean_and_stderr(count, total, squares), count


def mean_and_stderr(count: Array, total: Array, squares: Array) -> tuple[Array, Array]:
    """The mean of some values, and its standard error, from their count, their sum and that of their squares.
    NaN where there are too few: none for the mean, one for the standard error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(count > 0, total / count, np.nan)
        variance = np.maximum(squares - total * mean, 0) / (count - 1)
        return mean, np.where(count > 1, np.sqrt(variance / count), np.nan)


def table(moments: Sums, columns: Sequence[tuple[str, str]]) -> list[Row]:
    """The rows of moments kept as `kind.layer` -> 3 head column; columns are (statistic, group)."""
    rows = []
    for key in sorted(moments.sums, key=reading_order):
        kind, _, layer = key.partition(".")
        mean, stderr, count = moments.mean(key)
        for head, i in zip(*np.nonzero(count), strict=True):
            statistic, group = columns[i]
            value, error, n = float(mean[head, i]), float(stderr[head, i]), int(count[head, i])
            rows.append(Row(cast(Kind, kind), int(layer), int(head), statistic, group, value, error, n))
    return rows
