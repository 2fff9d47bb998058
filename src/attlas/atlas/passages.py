"""Examples as people read them: the text around query and key, with both marked where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from attlas.address import Head
from attlas.atlas.atlas import Atlas
from attlas.atlas.schema import STRONGEST
from attlas.corpora.token_text import WORD_BEGINS, WORD_ENDS, WORD_GOES_ON

Role = Literal["", "query", "key", "both", "gap"]

AROUND = 6  # tokens shown on either side of a marked one
_BOUNDARIES = (*WORD_BEGINS, " ")


@dataclass(frozen=True)
class PassagePart:
    """Some text of a passage. Spaces between words belong to pieces without a role."""

    text: str
    role: Role = ""


@dataclass(frozen=True)
class Passage:
    """An example: the weight, the text with its marks, and the keys' own text where that is another."""

    chapter: str
    head: Head
    weight: float
    query: str
    key: str
    text: tuple[PassagePart, ...]
    key_text: tuple[PassagePart, ...] = ()
    sample: str = STRONGEST


def passages(atlas: Atlas, head: Head | None = None, chapter: str | None = None) -> Iterator[Passage]:
    """The examples of a head, or of all, strongest first within a head."""
    rows = atlas.examples
    if rows.empty:
        return
    if chapter is not None:
        rows = rows[rows["chapter"] == chapter]
    if head is not None:
        rows = rows[(rows["kind"] == head.kind) & (rows["layer"] == head.layer) & (rows["head"] == head.head)]
    for row in rows.sort_values(["kind", "layer", "head", "rank"], kind="stable").to_dict("records"):
        yield _passage(atlas, row)


def _passage(atlas: Atlas, row: dict[Any, Any]) -> Passage:
    tokens = atlas.tokens[f"{row['chapter']}/{row['tokens']}"]
    query, key = int(row["query"]), int(row["key"])
    where = row["chapter"], Head.from_row(row), float(row["weight"])
    if row["key_tokens"] not in ("", row["tokens"]):
        keys = atlas.tokens[f"{row['chapter']}/{row['key_tokens']}"]
        shown = mark_passage(tokens, {query: "query"}), mark_passage(keys, {key: "key"})
        return Passage(*where, tokens[query], keys[key], *shown, row["sample"])
    roles: dict[int, Role] = {query: "both"} if query == key else {query: "query", key: "key"}
    return Passage(*where, tokens[query], tokens[key], mark_passage(tokens, roles), (), row["sample"])


def mark_passage(
    tokens: Sequence[str], roles: dict[int, Role], around: int = AROUND
) -> tuple[PassagePart, ...]:
    """The tokens around the marked ones, as text. What lies between is left out where it is long. Where a
    weight is on a piece of a word, the whole word is marked: shards of words are hard to read."""
    spaced = has_spaces(tokens)
    around_them = {i for at in roles for i in range(at - around, at + around + 1) if 0 <= i < len(tokens)}
    roles = _on_whole_words(tokens, roles, spaced)
    shown = sorted(around_them | roles.keys())
    pieces: list[PassagePart] = [PassagePart("… ", "gap")] if shown and shown[0] > 0 else []
    for before, i in zip([None, *shown], shown, strict=False):
        text, apart = spell_token(tokens[i], spaced)
        if before is not None and i > before + 1:
            pieces.append(PassagePart(" … ", "gap"))
        elif apart and before is not None:
            pieces.append(PassagePart(" "))
        pieces.append(PassagePart(text, roles.get(i, "")))
    if shown and shown[-1] < len(tokens) - 1:
        pieces.append(PassagePart(" …", "gap"))
    return tuple(_join_neighbours(pieces))


def _on_whole_words(tokens: Sequence[str], roles: dict[int, Role], spaced: bool) -> dict[int, Role]:
    """The roles of all pieces of the marked words. Two pieces of one word are marked as they are."""
    words = {at: _word_around(tokens, at, spaced) for at in roles}
    if len(set(words.values())) < len(roles):
        return roles
    return {i: role for at, role in roles.items() for i in words[at]}


def _word_around(tokens: Sequence[str], at: int, spaced: bool) -> range:
    first, past = at, at + 1
    while first > 0 and _goes_on(tokens, first, spaced):
        first -= 1
    while past < len(tokens) and _goes_on(tokens, past, spaced):
        past += 1
    return range(first, past)


def _goes_on(tokens: Sequence[str], at: int, spaced: bool) -> bool:
    """Whether a token belongs to the word of the one before it: letters after letters, with no space."""
    text, apart = spell_token(tokens[at], spaced)
    before, _ = spell_token(tokens[at - 1], spaced)
    return not apart and text[:1].isalnum() and before[-1:].isalnum()


def has_spaces(tokens: Sequence[str]) -> bool:
    """Whether spaces are part of the tokens."""
    return any(token.startswith(_BOUNDARIES) for token in tokens)


def spell_token(token: str, spaced: bool) -> tuple[str, bool]:
    """The token without its mark of a word's beginning or middle, and whether a space stands before it."""
    if spaced:
        bare = token.lstrip("".join(_BOUNDARIES))
        return bare or _with_spaces(token), token.startswith(_BOUNDARIES) and bool(bare)
    if token.startswith(WORD_GOES_ON) and token != WORD_GOES_ON:
        return token.removeprefix(WORD_GOES_ON), False
    return token.removesuffix(WORD_ENDS), True


def _with_spaces(token: str) -> str:
    """A token of nothing but marks, as the spaces that they stand for."""
    for mark in WORD_BEGINS:
        token = token.replace(mark, " ")
    return token


def _join_neighbours(pieces: Sequence[PassagePart]) -> Iterator[PassagePart]:
    """Neighbours of one role as one."""
    for role, several in groupby(pieces, lambda piece: piece.role):
        yield PassagePart("".join(piece.text for piece in several), role)
