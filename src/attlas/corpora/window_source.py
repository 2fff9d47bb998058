"""WindowSource: windows of an annotated corpus, a shard at a time."""

from __future__ import annotations

import pickle
import tempfile
import weakref
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from attlas.corpora.alignment import FitsTokens, WordBatch, aligned_batches
from attlas.corpora.annotated_documents import Document
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.reading import AnnotatedCorpus
from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard, Skipped, fewest
from attlas.corpora.windows import Window, WindowCutter, cut_windows

if TYPE_CHECKING:
    from attlas.subject import Subject

SHARD_WORDS = 2**13


@dataclass(frozen=True)
class ReadDocuments:
    """Numbered documents, and what was met on the way to them."""

    documents: tuple[tuple[int, Document], ...]
    filtered: int = 0
    skipped: int = 0
    problems: tuple[str, ...] = ()


class ReadOnce:
    """What was read of a corpus, in a file: a study has several passes, and parsing may take longer than all
    that comes after it. Memory does not grow with the corpus."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._ends: list[int] = []  # of each shard's documents in the file

    def contents(self, read: Callable[[], Iterator[ReadDocuments]]) -> Iterator[ReadDocuments]:
        if self._file is not None:
            for start in [0, *self._ends[:-1]]:
                self._file.seek(start)
                yield pickle.load(self._file)
            return
        with ExitStack() as stack:
            # unbuffered: a full disk is noticed at once
            file = stack.enter_context(tempfile.TemporaryFile(prefix="attlas-", buffering=0))
            ends, room = list[int](), True
            for content in read():
                room = room and _written(file, pickle.dumps(content, pickle.HIGHEST_PROTOCOL))
                ends.append(file.tell())
                yield content
            if ends and room and self._file is None:  # only what was read to its end is all of it
                stack.pop_all()
                self._file, self._ends = file, ends
                weakref.finalize(self, file.close)


def _written(file: IO[bytes], data: bytes) -> bool:
    """Whether there was room for it; if not, the corpus is read again the next time."""
    try:
        return file.write(data) == len(data)
    except OSError:
        return False


@dataclass(frozen=True)
class WindowSource:
    """`filter` keeps documents; it must pickle. Documents are numbered as they are read, those that the
    filter leaves out included, those that cannot be read not. `strict`: such a document is an error."""

    corpus: AnnotatedCorpus
    cutter: WindowCutter
    fits: FitsTokens
    limit: int | None = None
    filter: Callable[[Document], bool] | None = None
    strict: bool = False
    weight_bytes: int | None = None  # of the weights of a batch; what suits the device if None
    shard_words: int = SHARD_WORDS
    chosen: Chosen = ALL_ITEMS
    _read_once: ReadOnce = field(default_factory=lambda: ReadOnce(), init=False, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_read_once": ReadOnce()}

    def describe(self) -> dict[str, Any]:
        return {
            "corpus": self.corpus.describe(),
            "items": "windows",
            "windows": repr(self.cutter),
            "length": self.fits.length,
            "limit": self.limit,
            "filter": None
            if self.filter is None
            else getattr(self.filter, "__qualname__", repr(self.filter)),
            "shard_words": self.shard_words,
            "tokenizer": tokenizer_hash(self.fits.tokenizer),
            "strict": self.strict,
            "chosen": self.chosen.describe(),
        }

    def shards(self) -> Iterator[Shard]:
        wanted = self.chosen.documents
        contents = self._contents() if wanted is None else self._with_documents(wanted)
        for number, content in enumerate(contents):
            yield Shard(number, content)

    def _contents(self) -> Iterator[ReadDocuments]:
        return self._read_once.contents(self._read)

    def _read(self) -> Iterator[ReadDocuments]:
        documents, words, filtered = list[tuple[int, Document]](), 0, 0
        skipped = Skipped(self.strict)
        for number, document in enumerate(self.corpus.read(skipped.add)):
            if self.filter is not None and not self.filter(document):
                filtered += 1
                continue
            documents.append((number, document))
            words += sum(len(sentence.words) for sentence in document.sentences)
            if words >= self.shard_words:
                yield ReadDocuments(tuple(documents), filtered, *skipped.take())
                documents, words, filtered = [], 0, 0
        if documents or filtered or skipped.count:
            yield ReadDocuments(tuple(documents), filtered, *skipped.take())

    def _with_documents(self, numbers: list[int]) -> Iterator[ReadDocuments]:
        """What shards have of these documents, read no further than the last of them."""
        wanted = set(numbers)
        for content in self._contents() if numbers else ():
            documents = tuple((n, document) for n, document in content.documents if n in wanted)
            if documents:
                yield ReadDocuments(documents)
            if content.documents and content.documents[-1][0] >= numbers[-1]:
                return

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        content: ReadDocuments = shard.content
        counts = Counter[str](skipped=content.skipped, filtered=content.filtered)
        windows = cut_windows(content.documents, self.cutter, self.fits, counts)
        seen = list(islice(windows, fewest(most, self.limit)))
        items = [window for window in seen if self.chosen(window)]
        counts.update(windows=len(items), sentences=sum(w.last - w.first + 1 for w in items))
        return PreparedShard(items, +counts, content.problems, len(seen))

    def batches(self, subject: Subject, items: Sequence[Window]) -> Iterator[WordBatch]:
        return aligned_batches(subject, items, self.weight_bytes)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> WindowSource:
        limit = self.limit if callable(chosen) else None
        narrowed = replace(self, chosen=self.chosen.and_also(chosen), limit=limit)
        object.__setattr__(narrowed, "_read_once", self._read_once)
        return narrowed
