"""What a reducer is: a small mergeable object that counts what it observes.

Two halves merged equal the whole. That one property gives streaming, resuming after a crash, and scaling out.
"""

from __future__ import annotations

from typing import Any, Protocol, Self, cast

import numpy.typing as npt
from torch import Tensor

from attlas.address import KINDS, Kind
from attlas.errors import AttlasError
from attlas.row import Row
from attlas.tap.observation import Observer

#: everything counted so far: arrays of any dtype, as a file of safetensors takes them
State = dict[str, npt.NDArray[Any]]


class Reducer(Observer, Protocol):
    """An observer that merges: `merge` adds another reducer of the same making; `state` and `restore` carry
    everything counted so far through a file. What it makes of its counts is its own business: most have
    `rows`. An engine copies empty reducers, and sends them to other processes, by pickling them."""

    @property
    def name(self) -> str: ...

    def merge(self, other: Self) -> None: ...

    def state(self) -> State: ...

    def restore(self, state: State) -> None: ...


class HasRows(Reducer, Protocol):
    """A reducer whose counts are statistics of heads."""

    def rows(self) -> list[Row]: ...


def check_numbers(values: Tensor) -> None:
    """A model whose weights are broken would otherwise pass for one whose heads know nothing."""
    if bool(values.isnan().any()):
        raise AttlasError("the attention of the model is not a number: its weights are broken")


def reading_order(key: str) -> tuple[int, int]:
    """Sorts keys `kind` or `kind.layer` as a reader would."""
    kind, _, layer = key.partition(".")
    return KINDS.index(cast(Kind, kind)), int(layer or 0)


def layer_of(key: str) -> tuple[Kind, int]:
    """The kind and layer of a key `kind.layer`, whatever stands after a slash."""
    kind, _, layer = key.partition("/")[0].partition(".")
    return cast(Kind, kind), int(layer)
