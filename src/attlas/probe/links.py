"""Probes of links: which head points from one word to another?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attlas.corpora.source import check_seed
from attlas.corpora.windows import Text
from attlas.errors import AttlasError
from attlas.verbs.loading import EngineName
from attlas.verbs.parameters import at_least, explained

if TYPE_CHECKING:
    from attlas.studies.results import ProbeResult
    from attlas.subject import Subject
else:
    # the terminal knows strings and paths only, and reads these annotations
    Subject = ProbeResult = str

Pieces = Literal["mean", "first", "max"]
Candidates = Literal["mentions", "words"]


@explained
def dependencies(
    model: str | Path | Subject = "mini",
    corpus: Path | None = None,
    *,
    choose_on: Path | None = None,
    faithful: bool = False,
    subtypes: bool = False,
    shortest: int = 1,
    longest: int | None = None,
    min_count: int = 100,
    text: Text = "words",
    pieces: Pieces = "mean",
    length: int = 128,
    format: str | None = None,
    pipeline: str | None = None,
    strict: bool = False,
    seed: int = 0,
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
    """Which head points from a word to its syntactic head, for every relation?

    The best head of each relation is chosen on one half of the corpus and reported on the other, beside the
    best fixed offset, with an interval and a p-value corrected for the relations in the table. --json and
    --csv also have p_all, corrected for all heads, directions and relations.

    Example: attlas probe dependencies mini en_ewt-ud-dev.conllu --atlas out/mini.attlas --figures out/figures

    Parameters
    ----------
    corpus
        A treebank in CoNLL-U, or a folder of them; plain text with --pipeline. Without it, the sample that
        ships.
    choose_on
        Choose heads on this treebank and report on all of the corpus.
    faithful
        The original's way: heads chosen and reported on the same sentences, no interval, its offsets.
    subtypes
        Keep subtypes of relations apart: nsubj:pass from nsubj.
    shortest
        Leave out sentences of fewer words.
    longest
        Leave out sentences of more words.
    min_count
        Relations with fewer links are not in the table (they are in the atlas).
    text
        `words`: the treebank's words with spaces between them; `raw`: the text as it was.
    format
        conllu, conll2012, gap, framenet or text, where the file's name does not say it.
    pipeline
        A spaCy pipeline that tags and parses a corpus without dependencies.
    """
    from attlas.probe.reading import Reading, Windows
    from attlas.studies.dependencies import Dependencies
    from attlas.verbs.outputs import Outputs

    at_least(shortest=shortest, longest=shortest if longest is None else longest, min_count=min_count)
    check_seed(seed)
    outputs = Outputs(
        atlas, chapter, figures, csv, resume, overwrite, engine, workers, address, progress
    ).refuse_unwritable()
    reading = Reading(model, corpus, format, pipeline, length, strict, device, dtype, trust_remote_code)
    windows = Windows("sentences", text, shortest, longest)
    study = Dependencies(
        reading.source(windows),
        reading.choosing(choose_on, windows),
        faithful,
        subtypes,
        min_count,
        pieces,
        seed,
    )
    return outputs.carry_out(study, reading.subject)


@explained
def coreference(
    model: str | Path | Subject = "mini",
    corpus: Path | None = None,
    *,
    choose_on: Path | None = None,
    faithful: bool = False,
    candidates: Candidates = "mentions",
    min_count: int = 100,
    text: Text = "words",
    pieces: Pieces = "mean",
    length: int = 128,
    format: str | None = None,
    pipeline: str | None = None,
    strict: bool = False,
    seed: int = 0,
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
    """Which head points from a mention to what it refers back to?

    For all mentions, pronouns, proper names and nominals, beside the nearest mention, the nearest with the
    same head word, and four sieves of rules. With GAP: which of two names a pronoun means.

    Example: attlas probe coreference mini GUM/ --candidates words

    Parameters
    ----------
    corpus
        CoNLL-U with entities (CorefUD, GUM), CoNLL-2012 (OntoNotes, LitBank), GAP, or a folder of them.
    choose_on
        Choose heads on this corpus and report on all of the other.
    faithful
        As the paper describes: only the first window of a document, heads chosen and reported on the same
        ones.
    candidates
        What a mention may point to: the head words of all mentions before it, or all words before it.
    min_count
        Types of mention with fewer links are not in the table (they are in the atlas).
    text
        `words`: the corpus's words with spaces between them; `raw`: the text as it was.
    length
        Most tokens in a window; documents are cut at sentences, and what is cut is counted.
    format
        conllu, conll2012 or gap, where the file's name does not say it.
    pipeline
        A spaCy pipeline that gives a corpus without dependencies and tags its head words.
    """
    from attlas.probe.reading import Reading, Windows
    from attlas.studies.coreference import Coreference
    from attlas.verbs.outputs import Outputs

    if corpus is None:
        raise AttlasError(
            "name a corpus with coreference: CorefUD or GUM (CoNLL-U with entities), OntoNotes or LitBank "
            "(CoNLL-2012), or GAP: attlas probe coreference MODEL CORPUS"
        )
    at_least(min_count=min_count)
    check_seed(seed)
    outputs = Outputs(
        atlas, chapter, figures, csv, resume, overwrite, engine, workers, address, progress
    ).refuse_unwritable()
    reading = Reading(model, corpus, format, pipeline, length, strict, device, dtype, trust_remote_code)
    gap = reading.corpus.format == "gap"
    windows = Windows("mentions" if gap else "first" if faithful else "documents", text)
    study = Coreference(
        reading.source(windows),
        reading.choosing(choose_on, windows),
        gap,
        faithful,
        candidates,
        min_count,
        pieces,
        seed,
    )
    return outputs.carry_out(study, reading.subject)
