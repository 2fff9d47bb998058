"""Every head of every layer, small: ordered, filtered and coloured as on the page."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attlas.array_types import Floats32
from attlas.errors import AttlasError
from attlas.figures.weight_marks import DrawnLink, draw_cells, draw_links
from attlas.views.contract import NAME_KINDS, NameKind
from attlas.views.drawings.still import Still, ceiling_of, fit_text, strength
from attlas.views.inputs import LayerMaps
from attlas.views.rows import Strongest, row_divisor

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

_STEP = 1.12
_WHOLE = 2048  # tokens; whole maps of more take too much memory
_LINKED = 96  # tokens; of more, links in a small square are only a smear


def draw(still: Still, figure: Figure) -> None:
    heads = rank_heads(still)
    if not heads:
        raise AttlasError("no head has all of the names that are chosen: there is nothing to draw")
    in_rows = by_layer(still)
    columns = _columns(still, len(heads))
    size = 0.62 if still.width is None else max(0.12, (still.width - 0.4) / columns)
    layers = list(dict.fromkeys(ranked_head.layer.layer for ranked_head in heads))
    rows = len(layers) if in_rows else -(-len(heads) // columns)
    step = _STEP if in_rows else _STEP + 0.2  # room for captions
    figure.set_size_inches(still.width or max(2.5, 0.4 + size * columns), 0.65 + size * rows * step / _STEP)
    # one pair of axes for all thumbnails: a pair each takes matplotlib many seconds
    axes = figure.add_subplot()
    axes.set_facecolor("none")
    mapped = max(*still.maps.shape) > _LINKED or still.maps.layers[0].tiles is not None
    # title and legend take some of the room: a map of more squares than pixels would lose some of them
    pixels = max(8, int(0.75 * size / _STEP * still.dots))
    for place, ranked_head in enumerate(heads):
        down, across = divmod(place, columns)
        if in_rows:
            down, across = layers.index(ranked_head.layer.layer), ranked_head.index
        _thumbnail(axes, still, ranked_head, (across * _STEP, down * step), mapped, pixels)
        if not in_rows:
            _write(axes, still, across * _STEP + 0.5, down * step + 1.05, _caption(ranked_head), "top", 6)
    if in_rows:
        _number_axes(axes, still, layers)
    edge = -0.6 if in_rows else -0.05
    axes.set(xlim=(edge, columns * _STEP), ylim=(rows * step, edge), aspect="equal")
    axes.set_axis_off()
    title = f"{fit_text(still.scene['title'], 40)} · {_describe_order(still)}"
    lines = textwrap.wrap(title, max(20, int(figure.get_size_inches()[0] / 0.07)))
    axes.set_title("\n".join(lines), fontsize=9, color=still.colours.ink)
    scale = "from 0, pale, to 1, dark" if still.maps.shares else "each head on its own scale"
    note = scale if mapped else "links as strong as their weight"
    if still.without_first:
        note += "; bars: the share on the first token, left out"
    _legend(figure, still, heads, note)


def _columns(still: Still, heads: int) -> int:
    """Return as many columns as the widest layer has heads; where heads have captions, as many as have room
    for those."""
    widest = max(len(layer.heads) for layer in still.maps.layers)
    if by_layer(still):
        return widest
    room = widest if still.width is None else max(1, int((still.width - 0.4) / 0.62))
    return min(widest, room, heads)


def _describe_order(still: Still) -> str:
    """layers down, heads across · order: entropy, only pattern induction"""
    if by_layer(still):
        return "layers down, heads across"
    order = still.selection["order"]
    by = "order: what was asked" if order == "asked" else f"order: {order.removesuffix(' (this text)')}"
    only = [f"{kind} {still.selection[kind]}" for kind in NAME_KINDS if still.selection[kind]]
    return ", only ".join([by, *([" and ".join(only)] if only else [])])


def _caption(ranked_head: Ranked) -> str:
    address = f"{ranked_head.layer.layer}.{ranked_head.head}"
    if ranked_head.value is None:
        return address
    return f"{address} · {'< ' if ranked_head.is_bound else ''}{ranked_head.value:.2g}"


def _number_axes(axes: Axes, still: Still, layers: list[int]) -> None:
    for down, layer in enumerate(layers):
        axes.text(
            -0.2,
            down * _STEP + 0.5,
            str(layer),
            fontsize=7,
            ha="right",
            va="center",
            color=still.colours.quiet,
        )
    widest = max(still.maps.layers, key=lambda layer: len(layer.heads))
    for across, head in enumerate(widest.heads):
        _write(axes, still, across * _STEP + 0.5, -0.2, str(head), "bottom")


def _write(axes: Axes, still: Still, x: float, y: float, text: str, va: str, size: float = 7) -> None:
    axes.text(x, y, text, fontsize=size, ha="center", va=va, color=still.colours.quiet)


def _legend(figure: Figure, still: Still, heads: list[Ranked], note: str) -> None:
    """What strength means; and which colour is which name, of the names that are seen."""
    from matplotlib.patches import Patch

    kind = still.selection["colour"]
    if kind == "head":
        figure.supxlabel(note, fontsize=7, color=still.colours.quiet)
        return
    named = (still.names.get((kind, ranked_head.layer.layer, ranked_head.head)) for ranked_head in heads)
    seen = {name["name"] for name in named if name is not None}
    names = [name for name in still.scene["names"] if name["kind"] == kind and name["name"] in seen]
    patches = [Patch(color=name[still.theme], label=fit_text(name["title"])) for name in names]
    room = max(1, int(figure.get_size_inches()[0] / 1.1))
    made = figure.legend(
        handles=patches,
        loc="outside lower center",
        ncols=min(len(patches), room),
        frameon=False,
        fontsize=7,
        labelcolor=still.colours.ink,
        handlelength=1,
        handleheight=1,
        title=note,
        title_fontsize=7,
    )
    made.get_title().set_color(still.colours.quiet)


def _thumbnail(
    axes: Axes, still: Still, ranked_head: Ranked, at: tuple[float, float], mapped: bool, pixels: int
) -> None:
    from matplotlib.patches import Rectangle

    x, y = at
    if mapped:
        small = shrink_map(still, ranked_head.layer, ranked_head.index, pixels)
        # one scale for all heads, where 1 is all of a token's attention: an even head is pale
        ceiling = 1.0 if still.maps.shares else ceiling_of(np.abs(small).max(axis=1), False)
        shade = np.sqrt(strength(small, ceiling))
        signed = shade * np.sign(small)
        low = -1 if still.maps.signed else 0
        draw_cells(axes, signed, colour_map(still), low, 1, extent=(x, x + 1, y + 1, y), aspect="auto")
    else:
        _draw_small_links(axes, still, ranked_head, x, y)
    if still.without_first:
        share = still.head_first(ranked_head.head, ranked_head.layer)
        axes.add_patch(Rectangle((x - 0.06, y + 1 - share), 0.04, share, color=still.colours.quiet))
    # around the square: on it, the frame would cover the first and last tokens
    named = still.selection["colour"] != "head"
    edge = colour_of(still, ranked_head.layer.layer, ranked_head.head) if named else still.colours.edge
    axes.add_patch(
        Rectangle(
            (x - 0.02, y - 0.02), 1.04, 1.04, fill=False, edgecolor=edge, linewidth=1.5 if named else 0.5
        )
    )


def _draw_small_links(axes: Axes, still: Still, ranked_head: Ranked, x: float, y: float) -> None:
    weights = still.weights(ranked_head.head, ranked_head.layer)
    chosen = still.selection["threshold"]
    least = 0.03 if chosen is None else max(chosen, 1e-12)
    head_colour = colour_of(still, ranked_head.layer.layer, ranked_head.head)
    queries, keys = weights.shape
    links = []
    for query, key in np.argwhere(np.abs(weights) >= least).tolist():
        weight = float(weights[query, key])
        start, end = (y + 0.05 + 0.9 * (at + 0.5) / many for at, many in ((query, queries), (key, keys)))
        colour = still.colour_of_weight(ranked_head.head, weight) if still.maps.signed else head_colour
        # no floor: hundreds of weak links must stay paler together than one strong link
        links.append(
            DrawnLink(start, end, colour, min(1.0, abs(weight)) ** 1.2, min(0.7, 9 / max(queries, keys)))
        )
    draw_links(axes, links, (x + 0.05, x + 0.95), curved=False)


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


def shrink_map(still: Still, layer: LayerMaps, index: int, size: int) -> Floats32:
    """The map in size x size squares, each the strongest weight in it; or the tiles, where there are."""
    if layer.tiles is not None:
        tiles = layer.tiles.without_first() if still.without_first else layer.tiles.shares
        return np.asarray(tiles[index])
    columns, weights, keys = _map_entries(still, layer, index)
    queries = len(weights)
    small = np.zeros((min(size, queries), min(size, keys)), dtype=np.float32)
    rows = np.arange(queries) * small.shape[0] // queries
    at = (np.broadcast_to(rows[:, None], weights.shape), columns * small.shape[1] // keys)
    np.maximum.at(small, at, weights)
    if weights.size and weights.min() < 0:
        below = np.zeros_like(small)
        np.minimum.at(below, at, weights)
        small = np.where(-below > small, below, small)
    return small


def _map_entries(still: Still, layer: LayerMaps, index: int) -> tuple[Any, Floats32, int]:
    """query k: keys and their weights, and how many keys there are. Of long rows only those that are kept."""
    if not isinstance(layer.weights, Strongest) or max(layer.shape) <= _WHOLE:
        whole = still.weights(layer.heads[index], layer)
        return np.broadcast_to(np.arange(whole.shape[1]), whole.shape), whole, whole.shape[1]
    columns, weights = layer.weights.columns[index], layer.weights.weights[index]
    if still.without_first:
        weights = weights * (columns > 0)
        rest = layer.weights.rest[index][:, None]
        weights = weights / row_divisor(weights.sum(axis=-1, keepdims=True) + rest)
    return columns, weights, layer.weights.keys


@dataclass(frozen=True)
class Ranked:
    """A head of a layer, by its place there, and its number in the order that was chosen."""

    layer: LayerMaps
    index: int
    value: float | None = None
    is_bound: bool = False  # the number is not known, only that it is smaller than this

    @property
    def head(self) -> int:
        return self.layer.heads[self.index]


def by_layer(still: Still) -> bool:
    return still.selection["order"] == "layer" and not any(still.selection[kind] for kind in NAME_KINDS)


def rank_heads(still: Still) -> list[Ranked]:
    """The heads that have the chosen names, those that people look for first; those without a number last."""
    selection = still.selection
    values, first = _order_values(still)
    bounds = _upper_bounds(still)
    heads = [
        Ranked(
            layer,
            index,
            values.get((layer.layer, head), bounds.get((layer.layer, head))),
            (layer.layer, head) in bounds and (layer.layer, head) not in values,
        )
        for layer in still.maps.layers
        for index, head in enumerate(layer.heads)
        if all(_has_name(still, kind, layer.layer, head) for kind in NAME_KINDS)
    ]
    if selection["order"] == "layer":
        return heads[::-1] if selection["reverse"] else heads
    up = 1 if (first == "smallest") != selection["reverse"] else -1
    return sorted(heads, key=lambda head: math.inf if head.value is None else up * head.value)


def colour_of(still: Still, layer: int, head: int) -> str:
    """The head's own colour, or that of its name."""
    colouring = still.selection["colour"]
    if colouring == "head":
        return still.colour(head)
    name = still.names.get((colouring, layer, head))
    return still.colours.quiet if name is None else name[still.theme]


