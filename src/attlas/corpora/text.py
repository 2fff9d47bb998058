"""Text corpora: files of text of any size and number, and texts given in Python:

text_corpus("wiki.txt"), text_corpus("s3://bucket/*.jsonl.gz"), text_corpus(["One.", "Two."])
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files as resources
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from attlas.corpora.corpus_files import File, broken_off, find_files
from attlas.corpora.documents import (
    Content,
    Entry,
    Places,
    Problem,
    Span,
    TextCorpus,
    TextDocument,
    in_parts,
    shuffle_parts,
)
from attlas.corpora.plain_text import BLOCK
from attlas.corpora.source import in_runs
from attlas.corpora.text_formats import ENDINGS, FIELD, PlacedText, TextFormat, format_of, text_of_record
from attlas.errors import AttlasError, option

#: a document's number is its file's, shifted by so much, and its place in that file
FILE_SHIFT = 40
DOCUMENTS_AT_ONCE = 64  # of those that are chosen
MOST_RUNS = 2**14  # of a corpus that is read in a random order
COUNTED_LINES = 2**26  # bytes at the beginning of a local file where errors name lines, not bytes


def text_corpus(
    text: str | Path | Iterable[Any] | None = None,
    lines_are_sentences: bool = False,
    field: str | None = None,
) -> TextCorpus:
    """The text at an address (a file, a folder, a pattern like `*.jsonl.gz`, anything that fsspec opens); or
    texts or a dataset, given in Python; or (None) the embedded sample of Wikipedia. `field` names the text of
    a record; `lines_are_sentences` trusts the text's own lines, which are otherwise split."""
    if text is None and field is not None:
        raise AttlasError(
            f"{option('field', field)}: the embedded text has no fields; name a corpus with {option('text')}"
        )
    if text is None:
        embedded = Path(str(resources("attlas") / "data" / "corpus" / "wikipedia.txt"))
        file = File(str(embedded), "wikipedia", embedded.stat().st_size)
        return TextFiles("wikipedia", (file,), True)
    if not isinstance(text, (str, Path)):
        return records_of(text, lines_are_sentences, field)
    files = find_files(text, tuple(ENDINGS))
    if not any(file.size or file.size is None for file in files):
        raise AttlasError(f"{text} is empty")
    if field is not None and all(ENDINGS.get(file.ending, "text") == "text" for file in files):
        raise AttlasError(f"{option('field', field)}: {text} is plain text, and has no fields")
    return TextFiles(str(text), tuple(files), lines_are_sentences, field)


