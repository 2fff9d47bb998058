"""What programs explain of heads on other documents than those they were fitted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.address import Head
from attlas.reducers.reducer import ItemMeans, check_numbers
from attlas.studies.patterns.definitions import tokens_of
from attlas.studies.patterns.pattern_scores import visible_in
from attlas.studies.programs.fitting import MOST, Fit
from attlas.studies.programs.program_sums import ClassRows, Reading, class_rows
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, ObservedCall

#: what is explained of an item: of what the head moves by its programs, by the best single one, by even
#: attention, by the programs beyond that; then of the weights as they are
COLUMNS = ("explained", "single", "even", "gain", "explained_weights", "single_weights", "even_weights")
SHARES = tuple(f"share_{place}" for place in range(MOST))  # of the weights, by each of its programs


@dataclass(frozen=True)
class Fits:
    """A head as a sum of programs, as one program, and as even attention."""

    programs: Fit
    single: Fit
    even: Fit

    @property
    def all(self) -> tuple[Fit, Fit, Fit]:
        return self.programs, self.single, self.even


class ProgramShares(ItemMeans):
    """`kind.layer` -> head column: for each item the share of squares that is explained, and the share of the
    weights that each program makes up."""

    name = "program_shares"

    def __init__(self, reading: Reading, fits: Mapping[Head, Fits], moved: bool = True) -> None:
        super().__init__()
        self.reading, self.moved = reading, moved
        self.needs = Needs(lazy_weights=True, moved=moved)
        heads: dict[str, list[Fits]] = {}
        for head in sorted(fits):
            heads.setdefault(f"{head.kind}.{head.layer}", []).append(fits[head])
        many = len(reading.programs)
        self._by_layer = {at: _Layer.of(of_layer, many) for at, of_layer in heads.items()}

    def update(self, observation: Observation) -> None:
        shared: dict[Any, list[ClassRows]] = {}  # of this batch: layers of a kind mostly share one
        for call in observation.calls:
            tokens = None if call.kind in ("cross", "vision") else tokens_of(observation.batch, call.kind)
            layer = self._by_layer.get(f"{call.kind}.{call.layer}")
            if tokens is None or layer is None or call.lazy_weights is None:
                continue
            visible, alike = visible_in(call, tokens.real)
            if alike not in shared:
                shared[alike] = class_rows(self.reading, observation, call, visible)
            values, present = self._measure(call, layer, shared[alike])
            self.add_items(f"{call.kind}.{call.layer}", values, present, observation.batch)

    def _measure(
        self, call: ObservedCall, layer: _Layer, classes: Sequence[ClassRows]
    ) -> tuple[Tensor, Tensor]:
        """batch head column, and whether an item has any rows."""
        assert call.lazy_weights is not None
        weights = call.lazy_weights.rows(0, call.lazy_weights.shape[2]).float()
        check_numbers(weights)
        squared = torch.ones_like(weights[:, :, 0]) if call.moved is None else call.moved.square()
        size = weights.new_zeros(2, *weights.shape[:2], dtype=torch.float64)  # metric batch head
        rest = weights.new_zeros(6, *weights.shape[:2], dtype=torch.float64)  # fit and metric, batch head
        mass = weights.new_zeros(weights.shape[0], weights.shape[1], MOST, dtype=torch.float64)
        rows = weights.new_zeros(weights.shape[0], dtype=torch.float64)
        for number, some in enumerate(classes):
            there = some.of(weights)  # batch head row key
            made = layer.weights[:, :, number].to(there.device) @ some.programs.flatten(1)
            made = made.view(6, -1, *some.programs.shape[1:]).transpose(1, 2)  # fit batch head row key
            off = (there - made).square()
            rest += torch.cat([(off[:3].sum(3) * squared).sum(-1), off[3:].sum((3, 4))]).double()
            every = there.square()
            size += torch.stack([(every.sum(2) * squared).sum(-1), every.sum((2, 3))]).double()
            by_program = some.programs.sum((2, 3)).T.double()  # batch program
            mass += by_program[:, layer.places] * layer.parts[None, :, number]
            rows += some.there.sum(1).double()
        of_size = size.repeat_interleave(3, 0).clamp(min=1e-30)
        known = 1 - rest / of_size
        gain = known[0] - known[2]
        shares = mass / rows.clamp(min=1)[:, None, None]
        values = torch.cat([torch.stack([*known[:3], gain, *known[3:]], -1), shares], -1)
        return values, (rows > 0)[:, None, None]


@dataclass(frozen=True)
class _Layer:
    weights: Tensor  # fit head class program: three fits by what is moved, then three by weights
    places: Tensor  # head place: which programs a head is made of
    parts: Tensor  # head class place: their weights in the weights as they are; 0 where there are fewer

    @staticmethod
    def of(layer: Sequence[Fits], many: int) -> _Layer:
        whole = [
            np.stack([fits.all[kind].whole(many, moved) for fits in layer])
            for moved in (True, False)
            for kind in range(3)
        ]
        places, parts = np.zeros((len(layer), MOST), np.int64), np.zeros((len(layer), len(whole[0][0]), MOST))
        for head, fits in enumerate(layer):
            chosen = fits.programs.chosen
            places[head, : len(chosen)] = chosen
            parts[head, :, : len(chosen)] = fits.programs.by_weights
        return _Layer(
            torch.from_numpy(np.stack(whole)).float(), torch.from_numpy(places), torch.from_numpy(parts)
        )
