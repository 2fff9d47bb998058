"""From an atlas to the document that the page shows (`contract`)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from attlas.address import Head
from attlas.atlas import Atlas
from attlas.atlas.atlas import contents
from attlas.extras import version_of
from attlas.figures.head_measures import KIND_NAMES, behaviour_rules
from attlas.reports.asking import addresses_of, ask, finder_of, folder_name, model_name, sentences_of
from attlas.reports.cards import cards_of
from attlas.reports.columns import Column
from attlas.reports.evidence import Evidence
from attlas.reports.forms import forms_of
from attlas.reports.highlights import what_stands_out
from attlas.reports.packing import TokenPool, finite, numbers, round_digits
from attlas.reports.page_contract import (
    SCHEMA,
    Grid,
    Heads,
    LayerMeans,
    Missing,
    Model,
    NameChoice,
    Names,
    Numbers,
    PageChapter,
    PageStatistic,
    Report,
)
from attlas.reports.programme import command_again, missing_from
from attlas.reports.sentences import Sentences, chapter_title
from attlas.views.block import Block
from attlas.views.contract import NAME_KINDS, NameKind
from attlas.views.head_names import names_of
from attlas.views.palette import BARE, QUIET, head_colours
from attlas.wording.names import NAMING, NONE
from attlas.wording.numbers import model_title
from attlas.wording.program_names import PROGRAMS, program_words
from attlas.wording.vocabulary import BEHAVIOUR_MEANS, PATTERN_DOES, SHAPE_MEANS

_MEANINGS: Mapping[str, Mapping[str, str]] = {
    "behaviour": BEHAVIOUR_MEANS,
    "pattern": PATTERN_DOES,
    "shape": SHAPE_MEANS,
}
NOT_A_SUM = "not shown to be a sum of programs"
_NAME_TITLES = {
    "behaviour": "Behaviour, by the rules of Clark 2019",
    "pattern": "What the head attends to",
    "shape": "What its maps look like",
}


@dataclass
class PackedReport:
    """The document and its bytes."""

    report: Report
    data: bytes


def assemble(atlas: Atlas, view: str = "") -> PackedReport:
    """Everything that the atlas knows, as the page takes it. `view` is the address of a view of the model."""
    sentences = sentences_of(atlas)
    stands_out = what_stands_out(sentences)
    chapters = {name: number for number, name in enumerate(atlas.chapters)}
    block, tokens = Block(), TokenPool(atlas)
    cards = cards_of(atlas, sentences, chapters, tokens, block)
    report: Report = {
        "schema": SCHEMA,
        "made": {
            "attlas": version_of("attlas"),
            "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
            "atlas": PurePath(atlas.path).name if atlas.path is not None else "",
            "command": f"attlas report {folder_name(atlas)} --page PAGE.html",
            "view": view,
        },
        "model": _model(atlas),
        "chapters": _chapters(atlas),
        "statistics": [_statistic(c, chapters, atlas, sentences) for c in sentences.columns.all],
        "names": [*_program_names(sentences.evidence), *_names(atlas, chapters)],
        "heads": _heads(atlas),
        "cards": cards,
        "tokens": tokens.lists,
        "stands_out": [noted.sentence for noted in stands_out],
        "stands_out_tells": [noted.about for noted in stands_out],
        "layers": list(_layers(sentences)),
        "missing": _missing(atlas),
        "finder": finder_of(atlas, sentences),
        "ask": f"attlas ask {folder_name(atlas)}",
        "forms": forms_of(lambda question: ask(atlas, question)),
        "bytes": block.size,
    }
    return PackedReport(finite(report), b"".join(block.parts))


def _model(atlas: Atlas) -> Model:
    about = atlas.model
    grids: list[Grid] = []
    for kind in atlas.kinds:
        heads = [head for head in atlas.addresses if head.kind == kind]
        layers, width = max(h.layer for h in heads) + 1, max(h.head for h in heads) + 1
        grids.append({"kind": kind, "layers": layers, "width": width, "causal": kind == "decoder"})
    return {
        "name": str(about.get("name", "")),
        "title": model_title(str(about.get("name", ""))),
        "type": str(about.get("class", "")),
        "dtype": str(about.get("dtype", "")),
        "weights": str(about.get("weights", "")),
        "config": str(about.get("config", "")),
        "grids": grids,
    }


def _chapters(atlas: Atlas) -> list[PageChapter]:
    table = contents(atlas)
    return [
        _chapter(atlas, str(row["chapter"]), cast(dict[str, Any], row)) for row in table.to_dict("records")
    ]


def _chapter(atlas: Atlas, name: str, line: dict[str, Any]) -> PageChapter:
    about = atlas.about(name)
    time = about.get("time") or {}
    notes = about.get("notes") or []
    settings = {**(about.get("source") or {}), **(about.get("settings") or {})}
    return {
        "name": name,
        "title": chapter_title(str(line["study"]), str(line["corpus"]).removesuffix(".conllu")),
        "study": str(line["study"]),
        "corpus": str(line["corpus"]),
        "read": [part for part in str(line["items"]).split(", ") if part],
        "notes": [str(note) for note in (notes if isinstance(notes, list) else [notes])],
        "when": str(line["when"]),
        "seconds": time.get("seconds"),
        "software": {str(k): str(v) for k, v in (about.get("software") or {}).items()},
        "settings": {str(k): str(v) for k, v in settings.items() if not isinstance(v, dict)},
        "command": command_again(atlas, name, model_name(atlas), folder_name(atlas)),
    }


def _statistic(
    column: Column, chapters: Mapping[str, int], atlas: Atlas, sentences: Sentences
) -> PageStatistic:
    known = column.known
    line = contents_line(atlas, column.chapter)
    several = [c for c in sentences.columns.all if c.key == column.key]
    key = column.key if several[0] is column else f"{column.chapter}.{column.key}"
    meaning = known.meaning or known.write_name(column.group)
    made: PageStatistic = {
        "name": column.name,
        "group": column.group,
        "key": key,
        "chapter": chapters[column.chapter],
        "family": known.family,
        "title": known.write_name(column.group),
        "short": known.write_short(column.group),
        "unit": known.unit,
        "low": known.low if math.isfinite(known.low) else None,
        "high": known.high if math.isfinite(known.high) else None,
        "chance": known.chance.replace("`", ""),
        "definition": f"{meaning[:1].upper()}{meaning[1:].replace('`', '')}. {line}",
        "more": {True: "better", False: "worse", None: ""}[known.more_is_better],  # type: ignore[typeddict-item]
        "overview": column.group in known.overview,
        "values": numbers(column.values),
        "stderr": numbers(column.stderr),
        "n": _counts(column.n),
        "documents": _counts(column.documents),
    }
    if column.name == "pattern_score":
        null = sentences.columns.get("pattern_null", column.group)
        if null is not None:
            made["chances"] = numbers(null.values)
    twins = [sentences.columns.untrained(column, place) for place in range(len(sentences.columns.heads))]
    if any(twin is not None for twin in twins):
        made["untrained"] = numbers(np.array([math.nan if twin is None else twin for twin in twins]))
    if known.family == "link":
        baseline = _baseline(atlas, column)
        if baseline is not None:
            made["baseline"] = round_digits(baseline)
    return made


def _counts(of_heads: npt.NDArray[np.int64]) -> int | list[int | None]:
    """One number where all heads have the same; null where a head has none."""
    if len(of_all := set(of_heads.tolist())) == 1:
        return int(of_all.pop())
    return [int(many) or None for many in of_heads]


def contents_line(atlas: Atlas, chapter: str) -> str:
    """Measured on wikipedia: 100 segments, 12,800 tokens."""
    table = contents(atlas)
    row = table[table["chapter"] == chapter].iloc[0]
    items = f": {row['items']}" if row["items"] else ""
    return f"Measured on {row['corpus'] or 'its corpus'}{items}."


def _baseline(atlas: Atlas, column: Column) -> float | None:
    table = atlas.tables.get(f"{column.chapter}/best")
    if table is None or not {"group", "baseline_accuracy"} <= set(table.columns):
        return None
    accuracies = table[table["group"] == column.group]["baseline_accuracy"]
    return float(accuracies.iloc[0]) if len(accuracies) else None


def _names(atlas: Atlas, chapters: Mapping[str, int]) -> list[Names]:
    rows = atlas.heads[atlas.heads["statistic"].isin(NAMING)]
    places = {(h.kind, h.layer, h.head): place for place, h in enumerate(atlas.addresses)}
    kinds: list[Names] = []
    for kind in NAME_KINDS:
        named = [name for name in names_of(rows) if name["kind"] == kind]
        if not named:
            continue
        empty: list[int | None] = [None] * len(places)
        nothing: Numbers = [None] * len(places)
        made: Names = {
            "kind": kind,
            "chapter": chapters[_naming_chapter(atlas, kind)],
            "title": _NAME_TITLES[kind],
            "rules": _rules(atlas) if kind == "behaviour" else "",
            "choices": [],
            "heads": list(empty),
            "confidence": list(nothing),
            "second": list(empty),
            "second_confidence": list(nothing),
        }
        for choice, name in enumerate(named):
            made["choices"].append(_choice(kind, name))
            for k, layer, head, sure in name["heads"]:
                at = places[cast(Any, (k, layer, head))]
                made["heads"][at], made["confidence"][at] = choice, round_digits(sure)
            for k, layer, head, sure in name["second"]:
                if name["name"] != NONE:
                    at = places[cast(Any, (k, layer, head))]
                    made["second"][at], made["second_confidence"][at] = choice, round_digits(sure)
        kinds.append(made)
    return kinds


def _program_names(evidence: Evidence) -> Iterator[Names]:
    """The largest part of each head that is shown to be a sum of programs, with its share."""
    parts = evidence.largest_parts
    order = [*(name for name in PROGRAMS if any(part and part.program == name for part in parts))]
    order += sorted({part.program for part in parts if part} - {*order, NONE})  # a user's
    if not order:
        return
    light, dark = ([*head_colours(len(order), theme), BARE[theme]] for theme in ("light", "dark"))
    order.append(NONE)
    titles = [NOT_A_SUM if name == NONE else program_words(name) for name in order]
    named = zip(order, titles, light, dark, strict=True)
    yield {
        "kind": "program",
        "chapter": next(part.chapter for part in parts if part),
        "title": "What the head mostly looks at",
        "rules": "The largest part of its sum of programs, and that part's share of its weights.",
        "choices": [
            {
                "name": name,
                "title": title,
                "light": light,
                "dark": dark,
                "meaning": "",
                "quiet": name in QUIET,
            }
            for name, title, light, dark in named
        ],
        "heads": [None if part is None else order.index(part.program) for part in parts],
        "confidence": numbers(np.array([math.nan if part is None else part.share for part in parts])),
        "second": [None] * len(parts),
        "second_confidence": [None] * len(parts),
    }


def _rules(atlas: Atlas) -> str:
    """What it takes for a head to have a behaviour; kind by kind where there are several."""
    chapter = _naming_chapter(atlas, "behaviour")
    rules = {kind: behaviour_rules(atlas, chapter, kind) for kind in atlas.kinds}
    if len(rules) == 1:
        return next(iter(rules.values()))
    return " ".join(f"{KIND_NAMES[kind]}: {rule}" for kind, rule in rules.items() if rule)


def _choice(kind: NameKind, name: Any) -> NameChoice:
    meaning = "nothing that was looked for fits" if name["name"] == NONE else ""
    return {
        "name": name["name"],
        "title": name["title"],
        "light": name["light"],
        "dark": name["dark"],
        "quiet": name["name"] in QUIET,
        "meaning": meaning or _MEANINGS[kind].get(name["name"], ""),
    }


def _naming_chapter(atlas: Atlas, kind: str) -> str:
    having = set(atlas.heads.loc[atlas.heads["statistic"] == kind, "chapter"])
    return next(chapter for chapter in atlas.chapters if chapter in having)


def _heads(atlas: Atlas) -> Heads:
    heads = atlas.addresses
    return {
        "address": addresses_of(atlas),
        "kind": [h.kind for h in heads],
        "layer": [h.layer for h in heads],
        "head": [h.head for h in heads],
        "plane": _plane(atlas, heads),
    }


def _plane(atlas: Atlas, heads: tuple[Head, ...]) -> list[tuple[float, float]] | None:
    at: dict[Head, tuple[float, float]] = {}
    for kind in atlas.kinds:
        plane, order = atlas.array(f"{kind}.plane"), atlas.array(f"{kind}.heads")
        if plane is None or order is None or len(plane) != len(order):
            return None
        for (layer, head), (x, y) in zip(order.tolist(), plane.tolist(), strict=True):
            at[Head(kind, layer, head)] = (round_digits(x), round_digits(y))
    return [at[head] for head in heads] if all(head in at for head in heads) else None


def _layers(sentences: Sentences) -> Iterable[LayerMeans]:
    columns = sentences.columns
    for number, column in enumerate(columns.all):
        if column.group not in column.known.overview:
            continue
        for kind in sentences.atlas.kinds:
            layers = [h.layer if h.kind == kind else -1 for h in columns.heads]
            means, errors = [], []
            for layer in range(max(layers) + 1):
                values = column.values[[place for place, at in enumerate(layers) if at == layer]]
                values = values[np.isfinite(values)]
                means.append(float(values.mean()) if len(values) else math.nan)
                errors.append(
                    float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan
                )
            yield {
                "kind": kind,
                "statistic": number,
                "means": numbers(np.array(means)),
                "stderr": numbers(np.array(errors)),
            }


def _missing(atlas: Atlas) -> list[Missing]:
    return [
        {"what": what, "why": why, "command": command}
        for what, why, command in missing_from(atlas, model_name(atlas), folder_name(atlas))
    ]
