"""Panels: each draws one picture on one axes, and knows nothing of the page or figure around it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from attlas.address import Head
from attlas.figures.head_measures import Measure, behaviour_name
from attlas.figures.heat_map import whole_numbers
from attlas.figures.theme import COLOURED, LAYER_STEPS, TEXT, Theme
from attlas.wording.names import BEHAVIOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEADS = "heads"  # the SVG group of the marks that stand for single heads, in the order of a panel's tips
LAYER_AXIS = "layer (counted from 0)"
LEGEND_COLUMNS = 2
JITTER = 0.56  # how far the heads of a layer spread, in layers: head 0 on the left
CROWDED = 500  # heads past which marks get smaller and bars are left out
DOT = 11.0  # area of a head's dot, in square points
#: where an axis of shares may end, and the step of its ticks
_CEILINGS = {
    0.01: 0.002,
    0.02: 0.005,
    0.05: 0.01,
    0.1: 0.02,
    0.2: 0.05,
    0.4: 0.1,
    0.6: 0.2,
    0.8: 0.2,
    1.0: 0.2,
}
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def by_layer(ax: Axes, theme: Theme, what: Measure) -> None:
    """One point per head with its standard error, and the layer's mean with a band."""
    mean_line(ax, theme, what, what.colour)
    points = list(what.heads())
    heads = what.values.shape[1]
    xs = np.array([h.layer + _jitter(h.head, heads) for h, _, _ in points])
    ys = np.array([value for _, value, _ in points])
    errors = np.array([error for _, _, error in points])
    if what.in_nats:
        ax.set_ylim(0, max(1.0, float(ys.max())) * 1.06)
        ax.set_ylabel("nats")
    else:
        _share_axis(ax, float(ys.max()))
        ax.set_ylabel("share of attention")
    crowded = len(points) > CROWDED
    seen = (errors > 0.016 * ax.get_ylim()[1]) & (not crowded)  # a shorter bar hides behind its dot
    shade = theme.colour(what.colour)
    ax.vlines(xs[seen], (ys - errors)[seen], (ys + errors)[seen], colors=shade, linewidth=0.9, alpha=0.6)
    dots = ax.scatter(
        xs, ys, s=DOT / 2 if crowded else DOT, color=shade, alpha=0.62, linewidths=0, zorder=3, clip_on=False
    )
    dots.set_gid(HEADS)
    layer_axis(ax, len(what.values))


def mean_line(ax: Axes, theme: Theme, what: Measure, colour: str, label: str = "") -> None:
    """The mean of each layer's heads, in a band of one standard error (at most) to either side."""
    means, errors = what.by_layer()
    layers = np.arange(len(means))
    shade = theme.colour(colour)
    if np.isfinite(errors).any():  # a single segment has none
        errors = np.nan_to_num(errors)
        ax.fill_between(layers, means - errors, means + errors, color=shade, alpha=0.2, linewidth=0)
    marker = "o" if label or len(means) == 1 else ""
    ax.plot(layers, means, color=shade, linewidth=1.9, marker=marker, markersize=4.5, label=label)


def mean_lines(ax: Axes, theme: Theme, measures: Sequence[tuple[str, str, Measure]], shares: bool) -> None:
    """Several statistics' means in one plot: (name, what gives the colour, statistic)."""
    for name, colour, what in measures:
        mean_line(ax, theme, what, colour, name)
    tops = [means + np.nan_to_num(errors) for means, errors in (what.by_layer() for _, _, what in measures)]
    top = max(float(np.nanmax(ends)) for ends in tops)
    if shares:
        _share_axis(ax, top)
        ax.set_ylabel("share of attention")
    else:
        _small_axis(ax, top)
    rows = math.ceil(len(measures) / LEGEND_COLUMNS)
    ax.set_ylim(0, ax.get_ylim()[1] * (1 + 0.13 * rows))  # room for the legend above the lines
    _legend(ax, LEGEND_COLUMNS, loc="upper left", handlelength=1.4)
    layer_axis(ax, max(len(what.values) for _, _, what in measures))


def reference(ax: Axes, theme: Theme, value: float, name: str) -> None:
    """A dashed line across, named above it on the left."""
    ax.axhline(value, color=theme.muted, linewidth=1, dashes=(4, 3))
    ax.set_ylim(0, max(ax.get_ylim()[1], value * 1.15))
    ax.annotate(
        name,
        (0, value),
        xycoords=("axes fraction", "data"),
        xytext=(2, 2.5),
        textcoords="offset points",
        va="bottom",
        color=theme.muted,
        bbox={"facecolor": theme.paper, "linewidth": 0, "pad": 0},
    )


def plane_by_behaviour(
    ax: Axes,
    theme: Theme,
    places: npt.NDArray[np.floating],
    behaviours: Sequence[str | None],
    named: Mapping[Head, int] = MappingProxyType({}),
) -> None:
    """Heads in the plane; colour and mark say what each mostly does. `named` heads have their address beside
    them: head -> its place among the others."""
    present = behaviours_in_order(behaviours)
    size = _dot_size(len(behaviours))
    for behaviour in present:
        chosen = [i for i, have in enumerate(behaviours) if have == behaviour]
        colour, marker = behaviour_look(theme, behaviour)
        dots = ax.scatter(
            places[chosen, 0],
            places[chosen, 1],
            s=size if behaviour is not None else 0.6 * size,
            color=colour,
            marker=marker,
            alpha=0.85 if behaviour is not None else 0.6,
            linewidths=0.7,
            edgecolors=theme.paper,
            label=behaviour_name(behaviour),
        )
        dots.set_gid(f"{HEADS}-{present.index(behaviour)}")
    for head, place in named.items():
        ax.annotate(
            str(head),
            (float(places[place, 0]), float(places[place, 1])),
            xytext=(5, 3),
            textcoords="offset points",
            fontsize=TEXT - 2,
        )
    _plane(ax)
    _legend(ax, 3, loc="upper left", bbox_to_anchor=(0, -0.02), handlelength=0.8, columnspacing=1.2)


