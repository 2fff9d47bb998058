"""What disabling found, and how it looks in the terminal, in a notebook and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.text import Text

from attlas.atlas.catalogue.result_tables import records
from attlas.statistics.verdicts import judge_row, kind_of_score
from attlas.studies.study_result import StudyResult
from attlas.wording.printing import ResultTable, notes_html, print_notes

WIDEST = 16  # heads of a layer that a grid in the terminal has
LISTED = 8  # heads that matter most, or that do most harm
_NONE = pd.DataFrame({name: [] for name in ("what", "kind", "layer", "head", "score", "change", "p")})


@dataclass(frozen=True, repr=False)
class DisableResult(StudyResult):
    """`table` has a row for every head, `together` one for every layer or set of heads."""

    @property
    def table(self) -> pd.DataFrame:
        return self.chapter.tables.get("disabled", _NONE)

    @property
    def together(self) -> pd.DataFrame:
        return self.chapter.tables.get("disabled_together", _NONE)

    def show(self, console: Console) -> None:
        for kind in dict.fromkeys([*self.table["kind"], *self.together["kind"]]):
            _grid(console, self, kind)
        self._show_table(console, "disabled", self._by_change()[:LISTED])
        self._show_table(console, "disabled_together", self.together)
        console.print()
        print_notes(console, self.notes)

    def _repr_html_(self) -> str:
        """The heads, most important first, and what is disabled together."""
        shown = (("disabled", self._by_change()), ("disabled_together", self.together))
        tables = (self._print_table(*part).html() for part in shown if len(part[1]))
        return "".join(tables) + notes_html(self.notes)

    def _by_change(self) -> pd.DataFrame:
        return self.table.iloc[np.argsort(-self.table["change"].abs(), kind="stable")]


def unit(score: str) -> tuple[float, str]:
    """By what a change is multiplied to be read, and what it then is."""
    units = {"loss": "thousandths of a nat", "answers": "thousandths of a nat", "embedding": "thousandths"}
    return (1000.0, units[score]) if score in units else (100.0, "points")


def _grid(console: Console, result: DisableResult, kind: str) -> None:
    """One line per layer, one column per head: the change of the score. What is shown is bold. Where
    all heads do not fit side by side, the grid goes on below."""
    heads = result.table[result.table["kind"] == kind]
    layers = result.together[
        (result.together["kind"] == kind)
        & result.together["what"].astype(str).str.fullmatch(r"(\w+ )?layer \d+")  # an empty table has numbers
    ]
    places = (heads["layer"].max() + 1) * (heads["head"].max() + 1) if len(heads) else 0
    if len(heads) < 2 or len(heads) < places / 2 or heads["head"].max() >= WIDEST:
        return  # a few heads, or very many, are better listed
    by, name = unit(str(heads["score"].iloc[0]))
    several = result.table["kind"].nunique() > 1
    title = f"{kind}: " if several else ""
    console.print(f"[bold]{title}{heads['score'].iloc[0]} without each head[/bold], change in {name}")
    numbers = range(int(heads["head"].max()) + 1)
    columns = ["layer", *map(str, numbers), *(["all"] if len(layers) else [])]
    rows = []
    for layer in range(int(heads["layer"].max()) + 1):
        by_head = {int(r["head"]): r for r in records(heads[heads["layer"] == layer])}
        cells = [_cell(by_head[h], by) if h in by_head else Text() for h in numbers]
        whole = records(layers[layers["layer"] == layer]) if len(layers) else []
        rows.append([Text(str(layer), "dim"), *cells, *([_cell(whole[0], by)] if whole else [Text()])])
    widest = max(len(cell) for row in rows for cell in row[1:]) + 1
    step = max(1, (console.width - len("layer")) // widest)
    for start in range(1, len(columns), step):
        places = [0, *range(start, min(start + step, len(columns)))]
        part = [[row[place] for place in places] for row in rows]
        ResultTable([columns[place] for place in places], part, gap=1).show(console)


def _cell(row: dict[str, Any], by: float) -> Text:
    shown = f"{by * row['change']:+.1f}" if abs(by * row["change"]) < 100 else f"{by * row['change']:+.0f}"
    judged = judge_row(kind_of_score(row["score"]), row)
    return Text(shown, "bold" if judged.shown else "")
