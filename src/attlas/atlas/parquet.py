"""Tables as Parquet, in memory: what is read is of the types that were asked for, or refused."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

_FITS = {
    "str": lambda t: pa.types.is_string(t) or pa.types.is_large_string(t),
    "int32": pa.types.is_integer,
    "int64": pa.types.is_integer,
    "float64": pa.types.is_floating,
}


def write_frame(frame: pd.DataFrame) -> bytes:
    return _table_bytes(pa.Table.from_pandas(frame, preserve_index=False))


_TYPES = {str: pa.string(), int: pa.int64(), float: pa.float64()}


def read_frame(
    content: bytes, types: Mapping[str, str] | None = None, lacking: Mapping[str, str | float] | None = None
) -> pd.DataFrame:
    """The table; with `types`, one that has these columns of these types, and nothing missing but floats. A
    column that is `lacking` gets one value throughout.

    Raises ValueError with what is wrong.
    """
    table = _read(content)
    for name, value in (lacking or {}).items():
        if name not in table.column_names:
            of_type = _TYPES[type(value)]  # also where there are no rows
            table = table.append_column(name, pa.array([value] * len(table), of_type))
    if types is not None:
        _check_columns(table, tuple(types))
        for name, wanted in types.items():
            column = table.column(name)
            if not _FITS[wanted](column.type):
                raise ValueError(f"the column {name} is of type {column.type}, not {wanted}")
            if column.null_count and wanted != "float64":
                raise ValueError(f"the column {name} has missing values")
        arrow = {"str": pa.large_string(), "int32": pa.int32(), "int64": pa.int64(), "float64": pa.float64()}
        table = table.cast(pa.schema([(name, arrow[wanted]) for name, wanted in types.items()]))
    # the metadata that pandas leaves in a file is not needed, and anyone can write it
    frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
    return frame if types is None else frame.astype(dict(types))


def write_lists(rows: Sequence[tuple[str, str, Sequence[str]]], columns: Sequence[str]) -> bytes:
    """Rows of two strings and a list of strings."""
    first, second, lists = zip(*rows, strict=True) if rows else ((), (), ())
    arrays = [
        pa.array(first, pa.string()),
        pa.array(second, pa.string()),
        pa.array([list(values) for values in lists], pa.list_(pa.string())),
    ]
    return _table_bytes(pa.Table.from_arrays(arrays, names=list(columns)))


def read_lists(content: bytes, columns: Sequence[str]) -> list[tuple[str, str, list[str]]]:
    table = _read(content)
    _check_columns(table, columns)
    *names, many = (table.column(name) for name in columns)
    if not all(_FITS["str"](c.type) and not c.null_count for c in names):
        raise ValueError(f"{columns[0]} and {columns[1]} are not strings throughout")
    if not pa.types.is_list(many.type) or not _FITS["str"](many.type.value_type):
        raise ValueError(f"{columns[2]} are not lists of strings")
    lists: list[Any] = many.to_pylist()
    if any(values is None or None in values for values in lists):
        raise ValueError(f"{columns[2]} have missing values")
    return list(zip(names[0].to_pylist(), names[1].to_pylist(), lists, strict=True))


def _check_columns(table: Any, columns: Sequence[str]) -> None:
    if tuple(table.column_names) != tuple(columns):
        raise ValueError(f"its columns are {', '.join(table.column_names)[:200]}, not {', '.join(columns)}")


def _table_bytes(table: Any) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


_AT_ONCE, _LARGEST = 1024, 2**30  # rows, bytes


def _read(content: bytes) -> Any:
    try:
        file = pq.ParquetFile(io.BytesIO(content))
        batches, size = [], 0
        for batch in file.iter_batches(_AT_ONCE):
            size += batch.nbytes
            if size > _LARGEST:
                raise ValueError(f"it unpacks to more than {_LARGEST // 2**30} GiB")
            batches.append(batch)
        return pa.Table.from_batches(batches, file.schema_arrow)
    except (OSError, ValueError, KeyError, TypeError, NotImplementedError, pa.ArrowException) as error:
        raise ValueError(f"it is not a Parquet table ({str(error).splitlines()[0][:120]})") from error
