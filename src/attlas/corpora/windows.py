"""Windows: the stretches of an annotated document that a model sees at once; and the source of them.

A sentence each, or as many consecutive sentences as fit. What does not fit is left out, and counted.
"""

from __future__ import annotations

import pickle
import tempfile
import weakref
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Literal, Protocol

from attlas.corpora.alignment import FitsTokens, WordBatch, aligned_batches
from attlas.corpora.annotated_documents import Document, Mention, Word, spread
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.reading import AnnotatedCorpus
from attlas.corpora.source import (
    ALL_ITEMS,
    Chosen,
    ItemId,
    PreparedShard,
    Shard,
    Skips,
    fewest,
)
from attlas.errors import AttlasError, option

if TYPE_CHECKING:
    from attlas.subject import Subject

#: `words`: the corpus's words with a space between them, as the papers fed them; `raw`: the text as it was
Text = Literal["words", "raw"]
#: does a text fit into the model's window?
Fits = Callable[[str], bool]


@dataclass(frozen=True)
class Window:
    """Sentences `first` to `last` of a document as one text, with the characters of each word in it."""

    id: ItemId
    document: Document
    first: int
    last: int
    text: str
    words: tuple[Word, ...]
    spans: tuple[tuple[int, int], ...]
    starts: tuple[int, ...]  # for each sentence, the place of its first word

    def place(self, sentence: int, word: int) -> int:
        """Where a word of the document stands in the window."""
        if not self.first <= sentence <= self.last:
            raise AttlasError(
                f"{self.document.name}: a link leads to sentence {sentence + 1}, outside the window's "
                f"sentences {self.first + 1} to {self.last + 1}: cut windows of several sentences"
            )
        return self.starts[sentence - self.first] + word

    def mentions(self) -> tuple[Mention, ...]:
        return tuple(m for m in self.document.mentions if self.first <= m.sentence <= self.last)

    @property
    def heads(self) -> tuple[int | None, ...]:
        """The place of each word's syntactic head; ROOT and None as in Word."""
        places: list[int | None] = []
        for start, sentence in zip(
            self.starts, self.document.sentences[self.first : self.last + 1], strict=True
        ):
            places += [w.head if w.head is None or w.head < 0 else start + w.head for w in sentence.words]
        return tuple(places)


class WindowCutter(Protocol):
    """Cuts a document into windows, and counts what it left out: too_long (sentences, or the mentions of a
    GAP text, that do not fit), other_length (sentences of a number of words that was not asked for), split
    (documents that were cut at a sentence)."""

    def __call__(
        self, number: int, document: Document, fits: Fits, counts: Counter[str]
    ) -> Iterator[Window]: ...


def cut_windows(
    documents: Iterable[tuple[int, Document]],
    cutter: WindowCutter,
    fits: Fits,
    counts: Counter[str] | None = None,
) -> Iterator[Window]:
    """The windows of numbered documents: `cut_windows(enumerate(corpus.read()), SentenceWindows(), fits)`."""
    counts = Counter() if counts is None else counts
    for number, document in documents:
        counts["documents"] += 1
        yield from cutter(number, document, fits, counts)


def what_was_read(counts: Counter[str], problems: Sequence[str] = ()) -> str:
    """What a run saw of a corpus, and what it left out, in a sentence. `problems` are those of what could not
    be read: the first is named, with its line."""
    parts = [
        f"{_many(counts['sentences'], 'sentence')} of {_many(counts['documents'], 'document')} "
        f"in {_many(counts['windows'], 'window')}"
    ]
    left_out = {
        "too_long": f"{counts['too_long']:,} longer than the window left out",
        "other_length": f"{_many(counts['other_length'], 'sentence')} of other lengths left out",
        "split": f"{_many(counts['split'], 'document')} cut at a sentence",
        "filtered": f"{_many(counts['filtered'], 'document')} left out by the filter",
    }
    parts += [words for count, words in left_out.items() if counts[count]]
    return "; ".join([*parts, *unread(counts, problems)])


def unread(counts: Counter[str], problems: Sequence[str]) -> list[str]:
    """How much could not be read, and where the first of it stands; nothing, where all could."""
    if not counts["skipped"]:
        return []
    first = f", the first: {problems[0]}" if problems else ""
    return [f"{_many(counts['skipped'], 'place')} could not be read{first}"]


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


