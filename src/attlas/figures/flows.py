"""Flows of names: which behaviours, shapes and patterns became which, as ribbons between two models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from attlas.atlas.names import NAMES, NONE
from attlas.figures.layout import Panel
from attlas.figures.reader_words import plain
from attlas.figures.theme import ROW, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ALL_HEADS = 210.0  # points that all heads of a side take
GAP = 5.0  # points between names
BAR = 0.025  # the width of a name's bar, of the panel
SIDE = 0.8  # beside the ribbons, for names
LETTERS = 24
STAYED, MOVED = 0.22, 0.8  # how dark ribbons are


@dataclass(frozen=True)
class FlowSide:
    """The names of one model from top to bottom: where each begins, and how high it is, in points."""

    tops: dict[str, float]
    heights: dict[str, float]
    total: float


def flow_panel(title: str, naming: str, flows: pd.DataFrame) -> Panel:
    """`flows` has first, second and heads, of one naming."""
    heads = int(flows["heads"].sum())
    gone = flows[flows["first"] != flows["second"]]
    moved = int(gone["heads"].sum())
    names = _in_order(naming, {*flows["first"], *flows["second"]})
    before, after = (_side(flows.groupby(column)["heads"].sum(), names) for column in ("first", "second"))
    moves = "; ".join(
        f"{r.heads} from {called(naming, str(r.first))} to {called(naming, str(r.second))}"
        for r in gone.sort_values("heads", ascending=False).itertuples()
    )
    said = f"{moved} of {heads} heads have another {naming}"
    return Panel(
        title=title,
        subtitle=said,
        says=f"Ribbons between the names of two models. {said}{': ' if moves else ''}{moves}.",
        draw=partial(_draw, naming=naming, flows=flows, names=names, sides=(before, after)),
        width=470,
        height=max(before.total, after.total) + 16,
        margins=(4, 4, 8, 8),
    )


def called(naming: str, name: str) -> str:
    return NAMES.get(naming, {}).get(name, name)


def _in_order(naming: str, names: set[str]) -> list[str]:
    """As they are listed, others after them, and none last."""
    listed = [name for name in NAMES.get(naming, {}) if name in names]
    others = sorted(names - {*listed, NONE})
    return [*listed, *others, *([NONE] if NONE in names else [])]


def _side(counts: pd.Series[int], names: Sequence[str]) -> FlowSide:
    """A name that has few heads has room for its word all the same."""
    scale, at = ALL_HEADS / max(1, int(counts.sum())), 0.0
    tops, heights = {}, {}
    for name in names:
        if name in counts.index:
            height = scale * int(counts[name])
            room = max(height, ROW)
            tops[name], heights[name] = at + (room - height) / 2, height
            at += room + GAP
    return FlowSide(tops, heights, at - GAP)


def _draw(
    ax: Axes,
    theme: Theme,
    naming: str,
    flows: pd.DataFrame,
    names: Sequence[str],
    sides: tuple[FlowSide, FlowSide],
) -> None:
    ax.set_axis_off()
    ax.set_xlim(-SIDE, 1 + SIDE)
    ax.set_ylim(max(side.total for side in sides), 0)
    scale = ALL_HEADS / max(1, int(flows["heads"].sum()))
    used = tuple(dict(side.tops) for side in sides)  # from where on a bar is free
    heads = {(first, second): n for first, second, n in flows[["first", "second", "heads"]].to_numpy()}
    for first in names:
        for second in names:
            if (first, second) not in heads:
                continue
            height = scale * heads[first, second]
            tops = used[0][first], used[1][second]
            used[0][first] += height
            used[1][second] += height
            _ribbon(ax, tops, height, _colour(theme, first), STAYED if first == second else MOVED)
    for side, x, align, away in ((sides[0], -BAR, "right", -1), (sides[1], 1.0, "left", 1)):
        for name, top in side.tops.items():
            height, count = side.heights[name], round(side.heights[name] / scale)
            ax.bar(x, height, BAR, top, align="edge", color=_colour(theme, name), linewidth=0)
            place = (x if away < 0 else x + BAR) + 0.03 * away
            label = f"{plain(called(naming, name), LETTERS)}  {count}"
            ax.text(place, top + height / 2, label, ha=align, va="center", color=theme.ink)


def _colour(theme: Theme, name: str) -> str:
    return theme.series[-1] if name == NONE else theme.colour(name)


def _ribbon(ax: Axes, tops: tuple[float, float], height: float, colour: str, dark: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    (a, b), middle = tops, 0.5
    curve = [(0.0, a), (middle, a), (middle, b), (1.0, b)]
    back = [(x, y + height) for x, y in reversed(curve)]
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    shape = Path([*curve, *back, curve[0]], codes)
    ax.add_patch(PathPatch(shape, facecolor=colour, alpha=dark, linewidth=0))
