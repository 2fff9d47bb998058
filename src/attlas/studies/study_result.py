"""What a study found, as the terminal, a notebook and JSON show it, from its declaration. No model library is
loaded here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import pandas as pd
from rich.console import Console

from attlas.atlas.catalogue import Declaration, Table, declaration_of
from attlas.atlas.catalogue.result_tables import fallback_table, printed_table, records
from attlas.atlas.chapter import Chapter
from attlas.errors import AttlasError
from attlas.row import Row
from attlas.wording.printing import ResultTable, notes_html, print_notes, safe

MOST = 40  # rows of a table whose study is not known


@dataclass(frozen=True, repr=False)
class StudyResult:
    """The chapters of a study, or of several that ran together. A study overrides what is its own: a grid, a
    summary, tables that it makes of others."""

    chapters: tuple[Chapter, ...]
    model: str = ""  # its name
    written: tuple[str, ...] = ()  # what was written where

    @property
    def chapter(self) -> Chapter:
        return self.chapters[0]

    @property
    def declaration(self) -> Declaration:
        declared = declaration_of(self.chapter.about)
        if declared is None:
            raise AttlasError(f"this Attlas does not know the study of {self.chapter.name}")
        return declared

    @property
    def rows(self) -> list[Row]:
        return list(self.chapter.rows)

    @property
    def notes(self) -> tuple[str, ...]:
        notes = (note for chapter in self.chapters for note in chapter.about.get("notes") or ())
        return (*notes, *self.written)

    @property
    def table(self) -> pd.DataFrame:
        """The first table that the study declares: what --csv writes."""
        return next(frame for _, frame in self._declared_tables())

    def as_data(self) -> dict[str, Any]:
        tables = {table.key: list[Any]() for table in self.declaration.tables if table.key}
        tables |= {table.key: records(frame) for table, frame in self._declared_tables() if table.key}
        return {**self._heading(), **tables, "notes": list(self.notes)}

    def show(self, console: Console) -> None:
        for table, frame in self._declared_tables():
            if table.is_printed:
                self._show_table(console, table.name, frame)
        print_notes(console, self.notes)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{len(frame):,} in {t.key}" for t, frame in self._declared_tables() if t.key)
        return f"{type(self).__name__}({self.chapter.name}: {sizes or f'{len(self.rows):,} values of heads'})"

    def _repr_html_(self) -> str:
        printed = (
            printed_table(t, frame) for t, frame in self._declared_tables() if t.is_printed and len(frame)
        )
        return "".join(table.html() for table in printed) + notes_html(self.notes)

    def _heading(self) -> dict[str, str]:
        return {"study": self.declaration.name, "chapter": self.chapter.name}

    def _declared_tables(self) -> Iterator[tuple[Table, pd.DataFrame]]:
        """The declared tables that the chapter has, and what stands in them."""
        tables = self.chapter.tables
        return ((table, tables[table.name]) for table in self.declaration.tables if table.name in tables)

    def _show_table(self, console: Console, name: str, rows: pd.DataFrame) -> None:
        """Some rows of one of its tables, under its title; nothing where there are none."""
        if len(rows):
            if title := self.declaration.table(name).title:
                console.print(f"\n[bold]{safe(title)}[/bold]")
            self._print_table(name, rows).show(console)

    def _print_table(self, name: str, rows: pd.DataFrame) -> ResultTable:
        return printed_table(self.declaration.table(name), rows)


@dataclass(frozen=True, repr=False)
class UnknownResult(StudyResult):
    """The tables of a study that this Attlas does not know, with the columns that they have."""

    @property
    def table(self) -> pd.DataFrame:
        return next(iter(self.chapter.tables.values()))

    def _plain_tables(self) -> Iterator[tuple[str, ResultTable]]:
        for name, frame in self.chapter.tables.items():
            yield name, fallback_table(frame, MOST)

    def as_data(self) -> dict[str, Any]:
        return {"tables": {name: records(table) for name, table in self.chapter.tables.items()}}

    def show(self, console: Console) -> None:
        for name, table in self._plain_tables():
            console.print(f"[bold]{safe(name)}[/bold]")
            table.show(console)
        print_notes(console, self.notes)

    def __repr__(self) -> str:
        return f"UnknownResult({self.chapter.name}: {', '.join(self.chapter.tables)})"

    def _repr_html_(self) -> str:
        return "".join(table.html() for _, table in self._plain_tables()) + notes_html(self.notes)


class NotWritten(AttlasError):
    """A study is done, but what it found could not be written: it is in `result`."""

    def __init__(self, message: str, result: Any) -> None:
        super().__init__(message)
        self.result = result


def result_of(chapters: Sequence[Chapter], model: str) -> StudyResult | None:
    """What the verb that made the chapters returned. None for a map, which the summary of an atlas shows."""
    declared = declaration_of(chapters[0].about)
    if declared is None or not all(_is_whole(declared, chapter) for chapter in chapters):
        return UnknownResult(tuple(chapters), model) if chapters[0].tables else None
    if not declared.result:
        return None
    module, _, name = declared.result.partition(":")
    result: StudyResult = getattr(import_module(module), name)(tuple(chapters), model)
    return result


def _is_whole(declared: Declaration, chapter: Chapter) -> bool:
    """Whether a chapter holds what results rely on: files may come from elsewhere."""
    for table in declared.tables:
        frame = chapter.tables.get(table.name)
        if frame is None and table.always:
            return False
        if frame is not None and not table.needed <= set(frame.columns):
            return False
    return all(_says(chapter.about, path.split(".")) for path in declared.says)


def _says(about: Any, path: Sequence[str]) -> bool:
    for name in path:
        if not isinstance(about, dict) or name not in about:
            return False
        about = about[name]
    return True


@dataclass(frozen=True, repr=False)
class ProbeResult(StudyResult):
    """`table` is what the probe concluded, `rows` every head's values; `chapter` is all of it."""

    @property
    def probe(self) -> str:
        return self.declaration.name

    def _heading(self) -> dict[str, str]:
        return {"probe": self.probe, "chapter": self.chapter.name}
