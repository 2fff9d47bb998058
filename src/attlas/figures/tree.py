"""Figures of trees: a parsed text as SVG, and what the study of trees found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from attlas.atlas.chapter import Chapter
from attlas.errors import printable
from attlas.figures.theme import Theme
from attlas.files import write_whole
from attlas.reducers.reducer import Row
from attlas.studies.trees.kinds import TITLES
from attlas.studies.trees.parse import Parsed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = 15  # of the letters
LETTER = 0.6 * SIZE  # about as wide as a letter is
GAP = 18  # between words
STEP = 22  # that an arc rises for every arc below it


def write_tree(parsed: Parsed, folder: Path | None) -> Parsed:
    """Draws a parsed text into a folder, as tree.svg."""
    if folder is None:
        return parsed
    drawn = tree_svg(parsed.words, [(arc.word, arc.head) for arc in parsed.arcs])
    return replace(parsed, svg=write_whole(folder / "tree.svg", drawn))


def tree_svg(words: Sequence[str], arcs: Sequence[tuple[int, int]]) -> str:
    """`arcs` are (word, head), counted from 1; a head of 0 is ROOT, drawn from above."""
    shown = [printable(word) for word in words]
    middles, x = list[float](), float(GAP)
    for word in shown:
        wide = max(len(word), 2) * LETTER
        middles.append(x + wide / 2)
        x += wide + GAP
    levels = arc_levels(arcs)
    high = (max(levels.values(), default=0) + 2) * STEP
    parts = [_arc(middles, word, head, levels.get((word, head), 0), high) for word, head in arcs]
    parts += [
        f'<text x="{at:.1f}" y="{high + SIZE + 4:.1f}" text-anchor="middle">{escape(word)}</text>'
        for at, word in zip(middles, shown, strict=True)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x:.0f} {high + 2 * SIZE:.0f}" '
        f'width="{x:.0f}" height="{high + 2 * SIZE:.0f}" font-family="sans-serif" font-size="{SIZE}" '
        f'role="img" aria-label="{escape(" ".join(shown), quote=True)}">'
        '<rect width="100%" height="100%" fill="#fff"/>'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#555"/></marker></defs>'
        f"{''.join(parts)}</svg>\n"
    )


def arc_levels(arcs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """How high each arc between words must be to lie above those that it spans: 1 or more."""
    levels: dict[tuple[int, int], int] = {}
    for word, head in sorted((a for a in arcs if a[1]), key=lambda a: abs(a[0] - a[1])):
        low, high = sorted((word, head))
        under = [level for (a, b), level in levels.items() if low <= min(a, b) and max(a, b) <= high]
        levels[word, head] = 1 + max(under, default=0)
    return levels


def _arc(middles: Sequence[float], word: int, head: int, level: int, floor: float) -> str:
    to = middles[word - 1]
    if head == 0:
        path = f"M{to:.1f} 4L{to:.1f} {floor:.1f}"
    else:
        # the arc leaves its head a little beside those that arrive there
        start = middles[head - 1] + (5 if word > head else -5)
        top = floor - level * STEP
        path = f"M{start:.1f} {floor:.1f}C{start:.1f} {top:.1f} {to:.1f} {top:.1f} {to:.1f} {floor:.1f}"
    return f'<path d="{path}" fill="none" stroke="#555" marker-end="url(#tip)"/>'


def tree_figures(chapter: Chapter, theme: Theme) -> Iterator[tuple[str, Figure]]:
    """Which heads carry the weight, how many are needed, and how many sentences."""
    yield "tree-heads", _heads(chapter, theme)
    yield "tree-few-heads", _few_heads(chapter.tables["few_heads"], theme)
    if len(chapter.tables["curve"]):
        yield "tree-curve", _curve(chapter.tables["curve"], theme)


def _heads(chapter: Chapter, theme: Theme) -> Figure:
    from attlas.figures.probes import Panel, heat_maps

    rows = pd.DataFrame(list(chapter.rows), columns=list(Row._fields))
    rows = rows[rows["statistic"] == "tree_weight"]
    panels = []
    for group, own in rows.groupby("group", sort=False):
        grid = np.full((int(own["layer"].max()) + 1, int(own["head"].max()) + 1), np.nan)
        grid[own["layer"], own["head"]] = 100 * own["value"]
        strongest = own.nlargest(1, "value").to_dict("records")[0]
        head = int(strongest["layer"]), int(strongest["head"])
        named = f"head {head[0]}.{head[1]}: {100 * strongest['value']:.1f} % of the weight"
        panels.append(Panel(str(group), grid, head, named))
    return heat_maps(panels, theme)


def _few_heads(table: pd.DataFrame, theme: Theme) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.6), layout="constrained")
    axis = figure.subplots()
    names = {"top": "the heads of the most weight", "random": "as many at random"}
    for place, (heads, own) in enumerate(table.groupby("heads", sort=False)):
        colour = theme.series[place]
        spread = 100 * own["spread"].fillna(0)
        axis.errorbar(
            own["k"], 100 * own["uas"], spread, label=names[str(heads)], color=colour, marker="o", capsize=2
        )
    axis.set_xscale("log", base=2)
    axis.set_xlabel("heads kept")
    axis.set_ylabel("UAS, %")
    axis.legend(frameon=False)
    return figure


def _curve(table: pd.DataFrame, theme: Theme) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.6), layout="constrained")
    axis = figure.subplots()
    for place, (probe, own) in enumerate(table.groupby("probe", sort=False)):
        axis.plot(
            own["sentences"],
            100 * own["uas"],
            label=TITLES[str(probe)],
            color=theme.series[place],
            marker="o",
        )
    axis.set_xscale("log")
    axis.set_xlabel("sentences to train on")
    axis.set_ylabel("UAS, %")
    axis.legend(frameon=False)
    return figure
