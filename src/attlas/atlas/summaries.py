"""What an atlas says, gathered for people and for programs: its chapters, where they come from, one head."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
from rich.markup import escape

from attlas.address import Head
from attlas.atlas.atlas import AnyHead, Atlas, contents
from attlas.atlas.catalogue import declared_table
from attlas.atlas.catalogue.result_tables import records
from attlas.atlas.passages import Passage, passages
from attlas.atlas.registry import REGISTRY, causal_cannot, in_order, statistic
from attlas.atlas.schema import ADDRESS
from attlas.atlas.untrained_heads import Untrained
from attlas.errors import AttlasError, call, in_full, option
from attlas.statistics.claims import SURE
from attlas.wording.names import NAMES, NAMING, NONE, PATTERNS, SCORED_ONLY, SECOND
from attlas.wording.numbers import format_p, number, uncertain
from attlas.wording.pattern_sentences import say_pattern
from attlas.wording.printing import ResultTable, notes_html, safe

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, repr=False)
class Contents:
    """The chapters of an atlas, and a row for every head of one of them."""

    atlas: Atlas
    chapters: pd.DataFrame
    chapter: str
    heads: pd.DataFrame
    stands_out: tuple[str, ...] = ()  # sentences on all chapters, where no one chapter is asked for
    claims: tuple[tuple[str, str], ...] = ()  # the same, each as what it claims and what that rests on

    def as_data(self) -> dict[str, Any]:
        return {
            "atlas": str(self.atlas.path),
            "model": self.atlas.model,
            "stands_out": list(self.stands_out),
            "chapters": records(self.chapters),
            "chapter": self.chapter,
            "heads": records(self.heads),
        }

    def __repr__(self) -> str:
        return f"Contents({self.atlas!r}; .chapters and .heads are tables)"

    def _repr_html_(self) -> str:
        tables = (t.to_html(index=False, escape=True, border=0) for t in (self.chapters, self.heads))
        return notes_html(self.stands_out) + "".join(tables)


@dataclass(frozen=True, repr=False)
class Provenance:
    """Where an atlas comes from: its model, and everything that is said about its chapters."""

    model: dict[str, Any]
    chapters: dict[str, dict[str, Any]]

    def __repr__(self) -> str:
        return f"Provenance(of {', '.join(self.chapters)}; .model and .chapters say it)"

    def _repr_html_(self) -> str:
        rows = [
            [name, key, json.dumps(value, ensure_ascii=False, default=str)]
            for name, about in (("model", self.model), *self.chapters.items())
            for key, value in about.items()
        ]
        return ResultTable(("", "what", "value"), rows).html()

    def as_data(self) -> dict[str, Any]:
        return {"model": self.model, "chapters": self.chapters}


@dataclass(frozen=True, repr=False)
class HeadReport:
    """Everything known about a head, from all chapters or one."""

    head: Head
    names: tuple[Name, ...]
    statistics: pd.DataFrame  # chapter, statistic, group, value, stderr, n, documents, untrained
    relations: tuple[Relation, ...]
    examples: tuple[Passage, ...]
    sentences: tuple[str, ...] = ()  # what its card begins with
    claims: tuple[tuple[str, str], ...] = ()  # the same, each as what it claims and what that rests on
    whole: bool = True  # whether the terminal prints all of it, or a dozen lines

    def __repr__(self) -> str:
        named = ", ".join(dict.fromkeys(f"{n.kind} {n.name}" for n in self.names)) or "no name"
        return f"HeadReport({self.head.full}: {named}; .statistics is a table of {len(self.statistics)} rows)"

    def as_data(self) -> dict[str, Any]:
        return {
            "head": self.head.full,
            "sentences": list(self.sentences),
            "names": [asdict(name) for name in self.names],
            "statistics": records(self.statistics),
            "relations": [
                {"chapter": r.chapter, "table": r.table, "says": r.says, **r.row} for r in self.relations
            ],
            "examples": [
                {
                    "chapter": e.chapter,
                    "weight": e.weight,
                    "sample": e.sample,
                    "query": e.query,
                    "key": e.key,
                    "text": "".join(piece.text for piece in e.text),
                    **({"key_text": "".join(piece.text for piece in e.key_text)} if e.key_text else {}),
                }
                for e in self.examples
            ],
        }

    def _repr_html_(self) -> str:
        said = notes_html([*self.sentences, *(relation.says for relation in self.relations)])
        return said + self.statistics.to_html(index=False, escape=True, border=0)


@dataclass(frozen=True)
class Name:
    """What a chapter calls a head: its behaviour, pattern or shape, and the second best of the same kind."""

    kind: str
    name: str
    confidence: float
    second: str
    chapter: str
    says: str = ""  # of a pattern: how much of the head's attention that is, and where it rests otherwise


@dataclass(frozen=True)
class Relation:
    """A row of a study's table that names the head, and the sentence that it makes."""

    chapter: str
    table: str
    says: str
    row: dict[str, Any]


