"""Figures of what the study of trees found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from attlas.address import Head, Kind
from attlas.atlas.chapter import Chapter
from attlas.figures.heat_map import heat_map, heat_panel, heat_top
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.theme import Theme
from attlas.reducers.reducer import Row
from attlas.studies.trees.kinds import TITLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEADS = (
    "The share of the variation of a probe's scores that comes from each head, where the probe sees "
    "attention alone: from a word to its syntactic head, and back."
)
_SCORES = (
    "Left: the UAS of the same probe when all heads but a few are left out. Right: the UAS of probes that "
    "were trained on fewer sentences."
)


def tree_specs(chapter: Chapter, prefix: str) -> list[FigureSpec]:
    """PREFIX-heads: which heads carry the weight of the probe that sees attention alone. PREFIX-scores: how
    many of them it needs, and how many sentences probes need."""
    kind: Kind = chapter.rows[0].kind
    lines = [few_heads_panel(chapter.tables["few_heads"])]
    if len(chapter.tables["curve"]):
        lines.append(curve_panel(chapter.tables["curve"]))
    return [
        FigureSpec(
            "heads", f"{prefix}-heads", "", "Heads of a probe of trees", _HEADS, (_heads(chapter, kind),)
        ),
        FigureSpec(
            "scores", f"{prefix}-scores", "", "Scores of probes", _SCORES, (Group(kind, tuple(lines)),)
        ),
    ]


def _heads(chapter: Chapter, kind: Kind) -> Group:
    rows = pd.DataFrame(list(chapter.rows), columns=list(Row._fields))
    panels = []
    for group, heads in rows[rows["statistic"] == "tree_weight"].groupby("group", sort=False):
        values = np.full((int(heads["layer"].max()) + 1, int(heads["head"].max()) + 1), np.nan)
        values[heads["layer"], heads["head"]] = heads["value"]
        strongest = heads.nlargest(1, "value").to_dict("records")[0]
        head = Head(kind, int(strongest["layer"]), int(strongest["head"]))
        said = f"head {head}: {100 * strongest['value']:.1f} % of the weight"
        panels.append(
            heat_panel(
                str(group),
                f"{said}\ncolours from 0 to {100 * heat_top(values):.1f} %",
                f"Heat map of layers by heads. The most weight has {said}.",
                partial(heat_map, values=values, outlined=head),
                len(values),
            )
        )
    return Group(kind, tuple(panels))


def few_heads_panel(table: pd.DataFrame) -> Panel:
    names = {"top": "of the most weight", "random": "at random"}
    lines = {names[str(heads)]: rows for heads, rows in table.groupby("heads", sort=False)}
    return _lines("UAS left with few heads", lines, "k", "heads kept (the probe is not trained again)")


def curve_panel(table: pd.DataFrame) -> Panel:
    lines = {TITLES[str(probe)]: rows for probe, rows in table.groupby("probe", sort=False)}
    return _lines("UAS by sentences to learn from", lines, "sentences", "sentences")


def _lines(title: str, lines: Mapping[str, pd.DataFrame], across: str, axis: str) -> Panel:
    def draw(ax: Axes, theme: Theme) -> None:
        for place, (name, rows) in enumerate(lines.items()):
            values, colour = 100 * rows["uas"].to_numpy(dtype=float), theme.series[place]
            ax.plot(rows[across].to_numpy(), values, marker="o", color=colour, label=name)
            if "spread" in rows:
                spread = 100 * rows["spread"].fillna(0).to_numpy(dtype=float)
                ax.fill_between(
                    rows[across].to_numpy(), values - spread, values + spread, color=colour, alpha=0.15
                )
        ax.set_xscale("log")
        marked = spaced_out(sorted({int(n) for rows in lines.values() for n in rows[across]}))
        ax.set_xticks(marked, [f"{n:,}" for n in marked])
        ax.minorticks_off()
        ax.set_xlabel(axis)
        ax.set_ylabel("UAS, %")
        ax.legend(frameon=False)

    said = "; ".join(
        f"{name}: "
        + ", ".join(f"{100 * u:.0f} at {n:,}" for n, u in rows[[across, "uas"]].itertuples(index=False))
        for name, rows in lines.items()
    )
    return Panel(title=title, says=f"{title}. {said}.", draw=draw)


def spaced_out(sizes: Sequence[int]) -> list[int]:
    """Of ascending numbers on a logarithmic axis, the last and those that have room beside it and each
    other."""
    kept: list[int] = []
    for size in reversed(sizes):
        if not kept or kept[-1] > 1.6 * size:
            kept.append(size)
    return kept[::-1]
