"""How a chart is declared: `@chart(NAME, title=..., caption=..., place=...)`, above the function that makes
its panels, in any file of `charts/`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.figures.layout import Group

MakeGroup = Callable[[Atlas, str, Kind], Group]  # of a chapter and a kind of heads
FindChapters = Callable[[Atlas], list[str]]


@dataclass(frozen=True)
class Recipe:
    """How a figure is made. `chapters` finds those that it can be drawn of; None: all that have surface
    statistics. `surface`: it shows surface statistics, not what another study found."""

    file: str
    title: str
    caption: str
    group: MakeGroup
    chapters: FindChapters | None
    surface: bool
    place: int


#: every figure, by name, in the order in which files are read
DECLARED: dict[str, Recipe] = {}


def chart(
    name: str,
    *,
    title: str,
    caption: str,
    place: int,
    number: str = "",
    table: str = "",
    chapters: FindChapters | None = None,
    surface: bool = False,
) -> Callable[[MakeGroup], MakeGroup]:
    """Declare a figure: of the chapters with this table, of those that `chapters` finds, or of surface
    statistics. `place`: where it stands among the figures; `number`: its number in Clark 2019, if any."""
    file = f"figure-{number}-{name}" if number else f"figure-{name}"
    if table:
        chapters = lambda atlas: [c for c in atlas.chapters if f"{c}/{table}" in atlas.tables]  # noqa: E731

    def declare(group: MakeGroup) -> MakeGroup:
        shows_surface = surface or chapters is None
        DECLARED[name] = Recipe(file, title, caption, group, chapters, shows_surface, place)
        return group

    return declare


def rows_of_kind(atlas: Atlas, chapter: str, table: str, kind: Kind) -> pd.DataFrame | None:
    """The rows of a chapter's table about one kind of heads; None where there are none."""
    rows = atlas.tables.get(f"{chapter}/{table}")
    rows = None if rows is None else rows[rows["kind"] == kind]
    return None if rows is None or rows.empty else rows
