"""From options to the items that a model reads: segments of a text, windows of an annotated corpus.

What can be wrong with them is refused here, before any work is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from attlas.corpora.alignment import fits
from attlas.corpora.annotated_documents import Document
from attlas.corpora.batches import TOKENS_IN_A_BATCH, Membership, TokenClasses
from attlas.corpora.pictured_texts import PicturedSource, PicturedTexts, refuse_without_pictures
from attlas.corpora.reading import AnnotatedCorpus, annotated_corpus
from attlas.corpora.recording import RecordedSource
from attlas.corpora.source import Source
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.corpora.windows import WindowCutter, WindowSource
from attlas.errors import AttlasError, option
from attlas.options.option_groups import BatchOptions, CorpusOptions, TextOptions, WindowOptions
from attlas.subject import Subject
from attlas.subject.image_inputs import PictureReader
from attlas.subject.recorded import RecordedModel
from attlas.tap import kernel_for

#: a GPU waits while what a shard has shown is fetched, and runs through many in a second
BATCHES_IN_A_SHARD = {"cpu": 8, "cuda": 32}


class TextItems(NamedTuple):
    """Segments of a text, or recorded texts, and the classes of their tokens."""

    source: Source
    classes: TokenClasses


def text_items(
    subject: Subject,
    text_options: TextOptions = TextOptions(),
    batch_options: BatchOptions = BatchOptions(),
    *,
    faithful: bool = False,
    classes: Mapping[str, Membership] | None = None,
) -> TextItems:
    """Return what `attlas map` reads."""
    text, field, length = text_options.text, text_options.field, text_options.length
    limit = None if text_options.segments == "all" else text_options.segments
    if isinstance(text, str) and not text.strip():
        raise AttlasError(f"{option('text')} is empty: name a file, or leave it out for the embedded text")
    if classes is not None and not isinstance(classes, Mapping):
        raise AttlasError(f"classes are {classes!r}: give names with sets of tokens, or with functions")
    if type(text).__name__ == "DataFrame":
        raise AttlasError("a DataFrame is not a text: give one of its columns, as in frame['text']")
    recorded = isinstance(subject.model, RecordedModel)
    if recorded and field is not None:
        raise AttlasError(
            f"{option('field', field)}: {subject.name} is recorded attention, and has no fields"
        )
    if recorded and text is not None:
        raise AttlasError(f"{subject.name} has texts of its own: leave {option('text')} out")
    if not subject.reads_text and not recorded:
        raise AttlasError(
            f"{subject.name} takes {subject.model.main_input_name}, and text is what is read here: run a Tap "
            "over its features (docs/models.md, Sound)"
        )
    if subject.tokenizer is None:
        raise AttlasError(f"{subject.name} has no tokenizer, so it cannot read text")
    named = {name: _members(m) for name, m in (classes or {}).items()}
    known = TokenClasses(subject.tokenizer, named, subject.image_token)
    if subject.images and text is not None:
        refuse_without_pictures(subject)
        reader = PictureReader.of(subject)
        return TextItems(
            PicturedSource(PicturedTexts.of(text, field), known, limit, text_options.strict, read=reader),
            known,
        )
    if isinstance(subject.model, RecordedModel):
        recording = subject.model.recording
        limit = None if limit is None or limit >= len(recording.texts) else limit
        return TextItems(RecordedSource(recording, subject.tokenizer, known, limit), known)
    subject.check_length(length, f"a segment ({option('length', length)})")
    device = subject.device.type if subject.device.type in TOKENS_IN_A_BATCH else "cpu"
    source = TextSource(
        text if hasattr(text, "entries") else text_corpus(text, lines_are_sentences=faithful, field=field),
        subject.tokenizer,
        length,
        limit,
        text_options.seed,
        faithful,
        known,
        batch_options.batch,
        batch_options.shard or BATCHES_IN_A_SHARD[device] * max(TOKENS_IN_A_BATCH[device], length),
        text_options.strict,
    )
    return TextItems(source, known)


def _members(members: Membership | str) -> Membership:
    """Return the tokens of a class, which the terminal gives as TOKEN,TOKEN,..."""
    return [token for token in members.split(",") if token] if isinstance(members, str) else members


def choose_kernel(subject: Subject, batch_options: BatchOptions) -> str | None:
    """Return the kernel that is asked for, or that suits the device; None for attention that was recorded."""
    if isinstance(subject.model, RecordedModel):
        return None
    return batch_options.kernel or kernel_for(subject.device)


def open_corpus(path: Path | None, corpus_options: CorpusOptions) -> AnnotatedCorpus:
    """Return an annotated corpus, the sample that ships if no path is given."""
    return annotated_corpus(path, corpus_options.format, corpus_options.pipeline)


def read_windows(
    corpus: AnnotatedCorpus,
    subject: Subject,
    cutter: WindowCutter,
    window_options: WindowOptions,
    filter: Callable[[Document], bool] | None = None,
) -> WindowSource:
    """Return the windows of an annotated corpus."""
    fitting = fits(subject, window_options.length)
    return WindowSource(corpus, cutter, fitting, window_options.windows, filter, strict=window_options.strict)


def read_other_windows(
    path: Path | None,
    corpus: AnnotatedCorpus,
    subject: Subject,
    cutter: WindowCutter,
    corpus_options: CorpusOptions,
) -> WindowSource | None:
    """Return the windows of the corpus to choose heads on, if a path names one that is not `corpus`."""
    if path is None:
        return None
    other = open_corpus(path, corpus_options)
    if other.checksum == corpus.checksum:
        raise AttlasError(
            f"{option('choose_on', str(path))} is the corpus itself: leave it out to choose on one half and "
            "report on the other"
        )
    return read_windows(other, subject, cutter, corpus_options)
