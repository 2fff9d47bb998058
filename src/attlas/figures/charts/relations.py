"""What studies concluded of heads: heat maps with the head that the table names, and heads at work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.atlas import Atlas
from attlas.atlas.catalogue.result_tables import records
from attlas.atlas.catalogue.row_sentences import say_accuracy, say_baseline, say_significance, say_weight
from attlas.atlas.registry import REGISTRY, in_order, statistic
from attlas.figures.chart import chart
from attlas.figures.disabling_figures import disabling_specs
from attlas.figures.head_measures import shorten
from attlas.figures.heat_map import heat_panel, heat_top
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.weight_marks import links
from attlas.wording.numbers import number, percent

MOST = 9  # heat maps in a figure
MOST_AT_WORK = 8  # stretches in a figure
TABLES = ("best", "weights")
OF_DISABLING = ("disabled", "pruned")
#: the figure that a statistic of weights goes to; all others go to `heads`
PARTS = {"cls_weight": "from-cls", "link_weight": "links"}
HEATED = (
    "A heat map for each group of the study's table. The outlined head is the one that the table names, and "
    "the number above the map is the table's. A study that chooses heads on one part of its corpus reports "
    "them on the other."
)
AT_WORK = (
    "Stretches in which the head that the table names is right. The stronger the line, the more the word on "
    "the left attends to the one on the right; what the corpus links is red. They show what a hit looks "
    "like, and nothing about how often it comes."
)


def relation_chapters(atlas: Atlas) -> list[str]:
    """The chapters with a table of links or weights, or of what is lost without heads."""
    tables = (*TABLES, *OF_DISABLING)
    return [c for c in atlas.chapters if any(f"{c}/{name}" in atlas.tables for name in tables)]


def relation_specs(atlas: Atlas, chapter: str, prefix: str | None = None) -> list[FigureSpec]:
    """The figures of such a chapter: heat maps by part, and heads at work. Their files are called
    PREFIX-PART, with the chapter's name as prefix if none is given."""
    parts: dict[str, list[Group]] = {}
    for kind in atlas.kinds:
        made: dict[str, list[Panel]] = {}
        for part, panel in _heat_panels(atlas, chapter, kind):
            made.setdefault(part, []).append(panel)
        for part, panels in made.items():
            parts.setdefault(part, []).append(Group(kind, tuple(panels[:MOST])))
    specs = [_spec(prefix or chapter, part, HEATED, groups) for part, groups in parts.items()]
    specs += disabling_specs(atlas, chapter, prefix)
    stretches = list(_at_work(atlas, chapter))[:MOST_AT_WORK]
    if stretches:
        work = [Group(atlas.kinds[0], tuple(stretches))]
        specs.append(_spec(prefix or chapter, "at-work", AT_WORK, work))
    return specs


def _spec(prefix: str, part: str, caption: str, groups: Sequence[Group]) -> FigureSpec:
    return FigureSpec(part, f"{prefix}-{part}", f"{prefix}, {part}", caption, tuple(groups))


@chart("relations", title="What heads know", caption=HEATED, chapters=relation_chapters, place=8)
def relations(atlas: Atlas, chapter: str, kind: Kind) -> Group:
    """What a study concluded: a heat map for each group of its table, with the head that the table names
    outlined and the table's number above it; and stretches of text with that head at work."""
    made = [panel for _, panel in _heat_panels(atlas, chapter, kind)][:MOST]
    return Group(kind, tuple(made), absent="" if made else "No study of this atlas names heads of this kind.")


def _heat_panels(atlas: Atlas, chapter: str, kind: Kind) -> Iterator[tuple[str, Panel]]:
    """Part and panel, for every group of the chapter's table that names a head of this kind."""
    for name in TABLES:
        table = atlas.tables.get(f"{chapter}/{name}")
        shown: set[Any] = set()
        for place, row in enumerate(records(table) if table is not None else ()):
            measured = _statistic(atlas, chapter, name, row)
            if row["kind"] != kind or measured is None or (measured, row["group"]) in shown:
                continue
            shown.add((measured, row["group"]))  # a group may name several heads, the strongest first
            values = _head_values(atlas, chapter, kind, measured, place, row)
            if values is not None and np.isfinite(values).any():
                yield PARTS.get(measured, "heads"), _heat_panel(values, name, measured, row)


def _statistic(atlas: Atlas, chapter: str, table: str, row: dict[str, Any]) -> str | None:
    """The statistic that a row of a table is about. Links have two, for the two directions."""
    if row.get("statistic") in REGISTRY:
        return str(row["statistic"])
    family = "link" if table == "best" else "weight"
    statistics = atlas.heads["statistic"][atlas.heads["chapter"] == chapter].unique()
    names = sorted((n for n in statistics if n in REGISTRY and REGISTRY[n].family == family), key=in_order)
    place = 1 if row.get("direction") == "from" else 0
    return names[place] if place < len(names) else None


def _head_values(
    atlas: Atlas, chapter: str, kind: Kind, measured: str, place: int, row: dict[str, Any]
) -> Floats | None:
    """layer head. Where the chapter keeps them, the accuracies where heads are reported, as in the table;
    else those of the rows, over the whole corpus."""
    kept = atlas.array(f"{kind}.accuracy", chapter)  # group direction layer head
    if kept is not None and kept.ndim == 4 and place < len(kept):
        return np.asarray(kept[place, 1 if row.get("direction") == "from" else 0], dtype=np.float64)
    if not atlas.has(measured, str(row["group"]), kind, chapter):
        return None
    return atlas.grid(measured, str(row["group"]), kind, chapter=chapter)


def _heat_panel(values: Floats, table: str, measured: str, row: dict[str, Any]) -> Panel:
    head = Head.from_row(row)
    if table == "best":
        lines = [say_accuracy(row), say_baseline(row), say_significance(row).strip(", ")]
    else:
        lines = say_weight(row).split(", ")
    where = "last layer, " if measured == "cls_weight" else ""  # the only one that the study asks
    lines = [f"{where}head {head}: {lines[0]}", *(line for line in lines[1:] if line)]
    top = percent(heat_top(values)) if table == "best" else number(heat_top(values), 3)
    return heat_panel(
        shorten(statistic(measured).write_title(str(row["group"])), 60),
        "\n".join([*lines, f"colours from 0 to {top}"]),
        f"Heat map of layers by heads. The table names {'; '.join(lines)}.",
        values,
        outlined=head,
    )


def _at_work(atlas: Atlas, chapter: str) -> Iterator[Panel]:
    """Stretches that the chapter keeps: words, the weights between them, and what the corpus links."""
    table = atlas.tables.get(f"{chapter}/at_work")
    for row in records(table) if table is not None else ():
        name = str(row["tokens"])
        words = atlas.token_list(name, chapter)
        weights, gold = (atlas.array(f"{name}.{what}", chapter) for what in ("weights", "links"))
        if words is None or weights is None or gold is None or weights.shape != (len(words), len(words)):
            continue
        pairs = frozenset((int(a), int(b)) for a, b in gold)
        head = Head.from_row(row)
        yield Panel(
            title=shorten(f"{row['group']}: head {head}".replace("_", " "), 60),
            says=f"Head {head} at work on {' '.join(shorten(w, 24) for w in words)}.",
            draw=partial(links, weights=weights, queries=words, keys=words, gold=pairs, longest=14),
            width=270,
            height=14 + 19 * len(words),
            margins=(0, 0, 2, 2),
        )
