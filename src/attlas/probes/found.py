"""What a probe found, and how it looks in the terminal and as JSON. Light: no model library is loaded
here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from attlas.errors import printable

if TYPE_CHECKING:
    from attlas.probes.accuracy import Cell
    from attlas.reducers import Row


@dataclass(frozen=True)
class Probed:
    """A table to read, a row for every head, and what must be said beside them."""

    probe: str
    table: pd.DataFrame
    rows: list[Row]
    notes: tuple[str, ...] = ()
    best: Mapping[str, Cell] = field(default_factory=dict)  # group -> the head that the table names

    def as_data(self) -> dict[str, Any]:
        table = self.table.astype(object).where(self.table.notna(), None)
        return {"probe": self.probe, "table": table.to_dict("records"), "notes": list(self.notes)}

    def show(self, console: Console) -> None:
        shown = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
        for name in _columns(self.table):
            shown.add_column(name, justify="left" if name in _WORDS else "right", no_wrap=True)
        for record in self.table.to_dict("records"):
            shown.add_row(
                *(escape(printable(cell)) for cell in _cells(record, self.table["kind"].nunique() > 1))
            )
        console.print(shown)
        for note in self.notes:
            console.print(escape(printable(note)), style="dim", soft_wrap=True, highlight=False)


#: baselines of coreference, each with its own column
RULES = ("nearest", "head match", "rules", "first")


def _rules(table: pd.DataFrame) -> list[str]:
    return [name for name in RULES if name in table]


#: where the weight comes from, in short
FROM = {"feature_weight": "all", "cls_weight": "[CLS]", "link_weight": "word"}
_WORDS = ("group", "from", "points")


def _columns(table: pd.DataFrame) -> list[str]:
    if "weight" in table:
        first = ["from"] if "statistic" in table else []
        return [*first, "group", "head", "paper", "weight", "matched", "gain", "p", "n"]
    found = ["group", "links", "head", "paper", "points", "right"]
    if "low" in table:
        found.append("95%")
    found += ["best offset"] if "nearest" not in table else _rules(table)
    return [*found, "p"] if "p" in table else found


def _cells(record: dict[Any, Any], kinds: bool) -> list[str]:
    head = f"{record['layer']}.{record['head']}"
    head = f"{record['kind']}.{head}" if kinds else head
    if "weight" in record:
        first = [FROM[record["statistic"]]] if "statistic" in record else []
        numbers = [f"{record[name]:.3f}" for name in ("weight", "matched", "gain")]
        return [*first, record["group"], head, record["paper"], *numbers, _p(record["p"]), f"{record['n']:,}"]
    points = {"to": "to it", "from": "from it"}[record["direction"]]
    found = [record["group"], f"{record['links']:,}", head, record["paper"], points]
    found.append(f"{100 * record['accuracy']:.1f}")
    if "low" in record:
        found.append(f"{100 * record['low']:.0f}–{100 * record['high']:.0f}")
    if "nearest" in record:
        found += [f"{100 * record[name]:.1f}" for name in RULES if name in record]
    else:
        found.append(f"{record['baseline']}: {100 * record['baseline_accuracy']:.1f}")
    return [*found, _p(record["p"])] if "p" in record else found


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
