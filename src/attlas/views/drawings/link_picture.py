"""Links between two lists of tokens, each as strong as its weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from attlas.errors import AttlasError
from attlas.figures.weight_marks import DrawnLink, draw_links
from attlas.views.drawings.still import Still, Unit, fit_text, strength, weight_text
from attlas.views.rows import LEAST_LEFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LINKED = 200
_ROW = 0.2  # inches a token
_FULL = 4.6  # inches wide
_COLUMN, _HIGH = 0.3, 1.6  # inches a token side by side, and of the links between them


def draw(still: Still, figure: Figure) -> None:
    longest = max(len(still.queries), len(still.keys))
    if longest > MOST_LINKED or still.layer.tiles is not None:
        raise AttlasError(f"{longest} tokens are too many for links in a figure: choose the matrix view")
    across = still.selection["layout"] == "rows"
    legend = 0.75 + 0.25 * (len(still.heads) > 1)
    width = still.width or (1 + _COLUMN * longest if across else _FULL)
    names = [fit_text(unit.text) for unit in (*still.queries, *still.keys)]
    beside = 0.08 * max(map(len, names)) * 2  # tokens stand upright above and below the links
    figure.set_size_inches(width, legend + (_HIGH + beside if across else _ROW * longest))
    axes = figure.add_subplot()
    mass = _draw_links(axes, still, across)
    (_write_tokens_across if across else _write_tokens)(axes, still)
    axes.set_title(still.title, fontsize=9, color=still.colours.ink)
    _legend(figure, still, mass)


def _query_names(still: Still) -> list[str]:
    """The tokens that attend; before each, how much of it is on the first token, where that is left out."""
    names = unit_names(still.queries)
    if not still.without_first:
        return names
    shares = np.mean([still.first_share(head) for head in still.heads], axis=0)
    return [names[0], *(f"{share:.0%}  {name}" for share, name in zip(shares[1:], names[1:], strict=True))]


def _draw_links(axes: Axes, still: Still, across: bool) -> float:
    """Draw the links. Gives their share of all attention between these tokens, or of the pinned ones."""
    links: list[DrawnLink] = []
    drawn, every = 0.0, 0.0
    lit = bool(still.selection["pinned"])
    thick = 2.4 if lit else 1.2 if len(still.heads) > 4 else 2.0
    for place, head in enumerate(still.heads):
        weights = still.weights(head)
        # heads that do the same would hide each other: each leaves a token at its own place
        aside = (place - (len(still.heads) - 1) / 2) * min(0.12, 0.6 / len(still.heads))
        asked = still.asked_links(weights)
        every += float(np.abs(weights[asked]).sum())
        strong_enough = asked & (np.abs(weights) >= max(still.threshold, 1e-12))
        for query, key in np.argwhere(strong_enough).tolist():
            weight = float(weights[query, key])
            drawn += abs(weight)
            strong = float(strength(weight, still.ceiling))
            alpha = strong**1.1 if lit else _opacity(strong, len(still.heads))
            colour = still.colour_of_weight(head, weight)
            links.append(DrawnLink(query + aside, key + aside, colour, alpha, 0.4 + thick * strong))
    draw_links(axes, links, across=across)
    return drawn / every if every else 1.0


def _write_tokens(axes: Axes, still: Still) -> None:
    axes.set(xlim=(0, 1), ylim=(max(len(still.queries), len(still.keys)) - 0.5, -0.5), xticks=[])
    right = axes.secondary_yaxis("right")
    for axis, names in ((axes, _query_names(still)), (right, unit_names(still.keys))):
        axis.set_yticks(range(len(names)), names, fontsize=9, color=still.colours.ink)
    _mark_pinned(still, axes, axes.get_yticklabels(), right, right.get_yticklabels())
    axes.set_ylabel("attends", fontsize=8, color=still.colours.quiet)
    right.set_ylabel("attended to", fontsize=8, color=still.colours.quiet)


def _write_tokens_across(axes: Axes, still: Still) -> None:
    """Tokens side by side: those that attend above, those attended to below."""
    axes.set(xlim=(-0.5, max(len(still.queries), len(still.keys)) - 0.5), ylim=(1, 0), yticks=[])
    above = axes.secondary_xaxis("top")
    for axis, names in ((above, _query_names(still)), (axes, unit_names(still.keys))):
        axis.set_xticks(range(len(names)), names, fontsize=9, color=still.colours.ink, rotation="vertical")
    _mark_pinned(still, above, above.get_xticklabels(), axes, axes.get_xticklabels())
    above.set_xlabel("attends", fontsize=8, color=still.colours.quiet)
    axes.set_xlabel("attended to", fontsize=8, color=still.colours.quiet)


def _mark_pinned(still: Still, queries: Any, from_labels: Any, keys: Any, to_labels: Any) -> None:
    ends = (("query", queries, from_labels, still.queries), ("key", keys, to_labels, still.keys))
    for end, axes, labels, units in ends:
        axes.set_facecolor("none")
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        for label, unit in zip(labels, units, strict=True):
            if any(
                which == end and unit.start <= piece < unit.end for which, piece in still.selection["pinned"]
            ):
                label.set_fontweight("bold")


def _legend(figure: Figure, still: Still, mass: float) -> None:
    """Say which colour is which head, how strong a full line is, and what is left out."""
    from matplotlib.lines import Line2D

    def line(colour: str, share: float, text: str) -> Line2D:
        return Line2D([], [], color=colour, alpha=_opacity(share, 1), linewidth=0.4 + 2 * share, label=text)

    heads = []
    if still.maps.signed:
        heads = [line(still.colours.positive, 1, "above 0"), line(still.colours.negative, 1, "below 0")]
    elif len(still.heads) > 1:
        heads = [line(still.colour(head), 1, f"{still.layer.layer}.{head}") for head in still.heads]
    ink = (
        still.colour(still.heads[0])
        if len(still.heads) == 1 and not still.maps.signed
        else still.colours.quiet
    )
    scale = []
    for share in (0.25, 0.5, 1.0):
        at_least = "≥ " if share == 1 and still.ceiling < _largest(still) * 0.99 else ""
        scale.append(line(ink, share, f"{at_least}{weight_text(share * still.ceiling)}"))
    most = 5 if figure.get_figwidth() < 4 else 8
    other = "other " if still.without_first else ""
    whose = f"their {other}attention" if still.selection["pinned"] else f"the {other}attention"
    handles, columns = _in_rows(heads, scale, most, Line2D([], [], linestyle="none", label=" "))
    drawn = figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=columns,
        fontsize=7,
        frameon=False,
        labelcolor=still.colours.ink,
        handlelength=1.2,
        columnspacing=0.9,
        title=f"links of {weight_text(still.threshold)} and more: {mass:.0%} of {whose}{_too_little(still)}",
        title_fontsize=7,
    )
    drawn.get_title().set_color(still.colours.quiet)


def _too_little(still: Still) -> str:
    """A note where rows are drawn unscaled because the first token leaves too little."""
    if not still.without_first:
        return ""
    shares = np.stack([still.first_share(head)[still.maps.causal :] for head in still.heads])
    return "\nwhat is left beside 95% or more is not scaled up" if (shares > 1 - LEAST_LEFT).any() else ""


def _in_rows(heads: list[Any], scale: list[Any], most: int, blank: Any) -> tuple[list[Any], int]:
    """The entries of a legend and its columns: the scale has a row of its own, where not all fit in one.

    Legends are filled column by column, and read row by row: entries are dealt out to the columns.
    """
    if len(heads) + len(scale) <= most:
        columns = len(heads) + len(scale)
        return [*heads, *scale], columns
    rows = -(-len(heads) // most)
    columns = max(-(-len(heads) // rows), len(scale))
    entries = [*heads, *[blank] * (-len(heads) % columns), *scale]
    return [entry for column in range(columns) for entry in entries[column::columns]], columns


def _opacity(strong: float, heads: int) -> float:
    """Return the opacity that the view draws: never quite invisible, and weak links fade faster where heads
    are many."""
    return 0.03 + 0.97 * float(strong ** min(1.3, 0.75 + 0.05 * (heads - 1)))


def _largest(still: Still) -> float:
    return max(float(np.abs(still.weights(head)).max()) for head in still.heads)


def unit_names(units: Sequence[Unit], most: int = 24) -> list[str]:
    return [fit_text(unit.text, most) for unit in units]
