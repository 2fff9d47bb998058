"""The patterns that name heads: how many heads have each, and where; and the contact sheet of one head."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.atlas import Atlas
from attlas.atlas.atlas import AnyHead
from attlas.atlas.registry import REGISTRY
from attlas.errors import AttlasError, call, option
from attlas.figures.chart import chart
from attlas.figures.head_measures import token
from attlas.figures.heat_map import heat_map
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.panels import LAYER_AXIS
from attlas.figures.theme import TEXT, Theme, token_fonts
from attlas.figures.weight_marks import draw_cells
from attlas.wording.names import NONE, PATTERNS
from attlas.wording.numbers import count, uncertain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED = (
    "The pattern that each head follows most clearly, beyond what chance would give. The stronger the "
    "colour, the more heads of the layer have the name."
)
MOST_TOKENS = 24  # that are spelled along an axis; of a longer text the first are shown
_ROW = 21.0  # points that a pattern takes


@chart("patterns", title="What heads attend to", caption=NAMED, table="patterns", place=9)
def patterns(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """How many heads follow each pattern, and in which layers they are."""
    names = atlas.names("pattern", kind, chapter)
    named = {head: names.get(head, NONE) for head in atlas.addresses if head.kind == kind}
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
                partial(_draw_counts, titles=titles, many=[counted[name] for name in order]),
                height=height,
                margins=(172, 8, 8, 42),
            ),
            Panel(
                "By layer",
                f"Heads of each name, layer by layer. {said}.",
                partial(_draw_layers, titles=titles, grid=grid),
                subtitle=f"from 1 head to {count(int(grid.max()), 'head')} of a layer",
                height=height,
                margins=(172, 8, 8, 42),
            ),
        ),
        note=(f"The foremost: {'; '.join(said for said in best if said)}.",) if any(best) else (),
    )


def foremost(atlas: Atlas, chapter: str, kind: Kind, pattern: str) -> str:
    """induction 18.6 (0.885 ± 0.004, by chance 0.024); empty where no head has that name"""
    named = atlas.names("pattern", kind, chapter)
    table = atlas.tables[f"{chapter}/patterns"]
    rows = table[(table["kind"] == kind) & (table["pattern"] == pattern)]
    for row in rows.sort_values("score", ascending=False, kind="stable").to_dict("records"):
        head = Head.from_row(row)
        if named.get(head) == pattern:
            score = uncertain(float(row["score"]), float(row["stderr"]), 3)
            title = REGISTRY["pattern"].group_name(pattern)
            return f"{title} {head} ({score}, by chance {float(row['null']):.3f})"
    return ""


def _draw_counts(ax: Axes, theme: Theme, titles: list[str], many: list[int]) -> None:
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


def _draw_layers(ax: Axes, theme: Theme, titles: list[str], grid: Floats) -> None:
    heat_map(ax, theme, np.where(grid > 0, grid, np.nan), top=float(grid.max()))
    ax.set_yticks(np.arange(len(titles)), titles)
    ax.tick_params(axis="y", labelcolor=theme.ink)
    ax.set_ylabel("")
    ax.set_xlabel(LAYER_AXIS)


def contact_sheet(atlas: Atlas, head: AnyHead, chapter: str | None = None) -> FigureSpec:
    """A head's contact sheet: the maps of texts in which it does about what it does on average, as
    `attlas patterns` kept them. Colours run from 0 to a map's largest weight."""
    address = atlas.address(head)
    chapter = chapter or atlas.chapter_with(array=f"{address.kind}.typical")
    maps, items, heads = (
        None if chapter is None else atlas.array(f"{address.kind}.{name}", chapter)
        for name in ("typical", "typical_items", "heads")
    )
    if chapter is None or maps is None or items is None or heads is None:
        keeping = call("patterns", "MODEL", option("atlas", "ATLAS"))
        raise AttlasError(f"{atlas.path or 'the atlas'} has no typical maps: {keeping} keeps them")
    (place,) = np.flatnonzero((heads == (address.layer, address.head)).all(1))
    panels: list[Panel] = []
    for weights, (document, item) in zip(maps[place], items[place].tolist(), strict=True):
        tokens = atlas.token_list(f"typical.{document}.{item}.{address.kind}", chapter)
        if tokens is not None:
            panels.append(_text_panel(weights, list(tokens)[:MOST_TOKENS], len(panels) + 1))
    file = f"head-{address}" if len(atlas.kinds) == 1 else f"head-{address.full}"
    return FigureSpec(
        "contact-sheet",
        file,
        f"Head {address}",
        "Maps of texts whose score for the head's pattern is nearest to its mean.",
        (Group(address.kind, tuple(panels), note=(_describe_head(atlas, address, chapter),)),),
    )


def _describe_head(atlas: Atlas, head: Head, chapter: str) -> str:
    """Head 7.1: duplicate token, then local. A row is what a token attends to."""
    names = (atlas.names(of, head.kind, chapter).get(head) for of in ("pattern", "second_pattern"))
    titles = [REGISTRY["pattern"].group_name(name) for name in names if name]
    return f"Head {head}: {', then '.join(titles) or 'no pattern'}. A row is what a token attends to."


def _text_panel(weights: Floats, tokens: Sequence[str], number: int) -> Panel:
    shown = weights[: len(tokens), : len(tokens)].astype(float)
    return Panel(
        f"Text {number}",
        f"Attention between the first {len(tokens)} tokens; the largest weight is {shown.max():.2f}.",
        partial(_draw_text, weights=shown, tokens=[token(t, 11) for t in tokens]),
        width=330,
        height=330,
    )


def _draw_text(ax: Axes, theme: Theme, weights: Floats, tokens: Sequence[str]) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("heat", theme.heat)
    draw_cells(ax, weights, colours, 0, float(weights.max()) or 1)
    for axis, rotation in ((ax.xaxis, 90), (ax.yaxis, 0)):
        axis.set_ticks(range(len(tokens)), tokens, rotation=rotation, fontfamily=token_fonts())
    ax.tick_params(length=0, labelsize=TEXT - 3)
    ax.grid(False)
    ax.spines[:].set_visible(False)
