"""Figures of what the study of trees found, and of one parsed text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from attlas.address import Head, Kind
from attlas.atlas.chapter import Chapter
from attlas.errors import printable
from attlas.figures.heat_map import head_grid, heat_panel, heat_top
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.theme import THEMES, Theme
from attlas.outputs import write_output
from attlas.row import Row
from attlas.studies.trees.head_probes import TITLES
from attlas.studies.trees.stored_probes import Arc, Parsed

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
SIZE = 15  # of the letters of words
LETTER = 0.6 * SIZE  # about as wide as a letter is
GAP = 22  # between words
STEP = 24  # that an arc rises for every arc below it
CORNER = 9  # radius
ASIDE = 6  # that an arc leaves its head beside the next one
Levels = Mapping[tuple[int, int], int]


def tree_specs(chapter: Chapter, prefix: str) -> list[FigureSpec]:
    """PREFIX-heads: which heads carry the weight of the probe that sees attention alone. PREFIX-scores: how
    many of them it needs, and how many sentences probes need."""
    kind: Kind = chapter.rows[0].kind
    lines = [few_heads_panel(chapter.tables["few_heads"])]
    if len(chapter.tables["curve"]):
        lines.append(curve_panel(chapter.tables["curve"]))
    return [
        FigureSpec("heads", f"{prefix}-heads", "Heads of a probe of trees", _HEADS, (_heads(chapter, kind),)),
        FigureSpec("scores", f"{prefix}-scores", "Scores of probes", _SCORES, (Group(kind, tuple(lines)),)),
    ]


def _heads(chapter: Chapter, kind: Kind) -> Group:
    rows = pd.DataFrame(list(chapter.rows), columns=list(Row._fields))
    panels = []
    for group, heads in rows[rows["statistic"] == "tree_weight"].groupby("group", sort=False):
        values = head_grid(heads, heads["value"])
        strongest = heads.nlargest(1, "value").to_dict("records")[0]
        head = Head.from_row(strongest)
        said = f"head {head}: {100 * strongest['value']:.1f} % of the weight"
        panels.append(
            heat_panel(
                str(group),
                f"{said}\ncolours from 0 to {100 * heat_top(values):.1f} %",
                f"Heat map of layers by heads. The most weight has {said}.",
                values,
                outlined=head,
            )
        )
    return Group(kind, tuple(panels))


def few_heads_panel(table: pd.DataFrame) -> Panel:
    names = {"top": "the heaviest", "random": "at random"}
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
        marked = space_ticks(sorted({int(n) for rows in lines.values() for n in rows[across]}))
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


def space_ticks(sizes: Sequence[int]) -> list[int]:
    """The ticks of a logarithmic axis: of ascending numbers, the last and those that have room beside each
    other."""
    kept: list[int] = []
    for size in reversed(sizes):
        if not kept or kept[-1] > 1.6 * size:
            kept.append(size)
    return kept[::-1]


def write_tree(parsed: Parsed, folder: Path | None) -> Parsed:
    """Draw a parsed text into a folder, as tree.svg: arcs over the words, each with the head that spoke most
    for it; light or dark, as the reader prefers."""
    if folder is None:
        return parsed
    drawn = tree_svg(parsed.words, parsed.arcs, f"{parsed.probe} on {parsed.model}")
    return replace(parsed, svg=write_output(folder / "tree.svg", drawn))


def tree_svg(words: Sequence[str], arcs: Sequence[Arc], source: str = "") -> str:
    """Words, and an arc from each one's head to it."""
    spelled = [printable(word) for word in words]
    middles, x = list[float](), float(GAP)
    for word in spelled:
        wide = max(len(word), 2) * LETTER
        middles.append(x + wide / 2)
        x += wide + GAP
    levels = arc_levels([(arc.word, arc.head) for arc in arcs])
    floor = (max(levels.values(), default=0) + 1) * STEP
    starts = _arc_starts(levels, middles)
    parts = [_draw_arc(arc, spelled, middles, starts, levels, floor) for arc in arcs]
    parts += [
        f'<text class="word" x="{at:.1f}" y="{floor + SIZE + 5:.1f}">{escape(word)}</text>'
        for at, word in zip(middles, spelled, strict=True)
    ]
    note = f"On each arc, the head that spoke most for it{f' ({printable(source)})' if source else ''}."
    wide, high = max(x, 0.52 * SIZE * len(note)), floor + 3.6 * SIZE
    parts.append(f'<text class="note" x="{GAP}" y="{high - 8:.1f}">{escape(note)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" '
        f'height="{high:.0f}" role="img" aria-label="{escape(_describe_tree(spelled, arcs), quote=True)}">'
        f'<!-- drawn by Attlas -->{_style()}<rect class="paper" width="100%" height="100%"/>'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><polygon class="tip" points="0 0, 8 4, 0 8"/></marker></defs>'
        f"{''.join(parts)}</svg>\n"
    )


