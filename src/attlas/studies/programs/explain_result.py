"""What heads are sums of, as the terminal, a notebook and JSON show it."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
from rich.console import Console

from attlas.studies.study_result import StudyResult
from attlas.wording.printing import notes_html, print_notes

LISTED = 12  # heads in a table of the terminal


@dataclass(frozen=True, repr=False)
class ExplainResult(StudyResult):
    """`table` has what programs explain of each head, `programs` of what each is made, `replaced` what the
    model loses when heads run on them."""

    @property
    def programs(self) -> pd.DataFrame:
        return self.chapter.tables["programs"]

    @property
    def replaced(self) -> pd.DataFrame | None:
        return self.chapter.tables.get("replaced")

    def show(self, console: Console) -> None:
        print_notes(console, self.notes)
        best = self.table.sort_values("explained", ascending=False, kind="stable")
        self._show_table(console, "explained", best[:LISTED])
        console.print(f"\n[bold]Least explained of {len(best):,}[/bold]")
        self._print_table("explained", best[::-1][:LISTED]).show(console)
        if self.replaced is not None:
            self._show_table(console, "replaced", self.replaced)

    def _repr_html_(self) -> str:
        best = self.table.sort_values("explained", ascending=False, kind="stable")
        tables = [self._print_table("explained", best[:LISTED]).html()]
        if self.replaced is not None:
            tables.append(self._print_table("replaced", self.replaced).html())
        return "".join(tables) + notes_html(self.notes)
