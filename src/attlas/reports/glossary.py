"""The things people ask for, their words for them, and the command that measures each."""

from __future__ import annotations

from collections.abc import Iterator

from attlas.atlas.names import PATTERNS, SHAPES
from attlas.atlas.vocabulary import ALL, RELATIONS
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

#: which command measures a thing; `{model}` and `{atlas}` are filled in
COMMANDS = {
    "map": "attlas map {model} --atlas {atlas}",
    "patterns": "attlas patterns {model} --atlas {atlas}",
    "dependencies": "attlas probe dependencies {model} --atlas {atlas}",
    "coreference": "attlas probe coreference {model} CORPUS --atlas {atlas}",
    "frames": "attlas probe frames {model} FRAMENET --atlas {atlas}",
    "features": "attlas probe features {model} --atlas {atlas}",
    "tree": "attlas probe tree {model} --atlas {atlas}",
    "disable": "attlas disable {model} --atlas {atlas}",
    "prune": "attlas prune {model} --atlas {atlas}",
    "compare": "attlas compare {model} OTHER --atlas {atlas}",
}

#: what a phrase may come down to when ignored words have gone, and then says too little
GENERIC = frozenset(
    {"token", "word", "verb", "noun", "name", "part", "1", "act", "i 1", "position", "context", "thing"}
)

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


def command(name: str, model: str, atlas: str) -> str:
    return COMMANDS[name].format(model=model, atlas=atlas)


def _entries() -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    for term, (title, name, words) in PLAIN.items():
        yield term, title, name, (*_listed(words), *_turned(term))
    for pattern, words in PATTERN_WORDS.items():
        yield pattern, PATTERNS.get(pattern, pattern.replace("_", " ")), "patterns", _listed(words)
    for shape, words in SHAPE_WORDS.items():
        yield shape, f"{SHAPES[shape]} maps", "patterns", _listed(words)
    for group, link in RELATIONS.items():
        more = _listed(RELATION_WORDS.get(relation_term(group), ""))
        listed = (group.replace(":", " "), link.dependent, link.title, *link.asked, *more)
        yield relation_term(group), link.title, "dependencies", listed


def _turned(term: str) -> Iterator[str]:
    """What says a thing by denying its opposite: the least focused, not needed."""
    for pair in OPPOSITES:
        if term in pair:
            (other,) = (opposite for opposite in pair if opposite != term)
            single = (word for word in _listed(PLAIN[other][2]) if " " not in word)
            yield from (f"{turn} {word}" for word in single for turn in TURNS)


def _listed(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())


def _term(term: str, title: str, name: str, words: tuple[str, ...], model: str, atlas: str) -> Term:
    # what several words come down to, once those that say nothing have gone, may say too little
    whole = (phrase for phrase in words if len(phrase.split()) == 1 or len(words_of(phrase)) > 1)
    alike = dict.fromkeys(" ".join(words_of(phrase)) for phrase in whole)
    examples = [EXAMPLE + word for word in EXAMPLES.get(term, "").split()]
    return {
        "term": term,
        "title": title,
        "words": [phrase for phrase in alike if phrase and phrase not in GENERIC] + examples,
        "command": command(name, model, atlas),
    }
