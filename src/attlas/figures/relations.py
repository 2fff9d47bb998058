"""Heat maps of what studies concluded: every head, and the one that the study's table names."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.atlas.describe import accuracy_said, baseline_said, records, significance, weight_said
from attlas.atlas.registry import REGISTRY, in_order, statistic
from attlas.atlas.words import number
from attlas.figures.heat_map import heat_map, heat_top
from attlas.figures.layout import Group, Panel
from attlas.figures.theme import Theme
from attlas.figures.words import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 9  # heat maps in a figure


def relation_chapters(atlas: Atlas) -> list[str]:
    """Those with a table of links or weights."""
    return [c for c in atlas.chapters if f"{c}/best" in atlas.tables or f"{c}/weights" in atlas.tables]


def relations(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    made: list[Panel] = []
    for name in ("best", "weights"):
        table = atlas.tables.get(f"{chapter}/{name}")
        shown: set[Any] = set()
        for row in records(table[table["kind"] == kind]) if table is not None else ():
            measured = _statistic(atlas, chapter, name, row)
            about = measured, row["group"]
            if len(made) == MOST or about in shown or measured is None:
                continue
            shown.add(about)
            if atlas.has(measured, row["group"], kind, chapter):
                made.append(_panel(atlas, chapter, kind, name, measured, row))
    return Group(kind, tuple(made), absent="" if made else "No study of this atlas names heads of this kind.")


def _statistic(atlas: Atlas, chapter: str, table: str, row: dict[str, Any]) -> str | None:
    """The statistic that a row of a table is about. Links have two, for the two directions."""
    if table == "weights" and "statistic" in row:
        return str(row["statistic"])
    family = "link" if table == "best" else "weight"
    own = atlas.heads["statistic"][atlas.heads["chapter"] == chapter].unique()
    names = sorted((n for n in own if n in REGISTRY and REGISTRY[n].family == family), key=in_order)
    place = 1 if row.get("direction") == "from" else 0
    return names[place] if place < len(names) else None


def _panel(atlas: Atlas, chapter: str, kind: Kind, table: str, measured: str, row: dict[str, Any]) -> Panel:
    group = str(row["group"])
    values = atlas.grid(measured, group, kind, chapter=chapter)
    head = Head(kind, int(row["layer"]), int(row["head"]))
    if table == "best":
        lines = [f"head {head}: {accuracy_said(row)}", baseline_said(row), significance(row).strip(", ")]
    else:
        lines = [
            f"head {head}: {part}" if i == 0 else part for i, part in enumerate(weight_said(row).split(", "))
        ]
    lines.append(f"colours from 0 to {number(heat_top(values), 3)}")
    return Panel(
        title=plain(statistic(measured).titled(group), 60),
        subtitle="\n".join(line for line in lines if line),
        says=f"Heat map of layers by heads. The table names {'; '.join(line for line in lines if line)}.",
        draw=partial(_draw, values=values, head=head),
        width=270,
        height=max(190, 60 + 8 * len(values)),
        margins=(36, 4, 4, 42),
    )


def _draw(ax: Axes, theme: Theme, values: npt.NDArray[np.float64], head: Head) -> None:
    heat_map(ax, theme, values, outlined=head)
