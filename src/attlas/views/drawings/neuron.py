"""How one token's weights come about: its query against every key, and the values they gather."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from attlas.array_types import Floats32
from attlas.errors import AttlasError
from attlas.figures.weight_marks import draw_cells
from attlas.views.drawings.link_picture import unit_names
from attlas.views.drawings.still import Still, dense_map, fit_text, units_of, weight_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW = 0.2  # inches a token


def draw(still: Still, figure: Figure) -> None:
    vectors = still.layer.vectors
    if vectors is None:
        raise AttlasError(
            f"layer {still.layer.layer} has no vectors in this view: name it with include_layers"
        )
    head = still.heads[0]
    index = still.layer.heads.index(head)
    whole = dense_map(still.layer, index)
    row = chosen_query(still, whole)
    q, k, v = vectors.query[index, row], vectors.key[index], vectors.value[index]
    last = row + 1 if still.maps.causal else len(k)
    k, v, weights = k[:last], v[:last], whole[row, :last]
    dots = k @ q * vectors.scaling
    keys = unit_names(_pieces(still, 1))[:last]
    figure.set_size_inches(still.width or 9, 1.5 + _ROW * last)
    # in a column of a paper the bars need more of the room for their names
    narrow = figure.get_figwidth() < 5
    bars = 2 if narrow else 1
    panels: Any = figure.subplots(
        2, 5, width_ratios=(3, 3, bars, bars, 3), height_ratios=(1, max(last, 1)), squeeze=False
    )
    above, below = panels
    typical = 3 * float(np.sqrt((q**2).mean())) or 1.0
    _draw_strip(above[0], still, q[None], "query q", typical)
    _draw_strip(
        above[4],
        still,
        (weights @ v)[None],
        "output" if narrow else "output = Σ softmax × v",
        3 * float(np.sqrt((v**2).mean())) or 1.0,
    )
    for axes in above[1:4]:
        axes.set_axis_off()
    above[0].set_yticks([0], [fit_text(_pieces(still, 0)[row].text)], fontsize=8, fontweight="bold")
    for axes, name, values in ((below[0], "key k", k), (below[1], "q × k", q * k), (below[4], "value v", v)):
        _draw_strip(axes, still, values, name, 3 * float(np.sqrt((values**2).mean())) or 1.0)
    rows = np.arange(last)
    signs = [still.colours.positive if dot > 0 else still.colours.negative for dot in dots]
    _draw_bars(below[2], still, dots, signs, "q·k" if narrow else "q·k scaled")
    _draw_bars(below[3], still, weights, [still.colour(head)] * last, "softmax")
    below[3].set_xlim(0, 1.45 * max(float(weights.max()), 0.01))
    for at, weight in zip(rows, weights, strict=True):
        if weight >= 0.005:
            below[3].text(
                float(weight),
                at,
                f" {weight_text(float(weight))}",
                fontsize=6,
                va="center",
                color=still.colours.ink,
            )
    below[0].set_yticks(rows, keys, fontsize=8)
    for axes in panels.ravel():
        axes.tick_params(length=0, labelsize=8, colors=still.colours.ink)
        axes.set_facecolor("none")
        for spine in axes.spines.values():
            spine.set_visible(False)
    address = f"head {still.layer.layer}.{head}, query of “{fit_text(_pieces(still, 0)[row].text)}”"
    figure.suptitle(f"{fit_text(still.scene['title'], 40)} · {address}", fontsize=9, color=still.colours.ink)
    _legend(figure, still)


def chosen_query(still: Still, weights: Floats32) -> int:
    """The pinned query, or the one whose strongest link to another token than itself and the first is the
    strongest: there is most to see. Of a causal map only later rows, which have keys to choose among."""
    for end, piece in still.selection["pinned"]:
        if end == "query":
            return piece
    other = np.abs(weights).copy()
    other[:, 0] = 0
    count = min(other.shape)
    other[np.arange(count), np.arange(count)] = 0
    if still.maps.causal:
        other[: len(other) // 2] = 0
    best = int(other.max(axis=1).argmax())
    return best if other[best].max() > 0 else len(weights) - 1


def _pieces(still: Still, end: int) -> Any:
    from attlas.views.inputs import SIDES

    return units_of(still.scene["sides"][SIDES[still.maps.attention][end]], False, "all")


def _draw_strip(axes: Axes, still: Still, values: Floats32, name: str, most: float) -> None:
    draw_cells(axes, values, _signed_colours(still), -most, most, aspect="auto")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_title(name, fontsize=8, color=still.colours.quiet)


def _draw_bars(axes: Axes, still: Still, values: Floats32, colours: list[str], name: str) -> None:
    axes.barh(np.arange(len(values)), values, color=colours, height=0.7)
    axes.set_ylim(len(values) - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xticks([])
    axes.set_title(name, fontsize=8, color=still.colours.quiet)


def _signed_colours(still: Still) -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    ends = [still.colours.negative, still.colours.page, still.colours.positive]
    return LinearSegmentedColormap.from_list("signed", ends)


def _legend(figure: Figure, still: Still) -> None:
    from matplotlib.patches import Patch

    names = {"above 0": still.colours.positive, "below 0": still.colours.negative}
    figure.legend(
        handles=[Patch(color=colour, label=name) for name, colour in names.items()],
        loc="outside lower center",
        ncols=2,
        fontsize=7,
        frameon=False,
        labelcolor=still.colours.ink,
    )
