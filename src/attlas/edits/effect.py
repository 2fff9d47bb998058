"""Did an edit do anything? The output with and without it, on one batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.edits.edit import Edit, HeadEdit
from attlas.errors import AttlasError
from attlas.tap.tap import Tap

if TYPE_CHECKING:
    from attlas.subject import Subject


@dataclass(frozen=True)
class Effect:
    """How far the edited output is from the plain one: largest and mean absolute difference, real tokens."""

    largest: float
    mean: float


def effect(subject: Subject, edit: Edit, batch: Batch) -> Effect:
    """Runs the batch twice. An edit that leaves the output exactly as it was is an error."""
    if not isinstance(batch, Batch):
        raise AttlasError(f"a batch is needed, not a {type(batch).__name__}: subject.encode(text) gives one")
    with torch.no_grad():
        plain = _first_tensor(subject.run(batch.inputs))
    with Tap(subject, edits=[edit]) as tap:
        edited = _first_tensor(tap.run(batch, predictions=True))
    apart = (plain.float() - edited.float()).abs()
    side = batch.sides.get("decoder", batch.sides.get("encoder"))
    if side is not None and apart.shape[:2] == side.real.shape:
        apart = apart[side.real]
    found = Effect(float(apart.max()), float(apart.mean()))
    if found.largest == 0:
        raise _nothing(subject, edit, plain)
    return found


def without_effect(
    subject: Subject, edits: Sequence[HeadEdit], batch: Batch, kernel: str | None = None
) -> list[HeadEdit]:
    """Those of the edits that leave the output of the batch exactly as it was.

    What it is compared with is computed in the same way, by edits that change nothing at the same heads:
    rounding that differs from one kernel to another would else pass for an effect.
    """
    references: dict[Any, Tensor] = {}
    found: list[HeadEdit] = []
    for edit in edits:
        resolved = edit.resolved(subject.heads)
        layers = frozenset((head.kind, head.layer) for head in resolved.every_head)
        on_output = resolved.output is not None
        if (layers, on_output) not in references:
            idle = HeadEdit("nothing", resolved.heads, *((None, _same) if on_output else (_same, None)))
            references[layers, on_output] = _output(subject, idle, batch, kernel)
        if torch.equal(_output(subject, resolved, batch, kernel), references[layers, on_output]):
            found.append(edit)
    return found


def refuse_all_without_effect(
    subject: Subject, edits: Sequence[HeadEdit], batches: Iterable[Batch], kernel: str | None = None
) -> list[HeadEdit]:
    """Those of the edits that change nothing in any of the batches; an error if all are such. A model that
    ignores edits ignores all of them; a head that nothing depends on is a finding."""
    idle = list(edits)
    for batch in batches:
        idle = without_effect(subject, idle, batch, kernel)
        if not idle:
            return []
    if len(idle) == len(edits):
        raise _nothing(subject, idle[0], _output(subject, idle[0], batch, kernel))
    return idle


def _output(subject: Subject, edit: Edit, batch: Batch, kernel: str | None) -> Tensor:
    with torch.no_grad(), Tap(subject, edits=[edit], kernel=kernel) as tap:
        return _first_tensor(tap.run(batch, predictions=True))


def _same(tensor: Tensor, _: object) -> Tensor:
    return tensor


def _nothing(subject: Subject, edit: Edit, output: Tensor) -> AttlasError:
    """Why an edit changed nothing, as far as that can be told."""
    if not bool(output.isfinite().any()):
        return AttlasError(f"the output of {subject.name} is not a number: its weights are broken")
    said = f"{edit} changed nothing in the output of {subject.name}"
    if getattr(edit, "name", "") == "shuffle":
        said += ": it takes the weights of another input of the same length, and there is none"
    return AttlasError(said)


def _first_tensor(output: Any) -> Tensor:
    """The model's main output: logits, or the last hidden state."""
    first = output[0] if not hasattr(output, "logits") else output.logits
    return (
        next(v for v in output.values() if isinstance(v, Tensor)) if not isinstance(first, Tensor) else first
    )
