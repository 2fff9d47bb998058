"""Before a sweep is run over everything, it is tried on a few items: do its edits change anything, and can
the model be run from the middle on?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.corpora.source import PreparedShard, Shard, Source, SourceOver, fewest
from attlas.edits.effect import refuse_all_without_effect
from attlas.edits.head_edit import HeadEdit
from attlas.edits.sweep import Measure, Sweep
from attlas.engines.passes import Pass
from attlas.reducers.reducer import State
from attlas.studies.provenance import nothing_in
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.subject.losses import no_objective, objective
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

ROWS, TOKENS = 2, 16  # of the first batch that is tried
ITEMS = 32
NAMED = 12  # edits without an effect in a note


@dataclass(frozen=True)
class CheckedSweep:
    """A sweep that can be made, what is to be said of it, and the places of edits without any effect seen."""

    sweep: Sweep
    notes: tuple[str, ...] = ()
    idle: frozenset[int] = frozenset()


def check_sweep(sweep: Sweep, subject: Subject, source: Source, run: RunPass) -> CheckedSweep:
    """A pass over the first items. Edits that change nothing in the model's output are named, and are an
    error if all are such. Where sharing what comes before an edit would change the numbers, it is not shared,
    and that is said."""
    sweep = replace(sweep, edits=[edit.resolved(subject.heads) for edit in sweep.edits])
    trial = Trial(sweep)
    done = run(
        Pass("trial", FirstItems(source), [TrialAnswers()], sweep=trial, doing="trying the edits", items=ROWS)
    )
    if not done.counts["items"]:
        raise nothing_in(source, done.problems)
    shared, *effects = done.reducer(TrialAnswers).answers.tolist()
    idle = [place for place, effect in enumerate(effects) if not effect]
    notes = [_without_effect([sweep.edits[place] for place in idle])] if idle else []
    if not shared:
        notes.append(
            f"{type(subject.model).__name__} cannot be run from the middle on: every edit is a whole run"
        )
    return CheckedSweep(replace(sweep, shared=bool(shared)), tuple(notes), frozenset(idle))


@dataclass(frozen=True)
class FirstItems(SourceOver):
    """A few of the first items of a source, as one shard. Its first batch is a few tokens of a few items."""

    @property
    def limit(self) -> None:
        """No limit: the shard holds all that there is."""

    def describe(self) -> dict[str, Any]:
        return {**self.source.describe(), "first": ITEMS}

    def shards(self) -> Iterator[Shard]:
        yield Shard(0, None)

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        return first_items(self.source)

    def batches(self, subject: Subject, items: Sequence[Any]) -> Iterator[Batch]:
        yield _crop(subject, next(iter(self.source.batches(subject, items[:ROWS]))))
        yield from self.source.batches(subject, items)


@dataclass(frozen=True)
class Trial:
    """Tries the edits of a sweep: a few tokens are enough for nearly all, whole items for the rest."""

    sweep: Sweep

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        """One, whose outcomes are answers, yes or no: can the work be shared, has each edit an effect?"""
        every, edits = list(batches), self.sweep.edits
        if every:
            idle = refuse_all_without_effect(subject, edits, every, self.sweep.kernel)
            effects = [not any(edit is other for other in idle) for edit in edits]
            answers = [_can_share(self.sweep, subject, every[0]), *effects]
            yield Observation(every[0], outcomes=torch.tensor(answers)[:, None])


class TrialAnswers:
    """The answers of a trial."""

    name = "tried"
    needs = Needs(output=True)

    def __init__(self) -> None:
        self.answers: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)

    def update(self, observation: Observation) -> None:
        assert observation.outcomes is not None
        self.answers = observation.outcomes[:, 0].numpy()

    def merge(self, other: TrialAnswers) -> None:
        self.answers = self.answers if len(self.answers) else other.answers

    def state(self) -> State:
        return {"answers": self.answers} if len(self.answers) else {}

    def restore(self, state: State) -> None:
        self.answers = np.array(state.get("answers", ()), np.bool_)


def _can_share(sweep: Sweep, subject: Subject, batch: Batch) -> bool:
    """Whether edits in every layer, the first and the last give the same from the middle on."""
    layers = {min((h.kind, h.layer) for h in edit.every_head): edit for edit in reversed(sweep.edits)}
    several = [*layers.values(), sweep.edits[0], sweep.edits[-1]]
    shared, whole = (
        replace(sweep, edits=several, measure=_comparable_measure(sweep, subject), shared=sharing)
        .observe(subject, batch)
        .outcomes
        for sharing in (True, False)
    )
    assert shared is not None
    assert whole is not None
    return agree(shared, whole, next(subject.model.parameters()).dtype)


def _comparable_measure(sweep: Sweep, subject: Subject) -> Measure:
    """What two ways are compared by: the loss, since a task's answers hardly differ."""
    return sweep.measure if no_objective(subject) else objective


def agree(shared: Tensor, whole: Tensor, dtype: torch.dtype) -> bool:
    """Whether losses (edit batch) differ by no more than rounding. That of a loss is of the size of the
    scores that it comes from, and not of its own: one near 0 may be off by as much as the largest."""
    rounding = 100 * torch.finfo(dtype).eps
    largest = float(whole.nan_to_num(posinf=0.0, neginf=0.0).abs().max())
    return torch.allclose(shared, whole, rtol=rounding, atol=rounding * max(1.0, largest), equal_nan=True)


def _without_effect(edits: Sequence[HeadEdit]) -> str:
    named = ", ".join(str(edit) for edit in edits[:NAMED])
    more = f" and {len(edits) - NAMED:,} more" if len(edits) > NAMED else ""
    return f"no effect on the output was seen in the first items: {named}{more}"


def first_items(source: Source) -> PreparedShard:
    """A few of the first items, and what could not be read on the way. A source that was narrowed to some of
    its items may leave out the first of a shard, so that several are prepared at once, of several shards if
    need be."""
    items, problems, seen = list[Any](), list[str](), 0
    for shard in source.shards():
        left = None if source.limit is None else source.limit - seen
        if len(items) >= ITEMS or left == 0:
            break
        prepared = source.prepare(shard, fewest(left, 2 * ITEMS))
        items += prepared.items
        problems += prepared.problems
        seen += prepared.seen
    return PreparedShard(items[:ITEMS], problems=tuple(problems))


def _crop(subject: Subject, batch: Batch) -> Batch:
    if subject.images:  # which are read whole
        return batch
    shortest = min(int(side.real.sum(-1).min()) for side in batch.sides.values())
    length = min(TOKENS, shortest)
    longest = max(side.real.shape[1] for side in batch.sides.values())
    inputs = {
        name: tensor[:, :length] if tensor.ndim > 1 and tensor.shape[1] == longest else tensor
        for name, tensor in batch.inputs.items()
        if "mask" not in name
    }
    cropped = subject.annotate(inputs)
    return replace(batch, inputs=cropped.inputs, sides=cropped.sides)
