"""Plain text: a blank line ends a document. Any range of bytes can be read by itself.

A document longer than a block (1 MiB) is cut, so that none has to be held whole: at the first line that
begins after each multiple of a block, from the second one on that the document reaches. Where to cut is
decided by the file alone, never by the range that is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from attlas.corpora.corpus_files import Bytes

BLOCK = 2**20
_BLANK_LINE = re.compile(rb"\n[ \t\r\f\v]*\n")
_TEXT = re.compile(rb"[^ \t\r\n\f\v]")
_STEP = 2**16  # how far to look back for the end of a document, to begin with
_CHARACTER = 4  # bytes, at most
_BLANKS = 256  # no blank line is longer, where a block begins in the middle of one


def documents(stream: IO[bytes], name: str, block: int | None = BLOCK) -> Iterator[tuple[int, bytes]]:
    """All documents of a stream, and where they begin."""
    return _documents(Bytes(stream, name), 0, None, None, block)


def documents_between(
    file: IO[bytes], name: str, start: int, stop: int, block: int = BLOCK
) -> Iterator[tuple[int, bytes]]:
    """The documents, or parts of one that is cut, that begin in a range of a file."""
    at, inside = _anchor(file, start, block)
    base = max(0, at - _BLANKS)
    file.seek(base)
    for place, document in _documents(Bytes(file, name, base), at, at if inside else None, stop, block):
        if place >= start:
            yield place, document


def _anchor(file: IO[bytes], start: int, block: int) -> tuple[int, bool]:
    """Where to begin so that all that begins at `start` or later is cut as from the beginning of the
    file: after a blank line, or at the block before. And whether a document may be under way there."""
    lowest = max(0, (start // block - 1) * block)
    at, step = start, _STEP
    while at > lowest:
        at, step = max(lowest, at - step), step * 2
        file.seek(at)
        between = file.read(start - at)
        if blank := list(_BLANK_LINE.finditer(between)):
            return at + blank[-1].end(), False
    return lowest, lowest > 0


def _documents(
    text: Bytes, at: int, begun: int | None, stop: int | None, block: int | None
) -> Iterator[tuple[int, bytes]]:
    """Documents from `at` on. `begun` is where the one under way began, at the latest."""
    while True:
        text.forget(at - _BLANKS)
        place = _next_text(text, at, stop)
        if place is None:
            return
        if begun is None or _after_blank_line(text, place):
            begun = place
        at, cut = _end(text, place, begun, block)
        yield place, text.slice(place, at).rstrip()
        begun = begun if cut else None


def _next_text(text: Bytes, at: int, stop: int | None) -> int | None:
    while True:
        if match := _TEXT.search(text.data, at - text.base):
            place = text.base + match.start()
            return place if stop is None or place < stop else None
        at = max(at, text.end)
        if text.ended or (stop is not None and at >= stop):
            return None
        text.forget(at - _BLANKS)
        text.grow(at + 1)


def _after_blank_line(text: Bytes, place: int) -> bool:
    before = text.slice(max(text.base, place - _BLANKS), place)
    return _BLANK_LINE.search(before, len(before.rstrip())) is not None


def _end(text: Bytes, place: int, begun: int, block: int | None) -> tuple[int, bool]:
    """Where the document ends that has text at `place`, or is cut; and whether it is cut."""
    if block is None:
        blank = _blank_line(text, place, None)
        return (text.end, False) if blank is None else (blank, False)
    edge = max(-(-begun // block) + 1, place // block + 1) * block
    margin = max(_CHARACTER, block // 16)
    blank = _blank_line(text, place, edge + margin)
    if blank is not None and blank < edge:
        return blank, False
    text.grow(edge + margin)
    cut = _find_cut(text, edge, margin)
    if blank is not None and blank <= cut:
        return blank, False
    return (text.end, False) if text.end <= cut else (cut, True)


def _blank_line(text: Bytes, at: int, before: int | None) -> int | None:
    """Where the next blank line begins, with the end of the line above it."""
    while True:
        if match := _BLANK_LINE.search(text.data, at - text.base):
            place = text.base + match.start()
            return place if before is None or place < before else None
        # a blank line may have begun where what is read ends
        last = text.base + text.data.rfind(b"\n")
        begun = last >= at and not _TEXT.search(text.data, last - text.base)
        at = last if begun else max(at, text.end)
        if text.ended or (before is not None and at >= before):
            return None
        text.grow(text.end + 1)


def _find_cut(text: Bytes, edge: int, margin: int) -> int:
    """The first place from `edge` on where a line begins; else after a space; else between two characters."""
    near = text.slice(edge, edge + margin)
    for mark in (b"\n", b" "):
        if mark in near:
            return edge + near.index(mark) + 1
    return edge + next((i for i, byte in enumerate(near) if byte & 0xC0 != 0x80), len(near))
