"""From what a user names to the items that disabling and pruning are judged on, and by what: what can be
wrong is said here, before any work is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from attlas.corpora.objective import has_objective, objective
from attlas.corpora.source import Source
from attlas.corpora.task_data import task_data, with_labels
from attlas.corpora.task_outputs import assumed_order
from attlas.corpora.task_source import TaskSource
from attlas.corpora.tasks import task_named
from attlas.edits.sweep import Measure
from attlas.errors import AttlasError
from attlas.progress import tell
from attlas.studies.disabling.outcomes import LOSS, Score, answered, score_of
from attlas.studies.mapping import surface_study
from attlas.subject import Subject

#: few, so that they are of nearly equal length: copies of them, one for each head, fill the device
ITEMS_IN_A_BATCH = 8


@dataclass(frozen=True)
class Judge:
    """Items, what is taken of the model's output on each, and the score that this makes."""

    source: Source
    measure: Measure
    score: Score


@dataclass(frozen=True)
class Judged:
    """A task with its data, or a text; the parameters are those of `attlas.disable`."""

    task: str | None
    data: Any
    columns: tuple[str, ...]
    label: str | None
    numbers: bool
    metric: str | None
    examples: int | None
    text: Any
    field: str | None
    segments: int

    def by(self, subject: Subject, length: int, seed: int, batch: int | None, strict: bool) -> Judge:
        batch = batch or ITEMS_IN_A_BATCH
        if not subject.interface:
            raise AttlasError(
                f"{type(subject.model).__name__} does not use transformers' attention interface: "
                "its heads can be observed, but not edited"
            )
        if self.task is None:
            return self._by_loss(subject, length, seed, batch, strict)
        return self._by_answers(self.task, subject, length, batch, strict)

    def _by_loss(self, subject: Subject, length: int, seed: int, batch: int | None, strict: bool) -> Judge:
        """Segments of a text, as `attlas map` takes them, for a model that has a loss of its own."""
        given = {"--data": self.data is not None, "--metric": self.metric, "--columns": self.columns}
        if alone := next((option for option, is_given in given.items() if is_given), None):
            raise AttlasError(f"{alone} goes with a task: attlas disable MODEL TASK --data FOLDER")
        if not has_objective(subject):
            raise AttlasError(
                f"{subject.name} has no language-model head, so that a text gives it no loss: name a task"
            )
        study = surface_study(
            subject,
            self.text,
            field=self.field,
            segments=self.segments,
            length=length,
            seed=seed,
            batch=batch,
            strict=strict,
        )
        return Judge(study.source, objective, LOSS)

    def _by_answers(self, name: str, subject: Subject, length: int, batch: int | None, strict: bool) -> Judge:
        """The dev split of a task, for a model that was fine-tuned on it."""
        if self.text is not None:
            raise AttlasError("a task has a text of its own: give a task or --text, not both")
        if self.data is None:
            raise AttlasError(f"where are the examples of {name}? Name their folder with --data")
        if not type(subject.model).__name__.endswith("ForSequenceClassification"):
            raise AttlasError(f"{subject.name} does not classify texts: fine-tune it on {name} first")
        if subject.tokenizer is None:
            raise AttlasError(f"{subject.name} has no tokenizer, so it cannot read text")
        subject.check_length(length, f"an input (--length {length})")
        task = task_named(name, self.columns, self.label, self.numbers)
        task = with_labels(task_data(task, self.data, "dev"))
        split = task_data(task, self.data, "dev")
        assumed = assumed_order(task, subject.model.config)
        if assumed is not None:
            tell(assumed)
        source = TaskSource(
            split, subject.tokenizer, length, self.examples, batch=batch, strict=strict, assumed=assumed
        )
        return Judge(source, answered, score_of(task, self.metric))
