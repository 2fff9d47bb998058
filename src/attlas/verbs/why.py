"""`attlas why`: who wrote the queries and keys by which a head looks where it looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.feeding.link_reasons import LinkReasons
    from attlas.studies.feeding.why_result import WhyResult


@verb("Measure")
def why(
    model: o.Model = "mini",
    *,
    heads: Sequence[str] = (),
    sentence: str | None = None,
    link: tuple[o.CountOrZero, o.CountOrZero] | None = None,
    text_options: o.TextOptions = o.TextOptions(segments=40, length=64),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    batch_options: o.BatchOptions = o.BatchOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> WhyResult | LinkReasons:
    """Why does a head look there? Who wrote the query, and who wrote the key?

    A score is a sum of what embeddings, positions, biases, earlier heads and feed-forward layers wrote into
    the query and into the key. With a sentence, you get that sum for one head and one link. Over a text, you
    get which earlier heads feed the queries and keys of a head: those that lift the scores of what it attends
    to by more than the other heads of their layer do.

    `--text repeated` reads random tokens twice, which shows what feeds induction heads.

    Example: attlas why mini --heads 3.4 --sentence "The old town lies on the river."

    Parameters
    ----------
    heads
        Which heads. Written 7.9, "layer 7" or 7.*, cross.0.3. With a sentence, one. Default: all.
    sentence
        A text to look at token by token. It replaces the corpus.
    link
        The tokens of the sentence that the head looks from and at, counted from 0. Default: its strongest
        link that does not rest on the first token or a separator.
    """
    from attlas.edits.head_edit import heads_named
    from attlas.errors import AttlasError, option
    from attlas.studies.disabling.evaluation import few_at_once
    from attlas.studies.feeding.link_reasons import reasons_for
    from attlas.studies.feeding.why_result import WhyResult
    from attlas.studies.feeding.why_study import Why
    from attlas.studies.study_run import run
    from attlas.tap.score_parts import no_score_parts

    keep_options.refuse_without_atlas(run_options)
    subject = load_options.load(model)
    if (reason := no_score_parts(subject)) is not None:
        raise AttlasError(f"it cannot be known who wrote queries and keys: {reason}")
    named = dict.fromkeys(head for written in heads for head in heads_named(written, subject.heads))
    if sentence is not None:
        if len(named) != 1:
            raise AttlasError(f"{option('sentence', sentence)} is asked of one head: {option('heads')} 7.9")
        if keep_options.atlas or keep_options.figures:
            raise AttlasError(f"one link is no chapter of an atlas: leave {option('sentence')} out")
        return reasons_for(subject, sentence, next(iter(named)), link, batch_options.kernel)
    if link is not None:
        raise AttlasError(f"{option('link')} is of a text: give it with {option('sentence')}")
    study = Why(
        subject=subject,
        source=few_at_once(subject, text_options, batch_options),
        heads=tuple(named) or subject.heads,
        kernel=batch_options.kernel,
    )
    return run([study], subject, run_options, keep_options, WhyResult, draw_result)
