"""The formats of text files: how each finds its documents, in a range of a file or in all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from attlas.corpora import json_lines, plain_text
from attlas.corpora.corpus_files import File
from attlas.corpora.parquet_rows import Parquet
from attlas.errors import AttlasError

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
                yield place, _decoded(raw, place)

    def all(self, file: File, whole: bool) -> Iterator[PlacedText]:
        with file.content() as stream:
            for place, raw in plain_text.documents(stream, file.name, None if whole else self.block):
                yield place, _decoded(raw, place)


def _decoded(raw: bytes, place: int) -> str | ValueError:
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
            for place, line in json_lines.documents_between(opened, file.name, start, stop):
                yield place, self._text(line)

    def all(self, file: File, whole: bool) -> Iterator[PlacedText]:
        with file.content() as stream:
            for place, line in json_lines.documents(stream, file.name):
                yield place, self._text(line)

    def _text(self, line: bytes) -> str | ValueError:
        try:
            return json_lines.text_of(line, self.field)
        except UnicodeDecodeError as error:
            return NotUtf8(line, error.start)
        except ValueError as error:
            return error
