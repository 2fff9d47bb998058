"""What patching found, as the terminal, a notebook and JSON show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console

from attlas.address import Head
from attlas.atlas.describe import records
from attlas.atlas.printing import ResultTable, notes_html, print_notes
from attlas.atlas.words import bare_chance
from attlas.studies.study_result import StudyResult

LISTED = 10  # heads, and paths, in a table of the terminal


@dataclass(frozen=True, repr=False)
class PatchResult(StudyResult):
    """`table` has a row for every head, what of it is patched (`output`, `weights`) and where to (`clean`,
    `corrupt`). `runs` has the logit differences without a patch, `attribution` how far one backward pass says
    the same, `paths` what goes from head to head."""

    @property
    def table(self) -> pd.DataFrame:
        return self.chapter.tables["patched"]

    @property
    def runs(self) -> pd.DataFrame:
        return self.chapter.tables["runs"]

    @property
    def attribution(self) -> pd.DataFrame:
        return self.chapter.tables["attribution"]

    @property
    def paths(self) -> pd.DataFrame:
        return self.chapter.tables["paths"]

    def effects(self, what: str = "output", into: str = "clean") -> pd.DataFrame:
        """Of every head, the strongest first."""
        table = self.table[(self.table["what"] == what) & (self.table["into"] == into)]
        return table.iloc[np.argsort(-table["effect"].abs(), kind="stable")]

    def as_data(self) -> dict[str, Any]:
        return {
            "study": "patch",
            "chapter": self.chapter.name,
            "runs": records(self.runs),
            "heads": records(self.table),
            "attribution": records(self.attribution),
            "paths": records(self.paths),
            "notes": list(self.notes),
        }

    def show(self, console: Console) -> None:
        print_notes(console, self.notes)
        for what, title in (("output", "Output"), ("weights", "Weights alone")):
            console.print(f"\n[bold]{title}, from the corrupt text into the clean one[/bold]")
            self._heads(what).show(console)
        if len(self.paths):
            console.print("\n[bold]Paths between the strongest heads[/bold]")
            self._paths().show(console)

    def _heads(self, what: str) -> ResultTable:
        back = {_head(row): row for row in records(self.effects(what, "corrupt"))}
        lines = []
        for row in records(self.effects(what)[:LISTED]):
            numbers = [_signed(row["effect"]), _between(row), _p(row), _signed(row["attributed"])]
            other = back[_head(row)]
            lines.append([str(_head(row)), *numbers, _signed(other["effect"]), _between(other)])
        columns = ("head", "effect", "95 %", "p", "attributed", "into corrupt", "its 95 %")
        return ResultTable(columns, lines, {"head"}, less=("its 95 %", "p", "95 %"))

    def _paths(self) -> ResultTable:
        lines = [
            [f"{_head(row)} to {row['to']}", _signed(row["effect"]), _between(row), _p(row)]
            for row in records(self.paths[:LISTED])
        ]
        return ResultTable(("path", "effect", "95 %", "p"), lines, {"path"})

    def __repr__(self) -> str:
        pairs = int(self.runs["n"].iloc[0])
        return f"PatchResult({self.chapter.name}: {len(self.effects())} heads, {pairs} pairs)"

    def _repr_html_(self) -> str:
        shown = (self.effects(), self.effects("weights"), self.paths)
        tables = "".join(table.to_html(index=False, escape=True, border=0) for table in shown)
        return notes_html(self.notes) + tables


def _head(row: dict[str, Any]) -> Head:
    return Head(row["kind"], int(row["layer"]), int(row["head"]))


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}"


def _between(row: dict[str, Any]) -> str:
    return "" if row["low"] is None else f"{row['low']:+.3f} to {row['high']:+.3f}"


def _p(row: dict[str, Any]) -> str:
    return "" if row["p"] is None else bare_chance(row["p"])
