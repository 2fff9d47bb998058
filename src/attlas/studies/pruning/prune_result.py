"""What pruning found, and how it looks in the terminal, in a notebook and as JSON."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
from rich.console import Console

from attlas.address import Head
from attlas.atlas.catalogue.result_tables import records
from attlas.studies.study_result import StudyResult
from attlas.wording.printing import ResultTable, notes_html, print_notes

RANDOM, SAVED = "random", "saved"  # orders beside those that were asked for


@dataclass(frozen=True, repr=False)
class PruneResult(StudyResult):
    """`table` has the points of every curve, `order` when each head goes."""

    @property
    def table(self) -> pd.DataFrame:
        return self.chapter.tables["pruned"]

    @property
    def order(self) -> pd.DataFrame:
        return self.chapter.tables["order"]

    def goes_first(self, order: str) -> list[Head]:
        """The heads, the first to go first."""
        table = self.order.sort_values(f"{order}_goes")
        return [Head.from_row(r) for r in records(table)]

    def curve(self) -> pd.DataFrame:
        """heads kept x order; of random orders the mean, and the range from the best to the worst."""
        named = self.table[~self.table["order"].isin([RANDOM, SAVED])]
        wide = named.pivot_table(index="kept", columns="order", values="value", sort=False)
        chance = self.table[self.table["order"] == RANDOM].groupby("kept")["value"]
        if len(chance):
            wide = wide.assign(random=chance.mean(), lowest=chance.min(), highest=chance.max())
        return wide.sort_index(ascending=False)

    def _curves(self) -> ResultTable:
        curve = self.curve()
        named = [c for c in curve.columns if c not in (RANDOM, "lowest", "highest")]
        columns = ("heads", *named, *([RANDOM, "range"] if RANDOM in curve else []))
        rows = []
        for kept, row in curve.iterrows():
            cells = [f"{row[order]:.4f}" for order in named]
            if RANDOM in curve:
                cells += [f"{row[RANDOM]:.4f}", f"{row['lowest']:.4f} to {row['highest']:.4f}"]
            rows.append([f"{kept:,}", *cells])
        return ResultTable(columns, rows, less=("range",))

    def show(self, console: Console) -> None:
        score = str(self.table["score"].iloc[0])
        console.print(f"[bold]{score} with fewer heads[/bold]; random: the mean and range of several orders")
        self._curves().show(console)
        console.print()
        print_notes(console, self.notes)

    def _repr_html_(self) -> str:
        """How a notebook shows it: the curves that the terminal prints."""
        return self._curves().html() + notes_html(self.notes)
