"""The common shape of the surface statistics: a total within each segment, divided by a number of that
segment, averaged over segments that all weigh the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.reducers.reducer import Moments, Row, State, moments_of, table
from attlas.tap.kernels import usable
from attlas.tap.needs import Needs, Total
from attlas.tap.observation import Block, Observation


@dataclass(frozen=True)
class Denominator:
    """What a segment's total is divided by: `times` the members of a class, and `plus` a number. A segment
    where that is 0 or less is not counted."""

    side: Literal["queries", "keys"]
    name: str
    times: int = 1
    plus: int = 0


@dataclass(frozen=True)
class Statistic:
    name: str
    group: str
    total: Total
    per: Denominator


class SegmentMeans:
    """A family of statistics of this shape."""

    def __init__(self, name: str, statistics: Sequence[Statistic]) -> None:
        self.name = name
        self.statistics = tuple(statistics)
        self.needs = Needs(totals=frozenset(s.total for s in statistics))
        self.moments = Moments()

    def update(self, observation: Observation) -> None:
        Together([self]).update(observation)

    @property
    def together(self) -> type[Together]:
        return Together

    def merge(self, other: SegmentMeans) -> None:
        self.moments.merge(other.moments)

    def state(self) -> State:
        return self.moments.state()

    def restore(self, state: State) -> None:
        self.moments.restore(state)

    def result(self) -> list[Row]:
        return table(self.moments, [(s.name, s.group) for s in self.statistics])

    def arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        return {}


class Together:
    """Several families updated at once: on a GPU, many small steps would cost more than the attention they
    watch."""

    def __init__(self, several: Sequence[SegmentMeans]) -> None:
        self.several = tuple(several)
        self.statistics = [s for one in several for s in one.statistics]
        self._places: dict[tuple[Any, ...], _Places] = {}
        self._joints: dict[tuple[str, ...], tuple[Tensor, Sequence[Tensor]]] = {}

    def update(self, observation: Observation) -> None:
        for block in observation.blocks():
            places = self._places_in(block)
            if places.here:
                per = torch.addcmul(places.plus, block.counts.index_select(0, places.counted), places.times)
                self._add(block, places, per)

    def _add(self, block: Block, places: _Places, per: Tensor) -> None:
        """`per` is (statistic batch), in float64."""
        keys = tuple(f"{block.kind}.{layer}" for layer in block.layers)
        joint = self._joint(keys, block.heads, per.device)
        if block.unsummed is not None and "triton" in usable():
            from attlas.tap.triton.second import add_moments

            add_moments(joint, block.unsummed.blocks, places.among, per)
            return
        totals = block.totals(tuple(self.statistics[i].total for i in places.here)).double()
        values = totals.new_zeros(*totals.shape[:3], len(self.statistics))  # layer batch head statistic
        values.index_copy_(-1, places.columns_here, totals)
        per = per.T[None, :, None]
        joint += moments_of(values / per.clamp(min=1), per > 0, dim=1)

    def _joint(self, keys: tuple[str, ...], heads: int, device: torch.device) -> Tensor:
        """3 key head statistic: one tensor of which every family's moments are a part, so that a single step
        adds to all of them."""
        joint, parts = self._joints.get(keys, (None, ()))
        if joint is None or any(
            one.moments.part(keys) is not part for one, part in zip(self.several, parts, strict=True)
        ):
            joint = torch.zeros(3, len(keys), heads, len(self.statistics), dtype=torch.float64, device=device)
            parts = torch.split(joint, [len(one.statistics) for one in self.several], -1)
            for one, part in zip(self.several, parts, strict=True):
                one.moments.continue_in(keys, part)
            self._joints[keys] = joint, parts
        return joint

    def _places_in(self, block: Block) -> _Places:
        left = None if block.unsummed is None else block.unsummed.places
        alike = id(block.columns), block.queries.names, block.keys.names, left, block.counts.device
        found = self._places.get(alike)
        if found is None or found.columns is not block.columns:
            found = self._places[alike] = _places(self.statistics, block)
        return found


class _Places(NamedTuple):
    """Where to find what a list of statistics needs in a block, on the block's device."""

    columns: tuple[Total, ...]  # the block's
    here: tuple[int, ...]  # the statistics that mean something in it
    columns_here: Tensor  # the same; all else is about every statistic
    counted: Tensor  # statistic: its denominator's class among the counts
    times: Tensor  # statistic 1, float64; 0 where the statistic is not here
    plus: Tensor  # statistic 1, float64
    among: Tensor  # statistic: its total's place in an unsummed block, or -1


def _places(statistics: Sequence[Statistic], block: Block) -> _Places:
    here = tuple(i for i, s in enumerate(statistics) if s.total in block.columns)
    count, times, plus, among = [], [], [], []
    for i, s in enumerate(statistics):
        is_here = i in here
        count.append(block.count_of(s.per.side, s.per.name) if is_here else 0)
        times.append(s.per.times if is_here else 0)
        plus.append(s.per.plus if is_here else 0)
        left = block.unsummed if is_here else None
        among.append(-1 if left is None else left.places[block.columns.index(s.total)])
    device = block.counts.device

    def column(numbers: Sequence[int]) -> Tensor:
        return torch.tensor(numbers, dtype=torch.float64, device=device)[:, None]

    return _Places(
        block.columns,
        here,
        torch.tensor(here, dtype=torch.long, device=device),
        torch.tensor(count, device=device),
        column(times),
        column(plus),
        torch.tensor(among, dtype=torch.int32, device=device),
    )


def queries_of(total: Total) -> Denominator:
    """The number of queries that the total runs over."""
    return Denominator("queries", total.over)


def keys_in(name: str) -> Denominator:
    """The number of keys in a class."""
    return Denominator("keys", name)


def tokens_less(removed: int) -> Denominator:
    """n less a constant."""
    return Denominator("queries", "all", plus=-removed)


def constant(number: int) -> Denominator:
    """As the original code divides, whatever the segment."""
    return Denominator("queries", "all", times=0, plus=number)
