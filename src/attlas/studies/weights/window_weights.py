"""The weight that heads put on chosen tokens, as a mergeable reducer.

Each value has beside it what the same head puts elsewhere under the same conditions (`matched`), and the
difference of the two. Windows are the units, and all weigh the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

import numpy as np
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.alignment import WordBatch, with_words
from attlas.reducers.reducer import Row, check_numbers, reading_order
from attlas.reducers.sums import Sums
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


class WindowWeights(Sums):
    """Count, sum and squared sum over windows of value, matched value and difference, for each group."""

    needs = Needs(lazy_weights=True)

    def __init__(self, name: str, statistic: str, weigh: WeighTokens) -> None:
        self.name = name
        self.statistic = statistic
        self.weigh = weigh
        super().__init__()  # kind.layer/group -> 3 column head

    def update(self, observation: Observation) -> None:
        batch = with_words(observation.batch, self.name)
        prepared: dict[Kind, Weigh] = {}
        for call in observation.calls:
            assert call.lazy_weights is not None
            if call.kind not in prepared:
                prepared[call.kind] = self.weigh.prepare(batch, call.kind)
            for group, (value, matched, present) in prepared[call.kind](call.lazy_weights).items():
                check_numbers(value[present])
                self.add(f"{call.kind}.{call.layer}/{group}", _sums(value, matched, present))

    def rows(self) -> list[Row]:
        rows = []
        for key in sorted(self.sums, key=lambda k: (reading_order(k.partition("/")[0]), k)):
            layer_key, _, group = key.partition("/")
            kind, _, layer = layer_key.partition(".")
            mean, stderr, count = self.mean(key)  # column head
            for column, head in zip(*np.nonzero(count), strict=True):
                name = self.statistic + COLUMNS[column]
                value = float(mean[column, head]), float(stderr[column, head]), int(count[column, head])
                rows.append(Row(cast(Kind, kind), int(layer), int(head), name, group, *value))
        return rows


def _sums(value: Tensor, matched: Tensor, present: Tensor) -> Tensor:
    """3 column head, from window head (`present`: window)."""
    columns = torch.stack([value, matched, value - matched], 1).double()  # window column head
    some = ~matched.isnan()
    counted = torch.stack([torch.ones_like(some), some, some], 1) & present[:, None, None]
    columns = torch.where(counted, columns, 0.0)
    return torch.stack([counted.sum(0).double(), columns.sum(0), columns.square().sum(0)])
