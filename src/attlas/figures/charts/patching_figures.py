"""What heads carry: the effect of patching each, by layer, and how far attribution says the same."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.atlas.catalogue.result_tables import records
from attlas.figures.chart import chart, rows_of_kind
from attlas.figures.heat_map import head_grid, signed_heat_map
from attlas.figures.layout import Group, Panel
from attlas.figures.panels import head_dots
from attlas.figures.theme import TEXT, Theme
from attlas.statistics.claims import CLAIMS, SURE
from attlas.statistics.scores import score
from attlas.statistics.verdicts import shown_rows
from attlas.wording.numbers import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PATCHED = (
    "How the logit difference between the answer and a wrong one changes when a head has its output, or its "
    "weights alone, from the other text. Blue: the head carries what speaks for the answer, so that the "
    "difference falls in the clean text and rises in the corrupt one; orange: it works against it. All maps "
    f"have one scale. A dot marks what is shown: {CLAIMS['logits'].size:g} or more, and p < {SURE}, "
    "corrected for the number of heads. Last: attribution patching, from one backward pass, beside the "
    "output patched into the clean text; each dot is a head."
)
_WIDE = 265.0  # points
_NAMED = 3  # heads that have their address beside them
_PANELS = (
    ("output", "clean", "Output, into clean"),
    ("output", "corrupt", "Output, into corrupt"),
    ("weights", "clean", "Weights, into clean"),
)


@chart(
    "patching", title="What heads carry from one text to another", caption=PATCHED, table="patched", place=13
)
def patching(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """What patching the output and the weights of each head does to the logit difference, and attribution
    patching beside it."""
    heads = rows_of_kind(atlas, chapter, "patched", kind)
    if heads is None:
        return Group(kind, absent="This atlas has no patched heads: attlas patch patches them.")
    height = max(230.0, 70 + 11.0 * (int(heads["layer"].max()) + 1))
    drawn = [_select(heads, what, into) for what, into, _ in _PANELS]
    top = max(float(part["effect"].abs().max()) for part in drawn) or 1.0
    panels = [
        _effect_panel(part, into, title, top, height)
        for part, (_, into, title) in zip(drawn, _PANELS, strict=True)
    ]
    output = _select(heads, "output", "clean")
    correlation = number(score("pearson", *(output[n].to_numpy(float) for n in ("attributed", "effect"))), 2)
    panels.append(
        Panel(
            "Attribution beside patching",
            f"The correlation over heads is {correlation}.",
            partial(_draw_attribution, heads=output),
            subtitle=f"correlation {correlation}",
            width=_WIDE,
            height=height,
        )
    )
    return Group(kind, tuple(panels))


def _select(heads: pd.DataFrame, what: str, into: str) -> pd.DataFrame:
    return heads[(heads["what"] == what) & (heads["into"] == into)]


def _effect_panel(rows: pd.DataFrame, into: str, title: str, top: float, height: float) -> Panel:
    # what speaks for the answer is missed in the clean text, and helps in the corrupt one
    values = head_grid(rows, rows["effect"] * (-1 if into == "clean" else 1))
    order = np.argsort(-rows["effect"].abs(), kind="stable")[:_NAMED]
    strongest = rows.iloc[order].to_dict("records")
    named = ", ".join(f"{Head.from_row(row)} {row['effect']:+.2f}" for row in strongest)
    shown = pd.Series(shown_rows("logits", records(rows), "effect"), rows.index)
    return Panel(
        title,
        f"The strongest: {named}.",
        partial(signed_heat_map, values=values, sure=head_grid(rows, shown) == 1, top=top),
        subtitle=f"largest {rows['effect'].abs().max():.2f}, strongest colour {top:.2f}",
        width=_WIDE,
        height=height,
    )


def _draw_attribution(ax: Axes, theme: Theme, heads: pd.DataFrame) -> None:
    exact, estimate = (heads[name].to_numpy(float) for name in ("effect", "attributed"))
    low, high = min(exact.min(), estimate.min(), 0.0), max(exact.max(), estimate.max(), 0.0)
    ends = low - 0.06 * (high - low), high + 0.06 * (high - low)
    ax.plot(ends, ends, color=theme.muted, linewidth=0.8, linestyle=(0, (4, 3)))
    head_dots(ax, theme, exact, estimate, theme.series[0], size=16)
    for place in np.argsort(-np.abs(exact), kind="stable")[:_NAMED]:
        name, at = Head.from_row(heads.iloc[place]), (exact[place], estimate[place])
        ax.annotate(str(name), at, (5, -8), textcoords="offset points", color=theme.ink, fontsize=TEXT - 2)
    ax.set_xlabel("effect of patching")
    ax.set_ylabel("attributed")
