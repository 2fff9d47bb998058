"""The heads that follow a pattern, as a study of patterns found them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
from rich.markup import escape

from attlas.address import Head
from attlas.atlas.atlas import Atlas
from attlas.atlas.catalogue.result_tables import records
from attlas.atlas.registry import REGISTRY
from attlas.errors import AttlasError, call, in_full, option
from attlas.statistics.claims import SURE
from attlas.wording.names import PATTERNS, SCORED_ONLY
from attlas.wording.numbers import format_p, number, uncertain
from attlas.wording.printing import ResultTable, safe

if TYPE_CHECKING:
    from rich.console import Console

MOST = 20  # heads that the terminal lists


@dataclass(frozen=True, repr=False)
class PatternHeads:
    """Heads that follow a pattern beyond chance, strongest first: `heads` has head, score, stderr, null,
    strength, p, copying (where that is known) and the name that the head has."""

    pattern: str
    chapter: str
    heads: pd.DataFrame

    def as_data(self) -> dict[str, Any]:
        return {"pattern": self.pattern, "chapter": self.chapter, "heads": records(self.heads)}

    def show(self, console: Console) -> None:
        called = REGISTRY["pattern_score"].group_name(self.pattern)
        console.print(f"[bold]{escape(called)}[/bold] [dim]({safe(self.chapter)})[/dim]")
        if self.heads.empty:
            console.print("no head follows it beyond chance")
            return
        self._head_table(MOST).show(console)
        if len(self.heads) > MOST:
            console.print(f"and {len(self.heads) - MOST:,} more: {in_full()} lists all", style="dim")

    def _head_table(self, most: int | None) -> ResultTable:
        rows = []
        for row in self.heads.head(most or len(self.heads)).to_dict("records"):
            copies = "" if pd.isna(row["copying"]) else number(row["copying"], 2)
            likely = "" if pd.isna(row["p"]) else format_p(row["p"])
            cells = str(row["head"]), uncertain(row["score"], row["stderr"], 3), number(row["null"], 3)
            rows.append([*cells, likely, copies, REGISTRY["pattern"].group_name(row["name"])])
        columns = ("head", "score ± s.e.", "by chance", "p", "copying", "is called")
        return ResultTable(columns, rows, words={"is called"}, less=("copying", "by chance"))

    def __repr__(self) -> str:
        foremost = ", ".join(self.heads["head"].astype(str).head(5)) or "no head"
        return f"PatternHeads({self.pattern}: {len(self.heads)} heads, first {foremost})"

    def _repr_html_(self) -> str:
        return self._head_table(None).html()


def find_pattern_heads(atlas: Atlas, pattern: str, chapter: str | None = None) -> PatternHeads:
    known = (*PATTERNS, *SCORED_ONLY)
    if pattern not in known:
        raise AttlasError(f"there is no pattern {pattern!r}: there are {', '.join(known)}")
    having = [c for c in atlas.chapters if f"{c}/patterns" in atlas.tables and chapter in (None, c)]
    if not having:
        where = f"the chapter {chapter}" if chapter else str(atlas.path or "the atlas")
        finding = call("patterns", "MODEL", option("atlas", "ATLAS"))
        raise AttlasError(f"{where} has no patterns: {finding} finds them")
    chapter = having[0]
    table = atlas.tables[f"{chapter}/patterns"]
    names = atlas.names("pattern", chapter=chapter)
    several = len(atlas.kinds) > 1
    copies = {_head(row): row["score"] for row in records(table[table["pattern"] == "copying"])}
    followed = table[(table["pattern"] == pattern) & (table["gain"] > 0) & ~(table["p"] >= SURE)]
    if "verdict" in table.columns and table["p"].notna().any():
        followed = followed[followed["verdict"] == "shown"]
    rows = []
    for row in records(followed.sort_values("strength", ascending=False, kind="stable")):
        head = _head(row)
        numbers = (row[name] for name in ("score", "stderr", "null", "strength", "p"))
        address = head.written(several)
        rows.append((address, *numbers, copies.get(head), names.get(head, "none")))
    columns = ["head", "score", "stderr", "null", "strength", "p", "copying", "name"]
    frame = pd.DataFrame(rows, columns=columns)
    numeric = columns[1:-1]
    return PatternHeads(pattern, chapter, frame.astype(dict.fromkeys(numeric, float)))


def _head(row: dict[str, Any]) -> Head:
    return Head.from_row(row)
