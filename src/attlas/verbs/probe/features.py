"""`attlas probe features`: which heads attend to nouns, verbs, subjects, negation, [CLS] and [SEP]?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attlas.extras import require
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.study_result import ProbeResult


@verb("Probes")
def features(
    model: o.Model = "mini",
    corpus: o.File | None = None,
    *,
    faithful: o.Faithful = False,
    input: o.Input = "raw",
    corpus_options: o.CorpusOptions = o.CorpusOptions(),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> ProbeResult:
    """Which heads attend to nouns, verbs, pronouns, subjects, objects, negation, [CLS] and [SEP]?

    From all tokens, and from [CLS]; and how much weight lies between verbs and their subjects, pronouns and
    nouns.

    Example: attlas probe features mini my.txt --pipeline en_core_web_sm

    Parameters
    ----------
    corpus
        The annotated corpus. A treebank in CoNLL-U, or plain text, which a spaCy pipeline tags. Default: the
        sample that ships.
    faithful
        Finds tokens by spelling, and counts sentences without the feature as zeros.
    """
    from attlas.corpora.windows import SentenceWindows
    from attlas.studies.feature_study import FeatureStudy
    from attlas.studies.study_items import open_corpus, read_windows
    from attlas.studies.study_result import ProbeResult
    from attlas.studies.study_run import run

    require("conllu", "attlas probe features", "probes")
    keep_options.refuse_without_atlas(run_options)
    annotated = open_corpus(corpus, corpus_options)
    subject = load_options.load(model)
    source = read_windows(annotated, subject, SentenceWindows(input), corpus_options)
    study = FeatureStudy(source=source, tokenizer=subject.tokenizer if faithful else None, faithful=faithful)
    return run([study], subject, run_options, keep_options, ProbeResult, draw_result)
