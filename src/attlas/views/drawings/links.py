"""Links between two lists of tokens, each as strong as its weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from attlas.errors import AttlasError

from ..rows import Floats
from .still import Still, Unit, plain, strength, weight_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path as Curve

MOST_LINKED = 200
_ROW = 0.2  # inches a token
_FULL = 4.6  # inches wide


def draw(still: Still, figure: Figure) -> None:
    longest = max(len(still.queries), len(still.keys))
    if longest > MOST_LINKED or still.layer.tiles is not None:
        raise AttlasError(f"{longest} tokens are too many for links in a figure: choose the matrix view")
    width = still.width or _FULL
    several = len(still.heads) > 1
    figure.set_size_inches(width, 0.75 + 0.25 * several + _ROW * longest)
    axes = figure.add_subplot()
    shown, mass = _links(axes, still)
    _tokens(axes, still)
    axes.set_title(still.title, fontsize=9, color=still.colours.ink)
    _legend(axes, still, mass if shown else 1.0)


def _links(axes: Axes, still: Still) -> tuple[int, float]:
    """How many links were drawn, and their share of all attention between these tokens."""
    from matplotlib.collections import PathCollection
    from matplotlib.colors import to_rgb

    curves: list[Curve] = []
    colours, widths, drawn, every = [], [], 0.0, 0.0
    for place, head in enumerate(still.heads):
        weights = still.weights(head)
        # heads that do the same would hide each other: each leaves a token at its own place
        aside = (place - (len(still.heads) - 1) / 2) * min(0.12, 0.6 / len(still.heads))
        every += float(np.abs(weights).sum())
        for query, key in _chosen(still, weights):
            weight = float(weights[query, key])
            drawn += abs(weight)
            strong = float(strength(weights[query, key], still.ceiling))
            if not still.maps.signed:
                colour = still.colour(head)
            else:
                colour = still.colours.positive if weight > 0 else still.colours.negative
            curves.append(_curve(query + aside, key + aside))
            colours.append((*to_rgb(colour), _opacity(strong, len(still.heads))))
            widths.append(0.4 + (1.2 if len(still.heads) > 4 else 2.0) * strong)
    order = np.argsort([colour[3] for colour in colours], kind="stable")
    axes.add_collection(
        PathCollection(
            [curves[i] for i in order],
            facecolors="none",
            edgecolors=[colours[i] for i in order],
            linewidths=[widths[i] for i in order],
        )
    )
    return len(curves), drawn / every if every else 1.0


def _chosen(still: Still, weights: Floats) -> Sequence[tuple[int, int]]:
    """Links at least as strong as the threshold; only those of pinned tokens, where there are any."""
    strong = np.abs(weights) >= max(still.threshold, 1e-12)
    pinned = still.selection["pinned"]
    if pinned:
        kept = np.zeros_like(strong)
        for end, piece in pinned:
            units = still.queries if end == "query" else still.keys
            for i, unit in enumerate(units):
                if unit.start <= piece < unit.end:
                    kept[(i, slice(None)) if end == "query" else (slice(None), i)] = True
        strong &= kept
    return [(int(query), int(key)) for query, key in np.argwhere(strong)]


def _curve(start: float, end: float) -> Curve:
    """A true curve with level ends, as the view draws it."""
    from matplotlib.path import Path as Curve

    points = [(0.0, start), (0.45, start), (0.55, end), (1.0, end)]
    return Curve(points, [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4])


def _tokens(axes: Axes, still: Still) -> None:
    axes.set(xlim=(0, 1), ylim=(max(len(still.queries), len(still.keys)) - 0.5, -0.5), xticks=[])
    axes.set_facecolor("none")
    right = axes.secondary_yaxis("right")
    for each, units, end in ((axes, still.queries, "query"), (right, still.keys, "key")):
        labels = [plain(unit.text) for unit in units]
        each.set_yticks(range(len(labels)), labels, fontsize=9, color=still.colours.ink)
        each.tick_params(length=0)
        for spine in each.spines.values():
            spine.set_visible(False)
        for label, unit in zip(each.get_yticklabels(), units, strict=True):
            if any(
                which == end and unit.start <= piece < unit.end for which, piece in still.selection["pinned"]
            ):
                label.set_fontweight("bold")
    axes.set_ylabel("attends", fontsize=8, color=still.colours.quiet)
    right.set_ylabel("attended to", fontsize=8, color=still.colours.quiet)


def _legend(axes: Axes, still: Still, mass: float) -> None:
    """Which colour is which head, how strong a full line is, and what is left out."""
    from matplotlib.lines import Line2D

    def line(colour: str, share: float, text: str) -> Line2D:
        return Line2D([], [], color=colour, alpha=_opacity(share, 1), linewidth=0.4 + 2 * share, label=text)

    handles = []
    if still.maps.signed:
        handles += [line(still.colours.positive, 1, "above 0"), line(still.colours.negative, 1, "below 0")]
    elif len(still.heads) > 1:
        handles += [line(still.colour(head), 1, f"{still.layer.layer}.{head}") for head in still.heads]
    ink = (
        still.colour(still.heads[0])
        if len(still.heads) == 1 and not still.maps.signed
        else still.colours.quiet
    )
    for share in (0.25, 0.5, 1.0):
        at_least = "≥ " if share == 1 and still.ceiling < _largest(still) * 0.99 else ""
        handles.append(line(ink, share, f"{at_least}{weight_text(share * still.ceiling)}"))
    axes.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=min(len(handles), 5 if (still.width or _FULL) < 4 else 8),
        fontsize=7,
        frameon=False,
        labelcolor=still.colours.ink,
        handlelength=1.2,
        columnspacing=0.9,
        title=f"links of {weight_text(still.threshold)} and more: {mass:.0%} of the attention",
        title_fontsize=7,
    )
    axes.get_legend().get_title().set_color(still.colours.quiet)  # type: ignore[union-attr]


def _opacity(strong: float, heads: int) -> float:
    """As the view draws it: never quite invisible, and weak links fade faster where heads are many."""
    return 0.03 + 0.97 * float(strong ** min(1.3, 0.75 + 0.05 * (heads - 1)))


def _largest(still: Still) -> float:
    return max(float(np.abs(still.weights(head)).max()) for head in still.heads)


def unit_names(units: Sequence[Unit], most: int = 24) -> list[str]:
    return [plain(unit.text, most) for unit in units]
