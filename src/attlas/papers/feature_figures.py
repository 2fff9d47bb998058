"""Kovaleva's figure 6: attention to features of words, before and after fine-tuning, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from attlas.atlas.registry import statistic
from attlas.figures.heat_map import heat_map, heat_panel, heat_top
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.papers.surface_items import Grid, SurfaceOf

WEIGHT = "feature_weight"
#: in the paper's order: delimiters, words by their tags, words by their part in the sentence
FEATURES = ("cls", "sep", "nouns", "pronouns", "verbs", "subjects", "objects", "negation")
CAPTION = (
    "How much of all attention goes to the most attended token that has the feature, for each head: on the "
    "left before fine-tuning, on the right after it, in the same colours. Sentences without the feature are "
    "left out."
)


def before_and_after(before: SurfaceOf, after: SurfaceOf, task: str) -> FigureSpec:
    """Two heat maps for each feature that both have."""
    panels = tuple(_panels(before, after, task))
    title = f"Attention to features, {task}"
    return FigureSpec("features", f"features-{task}", "", title, CAPTION, (Group(before.kind, panels),))


def _panels(before: SurfaceOf, after: SurfaceOf, task: str) -> Iterator[Panel]:
    for feature in FEATURES:
        if before.has(WEIGHT, feature) and after.has(WEIGHT, feature):
            values = [surface.grid(WEIGHT, feature) for surface in (before, after)]
            top = max(heat_top(grid) for grid in values)
            for grid, when in zip(values, ("before", f"after {task}"), strict=True):
                yield _panel(grid, top, f"{statistic(WEIGHT).group_name(feature)}, {when}")


def _panel(values: Grid, top: float, title: str) -> Panel:
    mean = f"mean {values.mean():.3f}, largest {values.max():.3f}"
    return heat_panel(
        title,
        f"{mean}\ncolours from 0 to {top:.3f}",
        f"Heat map of layers by heads: attention to {title}, {mean}.",
        partial(heat_map, values=values, top=top),
        len(values),
    )
