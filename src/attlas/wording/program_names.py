"""What people call the programs that a head may be a sum of."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

FARTHEST = 8  # tokens back and ahead that have a program each
#: kinds of tokens, each of which has three programs: every one in view, the last before, the next after
KINDS_OF_TOKEN: Mapping[str, str] = MappingProxyType(
    {
        "mark": "punctuation mark",
        "stop": "full stop",
        "comma": "comma",
        "opener": "opening bracket or quote",
        "capital": "capitalised token",
        "number": "number",
        "frequent": "frequent token",
        "rare": "rare token",
        "word": "first piece of a word",
        "other": "token that is not frequent",
    }
)

_OF_PATTERNS = {
    "self": "the token itself",
    "previous": "the previous token",
    "next": "the next token",
    "sink": "the first token",
    "cls": "[CLS]",
    "sep": "[SEP]",
    "duplicate": "the same token elsewhere",
    "induction": "what followed the same token before",
    "other_sentence": "the same token in the other sentence",
    "bag": "its sentence, or A or B",
    "local_2": "near tokens, mostly within 2",
    "local_4": "near tokens, mostly within 4",
    "local_8": "near tokens, mostly within 8",
    "local_16": "near tokens, mostly within 16",
    "broad": "all tokens evenly",
}
_OF_OFFSETS = {
    name: f"the token {by} {way}"
    for by in range(2, FARTHEST + 1)
    for name, way in ((f"back_{by}", "back"), (f"ahead_{by}", "ahead"))
}
_OF_PLACES = {
    "last_duplicate": "the same token, the last time before",
    "last_induction": "what followed the same token the last time",
    "before_same": "what came before the same token",
    "last_delimiter": "the last special token before",
    "next_delimiter": "the next special token",
    "sentence": "its sentence, between full stops",
    "sentence_start": "the start of its sentence",
    "last_sentence": "the sentence before",
    "word": "other pieces of its word",
    "word_start": "the first piece of its word",
    "last_word": "the word before",
    "next_word": "the word after",
}
_OF_KINDS = {
    f"{which}_{kind}": words.format(called)
    for kind, called in KINDS_OF_TOKEN.items()
    for which, words in (("every", "every {}"), ("last", "the last {}"), ("next", "the next {}"))
}

#: program -> what it looks at; the order is that of ties
PROGRAMS: Mapping[str, str] = MappingProxyType({**_OF_PATTERNS, **_OF_OFFSETS, **_OF_PLACES, **_OF_KINDS})
#: how the names of programs begin that look at later tokens
AHEAD = ("ahead_", "next")
#: programs by which a head rests
RESTING = ("sink", "cls", "sep", "last_delimiter", "next_delimiter")


def program_words(name: str) -> str:
    """What a program looks at; a user's program has its own name."""
    return PROGRAMS.get(name, name)
