"""The heat map of heads: one row per layer, one column per head."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.address import Head
from attlas.array_types import Floats
from attlas.figures.layout import Panel
from attlas.figures.theme import HEAT_STEPS, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

Shade = TypeVar("Shade", bound=Hashable)

HEAD_AXIS = "head (counted from 0)"
WORSE, BETTER = 0, 1  # places in a theme's series: blue and orange


def heat_panel(
    title: str,
    subtitle: str,
    says: str,
    values: npt.NDArray[np.floating],
    top: float | None = None,
    outlined: Head | None = None,
) -> Panel:
    """A panel with the heat map of these values (layer head), of the size that its layers need."""
    draw = partial(heat_map, values=values, top=top, outlined=outlined)
    return Panel(title, says, draw, subtitle, 270, max(190, 60 + 8 * len(values)), (36, 4, 4, 42))


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

    strongest = top or heat_top(values)
    shades = _cells_by_shade(values, lambda value: _step(value, strongest))
    for step, cells in sorted(shades.items()):
        ax.add_patch(PathPatch(cells, color=theme.heat[step], linewidth=0))
    if outlined is not None:
        corner = outlined.head - 0.5, outlined.layer - 0.5
        edge = Rectangle(corner, 1, 1, fill=False, edgecolor=theme.gold, linewidth=2, clip_on=False, zorder=4)
        edge.set_gid("outlined")
        ax.add_patch(edge)
    _heads_across(ax, *values.shape)


def signed_heat_map(
    ax: Axes, theme: Theme, values: npt.NDArray[np.floating], sure: npt.NDArray[np.bool_], top: float
) -> None:
    """layer head: blue above 0 and orange below, the stronger the farther, up to `top`. A dot marks what is
    `sure`."""
    from matplotlib.patches import PathPatch

    shades = _cells_by_shade(values, lambda value: (BETTER if value < 0 else WORSE, _step(abs(value), top)))
    for (colour, step), cells in shades.items():
        ax.add_patch(PathPatch(cells, color=theme.heat[0], linewidth=0))
        strength = step / (HEAT_STEPS - 1)
        ax.add_patch(PathPatch(cells, color=theme.series[colour], alpha=strength, linewidth=0))
    layers, heads = np.nonzero(sure)
    size = max(7.0, 22 - max(values.shape))
    ax.scatter(heads, layers, s=size, color=theme.ink, linewidths=0.6, edgecolors=theme.paper, zorder=3)
    _heads_across(ax, *values.shape)


def head_grid(rows: pd.DataFrame, values: Any) -> Floats:
    """layer head: one value for each row of a table about heads; NaN where a head has no row."""
    grid = np.full((int(rows["layer"].max()) + 1, int(rows["head"].max()) + 1), np.nan)
    grid[rows["layer"], rows["head"]] = values
    return grid


def _cells_by_shade(
    values: npt.NDArray[np.floating], shade_of: Callable[[float], Shade]
) -> dict[Shade, Path]:
    """The squares of all cells that have a value, as one path for each shade, which keeps the file small."""
    from matplotlib.path import Path

    gap = 0.04 if max(values.shape) <= 16 else 0.025
    squares: dict[Shade, list[Path]] = {}
    for (layer, head), value in np.ndenumerate(values):
        if math.isfinite(value):
            left, right = head - 0.5 + gap, head + 0.5 - gap
            low, high = layer - 0.5 + gap, layer + 0.5 - gap
            corners = [(left, low), (right, low), (right, high), (left, high), (left, low)]
            squares.setdefault(shade_of(value), []).append(Path(corners, closed=True))
    return {shade: Path.make_compound_path(*cells) for shade, cells in squares.items()}


def _heads_across(ax: Axes, layers: int, heads: int) -> None:
    """The axes of a heat map: heads from left to right, layers from top to bottom."""
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
