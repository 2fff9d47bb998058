"""What patching found, as the terminal, a notebook and JSON show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console

from attlas.address import Head
from attlas.atlas.catalogue.change_declarations import write_interval
from attlas.atlas.catalogue.result_tables import records
from attlas.studies.study_result import StudyResult
from attlas.wording.numbers import format_p
from attlas.wording.printing import ResultTable, notes_html, print_notes

PRINTED = 3  # pairs
LISTED = 10  # heads, and paths, in a table of the terminal


@dataclass(frozen=True, repr=False)
class PatchResult(StudyResult):
    """`table` has a row for every head, what of it is patched (`output`, `weights`) and where to (`clean`,
    `corrupt`). `pairs` has the texts, `runs` the logit differences without a patch, `attribution` how far one
    backward pass says the same, `paths` what goes from head to head, `stability` how often the same heads are
    found when pairs are drawn anew, and `faithfulness` how much of the task circuits of the strongest heads
    keep."""

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

    @property
    def stability(self) -> pd.DataFrame:
        return self.chapter.tables["stability"]

    @property
    def faithfulness(self) -> pd.DataFrame | None:
        return self.chapter.tables.get("faithfulness")

    @property
    def pairs(self) -> pd.DataFrame:
        """The texts that were patched, a row a pair."""
        return self.chapter.tables["pairs"]

    def effects(self, what: str = "output", into: str = "clean") -> pd.DataFrame:
        """The effect of every head, the strongest first."""
        table = self.table[(self.table["what"] == what) & (self.table["into"] == into)]
        return table.iloc[np.argsort(-table["effect"].abs(), kind="stable")]

    def show(self, console: Console) -> None:
        print_notes(console, self.notes)
        console.print(
            f"\n[bold]Pairs[/bold] [dim]({min(PRINTED, len(self.pairs))} of {len(self.pairs):,})[/dim]"
        )
        self._printed_pairs().show(console)
        for what, title in (("output", "Output"), ("weights", "Weights alone")):
            console.print(f"\n[bold]{title}, from the corrupt text into the clean one[/bold]")
            self._heads(what).show(console)
        self._show_table(console, "paths", self.paths[:LISTED])
        for name in ("stability", "faithfulness"):
            self._show_table(console, name, self.chapter.tables.get(name, pd.DataFrame()))

    def _printed_pairs(self) -> ResultTable:
        names = ("clean", "corrupt", "answer", "wrong")
        lines = [[str(row[name]).strip() for name in names] for row in records(self.pairs[:PRINTED])]
        return ResultTable(names, lines, words=set(names))

    def _heads(self, what: str) -> ResultTable:
        back = {_head(row): row for row in records(self.effects(what, "corrupt"))}
        lines = []
        for row in records(self.effects(what)[:LISTED]):
            p = "" if row["p"] is None else format_p(row["p"])
            numbers = [
                _sign(row["effect"]),
                write_interval(row),
                p,
                _sign(row.get("attributed")),
            ]
            other = back[_head(row)]
            lines.append([str(_head(row)), *numbers, _sign(other["effect"]), write_interval(other)])
        columns = ("head", "effect", "95%", "p", "attributed", "into corrupt", "its 95%")
        return ResultTable(columns, lines, {"head"}, less=("its 95%", "p", "95%"))

    def _repr_html_(self) -> str:
        shown = (self.effects(), self.effects("weights"), self.paths)
        tables = "".join(table.to_html(index=False, escape=True, border=0) for table in shown)
        return notes_html(self.notes) + tables


def _head(row: dict[str, Any]) -> Head:
    return Head.from_row(row)


def _sign(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}"
