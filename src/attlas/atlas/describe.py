"""What an atlas says, gathered for people and for programs: its chapters, where they come from, one head."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from attlas.address import Head
from attlas.atlas.atlas import AnyHead, Atlas, contents
from attlas.atlas.called import called, tested
from attlas.atlas.names import NAMES, NAMING, NONE, PATTERNS, SECOND
from attlas.atlas.passages import Passage, passages
from attlas.atlas.printing import ResultTable, notes_html
from attlas.atlas.registry import REGISTRY, causal_cannot, in_order, statistic
from attlas.atlas.schema import ADDRESS
from attlas.atlas.vocabulary import link_words
from attlas.atlas.words import chance_of, number, percent, uncertain

_NOT_SAID = ("at_work", "patterns", "looks", "tokens", "paths")  # tables that only say what is to be drawn
_SIGNIFICANT = 0.05  # a head that is no surer to beat the baseline is not said to track anything
_MOST_CHANGES = 6  # of a head between two models, that are listed


@dataclass(frozen=True, repr=False)
class Contents:
    """The chapters of an atlas, and a row for every head of one of them."""

    atlas: Atlas
    chapters: pd.DataFrame
    chapter: str
    heads: pd.DataFrame
    stands_out: tuple[str, ...] = ()  # sentences on all chapters, where no one chapter is asked for

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
    statistics: pd.DataFrame  # chapter, statistic, group, value, stderr, n
    relations: tuple[Relation, ...]
    examples: tuple[Passage, ...]
    sentences: tuple[str, ...] = ()  # what its card begins with

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


def describe(atlas: Atlas, chapter: str | None = None) -> Contents:
    """All chapters, and the overview of one: the first with surface statistics if none is named."""
    chapter = chapter or atlas.first_surface() or ""
    return Contents(atlas, contents(atlas), chapter, atlas.overview(chapter or None))


def provenance(atlas: Atlas, chapter: str | None = None) -> Provenance:
    names = atlas.chapters if chapter is None else (chapter,)
    return Provenance(atlas.model, {name: atlas.about(name) for name in names})


def report(atlas: Atlas, head: AnyHead, chapter: str | None = None) -> HeadReport:
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
    return HeadReport(
        address,
        named,
        rows.reset_index(drop=True),
        tuple(relations(atlas, address, chapter)),
        tuple(passages(atlas, address, chapter)),
    )


def _names(atlas: Atlas, head: Head, rows: pd.DataFrame) -> Iterator[Name]:
    """Of one head, from its rows."""
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
    return next((called(row) for row in records(table[at & (table["pattern"] == pattern)])), "")


def in_words(name: str, group: str, value: float, stderr: float) -> tuple[str, str]:
    """What a statistic is about, and its value with its error and unit."""
    known = statistic(name)
    unit = f" {known.unit}" if known.unit in ("nats", "tokens", "tokens²") else ""
    return known.called(group), f"{uncertain(value, stderr)}{unit}"


def relations(atlas: Atlas, head: Head, chapter: str | None = None) -> Iterator[Relation]:
    """What studies concluded of the head, in any table that is about heads."""
    for key, table in atlas.tables.items():
        whose, _, name = key.partition("/")
        if chapter not in (None, whose) or name in _NOT_SAID or not set(ADDRESS) <= set(table.columns):
            continue
        of_head = (table["kind"] == head.kind) & (table["layer"] == head.layer) & (table["head"] == head.head)
        rows = table[of_head].sort_values("p", kind="stable") if "p" in table.columns else table[of_head]
        if name == "changes":  # of the many statistics, those that changed
            rows = rows[rows["p"] < _SIGNIFICANT].head(_MOST_CHANGES)
        if name == "patched" and "p" in rows.columns:  # of both ways and both parts, those that matter
            rows = rows[(rows["p"] < _SIGNIFICANT) & does_task(atlas, whose)]
        for row in records(rows):
            yield Relation(whose, name, _says(name, row), row)


def _says(table: str, row: dict[str, Any]) -> str:
    if table == "best" and {"group", "accuracy"} <= row.keys():
        return _tracks(row)
    if table == "weights" and {"group", "weight"} <= row.keys():
        return _weighs(row)
    if table == "disabled" and {"edit", "change"} <= row.keys():
        return _disabled(row)
    if table == "patched" and {"what", "into", "effect"} <= row.keys():
        return patched_said(row)
    if table == "changes" and {"statistic", "group", "first", "second"} <= row.keys():
        return _changed(row)
    if table == "matching" and {"match_layer", "match_head", "distance"} <= row.keys():
        return _matched(row)
    if table == "written" and {"on_sink", "beside_layer", "rests"} <= row.keys():
        return _wrote(row)
    if table == "name_tests" and {"pattern", "verdict", "n", "documents"} <= row.keys():
        return f"{PATTERNS.get(str(row['pattern']), row['pattern'])}: {tested(row)}"
    if table == "order":  # of pruning: which head goes when
        goes = [(k.removesuffix("_goes"), v) for k, v in row.items() if k.endswith("_goes")]
        return "goes " + ", ".join(f"as number {place} by {order}" for order, place in goes)
    rest = {k: v for k, v in row.items() if k not in (*ADDRESS, "from_1", "paper_uas") and v is not None}
    return ", ".join(f"{k} {number(v) if isinstance(v, float) else v}" for k, v in rest.items())


def _changed(row: dict[str, Any]) -> str:
    """entropy: 0.735 here, 0.329 in the other model (-0.472 to -0.341), p < 0.001"""
    about = statistic(str(row["statistic"])).called(str(row["group"]))
    here, there, low, high = (number(_float(row, name), 3) for name in ("first", "second", "low", "high"))
    return f"{about}: {here} here, {there} in the other model (change {low} to {high}){significance(row)}"


def _matched(row: dict[str, Any]) -> str:
    """does what 3.7 does in the other model: 0.012 nats apart, 0.120 from the head of its own address"""
    apart, from_own = (number(_float(row, name), 3) for name in ("distance", "own_distance"))
    there = f"{row['match_layer']}.{row['match_head']}"
    if (row.get("match_layer"), row.get("match_head")) == (row.get("layer"), row.get("head")):
        return f"is best matched by itself in the other model: {apart} nats apart"
    return (
        f"is best matched by {there} in the other model: {apart} nats apart, {from_own} from its own address"
    )


def _tracks(row: dict[str, Any]) -> str:
    """tracks obj (direct object to verb): 70.1 % (95 % 67–73), best fixed offset -2: 36.4 %, p < 0.001"""
    points = _way(row)
    verb = "is the best head for" if _float(row, "p") >= _SIGNIFICANT else "tracks"
    baseline = baseline_said(row)
    said = f"{verb} {row['group']}{points}: {accuracy_said(row)}{f', {baseline}' if baseline else ''}"
    return f"{said}{significance(row)}"


def _way(row: dict[str, Any]) -> str:
    """(direct object to verb)"""
    if (direction := row.get("direction")) not in ("to", "from"):
        return ""
    words = link_words(str(row.get("statistic", "")), str(row["group"]))
    return f" ({words.way(direction).removeprefix('from ')})"


def accuracy_said(row: dict[str, Any]) -> str:
    """Of a row of a table `best`: 70.1 % (95 % 67–73)"""
    low, high = _float(row, "low"), _float(row, "high")
    known = math.isfinite(low) and math.isfinite(high)
    interval = f" (95 % {100 * low:.0f}–{100 * high:.0f})" if known else ""
    return f"{percent(_float(row, 'accuracy'))}{interval}"


def baseline_said(row: dict[str, Any]) -> str:
    """best fixed offset -2: 36.4 %"""
    if not math.isfinite(_float(row, "baseline_accuracy")):
        return ""
    return f"{baseline_name(row)}: {percent(_float(row, 'baseline_accuracy'))}"


def baseline_name(row: dict[str, Any]) -> str:
    """best fixed offset -2"""
    baseline = str(row.get("baseline"))
    return f"best fixed offset {baseline}" if re.fullmatch(r"[+-]?\d+", baseline) else baseline


def _weighs(row: dict[str, Any]) -> str:
    """weighs subjects, from all tokens: 0.310 ± 0.020, matched 0.120, gain 0.190 ± 0.010, p < 0.001"""
    name = str(row.get("statistic", ""))
    about = statistic(name).titled(str(row["group"])) if name in REGISTRY else str(row["group"])
    return f"weighs {about}: {weight_said(row)}"


def _wrote(row: dict[str, Any]) -> str:
    """writes 1.89 times its layer's mean, rests by weight; raises gmina genes, lowers ##ici ##iser"""
    rests = {"neither": "", "both": ", rests by weight and output"}
    said = f"writes {_float(row, 'beside_layer'):.2f} times its layer's mean"
    said += rests.get(str(row["rests"]), f", rests {row['rests']}")
    return f"{said}; raises {row['raises']}, lowers {row['lowers']}" if row.get("raises") else said


