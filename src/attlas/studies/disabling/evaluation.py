"""What disabling and pruning are scored on: a text, by the model's own loss, or a task, by its metric.

What can be wrong with it is refused here, before any work is done."""

from __future__ import annotations

from dataclasses import dataclass

from attlas.corpora.batches import REPEATED
from attlas.corpora.segments import template_of
from attlas.corpora.source import Source
from attlas.corpora.task_data import task_data, with_labels
from attlas.corpora.task_source import TaskSource
from attlas.corpora.tasks import assumed_order, task_named
from attlas.corpora.text_source import RepeatedTokens
from attlas.edits.sweep import Measure
from attlas.errors import AttlasError, option
from attlas.options.option_groups import BatchOptions, TaskOptions, TextOptions
from attlas.progress import tell
from attlas.studies.disabling.outcomes import ANSWERS, EMBEDDING, LOSS, Metric, measure_answers, metric_of
from attlas.studies.study_items import text_items
from attlas.subject import Subject
from attlas.subject.embedding import answer_chances, classifies, embedding, embeds
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
    measure: Measure = objective
    metric: Metric = LOSS


def evaluation(
    subject: Subject,
    text_options: TextOptions,
    task_options: TaskOptions,
    batch_options: BatchOptions,
    task: str | None = None,
    metric: str | None = None,
) -> Evaluation:
    """Return what a model is scored on: a task if one is named, else a text."""
    if task is None:
        task_options.refuse_without_task(metric=metric)
        return loss_evaluation(subject, text_options, batch_options)
    if text_options.text is not None:
        raise AttlasError(f"a task has a text of its own: give a task or {option('text')}, not both")
    return _task_evaluation(subject, task, metric, text_options, task_options, batch_options)


def loss_evaluation(
    subject: Subject, text_options: TextOptions, batch_options: BatchOptions = BatchOptions()
) -> Evaluation:
    """Return segments of a text, as `attlas map` reads them, or repeated random tokens. A model without a
    loss of its own is judged by how far its embedding of a text moves, or its answers."""
    _refuse_uneditable(subject)
    source = few_at_once(subject, text_options, batch_options)
    if not (missing := no_objective(subject)):
        return Evaluation(source)
    if embeds(subject):
        return Evaluation(source, embedding, EMBEDDING)
    if classifies(subject):
        return Evaluation(source, answer_chances, ANSWERS)
    raise AttlasError(f"{subject.name} has {missing}, so it has no loss on a text: name a task")


def few_at_once(subject: Subject, text_options: TextOptions, batch_options: BatchOptions) -> Source:
    """Return a text, or repeated random tokens, in batches and shards small enough for what is run, or kept,
    once for every head."""
    batch = batch_options.batch or ITEMS_IN_A_BATCH
    if isinstance(text_options.text, str) and text_options.text == REPEATED:
        return _repeated_tokens(subject, text_options, batch)
    shard = batch_options.shard or BATCHES_IN_A_SHARD * batch * text_options.length
    return text_items(subject, text_options, BatchOptions(batch=batch, shard=shard)).source


def _repeated_tokens(subject: Subject, text_options: TextOptions, batch: int) -> RepeatedTokens:
    """Return texts of at most `length` tokens, the shortest less than half as long as the longest."""
    field, segments, length = text_options.field, text_options.segments, text_options.length
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
    return RepeatedTokens(subject.tokenizer, segments, shortest, longest, text_options.seed, batch)


def _task_evaluation(
    subject: Subject,
    name: str,
    metric: str | None,
    text_options: TextOptions,
    task_options: TaskOptions,
    batch_options: BatchOptions,
) -> Evaluation:
    """Return the dev split of a task, for a model that was fine-tuned on it."""
    _refuse_uneditable(subject)
    data, length = task_options.data, text_options.length
    if data is None:
        raise AttlasError(f"where are the examples of {name}? Name their folder with {option('data')}")
    if not type(subject.model).__name__.endswith("ForSequenceClassification"):
        raise AttlasError(f"{subject.name} does not classify texts: fine-tune it on {name} first")
    if subject.tokenizer is None:
        raise AttlasError(f"{subject.name} has no tokenizer, so it cannot read text")
    subject.check_length(length, f"an input ({option('length', length)})")
    unlabelled = task_named(name, task_options.columns, task_options.label, task_options.regression)
    task = with_labels(task_data(unlabelled, data, "dev"))
    assumed = assumed_order(task, subject.model.config)
    if assumed is not None:
        tell(assumed)
    source = TaskSource(
        task_data(task, data, "dev"),
        subject.tokenizer,
        length,
        task_options.examples,
        batch=batch_options.batch or ITEMS_IN_A_BATCH,
        strict=text_options.strict,
        assumed=assumed,
    )
    return Evaluation(source, measure_answers, metric_of(task, metric))


def _refuse_uneditable(subject: Subject) -> None:
    if not subject.interface:
        raise AttlasError(subject.uneditable)
