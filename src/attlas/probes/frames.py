"""Frames (Kovaleva 2019, section 4.2): do heads link a frame's element with the word that evokes the frame?

The original kept short sentences whose elements lie away from the target, so that a head that looks at
neighbours does not win; `original_filter` is that choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from attlas.corpora.alignment import Piece
from attlas.corpora.optional_import import optional_import
from attlas.corpora.windows import Window
from attlas.corpora.words import Document, Element
from attlas.errors import AttlasError
from attlas.probes.links import Link
from attlas.probes.weights import Pairs

MOST_TOKENS, MOST_ELEMENT_TOKENS, NEAR = 12, 3, 2
#: groups: who attends to whom
TO_TARGET, FROM_TARGET = "element_to_target", "target_to_element"

Split = Callable[[str], list[str]]


def original_filter(documents: Iterable[Document]) -> Iterator[Document]:
    """The sentences that the original kept, by its own rules: at most 12 tokens, one target span, elements
    of at most 3 tokens, none of them (compared as strings) within 2 tokens of the target's first occurrence,
    and an element of the frame's core sets."""
    split: Split = optional_import("nltk.tokenize", "FrameNet").NLTKWordTokenizer().tokenize
    for document in documents:
        if document.frame is not None and _kept(document, split):
            yield document


def _kept(document: Document, split: Split) -> bool:
    frame, text = document.frame, document.sentences[0].text
    assert frame is not None
    tokens = split(text)
    if len(tokens) > MOST_TOKENS or len(frame.targets) != 1 or not core_elements(document):
        return False
    elements = [split(text[e.start : e.end]) for e in frame.elements]
    first = split(text[slice(*frame.targets[0])])[0]
    if any(len(e) > MOST_ELEMENT_TOKENS for e in elements) or first not in tokens:
        return False
    place = tokens.index(first)
    near = set(tokens[max(0, place - NEAR) : place + NEAR + 1])
    return not any(near.intersection(e) for e in elements)


def core_elements(document: Document) -> tuple[Element, ...]:
    """The elements that are linked with the target: those of the frame's core sets."""
    assert document.frame is not None
    return tuple(e for e in document.frame.elements if e.name in document.frame.core)


def frame_pairs(window: Window, queries: Sequence[Piece], keys: Sequence[Piece]) -> list[Pairs]:
    """Every piece of a core element with every piece of the target, by characters, both ways."""
    frame = window.document.frame
    if frame is None:
        raise AttlasError(f"{window.document.name} has no frame: this probe needs FrameNet")
    elements = [(e.start, e.end) for e in core_elements(window.document)]
    asking, target = _covered(queries, elements), _covered(keys, frame.targets)
    back, element = _covered(queries, frame.targets), _covered(keys, elements)
    return [
        Pairs(TO_TARGET, tuple((q, k) for q in asking for k in target)),
        Pairs(FROM_TARGET, tuple((q, k) for q in back for k in element)),
    ]


def frame_links(window: Window) -> list[Link]:
    """The words of the core elements and those of the target, both ways: what the figures show."""
    frame = window.document.frame
    assert frame is not None
    words = [Piece(w.text, *span) for w, span in zip(window.words, window.spans, strict=True)]
    element = tuple(_covered(words, [(e.start, e.end) for e in core_elements(window.document)]))
    target = tuple(_covered(words, frame.targets))
    there = [Link(word, target, (TO_TARGET,)) for word in element]
    return there + [Link(word, element, (FROM_TARGET,)) for word in target]


def _covered(pieces: Sequence[Piece], spans: Sequence[tuple[int, int]]) -> list[int]:
    return [
        i
        for i, p in enumerate(pieces)
        if p.spells and any(p.start < end and start < p.end for start, end in spans)
    ]


def original_pairs(tokenizer: Any) -> Callable[[Window, Sequence[Piece], Sequence[Piece]], list[Pairs]]:
    """The original's pairs: pieces of element and target are zipped, each at its string's first
    occurrence."""

    def ask(window: Window, queries: Sequence[Piece], keys: Sequence[Piece]) -> list[Pairs]:
        frame, text = window.document.frame, window.text
        assert frame is not None
        strings = [p.text for p in keys]
        target = tokenizer.tokenize(text[slice(*frame.targets[0])])
        places = []
        for element in core_elements(window.document):
            for a, b in zip(tokenizer.tokenize(text[element.start : element.end]), target, strict=False):
                if a in strings and b in strings:
                    places.append((strings.index(a), strings.index(b)))
        return [
            Pairs(TO_TARGET, tuple(places)),
            Pairs(FROM_TARGET, tuple((b, a) for a, b in places)),
        ]

    return ask
