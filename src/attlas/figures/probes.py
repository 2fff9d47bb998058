"""Figures of the probes, from their chapters: heat maps of every head, and heads at work with gold links in
red."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.atlas.chapter import Chapter
from attlas.errors import AttlasError
from attlas.figures.theme import THEMES, Theme, drawing
from attlas.files import write_whole
from attlas.reducers.reducer import Row
from attlas.studies.links.links import DIRECTIONS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "pdf", "png")
MOST_GROUPS = 9  # heat maps in a figure
MOST_AT_WORK = 8  # stretches in a figure
GOLD = "#c8102e"
Grid = npt.NDArray[np.float64]  # layer head
#: statistics of weights, in words, and the figure that they go to
WEIGHTS = {
    "frame_weight": ("largest weight", "heads"),
    "feature_weight": ("from all tokens", "heads"),
    "cls_weight": ("from [CLS]", "from-cls"),
    "link_weight": ("between words", "links"),
}


@dataclass(frozen=True)
class Panel:
    """A cell for every head. The head that the table names is outlined, and `named` has the table's number;
    None where the table names a head of another kind."""

    title: str
    grid: Grid
    head: tuple[int, int] | None = None
    named: str = ""


@dataclass(frozen=True)
class Stretch:
    """A head's weights between words: row attends to column."""

    title: str
    words: Sequence[str]
    weights: Grid  # word word
    gold: frozenset[tuple[int, int]]  # attending word, attended word