def summarise(atlas: Atlas, chapter: str | None = None) -> Contents:
    """All chapters, and the overview of one: the first with surface statistics if none is named."""
    chapter = chapter or atlas.first_surface() or ""
    return Contents(atlas, contents(atlas), chapter, atlas.overview(chapter or None))


def provenance(atlas: Atlas, chapter: str | None = None) -> Provenance:
    names = atlas.chapters if chapter is None else (chapter,)
    return Provenance(atlas.model, {name: atlas.about(name) for name in names})


def report_head(atlas: Atlas, head: AnyHead, chapter: str | None = None) -> HeadReport:
    address = atlas.address(head)
    rows = atlas.head(address, chapter)
    named = tuple(_names(atlas, address, rows))
    rows = rows[~rows["statistic"].isin(NAMING)]
    cannot = [
        address.kind == "decoder" and value <= 0 and causal_cannot(name, group)
        for name, group, value in zip(rows["statistic"], rows["group"], rows["value"], strict=True)
    ]
    rows = rows[~pd.Series(cannot, rows.index, dtype=bool)]
    order = rows["statistic"].map(in_order) + 1000 * rows["chapter"].map(list(atlas.chapters).index)
    rows = rows.assign(order=order).sort_values("order", kind="stable").drop(columns="order")
    rows = rows.assign(untrained=_beside(atlas, address, rows))
    return HeadReport(
        address,
        named,
        rows.reset_index(drop=True),
        tuple(relations(atlas, address, chapter)),
        tuple(passages(atlas, address, chapter)),
    )


def _beside(atlas: Atlas, head: Head, rows: pd.DataFrame) -> list[float]:
    """What untrained heads have, beside each value; NaN where no twin was measured."""
    twins = {chapter: Untrained.of(atlas, chapter) for chapter in rows["chapter"].unique()}
    values = []
    for chapter, name, group in zip(rows["chapter"], rows["statistic"], rows["group"], strict=True):
        twin = twins[chapter]
        known = None if twin is None else twin.beside(str(name), str(group), head.kind)
        values.append(math.nan if known is None else known)
    return values


def _names(atlas: Atlas, head: Head, rows: pd.DataFrame) -> Iterator[Name]:
    """The names of one head, from its rows."""
    seconds = {(r["chapter"], r["statistic"]): r["group"] for r in records(rows) if r["group"] != NONE}
    for row in records(rows):
        if (kind := row["statistic"]) in NAMES:
            second = seconds.get((row["chapter"], SECOND[kind]), "")
            says = _pattern_says(atlas, head, row["chapter"], row["group"]) if kind == "pattern" else ""
            yield Name(kind, row["group"], row["value"], second, row["chapter"], says)


