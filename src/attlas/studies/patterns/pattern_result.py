"""What the study of patterns found, as the terminal, a notebook and JSON show it. Light: no model library is
loaded here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
from rich.console import Console

from attlas.address import Head
from attlas.atlas.names import NAMES, NONE
from attlas.atlas.printing import ResultTable, notes_html, print_notes
from attlas.atlas.registry import REGISTRY
from attlas.atlas.words import percent

if TYPE_CHECKING:
    from attlas.atlas.chapter import Chapter

MOST = 8  # heads that are listed for a name


@dataclass(frozen=True, repr=False)
class PatternResult:
    """The chapters that were made. `names(kind)` is what heads are called, `table` has every score."""

    chapters: tuple[Chapter, ...]
    written: tuple[str, ...] = ()  # what was written where

    @property
    def table(self) -> pd.DataFrame:
        return next(c.tables["patterns"] for c in self.chapters if "patterns" in c.tables)

    def names(self, kind: str = "pattern") -> dict[Head, str]:
        """Heads that no name fits are left out."""
        return {head: name for head, (name, _) in self._named(kind).items() if name != NONE}

    def _named(self, kind: str) -> dict[Head, tuple[str, float]]:
        return {
            Head(row.kind, row.layer, row.head): (row.group, row.value)
            for chapter in self.chapters
            for row in chapter.rows
            if row.statistic == kind
        }

    @property
    def notes(self) -> list[str]:
        notes = (note for chapter in self.chapters for note in chapter.about["notes"])
        return [*notes, *self.written]

    def as_data(self) -> dict[str, Any]:
        table = self.table.astype(object).where(self.table.notna(), None)
        named = {
            kind: {
                head.full: {"name": n, "confidence": sure} for head, (n, sure) in self._named(kind).items()
            }
            for kind in NAMES
            if self._named(kind)
        }
        return {
            "chapters": [chapter.name for chapter in self.chapters],
            "names": named,
            "scores": table.to_dict("records"),
            "notes": self.notes,
        }

    def _shown(self) -> Iterator[ResultTable]:
        for kind in NAMES:
            if named := self._named(kind):
                yield _shares(kind, named, self._scores(kind))
        for chapter in self.chapters:
            if "shares" in chapter.tables:
                yield _of_all_maps(chapter.tables["shares"])

    def show(self, console: Console) -> None:
        for table in self._shown():
            table.show(console)
        print_notes(console, self.notes)

    def _scores(self, kind: str) -> dict[tuple[Head, str], float]:
        if kind != "pattern":
            return {(head, name): sure for head, (name, sure) in self._named(kind).items()}
        return {
            (Head(r["kind"], r["layer"], r["head"]), r["pattern"]): r["score"]
            for r in self.table.to_dict("records")
        }

    def __repr__(self) -> str:
        return f"PatternResult({', '.join(chapter.name for chapter in self.chapters)})"

    def _repr_html_(self) -> str:
        return "".join(table.html() for table in self._shown()) + notes_html(self.notes)


def _shares(
    kind: str, named: Mapping[Head, tuple[str, float]], scores: Mapping[tuple[Head, str], float]
) -> ResultTable:
    """A row for each name: how many heads have it, which share that is, and the foremost of them."""
    rows = []
    known = [*NAMES[kind], NONE]
    several = len({head.kind for head in named}) > 1
    for name in sorted({n for n, _ in named.values()}, key=lambda n: known.index(n) if n in known else 99):
        heads = [head for head, (n, _) in named.items() if n == name]
        heads.sort(key=lambda head: (-scores.get((head, name), named[head][1]), head))
        shown = (
            [] if name == NONE else [_head(head, scores.get((head, name)), several) for head in heads[:MOST]]
        )
        more = ", ..." if len(heads) > MOST and shown else ""
        share = f"{100 * len(heads) / len(named):.1f} %"
        called = REGISTRY[kind].group_name(name)
        rows.append([called, f"{len(heads):,}", share, ", ".join(shown) + more])
    return ResultTable((kind, "heads", "share", "the foremost"), rows, words={kind, "the foremost"})


def _of_all_maps(shares: pd.DataFrame) -> ResultTable:
    """A row for each shape: its share of the maps of all heads, whatever a head is called."""
    rows = []
    several = shares["kind"].nunique() > 1
    for row in shares.to_dict("records"):
        called = REGISTRY["shape"].group_name(str(row["shape"]))
        called = f"{row['kind']}: {called}" if several else called
        interval = f"{percent(row['low'])} to {percent(row['high'])}"
        rows.append([called, percent(row["share"]), interval])
    return ResultTable(("of all maps", "share", "95 % interval"), rows, words={"of all maps"})


def _head(head: Head, score: float | None, several: bool) -> str:
    """5.3 (0.91)"""
    address = head.full if several else str(head)
    return address if score is None else f"{address} ({score:.2f})"
