"""`attlas writes`: what every head adds to the residual stream, and to the logits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.writing.writes_result import WritesResult


@verb("Measure")
def writes(
    model: o.Model = "mini",
    *,
    sentence: str | None = None,
    remove: o.CountOrZero = 0,
    text_options: o.TextOptions = o.TextOptions(segments=100),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    batch_options: o.BatchOptions = o.BatchOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> WritesResult:
    """How much does each head write, and which tokens does that raise?

    A head adds a vector to the residual stream. You get its length beside the stream's and beside those of
    its layer's other heads, and whether it points along the stream or against it; which heads rest by their
    weights, and which by what they write; what each head adds by itself to the logit of the token to be
    predicted; and the tokens that it raises and lowers most. Attention by norm, where a weight counts as much
    as the vector that it moves is long, has the statistics of `attlas map`, called norm_...

    Example: attlas writes mini --segments 50 --atlas out/mini.attlas

    Parameters
    ----------
    sentence
        A text to look at token by token. You get what each head adds to the logit of each of its tokens.
    remove
        Also remove every head by itself, on this many texts. You get which of eight scores of inactivity
        predicts what that costs. Default: no head is removed.
    """
    from dataclasses import replace

    from attlas.errors import AttlasError, option
    from attlas.studies.disabling.evaluation import few_at_once
    from attlas.studies.study_items import text_items
    from attlas.studies.study_run import run
    from attlas.studies.writing.writes_result import WritesResult
    from attlas.studies.writing.writes_study import Writes
    from attlas.subject.losses import no_objective
    from attlas.tap.stream import no_writes

    keep_options.refuse_without_atlas(run_options)
    subject = load_options.load(model)
    if (reason := no_writes(subject)) is not None:
        raise AttlasError(f"what heads write cannot be measured: {reason}")
    items = text_items(subject, text_options, batch_options)
    removing = None
    if remove:
        if (lacks := no_objective(subject)) is not None:
            raise AttlasError(f"{option('remove', remove)}: {subject.name} has {lacks}")
        removing = few_at_once(subject, replace(text_options, segments=remove), batch_options)
    study = Writes(
        subject=subject,
        source=items.source,
        classes=items.classes,
        seed=text_options.seed,
        kernel=batch_options.kernel,
        sentence=sentence,
        removing=removing,
    )
    return run([study], subject, run_options, keep_options, WritesResult, draw_result)
