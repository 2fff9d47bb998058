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
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Array = npt.NDArray[np.float64]
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


class Reducer(Protocol):
    """`update` sees a forward pass; `merge` adds another reducer of the same making; `state` and `restore`
    carry everything counted so far through a file; `result` gives the table, `arrays` what is not a scalar
    per head. A reducer that has `together`, a class whose object updates several such reducers at once, is
    updated through it."""

    @property
    def name(self) -> str: ...

    @property
    def needs(self) -> Needs: ...

    def update(self, observation: Observation) -> None: ...

    def merge(self, other: Self) -> None: ...

    def state(self) -> State: ...

    def restore(self, state: State) -> None: ...

    def result(self) -> list[Row]: ...

    def arrays(self) -> dict[str, npt.NDArray[np.float64]]: ...


class Moments:
    """Count, sum and squared sum of per-segment values, for arrays kept under string keys.

    They stay on the device they came from until they are asked for.
    """

    def __init__(self) -> None:
        self._sums: dict[str, Tensor] = {}
        self._parts: dict[tuple[str, ...], Tensor] = {}  # keys -> 3 key ...; see `continue_in`

    @property
    def sums(self) -> dict[str, Tensor]:
        """key -> 3 ...: count, sum, squared sum."""
        found = dict(self._sums)
        for keys, part in self._parts.items():
            for i, key in enumerate(keys):
                found[key] = part[:, i] + found[key].to(part.device) if key in found else part[:, i].clone()
        return found

    def add(self, key: str, sums: Tensor) -> None:
        """Adds what `moments_of` made of one batch."""
        old = self._sums.get(key)
        self._sums[key] = sums if old is None else old.to(sums.device) + sums

    def part(self, keys: tuple[str, ...]) -> Tensor | None:
        """What `continue_in` was last given for these keys."""
        return self._parts.get(keys)

    def continue_in(self, keys: tuple[str, ...], part: Tensor) -> None:
        """From now on these keys are counted in `part` (3 key ...), by others; what was counted moves there.

        A run that was resumed goes on adding where it stopped, so that it ends with the same bits.
        """
        known = self.sums
        for i, key in enumerate(keys):
            if key in known:
                part[:, i] = known[key]
        ended = {key for k in self._parts if not set(k).isdisjoint(keys) for key in k}
        self._sums = {k: sums for k, sums in self._sums.items() if k not in ended and k not in keys}
        self._sums |= {key: known[key] for key in ended if key not in keys}
        self._parts = {k: p for k, p in self._parts.items() if set(k).isdisjoint(keys)} | {keys: part}

    def merge(self, other: Moments) -> None:
        for key, sums in other.sums.items():
            self.add(key, sums)

    def state(self) -> State:
        return {key: sums.cpu().numpy() for key, sums in self.sums.items()}

    def restore(self, state: Mapping[str, npt.NDArray[np.float64]]) -> None:
        self._parts = {}
        self._sums = {key: torch.from_numpy(np.array(sums)) for key, sums in state.items()}

    def mean(self, key: str) -> tuple[Array, Array, Array]:
        """Mean, standard error of the mean, and count. Both are NaN where too little was counted."""
        count, total, squares = self.sums[key].cpu().numpy()
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.where(count > 0, total / count, np.nan)
            variance = np.maximum(squares - total * mean, 0) / (count - 1)
            return mean, np.where(count > 1, np.sqrt(variance / count), np.nan), count


def moments_of(values: Tensor, present: Tensor, dim: int) -> Tensor:
    """3 ...: count, sum and squared sum along `dim` (segments), where `present` (broadcastable) is True."""
    values = torch.where(present, values.double(), 0.0)
    counted = present.expand_as(values)
    return torch.stack([counted.sum(dim).double(), values.sum(dim), values.square().sum(dim)])


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
