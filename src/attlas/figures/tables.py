"""The page's tables, as data: every head of a layer with its statistics and strongest examples, and what
studies concluded."""

from __future__ import annotations

from typing import Any

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.atlas.describe import accuracy_said, baseline_said, records, weight_said
from attlas.atlas.passages import Passage, passages
from attlas.atlas.registry import REGISTRY, statistic
from attlas.atlas.schema import STRONGEST
from attlas.atlas.words import chance_of, count
from attlas.figures.disabling_figures import disabling_table
from attlas.figures.head_measures import Measure, measured
from attlas.figures.reader_words import KIND_NAMES, behaviour_name, plain

DIGITS = 3  # of values in a table


def layer_tables(atlas: Atlas, chapter: str, kind: Kind) -> dict[str, Any]:
    """The columns, and for every layer its title, its gist, its rows and its examples."""
    measures = measured(atlas, chapter, kind)
    behaviours = atlas.names("behaviour", kind, chapter)
    patterns = atlas.names("pattern", kind)
    passages_of: dict[Head, list[Passage]] = {}
    for passage in (p for p in passages(atlas, chapter=chapter) if p.sample == STRONGEST):
        passages_of.setdefault(passage.head, []).append(passage)
    layers: dict[int, list[Head]] = {}
    for address in atlas.addresses:
        if address.kind == kind:
            layers.setdefault(address.layer, []).append(address)
    name = f"{KIND_NAMES[kind]} layer" if len(atlas.kinds) > 1 else "Layer"
    return {
        "columns": [m.short for m in measures],
        "patterns": bool(patterns),
        "layers": [
            {
                "title": f"{name} {layer}",
                "gist": _gist(heads, behaviours),
                "rows": [_row(head, behaviours.get(head), patterns.get(head), measures) for head in heads],
                "examples": [(str(head), passages_of[head]) for head in heads if head in passages_of],
            }
            for layer, heads in layers.items()
        ],
    }


def _gist(heads: list[Head], behaviours: dict[Head, str]) -> str:
    have = [behaviours[h] for h in heads if h in behaviours]
    counted = ", ".join(f"{have.count(la)} {behaviour_name(la)}" for la in dict.fromkeys(have))
    return f"{count(len(heads), 'head')}{f': {counted}' if counted else ''}"


def _row(head: Head, behaviour: str | None, pattern: str | None, measures: list[Measure]) -> dict[str, Any]:
    return {
        "head": head,
        "behaviour": behaviour_name(behaviour) if behaviour else "",
        "pattern": plain(REGISTRY["pattern"].group_name(pattern), 40) if pattern else "",
        "cells": [what.of(head, DIGITS).partition(" ± ")[::2] for what in measures],
    }


def study_table(atlas: Atlas, chapter: str) -> dict[str, Any]:
    """The columns and rows of a study's table, in words. Heads are also given as the papers count them."""
    best, weights = (atlas.tables.get(f"{chapter}/{name}") for name in ("best", "weights"))
    if best is not None:
        columns = ["", "links", "head", "in papers", "share (95 %)", "baseline", "p"]
        return {"columns": columns, "rows": [_best(row, len(atlas.kinds) > 1) for row in records(best)]}
    if (disabling := disabling_table(atlas, chapter)) is not None:
        return disabling
    rows = records(weights) if weights is not None else []
    return {
        "columns": ["", "head", "in papers", "weight", "n"],
        "rows": [_weight(row, len(atlas.kinds) > 1) for row in rows],
    }


def _best(row: dict[str, Any], full: bool) -> list[str]:
    links, p = row.get("links"), row.get("p")
    points = {"to": "to it", "from": "from it"}.get(str(row.get("direction")), "")
    return [
        plain(f"{row.get('group', '')} {f'({points})' if points else ''}".strip(), 60),
        f"{links:,}" if isinstance(links, int) else "",
        *_heads(row, full),
        accuracy_said(row),
        plain(baseline_said(row), 60),
        chance_of(p).removeprefix("p = ").removeprefix("p ") if isinstance(p, float) else "",
    ]


def _weight(row: dict[str, Any], full: bool) -> list[str]:
    group = str(row.get("group", ""))
    about = statistic(str(row["statistic"])).titled(group) if "statistic" in row else group
    n = row.get("n")
    return [plain(about, 60), *_heads(row, full), weight_said(row), f"{n:,}" if isinstance(n, int) else ""]


def _heads(row: dict[str, Any], full: bool) -> tuple[str, str]:
    head = Head(row["kind"], int(row["layer"]), int(row["head"]))
    return head.full if full else str(head), f"{head.layer + 1}-{head.head + 1}"