def _disabled(row: dict[str, Any]) -> str:
    """disabled (uniform): loss 2.763, +0.067 (95 % -0.044 to +0.180), p = 1.000"""
    low, high = _float(row, "low"), _float(row, "high")
    known = math.isfinite(low) and math.isfinite(high)
    interval = f" (95 % {low:+.4f} to {high:+.4f})" if known else ""
    return (
        f"disabled ({row['edit']}): {row.get('score')} {_float(row, 'disabled'):.4f}, "
        f"{_float(row, 'change'):+.4f}{interval}{significance(row)}"
    )


def patched_said(row: dict[str, Any]) -> str:
    """it speaks for the answer: its output, patched from the corrupt text into the clean one, moves the logit
    difference by -0.513 (95 % -0.610 to -0.415), p < 0.001"""
    what, moves = ("weights alone", "move") if row["what"] == "weights" else (row["what"], "moves")
    other = "clean" if row["into"] == "corrupt" else "corrupt"
    low, high = _float(row, "low"), _float(row, "high")
    interval = f" (95 % {low:+.3f} to {high:+.3f})" if math.isfinite(low) and math.isfinite(high) else ""
    effect = _float(row, "effect")
    speaks = "for" if (effect > 0) == (row["into"] == "corrupt") else "against"
    return (
        f"it speaks {speaks} the answer: its {what}, patched from the {other} text into the {row['into']} "
        f"one, {moves} the logit difference by {effect:+.3f}{interval}{significance(row)}"
    )


