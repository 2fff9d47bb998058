"""The marks that tokenizers write into tokens, tokens without them, and where tokens stand in a text.

The marks are listed here alone; what a reader of tokens does with one is its own.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from itertools import product

PUNCTUATION = frozenset(".,")

WORD_BEGINS = ("Ġ", "▁")  # a space before the token: byte-level tokenizers, SentencePiece
WORD_GOES_ON = "##"  # WordPiece: the token belongs to the word before it
WORD_ENDS = "</w>"  # CLIP and others: a space after the token
PIECE_GOES_ON = "@@"  # fastBPE: the next token belongs to this word

BYTE_LINE, BYTE_TAB = "Ċ", "ĉ"  # how byte-level tokenizers write \n and \t


def strip_marks(token: str) -> str:
    """A token without its word-boundary mark."""
    for mark in WORD_BEGINS:
        token = token.removeprefix(mark)
    return token.removesuffix(WORD_ENDS)


def spellings(tokens: Collection[str]) -> set[str]:
    """Every spelling that `strip_marks` may turn into one of these tokens."""
    begins = ["".join(marks) for marks in product(*(("", mark) for mark in WORD_BEGINS))]
    return {f"{begin}{token}{end}" for token in tokens for begin in begins for end in ("", WORD_ENDS)}


Span = tuple[int, int]

_MARKS = (WORD_GOES_ON, *WORD_BEGINS, PIECE_GOES_ON, WORD_ENDS)


def spans_of(text: str, pieces: Sequence[str | None]) -> list[Span]:
    """The characters of every piece, for tokenizers that do not say it themselves: each is looked for, by its
    characters, after the one before it. None, a special token, has none. Case, accents and spaces are looked
    through. Pieces that are not found (unknown ones) have what is left between their neighbours. An
    empty string is such a piece."""
    written, places = _comparable_characters(text)
    spans: list[Span] = [(0, 0)] * len(pieces)
    at, lost = 0, list[int]()

    def give_up_to(stop: int) -> None:
        for number in lost if stop > at else ():
            spans[number] = places[at], places[stop - 1] + 1
        lost.clear()

    for number, piece in enumerate(pieces):
        if piece is None:
            continue
        wanted = _comparable_characters(_strip_all_marks(piece))[0]
        if piece and not wanted:
            continue  # a space, or a mark alone
        start = written.find(wanted, at) if wanted else -1
        if start < 0 or (start > at and not lost):
            lost.append(number)
            continue
        give_up_to(start)
        at = start + len(wanted)
        spans[number] = places[start], places[at - 1] + 1
    give_up_to(len(written))
    return spans


def _strip_all_marks(piece: str) -> str:
    for mark in _MARKS:
        piece = piece.removeprefix(mark).removesuffix(mark)
    return piece


def _comparable_characters(text: str) -> tuple[str, list[int]]:
    """The characters that are compared, and where each stands in the text."""
    characters = [
        (plain, place)
        for place, character in enumerate(text)
        for plain in unicodedata.normalize("NFKD", character.casefold())
        if not unicodedata.combining(plain) and not plain.isspace()
    ]
    return "".join(plain for plain, _ in characters), [place for _, place in characters]
