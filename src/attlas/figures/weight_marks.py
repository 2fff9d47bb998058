"""How weights look on paper, in figures and views alike: links between two lists of tokens, maps of cells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from attlas.figures.head_measures import token
from attlas.figures.theme import TEXT, Theme, token_fonts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.colors import Colormap
    from matplotlib.image import AxesImage
    from matplotlib.path import Path

_FAINTEST = 0.01  # a line below this weight is not seen
_FAINTEST_GOLD = 0.3  # a gold link is to be seen also where the head hardly makes it


@dataclass(frozen=True)
class Aside:
    """Attention to what is not among the tokens shown: the first token, all the rest. It stands above the
    tokens on the right with its share of all attention."""

    name: str
    weights: npt.NDArray[np.floating]  # query
    colour: str  # for `Theme.colour`

    @property
    def share(self) -> float:
        return float(np.mean(self.weights))


def links(
    ax: Axes,
    theme: Theme,
    weights: npt.NDArray[np.floating],
    queries: Sequence[str],
    keys: Sequence[str],
    asides: Sequence[Aside] = (),
    gold: Collection[tuple[int, int]] = (),
    longest: int = 12,
) -> None:
    """The stronger the line, the more the left token attends to the right one. Rows are
    not rescaled. `gold` links (query, key) are drawn in their own colour."""
    marked = set(gold)
    drawn = []
    for pair in np.ndindex(len(queries), len(keys)):
        weight = min(1.0, float(weights[pair]))
        if weight >= _FAINTEST or pair in marked:
            shade = theme.gold if pair in marked else theme.series[0]
            alpha = _FAINTEST_GOLD + (1 - _FAINTEST_GOLD) * weight if pair in marked else weight
            drawn.append(DrawnLink(pair[0], pair[1], shade, alpha, 1.8))
    draw_links(ax, [link for link in drawn if link.colour != theme.gold])
    if marked:
        draw_links(ax, [link for link in drawn if link.colour == theme.gold])
    for place, aside in enumerate(asides, -len(asides)):
        shade = theme.colour(aside.colour)
        strong = [(q, min(1.0, float(w))) for q, w in enumerate(aside.weights) if w >= _FAINTEST]
        draw_links(ax, [DrawnLink(q, place - 0.35, shade, weight, 0.8) for q, weight in strong])
    for side, strings in ((0, queries), (1, keys)):
        for place, written in enumerate(strings):
            is_gold = any(pair[side] == place for pair in marked)
            shade = theme.gold if is_gold else theme.ink
            _write_token(ax, side, place, token(written, longest), shade, token_fonts())
    for place, aside in enumerate(asides, -len(asides)):
        share = f"{aside.name} {100 * aside.share:.0f} %"
        _write_token(ax, 1, place - 0.35, share, theme.colour(aside.colour), None)
    ax.set_xlim(-0.78, 1.78)
    ax.set_ylim(max(len(queries), len(keys)) - 0.4, -0.6 - (len(asides) + 0.35 if asides else 0))
    ax.set_axis_off()


def _write_token(ax: Axes, side: int, place: float, text: str, colour: str, fonts: list[str] | None) -> None:
    """Write a token beside the end of its lines, which meet it at half the height of an x."""
    more: dict[str, Any] = {} if fonts is None else {"fontfamily": fonts}
    ax.annotate(
        text,
        (side, place),
        xytext=(6 * (2 * side - 1), -0.34 * TEXT),
        textcoords="offset points",
        ha=("right", "left")[side],
        va="baseline",
        color=colour,
        parse_math=False,
        **more,
    )


@dataclass(frozen=True)
class DrawnLink:
    """A line from a place of the first list to one of the second."""

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
    """Draw links between two lists at `sides`, one above the other where they run `across`, the strongest on
    top."""
    from matplotlib.collections import PathCollection
    from matplotlib.colors import to_rgb

    ordered = sorted(links, key=lambda link: link.alpha)
    collection = PathCollection(
        [_link_path(link, sides, across, curved) for link in ordered],
        facecolors="none",
        edgecolors=[(*to_rgb(link.colour), link.alpha) for link in ordered],
        linewidths=[link.width for link in ordered],
        capstyle="round",
    )
    axes.add_collection(collection)
    return collection


def _link_path(link: DrawnLink, sides: tuple[float, float], across: bool, curved: bool) -> Path:
    """The path of a link: a line, or a curve with level ends."""
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
    """Draw one cell per number, and blur none into its neighbours."""
    return axes.imshow(shades, cmap=colours, vmin=low, vmax=high, interpolation="nearest", **where)
