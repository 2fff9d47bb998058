"""Tokens as the views show them: invisible ones named, pieces joined to words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from attlas.corpora.token_text import WORD_BEGINS, WORD_ENDS, WORD_GOES_ON
from attlas.subject.spelling import spell_tokens
from attlas.views.contract import Side

_SPACE_MARKERS = (*WORD_BEGINS, " ")
_SPECIAL = re.compile(r"^(\[[A-Z]+\d*\]|<[^<> ]{1,40}>|<\|.*\|>)$")


@dataclass(frozen=True)
class Writing:
    """What the model itself has to do with a text: where it began to write, and what it gave each token."""

    generated: int | None = None
    probabilities: Sequence[float | None] = ()


def side(
    tokens: Sequence[str],
    b_start: int | None,
    prettify: bool = True,
    with_words: bool = True,
    writing: Writing | None = None,
) -> Side:
    """One list of tokens, ready to be shown."""
    writing = writing or Writing()
    shown = spell_tokens(tokens) if prettify else list(tokens)
    marked = tokens if any(token.endswith(WORD_ENDS) for token in tokens) else spell_tokens(tokens)
    return {
        "tokens": [_show_token(token) for token in shown],
        "words": words(marked) if with_words else [],
        "gaps": gaps(tokens),
        "b_start": b_start,
        "generated": writing.generated,
        "probabilities": [None if p is None else round(p, 4) for p in writing.probabilities],
    }


def gaps(tokens: Sequence[str]) -> str:
    """What stands before each token in the text, one letter per token: s a space, n a new line, - nothing."""
    spelled = spell_tokens(tokens)
    if any(token.endswith(WORD_ENDS) for token in tokens):
        ends = [False, *(token.endswith(WORD_ENDS) for token in tokens)]
        return "".join("s" if end else "-" for end in ends[: len(tokens)])
    marked = any(token.startswith(" ") for token in spelled) and not _are_wordpieces(spelled)
    return "".join(_gap(spelled, i, marked) for i in range(len(spelled)))


def _gap(tokens: Sequence[str], i: int, marked: bool) -> str:
    """`marked`: spaces are part of the tokens. Where they are not, words are apart and punctuation is not."""
    token, before = tokens[i], tokens[i - 1] if i else ""
    if "\n" in before:
        return "n"
    if marked and not token.strip():
        return "-"  # a space or the end of a line, which is seen as itself
    if marked:
        return "s" if token.startswith(" ") or _SPECIAL.match(token) or _SPECIAL.match(before) else "-"
    if i == 0 or token.startswith(WORD_GOES_ON) or token in {*".,;:!?)]}%", "'", "’", "”"}:
        return "-"
    return "-" if before in {*"([{$", "'", "’", "“"} else "s"


def words(tokens: Sequence[str]) -> list[int]:
    """The word that each piece belongs to, read from the markers in the pieces themselves."""
    if _are_wordpieces(tokens):
        return _number_words(not token.startswith(WORD_GOES_ON) for token in tokens)
    if any(token.endswith(WORD_ENDS) for token in tokens):
        ends = [True, *(token.endswith(WORD_ENDS) or bool(_SPECIAL.match(token)) for token in tokens)]
        return _number_words(ends[:-1])
    if any(token.startswith(_SPACE_MARKERS) for token in tokens):
        return _number_words(_starts_word(tokens, i) for i in range(len(tokens)))
    return list(range(len(tokens)))


def _are_wordpieces(tokens: Sequence[str]) -> bool:
    """Whether ## marks a piece that goes on, rather than a heading in a text whose spaces are marked."""
    pieces = sum(len(token) > 2 and token.startswith(WORD_GOES_ON) for token in tokens)
    return pieces > sum(token.startswith(_SPACE_MARKERS) for token in tokens)


def is_special(token: str) -> bool:
    """Whether this is a token that no text has: [SEP], </s>."""
    return bool(_SPECIAL.match(token))


def _starts_word(tokens: Sequence[str], i: int) -> bool:
    token = tokens[i]
    if i > 0 and tokens[i - 1].endswith("…") and token.startswith(f"…{tokens[i - 1][-2:-1]}"):
        return False  # the same character goes on: an emoji takes up to four tokens
    if i == 0 or token.startswith(_SPACE_MARKERS) or _SPECIAL.match(token):
        return True
    before = tokens[i - 1]
    # "dogs" and "." carry no space between them, yet nobody calls "dogs." a word
    return bool(_SPECIAL.match(before)) or not (_has_letters(token) and _has_letters(before))


def _has_letters(token: str) -> bool:
    return any(character.isalnum() or unicodedata.combining(character) for character in token)


def _number_words(starts: object) -> list[int]:
    word, result = -1, []
    for start in starts:  # type: ignore[attr-defined]
        word += bool(start) or word < 0
        result.append(word)
    return result


def _show_token(token: str) -> str:
    """The token, or the names of its characters where nothing of it would be seen."""
    stripped = token.strip(" ")
    if any(unicodedata.category(character)[0] in "LMNPS" for character in stripped):
        return stripped
    if not token:
        return "(empty)"
    names = {" ": "␣", "\n": "⏎", "\t": "⇥"}
    return " ".join(names.get(character, f"U+{ord(character):04X}") for character in token)
