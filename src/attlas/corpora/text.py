"""Text corpora: files of text of any size and number, and texts given in Python.

text_corpus("wiki.txt"), text_corpus("s3://bucket/*.jsonl.gz"), text_corpus(texts=["One.", "Two."])
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files as resources
from itertools import groupby
from pathlib import Path
from typing import Any

from attlas.corpora.documents import Content, Entry, Places, Problem, Span, TextCorpus, TextDocument
from attlas.corpora.files import File, find_files
from attlas.corpora.text_formats import ENDINGS, Found, format_of
from attlas.errors import AttlasError

#: a document's number is its file's, shifted by so much, and its place in that file
FILE_SHIFT = 40
DOCUMENTS_AT_ONCE = 64  # of those that are chosen
COUNTED_LINES = 2**26  # bytes at the beginning of a local file where people are told lines, not bytes

#: the spaces between a closing mark, with what closes after it, and what can open a sentence
_BETWEEN_SENTENCES = re.compile(r"[.!?][\"')\]]*( +)(?=[A-Z\"'(0-9])")


def text_corpus(
    address: str | Path | None = None,
    lines_are_sentences: bool = False,
    field: str | None = None,
    texts: Sequence[str] | None = None,
) -> TextCorpus:
    """The text at an address (a file, a folder, a pattern like `*.jsonl.gz`, anything that fsspec opens), or
    given texts, or the embedded sample of Wikipedia. `field` names the text of a JSON or Parquet record;
    `lines_are_sentences` trusts the text's own lines; otherwise each line is split."""
    if texts is not None:
        return GivenTexts(tuple(texts), lines_are_sentences)
    if address is None:
        embedded = Path(str(resources("attlas") / "data" / "corpus" / "wikipedia.txt"))
        file = File(str(embedded), "wikipedia", embedded.stat().st_size)
        return TextFiles("wikipedia", (file,), True)
    found = find_files(address, tuple(ENDINGS))
    if not any(file.size or file.size is None for file in found):
        raise AttlasError(f"{address} is empty")
    return TextFiles(str(address), tuple(found), lines_are_sentences, field)


@dataclass(frozen=True)
class TextFiles:
    """Files of text, in this order."""

    name: str
    files: tuple[File, ...]
    lines_are_sentences: bool = False
    field: str | None = None

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
        content, size = list[Span | Places | Entry](), 0.0
        for number, file in enumerate(self.files):
            for piece, characters_of_it in self._pieces(number, file, characters):
                content.append(piece)
                size += characters_of_it
                if size >= characters:
                    yield tuple(content)
                    content, size = [], 0.0
        if content:
            yield tuple(content)

    def _pieces(self, number: int, file: File, most: int) -> Iterator[tuple[Span | Entry, float]]:
        """Where to read one file, at most so many characters at a time; or its documents. And their sizes."""
        if not self._has_places(file):
            for entry in self._entries(number, format_of(file, self.field).all(file, whole=False)):
                yield entry, len(entry.text) if isinstance(entry, TextDocument) else 0
            return
        for start, stop, each in format_of(file, self.field).blocks(file):
            step = max(1, int(most / each))
            for at in range(start, stop, step):
                count = min(step, stop - at)
                yield Span(number, at, at + count), count * each

    def _has_places(self, file: File) -> bool:
        """Whether a worker can read from any place of it."""
        return not file.compressed and file.size is not None

    def read(self, content: Content) -> Iterator[Entry]:
        for piece in content:
            if isinstance(piece, Span):
                file = self.files[piece.file]
                found = format_of(file, self.field).between(file, piece.start, piece.stop)
                yield from self._entries(piece.file, found)
            elif isinstance(piece, Places):
                yield from self._at(piece)
            else:
                yield piece

    def _at(self, piece: Places) -> Iterator[Entry]:
        file = self.files[piece.file]
        for place in piece.places:
            found = format_of(file, self.field).between(file, place, place + 1)
            yield from self._entries(piece.file, found)

    def entries(self) -> Iterator[Entry]:
        for number, file in enumerate(self.files):
            yield from self._entries(number, format_of(file, self.field).all(file, whole=True))

    def documents(self) -> Iterator[list[str]]:
        return sentences_of(self)

    def chosen(self, numbers: Sequence[int]) -> Iterator[Content]:
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
        for place, text in format_of(file, self.field).all(file, whole=False):
            if place in wanted:
                yield from self._entries(number, iter([(place, text)]))
            if place >= places[-1]:
                return

    def _entries(self, number: int, found: Iterator[Found]) -> Iterator[Entry]:
        file, places = self.files[number], _PlaceNames(self.files[number], format_of(self.files[number]).unit)
        for place, text in found:
            if isinstance(text, str):
                yield TextDocument((number << FILE_SHIFT) + place, f"{file.name}:{place}", text)
            else:
                yield Problem(places.name(place), str(text))


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


@dataclass(frozen=True)
class GivenTexts:
    """Texts from Python, a document each."""

    texts: Sequence[str]
    lines_are_sentences: bool = False
    name: str = "texts"

    def __post_init__(self) -> None:
        for number, text in enumerate(self.texts):
            if not isinstance(text, str):
                raise AttlasError(f"text {number} is {type(text).__name__}: texts are strings")

    def describe(self) -> dict[str, Any]:
        digest = hashlib.sha256()
        for text in self.texts:
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        return {"name": self.name, "documents": len(self.texts), "checksum": digest.hexdigest()}

    def parts(self, characters: int) -> Iterator[Content]:
        return in_parts(self.entries(), characters)

    def read(self, content: Content) -> Iterator[Entry]:
        return read_entries(content)

    def entries(self) -> Iterator[Entry]:
        return (TextDocument(i, f"text {i}", text) for i, text in enumerate(self.texts))

    def documents(self) -> Iterator[list[str]]:
        return sentences_of(self)

    def chosen(self, numbers: Sequence[int]) -> Iterator[Content]:
        wanted = (n for n in sorted(numbers) if n < len(self.texts))
        return in_parts((TextDocument(i, f"text {i}", self.texts[i]) for i in wanted), 2**20)


def in_parts(entries: Iterable[Entry], characters: int) -> Iterator[Content]:
    """Documents that are held, in runs of about so many characters."""
    content, size = list[Entry](), 0
    for entry in entries:
        content.append(entry)
        size += len(entry.text) if isinstance(entry, TextDocument) else 0
        if size >= characters:
            yield tuple(content)
            content, size = [], 0
    if content:
        yield tuple(content)


def read_entries(content: Content) -> Iterator[Entry]:
    for entry in content:
        assert isinstance(entry, (TextDocument, Problem)), "the documents themselves were put into the shard"
        yield entry


def sentences_of(corpus: TextCorpus) -> Iterator[list[str]]:
    for entry in corpus.entries():
        if isinstance(entry, Problem):
            raise AttlasError(f"{entry.name}: {entry.what}")
        if found := document_sentences(entry.text, corpus.lines_are_sentences):
            yield found


def document_sentences(text: str, lines_are_sentences: bool) -> list[str]:
    lines = (line.strip() for line in text.split("\n"))
    if lines_are_sentences:
        return [line for line in lines if line]
    return [sentence for line in lines if line for sentence in sentences(line)]


def sentences(paragraph: str) -> list[str]:
    """A plain splitter for running text; it errs on abbreviations before a capital."""
    cuts = [match.span(1) for match in _BETWEEN_SENTENCES.finditer(paragraph)]
    if not cuts:
        return [paragraph] if paragraph else []
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(paragraph)]
    return [paragraph[start:end] for start, end in zip(starts, ends, strict=True) if end > start]
