"""What heads carry: the effect of patching each, by layer, and how far attribution says the same."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.atlas.words import number
from attlas.figures.chart import chart
from attlas.figures.heat_map import signed_heat_map
from attlas.figures.layout import Group, Panel
from attlas.figures.theme import TEXT, Theme
from attlas.statistics.scores import score

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PATCHED = (
    "How the logit difference between the answer and a wrong one changes when a head has its output, or its "
    "weights alone, from the other text. Blue: the head carries what speaks for the answer, so that the "
    "difference falls in the clean text and rises in the corrupt one; orange: it works against it. All maps "
    "have one scale. A dot marks p < 0.05, corrected for the number of heads. Last: attribution "
    "patching, from one backward pass, beside the output patched into the clean text; each dot is a head."
)
_WIDE = 265.0  # points
_NAMED = 3  # heads that have their address beside them
SIGNIFICANT = 0.05
_PANELS = (
    ("output", "clean", "Output, into clean"),
    ("output", "corrupt", "Output, into corrupt"),
    ("weights", "clean", "Weights, into clean"),
)


def patching_chapters(atlas: Atlas) -> list[str]:
    return [chapter for chapter in atlas.chapters if f"{chapter}/patched" in atlas.tables]


@chart(
    "patching",
    title="What heads carry from one text to another",
    caption=PATCHED,
    chapters=patching_chapters,
    place=13,
)
def patching(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """What patching the output and the weights of each head does to the logit difference, and attribution
    patching beside it."""
    table = atlas.tables.get(f"{chapter}/patched")
    heads = None if table is None else table[table["kind"] == kind]
    if heads is None or not len(heads):
        return Group(kind, absent="This atlas has no patched heads: attlas patch patches them.")
    height = max(230.0, 70 + 11.0 * (int(heads["layer"].max()) + 1))
    drawn = [_part(heads, what, into) for what, into, _ in _PANELS]
    top = max(float(part["effect"].abs().max()) for part in drawn) or 1.0
    panels = [
        _heads(part, into, title, top, height) for part, (_, into, title) in zip(drawn, _PANELS, strict=True)
    ]
    output = _part(heads, "output", "clean")
    correlation = number(score("pearson", *(output[n].to_numpy(float) for n in ("attributed", "effect"))), 2)
    panels.append(
        Panel(
            "Attribution beside patching",
            f"The correlation over heads is {correlation}.",
            partial(_attributed, heads=output),
            subtitle=f"correlation {correlation}",
            width=_WIDE,
            height=height,
        )
    )
    return Group(kind, tuple(panels))


def _part(heads: pd.DataFrame, what: str, into: str) -> pd.DataFrame:
    return heads[(heads["what"] == what) & (heads["into"] == into)]


def _heads(rows: pd.DataFrame, into: str, title: str, top: float, height: float) -> Panel:
    shape = int(rows["layer"].max()) + 1, int(rows["head"].max()) + 1
    values, sure = np.full(shape, np.nan), np.zeros(shape, dtype=bool)
    # what speaks for the answer is missed in the clean text, and helps in the corrupt one
    values[rows["layer"], rows["head"]] = rows["effect"] * (-1 if into == "clean" else 1)
    sure[rows["layer"], rows["head"]] = rows["p"] < SIGNIFICANT
    return Panel(
        title,
        f"The strongest: {_strongest(rows)}.",
        partial(signed_heat_map, values=values, sure=sure, top=top),
        subtitle=f"largest {rows['effect'].abs().max():.2f}, strongest colour {top:.2f}",
        width=_WIDE,
        height=height,
    )


def _strongest(rows: pd.DataFrame) -> str:
    order = np.argsort(-rows["effect"].abs(), kind="stable")[:_NAMED]
    return ", ".join(f"{_head(row)} {row['effect']:+.2f}" for row in rows.iloc[order].to_dict("records"))


def _head(row: Mapping[Any, Any]) -> str:
    return str(Head(row["kind"], int(row["layer"]), int(row["head"])))


def _attributed(ax: Axes, theme: Theme, heads: pd.DataFrame) -> None:
    exact, estimate = (heads[name].to_numpy(float) for name in ("effect", "attributed"))
    low, high = min(exact.min(), estimate.min(), 0.0), max(exact.max(), estimate.max(), 0.0)
    ends = low - 0.06 * (high - low), high + 0.06 * (high - low)
    ax.plot(ends, ends, color=theme.muted, linewidth=0.8, linestyle=(0, (4, 3)))
    dots = ax.scatter(
        exact, estimate, s=16, color=theme.series[0], alpha=0.85, linewidths=0.6, edgecolors=theme.paper
    )
    dots.set_gid("heads")
    for place in np.argsort(-np.abs(exact), kind="stable")[:_NAMED]:
        name, at = _head(heads.iloc[place].to_dict()), (exact[place], estimate[place])
        ax.annotate(name, at, (5, -8), textcoords="offset points", color=theme.ink, fontsize=TEXT - 2)
    ax.set_xlabel("effect of patching")
    ax.set_ylabel("attributed")
