"""Windows: the stretches of an annotated document that a model sees at once.

A sentence each, or as many consecutive sentences as fit. What does not fit is left out, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from attlas.corpora.source import ItemId
from attlas.corpora.words import Document, Mention, Word, spread

#: `words`: the corpus's words with a space between them, as the papers fed them; `raw`: the text as it was
Text = Literal["words", "raw"]
#: does a text fit into the model's window?
Fits = Callable[[str], bool]


@dataclass(frozen=True)
class Window:
    """Sentences `first` to `last` of a document as one text, with the characters of each word in it."""

    number: int  # in the corpus
    document: Document
    first: int
    last: int
    text: str
    words: tuple[Word, ...]
    spans: tuple[tuple[int, int], ...]
    starts: tuple[int, ...]  # for each sentence, the place of its first word
    id: ItemId = ItemId(0, 0)  # noqa: RUF009 (never changes)

    def place(self, sentence: int, word: int) -> int:
        """Where a word of the document stands in the window."""
        return self.starts[sentence - self.first] + word

    def mentions(self) -> tuple[Mention, ...]:
        return tuple(m for m in self.document.mentions if self.first <= m.sentence <= self.last)

    @property
    def heads(self) -> tuple[int | None, ...]:
        """For each word the place of its syntactic head; ROOT and None as in Word."""
        found: list[int | None] = []
        for start, sentence in zip(
            self.starts, self.document.sentences[self.first : self.last + 1], strict=True
        ):
            found += [w.head if w.head is None or w.head < 0 else start + w.head for w in sentence.words]
        return tuple(found)


@dataclass
class Cut:
    """What a run saw of a corpus, and what it left out."""

    documents: int = 0
    sentences: int = 0
    windows: int = 0
    too_long: int = 0  # sentences, or the mentions of a GAP text, that do not fit
    unwanted: int = 0  # sentences of a number of words that was not asked for
    split: int = 0  # documents that were cut at a sentence


def said(counts: Mapping[str, int]) -> str:
    """What was read, and what was left out, in a sentence."""
    read = {name: counts.get(name, 0) for name in ("sentences", "documents", "windows")}
    parts = ["{sentences:,} sentences of {documents:,} documents in {windows:,} windows".format(**read)]
    for name, words in (
        ("too_long", "longer than the window left out"),
        ("other_length", "sentences of other lengths left out"),
        ("split", "documents cut at a sentence"),
    ):
        parts += [f"{counts[name]:,} {words}"] * bool(counts.get(name))
    return "; ".join(parts)


def sentence_windows(
    documents: Iterable[Document],
    fits: Fits,
    cut: Cut,
    text: Text = "words",
    shortest: int = 1,
    longest: int | None = None,
) -> Iterator[Window]:
    """A window for each sentence of `shortest` to `longest` words."""
    for document in documents:
        cut.documents += 1
        for i, sentence in enumerate(document.sentences):
            if len(sentence.words) < shortest or (longest is not None and len(sentence.words) > longest):
                cut.unwanted += 1
                continue
            window = make_window(cut.windows, document, i, i, text)
            if not fits(window.text):
                cut.too_long += 1
                continue
            cut.sentences += 1
            cut.windows += 1
            yield window


def document_windows(
    documents: Iterable[Document], fits: Fits, cut: Cut, text: Text = "words"
) -> Iterator[Window]:
    """Windows of as many consecutive sentences as fit."""
    for document in documents:
        cut.documents += 1
        before, open_window = cut.windows, None
        for i in range(len(document.sentences)):
            first = i if open_window is None else open_window.first
            longer = make_window(cut.windows, document, first, i, text)
            if fits(longer.text):
                open_window = longer
                continue
            if open_window is not None:
                yield _counted(open_window, cut)
            alone = make_window(cut.windows, document, i, i, text)
            open_window = alone if fits(alone.text) else None
            cut.too_long += open_window is None
        if open_window is not None:
            yield _counted(open_window, cut)
        cut.split += cut.windows > before + 1


def first_windows(
    documents: Iterable[Document], fits: Fits, cut: Cut, text: Text = "words"
) -> Iterator[Window]:
    """Only the first window of every document, which is then cut off."""
    for document in documents:
        window = next(document_windows([document], fits, cut, text), None)
        if window is not None:
            cut.split += window.last + 1 < len(document.sentences)
            yield window


def covering_window(document: Document, fits: Fits, cut: Cut, text: Text = "words") -> Window | None:
    """The sentences that hold all mentions, and as many around them as fit; None where they do not fit."""
    cut.documents += 1
    first = min(m.sentence for m in document.mentions)
    last = max(m.sentence for m in document.mentions)
    window = make_window(cut.windows, document, first, last, text)
    if not fits(window.text):
        cut.too_long += 1
        return None
    grown = True
    while grown:
        grown = False
        for start, end in ((first - 1, last), (first, last + 1)):
            if start >= 0 and end < len(document.sentences):
                wider = make_window(cut.windows, document, start, end, text)
                if fits(wider.text):
                    window, first, last, grown = wider, start, end, True
                    break
    cut.windows += 1
    cut.sentences += last - first + 1
    cut.split += len(document.sentences) > last - first + 1
    return window


def _counted(window: Window, cut: Cut) -> Window:
    cut.windows += 1
    cut.sentences += window.last - window.first + 1
    return window


def make_window(number: int, document: Document, first: int, last: int, text: Text) -> Window:
    whole, words, spans, starts = "", list[Word](), list[tuple[int, int]](), list[int]()
    for sentence in document.sentences[first : last + 1]:
        starts.append(len(words))
        words += sentence.words
        own, places = sentence.text, [(w.start, w.end) for w in sentence.words]
        if text == "words":
            own, places = spread([w.text for w in sentence.words], [True] * len(sentence.words))
        at = len(whole) + bool(whole)
        whole += (" " if whole else "") + own
        spans += [(at + start, at + end) for start, end in places]
    return Window(number, document, first, last, whole, tuple(words), tuple(spans), tuple(starts))
