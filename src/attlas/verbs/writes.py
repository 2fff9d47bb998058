"""`attlas writes`: what every head adds to the residual stream, and to the logits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attlas.options.option_groups import (
    BatchOptions,
    KeepOptions,
    LoadOptions,
    Model,
    RunOptions,
    TextOptions,
)
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.writing.writes_result import WritesResult


@verb("Measure")
def writes(
    model: Model = "mini",
    *,
    sentence: str | None = None,
    text_options: TextOptions = TextOptions(segments=100),
    keep_options: KeepOptions = KeepOptions(),
    run_options: RunOptions = RunOptions(),
    batch_options: BatchOptions = BatchOptions(),
    load_options: LoadOptions = LoadOptions(),
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
    """
    from attlas.errors import AttlasError
    from attlas.studies.study_items import text_items
    from attlas.studies.study_run import run
    from attlas.studies.writing.writes_result import WritesResult
    from attlas.studies.writing.writes_study import Writes
    from attlas.tap.stream import no_writes

    keep_options.refuse_without_atlas(run_options)
    subject = load_options.load(model)
    if (reason := no_writes(subject)) is not None:
        raise AttlasError(f"what heads write cannot be measured: {reason}")
    items = text_items(subject, text_options, batch_options)
    study = Writes(
        subject=subject,
        source=items.source,
        classes=items.classes,
        seed=text_options.seed,
        kernel=batch_options.kernel,
        sentence=sentence,
    )
    return run([study], subject, run_options, keep_options, WritesResult, draw_result)
