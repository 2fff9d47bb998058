"""Who feeds whom, as the terminal, a notebook and JSON show it."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
from rich.console import Console

from attlas.studies.study_result import StudyResult
from attlas.wording.printing import notes_html, print_notes

LISTED = 12  # feeds in a table of the terminal


@dataclass(frozen=True, repr=False)
class WhyResult(StudyResult):
    """`table` has, for either end of each head, who lifts the scores of what it attends to; `looks` how much
    of that embeddings, positions, biases, heads and feed-forward layers write in all."""

    @property
    def looks(self) -> pd.DataFrame:
        return self.chapter.tables["looks"]

    def of(self, end: str) -> pd.DataFrame:
        """The earlier heads that write into one end: what is shown first, then the largest shares."""
        rows = self.table[(self.table["end"] == end) & self.table["p"].notna()]
        return rows.assign(shown=rows["verdict"] == "shown").sort_values(
            ["shown", "share"], ascending=False, kind="stable"
        )

    def show(self, console: Console) -> None:
        print_notes(console, self.notes)
        for end in ("key", "query"):
            console.print(f"\n[bold]Earlier heads that write into the {end}[/bold]")
            self._print_table("feeds", self.of(end)[:LISTED]).show(console)
        if len(self.looks) <= LISTED:
            self._show_table(console, "looks", self.looks)

    def _repr_html_(self) -> str:
        tables = (self._print_table("feeds", self.of(end)[:LISTED]).html() for end in ("key", "query"))
        return "".join(tables) + notes_html(self.notes)
