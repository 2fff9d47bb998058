"""What disabling and pruning are evaluated on: a text, by the model's own loss, or a task, by its metric.
What can be wrong is said here, before any work is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from attlas.corpora.batches import REPEATED
from attlas.corpora.segments import template_of
from attlas.corpora.source import Source
from attlas.corpora.task_data import task_data, with_labels
from attlas.corpora.task_outputs import assumed_order
from attlas.corpora.task_source import TaskSource
from attlas.corpora.tasks import task_named
from attlas.edits.sweep import Measure
from attlas.errors import AttlasError, option
from attlas.progress import tell
from attlas.studies.disabling.outcomes import LOSS, Metric, answered, metric_of
from attlas.studies.patterns.sources import RepeatedTokens
from attlas.studies.text_items import text_items
from attlas.subject import Subject
from attlas.subject.losses import no_objective, objective

#: few, so that they are of nearly equal length: copies of them, one for each head, fill the device
ITEMS_IN_A_BATCH = 8
#: few: one is run once for every head, and takes as long as a hundred of a map's
BATCHES_IN_A_SHARD = 2
#: random tokens before they repeat, at least
SHORTEST = 4


@dataclass(frozen=True)
class Evaluation:
    """Items, what is measured of the model's output on each, and the metric that this makes."""

    source: Source
    measure: Measure
    metric: Metric


def loss_evaluation(
    subject: Subject,
    text: Any = None,
    *,
    field: str | None = None,
    segments: int | Literal["all"] = 100,
    length: int = 128,
    strict: bool = False,
    seed: int = 0,
    batch: int | None = None,
    shard: int | None = None,
) -> Evaluation:
    """Segments of a text, as `attlas map` takes them, or repeated random tokens, for a model that has a loss
    of its own."""
    _refuse_uneditable(subject)
    if missing := no_objective(subject):
        raise AttlasError(f"{subject.name} has {missing}, so it has no loss on a text: name a task")
    batch = batch or ITEMS_IN_A_BATCH
    if isinstance(text, str) and text == REPEATED:
        return Evaluation(_repeated(subject, field, segments, length, seed, batch), objective, LOSS)
    items = text_items(
        subject,
        text,
        field=field,
        segments=segments,
        length=length,
        strict=strict,
        seed=seed,
        batch=batch,
        shard=shard or BATCHES_IN_A_SHARD * batch * length,
    )
    return Evaluation(items.source, objective, LOSS)


def _repeated(
    subject: Subject, field: str | None, segments: int | Literal["all"], length: int, seed: int, batch: int
) -> RepeatedTokens:
    """Texts of at most `length` tokens, the shortest less than half as long as the longest."""
    if field is not None or segments == "all":
        wrong = option("field", field) if field is not None else option("segments", segments)
        raise AttlasError(f"{wrong}: {option('text', REPEATED)} is made at random, and not read from files")
    if subject.tokenizer is None:
        raise AttlasError(f"{subject.name} has no tokenizer, so it cannot read text")
    subject.check_length(length, f"a text ({option('length', length)})")
    template = template_of(subject.tokenizer)
    special = len(template.before) + len(template.after)
    longest = (length - special) // 2
    if longest < SHORTEST:
        least = 2 * SHORTEST + special
        raise AttlasError(f"{option('length', length)}: a text that repeats needs {least} tokens or more")
    shortest = max(SHORTEST, 2 * longest // 5)
    return RepeatedTokens(subject.tokenizer, segments, shortest, longest, seed, batch)


def task_evaluation(
    subject: Subject,
    name: str,
    data: Any,
    *,
    columns: Sequence[str] = (),
    label: str | None = None,
    regression: bool = False,
    metric: str | None = None,
    examples: int | None = None,
    length: int = 128,
    strict: bool = False,
    batch: int | None = None,
) -> Evaluation:
    """The dev split of a task, for a model that was fine-tuned on it."""
    _refuse_uneditable(subject)
    if data is None:
        raise AttlasError(f"where are the examples of {name}? Name their folder with {option('data')}")
    if not type(subject.model).__name__.endswith("ForSequenceClassification"):
        raise AttlasError(f"{subject.name} does not classify texts: fine-tune it on {name} first")
    if subject.tokenizer is None:
        raise AttlasError(f"{subject.name} has no tokenizer, so it cannot read text")
    subject.check_length(length, f"an input ({option('length', length)})")
    task = with_labels(task_data(task_named(name, columns, label, regression), data, "dev"))
    assumed = assumed_order(task, subject.model.config)
    if assumed is not None:
        tell(assumed)
    source = TaskSource(
        task_data(task, data, "dev"),
        subject.tokenizer,
        length,
        examples,
        batch=batch or ITEMS_IN_A_BATCH,
        strict=strict,
        assumed=assumed,
    )
    return Evaluation(source, answered, metric_of(task, metric))


def _refuse_uneditable(subject: Subject) -> None:
    if not subject.interface:
        raise AttlasError(subject.uneditable)
