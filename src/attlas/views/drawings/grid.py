"""Every head of every layer, small."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..inputs import LayerMaps
from ..rows import Floats, Strongest
from .still import Still, ceiling_of, plain, strength

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

_STEP = 1.12
_LINKED = 64  # tokens; of more, links in a small square are only a smear


def draw(still: Still, figure: Figure) -> None:
    layers = still.maps.layers
    columns = max(len(layer.heads) for layer in layers)
    size = 0.62 if still.width is None else max(0.12, (still.width - 0.4) / columns)
    figure.set_size_inches(0.4 + size * columns, 0.65 + size * len(layers))
    # one pair of axes for all thumbnails: a pair each takes matplotlib many seconds
    axes = figure.add_subplot()
    axes.set_facecolor("none")
    mapped = max(*still.maps.shape) > _LINKED or layers[0].tiles is not None
    for down, layer in enumerate(layers):
        middle = down * _STEP + 0.5
        axes.text(
            -0.2, middle, str(layer.layer), fontsize=7, ha="right", va="center", color=still.colours.quiet
        )
        for across, head in enumerate(layer.heads):
            _thumbnail(axes, still, layer, across, (across * _STEP, down * _STEP), mapped)
            if down == 0:
                x = across * _STEP + 0.5
                axes.text(x, -0.2, str(head), fontsize=7, ha="center", va="bottom", color=still.colours.quiet)
    axes.set(xlim=(-0.6, columns * _STEP), ylim=(len(layers) * _STEP, -0.6), aspect="equal")
    axes.set_axis_off()
    axes.set_title(
        f"{plain(still.scene['title'], 40)} · layers down, heads across", fontsize=9, color=still.colours.ink
    )
    note = "each head on its own scale" if mapped else "links as strong as their weight"
    figure.supxlabel(note, fontsize=7, color=still.colours.quiet)


def _thumbnail(
    axes: Axes, still: Still, layer: LayerMaps, index: int, at: tuple[float, float], mapped: bool
) -> None:
    from matplotlib.patches import Rectangle

    x, y = at
    if mapped:
        small = shrunk(layer, index)
        shade = np.sqrt(strength(small, ceiling_of(np.abs(small).max(axis=1), still.maps.shares)))
        signed = shade * np.sign(small)
        low = -1 if still.maps.signed else 0
        axes.imshow(
            signed, cmap=colour_map(still), vmin=low, vmax=1, extent=(x, x + 1, y + 1, y), aspect="auto"
        )
    else:
        _lines(axes, still, layer, index, x, y)
    axes.add_patch(Rectangle((x, y), 1, 1, fill=False, edgecolor=still.colours.edge, linewidth=0.5))


def _lines(axes: Axes, still: Still, layer: LayerMaps, index: int, x: float, y: float) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgb

    head = layer.heads[index]
    weights = still.weights(head, layer)
    chosen = still.selection["threshold"]
    least = 0.03 if chosen is None else max(chosen, 1e-12)
    pairs = np.argwhere(np.abs(weights) >= least)
    values = weights[pairs[:, 0], pairs[:, 1]]
    strong = np.minimum(1, np.abs(values))
    heights = y + 0.05 + 0.9 * (pairs + 0.5) / np.array(weights.shape)
    ends = np.broadcast_to(np.array([x + 0.05, x + 0.95]), heights.shape)
    signs = [still.colours.positive if v > 0 else still.colours.negative for v in values]
    names = signs if still.maps.signed else [still.colour(head)] * len(values)
    colours = [(*to_rgb(name), 0.04 + 0.96 * float(s) ** 0.8) for name, s in zip(names, strong, strict=True)]
    axes.add_collection(
        LineCollection(list(np.stack([ends, heights], axis=-1)), colors=colours, linewidths=0.7)
    )


def colour_map(still: Still) -> Colormap:
    """From the page's own colour to one end; two ends for signed numbers."""
    from matplotlib.colors import LinearSegmentedColormap

    page = still.colours.page
    if still.maps.signed:
        ends = [still.colours.negative, page, still.colours.positive]
    elif still.theme == "light":
        ends = ["#ffffff", "#dcebf7", "#9dc9ea", "#4a98d0", "#0f67ad", "#083b73", "#041d3f"]
    else:
        ends = [page, "#16304d", "#135a8c", "#2a8bbd", "#5cbccb", "#b3e2c0", "#fbf9c4"]
    return LinearSegmentedColormap.from_list("weights", ends)


def shrunk(layer: LayerMaps, head: int, size: int = 64) -> Floats:
    """The map in size x size squares, each the strongest weight in it; or the tiles, where there are."""
    if layer.tiles is not None:
        shares: Floats = layer.tiles.shares[head]
        return shares
    _, queries, keys = layer.shape
    small = np.zeros((min(size, queries), min(size, keys)), dtype=np.float32)
    rows = np.arange(queries) * small.shape[0] // queries
    if isinstance(layer.weights, Strongest):
        columns, weights = layer.weights.columns[head], layer.weights.weights[head]
    else:
        weights = layer.weights[head]
        columns = np.broadcast_to(np.arange(keys), weights.shape)
    at = (np.broadcast_to(rows[:, None], weights.shape), columns * small.shape[1] // keys)
    np.maximum.at(small, at, weights)
    if weights.size and weights.min() < 0:
        below = np.zeros_like(small)
        np.minimum.at(below, at, weights)
        small = np.where(-below > small, below, small)
    return small
