"""Probes of weights: how much does a head give to words of a kind?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attlas.corpora.windows import Text
from attlas.errors import AttlasError
from attlas.verbs.loading import EngineName
from attlas.verbs.parameters import explained

if TYPE_CHECKING:
    from attlas.studies.results import ProbeResult
    from attlas.subject import Subject
else:
    # the terminal knows strings and paths only, and reads these annotations
    Subject = ProbeResult = str


@explained
def frames(
    model: str | Path | Subject = "mini",
    corpus: Path | None = None,
    *,
    faithful: bool = False,
    all_sentences: bool = False,
    length: int = 128,
    strict: bool = False,
    atlas: Path | None = None,
    chapter: str | None = None,
    figures: Path | None = None,
    csv: Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    engine: EngineName | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
    progress: bool = True,
) -> ProbeResult:
    """Which heads link a frame's element with the word that evokes the frame?

    The largest weight between them, averaged over sentences, beside the same tokens slid along the sentence.

    Example: attlas probe frames mini framenet_v17/ --figures out/figures

    Parameters
    ----------
    corpus
        The folder of FrameNet 1.7.
    faithful
        The original's pairs: pieces zipped, found by their first occurrence in the sentence.
    all_sentences
        Take every annotated sentence, not only those that the original's filter keeps.
    """
    from attlas.probe.reading import Reading, Windows
    from attlas.studies.frames import Frames, original_filter
    from attlas.verbs.outputs import Outputs

    if corpus is None:
        raise AttlasError("name the folder of FrameNet 1.7: attlas probe frames MODEL FOLDER")
    outputs = Outputs(
        atlas, chapter, figures, csv, resume, overwrite, engine, workers, address, progress
    ).refuse_unwritable()
    reading = Reading(model, corpus, "framenet", None, length, strict, device, dtype, trust_remote_code)
    source = reading.source(Windows("sentences", "raw"), None if all_sentences else original_filter)
    study = Frames(source, reading.subject.tokenizer if faithful else None, faithful)
    return outputs.carry_out(study, reading.subject)


@explained
def features(
    model: str | Path | Subject = "mini",
    corpus: Path | None = None,
    *,
    faithful: bool = False,
    text: Text = "raw",
    length: int = 128,
    format: str | None = None,
    pipeline: str | None = None,
    strict: bool = False,
    atlas: Path | None = None,
    chapter: str | None = None,
    figures: Path | None = None,
    csv: Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    engine: EngineName | None = None,
    workers: int | None = None,
    address: str | None = None,
    device: str | None = None,
    dtype: str = "float32",
    trust_remote_code: bool = False,
    progress: bool = True,
) -> ProbeResult:
    """Which heads attend to nouns, verbs, pronouns, subjects, objects, negation, [CLS] and [SEP]?

    From all tokens, and from [CLS]; and how much weight lies between verbs and their subjects, pronouns and
    nouns.

    Example: attlas probe features mini my.txt --pipeline en_core_web_sm

    Parameters
    ----------
    corpus
        A treebank in CoNLL-U, or plain text, which a spaCy pipeline tags. Without it, the sample that ships.
    faithful
        The original's way of finding tokens, by their spelling, and its zeros for sentences without the
        feature.
    text
        `raw`: the text as it was; `words`: the corpus's words with spaces between them.
    format
        conllu, conll2012 or text, where the file's name does not say it.
    pipeline
        The spaCy pipeline that tags plain text, or a corpus without tags.
    """
    from attlas.probe.reading import Reading, Windows
    from attlas.studies.features import Features
    from attlas.verbs.outputs import Outputs

    outputs = Outputs(
        atlas, chapter, figures, csv, resume, overwrite, engine, workers, address, progress
    ).refuse_unwritable()
    reading = Reading(model, corpus, format, pipeline, length, strict, device, dtype, trust_remote_code)
    source = reading.source(Windows("sentences", text))
    study = Features(source, reading.subject.tokenizer if faithful else None, faithful)
    return outputs.carry_out(study, reading.subject)
