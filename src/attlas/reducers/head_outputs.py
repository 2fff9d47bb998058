"""What heads give on average: what the edit `mean` puts in the place of what they give."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.reducers.reducer import Row, State, reading_order
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


class HeadOutputMeans:
    """The mean over all real tokens of what each head gives: its part of the output of the layer's attention,
    before heads are joined."""

    name = "head_outputs"
    needs = Needs(head_outputs=True)

    def __init__(self) -> None:
        self.sums: dict[str, Tensor] = {}  # kind.layer -> head dim, float64
        self.tokens: dict[str, Tensor] = {}  # kind.layer -> one number

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.outputs is not None:
                tokens = observation.batch.queries(call.kind).count("all").sum()
                self._add(f"{call.kind}.{call.layer}", call.outputs.double().sum(0), tokens)

    def _add(self, key: str, sums: Tensor, tokens: Tensor) -> None:
        if key in self.sums:
            sums, tokens = self.sums[key].to(sums) + sums, self.tokens[key].to(tokens) + tokens
        self.sums[key], self.tokens[key] = sums, tokens

    def merge(self, other: HeadOutputMeans) -> None:
        for key, sums in other.sums.items():
            self._add(key, sums, other.tokens[key])

    def state(self) -> State:
        sums = {f"{key}/sums": sums.cpu().numpy() for key, sums in self.sums.items()}
        return sums | {f"{key}/tokens": tokens.cpu().numpy() for key, tokens in self.tokens.items()}

    def restore(self, state: State) -> None:
        self.sums, self.tokens = {}, {}
        for key, array in state.items():
            layer, _, what = key.partition("/")
            (self.sums if what == "sums" else self.tokens)[layer] = torch.from_numpy(np.array(array))

    def result(self) -> list[Row]:
        return []

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {}

    def means(self) -> dict[Head, npt.NDArray[np.float64]]:
        """As the edit `mean` takes them."""
        found = {}
        for key in sorted(self.sums, key=reading_order):
            kind, _, layer = key.partition(".")
            for head, sums in enumerate(self.sums[key].cpu().numpy()):
                found[Head(cast(Kind, kind), int(layer), head)] = sums / float(self.tokens[key])
        return found
