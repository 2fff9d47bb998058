"""From an atlas to the document that the page shows (`contract`)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import PurePath
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from attlas.address import Head
from attlas.atlas import Atlas
from attlas.atlas.atlas import contents
from attlas.atlas.names import NONE
from attlas.atlas.passages import has_spaces, spelled
from attlas.atlas.vocabulary import BEHAVIOUR_MEANS, PATTERN_DOES, SHAPE_MEANS
from attlas.atlas.words import model_title
from attlas.reports.asking import addresses_of, finder_of, folder_name, model_name, sentences_of
from attlas.reports.columns import Column
from attlas.reports.evidence import MOST_CHANGES, MOST_RELATIONS, gain_of
from attlas.reports.page_contract import (
    SCHEMA,
    Card,
    Chapter,
    ExampleKind,
    Grid,
    HeadExamples,
    Heads,
    LayerMeans,
    Missing,
    Model,
    NameChoice,
    Names,
    Numbers,
    Report,
    Statistic,
    TokenList,
    TypicalMap,
)
from attlas.reports.programme import chapter_command, missing_from
from attlas.reports.sentences import Sentences, chapter_title
from attlas.views.contract import NAME_KINDS, NameKind, Section
from attlas.views.head_names import names_of

ALIKE = 5  # heads most like another
DIGITS = 7  # of a number in the page: what float32 tells apart
_MEANINGS: Mapping[str, Mapping[str, str]] = {
    "behaviour": BEHAVIOUR_MEANS,
    "pattern": PATTERN_DOES,
    "shape": SHAPE_MEANS,
}
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


@dataclass
class _Block:
    """Arrays of bytes, one after the other."""

    parts: list[bytes] = field(default_factory=list)
    size: int = 0

    def add(self, array: npt.NDArray[np.uint8]) -> Section:
        section: Section = {"at": self.size, "type": "u8", "shape": list(array.shape)}
        self.parts.append(array.tobytes() + b"\0" * (-array.size % 4))
        self.size += len(self.parts[-1])
        return section


@dataclass
class _Tokens:
    """The lists of tokens that cards point into, each once."""

    atlas: Atlas
    lists: list[TokenList] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    def place(self, key: str) -> int:
        """Of the list CHAPTER/NAME."""
        if key not in self.places:
            tokens = self.atlas.tokens[key]
            spaced = has_spaces(tokens)
            shown = [spelled(token, spaced) for token in tokens]
            gaps = "".join("s" if apart and at else "-" for at, (_, apart) in enumerate(shown))
            self.lists.append({"tokens": [text for text, _ in shown], "gaps": gaps})
            self.places[key] = len(self.lists) - 1
        return self.places[key]


def assemble(atlas: Atlas) -> PackedReport:
    """Everything that the atlas knows, as the page takes it."""
    sentences = sentences_of(atlas)
    chapters = {name: number for number, name in enumerate(atlas.chapters)}
    block, tokens = _Block(), _Tokens(atlas)
    cards = _cards(atlas, sentences, chapters, tokens, block)
    report: Report = {
        "schema": SCHEMA,
        "made": {
            "attlas": version("attlas"),
            "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
            "atlas": PurePath(atlas.path).name if atlas.path is not None else "",
            "command": f"attlas report {folder_name(atlas)} --page PAGE.html",
        },
        "model": _model(atlas),
        "chapters": _chapters(atlas),
        "statistics": [_statistic(c, chapters, atlas, sentences) for c in sentences.columns.all],
        "names": _names(atlas, chapters),
        "heads": _heads(atlas),
        "cards": cards,
        "tokens": tokens.lists,
        "stands_out": sentences.stands_out(),
        "layers": list(_layers(sentences)),
        "missing": _missing(atlas),
        "finder": finder_of(atlas, sentences),
        "bytes": block.size,
    }
    return PackedReport(_finite(report), b"".join(block.parts))


def _model(atlas: Atlas) -> Model:
    about = atlas.model
    grids: list[Grid] = []
    for kind in atlas.kinds:
        own = [head for head in atlas.addresses if head.kind == kind]
        layers, width = max(h.layer for h in own) + 1, max(h.head for h in own) + 1
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


def _chapters(atlas: Atlas) -> list[Chapter]:
    table = contents(atlas)
    return [
        _chapter(atlas, str(row["chapter"]), cast(dict[str, Any], row)) for row in table.to_dict("records")
    ]


def _chapter(atlas: Atlas, name: str, line: dict[str, Any]) -> Chapter:
    about = atlas.about(name)
    counts, time = about.get("counts") or {}, about.get("time") or {}
    notes = about.get("notes") or []
    settings = {**(about.get("source") or {}), **(about.get("settings") or {})}
    return {
        "name": name,
        "title": chapter_title(str(line["study"]), str(line["corpus"]).removesuffix(".conllu")),
        "study": str(line["study"]),
        "corpus": str(line["corpus"]),
        "read": [part for part in str(line["items"]).split(", ") if part],
        "documents": counts.get("documents"),
        "notes": [str(note) for note in (notes if isinstance(notes, list) else [notes])],
        "when": str(line["when"]),
        "seconds": time.get("seconds"),
        "software": {str(k): str(v) for k, v in (about.get("software") or {}).items()},
        "settings": {str(k): str(v) for k, v in settings.items() if not isinstance(v, dict)},
        "command": chapter_command(about, model_name(atlas), folder_name(atlas)),
    }


def _statistic(column: Column, chapters: Mapping[str, int], atlas: Atlas, sentences: Sentences) -> Statistic:
    known = column.known
    line = contents_line(atlas, column.chapter)
    several = [c for c in sentences.columns.all if c.key == column.key]
    key = column.key if several[0] is column else f"{column.chapter}.{column.key}"
    n = [None if not many else int(many) for many in column.n]
    of_all = {many for many in n if many is not None}
    meaning = known.meaning or known.called(column.group)
    made: Statistic = {
        "name": column.name,
        "group": column.group,
        "key": key,
        "chapter": chapters[column.chapter],
        "family": known.family,
        "title": known.called(column.group),
        "short": known.shortened(column.group),
        "unit": known.unit,
        "low": known.low if math.isfinite(known.low) else None,
        "high": known.high if math.isfinite(known.high) else None,
        "chance": known.chance.replace("`", ""),
        "definition": f"{meaning[:1].upper()}{meaning[1:].replace('`', '')}. {line}",
        "more": {True: "better", False: "worse", None: ""}[known.more_is_better],  # type: ignore[typeddict-item]
        "overview": column.group in known.overview,
        "values": _numbers(column.values),
        "stderr": _numbers(column.stderr),
        "n": of_all.pop() if len(of_all) == 1 and None not in n else n,
    }
    if column.name == "pattern_score":
        null = sentences.columns.get("pattern_null", column.group)
        if null is not None:
            made["chances"] = _numbers(null.values)
    if known.family == "link":
        baseline = _baseline(atlas, column)
        if baseline is not None:
            made["baseline"] = _rounded(baseline)
    return made


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
    own = table[table["group"] == column.group]["baseline_accuracy"]
    return float(own.iloc[0]) if len(own) else None


def _names(atlas: Atlas, chapters: Mapping[str, int]) -> list[Names]:
    rows = atlas.heads[atlas.heads["statistic"].isin([*NAME_KINDS, *(f"second_{k}" for k in NAME_KINDS)])]
    places = {(h.kind, h.layer, h.head): place for place, h in enumerate(atlas.addresses)}
    found: list[Names] = []
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
                made["heads"][at], made["confidence"][at] = choice, _rounded(sure)
            for k, layer, head, sure in name["second"]:
                if name["name"] != NONE:
                    at = places[cast(Any, (k, layer, head))]
                    made["second"][at], made["second_confidence"][at] = choice, _rounded(sure)
        found.append(made)
    return found


def _choice(kind: NameKind, name: Any) -> NameChoice:
    meaning = "nothing that was looked for fits" if name["name"] == NONE else ""
    return {
        "name": name["name"],
        "title": name["title"],
        "light": name["light"],
        "dark": name["dark"],
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
    found: dict[Head, tuple[float, float]] = {}
    for kind in atlas.kinds:
        plane, order = atlas.array(f"{kind}.plane"), atlas.array(f"{kind}.heads")
        if plane is None or order is None or len(plane) != len(order):
            return None
        for (layer, head), (x, y) in zip(order.tolist(), plane.tolist(), strict=True):
            found[Head(kind, layer, head)] = (_rounded(x), _rounded(y))
    return [found[head] for head in heads] if all(head in found for head in heads) else None


def _cards(
    atlas: Atlas, sentences: Sentences, chapters: Mapping[str, int], tokens: _Tokens, block: _Block
) -> list[Card]:
    evidence = sentences.evidence
    numbers = {(c.chapter, c.name, c.group): number for number, c in enumerate(sentences.columns.all)}
    statistic_of = {"to": "dependent_to_head", "from": "head_to_dependent"}
    examples = _examples(atlas, tokens)
    maps, alike = _typical_maps(atlas, tokens, block), _alike(atlas)
    cards: list[Card] = []
    for place in range(len(atlas.addresses)):
        said, known = sentences.card(place)
        relations = [r for r in evidence.relations[place] if gain_of(r) > 0 or r["best"]][:MOST_RELATIONS]
        for relation in relations:
            key = atlas.chapters[relation["chapter"]], statistic_of[relation["direction"]], relation["group"]
            relation["statistic"] = numbers.get(key)
        near = alike.get(place)
        cards.append(
            {
                "sentences": said,
                "known": known,
                "relations": relations,
                "effects": evidence.effects[place],
                "changes": evidence.changes[place][:MOST_CHANGES],
                "matches": evidence.matches[place],
                "examples": examples[place],
                "looks_from": None,
                "looks_at": None,
                "map": maps.get(place),
                "alike": near[1] if near else [],
                "alike_chapter": chapters[near[0]] if near else None,
            }
        )
    return cards


def _examples(atlas: Atlas, tokens: _Tokens) -> list[HeadExamples]:
    found: list[HeadExamples] = [
        {"kind": [], "step": [], "weight": [], "tokens": [], "query": [], "key": [], "key_tokens": []}
        for _ in atlas.addresses
    ]
    if atlas.examples.empty:
        return found
    places = {head: place for place, head in enumerate(atlas.addresses)}
    at_work = {key.partition("/")[0] for key in atlas.tables if key.endswith("/at_work")}
    rows = atlas.examples.sort_values(["kind", "layer", "head", "rank"], kind="stable")
    for row in rows.to_dict("records"):
        place = places.get(Head(row["kind"], int(row["layer"]), int(row["head"])))
        if place is None:
            continue
        own, chapter = found[place], row["chapter"]
        other = row["key_tokens"] not in ("", row["tokens"])
        sample, _, step = str(row["sample"]).partition(" ")
        own["kind"].append(cast(ExampleKind, "at_work" if chapter in at_work else sample))
        own["step"].append(int(step) if step else None)
        own["weight"].append(_rounded(float(row["weight"])))
        own["tokens"].append(tokens.place(f"{chapter}/{row['tokens']}"))
        own["query"].append(int(row["query"]))
        own["key"].append(int(row["key"]))
        own["key_tokens"].append(tokens.place(f"{chapter}/{row['key_tokens']}") if other else None)
    return found


def _typical_maps(atlas: Atlas, tokens: _Tokens, block: _Block) -> dict[int, TypicalMap]:
    """Of each head the map whose text shows it best at what it does on average."""
    places = {head: place for place, head in enumerate(atlas.addresses)}
    found: dict[int, TypicalMap] = {}
    for kind in atlas.kinds:
        chapter = atlas.chapter_with(array=f"{kind}.typical")
        if chapter is None:
            continue
        maps, items, heads = (
            atlas.array(f"{kind}.{name}", chapter) for name in ("typical", "typical_items", "heads")
        )
        if maps is None or items is None or heads is None or not maps.shape[1]:
            continue
        for own, item, (layer, head) in zip(maps[:, 0], items[:, 0].tolist(), heads.tolist(), strict=True):
            key = f"{chapter}/typical.{item[0]}.{item[1]}.{kind}"
            place = places.get(Head(kind, layer, head))
            if place is None or key not in atlas.tokens:
                continue
            size = min(len(atlas.tokens[key]), len(own))
            weights = own[:size, :size].astype(np.float64)
            scale = float(weights.max()) or 1.0
            coded = np.rint(255 * np.sqrt(np.clip(weights / scale, 0, 1))).astype(np.uint8)
            section = block.add(coded)
            found[place] = {"weights": section, "scale": _rounded(scale), "tokens": tokens.place(key)}
    return found


def _alike(atlas: Atlas) -> dict[int, tuple[str, list[tuple[int, float]]]]:
    """For each head the chapter that has distances, and the nearest heads with theirs."""
    places = {head: place for place, head in enumerate(atlas.addresses)}
    found: dict[int, tuple[str, list[tuple[int, float]]]] = {}
    for kind in atlas.kinds:
        chapter = atlas.chapter_with(array=f"{kind}.distances")
        if chapter is None:
            continue
        distances, order = atlas.array(f"{kind}.distances", chapter), atlas.array(f"{kind}.heads", chapter)
        if distances is None or order is None or len(order) < 2:
            continue
        at = [places[Head(kind, layer, head)] for layer, head in order.tolist()]
        apart = distances + np.diag(np.full(len(order), np.inf))
        nearest = np.argsort(apart, axis=1, kind="stable")[:, : min(ALIKE, len(order) - 1)]
        for row, near in enumerate(nearest.tolist()):
            found[at[row]] = chapter, [(at[n], _rounded(float(distances[row, n]))) for n in near]
    return found


def _layers(sentences: Sentences) -> Iterable[LayerMeans]:
    columns = sentences.columns
    for number, column in enumerate(columns.all):
        if column.group not in column.known.overview:
            continue
        for kind in sentences.atlas.kinds:
            own = [h.layer if h.kind == kind else -1 for h in columns.heads]
            means, errors = [], []
            for layer in range(max(own) + 1):
                values = column.values[[place for place, at in enumerate(own) if at == layer]]
                values = values[np.isfinite(values)]
                means.append(float(values.mean()) if len(values) else math.nan)
                errors.append(
                    float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan
                )
            yield {
                "kind": kind,
                "statistic": number,
                "means": _numbers(np.array(means)),
                "stderr": _numbers(np.array(errors)),
            }


def _missing(atlas: Atlas) -> list[Missing]:
    return [
        {"what": what, "why": why, "command": command}
        for what, why, command in missing_from(atlas, model_name(atlas), folder_name(atlas))
    ]


def _numbers(values: npt.NDArray[np.float64]) -> Numbers:
    return [_rounded(float(v)) if math.isfinite(v) else None for v in values]


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _finite(value: Any) -> Any:
    """As JSON takes it, which knows neither infinity nor NaN."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return value
