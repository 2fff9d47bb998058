"""Figures of the probes: heat maps of every head, and heads at work with gold links in red."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.corpora.windows import Cut
from attlas.errors import AttlasError
from attlas.figures.theme import THEMES, Theme, drawing
from attlas.probes.at_work import Example, examples
from attlas.probes.tasks import Done
from attlas.reducers import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "pdf", "png")
MOST_GROUPS = 9  # heat maps in a figure
GOLD = "#c8102e"
Grid = npt.NDArray[np.float64]  # layer head
#: statistics of the probes, in words
SAID = {
    "dependent_to_head": "dependent to head",
    "head_to_dependent": "head to dependent",
    "mention_to_antecedent": "mention to antecedent",
    "antecedent_to_mention": "antecedent to mention",
    "pronoun_to_name": "pronoun to name",
    "name_to_pronoun": "name to pronoun",
    "frame_weight": "largest weight",
    "feature_weight": "from all tokens",
    "cls_weight": "from [CLS]",
    "link_weight": "between words",
}


def draw(done: Done, folder: Path) -> list[Path]:
    """Draws what the probe has figures for; gives the files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AttlasError(f"{folder} cannot be made: {error.strerror}") from error
    theme = THEMES["light"]
    written = []
    with drawing(theme):
        for name, figure in _figures(done, theme):
            for form in FORMATS:
                path = folder / f"{name}.{form}"
                figure.savefig(path, dpi=200, facecolor=theme.paper)
                written.append(path)
    return written


def _figures(done: Done, theme: Theme) -> list[tuple[str, Figure]]:
    name = done.probed.probe
    figures = [
        (f"{name}-{part}", heat_maps(panels[:MOST_GROUPS], theme)) for part, panels in _panels(done).items()
    ]
    groups = {g: c for g, c in list(done.probed.best.items())[:MOST_GROUPS] if g != "all"}
    found = examples(done.asked.subject, done.windows(Cut()), done.ask, groups)
    if found:
        figures.append((f"{name}-at-work", at_work(found[:8], theme)))
    return figures


def heat_maps(panels: list[tuple[str, Grid]], theme: Theme) -> Figure:
    """A panel for each group of the table: a cell for every head, the best one outlined."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    columns, rows = _laid_out(len(panels), 3)
    figure = Figure(figsize=(3.9 * columns + 0.4, 3.5 * rows + 0.3), layout="constrained")
    colours = LinearSegmentedColormap.from_list("heat", theme.heat)
    axes = figure.subplots(rows, columns, squeeze=False)
    for place, axis in enumerate(axes.flat):
        if place >= len(panels):
            axis.set_axis_off()
            continue
        title, grid = panels[place]
        shown = axis.imshow(grid, cmap=colours, vmin=0, vmax=float(np.nanmax(grid)) or 1, aspect="auto")
        layer, head = np.unravel_index(np.nanargmax(grid), grid.shape)
        corner = float(head) - 0.5, float(layer) - 0.5
        axis.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor=GOLD, linewidth=2, clip_on=False))
        axis.set_title(f"{title}\nbest {layer}.{head}: {grid[layer, head]:.2f}")
        axis.grid(visible=False)
        _counted(axis, grid.shape)
        figure.colorbar(shown, ax=axis, shrink=0.85).outline.set_visible(False)
    return figure


def _laid_out(panels: int, most: int) -> tuple[int, int]:
    """Columns and rows: as wide as may be, but with as few empty places as can be."""
    columns = panels if panels <= most else min(range(most, 1, -1), key=lambda c: -panels % c)
    return columns, -(-panels // columns)


def _counted(axis: Axes, shape: tuple[int, ...]) -> None:
    for size, ticks in ((shape[1], axis.set_xticks), (shape[0], axis.set_yticks)):
        ticks(range(0, size, max(1, -(-size // 12) if size > 12 else 2)))
    axis.set_xlabel("head")
    axis.set_ylabel("layer")


def _panels(done: Done) -> dict[str, list[tuple[str, Grid]]]:
    """figure -> title and layer head grid, for the groups that the table names."""
    rows = pd.DataFrame(list(done.probed.rows), columns=list(Row._fields))
    kinds = list(dict.fromkeys(rows["kind"]))
    panels: dict[str, list[tuple[str, Grid]]] = {}
    for kind in kinds:
        of_kind = rows[rows["kind"] == kind]
        shape = int(of_kind["layer"].max()) + 1, int(of_kind["head"].max()) + 1
        for statistic, group in _wanted(done):
            chosen = of_kind[(of_kind["statistic"] == statistic) & (of_kind["group"] == group)]
            if chosen.empty:
                continue
            grid = np.full(shape, np.nan)
            grid[chosen["layer"], chosen["head"]] = chosen["value"]
            said = f"{group.replace('_', ' ')}, {SAID[statistic]}"
            part = {"cls_weight": "from-cls", "link_weight": "links"}.get(statistic, "heads")
            panels.setdefault(part, []).append((said if len(kinds) == 1 else f"{kind}: {said}", grid))
    return panels


def _wanted(done: Done) -> list[tuple[str, str]]:
    table = done.probed.table
    if done.probed.probe == "features":
        return list(dict.fromkeys(zip(table["statistic"], table["group"], strict=True)))
    if done.probed.probe == "frames":
        return [("frame_weight", group) for group in dict.fromkeys(table["group"])]
    names = {r.statistic for r in done.probed.rows}
    forward = {"to": ("dependent_to_head", "mention_to_antecedent", "pronoun_to_name")}
    found = []
    for group, direction in zip(table["group"], table["direction"], strict=True):
        statistic = next(n for n in names if (n in forward["to"]) == (direction == "to"))
        found.append((statistic, group))
    return found


def at_work(found: list[Example], theme: Theme) -> Figure:
    """Each example as two columns of words: lines as strong as the weights, from the attending word on the
    left; gold links in red."""
    from matplotlib.figure import Figure

    columns, rows = _laid_out(len(found), 4)
    tallest = [max(len(e.words) for e in found[row * columns : (row + 1) * columns]) for row in range(rows)]
    heights = [0.26 * words + 0.8 for words in tallest]
    figure = Figure(figsize=(3.3 * columns, sum(heights)), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, height_ratios=heights)
    for place, axis in enumerate(axes.flat):
        axis.set_axis_off()
        if place < len(found):
            _draw_example(axis, found[place], tallest[place // columns], theme)
    return figure


def _draw_example(axis: Axes, example: Example, tallest: int, theme: Theme) -> None:
    cell = example.cell
    axis.set_title(f"{example.group.replace('_', ' ')}: head {cell.layer}.{cell.head}", fontsize=11)
    axis.set_xlim(-0.9, 1.9)
    axis.set_ylim(tallest - 0.4, -0.6)
    gold = set(example.gold)
    for i, word in enumerate(example.words):
        from_gold, to_gold = (any(pair[end] == i for pair in gold) for end in (0, 1))
        axis.text(-0.04, i, word, ha="right", va="center", fontsize=9, color=GOLD if from_gold else theme.ink)
        axis.text(1.04, i, word, ha="left", va="center", fontsize=9, color=GOLD if to_gold else theme.ink)
    for i, row in enumerate(example.weights):
        for j, weight in enumerate(row):
            linked = (i, j) in gold
            if weight > 0.02 or linked:
                colour = GOLD if linked else theme.series[0]
                # a gold link is to be seen also where the head hardly makes it
                alpha = float(0.3 + 0.7 * weight if linked else min(1.0, weight))
                axis.plot([0, 1], [i, j], color=colour, alpha=alpha, linewidth=1.8, zorder=3 if linked else 2)
