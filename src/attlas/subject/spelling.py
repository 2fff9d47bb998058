"""Tokens as people read them: turns the bytes and stand-ins that a tokenizer writes into characters. The
marks of words are listed in `corpora/token_text.py`.

Byte-level tokenizers write bytes as stand-in characters (`Ã©` for é), others write `<0xC3>` for a byte that
no piece has. A character may take several tokens: each of those shows it, `你…` where it begins and `…你`
where it goes on. A space before a word stays a space, and WordPiece's `##` stays, since it tells pieces from
words.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from attlas.corpora.token_text import WORD_ENDS

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_SPECIAL = re.compile(r"\[[A-Z]+\d*\]|<[^<> ]{1,40}>|<\|.*\|>")
_LOST = "�"


def spell_ids(tokenizer: Any, ids: Sequence[int]) -> list[str]:
    """What each token of a text says, in characters; special tokens by name."""
    tokens = [str(token) for token in tokenizer.convert_ids_to_tokens(list(ids))]
    special = {str(token) for token in getattr(tokenizer, "all_special_tokens", ())}
    special |= {str(token) for token in getattr(tokenizer, "added_tokens_encoder", ())}
    return _read(tokens, special, _byte_level(tokenizer))


def spell_tokens(tokens: Sequence[str]) -> list[str]:
    """The same of tokens alone, where nobody says what tokenizer they are from: the marks in them tell."""
    special = {token for token in tokens if _SPECIAL.fullmatch(token) and not _BYTE.fullmatch(token)}
    others = "".join(token for token in tokens if token not in special)
    marked = "Ġ" in others or "Ċ" in others
    return _read(tokens, special, marked and all(c in _bytes_of_stand_ins() for c in others))


def _read(tokens: Sequence[str], special: set[str], byte_level: bool) -> list[str]:
    written = [None if token in special else _bytes(token, byte_level) for token in tokens]
    result = list(tokens)
    for start, stop in _runs(written):
        run = [part for part in written[start:stop] if part is not None]
        result[start:stop] = _characters(run)
    return result


def _bytes(token: str, byte_level: bool) -> bytes:
    """The bytes that a token stands for."""
    if byte_level:
        known = _bytes_of_stand_ins()
        return b"".join(bytes([known[c]]) if c in known else c.encode() for c in token)
    if match := _BYTE.fullmatch(token):
        return bytes([int(match[1], 16)])
    return token.replace("▁", " ").removesuffix(WORD_ENDS).encode("utf-8", "replace")


def _characters(run: Sequence[bytes]) -> list[str]:
    """What each part of a text says, given the bytes of the parts."""
    text = [""] * len(run)
    ends = [part for part, data in enumerate(run) for _ in data]  # byte -> the part it is in
    start = 0
    for character, length in _decode(b"".join(run)):
        parts = list(dict.fromkeys(ends[start : start + length]))
        start += length
        for part in parts:
            before = "…" if part != parts[0] else ""
            after = "…" if part != parts[-1] else ""
            text[part] += f"{before}{character}{after}"
    return text


def _decode(data: bytes) -> Iterator[tuple[str, int]]:
    """The characters of UTF-8 and how many bytes each takes; bytes that are none give a replacement each."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    held = 0
    at = 0
    while at < len(data):
        try:
            characters = decoder.decode(data[at : at + 1])
        except UnicodeDecodeError:
            decoder.reset()
            yield _LOST, max(held, 1)
            at += held == 0  # a byte that broke a character off may begin the next one
            held = 0
            continue
        held += 1
        at += 1
        if characters:
            yield characters, held
            held = 0
    if held:
        yield _LOST, held


def _runs(written: Sequence[bytes | None]) -> Iterator[tuple[int, int]]:
    """Where tokens follow each other without a special one between."""
    start = None
    for i, part in enumerate([*written, None]):
        if part is not None and start is None:
            start = i
        elif part is None and start is not None:
            yield start, i
            start = None


def _byte_level(tokenizer: Any) -> bool:
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return hasattr(tokenizer, "byte_decoder")
    return "ByteLevel" in f"{backend.decoder} {backend.pre_tokenizer}"


@cache
def _bytes_of_stand_ins() -> dict[str, int]:
    """GPT-2's alphabet of bytes: those that can be printed stand for themselves, the others follow 255."""
    printable = [
        *range(ord("!"), ord("~") + 1),
        *range(ord("¡"), ord("¬") + 1),
        *range(ord("®"), ord("ÿ") + 1),
    ]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + i): byte for i, byte in enumerate(others)}
