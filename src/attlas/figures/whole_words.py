"""Words for readers: the pieces of a tokenizer joined, and the attention between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attlas.corpora.token_text import WORD_BEGINS, WORD_GOES_ON

Weights = npt.NDArray[np.float64]
_BEGINS = (*WORD_BEGINS, " ")


@dataclass(frozen=True)
class Words:
    """What each word says, and where its first piece is."""

    texts: list[str]
    starts: list[int]


def words_of(tokens: Sequence[str]) -> Words:
    """Pieces that go on (WordPiece's ##, or no mark of a beginning) join the piece before them. A word
    that began before the first token has dots before it."""
    wordpieces = any(token.startswith(WORD_GOES_ON) and len(token) > 2 for token in tokens)
    marked = not wordpieces and any(token.startswith(_BEGINS) for token in tokens)
    words = Words([], [])
    for place, token in enumerate(tokens):
        goes_on = (
            token.startswith(WORD_GOES_ON) and len(token) > 2
            if wordpieces
            else marked and _is_inner(tokens, place)
        )
        text = token.removeprefix(WORD_GOES_ON) if wordpieces and goes_on else token
        if goes_on and words.texts:
            words.texts[-1] += text
        else:
            words.texts.append(f"…{text}" if goes_on else text)
            words.starts.append(place)
    return words


def _is_inner(tokens: Sequence[str], place: int) -> bool:
    """Whether a token without a mark goes on with the word before it: letters after letters."""
    token = tokens[place]
    if token.startswith(_BEGINS) or not token[:1].isalnum():
        return False
    return place == 0 or tokens[place - 1][-1:].isalnum()


def between_words(weights: Weights, queries: Words, keys: Words) -> Weights:
    """To a word the sum over its pieces, from it the mean over them: rows keep their sum."""
    return from_each_word(np.add.reduceat(weights, keys.starts, axis=1), queries)


def from_each_word(values: Weights, queries: Words) -> Weights:
    """The mean over the pieces of each word."""
    pieces = np.diff([*queries.starts, len(values)])
    sums = np.add.reduceat(values, queries.starts, axis=0)
    return np.asarray(sums / pieces.reshape(-1, *[1] * (values.ndim - 1)))
