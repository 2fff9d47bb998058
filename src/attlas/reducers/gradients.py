"""Gradient importance (Clark 2019, figure 3): how much the loss would change if attention did."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.reducers.reducer import Moments, Row, State, moments_of, table
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


class Gradients:
    """`gradient`: mean |dL/dα| over the weights on keys of a class, by class. L is the segment's own loss."""

    name = "gradients"

    def __init__(self, classes: Sequence[str]) -> None:
        self.classes = tuple(classes)
        self.needs = Needs(gradients=frozenset(classes))
        self.moments = Moments()

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.gradients is None or call.pairs is None:
                continue
            pairs = _columns(call.pairs[:, None], call.classes, self.classes)  # batch 1 class
            values = _columns(call.gradients, call.classes, self.classes) / pairs.clamp(min=1)
            self.moments.add(f"{call.kind}.{call.layer}", moments_of(values, pairs > 0, dim=0))

    def merge(self, other: Gradients) -> None:
        self.moments.merge(other.moments)

    def state(self) -> State:
        return self.moments.state()

    def restore(self, state: State) -> None:
        self.moments.restore(state)

    def result(self) -> list[Row]:
        return table(self.moments, [("gradient", c) for c in self.classes])

    def arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        return {}


def _columns(tensor: Tensor, have: Sequence[str], want: Sequence[str]) -> Tensor:
    """The last axis arranged as `want`; zero where a class is not there."""
    nothing = torch.zeros_like(tensor[..., 0])
    return torch.stack([tensor[..., have.index(c)] if c in have else nothing for c in want], -1)
