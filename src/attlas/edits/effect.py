"""Did an edit do anything? The output with and without it, on one batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.edits.edit import Edit
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
        raise AttlasError(f"{edit} changed nothing in the output of {subject.name}")
    return found


def _first_tensor(output: Any) -> Tensor:
    """The model's main output: logits, or the last hidden state."""
    first = output[0] if not hasattr(output, "logits") else output.logits
    return (
        next(v for v in output.values() if isinstance(v, Tensor)) if not isinstance(first, Tensor) else first
    )
