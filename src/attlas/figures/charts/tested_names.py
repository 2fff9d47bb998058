"""The chart of names that hold: how much of what a head does for the loss its name restores, and all names at
once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.figures.chart import chart, rows_of_kind
from attlas.figures.layout import Group, Panel
from attlas.figures.panels import head_dots
from attlas.figures.theme import TEXT, Theme
from attlas.wording.names import PATTERNS
from attlas.wording.numbers import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TESTED = (
    "First: each dot is a head that was made to do what its name says and no more, on documents that did not "
    "choose the name. 1: the name restores all that the head does for the loss beyond its mean output; 0: "
    "nothing. A bar is all heads of the name at once, with its 95 % interval. What lies beyond the ends of "
    "the axis stands at them. Second: the loss with all named heads so at once, beside the unmodified model, "
    "their mean outputs, and random patterns."
)
LOWEST, HIGHEST = -0.5, 1.5  # of what is drawn
_ROW = 24.0  # points that a name takes
_COLOURS = {"shown": "next", "undecided": "punct", "small": "first"}
_SPREAD = 0.28  # of a row: where its dots lie


@chart("names", title="Which names hold", caption=TESTED, table="name_tests", place=10)
def tested_names(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """How much each name restores of what its head does for the loss, and all names at once."""
    tested = rows_of_kind(atlas, chapter, "name_tests", kind)
    together, by_name = (
        atlas.tables.get(f"{chapter}/{name}") for name in ("names_together", "names_by_name")
    )
    if tested is None or tested.empty or together is None or by_name is None:
        return Group(kind, absent="This atlas has no tested names: attlas patterns --test tests them.")
    heads = tested[tested["explained"].notna()]
    by_name = by_name[by_name["explained"].notna()].set_index("pattern")
    names = [name for name in PATTERNS if name in {*heads["pattern"], *by_name.index}]
    many = ", ".join(f"{verdict} {int((heads['verdict'] == verdict).sum())}" for verdict in _COLOURS)
    loss = together.set_index("what")["loss"]
    items, documents = (int(tested[name].max()) for name in ("n", "documents"))
    read = f"{count(items, 'segment')} of {count(documents, 'document')}"
    return Group(
        kind,
        (
            Panel(
                "What a name restores",
                f"Of {count(len(heads), 'head')} that are shown to be worth something to the loss: {many}.",
                partial(_draw_restored, heads=heads, by_name=by_name, names=names),
                subtitle=f"over {read}",
                width=430,
                height=90 + _ROW * max(4, len(names)),
                margins=(190, 8, 8, 66),
            ),
            Panel(
                "All names at once",
                ", ".join(f"{what} {value:.3f}" for what, value in loss.items()),
                partial(_draw_losses, loss=loss),
                subtitle=f"{count(int(together['heads'].iloc[0]), 'head')}",
                width=300,
                height=60 + _ROW * 4,
                margins=(130, 34, 8, 42),
            ),
        ),
        note=(f"Names of heads that are shown to be worth something: {many}.",),
    )


def _draw_restored(
    ax: Axes, theme: Theme, heads: pd.DataFrame, by_name: pd.DataFrame, names: list[str]
) -> None:
    for place in (0.0, 1.0):
        ax.axvline(place, color=theme.muted, linewidth=0.8, linestyle=(0, (4, 3)))
    for name, value, low, high in zip(
        by_name.index, by_name["explained"], by_name["low"], by_name["high"], strict=True
    ):
        row = names.index(str(name))
        ends = [min(max(float(x), LOWEST), HIGHEST) for x in (low, high)]
        (line,) = ax.plot(ends, [row, row], color=theme.muted, linewidth=3, alpha=0.45, zorder=1)
        line.set_gid("interval")
        (mark,) = ax.plot([min(max(float(value), LOWEST), HIGHEST)] * 2, [row - 0.32, row + 0.32], zorder=2)
        mark.set(color=theme.ink, linewidth=2, gid="name")
    for verdict, colour in _COLOURS.items():
        chosen = heads[heads["verdict"] == verdict]
        rows = np.array([names.index(name) for name in chosen["pattern"]], float)
        # beside one another by layer, so that heads with the same number are all seen
        apart = (chosen["layer"] % 5 - 2).to_numpy(float) / 2 * _SPREAD
        x = chosen["explained"].clip(LOWEST, HIGHEST).to_numpy(float)
        head_dots(ax, theme, x, rows + apart, theme.colour(colour), verdict, size=20)
    ax.set_xlim(LOWEST - 0.05, HIGHEST + 0.05)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)), [PATTERNS[name] for name in names])
    ax.set_xlabel("explained")
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.42, -0.42 * 4 / max(4, len(names))),
        ncol=3,
        frameon=False,
        fontsize=TEXT - 1,
        handletextpad=0.2,
        columnspacing=1.0,
    )


def _draw_losses(ax: Axes, theme: Theme, loss: pd.Series[float]) -> None:
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
