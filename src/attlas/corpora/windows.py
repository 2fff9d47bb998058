"""Windows: the stretches of an annotated document that a model sees at once.

A sentence each, or as many consecutive sentences as fit. What does not fit is left out, and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from attlas.corpora.annotated_documents import Document, Mention, Word, spread
from attlas.corpora.source import ItemId
from attlas.errors import AttlasError

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
        """For each word the place of its syntactic head; ROOT and None as in Word."""
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
    parts += [f"{counts['too_long']:,} longer than the window left out"] * bool(counts["too_long"])
    parts += [f"{_many(counts['other_length'], 'sentence')} of other lengths left out"] * bool(
        counts["other_length"]
    )
    parts += [f"{_many(counts['split'], 'document')} cut at a sentence"] * bool(counts["split"])
    parts += [f"{_many(counts['filtered'], 'document')} left out by the filter"] * bool(counts["filtered"])
    parts += unread(counts, problems)
    return "; ".join(parts)


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
