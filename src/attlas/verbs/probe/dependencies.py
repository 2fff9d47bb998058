"""`attlas probe dependencies`: which head points from a word to its syntactic head?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attlas.extras import require
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.study_result import ProbeResult


@verb("Probes")
def dependencies(
    model: o.Model = "mini",
    corpus: o.File | None = None,
    *,
    choose_on: o.ChooseOn = None,
    faithful: o.Faithful = False,
    subtypes: bool = False,
    shortest: o.Shortest = 1,
    longest: o.Longest = None,
    min_count: o.MinCount = 100,
    input: o.Input = "words",
    pieces: o.Pieces = "mean",
    seed: o.Seed = 0,
    corpus_options: o.CorpusOptions = o.CorpusOptions(),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> ProbeResult:
    """Which head points from a word to its syntactic head, for every relation?

    The best head of each relation is chosen on one half of the corpus and reported on the other, beside the
    best fixed offset, with an interval and a p-value corrected for the relations in the table. --json and
    --csv also have p_all, corrected for all heads, directions and relations.

    Example: attlas probe dependencies mini en_ewt-ud-dev.conllu --atlas out/mini.attlas --figures out/figures

    Parameters
    ----------
    corpus
        The annotated corpus. A treebank in CoNLL-U, or a folder of them; plain text with --pipeline. Default:
        the sample that ships.
    faithful
        Chooses and reports heads on the same sentences, without intervals, with its offsets.
    subtypes
        Keep subtypes of relations apart: nsubj:pass from nsubj.
    """
    from attlas.corpora.windows import SentenceWindows
    from attlas.studies.dependency_study import Dependencies
    from attlas.studies.study_items import open_corpus, read_other_windows, read_windows
    from attlas.studies.study_result import ProbeResult
    from attlas.studies.study_run import run

    require("conllu", "attlas probe dependencies", "probes")
    cutter = SentenceWindows(input, shortest, longest)
    keep_options.refuse_without_atlas(run_options)
    treebank = open_corpus(corpus, corpus_options)
    subject = load_options.load(model)
    study = Dependencies(
        source=read_windows(treebank, subject, cutter, corpus_options),
        choosing=read_other_windows(choose_on, treebank, subject, cutter, corpus_options),
        faithful=faithful,
        subtypes=subtypes,
        min_count=min_count,
        pieces=pieces,
        seed=seed,
    )
    return run([study], subject, run_options, keep_options, ProbeResult, draw_result)
