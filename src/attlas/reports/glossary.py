"""The things people ask for, their words for them, and the study that measures each."""

from __future__ import annotations

from collections.abc import Iterator

from attlas.atlas.catalogue import CATALOGUE
from attlas.reports.matching import EXAMPLE, words_of
from attlas.reports.page_contract import Term
from attlas.reports.thesaurus import (
    EXAMPLES,
    OPPOSITES,
    PATTERN_WORDS,
    PLAIN,
    RELATION_WORDS,
    SHAPE_WORDS,
    TURNS,
)
from attlas.wording.names import PATTERNS, SHAPES
from attlas.wording.vocabulary import ALL, RELATIONS

#: what a phrase may come down to when ignored words have gone, and then says too little
GENERIC = frozenset({"token", "word", "name", "part", "1", "act", "i 1", "position", "context", "thing"})

#: pattern -> the term that its place in the text has
PATTERN_TERM = {
    "previous": "previous",
    "next": "next",
    "self": "self",
    "punctuation": "punct",
    "cls": "cls",
    "sep": "sep",
    "sink": "first",
}


def relation_term(group: str) -> str:
    """A relation's term: `syntax` stands for all of them."""
    return "syntax" if group == ALL else group


def glossary(model: str, atlas: str) -> list[Term]:
    return [_term(*entry, model, atlas) for entry in _entries()]


def _entries() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    for term, (title, study, words) in PLAIN.items():
        yield term, title, study, (*_split_words(words), *_turn_around(term))
    for pattern, words in PATTERN_WORDS.items():
        yield pattern, PATTERNS.get(pattern, pattern.replace("_", " ")), "patterns", _split_words(words)
    for shape, words in SHAPE_WORDS.items():
        yield shape, f"{SHAPES[shape]} maps", "patterns", _split_words(words)
    for group, link in RELATIONS.items():
        more = _split_words(RELATION_WORDS.get(relation_term(group), ""))
        listed = (group.replace(":", " "), link.dependent, link.title, *link.asked, *more)
        yield relation_term(group), link.title, "dependencies", listed


def _turn_around(term: str) -> Iterator[str]:
    """What says a thing by denying its opposite: the least focused, not needed."""
    for pair in OPPOSITES:
        if term in pair:
            (other,) = (opposite for opposite in pair if opposite != term)
            single = (word for word in _split_words(PLAIN[other][2]) if " " not in word)
            yield from (f"{turn} {word}" for word in single for turn in TURNS)


def _split_words(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())


def _term(term: str, title: str, study: str, words: tuple[str, ...], model: str, atlas: str) -> Term:
    # what several words come down to, once those that say nothing have gone, may say too little
    whole = (phrase for phrase in words if len(phrase.split()) == 1 or len(words_of(phrase)) > 1)
    alike = dict.fromkeys(" ".join(words_of(phrase)) for phrase in whole)
    examples = [EXAMPLE + word for word in EXAMPLES.get(term, "").split()]
    return {
        "term": term,
        "title": title,
        "words": [phrase for phrase in alike if phrase and phrase not in GENERIC] + examples,
        "command": CATALOGUE[study].command_for(model, atlas),
    }
