"""What an annotated corpus is made of: documents of sentences of words, with where each word stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field

#: the head of a word that has none above it
ROOT = -1


@dataclass(frozen=True, slots=True)
class Word:
    """A word and what the corpus says of it; an empty string, or None, where it says nothing.

    `start` and `end` are characters of the sentence's text. The words of a contraction (German `zum`, which
    is `zu dem`) share its characters. `head` is the number of a word of the sentence, or ROOT.
    """

    text: str
    start: int
    end: int
    head: int | None = None
    relation: str = ""
    universal: str = ""  # universal part of speech
    tag: str = ""  # the corpus's own part of speech
    features: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    words: tuple[Word, ...]
    line: int = 0  # where it begins in its file, counted from 1


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of one sentence that name an entity. They need not be neighbours."""

    entity: str
    sentence: int
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Element:
    """A frame element: its name, and its characters in the sentence."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One annotation of a frame in the only sentence of its document."""

    name: str
    targets: tuple[tuple[int, int], ...]  # the characters of the word or words that evoke the frame
    elements: tuple[Element, ...]
    core: frozenset[str] = frozenset()  # the elements that the frame lists in its core sets


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    sentences: tuple[Sentence, ...]
    mentions: tuple[Mention, ...] = ()
    frame: Frame | None = None


def spread(forms: list[str], spaces: list[bool]) -> tuple[str, list[tuple[int, int]]]:
    """The text that forms make, each followed by a space or not, and the characters of each."""
    text, spans = "", []
    for form, space in zip(forms, spaces, strict=True):
        spans.append((len(text), len(text) + len(form)))
        text += form + (" " if space else "")
    return text.rstrip(), spans
