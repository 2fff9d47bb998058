"""The map of one head as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attlas.figures.weight_marks import draw_cells
from attlas.views.drawings.grid import colour_map, shrink_map
from attlas.views.drawings.link_picture import unit_names
from attlas.views.drawings.still import Still, ceiling_of, weight_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMED = 80  # tokens; names of more would not be read


def draw(still: Still, figure: Figure) -> None:
    head = still.heads[0]
    index = still.layer.heads.index(head)
    tiles = still.layer.tiles
    longest = max(len(still.queries), len(still.keys))
    size = still.width or min(9.0, 1.6 + 0.2 * longest)
    # names, title and scale stand around the map, which is as high as it has rows
    high_enough = (size - 1.3) * len(still.queries) / len(still.keys) + 0.9
    figure.set_size_inches(size + (0 if still.width else 0.6), max(1.5, high_enough) if still.width else size)
    axes = figure.add_subplot()
    axes.set_facecolor(still.colours.page)
    whole = tiles is None and longest <= 2048
    weights = still.weights(head) if whole else shrink_map(still, still.layer, index, 1024)
    wide, high = len(still.keys), len(still.queries)
    if tiles is not None:  # the last ones may reach past the end
        high, wide = (count * tiles.size for count in weights.shape)
    most = ceiling_of(np.abs(weights).max(axis=1), still.maps.shares)
    shade = np.sign(weights) * np.sqrt(np.abs(weights))
    low = -(most**0.5) if still.maps.signed else 0
    extent = (-0.5, wide - 0.5, high - 0.5, -0.5)
    image = draw_cells(axes, shade, colour_map(still), low, most**0.5, extent=extent)
    if still.without_first:
        _first_column(axes, still, head)
    axes.set(xlim=(-0.5, len(still.keys) - 0.5), ylim=(len(still.queries) - 0.5, -0.5))
    if longest <= _NAMED:
        size_of_text = min(7.0, 72 * (size - 1.6) / longest * 0.8) if still.width else 7.0
        axes.set_xticks(range(len(still.keys)), unit_names(still.keys), rotation=90, fontsize=size_of_text)
        axes.set_yticks(range(len(still.queries)), unit_names(still.queries), fontsize=size_of_text)
        axes.xaxis.tick_top()
        axes.tick_params(length=0, colors=still.colours.ink)
    else:
        axes.set(xlabel="attended to", ylabel="attends")
        axes.tick_params(colors=still.colours.quiet, labelsize=7)
        for label in (axes.xaxis.label, axes.yaxis.label):
            label.set_color(still.colours.quiet)
    for spine in axes.spines.values():
        spine.set_color(still.colours.edge)
    bar = figure.colorbar(
        image, ax=axes, shrink=0.6, extend="max" if most < weights.max() * 0.999 else "neither"
    )
    ticks = np.linspace(low, most**0.5, 5)
    bar.set_ticks(list(ticks), labels=[weight_text(float(np.sign(tick) * tick**2)) for tick in ticks])
    bar.ax.tick_params(labelsize=7, colors=still.colours.ink)
    bar.outline.set_edgecolor(still.colours.edge)
    what = "weight" if tiles is None else f"share of attention, tiles of {tiles.size:,} tokens"
    bar.set_label(what, fontsize=8, color=still.colours.quiet)
    name = f"head {still.layer.layer}.{head}" if "rollout" not in still.selection["attention"] else still.name
    axes.set_title(still.title.replace(still.name, name), fontsize=9, color=still.colours.ink)


def _first_column(axes: Axes, still: Still, head: int) -> None:
    """In the column of the first token, what was left out, in grey."""
    from matplotlib.colors import LinearSegmentedColormap

    grey = LinearSegmentedColormap.from_list("left out", [still.colours.page, still.colours.quiet])
    shares = still.first_share(head)
    wide = max(1, len(still.keys) / 100)  # of long texts, wide enough to be seen
    extent = (-0.5, wide - 0.5, len(shares) - 0.5, -0.5)
    draw_cells(axes, shares[:, None], grey, 0, 1, extent=extent, aspect="auto")
