"""Figures of a probe, from its chapter: heat maps of every head, and heads at work."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attlas.atlas import of_chapter
from attlas.atlas.chapter import Chapter
from attlas.choices import FIGURE_FORMATS, FigureFormat
from attlas.figures.charts.relations import relation_specs
from attlas.figures.drawing import save_specs
from attlas.figures.tree_figures import tree_specs


def draw(chapter: Chapter, folder: Path, formats: Sequence[FigureFormat] = FIGURE_FORMATS) -> list[Path]:
    """Draw the figures of a chapter: STUDY-heads, STUDY-at-work and so on. Gives the files."""
    study = str(chapter.about.get("study", chapter.name))
    if "trees" in chapter.tables:
        return save_specs(tree_specs(chapter, study), folder, formats)
    return save_specs(relation_specs(of_chapter(chapter), chapter.name, study), folder, formats)
