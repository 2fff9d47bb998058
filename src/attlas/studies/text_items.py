"""From what a user names (a text, numbers) to the items that a model reads: what can be wrong is said here,
before any work is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from attlas.corpora.batches import TOKENS_IN_A_BATCH
from attlas.corpora.classes import Membership, TokenClasses
from attlas.corpora.pictured_texts import PicturedSource, PicturedTexts, refuse_without_pictures
from attlas.corpora.recorded_source import RecordedSource
from attlas.corpora.source import Source, check_seed
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.errors import AttlasError, option
from attlas.subject import Subject
from attlas.subject.recorded import RecordedModel

#: a GPU waits while what a shard has shown is fetched, and runs through many in a second
BATCHES_IN_A_SHARD = {"cpu": 8, "cuda": 32}
PAST = 2**53  # what JSON has no whole number for


class TextItems(NamedTuple):
    """Segments of a text, or recorded texts, and the classes of their tokens."""

    source: Source
    classes: TokenClasses


def text_items(
    subject: Subject,
    text: Any = None,
    *,
    field: str | None = None,
    segments: int | Literal["all"] = 1000,
    length: int = 128,
    seed: int = 0,
    faithful: bool = False,
    batch: int | None = None,
    shard: int | None = None,
    strict: bool = False,
    classes: Mapping[str, Membership] | None = None,
) -> TextItems:
    """What `attlas map` reads; the parameters are those of `attlas.map`."""
    check_whole("segments", 1 if segments == "all" else segments)
    check_whole("length", length, least=4)
    check_whole("batch", 1 if batch is None else batch)
    check_whole("shard", 1 if shard is None else shard)
    check_seed(seed)
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
    limit = None if segments == "all" else segments
    if subject.images:
        refuse_without_pictures(subject)
        return TextItems(PicturedSource(PicturedTexts.of(text, field), known, limit, strict), known)
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
        seed,
        faithful,
        known,
        batch,
        shard or BATCHES_IN_A_SHARD[device] * max(TOKENS_IN_A_BATCH[device], length),
        strict,
    )
    return TextItems(source, known)


def check_whole(name: str, value: Any, least: int = 1, past: int = PAST) -> None:
    """A whole number that is large enough, and not too large."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < past:
        large = isinstance(value, int) and value >= past
        needed = "this is too large" if large else f"give a whole number of at least {least}"
        raise AttlasError(f"{option(name, value)}: {needed}")


def _members(members: Membership | str) -> Membership:
    """The terminal gives a class as TOKEN,TOKEN,..."""
    return [token for token in members.split(",") if token] if isinstance(members, str) else members
