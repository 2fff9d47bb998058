"""A corpus in two halves, by document: what is chosen on one is judged on the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from attlas.corpora.documents import Content, Entry, Problem, TextCorpus, sentences_of
from attlas.corpora.source import seeded
from attlas.errors import AttlasError

SALTS = 16  # ways to halve, of which the most even is taken: a few documents may all fall into one half
COUNTED = 64  # documents from which that is seen


@dataclass(frozen=True)
class DocumentHalf:
    """The documents of a corpus that are in one half of it, decided by a document's number alone."""

    corpus: TextCorpus
    first: bool
    salt: int

    @property
    def name(self) -> str:
        return self.corpus.name

    @property
    def lines_are_sentences(self) -> bool:
        return self.corpus.lines_are_sentences

    def describe(self) -> dict[str, Any]:
        return {
            **self.corpus.describe(),
            "half": "first" if self.first else "second",
            "halved_by": f"document {self.salt}",
        }

    def holding(self, characters: int) -> DocumentHalf:
        return replace(self, corpus=self.corpus.holding(characters))

    def parts(self, characters: int) -> Iterator[Content]:
        return self.corpus.parts(characters)

    def spread(self, characters: int, seed: int) -> Iterator[Content]:
        return self.corpus.spread(characters, seed)

    def read(self, content: Content) -> Iterator[Entry]:
        return self._half(self.corpus.read(content))

    def entries(self) -> Iterator[Entry]:
        return self._half(self.corpus.entries())

    def documents(self) -> Iterator[list[str]]:
        return sentences_of(self)

    def chosen(self, numbers: Sequence[int]) -> Iterator[Content]:
        return self.corpus.chosen(numbers)

    def _half(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """What cannot be read belongs to both."""
        return (e for e in entries if isinstance(e, Problem) or _is_first(e.number, self.salt) is self.first)


def halves(corpus: TextCorpus) -> tuple[DocumentHalf, DocumentHalf]:
    """Two corpora that have no document in common, about as large as one another."""
    entries = (entry for entry in corpus.entries() if not isinstance(entry, Problem))
    numbers = [entry.number for entry in islice(entries, COUNTED)]
    if len(numbers) < 2:
        raise AttlasError(
            f"{corpus.name} has one document: names are chosen on some documents and tested on others"
        )

    def unevenness(salt: int) -> int:
        return abs(2 * sum(_is_first(number, salt) for number in numbers) - len(numbers))

    salt = min(range(SALTS), key=unevenness)
    return DocumentHalf(corpus, True, salt), DocumentHalf(corpus, False, salt)


def _is_first(number: int, salt: int) -> bool:
    return seeded(salt, "half", number) % 2 == 0
