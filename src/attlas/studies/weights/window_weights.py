"""The weight that heads put on chosen tokens, as a mergeable reducer.

Each value has beside it what the same head puts elsewhere under the same conditions (`matched`), and the
difference of the two. Windows are the units, and all weigh the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.alignment import WordBatch, with_words
from attlas.reducers.reducer import Row, check_numbers, reading_order
from attlas.reducers.sums import ItemMeans, estimate_rows
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


class WindowWeights(ItemMeans):
    """Means over windows of value, matched value and difference, for each group."""

    needs = Needs(lazy_weights=True)

    def __init__(self, name: str, statistic: str, weigh: WeighTokens) -> None:
        self.name = name
        self.statistic = statistic
        self.weigh = weigh
        super().__init__()  # kind.layer/group -> head column

    def update(self, observation: Observation) -> None:
        batch = with_words(observation.batch, self.name)
        prepared: dict[Kind, Weigh] = {}
        for call in observation.calls:
            assert call.lazy_weights is not None
            if call.kind not in prepared:
                prepared[call.kind] = self.weigh.prepare(batch, call.kind)
            for group, (value, matched, present) in prepared[call.kind](call.lazy_weights).items():
                check_numbers(value[present])
                columns = _columns(value, matched, present)
                self.add_items(f"{call.kind}.{call.layer}/{group}", *columns, batch)

    def rows(self) -> list[Row]:
        rows = []
        for key in sorted(self.sums, key=lambda k: (reading_order(k.partition("/")[0]), k)):
            layer_key, _, group = key.partition("/")
            kind, _, layer = layer_key.partition(".")
            columns = [(self.statistic + end, group) for end in COLUMNS]
            rows += estimate_rows(cast(Kind, kind), int(layer), self.mean(key), columns)
        return rows


def _columns(value: Tensor, matched: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
    """window head column, twice: the three numbers, and which there are (`present`: window)."""
    columns = torch.stack([value, matched, value - matched], -1)
    some = ~matched.isnan()
    return columns, torch.stack([torch.ones_like(some), some, some], -1) & present[:, None, None]
