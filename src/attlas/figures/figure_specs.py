"""Figure specifications: what each figure shows of a chapter, before anything is drawn."""

from __future__ import annotations

from dataclasses import replace

from attlas.atlas import Atlas
from attlas.errors import AttlasError
from attlas.figures.charts import FIGURES
from attlas.figures.charts.relations import relation_specs
from attlas.figures.comparison_figures import chapter_specs
from attlas.figures.layout import FigureSpec, Group

#: figures of other studies than the surface
OF_STUDIES = {
    name: recipe.chapters
    for name, recipe in FIGURES.items()
    if recipe.chapters is not None and not recipe.surface
}


def figure_spec(atlas: Atlas, figure: str, chapter: str | None = None) -> FigureSpec:
    """What a figure shows of a chapter: of the first that it can be drawn of, if none is named."""
    if figure not in FIGURES:
        raise AttlasError(f"there is no figure {figure!r}: choose one of {', '.join(FIGURES)}")
    recipe = FIGURES[figure]
    if chapter is None:
        chapters = [atlas.first_surface()] if recipe.chapters is None else recipe.chapters(atlas)
        chapter = next(iter(chapters), None)
    groups: tuple[Group, ...] = ()
    if chapter is not None:
        atlas.about(chapter)  # there is one, or the error says which there are
        groups = tuple(recipe.group(atlas, chapter, kind) for kind in atlas.kinds)
    return FigureSpec(figure, recipe.file, recipe.title, recipe.caption, groups)


def surface_figures(atlas: Atlas, chapter: str | None) -> list[str]:
    """The figures that a chapter of surface statistics has, the first such chapter if none is named."""
    surface = chapter or atlas.first_surface()
    return [
        name
        for name, recipe in FIGURES.items()
        if recipe.surface and (recipe.chapters is None or surface in recipe.chapters(atlas))
    ]


def figure_specs(atlas: Atlas, chapter: str | None = None) -> list[FigureSpec]:
    """Every figure of a chapter, or of the atlas: those of its first surface chapter, and of every chapter
    that concluded something about heads."""
    of_studies = [
        (figure, c) for figure, find in OF_STUDIES.items() for c in find(atlas) if chapter in (None, c)
    ]
    compared = [c for c in atlas.chapters if f"{c}/changes" in atlas.tables and chapter in (None, c)]
    return [
        *(figure_spec(atlas, figure, chapter) for figure in surface_figures(atlas, chapter)),
        *(spec for figure, c in of_studies for spec in _study_specs(atlas, figure, c)),
        *(spec for c in compared for spec in chapter_specs(atlas, c)),
    ]


def _study_specs(atlas: Atlas, figure: str, chapter: str) -> list[FigureSpec]:
    """The specifications of a study's figure, with files named after the chapter."""
    if figure == "relations":
        return relation_specs(atlas, chapter, f"figure-{chapter}")
    return [replace(figure_spec(atlas, figure, chapter), file=f"figure-{chapter}")]
