"""Where pieces stand in a text, for tokenizers that do not say it themselves: each is looked for, by its
characters, after the one before it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from attlas.corpora.token_text import PIECE_GOES_ON, WORD_BEGINS, WORD_ENDS, WORD_GOES_ON

Span = tuple[int, int]

_MARKS = (WORD_GOES_ON, *WORD_BEGINS, PIECE_GOES_ON, WORD_ENDS)


def spans_of(text: str, pieces: Sequence[str | None]) -> list[Span]:
    """The characters of every piece; None, a special token, has none. Case, accents and spaces are looked
    through. Pieces that are not found (unknown ones) have what is left between their neighbours. An
    empty string is such a piece."""
    written, places = _plain(text)
    spans: list[Span] = [(0, 0)] * len(pieces)
    at, lost = 0, list[int]()

    def give_up_to(stop: int) -> None:
        for number in lost if stop > at else ():
            spans[number] = places[at], places[stop - 1] + 1
        lost.clear()

    for number, piece in enumerate(pieces):
        if piece is None:
            continue
        wanted = _plain(_bare(piece))[0]
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


def _bare(piece: str) -> str:
    for mark in _MARKS:
        piece = piece.removeprefix(mark).removesuffix(mark)
    return piece


def _plain(text: str) -> tuple[str, list[int]]:
    """The characters that are compared, and where each stands in the text."""
    characters = [
        (plain, place)
        for place, character in enumerate(text)
        for plain in unicodedata.normalize("NFKD", character.casefold())
        if not unicodedata.combining(plain) and not plain.isspace()
    ]
    return "".join(plain for plain, _ in characters), [place for _, place in characters]
