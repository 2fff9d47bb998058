"""A parsed text as SVG: arcs over the words, each with the head that spoke most for it; light or dark, as
whoever looks at it prefers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from attlas.errors import printable
from attlas.figures.theme import THEMES
from attlas.files import write_whole
from attlas.studies.trees.parse import Arc, Parsed

SIZE = 15  # of the letters of words
LETTER = 0.6 * SIZE  # about as wide as a letter is
GAP = 22  # between words
STEP = 24  # that an arc rises for every arc below it
CORNER = 9  # radius
ASIDE = 6  # that an arc leaves its head beside the next one
Levels = Mapping[tuple[int, int], int]


def write_tree(parsed: Parsed, folder: Path | None) -> Parsed:
    """Draws a parsed text into a folder, as tree.svg."""
    if folder is None:
        return parsed
    drawn = tree_svg(parsed.words, parsed.arcs, f"{parsed.probe} on {parsed.model}")
    return replace(parsed, svg=write_whole(folder / "tree.svg", drawn))


def tree_svg(words: Sequence[str], arcs: Sequence[Arc], source: str = "") -> str:
    """Words, and an arc from each one's head to it."""
    shown = [printable(word) for word in words]
    middles, x = list[float](), float(GAP)
    for word in shown:
        wide = max(len(word), 2) * LETTER
        middles.append(x + wide / 2)
        x += wide + GAP
    levels = arc_levels([(arc.word, arc.head) for arc in arcs])
    floor = (max(levels.values(), default=0) + 1) * STEP
    starts = _starts(levels, middles)
    parts = [_arc(arc, shown, middles, starts, levels, floor) for arc in arcs]
    parts += [
        f'<text class="word" x="{at:.1f}" y="{floor + SIZE + 5:.1f}">{escape(word)}</text>'
        for at, word in zip(middles, shown, strict=True)
    ]
    said = f"On each arc, the head that spoke most for it{f' ({printable(source)})' if source else ''}."
    wide, high = max(x, 0.52 * SIZE * len(said)), floor + 3.6 * SIZE
    parts.append(f'<text class="note" x="{GAP}" y="{high - 8:.1f}">{escape(said)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" '
        f'height="{high:.0f}" role="img" aria-label="{escape(_told(shown, arcs), quote=True)}">'
        f'{_style()}<rect class="paper" width="100%" height="100%"/>'
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


def _starts(levels: Levels, middles: Sequence[float]) -> dict[tuple[int, int], float]:
    """Where each arc leaves its head: beside what arrives there, the highest the nearest, so that none of
    them crosses another."""
    starts: dict[tuple[int, int], float] = {}
    for side in (-1, 1):
        for head in range(1, len(middles) + 1):
            arcs = [arc for arc in levels if arc[1] == head and (arc[0] - head) * side > 0]
            arcs.sort(key=lambda arc: -levels[arc])
            starts |= {arc: middles[head - 1] + side * ASIDE * n for n, arc in enumerate(arcs, 1)}
    return starts


def _arc(
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


def _told(words: Sequence[str], arcs: Sequence[Arc]) -> str:
    """For those who do not see it."""
    heads = (f"{words[arc.word - 1]} under {words[arc.head - 1] if arc.head else 'ROOT'}" for arc in arcs)
    return f"Tree of: {' '.join(words)}. {', '.join(heads)}."


def _style() -> str:
    """Colours of both themes: what looks at the file chooses."""

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
