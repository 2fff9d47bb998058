"""How a chart is declared: with `@chart(NAME, title=..., caption=...)`, above what makes its panels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.figures.layout import Group

MakeGroup = Callable[[Atlas, str, Kind], Group]  # of a chapter and a kind of heads
FindChapters = Callable[[Atlas], list[str]]


@dataclass(frozen=True)
class Recipe:
    """What is known of a figure. `chapters` finds those that it can be drawn of, where these are not all that
    have surface statistics. `surface`: it shows surface statistics, not what another study found."""

    file: str
    number: str  # in Clark 2019; empty for a figure of our own
    title: str
    caption: str
    group: MakeGroup
    chapters: FindChapters | None
    surface: bool
    place: int


#: those of the files that were imported; `charts.FIGURES` has all
DECLARED: dict[str, Recipe] = {}


def chart(
    name: str,
    *,
    title: str,
    caption: str,
    number: str = "",
    chapters: FindChapters | None = None,
    surface: bool = False,
    place: int = 99,
) -> Callable[[MakeGroup], MakeGroup]:
    """`place`: where it stands among the figures."""
    file = f"figure-{number}-{name}" if number else f"figure-{name}"

    def declare(group: MakeGroup) -> MakeGroup:
        shows_surface = surface or chapters is None
        DECLARED[name] = Recipe(file, number, title, caption, group, chapters, shows_surface, place)
        return group

    return declare
