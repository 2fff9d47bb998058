"""Before a sweep is run over everything, it is tried on a few items: do its edits change anything, and can
the model be run from the middle on?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.corpora.objective import objective
from attlas.corpora.source import Prepared, Source, fewest
from attlas.edits.edit import HeadEdit
from attlas.edits.effect import refuse_all_without_effect
from attlas.edits.sweep import Sweep
from attlas.studies.provenance import nothing_in
from attlas.subject import Subject

ROWS, TOKENS = 2, 16  # of the first batch that is tried
ITEMS = 32
NAMED = 12  # edits without an effect in a note


@dataclass(frozen=True)
class CheckedSweep:
    """A sweep that can be made, what is to be said of it, and the places of edits without any effect seen."""

    sweep: Sweep
    notes: tuple[str, ...] = ()
    idle: frozenset[int] = frozenset()


def check_sweep(sweep: Sweep, subject: Subject, source: Source) -> CheckedSweep:
    """Edits that change nothing in the model's output are named, and are an error if all are such. Where
    sharing what comes before an edit would change the numbers, it is not shared, and that is said."""
    short = short_batch(subject, source)
    edits = [edit.resolved(subject.heads) for edit in sweep.edits]
    # a few tokens are enough for nearly all edits; whole items for the rest
    batches = chain([short], source.batches(subject, first_items(source).items))
    without = refuse_all_without_effect(subject, edits, batches, sweep.kernel)
    idle = frozenset(place for place, edit in enumerate(edits) if any(edit is other for other in without))
    notes = [_without_effect(without)] if without else []
    sweep = replace(sweep, edits=edits)
    if not _can_share(sweep, subject, short):
        sweep = replace(sweep, shared=False)
        notes.append(
            f"{type(subject.model).__name__} cannot be run from the middle on: every edit is a whole run"
        )
    return CheckedSweep(sweep, tuple(notes), idle)


def _can_share(sweep: Sweep, subject: Subject, batch: Batch) -> bool:
    """Whether edits in every layer, the first and the last give the same from the middle on."""
    layers = {min((h.kind, h.layer) for h in edit.every_head): edit for edit in reversed(sweep.edits)}
    several = [*layers.values(), sweep.edits[0], sweep.edits[-1]]
    shared, whole = (
        replace(sweep, edits=several, measure=objective, shared=each).observe(subject, batch).outcomes
        for each in (True, False)
    )
    assert shared is not None
    assert whole is not None
    return agree(shared, whole, next(subject.model.parameters()).dtype)


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


def short_batch(subject: Subject, source: Source) -> Batch:
    """The first tokens of the first items, all of one length."""
    first = first_items(source)
    if not first.items:
        raise nothing_in(source, first.problems)
    return _cropped(subject, next(iter(source.batches(subject, first.items[:ROWS]))))


def first_items(source: Source) -> Prepared:
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
    return Prepared(items[:ITEMS], problems=tuple(problems))


def _cropped(subject: Subject, batch: Batch) -> Batch:
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
