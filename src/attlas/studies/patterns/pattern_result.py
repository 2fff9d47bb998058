"""What the study of patterns found, as the terminal, a notebook and JSON show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import pandas as pd
from rich.console import Console

from attlas.address import Head
from attlas.atlas.catalogue.result_tables import printed_table, records
from attlas.atlas.catalogue.surface_declarations import SHAPES
from attlas.atlas.registry import REGISTRY
from attlas.statistics.claims import NAME_HOLDS
from attlas.statistics.verdicts import VERDICTS
from attlas.studies.study_result import StudyResult
from attlas.wording.names import NAMES, NONE, PATTERNS
from attlas.wording.pattern_sentences import RESTING, mostly_follows, pattern_detail, rests_more, say_pattern
from attlas.wording.printing import ResultTable, notes_html, print_notes

MOST = 8  # heads that are listed for a name
_NO_SCORES = pd.DataFrame({name: [] for name in ("kind", "layer", "head", "pattern", "score")})


@dataclass(frozen=True, repr=False)
class PatternResult(StudyResult):
    """The chapters of patterns, of shapes, and of tests of names. `names(kind)` is what heads are called,
    `table` has every score."""

    @property
    def table(self) -> pd.DataFrame:
        tables = (chapter.tables["patterns"] for chapter in self.chapters if "patterns" in chapter.tables)
        return next(tables, _NO_SCORES)

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

    def as_data(self) -> dict[str, Any]:
        named = {
            kind: {
                head.full: {"name": n, "confidence": sure, **self._words(kind, head, n)}
                for head, (n, sure) in self._named(kind).items()
            }
            for kind in NAMES
            if self._named(kind)
        }
        return {
            "chapters": [chapter.name for chapter in self.chapters],
            "names": named,
            "scores": records(self.table),
            "tests": [
                row
                for chapter in self.chapters
                if "name_tests" in chapter.tables
                for row in records(chapter.tables["name_tests"])
            ],
            "notes": list(self.notes),
        }

    def _tables(self) -> Iterator[ResultTable]:
        if named := self._named("pattern"):
            yield _of_patterns(named, self._rows)
        if shapes := self._named("shape"):
            yield _of_shapes(shapes)
        for chapter in self.chapters:
            if "shares" in chapter.tables:
                yield printed_table(SHAPES.table("shares"), chapter.tables["shares"])
            if "name_tests" in chapter.tables:
                yield _of_tests(chapter.tables["name_tests"], chapter.tables["names_by_name"])

    def show(self, console: Console) -> None:
        if named := self._named("pattern"):
            console.print(_in_short([self._rows.get((head, name)) for head, (name, _) in named.items()]))
        for table in self._tables():
            table.show(console)
        print_notes(console, self.notes)

    @cached_property
    def _rows(self) -> dict[tuple[Head, str], Mapping[str, Any]]:
        """The rows of the table, by head and pattern."""
        rows = cast(list[dict[str, Any]], self.table.to_dict("records"))
        return {(Head(r["kind"], r["layer"], r["head"]), r["pattern"]): r for r in rows}

    def _words(self, kind: str, head: Head, name: str) -> dict[str, str]:
        """What the head mostly does, where its name is a pattern."""
        row = self._rows.get((head, name)) if kind == "pattern" else None
        return {} if row is None else {"says": say_pattern(row)}

    def __repr__(self) -> str:
        return f"PatternResult({', '.join(chapter.name for chapter in self.chapters)})"

    def _repr_html_(self) -> str:
        return "".join(table.html() for table in self._tables()) + notes_html(self.notes)


def _in_short(rows: Sequence[Mapping[str, Any] | None]) -> str:
    """How many heads follow patterns: Of 144 heads, 80 mostly follow a pattern and 30 partly; 12 do when they
    act, and rest more; 10 only rest; no pattern fits 12."""
    named = [row for row in rows if row is not None]
    acting = [row for row in named if row["pattern"] not in RESTING]
    most, less = sum(map(mostly_follows, acting)), sum(map(rests_more, acting))
    return (
        f"Of {len(rows):,} heads, {most:,} mostly follow a pattern and {len(acting) - most - less:,} partly; "
        f"{less:,} do when they act, and rest more; {len(named) - len(acting):,} only rest; "
        f"no pattern fits {len(rows) - len(named):,}."
    )


def _of_patterns(
    named: Mapping[Head, tuple[str, float]], rows: Mapping[tuple[Head, str], Mapping[str, Any]]
) -> ResultTable:
    """A row for each name: how many heads have it, which share that is, how many of them do it with half of
    their attention or more, and the foremost of them."""
    lines = []
    several = len({head.kind for head in named}) > 1
    for name, heads in _by_name("pattern", named).items():
        scored = [(head, rows[head, name]) for head in heads if (head, name) in rows]
        scored.sort(key=lambda pair: (-pair[1]["score"], pair[0]))
        shown = [_head(head, row, several) for head, row in scored[:MOST]]
        more = ", ..." if len(heads) > MOST and shown else ""
        most = f"{sum(mostly_follows(row) for _, row in scored):,}" if scored else ""
        share = f"{100 * len(heads) / len(named):.1f} %"
        called_so = REGISTRY["pattern"].group_name(name)
        lines.append([called_so, f"{len(heads):,}", share, most, ", ".join(shown) + more])
    columns = ("pattern", "heads", "share", "mostly", "the foremost")
    return ResultTable(columns, lines, words={"pattern", "the foremost"})


def _of_shapes(named: Mapping[Head, tuple[str, float]]) -> ResultTable:
    """A row for each shape: how many heads have it, which share that is, and the surest of them."""
    lines = []
    several = len({head.kind for head in named}) > 1
    for name, heads in _by_name("shape", named).items():
        heads.sort(key=lambda head: (-named[head][1], head))
        shown = [] if name == NONE else [f"{h.write(several)} ({named[h][1]:.2f})" for h in heads[:MOST]]
        more = ", ..." if len(heads) > MOST and shown else ""
        share = f"{100 * len(heads) / len(named):.1f} %"
        lines.append([REGISTRY["shape"].group_name(name), f"{len(heads):,}", share, ", ".join(shown) + more])
    return ResultTable(("shape", "heads", "share", "the foremost"), lines, words={"shape", "the foremost"})


def _by_name(kind: str, named: Mapping[Head, tuple[str, float]]) -> dict[str, list[Head]]:
    """The heads of each name, names in the order of the registry, `none` last."""
    known = [*NAMES[kind], NONE]
    order = sorted({n for n, _ in named.values()}, key=lambda n: known.index(n) if n in known else 99)
    return {name: [head for head, (n, _) in named.items() if n == name] for name in order}


def _of_tests(tests: pd.DataFrame, by_name: pd.DataFrame) -> ResultTable:
    """A row for each name that was tested: of how many heads it is shown, and to account for more than half;
    of how many it is not, and why; and what it accounts for with all of its heads at once."""
    together = {row["pattern"]: row for row in records(by_name)}
    rows = []
    for name in (name for name in PATTERNS if name in set(tests["pattern"])):
        of_name = tests[tests["pattern"] == name]
        many = of_name["verdict"].value_counts()
        shown, *others = (f"{int(many.get(verdict, 0)):,}" for verdict in VERDICTS)
        cells = [shown, f"{int((of_name['low'] > NAME_HOLDS).sum()):,}", *others]
        row = together[name]
        restored = row["explained"]
        interval = "" if restored is None else f", {restored:.2f} ({row['low']:.2f} to {row['high']:.2f})"
        rows.append([PATTERNS[name], *cells, f"{row['verdict']}{interval}"])
    columns = ("name, tested", "shown", "over half", *VERDICTS[1:], "all its heads at once")
    return ResultTable(columns, rows, words={"name, tested", "all its heads at once"})


def _head(head: Head, row: Mapping[str, Any], several: bool) -> str:
    """5.3 (0.91) · 4.10 (0.51, reach 4 tokens) · 2.1 (0.23, rests 0.62)"""
    parts = [
        f"{row['score']:.2f}",
        pattern_detail(row),
        f"rests {row['rest']:.2f}" if rests_more(row) else "",
    ]
    return f"{head.write(several)} ({', '.join(part for part in parts if part)})"