@dataclass(frozen=True)
class SentenceWindows:
    """A window for each sentence of `shortest` to `longest` words."""

    text: Text = "words"
    shortest: int = 1
    longest: int | None = None

    def __post_init__(self) -> None:
        if self.longest is not None and self.longest < self.shortest:
            raise AttlasError(
                f"{option('longest', self.longest)}: less than {option('shortest', self.shortest)}"
            )

    def __call__(self, number: int, document: Document, fits: Fits, counts: Counter[str]) -> Iterator[Window]:
        place = 0
        for i, sentence in enumerate(document.sentences):
            words = len(sentence.words)
            if words < self.shortest or (self.longest is not None and words > self.longest):
                counts["other_length"] += 1
                continue
            window = make_window(ItemId(number, place), document, i, i, self.text)
            if not fits(window.text):
                counts["too_long"] += 1
                continue
            place += 1
            yield window


@dataclass(frozen=True)
class DocumentWindows:
    """Windows of as many consecutive sentences as fit."""

    text: Text = "words"

    def __call__(self, number: int, document: Document, fits: Fits, counts: Counter[str]) -> Iterator[Window]:
        place, open_window = 0, None
        for i in range(len(document.sentences)):
            first = i if open_window is None else open_window.first
            longer = make_window(ItemId(number, place), document, first, i, self.text)
            if fits(longer.text):
                open_window = longer
                continue
            if open_window is not None:
                place += 1
                yield open_window
            alone = make_window(ItemId(number, place), document, i, i, self.text)
            open_window = alone if fits(alone.text) else None
            counts["too_long"] += open_window is None
        if open_window is not None:
            place += 1
            yield open_window
        counts["split"] += place > 1


@dataclass(frozen=True)
class FirstWindow:
    """Only the first window of a document, which is then cut off."""

    text: Text = "words"

    def __call__(self, number: int, document: Document, fits: Fits, counts: Counter[str]) -> Iterator[Window]:
        window = next(DocumentWindows(self.text)(number, document, fits, counts), None)
        if window is not None:
            counts["split"] += window.last + 1 < len(document.sentences)
            yield window


@dataclass(frozen=True)
class CoveringWindow:
    """The sentences that hold all mentions of a document, and as many around them as fit (for GAP)."""

    text: Text = "words"

    def __call__(self, number: int, document: Document, fits: Fits, counts: Counter[str]) -> Iterator[Window]:
        id = ItemId(number, 0)
        first = min(m.sentence for m in document.mentions)
        last = max(m.sentence for m in document.mentions)
        window = make_window(id, document, first, last, self.text)
        if not fits(window.text):
            counts["too_long"] += 1
            return
        grown = True
        while grown:
            grown = False
            for start, end in ((first - 1, last), (first, last + 1)):
                if start >= 0 and end < len(document.sentences):
                    wider = make_window(id, document, start, end, self.text)
                    if fits(wider.text):
                        window, first, last, grown = wider, start, end, True
                        break
        counts["split"] += len(document.sentences) > last - first + 1
        yield window


def make_window(id: ItemId, document: Document, first: int, last: int, text: Text) -> Window:
    whole, words, spans, starts = "", list[Word](), list[tuple[int, int]](), list[int]()
    for sentence in document.sentences[first : last + 1]:
        starts.append(len(words))
        words += sentence.words
        sentence_text, places = sentence.text, [(w.start, w.end) for w in sentence.words]
        if text == "words":
            sentence_text, places = spread([w.text for w in sentence.words], [True] * len(sentence.words))
        at = len(whole) + bool(whole)
        whole += (" " if whole else "") + sentence_text
        spans += [(at + start, at + end) for start, end in places]
    return Window(id, document, first, last, whole, tuple(words), tuple(spans), tuple(starts))


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
                room = room and _write(file, pickle.dumps(content, pickle.HIGHEST_PROTOCOL))
                ends.append(file.tell())
                yield content
            if ends and room and self._file is None:  # only what was read to its end is all of it
                stack.pop_all()
                self._file, self._ends = file, ends
                weakref.finalize(self, file.close)


def _write(file: IO[bytes], data: bytes) -> bool:
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
        skipped = Skips(self.strict)
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