def _pattern_says(atlas: Atlas, head: Head, chapter: str, pattern: str) -> str:
    table = atlas.tables.get(f"{chapter}/patterns")
    if table is None or not {*ADDRESS, "pattern", "score"} <= set(table.columns):
        return ""
    at = (table["kind"] == head.kind) & (table["layer"] == head.layer) & (table["head"] == head.head)
    return next((say_pattern(row) for row in records(table[at & (table["pattern"] == pattern)])), "")


def in_words(name: str, group: str, value: float, stderr: float) -> tuple[str, str]:
    """What a statistic is about, and its value with its error and unit."""
    known = statistic(name)
    unit = f" {known.unit}" if known.unit in ("nats", "tokens", "tokens²") else ""
    return known.write_name(group), f"{uncertain(value, stderr)}{unit}"


def relations(atlas: Atlas, head: Head, chapter: str | None = None) -> Iterator[Relation]:
    """What studies concluded of the head, in any table that is about heads."""
    for key, table in atlas.tables.items():
        whose, _, name = key.partition("/")
        if chapter not in (None, whose) or not set(ADDRESS) <= set(table.columns):
            continue
        declared = declared_table(atlas.about(whose), name, table.columns)
        if declared is not None and declared.sentence is None:
            continue  # a table that only says what is to be drawn
        of_head = (table["kind"] == head.kind) & (table["layer"] == head.layer) & (table["head"] == head.head)
        rows = table[of_head].sort_values("p", kind="stable") if "p" in table.columns else table[of_head]
        say: Callable[[dict[str, Any]], str] = _say_all
        if declared is not None and declared.sentence and declared.needed <= set(table.columns):
            say = declared.sentence
            rows = declared.select(rows, atlas.tables_of(whose)) if declared.select else rows
        for row in records(rows):
            yield Relation(whose, name, say(row), row)


def _say_all(row: dict[str, Any]) -> str:
    """score 0.1234, n 12: a row of a table that no declaration knows"""
    rest = {k: v for k, v in row.items() if k not in (*ADDRESS, "from_1") and v is not None}
    return ", ".join(f"{k} {number(v) if isinstance(v, float) else v}" for k, v in rest.items())


def strongest(atlas: Atlas, chapter: str | None = None) -> Iterator[tuple[str, str, Head, float, float]]:
    """Return, for everything that attention, or what does not fall on the first token, can go to, the head
    that sends it most: statistic, group, head, value, error. What no head of the model can do is left out,
    and so is the first token where it is [CLS]."""
    chapter = chapter or atlas.first_surface()
    rows = atlas.heads[atlas.heads["chapter"] == chapter]
    values = {
        key: of_group.set_index(list(ADDRESS))["value"].sort_index()
        for key in (("to_first", ""), ("to_class", "cls"))
        if len(of_group := rows[(rows["statistic"] == key[0]) & (rows["group"] == key[1])])
    }
    first_is_cls = len(values) == 2 and values["to_first", ""].equals(values["to_class", "cls"])
    for name, known in REGISTRY.items():
        if not known.is_share or (name == "to_first" and first_is_cls):
            continue
        for group in known.overview or statistic(known.apart_from_first).overview:
            of_group = rows[(rows["statistic"] == name) & (rows["group"] == group)]
            of_group = of_group[
                of_group["value"] > 1e-6
            ]  # a text may have no comma, and a causal head no next token
            for best in of_group.nlargest(1, "value").to_dict("records"):
                head = Head.from_row(best)
                yield name, group, head, float(best["value"]), float(best["stderr"])


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
        address = head.write(several)
        rows.append((address, *numbers, copies.get(head), names.get(head, "none")))
    columns = ["head", "score", "stderr", "null", "strength", "p", "copying", "name"]
    frame = pd.DataFrame(rows, columns=columns)
    numeric = columns[1:-1]
    return PatternHeads(pattern, chapter, frame.astype(dict.fromkeys(numeric, float)))


def _head(row: dict[str, Any]) -> Head:
    return Head.from_row(row)