def arc_levels(arcs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """How high each arc (word, head) must be to lie above those that it spans: 1 or more. ROOT's, which comes
    from above, is higher than all that begin at its word or span it."""
    levels: dict[tuple[int, int], int] = {}
    for word, head in sorted(arcs, key=lambda a: abs(a[0] - a[1]) if a[1] else len(arcs)):
        low, high = sorted((word, head or word))
        met = [
            level
            for (a, b), level in levels.items()
            if (low <= min(a, b) and max(a, b) <= high) or (not head and min(a, b) <= word <= max(a, b))
        ]
        levels[word, head] = 1 + max(met, default=0)
    return levels


def _arc_starts(levels: Levels, middles: Sequence[float]) -> dict[tuple[int, int], float]:
    """Where each arc leaves its head: beside what arrives there, the highest the nearest, so that none of
    them crosses another."""
    starts: dict[tuple[int, int], float] = {}
    for side in (-1, 1):
        for head in range(1, len(middles) + 1):
            arcs = [arc for arc in levels if arc[1] == head and (arc[0] - head) * side > 0]
            arcs.sort(key=lambda arc: -levels[arc])
            starts |= {arc: middles[head - 1] + side * ASIDE * n for n, arc in enumerate(arcs, 1)}
    return starts


def _draw_arc(
    arc: Arc,
    words: Sequence[str],
    middles: Sequence[float],
    starts: Mapping[tuple[int, int], float],
    levels: Levels,
    floor: float,
) -> str:
    to, top = middles[arc.word - 1], floor - (levels[arc.word, arc.head] - 0.25) * STEP
    heads = ", ".join(f"{h.layer}.{h.head} {share:+.1f}" for h, share in arc.heads)
    strongest = f"{arc.heads[0][0].layer}.{arc.heads[0][0].head}" if arc.heads else ""
    if arc.head == 0:
        path, at = f"M{to:.1f} {top:.1f}V{floor:.1f}", to
        strongest = f"ROOT {strongest}"
    else:
        start = starts[arc.word, arc.head]
        way = 1 if to > start else -1
        bend = min(CORNER, abs(to - start) / 2, floor - top)
        path = (
            f"M{start:.1f} {floor:.1f}V{top + bend:.1f}"
            f"Q{start:.1f} {top:.1f} {start + way * bend:.1f} {top:.1f}H{to - way * bend:.1f}"
            f"Q{to:.1f} {top:.1f} {to:.1f} {top + bend:.1f}V{floor:.1f}"
        )
        at = (start + to) / 2
    named = words[arc.head - 1] if arc.head else "ROOT"
    return (
        f"<g><title>{escape(f'{named} → {words[arc.word - 1]}: {heads}')}</title>"
        f'<path d="{path}" marker-end="url(#tip)"/>'
        f'<text class="head" x="{at:.1f}" y="{top - 4:.1f}">{strongest}</text></g>'
    )


def _describe_tree(words: Sequence[str], arcs: Sequence[Arc]) -> str:
    """Text alternative of the picture, for screen readers."""
    heads = (f"{words[arc.word - 1]} under {words[arc.head - 1] if arc.head else 'ROOT'}" for arc in arcs)
    return f"Tree of: {' '.join(words)}. {', '.join(heads)}."


def _style() -> str:
    """Colours of both themes, of which the reader's browser chooses."""

    def colours(name: str) -> str:
        theme = THEMES["dark" if name == "dark" else "light"]
        return (
            f".paper{{fill:{theme.paper}}}.word{{fill:{theme.ink}}}.note{{fill:{theme.muted}}}"
            f"path{{stroke:{theme.muted}}}.tip{{fill:{theme.muted}}}"
            f".head{{fill:{theme.series[0]};stroke:{theme.paper}}}"
        )

    return (
        "<style>text{font-family:sans-serif;text-anchor:middle}path{fill:none;stroke-width:1.2}"
        f".word{{font-size:{SIZE}px}}.note{{font-size:11.5px;text-anchor:start}}"
        ".head{font-size:10.5px;stroke-width:3px;paint-order:stroke}"
        f"{colours('light')}@media(prefers-color-scheme:dark){{{colours('dark')}}}</style>"
    )
