"""What a text corpus is made of, where its documents lie, and the sentences of a document."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from attlas.corpora.source import in_runs, seeded
from attlas.errors import AttlasError


@dataclass(frozen=True, slots=True)
class TextDocument:
    """`number` is its place in the corpus, whoever reads it: the number of its file, times 2 to the power of
    40, and where it begins in that file. Lines of its text are paragraphs, or sentences."""

    number: int
    name: str
    text: str

    @property
    def size(self) -> int:
        """In characters; also of what is left of a bad document, of which there may be many."""
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Problem:
    """A document that cannot be read: its place, and what is wrong with it."""

    name: str
    what: str

    @property
    def size(self) -> int:
        return len(self.what)


Entry = TextDocument | Problem


@dataclass(frozen=True, slots=True)
class Span:
    """The documents that begin in a range of a file: of its bytes, or of its rows."""

    file: int
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Places:
    """The documents that begin at these places of a file."""

    file: int
    places: tuple[int, ...]


#: a run of documents: where to read them, or the documents themselves
Content = tuple[Span | Places | Entry, ...]


class TextCorpus(Protocol):
    """Documents of text, in an order, never all of them at once."""

    @property
    def name(self) -> str: ...

    @property
    def lines_are_sentences(self) -> bool:
        """Whether each line of a document is a sentence; otherwise lines are paragraphs, to be split."""
        ...

    def describe(self) -> dict[str, Any]:
        """The corpus's name, and what its content is known by."""
        ...

    def holding(self, characters: int) -> TextCorpus:
        """The same corpus, in which no document of this many characters is cut."""
        ...

    def parts(self, characters: int) -> Iterator[Content]:
        """All documents, in runs of about `characters`. What can be read from its place is not read."""
        ...

    def spread(self, characters: int, seed: int) -> Iterator[Content]:
        """The same documents in runs of about `characters`, or more in a large corpus, in an order that the
        seed draws; in the corpus's own, where it can only be read from its beginning."""
        ...

    def read(self, content: Content) -> Iterator[Entry]: ...

    def entries(self) -> Iterator[Entry]:
        """All documents, from the first one on, none of them cut."""
        ...

    def choose(self, numbers: Sequence[int]) -> Iterator[Content]:
        """Runs of the documents with these numbers, in the corpus's order."""
        ...


def shuffle_parts(parts: Sequence[Content], seed: int) -> Iterator[Content]:
    """Return the parts in an order that the seed draws."""
    order = list(parts)
    random.Random(seeded(seed, "spread")).shuffle(order)
    return iter(order)


def in_parts(entries: Iterable[Entry], characters: int) -> Iterator[Content]:
    """Documents that are held, in runs of about this many characters."""
    return map(tuple, in_runs(entries, lambda entry: entry.size, characters))


def read_sentences(corpus: TextCorpus) -> Iterator[list[str]]:
    """The sentences of each document; one that cannot be read is an error."""
    for entry in corpus.entries():
        if isinstance(entry, Problem):
            raise AttlasError(f"{entry.name}: {entry.what}")
        if sentences := document_sentences(entry.text, corpus.lines_are_sentences):
            yield sentences


#: the spaces between a closing mark, with what closes after it, and what can open a sentence
_BETWEEN_SENTENCES = re.compile(r"[.!?][\"')\]]*( +)(?=[A-Z\"'(0-9])")


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
