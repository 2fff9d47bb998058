"""Did an edit do anything? The output with and without it, on one batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.edits.head_edit import Edit, HeadEdit, by_row
from attlas.edits.sweep import copy_batch
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.tap.tap import Tap

TOGETHER = 16  # edits of a layer that are tried at once


@dataclass(frozen=True)
class Effect:
    """How far the edited output is from the plain one: largest and mean absolute difference, real tokens."""

    largest: float
    mean: float


def effect(subject: Subject, edit: Edit, batch: Batch) -> Effect:
    """Runs the batch twice. An edit that leaves the output exactly as it was is an error."""
    if not isinstance(batch, Batch):
        raise AttlasError(f"give a batch, not a {type(batch).__name__}: subject.encode(text) gives one")
    with torch.no_grad():
        plain = _first_tensor(subject.run(batch.inputs))
    with Tap(subject, edits=[edit]) as tap:
        edited = _first_tensor(tap.run(batch, predictions=True))
    apart = (plain.float() - edited.float()).abs()
    side = batch.sides.get("decoder", batch.sides.get("encoder"))
    if side is not None and apart.shape[:2] == side.real.shape:
        apart = apart[side.real]
    change = Effect(float(apart.max()), float(apart.mean()))
    if change.largest == 0:
        raise _nothing(subject, edit, plain)
    return change


def without_effect(
    subject: Subject, edits: Sequence[HeadEdit], batch: Batch, kernel: str | None = None
) -> list[HeadEdit]:
    """Return those of the edits that leave the output of the batch exactly as it was.

    What it is compared with is computed in the same way, by edits that change nothing at the same heads:
    rounding that differs from one kernel to another would else pass for an effect. Edits of the same layer
    run together, each on a copy of the batch.
    """
    alike: dict[Any, list[int]] = {}
    resolved = [edit.resolved(subject.heads) for edit in edits]
    for place, edit in enumerate(resolved):
        layers = frozenset((head.kind, head.layer) for head in edit.every_head)
        alike.setdefault((layers, edit.output is not None), []).append(place)
    idle: list[int] = []
    for places in alike.values():
        for start in range(0, len(places), TOGETHER):
            several = places[start : start + TOGETHER]
            with_edits, without = (
                _outputs(subject, [make(resolved[i]) for i in several], batch, kernel)
                for make in (lambda edit: edit, _idle)
            )
            idle += [i for i, a, b in zip(several, with_edits, without, strict=True) if torch.equal(a, b)]
    return [edits[i] for i in idle]


def refuse_all_without_effect(
    subject: Subject, edits: Sequence[HeadEdit], batches: Iterable[Batch], kernel: str | None = None
) -> list[HeadEdit]:
    """Return those of the edits that change nothing in any of the batches; an error if all are such. A model
    that ignores edits ignores all of them; a head that nothing depends on is a finding."""
    idle = list(edits)
    for batch in batches:
        idle = without_effect(subject, idle, batch, kernel)
        if not idle:
            return []
    if len(idle) == len(edits):
        raise _nothing(subject, idle[0], *_outputs(subject, idle[:1], batch, kernel))
    return idle


def _outputs(
    subject: Subject, edits: Sequence[HeadEdit], batch: Batch, kernel: str | None
) -> tuple[Tensor, ...]:
    """The model's main output with each of the edits."""
    copies, rows = len(edits), len(batch.ids)
    change = by_row([edit for edit in edits for _ in range(rows)])
    with torch.no_grad(), Tap(subject, edits=[change], kernel=kernel) as tap:
        return _first_tensor(tap.run(copy_batch(batch, copies), predictions=True)).chunk(copies)


def _idle(edit: HeadEdit) -> HeadEdit:
    """An edit of the same heads that changes nothing."""
    return HeadEdit("nothing", edit.heads, *((_same, None) if edit.output is None else (None, _same)))


def _same(tensor: Tensor, _: object) -> Tensor:
    return tensor


def _nothing(subject: Subject, edit: Edit, output: Tensor) -> AttlasError:
    """Why an edit changed nothing, as far as that is known."""
    if not bool(output.isfinite().any()):
        return AttlasError(f"the output of {subject.name} is not a number: its weights are broken")
    message = f"{edit} changed nothing in the output of {subject.name}"
    if getattr(edit, "name", "") == "shuffle":
        message += ": it takes the weights of another input of the same length, and no other is as long"
    return AttlasError(message)


def _first_tensor(output: Any) -> Tensor:
    """The model's main output: logits, or the last hidden state."""
    if hasattr(output, "logits"):
        logits: Tensor = output.logits
        return logits
    values = output.values() if isinstance(output, Mapping) else output
    return next(value for value in values if isinstance(value, Tensor))
