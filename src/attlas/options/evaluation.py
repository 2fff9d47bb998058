"""What `disable` and `prune` score a model on, from their options: a task if one is named, else a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attlas.errors import AttlasError, option
from attlas.options.option_groups import BatchOptions, TaskOptions, TextOptions

if TYPE_CHECKING:
    from attlas.studies.disabling.evaluated_on import Evaluation
    from attlas.subject import Subject


def evaluation(
    subject: Subject,
    task: str | None,
    metric: str | None,
    text_options: TextOptions,
    task_options: TaskOptions,
    batch_options: BatchOptions,
) -> Evaluation:
    from attlas.studies.disabling.evaluated_on import loss_evaluation, task_evaluation

    if task is None:
        task_options.refuse_without_task(metric=metric)
        return loss_evaluation(
            subject, **text_options.values(), batch=batch_options.batch, shard=batch_options.shard
        )
    if text_options.text is not None:
        raise AttlasError(f"a task has a text of its own: give a task or {option('text')}, not both")
    return task_evaluation(
        subject,
        task,
        **task_options.values(),
        metric=metric,
        length=text_options.length,
        strict=text_options.strict,
        batch=batch_options.batch,
    )
