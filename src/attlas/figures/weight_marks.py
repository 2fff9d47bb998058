"""How weights look on paper, in figures and views alike: links between two lists of tokens, maps of cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.colors import Colormap
    from matplotlib.image import AxesImage
    from matplotlib.path import Path


@dataclass(frozen=True)
class DrawnLink:
    """From a place of the first list to one of the second."""

    start: float
    end: float
    colour: str
    alpha: float
    width: float


def draw_links(
    axes: Axes,
    links: Sequence[DrawnLink],
    sides: tuple[float, float] = (0.0, 1.0),
    *,
    across: bool = False,
    curved: bool = True,
) -> PathCollection:
    """The lists stand at `sides`, one above the other where they run `across`. The strongest are on top."""
    from matplotlib.collections import PathCollection
    from matplotlib.colors import to_rgb

    ordered = sorted(links, key=lambda link: link.alpha)
    collection = PathCollection(
        [_path(link, sides, across, curved) for link in ordered],
        facecolors="none",
        edgecolors=[(*to_rgb(link.colour), link.alpha) for link in ordered],
        linewidths=[link.width for link in ordered],
        capstyle="round",
    )
    axes.add_collection(collection)
    return collection


def _path(link: DrawnLink, sides: tuple[float, float], across: bool, curved: bool) -> Path:
    """A line, or a curve with level ends."""
    from matplotlib.path import Path

    left, right = sides
    bend = 0.45 * (right - left)
    points = [(left, link.start), (right, link.end)]
    codes = [Path.MOVETO, Path.LINETO]
    if curved:
        points[1:1] = [(left + bend, link.start), (right - bend, link.end)]
        codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    return Path([(y, x) for x, y in points] if across else points, codes)


def draw_cells(
    axes: Axes, shades: npt.NDArray[np.floating], colours: Colormap, low: float, high: float, **where: Any
) -> AxesImage:
    """One cell a number, and none blurred into its neighbours."""
    return axes.imshow(shades, cmap=colours, vmin=low, vmax=high, interpolation="nearest", **where)
