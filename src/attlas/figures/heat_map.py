"""The heat map of heads: a row a layer, a column a head."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from attlas.address import Head
from attlas.figures.layout import Panel
from attlas.figures.theme import HEAT_STEPS, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEAD_AXIS = "head (counted from 0)"
WORSE, BETTER = 0, 1  # places in a theme's series: blue and orange


def heat_panel(
    title: str, subtitle: str, says: str, draw: Callable[[Axes, Theme], None], layers: int
) -> Panel:
    """A panel of the size that a heat map of this many layers needs."""
    return Panel(title, says, draw, subtitle, 270, max(190, 60 + 8 * layers), (36, 4, 4, 42))


def heat_map(
    ax: Axes,
    theme: Theme,
    values: npt.NDArray[np.floating],
    top: float | None = None,
    outlined: Head | None = None,
) -> None:
    """layer head: the stronger the colour, the larger the value, from 0 to `top` or the largest. The outlined
    head is the one that a table names, which need not be the largest."""
    from matplotlib.patches import PathPatch, Rectangle
    from matplotlib.path import Path

    layers, heads = values.shape
    top = top or heat_top(values)
    cells: dict[int, list[Path]] = {step: [] for step in range(HEAT_STEPS)}
    gap = 0.04 if max(layers, heads) <= 16 else 0.025
    for (layer, head), value in np.ndenumerate(values):
        if math.isfinite(value):
            left, right = head - 0.5 + gap, head + 0.5 - gap
            low, high = layer - 0.5 + gap, layer + 0.5 - gap
            corners = [(left, low), (right, low), (right, high), (left, high), (left, low)]
            cells[_step(value, top)].append(Path(corners, closed=True))
    for step, squares in cells.items():  # one path a shade keeps the file small
        if squares:
            ax.add_patch(PathPatch(Path.make_compound_path(*squares), color=theme.heat[step], linewidth=0))
    if outlined is not None:
        corner = outlined.head - 0.5, outlined.layer - 0.5
        edge = Rectangle(corner, 1, 1, fill=False, edgecolor=theme.gold, linewidth=2, clip_on=False, zorder=4)
        edge.set_gid("outlined")
        ax.add_patch(edge)
    ax.set_xlim(-0.5, heads - 0.5)
    ax.set_ylim(layers - 0.5, -0.5)
    ax.grid(False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    whole_numbers(ax.xaxis, heads)
    whole_numbers(ax.yaxis, layers)
    ax.set_xlabel(HEAD_AXIS)
    ax.set_ylabel("layer")


def signed_heat_map(
    ax: Axes, theme: Theme, values: npt.NDArray[np.floating], sure: npt.NDArray[np.bool_], top: float
) -> None:
    """layer head: blue above 0 and orange below, the stronger the farther, up to `top`. A dot marks what is
    `sure`."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    layers, heads = values.shape
    gap = 0.04 if max(layers, heads) <= 16 else 0.025
    shades: dict[tuple[int, int], list[Path]] = {}
    for (layer, head), value in np.ndenumerate(values):
        if math.isfinite(value):
            left, right = head - 0.5 + gap, head + 0.5 - gap
            low, high = layer - 0.5 + gap, layer + 0.5 - gap
            corners = [(left, low), (right, low), (right, high), (left, high), (left, low)]
            step = min(HEAT_STEPS - 1, int(abs(value) / top * HEAT_STEPS))
            shades.setdefault((BETTER if value < 0 else WORSE, step), []).append(Path(corners, closed=True))
    for (colour, step), squares in shades.items():  # one path a shade keeps the file small
        cells = Path.make_compound_path(*squares)
        ax.add_patch(PathPatch(cells, color=theme.heat[0], linewidth=0))
        strength = step / (HEAT_STEPS - 1)
        ax.add_patch(PathPatch(cells, color=theme.series[colour], alpha=strength, linewidth=0))
    marked = np.argwhere(sure)
    size = max(7.0, 22 - max(layers, heads))
    ax.scatter(
        marked[:, 1], marked[:, 0], s=size, color=theme.ink, linewidths=0.6, edgecolors=theme.paper, zorder=3
    )
    ax.set_xlim(-0.5, heads - 0.5)
    layers_down(ax, layers)
    whole_numbers(ax.xaxis, heads)
    ax.set_xlabel(HEAD_AXIS)


def layers_down(ax: Axes, layers: int) -> None:
    """The axis of layers, the first at the top."""
    ax.set_ylim(layers - 0.5, -0.5)
    ax.grid(False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    whole_numbers(ax.yaxis, layers)
    ax.set_ylabel("layer")


def heat_top(values: npt.NDArray[np.floating]) -> float:
    """The value of the strongest colour, where none is given."""
    return float(np.nanmax(values)) or 1.0


def whole_numbers(axis: object, count: int) -> None:
    """Ticks at 0 and at equal whole steps, at most twelve of them."""
    step = next(s for s in (1, 2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 1000) if count / s <= 12)
    axis.set_ticks(range(0, count, step))  # type: ignore[attr-defined]


def _step(value: float, top: float) -> int:
    return min(HEAT_STEPS - 1, int(value / top * HEAT_STEPS)) if top > 0 and value > 0 else 0
