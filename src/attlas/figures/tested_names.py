"""Which names hold: how much of what a head does for the loss its name restores, and all names at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.atlas.names import PATTERNS
from attlas.atlas.words import count
from attlas.figures.layout import Group, Panel
from attlas.figures.theme import TEXT, Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TESTED = (
    "Left: each dot is a head that was made to do what its name says and no more, on documents that did not "
    "choose the name. 1: the name restores all that the head does for the loss beyond its mean output; 0: "
    "nothing. What lies beyond the ends of the axis stands at them. Right: the loss with all named heads so "
    "at once, beside the model as it is, their mean outputs, and random patterns."
)
LOWEST, HIGHEST = -0.5, 1.5  # of what is drawn
_ROW = 24.0  # points that a name takes
_COLOURS = {"holds": "next", "part": "punct", "label only": "first"}
_SPREAD = 0.28  # of a row: where its dots lie


def tested_chapters(atlas: Atlas) -> list[str]:
    return [chapter for chapter in atlas.chapters if f"{chapter}/name_tests" in atlas.tables]


def tested_names(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """How much each name restores of what its head does for the loss, and all names at once."""
    table, together = (atlas.tables.get(f"{chapter}/{name}") for name in ("name_tests", "names_together"))
    heads = None if table is None else table[(table["kind"] == kind) & table["explained"].notna()]
    if heads is None or together is None or not len(heads):
        return Group(kind, absent="This atlas has no tested names: attlas patterns --test tests them.")
    names = [name for name in PATTERNS if name in set(heads["pattern"])]
    many = ", ".join(f"{verdict} {int((heads['verdict'] == verdict).sum())}" for verdict in _COLOURS)
    loss = together.set_index("what")["loss"]
    read = f"{count(int(heads['n'].max()), 'segment')} of {count(int(heads['documents'].max()), 'document')}"
    return Group(
        kind,
        (
            Panel(
                "What a name restores",
                f"Of {count(len(heads), 'head')} that are worth something to the loss: {many}.",
                partial(_restored, heads=heads, names=names),
                subtitle=f"over {read}",
                width=430,
                height=60 + _ROW * max(4, len(names)),
                margins=(150, 8, 8, 42),
            ),
            Panel(
                "All names at once",
                ", ".join(f"{what} {value:.3f}" for what, value in loss.items()),
                partial(_at_once, loss=loss),
                subtitle=f"{count(int(together['heads'].iloc[0]), 'head')}",
                width=300,
                height=60 + _ROW * 4,
                margins=(110, 30, 8, 42),
            ),
        ),
        note=(f"Names of heads that are worth something: {many}.",),
    )


def _restored(ax: Axes, theme: Theme, heads: pd.DataFrame, names: list[str]) -> None:
    for place in (0.0, 1.0):
        ax.axvline(place, color=theme.muted, linewidth=0.8, linestyle=(0, (4, 3)))
    for verdict, colour in _COLOURS.items():
        chosen = heads[heads["verdict"] == verdict]
        rows = np.array([names.index(name) for name in chosen["pattern"]], float)
        # beside one another by layer, so that heads with the same number are all seen
        apart = (chosen["layer"] % 5 - 2).to_numpy(float) / 2 * _SPREAD
        x = chosen["explained"].clip(LOWEST, HIGHEST).to_numpy(float)
        look = {"s": 20, "alpha": 0.85, "linewidths": 0.6, "edgecolors": theme.paper, "label": verdict}
        dots = ax.scatter(x, rows + apart, color=theme.colour(colour), **look)  # type: ignore[arg-type]
        dots.set_gid("heads")
    ax.set_xlim(LOWEST - 0.05, HIGHEST + 0.05)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)), [PATTERNS[name] for name in names])
    ax.set_xlabel("explained")
    ax.legend(loc="lower left", frameon=False, fontsize=TEXT - 1)


def _at_once(ax: Axes, theme: Theme, loss: pd.Series[float]) -> None:
    bars = ax.barh(range(len(loss)), loss.to_numpy(float), color=theme.colour("next"), height=0.62)
    for bar in bars:
        bar.set_gid("loss")
    for place, value in enumerate(loss):
        beside = {"textcoords": "offset points", "va": "center", "color": theme.ink, "fontsize": TEXT - 1}
        ax.annotate(f"{value:.2f}", (value, place), (4, 0), **beside)  # type: ignore[arg-type]
    ax.set_yticks(range(len(loss)), [str(what) for what in loss.index])
    ax.set_ylim(len(loss) - 0.5, -0.5)
    ax.set_xlim(0, 1.12 * float(loss.max()))
    ax.set_xlabel("loss")
