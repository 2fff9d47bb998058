"""The patterns that name heads: how many heads have each, and in which layers they are."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.atlas.names import NONE, PATTERNS
from attlas.atlas.registry import REGISTRY
from attlas.atlas.words import count, uncertain
from attlas.figures.chart import chart
from attlas.figures.head_measures import Grid
from attlas.figures.heat_map import heat_map
from attlas.figures.layout import Group, Panel
from attlas.figures.panels import LAYER_AXIS
from attlas.figures.theme import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED = (
    "The pattern that each head follows most clearly, beyond what chance would give. The stronger the "
    "colour, the more heads of the layer have the name."
)
_ROW = 21.0  # points that a pattern takes
#: of what heads do, what is told first: what fewest models do, and what is not position alone
_TELLING = (
    "retrieval",
    "successor",
    "copy_suppression",
    "function_vector",
    "query_focus",
    "induction",
    "long_induction",
    "duplicate",
    "previous",
    "next",
)


def pattern_chapters(atlas: Atlas) -> list[str]:
    return [c for c in atlas.chapters if f"{c}/patterns" in atlas.tables]


@chart("patterns", title="What heads attend to", caption=NAMED, chapters=pattern_chapters, place=9)
def patterns(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """How many heads follow each pattern, and in which layers they are."""
    named = _named(atlas, chapter, kind)
    if set(named.values()) <= {NONE}:
        return Group(kind, absent="No pattern that was looked for fits any of these heads.")
    counted = Counter(named.values())
    order = [name for name in (*PATTERNS, NONE) if name in counted]
    titles = [REGISTRY["pattern"].group_name(name) for name in order]
    layers = 1 + max(head.layer for head in named)
    grid = np.zeros((len(order), layers))  # pattern layer
    for head, name in named.items():
        grid[order.index(name), head.layer] += 1
    height = 60 + _ROW * len(order)
    said = ", ".join(f"{title} {counted[name]}" for name, title in zip(order, titles, strict=True))
    best = [foremost(atlas, chapter, kind, name) for name in order if name != NONE]
    return Group(
        kind,
        (
            Panel(
                "Heads of each name",
                f"Heads of each name: {said}.",
                partial(_bars, titles=titles, many=[counted[name] for name in order]),
                height=height,
                margins=(172, 8, 8, 42),
            ),
            Panel(
                "By layer",
                f"Heads of each name, layer by layer. {said}.",
                partial(_by_layer, titles=titles, grid=grid),
                subtitle=f"from 1 head to {count(int(grid.max()), 'head')} of a layer",
                height=height,
                margins=(172, 8, 8, 42),
            ),
        ),
        note=(f"The foremost: {'; '.join(said for said in best if said)}.",) if any(best) else (),
    )


def _named(atlas: Atlas, chapter: str, kind: Kind) -> dict[Head, str]:
    """Every head of the kind with its name, or `none`."""
    names = atlas.names("pattern", kind, chapter)
    return {head: names.get(head, NONE) for head in atlas.addresses if head.kind == kind}


def foremost(atlas: Atlas, chapter: str, kind: Kind, pattern: str) -> str:
    """induction 18.6 (0.885 ± 0.004, by chance 0.024); empty where no head has that name"""
    named = atlas.names("pattern", kind, chapter)
    table = atlas.tables[f"{chapter}/patterns"]
    rows = table[(table["kind"] == kind) & (table["pattern"] == pattern)]
    for row in rows.sort_values("score", ascending=False, kind="stable").to_dict("records"):
        head = Head(kind, int(row["layer"]), int(row["head"]))
        if named.get(head) == pattern:
            score = uncertain(float(row["score"]), float(row["stderr"]), 3)
            title = REGISTRY["pattern"].group_name(pattern)
            return f"{title} {head} ({score}, by chance {float(row['null']):.3f})"
    return ""


def _bars(ax: Axes, theme: Theme, titles: list[str], many: list[int]) -> None:
    places = np.arange(len(titles))
    colours = [theme.colour("other") if title == NONE else theme.colour("next") for title in titles]
    ax.barh(places, many, color=colours, height=0.62)
    for place, n in zip(places, many, strict=True):
        ax.text(n + 0.02 * max(many), float(place), f"{n:,}", va="center", color=theme.ink)
    ax.set_yticks(places, titles)
    ax.tick_params(axis="y", labelcolor=theme.ink)
    ax.invert_yaxis()
    ax.set_ylim(len(titles) - 0.5, -0.5)
    ax.set_xlim(0, 1.15 * max(many))
    ax.grid(visible=False, axis="y")
    ax.set_xlabel("heads")


def _by_layer(ax: Axes, theme: Theme, titles: list[str], grid: Grid) -> None:
    heat_map(ax, theme, np.where(grid > 0, grid, np.nan), top=float(grid.max()))
    ax.set_yticks(np.arange(len(titles)), titles)
    ax.tick_params(axis="y", labelcolor=theme.ink)
    ax.set_ylabel("")
    ax.set_xlabel(LAYER_AXIS)
