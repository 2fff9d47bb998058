"""`attlas probe coreference`: which head points from a mention to what it refers back to?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attlas.errors import AttlasError
from attlas.extras import require
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.study_result import ProbeResult


@verb("Probes")
def coreference(
    model: o.Model = "mini",
    corpus: o.File | None = None,
    *,
    choose_on: o.ChooseOn = None,
    faithful: o.Faithful = False,
    candidates: Literal["mentions", "words"] = "mentions",
    min_count: o.MinCount = 100,
    input: o.Input = "words",
    pieces: o.Pieces = "mean",
    seed: o.Seed = 0,
    corpus_options: o.CorpusOptions = o.CorpusOptions(),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> ProbeResult:
    """Which head points from a mention to what it refers back to?

    For all mentions, pronouns, proper names and nominals, beside the nearest mention, the nearest with the
    same head word, and four sieves of rules. With GAP: which of two names a pronoun means. Documents are cut
    into windows at sentences, and what is cut is counted.

    Example: attlas probe coreference mini GUM/ --candidates words

    Parameters
    ----------
    corpus
        The annotated corpus. CoNLL-U with entities (CorefUD, GUM), CoNLL-2012 (OntoNotes, LitBank), GAP, or a
        folder of them.
    faithful
        Reads only the first window of a document; heads are chosen and reported on the same windows.
    candidates
        What a mention may point to: the head words of all `mentions` before it, or all `words` before it.
    """
    from attlas.corpora.windows import CoveringWindow, DocumentWindows, FirstWindow
    from attlas.studies.coreference_study import Coreference
    from attlas.studies.study_items import open_corpus, read_other_windows, read_windows
    from attlas.studies.study_result import ProbeResult
    from attlas.studies.study_run import run

    require("conllu", "attlas probe coreference", "probes")
    if corpus is None:
        raise AttlasError(
            "name a corpus with coreference: CorefUD or GUM (CoNLL-U with entities), OntoNotes or LitBank "
            "(CoNLL-2012), or GAP: attlas probe coreference MODEL CORPUS"
        )
    keep_options.refuse_without_atlas(run_options)
    annotated = open_corpus(corpus, corpus_options)
    subject = load_options.load(model)
    gap = annotated.format == "gap"
    cutter = CoveringWindow(input) if gap else FirstWindow(input) if faithful else DocumentWindows(input)
    study = Coreference(
        source=read_windows(annotated, subject, cutter, corpus_options),
        choosing=read_other_windows(choose_on, annotated, subject, cutter, corpus_options),
        gap=gap,
        faithful=faithful,
        candidates=candidates,
        min_count=min_count,
        pieces=pieces,
        seed=seed,
    )
    return run([study], subject, run_options, keep_options, ProbeResult, draw_result)
