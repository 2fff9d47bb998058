"""Figures of a comparison: which heads changed, which layers, and every head over more than two models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.atlas import Atlas
from attlas.atlas.registry import statistic
from attlas.figures.head_measures import shorten
from attlas.figures.heat_map import head_grid, heat_panel, heat_top
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.panels import LAYER_AXIS
from attlas.figures.theme import LAYER_STEPS, ROW, Theme
from attlas.wording.names import NAMES, NONE
from attlas.wording.numbers import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from attlas.atlas.chapter import Chapter
    from attlas.studies.comparing.comparison import Comparison

CHANGED = (
    "How much the maps of every head differ between two models on the same inputs: 1 less their cosine, so "
    "that 0 is the same map. The outlined head changed most."
)
BY_LAYER = (
    "The means of each layer's heads; and, of models that `attlas finetune` made, how large the gradients of "
    "the layer were in training, and how far its weights moved, each as a share of the largest layer's."
)
FLOWS = (
    "What heads are called in the first model, on the left, and in the second, on the right. Heads that keep "
    "their name are pale."
)
CURVES = "One line per head, from the first model to the last, in the colours of the layers."
ALL_HEADS = 210.0  # points that all heads of a side take
GAP = 5.0  # points between names
BAR = 0.025  # the width of a name's bar, of the panel
SIDE = 0.8  # beside the ribbons, for names
LETTERS = 24
STAYED, MOVED = 0.22, 0.8  # how dark ribbons are
#: what heads are known by, of which curves are drawn
CURVED = (
    ("to_next", ""),
    ("to_previous", ""),
    ("to_self", ""),
    ("to_first", ""),
    ("to_class", "sep"),
    ("to_class", "punct"),
    ("entropy", "all"),
)


def comparison_specs(made: Comparison, prefix: str = "compare") -> list[FigureSpec]:
    """PREFIX-heads, PREFIX-layers and PREFIX-flows; with more than two models, PREFIX-curves."""
    kinds = cast(list[Kind], list(dict.fromkeys(row.kind for row in made.chapters[0].rows)))
    named = dict(zip(made.others, made.chapters, strict=True))
    specs = [
        _spec(
            prefix,
            "heads",
            CHANGED,
            [Group(k, tuple(_heat(n, c, k) for n, c in named.items())) for k in kinds],
        ),
        _spec(prefix, "layers", BY_LAYER, [Group(k, tuple(_layers(made.layers, k))) for k in kinds]),
        _spec(prefix, "flows", FLOWS, [Group(k, tuple(_flows(named, k))) for k in kinds]),
    ]
    if len(named) > 1:
        specs.append(_spec(prefix, "curves", CURVES, [curves(made.curves, k) for k in kinds]))
    return specs


def _spec(prefix: str, part: str, caption: str, groups: Sequence[Group]) -> FigureSpec:
    return FigureSpec(part, f"{prefix}-{part}", f"Comparison, {part}", caption, tuple(groups))


def chapter_specs(atlas: Atlas, chapter: str) -> list[FigureSpec]:
    """The figures of one comparison that an atlas keeps."""
    from attlas.atlas.chapter import chapter_in
    from attlas.studies.comparing.comparison import Comparison

    made = Comparison((chapter_in(atlas, chapter),), str(atlas.model["name"]))
    return comparison_specs(made, f"figure-{chapter}")


def _heat(name: str, chapter: Chapter, kind: Kind) -> Panel:
    rows = [r for r in chapter.rows if (r.kind, r.statistic) == (kind, "map_cosine")]
    values = head_grid(pd.DataFrame(rows), [1 - r.value for r in rows])
    most = min(rows, key=lambda r: r.value)
    head = Head(kind, most.layer, most.head)
    summary = f"head {head} changed most: {number(1 - most.value, 2)}"
    return heat_panel(
        shorten(name, 60),
        f"{summary}\ncolours from 0 to {number(heat_top(values), 2)}",
        f"Heat map of layers by heads, 1 less the cosine of maps. {summary}.",
        values,
        outlined=head,
    )


def _flows(named: Mapping[str, Chapter], kind: Kind) -> list[Panel]:
    panels = []
    for name, chapter in named.items():
        flows = chapter.tables["flows"]
        for naming, heads in flows[flows["kind"] == kind].groupby("naming", sort=False):
            title = str(naming).capitalize() if len(named) == 1 else f"{shorten(name, 40)}, {naming}"
            panels.append(flow_panel(title, str(naming), heads))
    return panels


def _layers(layers: pd.DataFrame, kind: Kind) -> list[Panel]:
    rows = layers[layers["kind"] == kind]
    changed = {
        str(m): 1 - part["map_cosine"].to_numpy(float) for m, part in rows.groupby("model", sort=False)
    }
    panels = [_lines("Change of maps by layer", changed, "1 − cosine, mean of heads")]
    for column, title in (
        ("gradient", "Gradients in training"),
        ("weights_moved", "Weights moved in training"),
    ):
        lines = {}
        for model, part in rows.groupby("model", sort=False):
            values = part[column].to_numpy(float)
            if np.isfinite(values).any():
                lines[str(model)] = values / np.nanmax(values)
        if lines:
            panels.append(_lines(title, lines, "share of the largest layer's"))
    return panels


def _lines(title: str, lines: Mapping[str, Floats], axis: str) -> Panel:
    def draw(ax: Axes, theme: Theme) -> None:
        for place, (name, values) in enumerate(lines.items()):
            colour = theme.series[place % len(theme.series)]
            ax.plot(
                np.arange(len(values)),
                values,
                marker="o",
                markersize=4.5,
                color=colour,
                label=shorten(name, 40),
            )
        ax.set_ylim(0, None)
        ax.set_xlabel(LAYER_AXIS)
        ax.set_ylabel(axis)
        if len(lines) > 1:
            ax.legend(loc="best")

    said = "; ".join(f"{name}: {', '.join(f'{v:.2f}' for v in values)}" for name, values in lines.items())
    return Panel(title=title, says=f"{title}. {said}.", draw=draw)


def curves(table: pd.DataFrame, kind: Kind, axis: str = "", log: bool = False) -> Group:
    """Panels of statistics whose heads have a `value` at every `step`. Without a name for the axis, the names
    of the models stand along it."""
    rows = table[table["kind"] == kind]
    panels = []
    for name, group in CURVED:
        part = rows[(rows["statistic"] == name) & (rows["group"] == group)]
        if len(part):
            wide = part.pivot(index=["layer", "head"], columns="step", values="value")
            names = (
                [] if axis else [str(m) for m in part.drop_duplicates("step").sort_values("step")["model"]]
            )
            title = statistic(name).write_title(group)
            title = f"attention to {title}" if name.startswith("to_") else title
            panels.append(_curve_panel(title, wide, names, axis, log))
    return Group(kind, tuple(panels), absent="" if panels else "There are no curves of these heads.")


def _curve_panel(title: str, wide: pd.DataFrame, names: Sequence[str], axis: str, log: bool) -> Panel:
    steps = wide.columns.to_numpy(float)
    layers = wide.index.get_level_values("layer")
    deepest = max(1, int(layers.max()))
    last = wide.iloc[:, -1]
    layer, head = list(wide.index)[int(last.to_numpy(float).argmax())]

    def draw(ax: Axes, theme: Theme) -> None:
        for at, values in zip(layers, wide.to_numpy(float), strict=True):
            shade = theme.layers[round(int(at) / deepest * (LAYER_STEPS - 1))]
            ax.plot(np.log10(steps + 1) if log else steps, values, color=shade, linewidth=1.1, alpha=0.75)
        ax.set_ylim(0, None)
        if log:
            marks = [
                m
                for m in (0, 1, 10, 100, 1_000, 10_000, 100_000)
                if m <= steps.max() and (m != 1 or steps.max() < 50)
            ]
            ax.set_xticks(np.log10(np.array(marks) + 1), [f"{m:,}" for m in marks])
        if axis:
            ax.set_xlabel(axis)
        else:
            ax.set_xticks(steps, [shorten(n, 14) for n in names], rotation=20, ha="right")

    return Panel(
        title=shorten(title[:1].upper() + title[1:], 60),
        subtitle=f"largest at the end: head {layer}.{head}, {last.max():.2f}",
        says=f"{title}, one line per head. The largest at the end is head {layer}.{head}, {last.max():.2f}.",
        draw=draw,
        width=270,
        height=220,
        margins=(40, 8, 8, 42 if axis else 62),
    )


def training_spec(table: pd.DataFrame) -> FigureSpec:
    """training-curves: every head over the steps of a training."""
    kinds = cast(list[Kind], list(dict.fromkeys(table["kind"])))
    groups = [curves(table, kind, "step", log=True) for kind in kinds]
    caption = "One line per head over the steps of training, in the colours of the layers."
    return FigureSpec("curves", "training-curves", "Heads over training", caption, tuple(groups))


@dataclass(frozen=True)
class FlowSide:
    """The names of one model from top to bottom: where each begins, and how high it is, in points."""

    tops: dict[str, float]
    heights: dict[str, float]
    total: float


def flow_panel(title: str, naming: str, flows: pd.DataFrame) -> Panel:
    """Ribbons between the names of two models. `flows` has first, second and heads, of one naming."""
    heads = int(flows["heads"].sum())
    gone = flows[flows["first"] != flows["second"]]
    moved = int(gone["heads"].sum())
    names = _names_in_order(naming, {*flows["first"], *flows["second"]})
    before, after = (
        _flow_side(flows.groupby(column)["heads"].sum(), names) for column in ("first", "second")
    )
    moves = "; ".join(
        f"{r.heads} from {_name_title(naming, str(r.first))} to {_name_title(naming, str(r.second))}"
        for r in gone.sort_values("heads", ascending=False).itertuples()
    )
    summary = f"{moved} of {heads} heads have another {naming}"
    return Panel(
        title=title,
        subtitle=summary,
        says=f"Ribbons between the names of two models. {summary}{': ' if moves else ''}{moves}.",
        draw=partial(_draw_flows, naming=naming, flows=flows, names=names, sides=(before, after)),
        width=470,
        height=max(before.total, after.total) + 16,
        margins=(4, 4, 8, 8),
    )


def _name_title(naming: str, name: str) -> str:
    return NAMES.get(naming, {}).get(name, name)


def _names_in_order(naming: str, names: set[str]) -> list[str]:
    """The names as the registry lists them, others after them, and none last."""
    listed = [name for name in NAMES.get(naming, {}) if name in names]
    others = sorted(names - {*listed, NONE})
    return [*listed, *others, *([NONE] if NONE in names else [])]


def _flow_side(counts: pd.Series[int], names: Sequence[str]) -> FlowSide:
    """Where each name stands: one with few heads has room for its word all the same."""
    scale, at = ALL_HEADS / max(1, int(counts.sum())), 0.0
    tops, heights = {}, {}
    for name in names:
        if name in counts.index:
            height = scale * int(counts[name])
            room = max(height, ROW)
            tops[name], heights[name] = at + (room - height) / 2, height
            at += room + GAP
    return FlowSide(tops, heights, at - GAP)


def _draw_flows(
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
            _draw_ribbon(ax, tops, height, _name_colour(theme, first), STAYED if first == second else MOVED)
    for side, x, align, away in ((sides[0], -BAR, "right", -1), (sides[1], 1.0, "left", 1)):
        for name, top in side.tops.items():
            height, count = side.heights[name], round(side.heights[name] / scale)
            ax.bar(x, height, BAR, top, align="edge", color=_name_colour(theme, name), linewidth=0)
            place = (x if away < 0 else x + BAR) + 0.03 * away
            label = f"{shorten(_name_title(naming, name), LETTERS)}  {count}"
            ax.text(place, top + height / 2, label, ha=align, va="center", color=theme.ink)


def _name_colour(theme: Theme, name: str) -> str:
    return theme.series[-1] if name == NONE else theme.colour(name)


def _draw_ribbon(ax: Axes, tops: tuple[float, float], height: float, colour: str, dark: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    (a, b), middle = tops, 0.5
    curve = [(0.0, a), (middle, a), (middle, b), (1.0, b)]
    back = [(x, y + height) for x, y in reversed(curve)]
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    shape = Path([*curve, *back, curve[0]], codes)
    ax.add_patch(PathPatch(shape, facecolor=colour, alpha=dark, linewidth=0))
