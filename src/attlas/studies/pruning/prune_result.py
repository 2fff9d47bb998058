"""What pruning found, and how it looks in the terminal, in a notebook and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
from rich.console import Console

from attlas.address import Head
from attlas.atlas.describe import records
from attlas.atlas.printing import ResultTable, notes_html, print_notes
from attlas.studies.pruning.prune_study import RANDOM, SAVED
from attlas.studies.study_result import StudyResult


@dataclass(frozen=True, repr=False)
class PruneResult(StudyResult):
    """`table` has the points of every curve, `order` when each head goes; `chapter` is all."""

    @property
    def table(self) -> pd.DataFrame:
        return self.chapter.tables["pruned"]

    @property
    def order(self) -> pd.DataFrame:
        return self.chapter.tables["order"]

    def goes_first(self, order: str) -> list[Head]:
        """The heads, the first to go first."""
        table = self.order.sort_values(f"{order}_goes")
        return [Head(r["kind"], int(r["layer"]), int(r["head"])) for r in records(table)]

    def as_data(self) -> dict[str, Any]:
        return {
            "study": "prune",
            "chapter": self.chapter.name,
            "curves": records(self.table),
            "order": records(self.order),
            "notes": list(self.notes),
        }

    def curve(self) -> pd.DataFrame:
        """heads kept x order; of random orders the mean, and the range from the best to the worst."""
        named = self.table[~self.table["order"].isin([RANDOM, SAVED])]
        wide = named.pivot_table(index="kept", columns="order", values="value", sort=False)
        chance = self.table[self.table["order"] == RANDOM].groupby("kept")["value"]
        if len(chance):
            wide = wide.assign(random=chance.mean(), lowest=chance.min(), highest=chance.max())
        return wide.sort_index(ascending=False)

    def _shown(self) -> ResultTable:
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
        self._shown().show(console)
        console.print()
        print_notes(console, self.notes)

    def __repr__(self) -> str:
        return f"PruneResult({self.chapter.name}: {len(self.order)} heads, {len(self.table)} points)"

    def _repr_html_(self) -> str:
        """How a notebook shows it: the curves that the terminal prints."""
        return self._shown().html() + notes_html(self.notes)
