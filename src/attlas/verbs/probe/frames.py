"""`attlas probe frames`: which heads link a frame's element with the word that evokes the frame?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attlas.errors import AttlasError
from attlas.extras import require
from attlas.options import option_groups as o
from attlas.options.verb import verb
from attlas.verbs import draw_result

if TYPE_CHECKING:
    from attlas.studies.study_result import ProbeResult


@verb("Probes")
def frames(
    model: o.Model = "mini",
    corpus: o.File | None = None,
    *,
    faithful: o.Faithful = False,
    all_sentences: bool = False,
    window_options: o.WindowOptions = o.WindowOptions(),
    keep_options: o.KeepOptions = o.KeepOptions(),
    run_options: o.RunOptions = o.RunOptions(),
    load_options: o.LoadOptions = o.LoadOptions(),
) -> ProbeResult:
    """Which heads link a frame's element with the word that evokes the frame?

    The largest weight between them, averaged over sentences, beside the same tokens slid along the sentence.

    Example: attlas probe frames mini framenet_v17/ --figures out/figures

    Parameters
    ----------
    corpus
        The annotated corpus. The folder of FrameNet 1.7.
    faithful
        Pairs pieces in order, found by their first occurrence in the sentence.
    all_sentences
        Take every annotated sentence, not only those that the original's filter keeps.
    """
    from attlas.corpora.reading import annotated_corpus
    from attlas.corpora.windows import SentenceWindows
    from attlas.studies.frame_study import Frames, original_filter
    from attlas.studies.study_items import read_windows
    from attlas.studies.study_result import ProbeResult
    from attlas.studies.study_run import run

    require("nltk", "attlas probe frames", "probes")
    if corpus is None:
        raise AttlasError("name the folder of FrameNet 1.7: attlas probe frames MODEL FOLDER")
    keep_options.refuse_without_atlas(run_options)
    framenet = annotated_corpus(corpus, "framenet")
    subject = load_options.load(model)
    kept = None if all_sentences else original_filter
    source = read_windows(framenet, subject, SentenceWindows("raw"), window_options, kept)
    study = Frames(source=source, tokenizer=subject.tokenizer if faithful else None, faithful=faithful)
    return run([study], subject, run_options, keep_options, ProbeResult, draw_result)
