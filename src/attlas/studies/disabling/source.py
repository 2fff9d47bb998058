"""From what a user names to the items that disabling and pruning are evaluated on, and by what metric: what
can be wrong is said here, before any work is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from attlas.corpora.objective import no_objective, objective
from attlas.corpora.source import Source
from attlas.corpora.task_data import task_data, with_labels
from attlas.corpora.task_outputs import assumed_order
from attlas.corpora.task_source import TaskSource
from attlas.corpora.tasks import task_named
from attlas.edits.sweep import Measure
from attlas.errors import AttlasError
from attlas.progress import tell
from attlas.studies.disabling.outcomes import LOSS, Metric, answered, metric_of
from attlas.studies.mapping import surface_study
from attlas.subject import Subject

#: few, so that they are of nearly equal length: copies of them, one for each head, fill the device
ITEMS_IN_A_BATCH = 8
#: few: one is run once for every head, and takes as long as a hundred of a map's
BATCHES_IN_A_SHARD = 2


@dataclass(frozen=True)
class Evaluation:
    """Items, what is measured of the model's output on each, and the metric that this makes."""

    source: Source
    measure: Measure
    metric: Metric


@dataclass(frozen=True)
class EvaluationRequest:
    """What the user asked for, a task with its data or a text, in the parameters of `attlas.disable`."""

    task: str | None = None
    data: Any = None
    columns: tuple[str, ...] = ()
    label: str | None = None
    numbers: bool = False
    metric: str | None = None
    examples: int | None = None
    text: Any = None
    field: str | None = None
    segments: int = 100
    length: int = 128
    seed: int = 0
    batch: int | None = None
    strict: bool = False

    def evaluation(self, subject: Subject) -> Evaluation:
        if not subject.interface:
            raise AttlasError(subject.uneditable)
        if self.task is None:
            return self._of_loss(subject)
        return self._of_answers(subject, self.task)

    def _of_loss(self, subject: Subject) -> Evaluation:
        """Segments of a text, as `attlas map` takes them, for a model that has a loss of its own."""
        given = {
            "--data": self.data is not None,
            "--metric": self.metric is not None,
            "--columns": self.columns,
        }
        if alone := next((option for option, is_given in given.items() if is_given), None):
            raise AttlasError(f"{alone} goes with a task: attlas disable MODEL TASK --data FOLDER")
        if missing := no_objective(subject):
            raise AttlasError(f"{subject.name} has {missing}, so that a text gives it no loss: name a task")
        batch = self.batch or ITEMS_IN_A_BATCH
        study = surface_study(
            subject,
            self.text,
            field=self.field,
            segments=self.segments,
            length=self.length,
            seed=self.seed,
            batch=batch,
            shard=BATCHES_IN_A_SHARD * batch * self.length,
            strict=self.strict,
        )
        return Evaluation(study.source, objective, LOSS)

    def _of_answers(self, subject: Subject, name: str) -> Evaluation:
        """The dev split of a task, for a model that was fine-tuned on it."""
        if self.text is not None:
            raise AttlasError("a task has a text of its own: give a task or --text, not both")
        if self.data is None:
            raise AttlasError(f"where are the examples of {name}? Name their folder with --data")
        if not type(subject.model).__name__.endswith("ForSequenceClassification"):
            raise AttlasError(f"{subject.name} does not classify texts: fine-tune it on {name} first")
        if subject.tokenizer is None:
            raise AttlasError(f"{subject.name} has no tokenizer, so it cannot read text")
        subject.check_length(self.length, f"an input (--length {self.length})")
        task = task_named(name, self.columns, self.label, self.numbers)
        task = with_labels(task_data(task, self.data, "dev"))
        split = task_data(task, self.data, "dev")
        assumed = assumed_order(task, subject.model.config)
        if assumed is not None:
            tell(assumed)
        source = TaskSource(
            split,
            subject.tokenizer,
            self.length,
            self.examples,
            batch=self.batch or ITEMS_IN_A_BATCH,
            strict=self.strict,
            assumed=assumed,
        )
        return Evaluation(source, answered, metric_of(task, self.metric))
