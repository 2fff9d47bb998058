"""Heads that do what a sum of programs says: their weights are computed from the text alone.

    weights = Σ c P      output = weights · values + what the head gives on average beside its programs

The mean output is the same with no program. A token that sees itself alone could not attend otherwise: it is
left as it was, whatever is put in a head's place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.address import Head
from attlas.array_types import Floats
from attlas.corpora.batches import Batch
from attlas.edits.head_edit import HeadEdit, Rows
from attlas.edits.sweep import Sweep
from attlas.studies.name_tests.following import AtOnce
from attlas.studies.patterns.definitions import PatternTokens, visible_keys
from attlas.studies.patterns.pattern_texts import annotate_batch
from attlas.studies.programs.program_sums import Reading
from attlas.studies.programs.program_vocabulary import spread_all
from attlas.studies.programs.token_features import ProgramText
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap.call import Call, WeightChange
from attlas.tap.observation import Observation


@dataclass(frozen=True)
class Formula:
    """What a head does instead: its weights of programs, by class of query, and what is added."""

    head: Head
    weights: Floats  # class program
    added: Floats  # dim


@dataclass(frozen=True)
class Trial:
    """Heads that are replaced at once, and how."""

    name: str
    formulas: tuple[Formula, ...]


@dataclass(frozen=True)
class ProgramSweep:
    """Each trial by itself. What programs give depends on the texts of a batch: edits are made for each."""

    reading: Reading
    trials: tuple[Trial, ...]
    seed: int = 0

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        for batch in batches:
            # programs give the weights of whole texts, and other kernels ask for some rows at a time
            sweep = Sweep(self.edits(subject, batch), seed=self.seed, kernel="eager")
            yield sweep.observe(subject, batch)

    def edits(self, subject: Subject, batch: Batch) -> list[Any]:
        made = read_programs(self.reading, subject, batch, self.seed)
        edits = [replace_by_formulas(trial.name, trial.formulas, made) for trial in self.trials]
        return [edit.resolved(subject.heads) for edit in edits]


def read_programs(
    reading: Reading, subject: Subject, batch: Batch, seed: int = 0
) -> Mapping[str, MadePrograms]:
    """What programs make of a batch, by side: of the words that the model is shown, masked ones hidden."""
    prepared, _ = objective(subject, batch, seed)
    if subject.kinds == ("encoder",):
        side = replace(batch.sides["encoder"], ids=prepared.inputs["input_ids"])
        batch = replace(batch, sides={**batch.sides, "encoder": side})
    texts = annotate_batch(subject, batch, None).texts
    return {side: MadePrograms(reading, text) for side, text in texts.items()}


def replace_by_formulas(name: str, formulas: Sequence[Formula], made: Mapping[str, MadePrograms]) -> AtOnce:
    """The edit that puts formulas in the place of heads."""
    layers: dict[tuple[str, int], list[Formula]] = {}
    for formula in sorted(formulas, key=lambda formula: formula.head):
        layers.setdefault((formula.head.kind, formula.head.layer), []).append(formula)
    edits = []
    for (kind, _), of_layer in layers.items():
        wanted = _Instead(of_layer, made[kind])
        heads = tuple(formula.head for formula in of_layer)
        edits.append(HeadEdit(name, heads, output=wanted.output, weights_in=wanted.weights))
    return AtOnce(name, tuple(edits))


@dataclass
class MadePrograms:
    """The programs of a batch's texts, made once for all calls that see the same."""

    reading: Reading
    tokens: PatternTokens
    made: dict[Any, tuple[Tensor, Tensor]] = field(default_factory=dict)

    def of(self, call: Call) -> tuple[Tensor, Tensor]:
        """program batch query key, and batch query: whether it sees more than one key."""
        alike = call.mask.form, call.mask.window, call.layer if call.mask.form == "other" else -1
        if alike not in self.made:
            batch, length = self.tokens.ids.shape
            allowed = call.mask.allowed(0, length)
            if allowed is not None and len(allowed) > batch:
                allowed = allowed[:batch]  # of the first copy: all are alike
            visible = visible_keys(self.tokens.real, allowed, call.kind == "decoder")
            self.made[alike] = spread_all(self.reading.programs, self._text, visible), visible.sum(-1) > 1
        return self.made[alike]

    @cached_property
    def _text(self) -> ProgramText:
        return self.reading.text_of(self.tokens)

    @cached_property
    def classes(self) -> Tensor:
        """batch token"""
        return self._text.classes


class _Instead:
    """The formulas of one layer's heads."""

    def __init__(self, formulas: Sequence[Formula], made: MadePrograms) -> None:
        self.made = made
        weights = np.stack([formula.weights for formula in formulas])  # head class program
        self.used = np.flatnonzero(weights.any((0, 1)))
        self.coefficients = torch.from_numpy(weights[:, :, self.used]).float()
        self.added = torch.from_numpy(np.stack([formula.added for formula in formulas]))  # head dim
        self.counted: Tensor | None = None  # batch query

    def weights(self, call: Call, rows: Rows) -> WeightChange:
        programs, self.counted = self.made.of(call)
        used = programs[torch.from_numpy(self.used).to(programs.device)]
        by_query = self.coefficients.to(used.device)[:, self.made.classes]  # head batch query program
        made = torch.einsum("hbqp,pbqk->bhqk", by_query, used)
        counted = self.counted[:, None, :, None]

        def change(before: Tensor, _: Tensor | None) -> Tensor:
            return torch.where(counted, made.to(before.dtype), before)

        return change

    def output(self, output: Tensor, heads: Sequence[Head]) -> Tensor:
        assert self.counted is not None
        added = self.added.to(output)[None, :, None] * self.counted[:, None, :, None]
        return output + added
