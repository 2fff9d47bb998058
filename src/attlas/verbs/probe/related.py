"""`attlas probe related`: which heads link synonyms?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attlas.extras import require
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.study_result import ProbeResult


@verb("Probes")
def related(
    model: o.Model = "mini",
    corpus: o.File | None = None,
    *,
    wordnet: o.File | None = None,
    input: o.Input = "words",
    corpus_options: o.CorpusOptions = o.CorpusOptions(),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> ProbeResult:
    """Which heads link synonyms?

    The largest weight from a word to a synonym of it, averaged over windows, beside what the same word gives
    to other words of the same class, on the same side, about as frequent and about as far away. WordNet says
    which words are synonyms.

    Example: attlas probe related mini GUM/ --wordnet wordnet/

    Parameters
    ----------
    corpus
        The annotated corpus. A treebank in CoNLL-U, or plain text, which a spaCy pipeline tags. Default: the
        sample that ships.
    wordnet
        WordNet's folder, with index.noun in it. Default: the one that NLTK downloaded.
    """
    from attlas.corpora.windows import DocumentWindows
    from attlas.corpora.wordnet import find_wordnet, read_wordnet, version_of_wordnet
    from attlas.studies.related_study import Related
    from attlas.studies.study_items import open_corpus, read_windows
    from attlas.studies.study_result import ProbeResult
    from attlas.studies.study_run import run

    require("conllu", "attlas probe related", "probes")
    keep_options.refuse_without_atlas(run_options)
    place = find_wordnet(wordnet)
    annotated = open_corpus(corpus, corpus_options)
    subject = load_options.load(model)
    source = read_windows(annotated, subject, DocumentWindows(input), corpus_options)
    study = Related(source=source, wordnet=read_wordnet(place), version=version_of_wordnet(place))
    return run([study], subject, run_options, keep_options, ProbeResult, draw_result)
