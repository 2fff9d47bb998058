"""What a probe found, and how it looks in the terminal, in a notebook and as JSON. Light: no model library is
loaded here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
from rich.console import Console

from attlas.atlas.printing import ResultTable, notes_html, print_notes
from attlas.atlas.vocabulary import ALL, link_words
from attlas.errors import AttlasError
from attlas.studies.study_result import StudyResult


@dataclass(frozen=True, repr=False)
class ProbeResult(StudyResult):
    """A table to read, a row for every head, and what must be said beside them; `chapter` is all of it."""

    @property
    def probe(self) -> str:
        return str(self.chapter.about["study"])

    @property
    def table(self) -> pd.DataFrame:
        tables = self.chapter.tables
        return next(tables[name] for name in ("best", "weights", "trees") if name in tables)

    def as_data(self) -> dict[str, Any]:
        table = self.table.astype(object).where(self.table.notna(), None)
        return {
            "probe": self.probe,
            "chapter": self.chapter.name,
            "table": table.to_dict("records"),
            "notes": list(self.notes),
        }

    def show(self, console: Console) -> None:
        _shown(self.table).show(console)
        print_notes(console, self.notes)

    def __repr__(self) -> str:
        return (
            f"ProbeResult({self.chapter.name}: {len(self.table)} rows in table, {len(self.rows):,} in rows)"
        )

    def _repr_html_(self) -> str:
        """How a notebook shows it: the table that the terminal prints."""
        return _shown(self.table).html() + notes_html(self.notes)


class NotWritten(AttlasError):
    """A study is done, but what it found could not be written: it is in `result`."""

    def __init__(self, message: str, result: Any) -> None:
        super().__init__(message)
        self.result = result


#: baselines of coreference, each with its own column
RULES = ("nearest", "head match", "rules", "first")
#: where the weight comes from, in short
LOOKS = "the head looks"
FROM = {"feature_weight": "all", "cls_weight": "[CLS]", "link_weight": "word"}


def _shown(table: pd.DataFrame) -> ResultTable:
    if "uuas" in table:
        return _tree_table(table)
    return _weight_table(table) if "weight" in table else _link_table(table)


def _tree_table(table: pd.DataFrame) -> ResultTable:
    columns = ["probe", "paper's UAS", "UAS", "± seeds", "95%", "over attention"]
    columns += ["greedy", "UUAS", "control", "LAS"]
    less = ("± seeds", "LAS", "greedy", "paper's UAS", "control", "95%", "UUAS")
    return ResultTable(columns, [_tree_cells(row) for row in table.to_dict("records")], {"probe"}, less)


def _tree_cells(record: dict[Any, Any]) -> list[str]:
    def percent(name: str, form: str = ".1f") -> str:
        return "" if pd.isna(record[name]) else f"{100 * record[name]:{form}}"

    between = f"{percent('low')}–{percent('high')}" if not pd.isna(record["low"]) else ""
    paper = "" if pd.isna(record["paper_uas"]) else f"{record['paper_uas']:.0f}"
    first = [record["title"], paper, percent("uas"), percent("spread", ".2f"), between]
    return [*first, percent("gain", "+.1f"), *(percent(n) for n in ("greedy", "uuas", "control", "las"))]


def _weight_table(table: pd.DataFrame) -> ResultTable:
    several = table["statistic"].nunique() > 1
    head = _address(table)
    rows = []
    for record in table.to_dict("records"):
        numbers = [_number(record[name]) for name in ("weight", "matched", "gain")]
        cells = [record["group"], head(record), _from_1(record), *numbers, _p(record["p"])]
        first = [FROM.get(record["statistic"], record["statistic"])] if several else []
        rows.append([*first, *cells, f"{record['n']:,}"])
    columns = ["group", "head", "from 1", "weight", "matched", "gain", "p", "n"]
    columns = ["from", *columns] if several else columns
    return ResultTable(columns, rows, {"group", "from"}, less=("from 1", "n", "matched"))


def _link_table(table: pd.DataFrame) -> ResultTable:
    """A row for each relation, in words and the way that its best head looks: obj: from direct object to
    verb; and how often that head is right."""
    rules = [name for name in RULES if name in table] if "nearest" in table else []
    columns = [LOOKS, "head", "from 1", "right", *(["95%"] if "low" in table else [])]
    columns += [*(rules or ["best offset"]), *(["p"] if "p" in table else []), "links"]
    head = _address(table)
    rows = []
    for record in table.to_dict("records"):
        words = link_words(record["statistic"], record["group"])
        name = "" if record["group"] == ALL else f"{record['group']}: "
        cells = [name + words.way(record["direction"]), head(record), _from_1(record)]
        cells.append(f"{100 * record['accuracy']:.1f}")
        if "low" in record:
            cells.append(f"{100 * record['low']:.0f}–{100 * record['high']:.0f}")
        offset = f"{record['baseline']}: {100 * record['baseline_accuracy']:.1f}"
        cells += [f"{100 * record[name]:.1f}" for name in rules] or [offset]
        cells += [_p(record["p"])] if "p" in record else []
        rows.append([*cells, f"{record['links']:,}"])
    less = ("from 1", "first", "rules", "head match", "links", "nearest", "best offset")
    return ResultTable(columns, rows, {LOOKS}, less)


def _address(table: pd.DataFrame) -> Callable[[dict[Any, Any]], str]:
    """How its heads are written: with their kind where there are several."""
    if table["kind"].nunique() > 1:
        return lambda record: f"{record['kind']}.{record['layer']}.{record['head']}"
    return lambda record: f"{record['layer']}.{record['head']}"


def _from_1(record: dict[Any, Any]) -> str:
    """A head as the papers write it, counted from 1: 8-11"""
    return f"{record['layer'] + 1}-{record['head'] + 1}"


def _number(value: float) -> str:
    """Three decimals, more where they would all be 0; nothing where there is no number."""
    if pd.isna(value):
        return ""
    return f"{value:.3f}" if abs(value) >= 0.0005 or value == 0 else f"{value:.1e}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
