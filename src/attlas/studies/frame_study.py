"""Frames (Kovaleva 2019, section 4.2): do heads link a frame's element with the word that evokes the frame?

The original kept short sentences whose elements lie away from the target, so that a head that looks at
neighbours does not win; `original_filter` is that choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from attlas.atlas.chapter import Chapter
from attlas.corpora.alignment import Piece, pieces_within
from attlas.corpora.annotated_documents import Document, Element
from attlas.corpora.source import Source
from attlas.corpora.windows import Window, what_was_read
from attlas.engines.passes import Pass
from attlas.errors import AttlasError
from attlas.extras import optional_import
from attlas.reducers.reducer import Reducer
from attlas.studies.links.heads_at_work import FirstLinks, add_heads_at_work, heads_at_work
from attlas.studies.links.link_questions import Link
from attlas.studies.provenance import about, chapter_name, corpus_name, described, refuse_nothing_read
from attlas.studies.study import RunPass
from attlas.studies.weights.window_weights import (
    BetweenPairs,
    FindPairs,
    Pairs,
    WindowWeights,
    named_heads,
    past_percentile,
    weight_table,
)

MOST_TOKENS, MOST_ELEMENT_TOKENS, NEAR = 12, 3, 2
#: groups: who attends to whom
TO_TARGET, FROM_TARGET = "element_to_target", "target_to_element"
STATISTIC = "frame_weight"


@dataclass(frozen=True, kw_only=True)
class Frames:
    """The heads with the most weight between elements and targets. The windows are FrameNet's sentences."""

    source: Source
    tokenizer: Any = None  # of the model, where `faithful`
    faithful: bool = False  # the original's pairs: pieces zipped, found by their first occurrence

    @property
    def name(self) -> str:
        return chapter_name("frames", self.source, self.faithful)

    def describe(self) -> dict[str, Any]:
        settings = {"faithful": self.faithful}
        return described("frames", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        find: FindPairs = OriginalFramePairs(self.tokenizer) if self.faithful else frame_pairs
        weights = WindowWeights("weights", STATISTIC, BetweenPairs(find))
        reducers: list[Reducer] = [weights, FirstLinks("places", frame_links)]
        done = run(Pass("weights", self.source, reducers, doing="weights on words"))
        weighed, first = done.reducer(WindowWeights), done.reducer(FirstLinks)
        refuse_nothing_read(self.source, done)
        if not done.counts["windows"]:
            raise AttlasError(f"{corpus_name(self.source)} has no sentence that the filter keeps")
        rows = weighed.rows()
        table = past_percentile(weight_table(rows, STATISTIC))
        shown = heads_at_work(frame_links, named_heads(table), first.places, self.source, run)
        notes = [
            what_was_read(done.counts, done.problems),
            "heads past the 99th percentile; matched: the same tokens slid along the sentence",
        ]
        chapter = Chapter(self.name, about(self.describe(), done, notes), rows, {"weights": table})
        return add_heads_at_work(chapter, shown)


def frame_pairs(window: Window, queries: Sequence[Piece], keys: Sequence[Piece]) -> list[Pairs]:
    """Every piece of a core element with every piece of the target, by characters, both ways."""
    frame = window.document.frame
    if frame is None:
        raise AttlasError(f"{window.document.name} has no frame: this probe needs FrameNet")
    elements = [(e.start, e.end) for e in core_elements(window.document)]
    asking, target = pieces_within(queries, elements), pieces_within(keys, frame.targets)
    back, element = pieces_within(queries, frame.targets), pieces_within(keys, elements)
    return [
        Pairs(TO_TARGET, tuple((q, k) for q in asking for k in target)),
        Pairs(FROM_TARGET, tuple((q, k) for q in back for k in element)),
    ]


def frame_links(window: Window) -> list[Link]:
    """The words of the core elements and those of the target, both ways: what the figures show."""
    frame = window.document.frame
    assert frame is not None
    words = [Piece(w.text, *span) for w, span in zip(window.words, window.spans, strict=True)]
    element = tuple(pieces_within(words, [(e.start, e.end) for e in core_elements(window.document)]))
    target = tuple(pieces_within(words, frame.targets))
    there = [Link(word, target, (TO_TARGET,)) for word in element]
    return there + [Link(word, element, (FROM_TARGET,)) for word in target]


@dataclass(frozen=True)
class OriginalFramePairs:
    """The original's pairs: pieces of element and target are zipped, each at its string's first
    occurrence."""

    tokenizer: Any

    def __call__(self, window: Window, queries: Sequence[Piece], keys: Sequence[Piece]) -> list[Pairs]:
        frame, text = window.document.frame, window.text
        assert frame is not None
        strings = [p.text for p in keys]
        target = self.tokenizer.tokenize(text[slice(*frame.targets[0])])
        places = []
        for element in core_elements(window.document):
            spelled = self.tokenizer.tokenize(text[element.start : element.end])
            for a, b in zip(spelled, target, strict=False):
                if a in strings and b in strings:
                    places.append((strings.index(a), strings.index(b)))
        return [
            Pairs(TO_TARGET, tuple(places)),
            Pairs(FROM_TARGET, tuple((b, a) for a, b in places)),
        ]

    def __deepcopy__(self, memo: object) -> OriginalFramePairs:
        return self  # never changes, and a tokenizer is slow to copy


def original_filter(document: Document) -> bool:
    """Did the original keep this sentence? By its own rules: at most 12 tokens, one target span, elements of
    at most 3 tokens, none of them (compared as strings) within 2 tokens of the target's first occurrence, and
    an element of the frame's core sets."""
    frame, sentence = document.frame, document.sentences[0]
    if frame is None or len(frame.targets) != 1 or not core_elements(document):
        return False
    if len(sentence.words) > MOST_TOKENS:  # words are made of tokens, and are quicker to count
        return False
    text, tokens = sentence.text, _split_words(sentence.text)
    if len(tokens) > MOST_TOKENS:
        return False
    elements = [_split_words(text[e.start : e.end]) for e in frame.elements]
    first = _split_words(text[slice(*frame.targets[0])])[0]
    if any(len(e) > MOST_ELEMENT_TOKENS for e in elements) or first not in tokens:
        return False
    place = tokens.index(first)
    near = set(tokens[max(0, place - NEAR) : place + NEAR + 1])
    return not any(near.intersection(e) for e in elements)


def _split_words(text: str) -> list[str]:
    return list(_tokenizer().tokenize(text))


@cache
def _tokenizer() -> Any:
    return optional_import("nltk.tokenize", "FrameNet").NLTKWordTokenizer()


def core_elements(document: Document) -> tuple[Element, ...]:
    """The elements that are linked with the target: those of the frame's core sets."""
    assert document.frame is not None
    return tuple(e for e in document.frame.elements if e.name in document.frame.core)
