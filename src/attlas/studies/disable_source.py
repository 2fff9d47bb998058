"""From what a user names to the items that disabling and pruning are judged on: what can be wrong is said here,
before any work is done."""

from __future__ import annotations

from typing import Any

from attlas.corpora.objective import has_objective
from attlas.corpora.source import Source
from attlas.errors import AttlasError
from attlas.studies.mapping import surface_study
from attlas.subject import Subject


def loss_source(
    subject: Subject,
    text: Any,
    field: str | None,
    segments: int,
    length: int,
    seed: int,
    batch: int | None,
    strict: bool,
) -> Source:
    """Segments of a text, as `attlas map` takes them, for a model that has a loss of its own."""
    refuse_uneditable(subject)
    if not has_objective(subject):
        raise AttlasError(
            f"{subject.name} has no language-model head, so that a text gives it no loss: name a task"
        )
    found = surface_study(
        subject, text, field=field, segments=segments, length=length, seed=seed, batch=batch, strict=strict
    )
    return found.source


def refuse_uneditable(subject: Subject) -> None:
    if not subject.interface:
        raise AttlasError(
            f"{type(subject.model).__name__} does not use transformers' attention interface: "
            "its heads can be observed, but not edited"
        )
