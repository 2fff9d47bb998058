"""A request as the fused kernel reads it: its functions as columns, its classes as features of the keys."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from attlas.tap.needs import Distance, Entropy, KernelRequest, Largest, Mass, Offset, RowFunction

#: as the kernel orders them
DISTANCES = (Distance(2), Distance(1), Distance(2, rest=True), Distance(1, rest=True))


class Columns(NamedTuple):
    """Where the kernel puts each function: masses, offsets, entropy, the largest weight; distances last."""

    of: tuple[int, ...]  # each function's
    masses: int
    by: tuple[int, ...]  # offsets
    before_distances: int
    width: int  # columns that the kernel computes for each group of queries

    @property
    def distances(self) -> bool:
        return self.width > self.before_distances


@lru_cache
def columns_of(functions: tuple[RowFunction, ...]) -> Columns:
    masses = [f for f in functions if isinstance(f, Mass)]
    offsets = [f for f in functions if isinstance(f, Offset)]
    after = len(masses) + len(offsets)
    before_distances = max(16, power_of_two(after + 2))
    places = []
    for function in functions:
        match function:
            case Mass():
                places.append(masses.index(function))
            case Offset():
                places.append(len(masses) + offsets.index(function))
            case Entropy():
                places.append(after)
            case Largest():
                places.append(after + 1)
            case Distance():
                places.append(before_distances + DISTANCES.index(function))
    measured = any(isinstance(f, Distance) for f in functions)
    width = before_distances + (len(DISTANCES) if measured else 0)
    return Columns(tuple(places), len(masses), tuple(f.by for f in offsets), before_distances, width)


class Prepared(NamedTuple):
    """A `KernelRequest` as the kernel reads it."""

    features: Tensor  # batch key column: 0 and 1, zero in the columns that are not masses
    members: Tensor  # batch group query
    groups: int
    padded_groups: int
    columns: Columns


def prepare_request(request: KernelRequest, dtype: torch.dtype) -> Prepared:
    """Made once for all layers."""
    made: Prepared | None = request.prepared.get(dtype)
    if made is None:
        columns = columns_of(request.functions)
        groups = request.groups.shape[1] if request.functions else 0
        made = Prepared(
            _features(request, columns, dtype),
            request.groups.to(torch.float32, memory_format=torch.contiguous_format)
            if groups
            else request.real,
            groups,
            max(16, power_of_two(groups)),
            columns,
        )
        request.prepared[dtype] = made
    return made


def _features(request: KernelRequest, columns: Columns, dtype: torch.dtype) -> Tensor:
    if not columns.masses:
        return request.real
    shape = *request.real.shape, columns.before_distances
    features = request.real.new_zeros(shape, dtype=dtype)
    features[..., : columns.masses] = request.features
    return features


def rulers_of(request: KernelRequest, dtype: torch.dtype, cols: int) -> Tensor:
    """batch key 16: what of a distance's square depends on the key alone, by its place j in a block of keys:
    1, j, and j² as 64a + b; then 1 and j again, for the distance itself. And all that without the first key.
    """
    if not columns_of(request.functions).distances:
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
