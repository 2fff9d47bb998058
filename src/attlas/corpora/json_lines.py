"""JSON lines: a record a line, with a field of text. Any range of bytes can be read by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import IO

from attlas.corpora.corpus_files import Bytes

FIELD = "text"
LONGEST = 2**26  # bytes of a line: a longer one cannot be held


def documents(stream: IO[bytes], name: str) -> Iterator[tuple[int, bytes]]:
    """All lines of a stream that are not blank, and where they begin. A line that is too long to be held is
    cut off at its beginning."""
    return _lines(Bytes(stream, name), 0, None)


def documents_between(file: IO[bytes], name: str, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
    """The lines that begin in a range of a file."""
    base = max(0, start - 1)  # the byte before tells whether a line begins here
    file.seek(base)
    text = Bytes(file, name, base)
    if start:
        line_end = text.find(b"\n", base, stop)
        if line_end is None:
            return iter(())
        start = line_end + 1
    return _lines(text, start, stop)


def _lines(text: Bytes, at: int, stop: int | None) -> Iterator[tuple[int, bytes]]:
    while stop is None or at < stop:
        text.forget(at)
        end = text.find(b"\n", at, at + LONGEST)
        line = text.slice(at, text.end if end is None else end)
        if line.strip():
            yield at, line
        if end is None:
            end = _skip_line(text, at + len(line))
        if end is None:
            return
        at = end + 1


def _skip_line(text: Bytes, at: int) -> int | None:
    """Where the line under way ends, without holding it."""
    while not text.ended:
        text.forget(at)
        if (line_end := text.find(b"\n", at, at + text.chunk)) is not None:
            return line_end
        at = text.end
    return None


def text_of(line: bytes, field: str | None) -> str:
    """The text of a record; a ValueError says what is wrong with it."""
    if len(line) >= LONGEST:
        raise ValueError(f"a line of more than {LONGEST:,} bytes")
    try:
        record = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise
    except RecursionError:
        raise ValueError("a record nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"this is not JSON ({error})") from error
    return text_of_record(record, field)


def text_of_record(record: object, field: str | None) -> str:
    """The text of a record: the field that is named, or `text`; a string is its own text."""
    if isinstance(record, str) and field is None:
        return as_text(record, "record")
    if not isinstance(record, Mapping):
        kind = "nothing" if record is None else type(record).__name__
        raise ValueError(f"this is {kind}, not a record with fields")
    wanted = field or FIELD
    if wanted not in record:
        raise ValueError(
            f"the record has no field {wanted!r} (it has {', '.join(map(repr, list(record)[:8]))})"
        )
    return as_text(record[wanted], wanted)


def as_text(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"its {field!r} is {'nothing' if value is None else type(value).__name__}, not text")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"its {field!r} is not Unicode: character {error.start} is half of a surrogate pair"
        ) from error
    return value
