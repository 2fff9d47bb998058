"""`attlas disable`: what a model loses without each of its heads and layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attlas.edits.switching_off import EditName
from attlas.errors import AttlasError, option
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.disabling.disable_result import DisableResult


@verb("Change")
def disable(
    model: o.Model = "mini",
    task: str | None = None,
    *,
    edit: EditName = "mean",
    heads: Sequence[str] = (),
    confirm: o.Count | None = None,
    metric: str | None = None,
    text_options: o.TextOptions = o.TextOptions(segments=100),
    task_options: o.TaskOptions = o.TaskOptions(),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    batch_options: o.BatchOptions = o.BatchOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> DisableResult:
    """What does the model lose without each of its heads and layers?

    Each head, and each layer, is disabled by itself. The score on the same items is compared with that of the
    unmodified model, with an interval over documents and a p-value corrected for the number of heads.
    Without a task, the score is the loss of masked words, or of the next token, on a text. Heads without any
    effect on the output are named; if no head has an effect, that is an error.

    Does the model need its induction heads? `--text repeated` reads random tokens twice. The loss then counts
    only the second half, which repeats the first.

    Example: attlas disable mini --edit zero --segments 50 --atlas out/mini.attlas --figures out/figures

    Parameters
    ----------
    task
        A task of GLUE (CoLA, SST-2, MRPC, STS-B, QQP, MNLI, QNLI, RTE), or a name for your own, with
        --columns. The model was fine-tuned on it.
    edit
        What a disabled head does. `mean`: outputs its mean over the corpus; `zero`: outputs zero; `uniform`:
        attends evenly, as in Kovaleva 2019, which wakes heads that rest; `shuffle`: attends as it did in
        another input of the same length.
    heads
        Which heads. Each is disabled by itself: 7.9, "layer 7" or 7.*, cross.0.3; 7.9,7.10 are disabled
        together. Default: all heads and layers.
    confirm
        Estimate every head by attribution (one backward pass) on half of the documents, and disable only this
        many, the strongest, on the other half. Finds effects that a sweep of all heads is too weak to show.
    metric
        Which of the task's metrics: accuracy, f1, matthews, pearson or spearman. Default: GLUE's own.
    """
    from attlas.studies.disabling.disable_result import DisableResult
    from attlas.studies.disabling.disable_study import Disable, sets_named
    from attlas.studies.disabling.evaluation import evaluation
    from attlas.studies.study_run import run

    if confirm is not None:
        _refuse_screening(edit, heads)
    keep_options.refuse_without_atlas(run_options)
    subject = load_options.load(model, text=text_options.text)
    study = Disable(
        subject=subject,
        evaluation=evaluation(subject, text_options, task_options, batch_options, task, metric),
        edit=edit,
        sets=sets_named(heads, subject.heads),
        confirm=confirm,
        seed=text_options.seed,
        kernel=batch_options.kernel,
    )
    return run([study], subject, run_options, keep_options, DisableResult, draw_result)


def _refuse_screening(edit: str, heads: Sequence[str]) -> None:
    from attlas.studies.disabling.screening import SCREENED_BY

    if heads:
        raise AttlasError(f"{option('confirm')} chooses among all heads: leave out {option('heads')}")
    if edit not in SCREENED_BY:
        raise AttlasError(f"{option('confirm')} goes with the edits {' and '.join(SCREENED_BY)}")
