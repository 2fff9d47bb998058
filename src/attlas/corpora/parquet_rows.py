"""Parquet: a row is a document. Rows are read from the row groups that hold them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from attlas.corpora.corpus_files import File, broken_off, one_line
from attlas.corpora.json_lines import FIELD, as_text
from attlas.errors import AttlasError


@dataclass(frozen=True)
class Parquet:
    """A row is a document; its text is a column: the one that is named, or `text`, or the only one of
    strings."""

    field: str | None = None
    unit = "row"

    def blocks(self, file: File) -> Iterator[tuple[int, int, float]]:
        """Its row groups."""
        with file.open() as opened:
            parquet, column = self._opened(file, opened)
            start = 0
            for i in range(parquet.metadata.num_row_groups):
                group = parquet.metadata.row_group(i)
                chunks = [group.column(c) for c in range(group.num_columns)]
                size = sum(c.total_uncompressed_size for c in chunks if c.path_in_schema == column)
                if group.num_rows:
                    yield start, start + group.num_rows, max(1.0, size / group.num_rows)
                start += group.num_rows

    def between(self, file: File, start: int, stop: int) -> Iterator[tuple[int, str | ValueError]]:
        with file.open() as opened:
            parquet, column = self._opened(file, opened)
            at = 0
            for i in range(parquet.metadata.num_row_groups):
                rows = parquet.metadata.row_group(i).num_rows
                if at < stop and start < at + rows:
                    yield from self._rows(file, parquet, column, i, at, max(start, at), min(stop, at + rows))
                at += rows

    def all(self, file: File, whole: bool) -> Iterator[tuple[int, str | ValueError]]:
        return self.between(file, 0, 2**62)

    def _opened(self, file: File, opened: Any) -> tuple[Any, str]:
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
    ) -> Iterator[tuple[int, str | ValueError]]:
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