def draw(chapter: Chapter, folder: Path) -> list[Path]:
    """Draws what the chapter has figures for; gives the files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise AttlasError(f"{folder} cannot be made: {error.strerror}") from error
    theme = THEMES["light"]
    written = []
    with drawing(theme):
        for name, figure in _figures(chapter, theme):
            for form in FORMATS:
                content = BytesIO()
                figure.savefig(content, format=form, dpi=200, facecolor=theme.paper)
                written.append(write_whole(folder / f"{name}.{form}", content.getvalue()))
    return written


def _figures(chapter: Chapter, theme: Theme) -> Iterator[tuple[str, Figure]]:
    study = chapter.about["study"]
    found = link_panels(chapter) if "best" in chapter.tables else weight_panels(chapter)
    for part, panels in found.items():
        yield f"{study}-{part}", heat_maps(panels[:MOST_GROUPS], theme)
    if stretches := at_work_stretches(chapter):
        yield f"{study}-at-work", at_work(stretches[:MOST_AT_WORK], theme)


def link_panels(chapter: Chapter) -> dict[str, list[Panel]]:
    """The accuracy of every head where heads are reported, for the groups of the table: so the outlined head
    has the number that stands in the table."""
    table = chapter.tables["best"]
    grids = {
        name.removesuffix(".accuracy"): g for name, g in chapter.arrays.items() if name.endswith(".accuracy")
    }
    panels = []
    for kind, grid in grids.items():  # group direction layer head
        for place, record in enumerate(table.to_dict("records")):
            title = f"{record['group']}, {record['statistic']}".replace("_", " ")
            own = grid[place, DIRECTIONS.index(record["direction"])]
            named = f"head {record['layer']}.{record['head']}: {100 * record['accuracy']:.1f} %"
            panels.append(_panel(title, own, kind, len(grids), record, named))
    return {"heads": panels}


def weight_panels(chapter: Chapter) -> dict[str, list[Panel]]:
    """The weight of every head, for the groups of the table, which may name several heads: the strongest of
    them is outlined."""
    table = chapter.tables["weights"]
    rows = pd.DataFrame(list(chapter.rows), columns=list(Row._fields))
    kinds = list(dict.fromkeys(rows["kind"]))
    panels: dict[str, list[Panel]] = {}
    for kind in kinds:
        of_kind = rows[rows["kind"] == kind]
        shape = int(of_kind["layer"].max()) + 1, int(of_kind["head"].max()) + 1
        for statistic, group in dict.fromkeys(zip(table["statistic"], table["group"], strict=True)):
            named = table[(table["statistic"] == statistic) & (table["group"] == group)]
            chosen = of_kind[(of_kind["statistic"] == statistic) & (of_kind["group"] == group)]
            if chosen.empty:
                continue
            grid = np.full(shape, np.nan)
            grid[chosen["layer"], chosen["head"]] = chosen["value"]
            record = named.nlargest(1, "weight").to_dict("records")[0]
            said, part = WEIGHTS[statistic]
            title = f"{group.replace('_', ' ')}, {said}"
            text = f"head {record['layer']}.{record['head']}: {record['weight']:.3f}"
            panels.setdefault(part, []).append(_panel(title, grid, kind, len(kinds), record, text))
    return panels


def _panel(title: str, grid: Grid, kind: str, kinds: int, record: Mapping[Any, Any], named: str) -> Panel:
    if record["kind"] != kind:
        return Panel(f"{kind}: {title}", grid)
    head = int(record["layer"]), int(record["head"])
    return Panel(title if kinds == 1 else f"{kind}: {title}", grid, head, named)


def heat_maps(panels: Sequence[Panel], theme: Theme) -> Figure:
    """A panel for each group: a cell for every head, the one that the table names outlined."""
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
        panel = panels[place]
        largest = float(np.nanmax(panel.grid)) if np.isfinite(panel.grid).any() else 0
        shown = axis.imshow(panel.grid, cmap=colours, vmin=0, vmax=largest or 1, aspect="auto")
        if panel.head is not None:
            corner = panel.head[1] - 0.5, panel.head[0] - 0.5
            axis.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor=GOLD, linewidth=2, clip_on=False))
        axis.set_title(f"{panel.title}\n{panel.named}")
        axis.grid(visible=False)
        _counted(axis, panel.grid.shape)
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


def at_work_stretches(chapter: Chapter) -> list[Stretch]:
    if "at_work" not in chapter.tables:
        return []
    return [
        Stretch(
            f"{record['group'].replace('_', ' ')}: head {record['layer']}.{record['head']}",
            chapter.tokens[record["tokens"]],
            chapter.arrays[f"{record['tokens']}.weights"],
            frozenset((int(a), int(b)) for a, b in chapter.arrays[f"{record['tokens']}.links"]),
        )
        for record in chapter.tables["at_work"].to_dict("records")
    ]


def at_work(found: Sequence[Stretch], theme: Theme) -> Figure:
    """Each stretch as two columns of words: lines as strong as the weights, from the attending word on the
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
            _draw_stretch(axis, found[place], tallest[place // columns], theme)
    return figure


def _draw_stretch(axis: Axes, stretch: Stretch, tallest: int, theme: Theme) -> None:
    axis.set_title(stretch.title, fontsize=11)
    axis.set_xlim(-0.9, 1.9)
    axis.set_ylim(tallest - 0.4, -0.6)
    for i, word in enumerate(stretch.words):
        from_gold, to_gold = (any(pair[end] == i for pair in stretch.gold) for end in (0, 1))
        axis.text(-0.04, i, word, ha="right", va="center", fontsize=9, color=GOLD if from_gold else theme.ink)
        axis.text(1.04, i, word, ha="left", va="center", fontsize=9, color=GOLD if to_gold else theme.ink)
    for i, row in enumerate(stretch.weights):
        for j, weight in enumerate(row):
            linked = (i, j) in stretch.gold
            if weight > 0.02 or linked:
                colour = GOLD if linked else theme.series[0]
                # a gold link is to be seen also where the head hardly makes it
                alpha = float(0.3 + 0.7 * weight if linked else min(1.0, weight))
                axis.plot([0, 1], [i, j], color=colour, alpha=alpha, linewidth=1.8, zorder=3 if linked else 2)
