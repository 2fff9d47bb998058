"""What disabling found, and how it looks in the terminal, in a notebook and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.text import Text

from attlas.atlas.describe import records
from attlas.atlas.printing import ResultTable, notes_html, print_notes
from attlas.studies.study_result import StudyResult

WIDEST = 16  # heads of a layer that a grid in the terminal has
LISTED = 8  # heads that matter most, or that do most harm
SIGNIFICANT = 0.05
_NONE = pd.DataFrame({name: [] for name in ("what", "kind", "layer", "head", "score", "change", "p")})


@dataclass(frozen=True, repr=False)
class DisableResult(StudyResult):
    """`table` has a row for every head, `together` one for every layer or set of heads; `chapter` is all."""

    @property
    def table(self) -> pd.DataFrame:
        return self.chapter.tables.get("disabled", _NONE)

    @property
    def together(self) -> pd.DataFrame:
        return self.chapter.tables.get("disabled_together", _NONE)

    def as_data(self) -> dict[str, Any]:
        return {
            "study": "disable",
            "chapter": self.chapter.name,
            "heads": records(self.table),
            "together": records(self.together),
            "notes": list(self.notes),
        }

    def show(self, console: Console) -> None:
        for kind in dict.fromkeys([*self.table["kind"], *self.together["kind"]]):
            _grid(console, self, kind)
        for title, rows in (
            ("Heads that change it most", self._by_change()[:LISTED]),
            ("Together", self.together),
        ):
            if len(rows):
                console.print(f"\n[bold]{title}[/bold]")
                _listed(rows).show(console)
        console.print()
        print_notes(console, self.notes)

    def __repr__(self) -> str:
        return f"DisableResult({self.chapter.name}: {len(self.table)} heads, {len(self.together)} together)"

    def _repr_html_(self) -> str:
        """How a notebook shows it: the heads, most important first, and what is disabled together."""
        tables = [_listed(rows).html() for rows in (self._by_change(), self.together) if len(rows)]
        return "".join(tables) + notes_html(self.notes)

    def _by_change(self) -> pd.DataFrame:
        return self.table.iloc[np.argsort(-self.table["change"].abs(), kind="stable")]


def unit(score: str) -> tuple[float, str]:
    """By what a change is multiplied to be read, and what it then is."""
    return (1000.0, "thousandths of a nat") if score == "loss" else (100.0, "points")


def _grid(console: Console, result: DisableResult, kind: str) -> None:
    """One line per layer, one column per head: the change of the score. What is significant is bold. Where
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
    return Text(shown, "bold" if row["p"] < SIGNIFICANT else "")


def _listed(rows: pd.DataFrame) -> ResultTable:
    kinds = rows["kind"].nunique() > 1
    from_1 = ["from_1"] if "from_1" in rows else []
    titles = ["from 1"] if from_1 else []
    score = str(rows["score"].iloc[0])
    columns = ("", *titles, score, "change", "95%", "p", "n", "documents")
    lines = []
    for row in records(rows):
        address = "" if "what" in row else f"{row['layer']}.{row['head']}"
        what = row.get("what") or (f"{row['kind']}.{address}" if kinds else address)
        cells = [
            f"{row['disabled']:.4f}",
            f"{row['change']:+.4f}",
            _between(row),
            _p(row["p"]),
            f"{row['n']:,}",
            f"{row.get('documents') or 0:,}",
        ]
        lines.append([str(what), *(row[name] for name in from_1), *cells])
    return ResultTable(columns, lines, words={""}, less=("from 1", "n", score, "documents", "95%"))


def _between(row: dict[str, Any]) -> str:
    if row.get("changed") == 0:  # an interval of no width would claim to be certain
        return f"no change in {row['n']:,}"
    return "" if row["low"] is None else f"{row['low']:+.4f} to {row['high']:+.4f}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
