"""Two halves of a corpus: what is chosen on one is judged on the other."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal

from attlas.corpora.documents import Content, Entry, Problem, TextCorpus
from attlas.corpora.source import ItemId, seeded
from attlas.errors import AttlasError

SALTS = 16  # ways to halve, of which the most even is taken: a few documents may all fall into one half
COUNTED = 64  # documents from which that is seen
#: what falls into a half as one: a document by its number or by its name, an item, or every other item
Unit = Literal["document", "name", "item", "turn"]


@dataclass(frozen=True)
class Half:
    """Tells whether an item is in one half of its source.

    By document, so that no text is in both. A corpus of very few documents is halved by items instead. The
    seed, and the document's number or name, decide alone: order and batches do not matter.
    """

    first: bool
    seed: int = 0
    by: Unit = "document"

    def __call__(self, item: Any) -> bool:
        name = item.document.name if self.by == "name" else ""
        return self.holds(item.id, name)

    def holds(self, id: ItemId, name: str = "") -> bool:
        """Return the same for an id; `name` is that of its document, where that decides."""
        return self._is_first(id, name) is self.first

    def _is_first(self, id: ItemId, name: str) -> bool:
        match self.by:
            case "document":
                return seeded(self.seed, "half", id.document) % 2 == 0
            case "item":
                return seeded(self.seed, "half", *id) % 2 == 0
            case "name":
                digest = hashlib.blake2b(f"{self.seed}/{name}".encode(), digest_size=1).digest()
                return digest[0] % 2 == 0
            case "turn":
                return (id.document + id.place + self.seed) % 2 == 0


def are_even(first: int, second: int) -> bool:
    """Return whether two halves are large enough: one has at least a fifth of both."""
    return 5 * min(first, second) >= first + second


@dataclass(frozen=True)
class HalfCorpus:
    """The documents of a corpus that are in one half of it, by their numbers."""

    corpus: TextCorpus
    half: Half

    @property
    def name(self) -> str:
        return self.corpus.name

    @property
    def lines_are_sentences(self) -> bool:
        return self.corpus.lines_are_sentences

    def describe(self) -> dict[str, Any]:
        return {
            **self.corpus.describe(),
            "half": "first" if self.half.first else "second",
            "halved_by": f"document {self.half.seed}",
        }

    def holding(self, characters: int) -> HalfCorpus:
        return replace(self, corpus=self.corpus.holding(characters))

    def parts(self, characters: int) -> Iterator[Content]:
        return self.corpus.parts(characters)

    def spread(self, characters: int, seed: int) -> Iterator[Content]:
        return self.corpus.spread(characters, seed)

    def read(self, content: Content) -> Iterator[Entry]:
        return self._half(self.corpus.read(content))

    def entries(self) -> Iterator[Entry]:
        return self._half(self.corpus.entries())

    def choose(self, numbers: Sequence[int]) -> Iterator[Content]:
        return self.corpus.choose(numbers)

    def _half(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield the entries of this half; what cannot be read belongs to both."""
        return (e for e in entries if isinstance(e, Problem) or self.half.holds(ItemId(e.number, 0)))


def halve_corpus(corpus: TextCorpus) -> tuple[HalfCorpus, HalfCorpus]:
    """Return two corpora that have no document in common and are about as large as one another."""
    entries = (entry for entry in corpus.entries() if not isinstance(entry, Problem))
    numbers = [entry.number for entry in islice(entries, COUNTED)]
    if len(numbers) < 2:
        raise AttlasError(
            f"{corpus.name} has one document: names are chosen on some documents and tested on others"
        )

    def unevenness(salt: int) -> int:
        return abs(2 * sum(Half(True, salt).holds(ItemId(number, 0)) for number in numbers) - len(numbers))

    salt = min(range(SALTS), key=unevenness)
    return HalfCorpus(corpus, Half(True, salt)), HalfCorpus(corpus, Half(False, salt))