def _has_name(still: Still, kind: NameKind, layer: int, head: int) -> bool:
    wanted = still.selection[kind]
    if not wanted:
        return True
    name = still.names.get((kind, layer, head))
    return name is not None and name["name"] == wanted


def _order_values(still: Still) -> tuple[dict[tuple[int, int], float], str]:
    """Layer and head -> what the order goes by, and which end comes first."""
    selection = still.selection
    if selection["order"] == "asked":
        if selection["asked"] is None:
            return {}, "largest"
        return _weights_asked(still, *selection["asked"]), "largest"
    for statistic in still.scene["statistics"]:
        if statistic["name"] == selection["order"]:
            rows = (row for row in statistic["values"] if row[0] == selection["attention"])
            return {(layer, head): value for _, layer, head, value in rows}, statistic["first"]
    return {}, "largest"


def _weights_asked(still: Still, asked: int, about: int) -> dict[tuple[int, int], float]:
    """What each head puts from one token on another, of all its attention, as far as that was kept; nothing
    where a choice of sentences has left one out."""
    places = _units_of_tokens(still, asked, about)
    if places is None:
        return {}
    return {
        (layer.layer, head): weight
        for layer in still.maps.layers
        if layer.tiles is None
        for head in layer.heads
        if (weight := float(still.weights(head, layer, without_first=False)[places])) != 0
        or not isinstance(layer.weights, Strongest)
    }


def _upper_bounds(still: Still) -> dict[tuple[int, int], float]:
    """Where an answer was cut off with the weak weights of its row: what it is smaller than."""
    asked = still.selection["asked"]
    if still.selection["order"] != "asked" or asked is None:
        return {}
    places = _units_of_tokens(still, *asked)
    if places is None:
        return {}
    query, key = (units[place] for units, place in zip((still.queries, still.keys), places, strict=True))
    return {
        (layer.layer, head): (key.end - key.start) * still.bound(head, layer, query)
        for layer in still.maps.layers
        if layer.tiles is None and isinstance(layer.weights, Strongest)
        for head in layer.heads
    }


def _units_of_tokens(still: Still, asked: int, about: int) -> tuple[int, int] | None:
    """The units that hold two tokens."""
    query = next((i for i, unit in enumerate(still.queries) if unit.start <= asked < unit.end), None)
    key = next((i for i, unit in enumerate(still.keys) if unit.start <= about < unit.end), None)
    return None if query is None or key is None else (query, key)
