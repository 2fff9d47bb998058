"""Names of heads in an atlas, by each of three kinds of rules: behaviour, pattern and shape."""

from __future__ import annotations

from typing import cast

import pandas as pd

from attlas.atlas import Atlas, statistic
from attlas.choices import MapKind, ThemeName
from attlas.views.contract import NAME_KINDS, NameKind, SceneName
from attlas.views.palette import BARE, QUIET, head_colours
from attlas.wording import names
from attlas.wording.names import NONE

#: statistic of `heads.parquet` -> the kind of name it gives
BEST: dict[str, NameKind] = {kind: kind for kind in NAME_KINDS}
SECOND: dict[str, NameKind] = {names.SECOND[kind]: kind for kind in NAME_KINDS}

Named = list[tuple[MapKind, int, int, float]]


def by_chapter(atlas: Atlas) -> pd.DataFrame:
    """The heads of an atlas in the order of its chapters: where several say the same, the first is right."""
    order = {chapter: i for i, chapter in enumerate(atlas.chapters)}
    return atlas.heads.sort_values("chapter", key=lambda chapter: chapter.map(order), kind="stable")


def names_of(rows: pd.DataFrame) -> list[SceneName]:
    """The names in rows of an atlas, those of one kind together, in an order that no head changes."""
    best, second = _by_name(rows, BEST), _by_name(rows, SECOND)
    names: list[SceneName] = []
    for kind in NAME_KINDS:
        order = _order(kind, {name for named_kind, name in [*best, *second] if named_kind == kind})
        for name, place in order.items():
            light, dark = (
                BARE[theme] if name == NONE else colour_of(name, place, theme) for theme in ("light", "dark")
            )
            heads, seconds = best.get((kind, name), []), second.get((kind, name), [])
            names.append(
                {
                    "kind": kind,
                    "name": name,
                    "title": statistic(kind).group_name(name),
                    "light": light,
                    "dark": dark,
                    "heads": heads,
                    "second": seconds,
                }
            )
    return names


def colour_of(name: str, place: int, theme: ThemeName) -> str:
    """Vivid by its place among the names of its kind; quiet where the name says least."""
    return QUIET[name][theme] if name in QUIET else head_colours(place + 1, theme)[place]


def _by_name(rows: pd.DataFrame, statistics: dict[str, NameKind]) -> dict[tuple[NameKind, str], Named]:
    """Kind and name -> the heads that have it. Where chapters differ, the first to name a head is right."""
    rows = rows[rows["statistic"].isin(list(statistics)) & (rows["value"] >= 0)]
    rows = rows.assign(rule=rows["statistic"].map(statistics))
    rows = rows.drop_duplicates(["kind", "layer", "head", "rule"])
    heads: dict[tuple[NameKind, str], Named] = {}
    columns = ["rule", "group", "kind", "layer", "head", "value"]
    for rule, group, kind, layer, head, value in rows[columns].itertuples(index=False):
        row = cast(MapKind, kind), int(layer), int(head), float(value)
        heads.setdefault((rule, str(group)), []).append(row)
    return heads


def _order(kind: NameKind, there: set[str]) -> dict[str, int]:
    """Name -> the place of its colour: the registry's order, so that a name has one colour in all atlases."""
    known = [name for name in statistic(kind).group_names if name != NONE]
    others = sorted(there - {*known, NONE})
    places = {name: place for place, name in enumerate([*known, *others, NONE])}
    return {name: place for name, place in places.items() if name in there}
