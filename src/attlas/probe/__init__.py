"""The probes: the same names and defaults in Python (`attlas.probe.dependencies`) and in the terminal.

Heavy libraries load when a verb runs, not when it is imported.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from attlas.corpora.source import check_seed
from attlas.errors import AttlasError
from attlas.verbs.loading import EngineName
from attlas.verbs.parameters import at_least, explained

if TYPE_CHECKING:
    from attlas.studies.results import ProbeResult
    from attlas.studies.trees.parse import Parsed
    from attlas.subject import Subject
else:
    # the terminal knows strings and paths only, and reads these annotations
    Subject = ProbeResult = Parsed = str

__all__ = ["coreference", "dependencies", "features", "frames", "tree"]

Text = Literal["words", "raw"]
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


@explained
def tree(
    model: str | Path | Subject = "mini",
    corpus: Path | None = None,
    *,
    words: Path | None = None,
    probes: str | None = None,
    parse: str | None = None,
    out: Path | None = None,
    seeds: int = 5,
    epochs: int = 3,
    rank: int = 64,
    quick: bool = False,
    faithful: bool = False,
    shortest: int = 1,
    longest: int | None = None,
    length: int = 128,
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
) -> ProbeResult | Parsed:
    """How much of a dependency tree do all heads know together?

    Probes are trained to find every word's syntactic head in the attention of all heads, beside probes that
    see words and distances only, models at random, and a task that only memory helps with. --parse draws the
    tree of a text, as the best probe in --out finds it, and the heads that decided.

    Example: attlas probe tree mini en_ewt-ud-train.conllu --words glove.6B.100d.txt --out out/trees

    Parameters
    ----------
    corpus
        A treebank in CoNLL-U: a folder, or the file to train on with those to choose on (dev) and to report
        on (test) beside it. Anything else is cut into these parts. Without it, the sample that ships.
    words
        Word vectors in GloVe's text format. Without it, the model's own input embeddings.
    probes
        Some of the probes, separated by commas: right-branching, random, embeddings, distances, attention,
        words, norms, biaffine, best, relations, structural.
    parse
        A text to parse with the best probe in --out.
    out
        Keep features and probes in this folder; features are then recorded only once. With --parse, tree.svg
        is written there.
    seeds
        How often every probe is trained.
    epochs
        How often a probe sees every sentence.
    rank
        Dimensions of the structural probe.
    quick
        Train once only, and leave learning curves out.
    faithful
        Keep the original's defect: every candidate is weighed with the vector of the word after it, and a
        word may be its own head.
    shortest
        Leave out sentences of fewer words.
    longest
        Leave out sentences of more words.
    seed
        Seed of the parts, of samples and of the bootstrap.
    """
    from attlas.probe.reading import Reading
    from attlas.probe.trees import TreeRequest
    from attlas.verbs.outputs import Outputs

    at_least(shortest=shortest, longest=shortest if longest is None else longest)
    at_least(seeds=seeds, epochs=epochs, rank=rank)
    check_seed(seed)
    reading = Reading(model, corpus, None, None, length, strict, device, dtype, trust_remote_code)
    seeds = 1 if quick else seeds
    request = TreeRequest(reading, words, probes, out, seeds, epochs, rank, not quick, faithful)
    if parse is not None:
        from attlas.figures.tree_svg import write_tree

        return write_tree(request.parse(parse), out)
    outputs = Outputs(
        atlas, chapter, figures, csv, resume, overwrite, engine, workers, address, progress
    ).refuse_unwritable()
    return request.carry_out(outputs, shortest, longest, seed)


PROBES = (dependencies, coreference, frames, features, tree)