@dataclass(frozen=True)
class TextFiles:
    """Files of text, in this order."""

    name: str
    files: tuple[File, ...]
    lines_are_sentences: bool = False
    field: str | None = None
    block: int = BLOCK  # bytes of plain text: longer documents are cut

    def holding(self, characters: int) -> TextFiles:
        return replace(self, block=max(self.block, 2 ** (characters - 1).bit_length()))

    def describe(self) -> dict[str, Any]:
        about = {"name": Path(self.name).name, "files": len(self.files), "checksum": self._checksum}
        return about if self.field is None else {**about, "field": self.field}

    @cached_property
    def _checksum(self) -> str:
        if len(self.files) == 1:
            return self.files[0].checksum()
        sums = ((file.name + "\0" + file.checksum()).encode() for file in self.files)
        return hashlib.sha256(b"\n".join(sums)).hexdigest()

    def parts(self, characters: int) -> Iterator[Content]:
        pieces = (self._pieces(number, file, characters) for number, file in enumerate(self.files))
        for run in in_runs(chain.from_iterable(pieces), itemgetter(1), characters):
            yield tuple(piece for piece, _ in run)

    def spread(self, characters: int, seed: int) -> Iterator[Content]:
        if not all(map(self._has_places, self.files)):
            return self.parts(characters)
        size = sum(file.size or 0 for file in self.files)
        return shuffle_parts(list(self.parts(max(characters, size // MOST_RUNS))), seed)

    def _pieces(self, number: int, file: File, most: int) -> Iterator[tuple[Span | Entry, float]]:
        """Where to read one file, at most `most` characters at a time; or its documents. And their sizes."""
        if not self._has_places(file):
            for entry in self._entries(number, self._format(file).all(file, whole=False)):
                yield entry, entry.size
            return
        for start, stop, size in self._format(file).blocks(file):
            step = max(1, int(most / size))
            for at in range(start, stop, step):
                count = min(step, stop - at)
                yield Span(number, at, at + count), count * size

    def _format(self, file: File) -> TextFormat:
        return format_of(file, self.field, self.block)

    def _has_places(self, file: File) -> bool:
        """Whether a worker can read from any place of it."""
        return not file.compressed and file.size is not None

    def read(self, content: Content) -> Iterator[Entry]:
        for piece in content:
            if isinstance(piece, Span):
                file = self.files[piece.file]
                texts = self._format(file).between(file, piece.start, piece.stop)
                yield from self._entries(piece.file, texts)
            elif isinstance(piece, Places):
                yield from self._at(piece)
            else:
                yield piece

    def _at(self, piece: Places) -> Iterator[Entry]:
        file = self.files[piece.file]
        for place in piece.places:
            texts = self._format(file).between(file, place, place + 1)
            yield from self._entries(piece.file, texts)

    def entries(self) -> Iterator[Entry]:
        for number, file in enumerate(self.files):
            yield from self._entries(number, self._format(file).all(file, whole=True))

    def choose(self, numbers: Sequence[int]) -> Iterator[Content]:
        for number, several in groupby(sorted(numbers), lambda n: n >> FILE_SHIFT):
            if number >= len(self.files):
                return
            file, places = self.files[number], [n - (number << FILE_SHIFT) for n in several]
            for i in range(0, len(places), DOCUMENTS_AT_ONCE):
                some = tuple(places[i : i + DOCUMENTS_AT_ONCE])
                if self._has_places(file):
                    yield (Places(number, some),)
                else:
                    yield tuple(self._search(number, file, some))

    def _search(self, number: int, file: File, places: tuple[int, ...]) -> Iterator[Entry]:
        """Documents of a file that can only be read from its beginning."""
        wanted = set(places)
        for place, text in self._format(file).all(file, whole=False):
            if place in wanted:
                yield from self._entries(number, iter([(place, text)]))
            if place >= places[-1]:
                return

    def _entries(self, number: int, texts: Iterator[PlacedText]) -> Iterator[Entry]:
        file = self.files[number]
        places = _PlaceNames(file, self._format(file).unit)
        for place, text in texts:
            if isinstance(text, str):
                yield TextDocument((number << FILE_SHIFT) + place, f"{file.name}:{place}", text)
            else:
                yield Problem(places.name(place + getattr(text, "at", 0)), str(text))


class _PlaceNames:
    """Places of a file for people: lines where those are quickly counted, as places come in order."""

    def __init__(self, file: File, unit: str) -> None:
        self.file, self.unit = file, unit
        self.place, self.line = 0, 1

    def name(self, place: int) -> str:
        if self.unit != "byte" or self.file.compressed or not self.file.local or place > COUNTED_LINES:
            return f"{self.file.name}, {self.unit} {place:,}"
        with self.file.open() as opened:
            opened.seek(self.place)
            self.line += opened.read(place - self.place).count(b"\n")
        self.place = place
        return f"{self.file.name}, line {self.line}"


CHOSEN_CHARACTERS = 2**20  # of chosen documents in a run


@dataclass(frozen=True)
class Records:
    """Texts and records given in Python: a list of strings, a Hugging Face dataset (also a streamed one), or
    anything else that gives records again each time it is read. A document is a record: a string, or fields
    of which one is its text. Its number is its place."""

    records: Any
    name: str
    lines_are_sentences: bool = False
    field: str | None = None

    def describe(self) -> dict[str, Any]:
        about: dict[str, Any] = {"name": self.name, "checksum": self._checksum()}
        return about if self.field is None else {**about, "field": self.field}

    def _checksum(self) -> str | None:
        """The checksum of texts that are held; what a dataset knows itself by; nothing for a stream."""
        if not isinstance(self.records, (list, tuple)):
            return getattr(self.records, "_fingerprint", None)
        digest = hashlib.sha256()
        for record in self.records:
            digest.update(repr(record).encode() + b"\n")
        return digest.hexdigest()

    def holding(self, characters: int) -> Records:
        return self

    def parts(self, characters: int) -> Iterator[Content]:
        return in_parts(self.entries(), characters)

    def spread(self, characters: int, seed: int) -> Iterator[Content]:
        if not self._has_places:
            return self.parts(characters)
        order = np.random.default_rng(seed).permutation(len(self.records))
        return in_parts((self._entry(n, self.records[n]) for n in order.tolist()), characters)

    def read(self, content: Content) -> Iterator[Entry]:
        for entry in content:
            assert isinstance(entry, (TextDocument, Problem)), "records travel with their shard"
            yield entry

    def entries(self) -> Iterator[Entry]:
        number = 0
        records = iter(self.records)
        while True:
            try:
                record = next(records)
            except StopIteration:
                return
            except Exception as error:  # a lost connection, a broken file: each has errors of its own
                raise broken_off(self.name, number, "documents", error) from error
            yield self._entry(number, record)
            number += 1

    def choose(self, numbers: Sequence[int]) -> Iterator[Content]:
        return in_parts(self._runs_of(sorted(numbers)), CHOSEN_CHARACTERS)

    def _runs_of(self, numbers: list[int]) -> Iterator[Entry]:
        if self._has_places:
            for number in numbers:
                if number < len(self.records):
                    yield self._entry(number, self.records[number])
            return
        wanted = set(numbers)
        for number, entry in enumerate(self.entries() if numbers else ()):
            if number in wanted:
                yield entry
            if number >= numbers[-1]:
                return

    @property
    def _has_places(self) -> bool:
        """Whether any record can be read without those before it."""
        return hasattr(self.records, "__getitem__") and hasattr(self.records, "__len__")

    def _entry(self, number: int, record: object) -> Entry:
        name = f"{self.name}, document {number:,}"
        try:
            return TextDocument(number, name, text_of_record(record, self.field))
        except ValueError as error:
            return Problem(name, str(error))


def records_of(records: Iterable[Any], lines_are_sentences: bool, field: str | None) -> Records:
    if isinstance(records, dict):
        raise AttlasError(f"choose a split of the dataset: it has {', '.join(map(repr, records))}")
    if not isinstance(records, Iterable):
        raise AttlasError(f"a text is an address, texts or a dataset, not {type(records).__name__}")
    if isinstance(records, Iterator):
        raise AttlasError(
            f"a {type(records).__name__} can be read only once, and a corpus is read several times: "
            "give a list, a dataset or a file"
        )
    if isinstance(records, (list, tuple)):
        if not records:
            raise AttlasError("there are no texts")
        return Records(tuple(records), "texts", lines_are_sentences, field)
    about = getattr(records, "info", None)
    name = getattr(about, "dataset_name", None) or getattr(about, "builder_name", None)
    field = field or _only_text(records)
    return Records(records, str(name or type(records).__name__), lines_are_sentences, field)


def _only_text(dataset: Any) -> str | None:
    """The one column of strings of a dataset that has no `text`."""
    features = getattr(dataset, "features", None) or {}
    strings = ("string", "large_string")
    texts = [name for name, kind in features.items() if getattr(kind, "dtype", None) in strings]
    return texts[0] if FIELD not in texts and len(texts) == 1 else None
