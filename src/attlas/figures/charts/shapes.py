"""Shares of the shapes of maps (Kovaleva 2019, figure 2): of a model, of its layers, of several models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.errors import AttlasError
from attlas.figures.chart import chart, rows_of_kind
from attlas.figures.head_measures import shorten
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.theme import ROW, Theme
from attlas.wording.numbers import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WHOLE, BY_LAYER = "shares", "shares_by_layer"
CAPTION = (
    "Every head's map of every segment is called vertical, diagonal, both, block or heterogeneous, by a "
    "network that learned it from maps labelled by eye. Shares are means of its probabilities; the lines on "
    "them are 95%, over documents."
)
BESIDE = "The share of each shape among all maps of a model, one bar per model or task. " + CAPTION


def shape_chapters(atlas: Atlas) -> list[str]:
    return [c for c in atlas.chapters if f"{c}/{WHOLE}" in atlas.tables and f"{c}/{BY_LAYER}" in atlas.tables]


@chart("shapes", title="What attention maps look like", caption=CAPTION, chapters=shape_chapters, place=11)
def shapes(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """The share of each shape of map, in all layers with its interval, and by layer."""
    whole, layers = (rows_of_kind(atlas, chapter, table, kind) for table in (WHOLE, BY_LAYER))
    if whole is None or layers is None:
        return Group(kind, absent="This atlas does not say which shapes its maps have.")
    said = ", ".join(_share_text(row) for row in whole.itertuples())
    first = whole.iloc[0]
    return Group(
        kind,
        (
            Panel(
                "All layers",
                f"Share of each shape: {said}.",
                partial(_draw_bars, shares=whole),
                height=300,
                margins=(132, 8, 8, 42),
            ),
            Panel(
                "By layer",
                f"Share of each shape by layer. {_layers_text(layers)}",
                partial(_draw_stacks, shares=layers),
                height=300,
                margins=(44, 8, 8, 48 + 2 * ROW),
            ),
        ),
        note=(f"{int(first['heads'])} heads, {int(first['items']):,} segments.",),
    )


def compared_shapes(atlases: Mapping[str, Atlas]) -> FigureSpec:
    """Several models or tasks beside each other, under names of the caller's: Kovaleva's figure 2. For each,
    the last chapter that has shares; a model with several kinds of heads has a bar for each."""
    if not atlases:
        raise AttlasError("no atlas is given to compare")
    shares: dict[str, pd.DataFrame] = {}
    for name, atlas in atlases.items():
        chapters = shape_chapters(atlas)
        if not chapters:
            raise AttlasError(f"the atlas of {name} does not say which shapes its maps have")
        table = atlas.tables[f"{chapters[-1]}/{WHOLE}"]
        for kind, rows in table.groupby("kind", sort=False):
            shares[name if len(atlas.kinds) == 1 else f"{name}, {kind}"] = rows
    first = next(iter(atlases.values())).kinds[0]
    groups = (Group(first, (shares_beside(shares),)),)
    return FigureSpec("shapes", "figure-shapes-compared", "Shapes of attention maps", BESIDE, groups)


def shares_beside(several: Mapping[str, pd.DataFrame]) -> Panel:
    said = " ".join(
        f"{name}: {', '.join(_share_text(row) for row in table.itertuples())}."
        for name, table in several.items()
    )
    height = 78 + 34 * len(several) + 2 * ROW
    draw = partial(_draw_beside, several=several)
    return Panel(
        "Share of all maps", said, draw, width=820, height=height, margins=(110, 16, 8, 36 + 2 * ROW)
    )


def _share_text(row: Any) -> str:
    between = f" ({percent(row.low)} to {percent(row.high)})" if math.isfinite(row.high - row.low) else ""
    return f"{row.shape} {percent(row.share)}{between}"


def _layers_text(layers: pd.DataFrame) -> str:
    parts = []
    for layer, rows in layers.groupby("layer"):
        best = rows.iloc[int(rows["share"].argmax())]
        parts.append(f"layer {layer}: mostly {best['shape']}, {percent(float(best['share']))}")
    return "; ".join(parts) + "."


def _draw_bars(ax: Axes, theme: Theme, shares: pd.DataFrame) -> None:
    """One bar per shape, from the top, with its interval."""
    places = np.arange(len(shares))
    colours = [theme.colour(shape) for shape in shares["shape"]]
    ax.barh(places, shares["share"], color=colours, height=0.62)
    ax.hlines(places, shares["low"], shares["high"], color=theme.ink, linewidth=1.4)
    ends = shares["high"].fillna(shares["share"])  # a single text has no interval
    top = float(ends.max())
    for place, share, high in zip(places, shares["share"], ends, strict=True):
        ax.text(high + 0.02 * top, float(place), percent(share), va="center", color=theme.ink)
    ax.set_yticks(places, list(shares["shape"]))
    ax.tick_params(axis="y", labelcolor=theme.ink)
    ax.invert_yaxis()
    ax.set_xlim(0, 1.18 * top)
    _mark_percents(ax, "x")
    ax.grid(visible=False, axis="y")
    ax.set_xlabel("share of all maps")


def _draw_stacks(ax: Axes, theme: Theme, shares: pd.DataFrame) -> None:
    """One column per layer; shapes are stacked in their order."""
    wide = shares.pivot_table(index="layer", columns="shape", values="share", sort=False)
    below = np.zeros(len(wide))
    for shape in wide.columns:
        ax.bar(wide.index, wide[shape], bottom=below, color=theme.colour(shape), width=0.86, label=shape)
        below += wide[shape].to_numpy()
    ax.set_ylim(0, 1)
    _mark_percents(ax, "y")
    ax.grid(visible=False)
    step = max(1, len(wide) // 12)
    ax.set_xticks(list(wide.index)[::step])
    ax.set_xlabel("layer (counted from 0)")
    _add_legend(ax, 48)


def _draw_beside(ax: Axes, theme: Theme, several: Mapping[str, pd.DataFrame]) -> None:
    """One bar per model, shapes side by side in their order; the interval of a share is at its right end."""
    left = np.zeros(len(several))
    places = np.arange(len(several))
    for shape in next(iter(several.values()))["shape"]:
        rows = [table[table["shape"] == shape].iloc[0] for table in several.values()]
        share = np.array([row["share"] for row in rows])
        ax.barh(places, share, left=left, color=theme.colour(shape), height=0.66, label=shape)
        for place, row, start in zip(places.tolist(), rows, left, strict=True):
            end = start + row["share"]
            if shape != "heterogeneous":  # the last, whose end is that of the bar
                ends = end + row["low"] - row["share"], end + row["high"] - row["share"]
                ax.hlines(place + 0.24, *ends, theme.ink, linewidth=1.4)  # below the number
            if row["share"] > 0.045:
                middle = start + row["share"] / 2
                ax.text(middle, place, percent(row["share"]), ha="center", va="center", color=theme.paper)
        left += share
    ax.set_yticks(places, [shorten(name, 24) for name in several])
    ax.tick_params(axis="y", labelcolor=theme.ink)
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    _mark_percents(ax, "x")
    ax.grid(visible=False)
    _add_legend(ax, 32, columns=5)


def _mark_percents(ax: Axes, axis: str) -> None:
    from matplotlib.ticker import PercentFormatter

    (ax.xaxis if axis == "x" else ax.yaxis).set_major_formatter(PercentFormatter(1, 0))


def _add_legend(ax: Axes, below: float, columns: int = 3) -> None:
    """A legend this many points below the axis."""
    from matplotlib.transforms import ScaledTranslation

    under = ax.transAxes + ScaledTranslation(0, -below / 72, ax.figure.dpi_scale_trans)
    ax.legend(
        loc="upper left",
        bbox_to_anchor=(0, 0),
        bbox_transform=under,
        ncols=columns,
        handlelength=1,
        handleheight=0.9,
    )
