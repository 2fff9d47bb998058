"""What a model loses without its heads and layers (Kovaleva 2019, figures 8 and 9), and how far it can be
pruned."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.atlas.catalogue.result_tables import records
from attlas.figures.heat_map import BETTER, WORSE, head_grid, layers_down, signed_heat_map
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.theme import Theme
from attlas.statistics.verdicts import kind_of_score, shown_rows
from attlas.wording.vocabulary import LESS_IS_BETTER

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DISABLED = (
    "Left: how the {score} changes without each head. Blue: it gets worse, the model needs the head; orange: "
    "it gets better. The stronger the colour, the larger the change; a dot marks changes that are shown. "
    "Right: without each layer, with 95 % intervals over items."
)
PRUNED = (
    "The {score} against the share of heads that are kept, as heads are taken away by each order. The band "
    "is where random orders lie, from the best to the worst of them; the dashed line is the unmodified model."
)


def disabling_specs(atlas: Atlas, chapter: str, prefix: str | None = None) -> list[FigureSpec]:
    """The figures of a chapter that disabled or pruned heads; none for any other."""
    specs = []
    prefix = prefix or chapter
    disabled, together, pruned = (
        atlas.tables.get(f"{chapter}/{name}") for name in ("disabled", "disabled_together", "pruned")
    )
    if disabled is not None and len(disabled):
        groups = [
            Group(kind, tuple(_disabling_panels(disabled, together, kind)))
            for kind in atlas.kinds
            if (disabled["kind"] == kind).any()
        ]
        caption = DISABLED.format(score=disabled["score"].iloc[0])
        title = f"{prefix}, without each head and layer"
        specs.append(FigureSpec("disabled", f"{prefix}-disabled", title, caption, tuple(groups)))
    if pruned is not None and len(pruned):
        caption = PRUNED.format(score=pruned["score"].iloc[0])
        group = Group(atlas.kinds[0], (_curve_panel(pruned),))
        specs.append(FigureSpec("pruned", f"{prefix}-curve", f"{prefix}, pruned", caption, (group,)))
    return specs


def _disabling_panels(disabled: pd.DataFrame, together: pd.DataFrame | None, kind: Kind) -> list[Panel]:
    rows = disabled[disabled["kind"] == kind]
    score = str(rows["score"].iloc[0])
    worse = 1 if score in LESS_IS_BETTER else -1  # the sign of a change for the worse
    shown = pd.Series(shown_rows(kind_of_score(score), records(rows)), rows.index)
    values, sure = head_grid(rows, worse * rows["change"]), head_grid(rows, shown) == 1
    top = float(np.nanmax(np.abs(values))) or 1.0
    height = max(190, 60 + 14 * len(values))
    panels = [
        Panel(
            title=f"Without a head ({rows['edit'].iloc[0]})",
            subtitle=f"strongest colour: {score} changes by {_format_change(top)}",
            says=_describe_changes(rows, score),
            draw=partial(signed_heat_map, values=values, sure=sure, top=top),
            width=300,
            height=height,
            margins=(36, 4, 4, 42),
        )
    ]
    layers = together[(together["kind"] == kind) & _is_layer(together)] if together is not None else None
    if layers is not None and len(layers) > 1:
        panels.append(
            Panel(
                title="Without a layer",
                subtitle=f"change of the {score}",
                says=_describe_changes(layers, score),
                draw=partial(
                    _draw_layers, rows=records(layers), worse=worse, layers=len(values), score=score
                ),
                width=300,
                height=height,
                margins=(36, 12, 4, 42),
            )
        )
    return panels


def _is_layer(table: pd.DataFrame) -> pd.Series[bool]:
    return table["what"].astype(str).str.fullmatch(r"(\w+ )?layer \d+")


def _draw_layers(
    ax: Axes, theme: Theme, rows: Sequence[dict[str, Any]], worse: int, layers: int, score: str
) -> None:
    """One point per layer with its interval, at the height that the heat map beside it has for the layer."""
    ax.axvline(0, color=theme.muted, linewidth=1, dashes=(4, 3))
    for row, sure in zip(rows, shown_rows(kind_of_score(score), rows), strict=True):
        colour = theme.series[WORSE if worse * row["change"] >= 0 else BETTER]
        if row["low"] is not None:
            ax.hlines(row["layer"], row["low"], row["high"], colors=colour, linewidth=1.6, alpha=0.75)
        face = colour if sure else theme.paper
        ax.scatter([row["change"]], [row["layer"]], s=30, color=face, edgecolors=colour, zorder=3)
    layers_down(ax, layers)
    ax.tick_params(axis="x", length=3)
    ax.set_xlabel(f"change of the {score} (filled: shown)")


def _describe_changes(rows: pd.DataFrame, score: str) -> str:
    strongest = records(rows.iloc[np.argsort(-rows["change"].abs(), kind="stable")][:3])
    named = ", ".join(f"{_row_name(row)} {row['change']:+.4f}" for row in strongest)
    return f"Change of the {score}; largest: {named}."


def _row_name(row: dict[str, Any]) -> str:
    return str(row["what"]) if "what" in row else f"head {Head.from_row(row)}"


def _format_change(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"


def _curve_panel(pruned: pd.DataFrame) -> Panel:
    score = str(pruned["score"].iloc[0])
    ends = [
        f"{order}: {records(curve)[-1]['value']:.4f} with {records(curve)[-1]['kept']:,} heads"
        for order, curve in pruned[pruned["order"] != "random"].groupby("order", sort=False)
    ]
    return Panel(
        title=f"{score} against heads kept",
        says=f"Curves of the {score}. {'; '.join(ends)}.",
        draw=partial(_draw_curves, pruned=pruned, score=score),
        width=520,
        height=300,
        margins=(56, 12, 8, 44),
    )


def _draw_curves(ax: Axes, theme: Theme, pruned: pd.DataFrame, score: str) -> None:
    every = int(pruned["heads"].iloc[0])
    random = pruned[pruned["order"] == "random"].groupby("kept")["value"].agg(["min", "max", "mean"])
    if len(random):
        share = random.index.to_numpy(float) / every
        ax.fill_between(share, random["min"], random["max"], color=theme.series[6], alpha=0.28, linewidth=0)
        ax.plot(share, random["mean"], color=theme.series[6], linewidth=1.6, label="random")
    named = pruned[~pruned["order"].isin(["random", "saved"])]
    for place, (order, curve) in enumerate(named.groupby("order", sort=False)):
        curve = curve.sort_values("kept")
        colour = theme.series[place % 6]
        ax.plot(
            curve["kept"] / every,
            curve["value"],
            color=colour,
            linewidth=1.9,
            marker="o",
            ms=3.5,
            label=str(order),
        )
    smaller = pruned[(pruned["order"] == "saved") & (pruned["kept"] < every)]
    if len(smaller):
        at = smaller["kept"] / every, smaller["value"]
        ax.plot(*at, color=theme.gold, marker="D", ms=6, linestyle="", label="the model that is saved")
    ax.axhline(float(pruned["plain"].iloc[0]), color=theme.muted, linewidth=1, dashes=(4, 3))
    ax.set_xlim(1.01, -0.01)
    ax.set_xlabel("share of heads kept")
    ax.set_ylabel(score)
    ax.legend(frameon=False, loc="best", handlelength=1.6)
