"""What an annotated corpus is made of: documents of sentences of words, with where each word stands; and the
bracket notation in which CoNLL-2012 and CorefUD mark entities: `(3` opens, `3)` closes, `(3)` does both."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from attlas.corpora.lines import wrong

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


_MARK = re.compile(r"(\()?([^()|]+)(\))?")
_PART = re.compile(r"(.*)\[\d+/\d+\]")

#: what a mark says between its brackets -> the entity's name
Name = Callable[[str], str]


class Marks:
    """Reads the marks of one sentence after another into mentions.

    Mentions of different entities may cross, as they do in GUM and LitBank; an entity's own mentions may
    nest. A mention ends in the sentence where it began.
    """

    def __init__(self, path: Path, name: Name = str) -> None:
        self.path = path
        self.name = name
        self.mentions: list[Mention] = []
        self._open: dict[str, list[tuple[int, int]]] = {}  # entity -> word and line of each open mark
        self._parts: dict[str, list[int]] = {}  # words of a mention that comes in several parts

    def read(self, marks: str, sentence: int, word: int, line: int, empty: bool = False) -> None:
        """The marks at one word. At an `empty` node, which has no word, `word` is the number of the next."""
        at = 0
        for mark in _MARK.finditer(marks):
            if marks[at : mark.start()].strip("|") or not (mark[1] or mark[3]):
                break
            at = mark.end()
            entity = self.name(mark[2])
            if mark[1]:
                self._open.setdefault(entity, []).append((word, line))
            if mark[3]:
                self._close(entity, sentence, word - empty, line)
        if marks[at:].strip("|"):
            raise wrong(
                self.path, line, f"{marks!r} is not an entity mark: (3 opens, 3) closes, (3) does both"
            )

    def _close(self, entity: str, sentence: int, last: int, line: int) -> None:
        if not self._open.get(entity):
            raise wrong(self.path, line, f"the mark {entity}) closes an entity that is not open")
        first, _ = self._open[entity].pop()
        words = tuple(range(first, last + 1))
        if part := _PART.match(entity):
            self._parts.setdefault(part[1], []).extend(words)
        elif words:  # a mention on empty nodes alone has no words that a model could see
            self._add(Mention(entity, sentence, words), line)

    def _add(self, mention: Mention, line: int) -> None:
        if mention in self.mentions[-20:]:
            raise wrong(self.path, line, f"entity {mention.entity} is marked twice on the same words")
        self.mentions.append(mention)

    def end_sentence(self, sentence: int) -> None:
        for entity, opened in self._open.items():
            if opened:
                raise wrong(self.path, opened[-1][1], f"the mark ({entity} is not closed in its sentence")
        for entity, words in self._parts.items():
            if words:
                self.mentions.append(Mention(entity, sentence, tuple(sorted(set(words)))))
        self._open.clear()
        self._parts.clear()

    def forget(self, sentence: int) -> None:
        """What was read of a sentence that is wrong."""
        self.mentions = [mention for mention in self.mentions if mention.sentence != sentence]
        self._open.clear()
        self._parts.clear()

    def take(self) -> tuple[Mention, ...]:
        """The mentions since the last call, in reading order: by first word, longer before shorter."""
        mentions, self.mentions = self.mentions, []
        return tuple(sorted(mentions, key=lambda m: (m.sentence, m.words[0], -m.words[-1])))
