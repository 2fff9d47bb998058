"""A sentence that people can read, to show maps of: whole, short, and mostly of whole words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from attlas.corpora.token_text import WORD_GOES_ON, bare

Item = TypeVar("Item")

SHORTEST = 7  # tokens
ENDS = frozenset(".!?")
WITHIN = frozenset(",;:'’-")  # punctuation that does not make a sentence hard to read
SEPARATORS = frozenset(["[SEP]", "</s>"])


def readable_sentence(texts: Mapping[Item, Sequence[str]], most: int) -> tuple[Item, slice]:
    """Of these texts, the one with the sentence that reads best, and where in it that is: a whole one of at
    most `most` tokens, or how one begins. The last tokens of the longest text, where none has a sentence."""
    best: tuple[float, Item, slice] | None = None
    for item, tokens in texts.items():
        for start, stop in sentences(tokens, most):
            score = readability(tokens[start:stop])
            if best is None or score > best[0]:
                best = score, item, slice(start, stop)
    if best is not None:
        return best[1:]
    longest = max(texts, key=lambda item: len(texts[item]))
    count = len(texts[longest])
    return longest, slice(max(0, count - most), count)


def sentences(tokens: Sequence[str], most: int) -> list[tuple[int, int]]:
    """Where sentences begin and end, with the separator behind them; of longer ones, the first tokens."""
    places = []
    cased = any(token[:1].isupper() for token in map(str.strip, tokens))
    start: int | None = None  # a text may begin in the middle of a sentence
    for place, token in enumerate(tokens):
        if _is_special(token) or "\n" in token:
            start = place + 1
        elif _ends(tokens, place):
            stop = place + 1
            stop += stop < len(tokens) and tokens[stop] in SEPARATORS
            begins = start is not None and (not cased or bare(tokens[start]).strip()[:1].isupper())
            if start is not None and begins and stop - start >= SHORTEST:
                places.append((start, min(stop, start + most)))
            start = place + 1
    return places


def readability(tokens: Sequence[str]) -> float:
    """The share of whole words and plain punctuation; more for a comma and a separator, where heads look, and
    most for a sentence that is whole."""
    marked = any(token.startswith(" ") for token in tokens)  # where a word begins
    plain = [_is_plain(token) and not (marked and _goes_on(tokens, i)) for i, token in enumerate(tokens)]
    extras = any(bare(token).strip() == "," for token in tokens), any(t in SEPARATORS for t in tokens)
    is_whole = bare(tokens[-1]).strip() in ENDS or tokens[-1] in SEPARATORS
    return sum(plain) / len(tokens) + 0.1 * sum(extras) + 0.5 * is_whole


def _is_plain(token: str) -> bool:
    text = bare(token).strip()
    if token.startswith(WORD_GOES_ON):
        return False
    return text.isalpha() or text in ENDS or text in WITHIN or _is_special(token)


def _goes_on(tokens: Sequence[str], place: int) -> bool:
    """Whether a token without a space before it goes on with a word: letters after letters."""
    return place > 0 and tokens[place][:1].isalpha() and tokens[place - 1][-1:].isalpha()


def _is_special(token: str) -> bool:
    return len(token) > 2 and token[0] + token[-1] in ("[]", "<>")


def _ends(tokens: Sequence[str], place: int) -> bool:
    """Whether a sentence ends here: not after an initial or an abbreviation, nor within a number."""
    if bare(tokens[place]).strip() not in ENDS or place == 0:
        return False
    before = bare(tokens[place - 1]).strip().removeprefix(WORD_GOES_ON)
    return before.isalpha() and (len(before) > 3 or tokens[place - 1].startswith(WORD_GOES_ON))
