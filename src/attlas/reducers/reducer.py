"""What a reducer is: a small mergeable object that turns observations into rows of a table.

Sums are kept in float64 with counts and squared sums, so that every mean has a standard error and two halves
merged equal the whole. That one property gives streaming, resuming after a crash, and scaling out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, Self, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import KINDS, Kind
from attlas.errors import AttlasError
from attlas.tap.observer import Observer
from attlas.tap.totals import moments_of

__all__ = [
    "Moments",
    "MomentsReducer",
    "Reducer",
    "Row",
    "State",
    "check_numbers",
    "mean_and_error",
    "moments_of",
    "reading_order",
    "table",
]

Array = npt.NDArray[np.float64]
#: everything counted so far: arrays of any dtype, as a file of safetensors takes them
State = dict[str, npt.NDArray[Any]]


class Row(NamedTuple):
    """One row of `heads.parquet`. `n` is the number of segments behind the value."""

    kind: Kind
    layer: int
    head: int
    statistic: str
    group: str
    value: float
    stderr: float
    n: int


class Reducer(Observer, Protocol):
    """An observer that merges: `merge` adds another reducer of the same making; `state` and `restore` carry
    everything counted so far through a file; `result` gives the table, `arrays` what is not a scalar per
    head. An engine copies empty reducers, and sends them to other processes, by pickling them."""

    @property
    def name(self) -> str: ...

    def merge(self, other: Self) -> None: ...

    def state(self) -> State: ...

    def restore(self, state: State) -> None: ...

    def result(self) -> list[Row]: ...

    def arrays(self) -> dict[str, npt.NDArray[Any]]: ...


class Moments:
    """Count, sum and squared sum of per-segment values, for arrays kept under string keys.

    They stay on the device they came from until they are asked for.
    """

    def __init__(self) -> None:
        self.sums: dict[str, Tensor] = {}  # key -> 3 ...: count, sum, squared sum

    def add(self, key: str, sums: Tensor) -> None:
        """Adds what `moments_of` made of one batch."""
        old = self.sums.get(key)
        self.sums[key] = sums if old is None else old.to(sums.device) + sums

    def merge(self, other: Moments) -> None:
        for key, sums in other.sums.items():
            self.add(key, sums)

    def state(self) -> State:
        return {key: sums.cpu().numpy() for key, sums in self.sums.items()}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        self.sums = {key: torch.from_numpy(np.array(sums)) for key, sums in state.items()}

    def mean(self, key: str) -> tuple[Array, Array, Array]:
        """Mean, standard error of the mean, and count. Both are NaN where too little was counted."""
        return mean_and_error(self.sums[key].cpu().numpy())


class MomentsReducer:
    """What reducers share that keep moments and nothing else. Where these are `kind.layer` -> 3 head column,
    `statistics` says which statistic and group each column is; else `result` is the reducer's own."""

    def __init__(self) -> None:
        self.moments = Moments()

    @property
    def statistics(self) -> Sequence[tuple[str, str]]:
        return ()

    def merge(self, other: Self) -> None:
        self.moments.merge(other.moments)

    def state(self) -> State:
        return self.moments.state()

    def restore(self, state: State) -> None:
        self.moments.restore(state)

    def result(self) -> list[Row]:
        return table(self.moments, self.statistics)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {}


def mean_and_error(moments: Array) -> tuple[Array, Array, Array]:
    """Mean, standard error of the mean, and count, from 3 ...: count, sum, squared sum."""
    count, total, squares = moments
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(count > 0, total / count, np.nan)
        variance = np.maximum(squares - total * mean, 0) / (count - 1)
        return mean, np.where(count > 1, np.sqrt(variance / count), np.nan), count


def check_numbers(values: Tensor) -> None:
    """A model whose weights are broken would otherwise pass for one whose heads know nothing."""
    if bool(values.isnan().any()):
        raise AttlasError("the attention of the model is not a number: its weights are broken")


def table(moments: Moments, columns: Sequence[tuple[str, str]]) -> list[Row]:
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


def reading_order(key: str) -> tuple[int, int]:
    """Sorts keys `kind` or `kind.layer` as a reader would."""
    kind, _, layer = key.partition(".")
    return KINDS.index(cast(Kind, kind)), int(layer or 0)