def head_dots(ax: Axes, theme: Theme, x: Any, y: Any, colour: str, label: str = "", size: float = 18) -> None:
    """A dot for each head, edged so that neighbours can be told apart."""
    look = {"alpha": 0.85, "linewidths": 0.6, "edgecolors": theme.paper}
    dots = ax.scatter(x, y, s=size, color=colour, label=label, **look)  # type: ignore[arg-type]
    dots.set_gid(HEADS)


def plane_by_layer(
    ax: Axes, theme: Theme, places: npt.NDArray[np.floating], layers: npt.NDArray[np.integer]
) -> None:
    """Heads in the plane; colour says the layer."""
    last = int(layers.max())
    colours = [layer_shade(theme, la, last) for la in layers.tolist()]
    dots = ax.scatter(
        places[:, 0],
        places[:, 1],
        s=_dot_size(len(places)),
        c=colours,
        alpha=0.9,
        linewidths=0.7,
        edgecolors=theme.paper,
    )
    dots.set_gid(HEADS)
    _plane(ax)
    layer_legend(ax, theme, last, bbox_to_anchor=(0, -0.02))


def layer_legend(ax: Axes, theme: Theme, last: int, **where: Any) -> None:
    """Up to six layers with their colours, side by side."""
    from matplotlib.lines import Line2D

    shown = sorted({round(last * i / 5) for i in range(6)})
    shades = [layer_shade(theme, la, last) for la in shown]
    ax.legend(
        [Line2D([], [], marker="o", linestyle="", markersize=6, color=shade) for shade in shades],
        [f"layer {la}" if la == 0 else str(la) for la in shown],
        loc="upper left",
        ncols=6,
        handlelength=0.8,
        columnspacing=1.2,
        **where,
    )


def behaviours_in_order(behaviours: Sequence[str | None]) -> list[str | None]:
    """The behaviours that occur, the known ones in their order; None, for heads without one, is last."""
    known = [name for name in BEHAVIOURS if name in behaviours]
    more = sorted({name for name in behaviours if name is not None and name not in BEHAVIOURS})
    return [*known, *more, *([None] if None in behaviours else [])]


def behaviour_look(theme: Theme, behaviour: str | None) -> tuple[str, str]:
    """The colour and mark of a behaviour, the same in every atlas."""
    if behaviour is None:
        return theme.colour("other"), "o"
    return theme.colour(behaviour), _MARKERS[COLOURED.get(behaviour, len(behaviour)) % len(_MARKERS)]


def layer_axis(ax: Axes, layers: int) -> None:
    ax.set_xlim(-0.6, layers - 0.4)
    whole_numbers(ax.xaxis, layers)
    ax.set_xlabel(LAYER_AXIS)


def _legend(ax: Axes, columns: int, **options: Any) -> None:
    """A legend that reads by rows; matplotlib fills it by columns."""
    handles, names = ax.get_legend_handles_labels()
    order = [i for column in range(columns) for i in range(column, len(names), columns)]
    ax.legend([handles[i] for i in order], [names[i] for i in order], ncols=columns, **options)


def _share_axis(ax: Axes, largest: float) -> None:
    """From 0 to a round share, the same few for every panel, so that panels can be compared."""
    top = next((c for c in _CEILINGS if largest <= c * 0.985), 1.0)
    ticks = [_CEILINGS[top] * i for i in range(round(top / _CEILINGS[top]) + 1)]
    ax.set_ylim(0, top * 1.03)
    ax.set_yticks(ticks, [f"{tick:.3g}" for tick in ticks])


def _small_axis(ax: Axes, largest: float) -> None:
    """From 0, with the power of ten in the axis label."""
    from matplotlib.ticker import MaxNLocator

    power = math.floor(math.log10(largest)) if largest > 0 else 0
    if -2 <= power <= 2:
        power = 0
    ax.set_ylim(0, (largest or 1.0) * 1.08)
    ticks = [
        t for t in MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]).tick_values(0, largest or 1.0) if t <= largest
    ]
    ax.set_yticks(ticks, [f"{tick / 10**power:.3g}" for tick in ticks])
    raised = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    ax.set_ylabel("mean |∂L/∂α|" + (f" × 10{raised}" if power else ""))


def turn_places(places: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """The same places, centred and turned so that they spread most from left to right: scaling to the plane
    leaves the direction to chance."""
    centred: npt.NDArray[np.float64] = np.asarray(places - places.mean(0), dtype=np.float64)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    if axes.shape != (2, 2):  # a single head
        return centred
    axes *= np.where(axes[np.arange(2), np.abs(axes).argmax(1)] < 0, -1, 1)[:, None]
    result: npt.NDArray[np.float64] = centred @ axes.T
    return result


def _dot_size(heads: int) -> float:
    return 34 if heads <= CROWDED else 16


def _plane(ax: Axes) -> None:
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.06)
    ax.grid(False)
    ax.spines[:].set_visible(True)
    ax.set_xticks([])
    ax.set_yticks([])


def _jitter(head: int, heads: int) -> float:
    return (head / (heads - 1) - 0.5) * JITTER if heads > 1 else 0.0


def layer_shade(theme: Theme, layer: int, last: int) -> str:
    return theme.layers[min(LAYER_STEPS - 1, int(layer / last * LAYER_STEPS)) if last else 0]
