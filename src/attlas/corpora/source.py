"""Sources: what turns a corpus into items, a shard at a time.

An item is what the model sees at once: a segment of text, a window of an annotated corpus. Its id is the number
of its document and its place among that document's items, so it does not depend on who reads the corpus, nor in
which order. Everything random about an item is drawn from its id (`seeded`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from attlas.corpora.batches import Batch
    from attlas.subject import Subject


class ItemId(NamedTuple):
    document: int  # the number of the document
    place: int  # among the items of its document


class Item(Protocol):
    @property
    def id(self) -> ItemId: ...


@dataclass(frozen=True)
class Prepared:
    """The items of a shard, and what was met on the way to them.

    `counts` are whole numbers to be added up: documents, sentences, tokens, too_long, skipped ...
    `problems` name documents that were skipped, with their place and what was wrong.
    """

    items: Sequence[Any]
    counts: Counter[str] = field(default_factory=Counter)
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shard:
    """A fixed run of documents. `content` is what `Source.prepare` needs: the documents themselves, where to
    read them, or items that are prepared already."""

    number: int
    content: Any


class Source(Protocol):
    """`shards` reads the corpus in order and is cheap: it does not tokenise. `prepare` gives the same items
    whoever calls it. With a `limit`, only the first so many items of all shards count."""

    @property
    def limit(self) -> int | None: ...

    def describe(self) -> dict[str, Any]:
        """Name and hash of the corpus and all that decides the items; goes into the chapter's provenance."""
        ...

    def shards(self) -> Iterator[Shard]: ...

    def prepare(self, shard: Shard) -> Prepared: ...

    def batches(self, subject: Subject, items: Sequence[Any]) -> Iterator[Batch]:
        """The items of one shard in batches of similar length."""
        ...

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> Source:
        """The same source with some of its items: those with these ids, or those that pass a test."""
        ...


def seeded(seed: int, *parts: object) -> int:
    """A number of 63 bits that belongs to these parts (an item's id, say) and the seed, on every machine."""
    written = "/".join(str(part) for part in (seed, *parts))
    return int.from_bytes(hashlib.blake2b(written.encode(), digest_size=8).digest()) >> 1
