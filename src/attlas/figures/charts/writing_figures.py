"""What heads write: where their weights rest beside where their vectors do, and who writes most."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.figures.chart import chart, rows_of_kind
from attlas.figures.head_measures import measure
from attlas.figures.heat_map import heat_map, heat_top
from attlas.figures.layout import Group, Panel
from attlas.figures.panels import head_dots
from attlas.figures.theme import TEXT, Theme
from attlas.wording.numbers import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WRITTEN = (
    "Each dot is a head. Left: the share of its attention on the first token and separators, by weight and "
    "by norm (a weight counts as much as the vector that it moves is long). Below the diagonal, the head "
    "moves less from there than its weights say. Middle: the same weight beside the length of what the head "
    "writes, over its layer's mean. Right: that length over the stream's, a row a layer."
)
_WIDE, _HIGH = 275.0, 270.0  # points: three side by side
_NAMED = 3  # heads that have their address beside them
_NEIGHBOURS = 0.15  # dots that are nearer would have their labels on top of each other
_RESTING = ("by weight", "by output", "both", "neither")
_COLOURS = {"by weight": "first", "by output": "punct", "both": "next", "neither": "other"}


@chart("writes", title="What heads write", caption=WRITTEN, table="written", place=12)
def writes(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """Weight at rest beside the same by norm, and beside what is written; and the lengths of what is."""
    heads = rows_of_kind(atlas, chapter, "written", kind)
    lengths = measure(atlas, chapter, kind, "write_length")
    if heads is None or lengths is None:
        return Group(kind, absent="This atlas does not say what heads write: attlas writes measures it.")
    weight, norm = float(heads["on_sink"].mean()), float(heads["on_sink_by_norm"].mean())
    says = f"On average {weight:.2f} of the weight rests, and {norm:.2f} by norm."
    many = ", ".join(f"{name} {int((heads['rests'] == name).sum())}" for name in _RESTING)
    return Group(
        kind,
        (
            Panel(
                "At rest, by weight and by norm", says, partial(_draw_norms, heads=heads), "", _WIDE, _HIGH
            ),
            Panel(
                "At rest, and what is written",
                f"Heads that rest: {many}.",
                partial(_draw_lengths, heads=heads),
                "",
                _WIDE,
                _HIGH,
            ),
            Panel(
                "Length beside the stream",
                f"The longest is {lengths.best()}: {lengths.of(lengths.best(), 3)} of the stream.",
                partial(heat_map, values=lengths.values),
                f"from 0 to {heat_top(lengths.values):.2f}",
                _WIDE,
                _HIGH,
            ),
        ),
        note=(f"{count(len(heads), 'head')}. At rest: {many}.",),
    )


def _draw_norms(ax: Axes, theme: Theme, heads: pd.DataFrame) -> None:
    x, y = (heads[name].to_numpy(float) for name in ("on_sink", "on_sink_by_norm"))
    ax.plot([0, 1], [0, 1], color=theme.muted, linewidth=0.8, linestyle=(0, (4, 3)))
    head_dots(ax, theme, x, y, theme.colour("first"))
    _label_heads(ax, theme, heads, x, y, x - y, above=False)
    top = min(1.03, 1.15 * float(max(x.max(), y.max())))
    ax.set_xlim(0, top)
    ax.set_ylim(0, top)
    ax.set_xlabel("at rest, by weight")
    ax.set_ylabel("by norm")


def _draw_lengths(ax: Axes, theme: Theme, heads: pd.DataFrame) -> None:
    x, y = (heads[name].to_numpy(float) for name in ("on_sink", "beside_layer"))
    for name in _RESTING:
        chosen = (heads["rests"] == name).to_numpy()
        if chosen.any():
            head_dots(ax, theme, x[chosen], y[chosen], theme.colour(_COLOURS[name]), name)
    apart = (heads["rests"] == "by weight").to_numpy()
    _label_heads(ax, theme, heads[apart], x[apart], y[apart], y[apart], above=True)
    ax.axhline(1, color=theme.muted, linewidth=0.8, linestyle=(0, (4, 3)))
    ax.set_xlim(0, min(1.03, 1.15 * float(x.max())))
    ax.set_ylim(0, 1.2 * float(y.max()))  # above the dots is room for the legend
    ax.set_xlabel("at rest, by weight")
    ax.set_ylabel("length over the layer's mean")
    ax.legend(
        loc="upper center",
        ncol=len(_RESTING),
        frameon=False,
        fontsize=TEXT - 2,
        handletextpad=0.0,
        columnspacing=0.6,
        borderpad=0.0,
    )


def _label_heads(
    ax: Axes, theme: Theme, heads: pd.DataFrame, x: Any, y: Any, order: Any, above: bool
) -> None:
    """The addresses of the foremost heads above or below their dots; neighbours share a label."""
    foremost = sorted(np.argsort(-order, kind="stable")[:_NAMED], key=lambda place: x[place])
    groups: list[list[int]] = []
    for place in foremost:
        if groups and np.hypot(x[place] - x[groups[-1][-1]], y[place] - y[groups[-1][-1]]) < _NEIGHBOURS:
            groups[-1].append(place)
        else:
            groups.append([place])
    for group in groups:
        rows = heads.iloc[group].to_dict("records")
        edge = max if above else min
        ax.annotate(
            ", ".join(str(Head.from_row(row)) for row in rows),
            (float(np.mean(x[group])), float(edge(y[group]))),
            (0, 5 if above else -5),
            textcoords="offset points",
            ha="center",
            va="bottom" if above else "top",
            color=theme.ink,
            fontsize=TEXT - 2,
        )