def does_task(atlas: Atlas, chapter: str) -> bool:
    """Whether the model surely prefers the answer in the clean texts that a chapter patched: where it does
    not, its heads say nothing of how the task is done."""
    runs = atlas.tables[f"{chapter}/runs"]
    return bool((runs.loc[runs["text"] == "clean", "low"] > 0).all())


def weight_said(row: dict[str, Any]) -> str:
    """Of a row of a table `weights`: 0.310 ± 0.020, matched 0.120, gain 0.190 ± 0.010, p < 0.001"""
    said = uncertain(_float(row, "weight"), _float(row, "stderr"), 3)
    if math.isfinite(_float(row, "matched")):
        said += f", matched {number(_float(row, 'matched'), 3)}"
    if math.isfinite(_float(row, "gain")):
        said += f", gain {uncertain(_float(row, 'gain'), _float(row, 'gain_stderr'), 3)}"
    return f"{said}{significance(row)}"


def significance(row: dict[str, Any]) -> str:
    p = _float(row, "p")
    return f", {chance_of(p)}" if math.isfinite(p) else ""


def _float(row: dict[str, Any], name: str) -> float:
    value = row.get(name)
    return float(value) if isinstance(value, int | float) else math.nan


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as JSON takes them, which knows no infinity."""
    plain = table.replace([np.inf, -np.inf], np.nan).astype(object)
    rows: list[dict[str, Any]] = plain.where(plain.notna(), None).to_dict("records")  # type: ignore[assignment]
    return rows


def strongest(atlas: Atlas, chapter: str | None = None) -> Iterator[tuple[str, str, Head, float, float]]:
    """For everything that attention, or what does not fall on the first token, can go to, the head that sends
    it most: statistic, group, head, value, error. What no head of the model can do is left out, and so is the
    first token where it is [CLS].
    """
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
                head = Head(best["kind"], int(best["layer"]), int(best["head"]))
                yield name, group, head, float(best["value"]), float(best["stderr"])
