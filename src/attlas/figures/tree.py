"""Figures of trees: a parsed text as SVG, and what the study of trees found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from attlas.address import Head, Kind
from attlas.atlas.chapter import Chapter
from attlas.errors import printable
from attlas.figures.heat_map import heat_map, heat_top
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.theme import Theme
from attlas.files import write_whole
from attlas.reducers.reducer import Row
from attlas.studies.trees.kinds import TITLES
from attlas.studies.trees.parse import Parsed

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


def tree_specs(chapter: Chapter, prefix: str) -> list[FigureSpec]:
    """PREFIX-heads: which heads carry the weight of the probe that sees attention alone. PREFIX-scores: how
    many of them it needs, and how many sentences probes need."""
    kind: Kind = chapter.rows[0].kind
    lines = [_few_heads(chapter.tables["few_heads"])]
    if len(chapter.tables["curve"]):
        lines.append(_curve(chapter.tables["curve"]))
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
    for group, own in rows[rows["statistic"] == "tree_weight"].groupby("group", sort=False):
        values = np.full((int(own["layer"].max()) + 1, int(own["head"].max()) + 1), np.nan)
        values[own["layer"], own["head"]] = own["value"]
        strongest = own.nlargest(1, "value").to_dict("records")[0]
        head = Head(kind, int(strongest["layer"]), int(strongest["head"]))
        said = f"head {head}: {100 * strongest['value']:.1f} % of the weight"
        panels.append(
            Panel(
                title=str(group),
                subtitle=f"{said}\ncolours from 0 to {100 * heat_top(values):.1f} %",
                says=f"Heat map of layers by heads. The most weight has {said}.",
                draw=partial(heat_map, values=values, outlined=head),
                width=270,
                height=max(190, 60 + 8 * len(values)),
                margins=(36, 4, 4, 42),
            )
        )
    return Group(kind, tuple(panels))


def _few_heads(table: pd.DataFrame) -> Panel:
    names = {"top": "of the most weight", "random": "at random"}
    lines = {names[str(heads)]: own for heads, own in table.groupby("heads", sort=False)}
    return _lines("UAS left with few heads", lines, "k", "heads kept (the probe is not trained again)")


def _curve(table: pd.DataFrame) -> Panel:
    lines = {TITLES[str(probe)]: own for probe, own in table.groupby("probe", sort=False)}
    return _lines("UAS by sentences to learn from", lines, "sentences", "sentences")


def _lines(title: str, lines: Mapping[str, pd.DataFrame], across: str, axis: str) -> Panel:
    def draw(ax: Axes, theme: Theme) -> None:
        for place, (name, own) in enumerate(lines.items()):
            values, colour = 100 * own["uas"].to_numpy(dtype=float), theme.series[place]
            ax.plot(own[across].to_numpy(), values, marker="o", color=colour, label=name)
            if "spread" in own:
                spread = 100 * own["spread"].fillna(0).to_numpy(dtype=float)
                ax.fill_between(
                    own[across].to_numpy(), values - spread, values + spread, color=colour, alpha=0.15
                )
        ax.set_xscale("log")
        ax.set_xlabel(axis)
        ax.set_ylabel("UAS, %")
        ax.legend(frameon=False)

    said = "; ".join(
        f"{name}: "
        + ", ".join(f"{100 * u:.0f} at {n:,}" for n, u in own[[across, "uas"]].itertuples(index=False))
        for name, own in lines.items()
    )
    return Panel(title=title, says=f"{title}. {said}.", draw=draw)
