"""From what a user names (a model, a text, numbers) to the surface study: what can be wrong is said here,
before any work is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attlas.corpora.classes import Membership, TokenClasses
from attlas.corpora.recorded_source import RecordedSource
from attlas.corpora.source import check_seed
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TOKENS_IN_A_BATCH, TextSource
from attlas.errors import AttlasError
from attlas.studies.surface import Settings, Surface
from attlas.subject import Subject
from attlas.subject.recorded import RecordedModel
from attlas.tap import KERNELS, kernel_for

#: a GPU waits while what a shard has shown is fetched, and runs through many in a second
BATCHES_IN_A_SHARD = {"cpu": 8, "cuda": 32}


def surface_study(
    subject: Subject,
    text: Any = None,
    *,
    field: str | None = None,
    segments: int | Literal["all"] = 1000,
    length: int = 128,
    offsets: Sequence[int] = (),
    classes: Mapping[str, Membership] | None = None,
    sample: int = 200,
    faithful: bool = False,
    strict: bool = False,
    seed: int = 0,
    batch: int | None = None,
    shard: int | None = None,
    kernel: str | None = None,
) -> Surface:
    """The study that `attlas map` carries out; the parameters are those of `attlas.map`."""
    _check(segments, length, sample, seed, batch, shard, offsets, kernel)
    if isinstance(text, str) and not text.strip():
        raise AttlasError("--text is empty: name a file, or leave it out for the embedded text")
    if classes is not None and not isinstance(classes, Mapping):
        raise AttlasError(f"classes are {classes!r}: names with sets of tokens, or functions, are needed")
    if type(text).__name__ == "DataFrame":
        raise AttlasError("a DataFrame is not a text: give one of its columns, as in frame['text']")
    if isinstance(subject.model, RecordedModel):
        if field is not None:
            raise AttlasError(f"--field {field}: {subject.name} is recorded attention, and has no fields")
        return _of_recording(
            subject, text, segments, Settings(tuple(offsets), sample, faithful, seed), classes
        )
    if subject.tokenizer is None:
        raise AttlasError(f"{subject.name} has no tokenizer, so it cannot read text")
    subject.check_length(length, f"a segment (--length {length})")
    known = TokenClasses(subject.tokenizer, {name: _members(m) for name, m in (classes or {}).items()})
    device = subject.device.type if subject.device.type in TOKENS_IN_A_BATCH else "cpu"
    source = TextSource(
        text if hasattr(text, "entries") else text_corpus(text, lines_are_sentences=faithful, field=field),
        subject.tokenizer,
        length,
        None if segments == "all" else segments,
        seed,
        faithful,
        known,
        batch,
        shard or BATCHES_IN_A_SHARD[device] * max(TOKENS_IN_A_BATCH[device], length),
        strict,
    )
    return Surface(
        subject,
        source,
        known,
        Settings(tuple(offsets), sample, faithful, seed, kernel or kernel_for(subject.device)),
    )


def _of_recording(
    subject: Subject,
    text: Any,
    texts: int | Literal["all"],
    settings: Settings,
    classes: Mapping[str, Membership] | None,
) -> Surface:
    """The same study of attention that was recorded: its texts are the items."""
    if text is not None:
        raise AttlasError(f"{subject.name} has texts of its own: leave --text out")
    known = TokenClasses(subject.tokenizer, {name: _members(m) for name, m in (classes or {}).items()})
    assert isinstance(subject.model, RecordedModel)
    recording = subject.model.recording
    limit = None if texts == "all" or texts >= len(recording.texts) else texts
    source = RecordedSource(recording, subject.tokenizer, known, limit)
    return Surface(subject, source, known, settings)


def _check(
    segments: int | Literal["all"],
    length: int,
    sample: int,
    seed: int,
    batch: int | None,
    shard: int | None,
    offsets: Sequence[int],
    kernel: str | None,
) -> None:
    for name, value, least in (
        ("segments", 1 if segments == "all" else segments, 1),
        ("length", length, 4),
        ("sample", sample, 0),
        ("batch", 1 if batch is None else batch, 1),
        ("shard", 1 if shard is None else shard, 1),
    ):
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2**53:
            large = isinstance(value, int) and value >= 2**53
            needed = "this is too large" if large else f"a whole number of at least {least} is needed"
            raise AttlasError(f"--{name} {value}: {needed}")
    check_seed(seed)
    if far := [offset for offset in offsets if abs(offset) >= length]:
        raise AttlasError(f"--offsets {far[0]}: a segment of {length} tokens has no such neighbours")
    if kernel not in (None, *KERNELS):
        raise AttlasError(f"there is no kernel {kernel!r}: choose one of {', '.join(KERNELS)}")


def _members(given: Membership | str) -> Membership:
    """The terminal gives a class as TOKEN,TOKEN,..."""
    return [token for token in given.split(",") if token] if isinstance(given, str) else given
