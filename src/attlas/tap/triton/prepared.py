"""A request as the fused kernel reads it: its functions as columns, its classes as features of the keys."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from attlas.tap.needs import Distance, Entropy, Largest, Mass, Offset, RowFunction
from attlas.tap.request import KernelRequest

#: as the kernel orders them
DISTANCES = (Distance(2), Distance(1), Distance(2, rest=True), Distance(1, rest=True))


@lru_cache
def columns_of(functions: tuple[RowFunction, ...]) -> tuple[int, ...]:
    """Where the kernel puts each function: masses, offsets, entropy, the largest weight; distances last."""
    masses = [f for f in functions if isinstance(f, Mass)]
    offsets = [f for f in functions if isinstance(f, Offset)]
    after = len(masses) + len(offsets)
    columns = []
    for function in functions:
        match function:
            case Mass():
                columns.append(masses.index(function))
            case Offset():
                columns.append(len(masses) + offsets.index(function))
            case Entropy():
                columns.append(after)
            case Largest():
                columns.append(after + 1)
            case Distance():
                columns.append(class_columns(functions) + DISTANCES.index(function))
    return tuple(columns)


@lru_cache
def width_of(functions: tuple[RowFunction, ...]) -> int:
    """Columns that the kernel computes for each group of queries."""
    return class_columns(functions) + (len(DISTANCES) if measures_distances(functions) else 0)


@lru_cache
def class_columns(functions: tuple[RowFunction, ...]) -> int:
    """Those of them before the distances."""
    read = sum(isinstance(f, Mass | Offset) for f in functions)
    return max(16, power_of_two(read + 2))


@lru_cache
def measures_distances(functions: tuple[RowFunction, ...]) -> bool:
    return any(isinstance(f, Distance) for f in functions)


class Prepared(NamedTuple):
    """A `KernelRequest` as the kernel reads it."""

    features: Tensor  # batch key width: 0 and 1, zero in the columns that are not masses
    members: Tensor  # batch group query
    masses: int
    by: tuple[int, ...]  # offsets
    width: int
    groups: int
    padded_groups: int
    columns: tuple[int, ...]


def prepared(request: KernelRequest, dtype: torch.dtype) -> Prepared:
    """Made once for all layers."""
    made = request.prepared.get(dtype)
    if made is None:
        masses = request.features.shape[-1]
        by = tuple(f.by for f in request.functions if isinstance(f, Offset))
        width = class_columns(request.functions)
        features = (
            torch.nn.functional.pad(request.features.to(dtype), (0, width - masses))
            if masses
            else request.real
        )
        several = request.groups.shape[1] if request.functions else 0
        members = request.groups.float() if several else request.real
        made = Prepared(
            features,
            members,
            masses,
            by,
            width,
            several,
            max(16, power_of_two(several)),
            columns_of(request.functions),
        )
        request.prepared[dtype] = made
    return made


def rulers_of(request: KernelRequest, dtype: torch.dtype, cols: int) -> Tensor:
    """batch key 16: what of a distance's square depends on the key alone, by its place j in a block of keys:
    1, j, and j² as 64a + b; then 1 and j again, for the distance itself. And all that without the first key.
    """
    if not measures_distances(request.functions):
        return request.real
    rulers: Tensor | None = request.prepared.get(("rulers", dtype, cols))
    if rulers is None:
        key = torch.arange(request.real.shape[1], device=request.real.device)
        place = key % cols
        ones, none = torch.ones_like(place), torch.zeros_like(place)
        columns = [ones, place, place**2 // 64, place**2 % 64, ones, place, none, none]
        every = torch.stack(columns, -1)[None]  # 1 key 8
        others = every * (key != request.first[:, None])[..., None]  # batch key 8
        rulers = torch.cat([every.expand_as(others), others], -1).to(dtype)
        request.prepared["rulers", dtype, cols] = rulers
    return rulers


def power_of_two(number: int) -> int:
    """The next one that is as large."""
    return 1 << (number - 1).bit_length()
