"""`attlas prune`: how many heads can go, in which order, and a smaller model without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from attlas.choices import PruneOrder
from attlas.errors import AttlasError, option
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.pruning.prune_result import PruneResult


@verb("Change")
def prune(
    model: o.Model = "mini",
    task: str | None = None,
    *,
    orders: Annotated[Sequence[PruneOrder], Field(min_length=1)] = ("effect", "gradient"),
    steps: o.Count = 10,
    random_orders: Annotated[o.Whole, Field(ge=0, le=1000)] = 5,
    keep: Annotated[o.Number, Field(gt=0, lt=1)] | None = None,
    save: o.WholeFolder | None = None,
    metric: str | None = None,
    text_options: o.TextOptions = o.TextOptions(segments=100),
    task_options: o.TaskOptions = o.TaskOptions(),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    batch_options: o.BatchOptions = o.BatchOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> PruneResult:
    """How many heads can go, and in which order?

    One half of the items says how important each head is. On the other half, heads are taken away in that
    order, and in random orders beside it. --keep and --save write a smaller model.

    `--text repeated` reads random tokens twice, and the loss counts only the second half: which heads can go
    without harm to induction?

    Example: attlas prune mini --segments 60 --keep 0.5 --save out/mini-half --figures out/figures

    Parameters
    ----------
    task
        A task of GLUE (CoLA, SST-2, MRPC, STS-B, QQP, MNLI, QNLI, RTE), or a name for your own, with
        --columns. The model was fine-tuned on it.
    orders
        How to rank heads. `effect`: the loss without the head alone; `gradient`: the gradient of a gate on
        the head, as in Michel 2019; `greedy`: the loss without it once others are gone, measured again at
        every step (slow).
    steps
        Points of a curve, from all heads to none.
    random_orders
        How many random orders to compare with.
    keep
        Share of the heads that the smaller model keeps, by the first of the orders.
    save
        Write the model to this folder. It is the smaller one.
    metric
        Which of the task's metrics: accuracy, f1, matthews, pearson or spearman. Default: GLUE's own.
    """
    from attlas.studies.disabling.evaluation import evaluation
    from attlas.studies.pruning.prune_result import PruneResult
    from attlas.studies.pruning.prune_study import Prune
    from attlas.studies.pruning.smaller_model import refuse_unsavable
    from attlas.studies.study_run import rescue, run

    if (keep is None) is not (save is None):
        raise AttlasError(
            f"{option('keep')} says how much a smaller model keeps, and {option('save')} where it goes: "
            "give both"
        )
    keep_options.refuse_without_atlas(run_options)
    subject = load_options.load(model)
    if save is not None and keep is not None:
        refuse_unsavable(subject, save, keep)
    study = Prune(
        subject=subject,
        evaluation=evaluation(subject, text_options, task_options, batch_options, task, metric),
        orders=tuple(dict.fromkeys(orders)),
        steps=steps,
        randoms=random_orders,
        keep=keep,
        seed=text_options.seed,
        kernel=batch_options.kernel,
    )
    result = run([study], subject, run_options, keep_options, PruneResult, draw_result)
    if save is not None:
        with rescue(result, result.written):
            return study.save(result, save)
    return result
