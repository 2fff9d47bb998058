"""The tables of a study as the terminal and a notebook show them, from how its declaration writes cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from attlas.address import Head
from attlas.atlas.catalogue.declaration import Column, Table
from attlas.wording.numbers import number
from attlas.wording.printing import ResultTable


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as JSON takes them, which knows no infinity."""
    finite = table.replace([np.inf, -np.inf], np.nan).astype(object)
    rows: list[dict[str, Any]] = finite.where(finite.notna(), None).to_dict("records")  # type: ignore[assignment]
    return rows


def printed_table(table: Table, frame: pd.DataFrame, several_kinds: bool | None = None) -> ResultTable:
    """The columns that have a title. Those that the frame lacks are left out: an original that gives no
    p-values has none. Heads are written with their kind where there are `several_kinds`."""
    rows = records(frame)
    several = "kind" in frame and frame["kind"].nunique() > 1 if several_kinds is None else several_kinds
    for row in rows:
        row["several_kinds"] = several
        if table.of_heads:
            head = Head.from_row(row)
            row["address"] = head.write(several)
    columns = [column for column in table.columns if _is_printed(column, table, frame)]
    titles = {column.title: _title(column.title or "", rows) for column in table.columns}
    return ResultTable(
        [titles[column.title] for column in columns],
        [[column.write(row) for column in columns] for row in rows],
        words={titles[column.title] for column in columns if column.words},
        less=tuple(titles.get(title, title) for title in table.less),
    )


def _is_printed(column: Column, table: Table, frame: pd.DataFrame) -> bool:
    is_there = column.name in frame or (column.name == "address" and table.of_heads)
    if column.title is None or not is_there:
        return False
    if column.shown == "where rows differ":
        return bool(frame[column.name].nunique() > 1)
    return column.shown == "always" or bool(frame[column.name].notna().any())


def _title(title: str, rows: list[dict[str, Any]]) -> str:
    """A title may name what all rows have in common: {score}"""
    return title.format(**rows[0]) if "{" in title and rows else title


def fallback_table(frame: pd.DataFrame, most: int) -> ResultTable:
    """A table that no declaration knows, with the columns that it has."""
    words = {str(name) for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])}
    cells = [
        [number(value) if isinstance(value, float) else str(value) for value in row]
        for row in frame.head(most).itertuples(index=False)
    ]
    return ResultTable([str(name) for name in frame.columns], cells, words)
