"""Arrays of what reducers keep of what they see: of each layer, the best rows or a sample; of each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.array_types import Floats
from attlas.corpora.source import ItemId
from attlas.reducers.reducer import State

Arrays = dict[str, npt.NDArray[Any]]


class KeptArrays:
    """Named arrays for each layer: heads on the first axis, rows on the second; rows alone where an array has
    one axis. A subclass says with `keep` which rows stay."""

    def __init__(self) -> None:
        self.kept: dict[str, Arrays] = {}  # by kind.layer

    def keep(self, layer: str, arrays: Arrays) -> None:
        """Take more rows of a layer, and leave those that need not be kept."""
        raise NotImplementedError

    def with_kept(self, layer: str, arrays: Arrays) -> Arrays:
        """The rows that are kept of a layer, then these."""
        if layer not in self.kept:
            return arrays
        return {
            name: np.concatenate([self.kept[layer][name], array], min(1, array.ndim - 1))
            for name, array in arrays.items()
        }

    def merge(self, other: Self) -> None:
        for layer, arrays in other.kept.items():
            self.keep(layer, arrays)

    def state(self) -> State:
        return {
            f"{layer}/{name}": np.ascontiguousarray(array)
            for layer, arrays in self.kept.items()
            for name, array in arrays.items()
        }

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        self.kept = {}
        for key, array in state.items():
            layer, _, name = key.partition("/")
            self.kept.setdefault(layer, {})[name] = np.array(array)


def take_rows(arrays: Arrays, order: npt.NDArray[np.int64]) -> Arrays:
    """The rows of each head in an order (head row)."""
    return {
        name: np.take_along_axis(array, order.reshape(*order.shape, *[1] * (array.ndim - 2)), 1)
        for name, array in arrays.items()
    }


class ItemArrays:
    """Arrays of items, each with a name: merging takes those of both. For a few items, not for a corpus."""

    def __init__(self) -> None:
        self.kept: dict[tuple[ItemId, str], npt.NDArray[Any]] = {}

    def merge(self, other: Self) -> None:
        self.kept |= other.kept

    def state(self) -> State:
        return {f"{item.document}.{item.place}/{name}": array for (item, name), array in self.kept.items()}

    def restore(self, state: State) -> None:
        self.kept = {}
        for key, array in state.items():
            item, _, name = key.partition("/")
            document, place = item.split(".")
            self.kept[ItemId(int(document), int(place)), name] = array

    def items(self) -> list[ItemId]:
        return sorted({item for item, _ in self.kept})


class ItemNumbers:
    """Numbers of items, as many of each, in the order of the items' ids: for items that are looked at one by
    one."""

    def __init__(self) -> None:
        self.numbers: dict[ItemId, Floats] = {}  # item -> column

    def add(self, ids: Sequence[ItemId], *columns: Tensor) -> None:
        """Each of `columns` is item, or item column."""
        numbers = torch.cat([several.double().unsqueeze(-1).flatten(1).cpu() for several in columns], 1)
        self.numbers |= zip(ids, numbers.numpy(), strict=True)

    def merge(self, other: Self) -> None:
        self.numbers |= other.numbers

    def state(self) -> State:
        return {"ids": np.array(self.ids(), np.int64), "numbers": self.by_item()} if self.numbers else {}

    def restore(self, state: State) -> None:
        ids = [ItemId(*item) for item in state["ids"].tolist()] if state else []
        self.numbers = dict(zip(ids, state["numbers"] if state else (), strict=True))

    def ids(self) -> list[ItemId]:
        return sorted(self.numbers)

    def by_item(self) -> Floats:
        """item column"""
        return np.stack([self.numbers[item] for item in self.ids()])
