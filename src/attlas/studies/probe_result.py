"""What a probe found, and how it looks in the terminal, in a notebook and as JSON. Light: no model library is
loaded here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
from rich.console import Console

from attlas.atlas.printing import notes_html, plain_table, print_notes, safe
from attlas.errors import AttlasError, printable

if TYPE_CHECKING:
    from attlas.atlas.chapter import Chapter
    from attlas.reducers.reducer import Row


@dataclass(frozen=True, repr=False)
class ProbeResult:
    """A table to read, a row for every head, and what must be said beside them; `chapter` is all of it."""

    chapter: Chapter
    written: tuple[str, ...] = ()  # what was written where

    @property
    def probe(self) -> str:
        return str(self.chapter.about["study"])

    @property
    def table(self) -> pd.DataFrame:
        tables = self.chapter.tables
        return next(tables[name] for name in ("best", "weights", "trees") if name in tables)

    @property
    def rows(self) -> list[Row]:
        return list(self.chapter.rows)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.chapter.about["notes"], *self.written)

    def as_data(self) -> dict[str, Any]:
        table = self.table.astype(object).where(self.table.notna(), None)
        return {
            "probe": self.probe,
            "chapter": self.chapter.name,
            "table": table.to_dict("records"),
            "notes": list(self.notes),
        }

    def show(self, console: Console) -> None:
        shown = plain_table(_columns(self.table), words=_WORDS, no_wrap=True)
        for cells in _cells_of(self.table):
            shown.add_row(*(safe(cell) for cell in cells))
        console.print(shown)
        print_notes(console, self.notes)

    def __repr__(self) -> str:
        return (
            f"ProbeResult({self.chapter.name}: {len(self.table)} rows in table, {len(self.rows):,} in rows)"
        )

    def _repr_html_(self) -> str:
        """How a notebook shows it: the table that the terminal prints."""
        table = pd.DataFrame(_cells_of(self.table), columns=_columns(self.table))
        return table.map(printable).to_html(index=False, escape=True, border=0) + notes_html(self.notes)


class NotWritten(AttlasError):
    """A study is done, but what it found could not be written: it is in `result`."""

    def __init__(self, message: str, result: Any) -> None:
        super().__init__(message)
        self.result = result


#: baselines of coreference, each with its own column
RULES = ("nearest", "head match", "rules", "first")
#: where the weight comes from, in short
FROM = {"feature_weight": "all", "cls_weight": "[CLS]", "link_weight": "word"}
_WORDS = ("group", "from", "points", "probe")


def _columns(table: pd.DataFrame) -> list[str]:
    if "uuas" in table:
        numbers = ["over attention", "greedy", "UUAS", "control", "LAS"]
        return ["probe", "paper", "UAS", "± seeds", "95%", *numbers]
    if "weight" in table:
        first = ["from"] if table["statistic"].nunique() > 1 else []
        return [*first, "group", "head", "paper", "weight", "matched", "gain", "p", "n"]
    columns = ["group", "links", "head", "paper", "points", "right"]
    if "low" in table:
        columns.append("95%")
    columns += ["best offset"] if "nearest" not in table else [name for name in RULES if name in table]
    return [*columns, "p"] if "p" in table else columns


def _cells_of(table: pd.DataFrame) -> list[list[str]]:
    if "uuas" in table:
        return [_tree_cells(record) for record in table.to_dict("records")]
    kinds = table["kind"].nunique() > 1
    cells = _weight_cells if "weight" in table else _link_cells
    several = "weight" in table and table["statistic"].nunique() > 1
    rows = []
    for record in table.to_dict("records"):
        head = f"{record['layer']}.{record['head']}"
        first = [FROM.get(record["statistic"], record["statistic"])] if several else []
        rows.append([*first, *cells(record, f"{record['kind']}.{head}" if kinds else head)])
    return rows


def _weight_cells(record: dict[Any, Any], head: str) -> list[str]:
    numbers = [_number(record[name]) for name in ("weight", "matched", "gain")]
    return [record["group"], head, record["paper"], *numbers, _p(record["p"]), f"{record['n']:,}"]


def _tree_cells(record: dict[Any, Any]) -> list[str]:
    def percent(name: str, form: str = ".1f") -> str:
        return "" if pd.isna(record[name]) else f"{100 * record[name]:{form}}"

    between = f"{percent('low')}–{percent('high')}" if not pd.isna(record["low"]) else ""
    paper = "" if pd.isna(record["paper"]) else f"{record['paper']:.0f}"
    first = [record["title"], paper, percent("uas"), percent("spread", ".2f"), between]
    last = [percent(name) for name in ("greedy", "uuas", "control", "las")]
    return [*first, percent("gain", "+.1f"), *last]


def _link_cells(record: dict[Any, Any], head: str) -> list[str]:
    points = {"to": "to it", "from": "from it"}[record["direction"]]
    cells = [record["group"], f"{record['links']:,}", head, record["paper"], points]
    cells.append(f"{100 * record['accuracy']:.1f}")
    if "low" in record:
        cells.append(f"{100 * record['low']:.0f}–{100 * record['high']:.0f}")
    if "nearest" in record:
        cells += [f"{100 * record[name]:.1f}" for name in RULES if name in record]
    else:
        cells.append(f"{record['baseline']}: {100 * record['baseline_accuracy']:.1f}")
    return [*cells, _p(record["p"])] if "p" in record else cells


def _number(value: float) -> str:
    """Three decimals, more where they would all be 0; nothing where there is no number."""
    if pd.isna(value):
        return ""
    return f"{value:.3f}" if abs(value) >= 0.0005 or value == 0 else f"{value:.1e}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
