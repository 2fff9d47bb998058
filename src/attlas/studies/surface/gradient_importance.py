"""Gradient importance (Clark 2019, figure 3): how much the loss would change if attention did."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from attlas.reducers.reducer import ItemMeans, table
from attlas.row import Row
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


class Gradients(ItemMeans):
    """`gradient`: mean |dL/dα| over the weights on keys of a class, by class. L is the segment's own loss."""

    name = "gradients"

    def __init__(self, classes: Sequence[str]) -> None:
        self.classes = tuple(classes)
        self.needs = Needs(gradients=frozenset(classes))
        super().__init__()

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.gradients is None or call.pairs is None:
                continue
            pairs = _columns(call.pairs[:, None], call.classes, self.classes)  # batch 1 class
            values = _columns(call.gradients, call.classes, self.classes) / pairs.clamp(min=1)
            self.add_items(f"{call.kind}.{call.layer}", values, pairs > 0, observation.batch)

    def rows(self) -> list[Row]:
        return table(self, [("gradient", name) for name in self.classes])


def _columns(tensor: Tensor, have: Sequence[str], want: Sequence[str]) -> Tensor:
    """The last axis arranged as `want`; zero where a class is not there."""
    nothing = torch.zeros_like(tensor[..., 0])
    return torch.stack([tensor[..., have.index(c)] if c in have else nothing for c in want], -1)
