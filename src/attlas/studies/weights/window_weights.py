"""The weight that heads put on chosen tokens, as a mergeable reducer.

Each value has beside it what the same head puts elsewhere under the same conditions (`matched`), and the
difference of the two. Windows are the units, and all weigh the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.alignment import WordBatch
from attlas.errors import AttlasError
from attlas.reducers.reducer import Row, State, check_numbers, reading_order
from attlas.statistics.means import mean_and_stderr
from attlas.tap.lazy_weights import LazyWeights
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

#: suffixes of the three statistics
COLUMNS = ("", "_matched", "_over_matched")

#: one call -> group -> value and matched value (window head; NaN: there is nothing to match), and which
#: windows count
Weigh = Callable[[LazyWeights], dict[str, tuple[Tensor, Tensor, Tensor]]]


class WeighTokens(Protocol):
    """Which tokens are weighed, and how: what all layers have in common is worked out once, by `prepare`.
    Must survive pickling."""

    def prepare(self, batch: WordBatch, kind: Kind) -> Weigh: ...


class WindowWeights:
    """Count, sum and squared sum over windows of value, matched value and difference, for each group."""

    needs = Needs(lazy_weights=True)

    def __init__(self, name: str, statistic: str, weigh: WeighTokens) -> None:
        self.name = name
        self.statistic = statistic
        self.weigh = weigh
        self.sums: dict[str, Tensor] = {}  # kind.layer/group -> 3 column head

    def update(self, observation: Observation) -> None:
        if not isinstance(observation.batch, WordBatch):
            raise AttlasError(f"{self.name} needs words: give it windows of an annotated corpus")
        prepared: dict[Kind, Weigh] = {}
        for call in observation.calls:
            assert call.lazy_weights is not None
            if call.kind not in prepared:
                prepared[call.kind] = self.weigh.prepare(observation.batch, call.kind)
            for group, (value, matched, present) in prepared[call.kind](call.lazy_weights).items():
                check_numbers(value[present])
                self._add(f"{call.kind}.{call.layer}/{group}", _sums(value, matched, present))

    def _add(self, key: str, sums: Tensor) -> None:
        self.sums[key] = self.sums[key].to(sums.device) + sums if key in self.sums else sums

    def merge(self, other: WindowWeights) -> None:
        for key, sums in other.sums.items():
            self._add(key, sums)

    def state(self) -> State:
        return {key: sums.cpu().numpy() for key, sums in self.sums.items()}

    def restore(self, state: State) -> None:
        self.sums = {key: torch.from_numpy(np.array(sums)) for key, sums in state.items()}

    def result(self) -> list[Row]:
        rows = []
        for key in sorted(self.sums, key=lambda k: (reading_order(k.partition("/")[0]), k)):
            layer_key, _, group = key.partition("/")
            kind, _, layer = layer_key.partition(".")
            count, total, squares = self.sums[key].cpu().numpy()  # column head
            mean, stderr = mean_and_stderr(count, total, squares)
            for column, head in zip(*np.nonzero(count), strict=True):
                name = self.statistic + COLUMNS[column]
                value = float(mean[column, head]), float(stderr[column, head]), int(count[column, head])
                rows.append(Row(cast(Kind, kind), int(layer), int(head), name, group, *value))
        return rows

    def arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        return {}


def _sums(value: Tensor, matched: Tensor, present: Tensor) -> Tensor:
    """3 column head, from window head (`present`: window)."""
    columns = torch.stack([value, matched, value - matched], 1).double()  # window column head
    some = ~matched.isnan()
    counted = torch.stack([torch.ones_like(some), some, some], 1) & present[:, None, None]
    columns = torch.where(counted, columns, 0.0)
    return torch.stack([counted.sum(0).double(), columns.sum(0), columns.square().sum(0)])
