"""Sources: what turns a corpus into items, a shard at a time.

An item is what the model sees at once: a segment of text, a window of an annotated corpus. Its id is the
number of its document and its place among that document's items, so it does not depend on who reads the
corpus, nor in which order. Everything random about an item is drawn from its id (`seeded`)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar

from attlas.errors import AttlasError

if TYPE_CHECKING:
    from attlas.corpora.batches import Batch
    from attlas.subject import Subject


T = TypeVar("T")


class ItemId(NamedTuple):
    document: int  # the number of the document
    place: int  # among the items of its document


class Item(Protocol):
    @property
    def id(self) -> ItemId: ...


@dataclass(frozen=True)
class PreparedShard:
    """The items of a shard, and what was met on the way to them.

    `counts` are whole numbers to be added up: documents, sentences, tokens, too_long, skipped ...
    `problems` name documents that were skipped, with their place and what was wrong; the first of them, where
    there are many. `seen` is how many items there were before some of them were chosen (`Source.only`).
    """

    items: Sequence[Any]
    counts: Counter[str] = field(default_factory=Counter)
    problems: tuple[str, ...] = ()
    seen: int = -1

    def __post_init__(self) -> None:
        if self.seen < 0:
            object.__setattr__(self, "seen", len(self.items))


@dataclass(frozen=True)
class Shard:
    """A fixed run of documents. `content` is what `Source.prepare` needs: the documents themselves, where to
    read them, or items that are prepared already."""

    number: int
    content: Any


class Preparer(Protocol):
    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        """The items of a shard, of its first `most`, with what was met on the way to just those."""
        ...


class Source(Preparer, Protocol):
    """`shards` reads the corpus in order and is cheap: it does not tokenise. `prepare` gives the same items
    whoever calls it. With a `limit`, only the first `limit` items of all shards count, before some of them
    are chosen (`PreparedShard.seen` are to be added up). All of it pickles.

    A source may have a `preparer`: what prepares its shards, without what only batches need. Processes that
    prepare get that instead of the source, and need not import PyTorch and transformers for it."""

    @property
    def limit(self) -> int | None: ...

    def describe(self) -> dict[str, Any]:
        """Name and hash of the corpus and all that decides the items; goes into the chapter's provenance."""
        ...

    def shards(self) -> Iterator[Shard]: ...

    def batches(self, subject: Subject, items: Sequence[Any]) -> Iterator[Batch]:
        """The items of one shard in batches of similar length."""
        ...

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> Source:
        """The same source with some of its items: those with these ids, whatever the limit is, or those that
        pass a test, which must pickle."""
        ...


@dataclass(frozen=True)
class Chosen:
    """Which items a source was narrowed to."""

    ids: frozenset[ItemId] | None = None
    tests: tuple[Callable[[Any], bool], ...] = ()

    def __call__(self, item: Item) -> bool:
        return (self.ids is None or item.id in self.ids) and all(test(item) for test in self.tests)

    def and_also(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> Chosen:
        if callable(chosen):
            return Chosen(self.ids, (*self.tests, chosen))
        ids = frozenset(ItemId(*i) for i in chosen)
        return Chosen(ids if self.ids is None else ids & self.ids, self.tests)

    @property
    def documents(self) -> list[int] | None:
        """The numbers of the documents that have such items, where that is known."""
        return None if self.ids is None else sorted({i.document for i in self.ids})

    def describe(self) -> dict[str, Any]:
        about: dict[str, Any] = {"tests": [_describe_test(test) for test in self.tests]} if self.tests else {}
        if self.ids is not None:
            written = repr(sorted(tuple(i) for i in self.ids)).encode()
            about |= {"items": len(self.ids), "ids": hashlib.sha256(written).hexdigest()}
        return about


ALL_ITEMS = Chosen()


def _describe_test(test: Callable[[Any], bool]) -> str:
    """A test for a file: dataclasses say all that decides them, functions their names."""
    return getattr(test, "__qualname__", None) or repr(test)


class Skips:
    """Documents that cannot be read: counted, and named up to a point. With `strict`, the first is an
    error."""

    MOST = 20

    def __init__(self, strict: bool = False) -> None:
        self.strict, self.count = strict, 0
        self.problems: list[str] = []

    def add(self, problem: object) -> None:
        if self.strict:
            raise AttlasError(str(problem))
        self.count += 1
        if len(self.problems) < self.MOST:
            self.problems.append(str(problem))

    def take(self) -> tuple[int, tuple[str, ...]]:
        """How many there were since the last call, and their names."""
        taken = self.count, tuple(self.problems)
        self.count, self.problems = 0, []
        return taken


def ids_of(items: Sequence[Any]) -> Sequence[ItemId]:
    """The ids of the items of a shard; segments that lie side by side know theirs."""
    together: Sequence[ItemId] | None = getattr(items, "item_ids", None)
    return [item.id for item in items] if together is None else together


def in_runs(items: Iterable[T], size_of: Callable[[T], float], enough: float) -> Iterator[list[T]]:
    """The items in runs, each of which ends when the sizes in it add up to `enough`."""
    run, size = list[T](), 0.0
    for item in items:
        run.append(item)
        size += size_of(item)
        if size >= enough:
            yield run
            run, size = [], 0.0
    if run:
        yield run


def make_shards(items: int, size: int) -> Iterator[Shard]:
    """Shards of this many items each, known by their places."""
    for number, start in enumerate(range(0, items, size)):
        yield Shard(number, range(start, min(start + size, items)))


def fewest(*counts: int | None) -> int | None:
    """The smallest of some limits, of which None is none."""
    return min((count for count in counts if count is not None), default=None)


def seeded(seed: int, *parts: object) -> int:
    """A number of 63 bits that belongs to these parts (an item's id, say) and the seed, on every machine."""
    written = "/".join(str(part) for part in (seed, *parts))
    return int.from_bytes(hashlib.blake2b(written.encode(), digest_size=8).digest()) >> 1


@dataclass(frozen=True)
class MadeSource:
    """What sources have in common whose items are made, not read from a corpus."""

    chosen: Chosen = field(default=ALL_ITEMS, kw_only=True)
    limit: int | None = field(default=None, init=False)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> Self:
        return replace(self, chosen=self.chosen.and_also(chosen))

    def prepare_items(self, items: Iterable[Any], most: int | None) -> PreparedShard:
        """A shard of those of the items (each with a segment) that are chosen, and its first `most`."""
        kept = [item for item in items if self.chosen(item)][:most]
        return PreparedShard(kept, Counter(segments=len(kept), tokens=sum(len(i.segment.ids) for i in kept)))


@dataclass(frozen=True)
class SourceOver:
    """What sources have in common that show the items of another source in their own way."""

    source: Source

    @property
    def limit(self) -> int | None:
        return self.source.limit

    def shards(self) -> Iterator[Shard]:
        return self.source.shards()

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        return self.source.prepare(shard, most)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> Self:
        return replace(self, source=self.source.only(chosen))
