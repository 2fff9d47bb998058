"""Heads as sums of programs: how much of each is explained, and what a model loses that runs on them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.ticker import FuncFormatter, NullFormatter

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.figures.chart import chart, rows_of_kind
from attlas.figures.layout import Group, Panel
from attlas.figures.panels import head_dots
from attlas.figures.theme import TEXT, Theme
from attlas.wording.numbers import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUMS = (
    "Left: each dot is a head, at the share of what it moves that a sum of at most five programs explains, "
    "on documents that did not choose them; the line is the median of a layer, the grey one that of even "
    "attention. Right: the perplexity when more and more heads are replaced, over that of the unmodified "
    "model. Heads of which programs leave out least go first; dashed: mean outputs, those heads first whose "
    "output varies least; dotted: heads in random order."
)
_COLOURS = {"programs": 0, "one program": 2, "mean output": 1}
_OTHERS = {
    "programs of another head of its layer": "other heads' programs",
    "programs of a random head": "",
}
LEAST, LEAST_MEAN = "programs leave out least first", "means leave out least first"
ANY = "random order"
MEAN = "mean output"
_DASHES = {LEAST: "-", LEAST_MEAN: (0, (4, 2)), ANY: (0, (1, 2))}
TICKS = (1, 1.5, 2, 3, 5, 10, 30, 100, 300, 1000)


@chart("programs", title="What programs explain", caption=SUMS, table="explained", place=11)
def program_sums(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """How much of each head a sum of programs explains, and the perplexity of a model that runs on them."""
    heads = rows_of_kind(atlas, chapter, "explained", kind)
    replaced = atlas.tables.get(f"{chapter}/replaced")
    if heads is None:
        return Group(kind, absent="This atlas has no sums of programs: attlas explain fits them.")
    said = f"the median head of {count(len(heads), 'head')}: {heads['explained'].median():.0%} explained"
    panels = [
        Panel(
            "What programs explain of each head",
            said,
            partial(_draw_heads, heads=heads),
            width=330,
            height=300,
            margins=(48, 10, 8, 42),
        )
    ]
    if replaced is not None and len(replaced):
        panels.append(
            Panel(
                "Heads replaced",
                _say_curves(replaced),
                partial(_draw_curves, replaced=replaced),
                width=400,
                height=300,
                margins=(56, 12, 8, 42),
            )
        )
    return Group(kind, tuple(panels), note=(f"{said[0].upper()}{said[1:]}.",))


def _draw_heads(ax: Axes, theme: Theme, heads: pd.DataFrame) -> None:
    medians = heads.groupby("layer")[["explained", "even"]].median()
    ax.plot(medians.index, medians["even"], color=theme.muted, linewidth=1.4, label="even attention")
    ax.plot(medians.index, medians["explained"], color=theme.ink, linewidth=1.6, label="programs")
    x = heads["layer"].to_numpy(float) + ((heads["head"] % 5) - 2).to_numpy(float) * 0.08
    head_dots(ax, theme, x, heads["explained"].clip(0, 1).to_numpy(float), theme.series[0], size=14)
    ax.set_ylim(-0.02, 1.02)
    ax.set_xlabel("layer")
    ax.set_ylabel("explained")
    ax.legend(frameon=False, loc="lower left", fontsize=TEXT - 1, handlelength=1.4)


def _draw_curves(ax: Axes, theme: Theme, replaced: pd.DataFrame) -> None:
    ax.axhline(1, color=theme.muted, linewidth=1, dashes=(4, 3))
    for (order, way), curve in _drawn(replaced).groupby(["order", "way"], sort=False):
        curve = curve.sort_values("percent")
        colour = theme.series[_COLOURS[way]] if way in _COLOURS else theme.muted
        (line,) = ax.plot(
            curve["percent"],
            curve["times"],
            color=colour,
            linewidth=1.9 if way in _COLOURS else 1.1,
            linestyle=_DASHES[str(order)],
            marker="o" if order == LEAST and way in _COLOURS else None,
            ms=3.2,
            label=_OTHERS.get(str(way), str(way)) if order == LEAST else "",
        )
        line.set_gid("curve")
        if order == LEAST and way in _COLOURS:
            ax.fill_between(
                curve["percent"],
                curve["times_low"],
                curve["times_high"],
                color=colour,
                alpha=0.16,
                linewidth=0,
            )
    ax.set_yscale("log")
    shown = [tick for tick in TICKS if tick <= 1.2 * float(replaced["times"].max())]
    ax.set_yticks(shown)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.set_ylim(min(0.95, float(replaced["times"].min())), 1.25 * float(replaced["times"].max()))
    ax.set_xlim(0, 103)
    ax.set_xlabel("heads replaced (%)")
    ax.set_ylabel("times the perplexity")
    ax.legend(frameon=False, loc="upper left", fontsize=TEXT - 1, handlelength=1.6)


def _drawn(replaced: pd.DataFrame) -> pd.DataFrame:
    """Every way in the programs' own order and in random order, and means in theirs."""
    order = replaced["order"]
    return replaced[order.isin([LEAST, ANY]) | ((order == LEAST_MEAN) & (replaced["way"] == MEAN))]


def _say_curves(replaced: pd.DataFrame) -> str:
    """half of the heads: programs 1.26 times, one program 1.43 times, ..."""
    half = replaced[(replaced["order"] == LEAST) & (replaced["percent"] == 50)]
    said = ", ".join(
        f"{way} {times:.2f} times" for way, times in zip(half["way"], half["times"], strict=True)
    )
    return f"half of the heads: {said}"
