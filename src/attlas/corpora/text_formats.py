"""The formats of text files: how each finds its documents, in a range of a file or in all of it.

JSON lines have a record on each line, with a field of text; in Parquet a row is a document. Plain text is in
`plain_text`. Any range of bytes, or of rows, can be read by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, Protocol

from attlas.corpora import plain_text
from attlas.corpora.corpus_files import Bytes, File, broken_off, one_line
from attlas.corpora.lines import parse_json
from attlas.errors import AttlasError

FIELD = "text"
LONGEST = 2**26  # bytes of a line: a longer one cannot be held

#: where a document begins in its file, and its text or what is wrong with it
PlacedText = tuple[int, str | ValueError]

#: how names of files end -> their format; other names are plain text
ENDINGS = {
    ".txt": "text",
    ".text": "text",
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".json": "json lines",
    ".parquet": "parquet",
}


class TextFormat(Protocol):
    unit: str  # what places are counted in

    def blocks(self, file: File) -> Iterator[tuple[int, int, float]]:
        """The ranges of places of a file that can be read from any place, and the bytes of one place."""
        ...

    def between(self, file: File, start: int, stop: int) -> Iterator[PlacedText]:
        """The documents that begin in a range."""
        ...

    def all(self, file: File, whole: bool) -> Iterator[PlacedText]:
        """All documents from the beginning; `whole`: not even long ones are cut."""
        ...


def format_of(file: File, field: str | None = None, block: int = plain_text.BLOCK) -> TextFormat:
    """`field` names the text of a record; documents of plain text longer than a `block` are cut."""
    name = ENDINGS.get(file.ending, "text")
    if name == "text":
        return PlainText(block)
    if name == "json lines":
        return JsonLines(field)
    if file.compressed:
        raise AttlasError(f"{file.name}: Parquet is compressed inside; take off what compresses it again")
    return Parquet(field)


@dataclass(frozen=True)
class PlainText:
    block: int
    unit = "byte"

    def blocks(self, file: File) -> Iterator[tuple[int, int, float]]:
        yield 0, file.size or 0, 1.0

    def between(self, file: File, start: int, stop: int) -> Iterator[PlacedText]:
        with file.open() as opened:
            for place, raw in plain_text.documents_between(opened, file.name, start, stop, self.block):
                yield place, _decode(raw, place)

    def all(self, file: File, whole: bool) -> Iterator[PlacedText]:
        with file.content() as stream:
            for place, raw in plain_text.documents(stream, file.name, None if whole else self.block):
                yield place, _decode(raw, place)


def _decode(raw: bytes, place: int) -> str | ValueError:
    try:
        text = raw.decode("utf-8-sig" if place == 0 else "utf-8")
    except UnicodeDecodeError as error:
        return NotUtf8(raw, error.start)
    return ValueError("this is not text: it has a zero byte") if "\0" in text else text


class NotUtf8(ValueError):
    """`at` is the byte of the document that is wrong."""

    def __init__(self, raw: bytes, at: int) -> None:
        column = at - raw.rfind(b"\n", 0, at)
        where = f"0x{raw[at]:02x} at column {column}"
        encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin1"
        super().__init__(f"not UTF-8 ({where}); convert it, for example with iconv -f {encoding} -t utf-8")
        self.at = at


@dataclass(frozen=True)
class JsonLines:
    field: str | None = None
    unit = "byte"

    def blocks(self, file: File) -> Iterator[tuple[int, int, float]]:
        yield 0, file.size or 0, 1.0

    def between(self, file: File, start: int, stop: int) -> Iterator[PlacedText]:
        with file.open() as opened:
            for place, line in lines_between(opened, file.name, start, stop):
                yield place, self._text(line)

    def all(self, file: File, whole: bool) -> Iterator[PlacedText]:
        with file.content() as stream:
            for place, line in lines_of(stream, file.name):
                yield place, self._text(line)

    def _text(self, line: bytes) -> str | ValueError:
        try:
            if len(line) >= LONGEST:
                raise ValueError(f"a line of more than {LONGEST:,} bytes")
            return text_of_record(parse_json(line.decode("utf-8-sig")), self.field)
        except UnicodeDecodeError as error:
            return NotUtf8(line, error.start)
        except ValueError as error:
            return error


def lines_of(stream: IO[bytes], name: str) -> Iterator[tuple[int, bytes]]:
    """All lines of a stream that are not blank, and where they begin. A line that is too long to be held is
    cut off at its beginning."""
    return _lines(Bytes(stream, name), 0, None)


def lines_between(file: IO[bytes], name: str, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
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


def text_of_record(record: object, field: str | None) -> str:
    """The text of a record: the field that is named, or `text`; a string is its own text. A ValueError says
    what is wrong with it."""
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


@dataclass(frozen=True)
class Parquet:
    """A row is a document; its text is a column: the one that is named, or `text`, or the only one of
    strings."""

    field: str | None = None
    unit = "row"

    def blocks(self, file: File) -> Iterator[tuple[int, int, float]]:
        """Its row groups."""
        with file.open() as opened:
            parquet, column = self._open(file, opened)
            start = 0
            for i in range(parquet.metadata.num_row_groups):
                group = parquet.metadata.row_group(i)
                chunks = [group.column(c) for c in range(group.num_columns)]
                size = sum(c.total_uncompressed_size for c in chunks if c.path_in_schema == column)
                if group.num_rows:
                    yield start, start + group.num_rows, max(1.0, size / group.num_rows)
                start += group.num_rows

    def between(self, file: File, start: int, stop: int) -> Iterator[PlacedText]:
        with file.open() as opened:
            parquet, column = self._open(file, opened)
            at = 0
            for i in range(parquet.metadata.num_row_groups):
                rows = parquet.metadata.row_group(i).num_rows
                if at < stop and start < at + rows:
                    yield from self._rows(file, parquet, column, i, at, max(start, at), min(stop, at + rows))
                at += rows

    def all(self, file: File, whole: bool) -> Iterator[PlacedText]:
        return self.between(file, 0, 2**62)

    def _open(self, file: File, opened: Any) -> tuple[Any, str]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            # pages are read as they are needed: a row group may be larger than memory
            parquet = pq.ParquetFile(opened, pre_buffer=False, buffer_size=2**20)
        except (pa.ArrowException, OSError) as error:
            raise AttlasError(f"{file.name} is not a Parquet file: {one_line(error)}") from error
        return parquet, self._column(file, parquet.schema_arrow)

    def _column(self, file: File, schema: Any) -> str:
        import pyarrow as pa

        def has_text(kind: Any) -> bool:
            kind = kind.value_type if pa.types.is_dictionary(kind) else kind
            return any(
                is_(kind) for is_ in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
            )

        texts = [column.name for column in schema if has_text(column.type)]
        wanted = self.field or (FIELD if FIELD in texts else None)
        if wanted is None and len(texts) == 1:
            wanted = texts[0]
        if wanted is None or wanted not in texts:
            named = f"{self.field!r}" if self.field else f"{FIELD!r}, nor only one of text"
            there = ", ".join(map(repr, texts)) or "none"
            raise AttlasError(f"{file.name} has no column of text {named}; it has {there}")
        return wanted

    def _rows(
        self, file: File, parquet: Any, column: str, group: int, at: int, start: int, stop: int
    ) -> Iterator[PlacedText]:
        try:
            for batch in parquet.iter_batches(512, row_groups=[group], columns=[column]):
                low, high = max(start - at, 0), min(stop - at, len(batch))
                for i in range(low, high):
                    yield at + i, self._text(batch.column(0)[i], column)
                at += len(batch)
                if at >= stop:
                    return
        except Exception as error:  # truncated pages, lost connections: each has errors of its own
            raise broken_off(file.name, at, "rows", error) from error

    def _text(self, value: Any, column: str) -> str | ValueError:
        try:
            return as_text(value.as_py(), column)
        except UnicodeDecodeError:
            return ValueError("this is not UTF-8")
        except ValueError as error:
            return error
