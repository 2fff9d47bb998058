"""The common shape of the surface statistics: a total within each segment, divided by a number of that
segment, averaged over segments that all weigh the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.reducers.reducer import Moments, Row, State, moments_of, table
from attlas.tap.needs import Needs, Total
from attlas.tap.observation import Block, Observation, places

#: what a segment's total is divided by (batch); a segment where it is 0 or less is not counted
Denominator = Callable[[Block], Tensor]


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
        self.update_together([self], observation)

    @staticmethod
    def update_together(several: Sequence[SegmentMeans], observation: Observation) -> None:
        """All families at once: on a GPU, many small steps would cost more than the attention they watch."""
        for block in observation.blocks():
            statistics = [s for one in several for s in one.statistics]
            wanted = tuple(s.total for s in statistics)
            here = _known(wanted, block.seen[0].columns)
            if not here:
                continue
            totals = block.totals(tuple(wanted[i] for i in here)).double()
            per = torch.stack([statistics[i].per(block) for i in here], -1).double()  # batch statistic
            values = totals / per.clamp(min=1)[None, :, None]  # layer batch head statistic
            present = (per > 0)[None, :, None]
            if len(here) < len(statistics):
                values = _spread(values, here, len(statistics))
                present = _spread(present, here, len(statistics))
            sums = moments_of(values, present, dim=1)  # 3 layer head statistic
            keys = tuple(f"{block.kind}.{layer}" for layer in block.layers)
            start = 0
            for one in several:
                stop = start + len(one.statistics)
                if any(start <= i < stop for i in here):
                    one.moments.add_several(keys, sums[..., start:stop])
                start = stop

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


@lru_cache
def _known(wanted: tuple[Total, ...], columns: tuple[Total, ...]) -> tuple[int, ...]:
    """Which of the totals wanted are among the columns."""
    return tuple(i for i, total in enumerate(wanted) if total in columns)


def _spread(tensor: Tensor, columns: tuple[int, ...], width: int) -> Tensor:
    """Columns put where they belong among `width`; the others are zero, or False."""
    wide = tensor.new_zeros(*tensor.shape[:-1], width)
    return wide.index_copy_(-1, places(columns, tensor.device), tensor)


def queries_of(total: Total) -> Denominator:
    """The number of queries that the total runs over."""
    return lambda block: block.queries.count(total.over)


def keys_in(name: str) -> Denominator:
    """The number of keys in a class."""
    return lambda block: block.keys.count(name)


def tokens_less(removed: int) -> Denominator:
    """n less a constant, as the original code divides."""
    return lambda block: block.queries.count("all") - removed


def constant(number: int) -> Denominator:
    return lambda block: torch.full_like(block.queries.count("all"), number)
