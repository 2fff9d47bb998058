"""The public verbs, one file each: the same names and defaults in Python and in the terminal.

Heavy libraries load when a verb runs, not when it is imported.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

from attlas.choices import PROBES, VERBS
from attlas.errors import AttlasError


def every_verb() -> dict[str, Any]:
    """By name, probes too."""
    modules = {**{name: name for name in VERBS}, **{name: f"probe.{name}" for name in PROBES}}
    return {name: getattr(import_module(f"attlas.verbs.{module}"), name) for name, module in modules.items()}


def open_atlas(atlas: Any) -> Any:
    """Return an atlas, which may be given as the path of its folder."""
    from attlas.atlas import Atlas, load_atlas

    if isinstance(atlas, Atlas):
        return atlas
    if not isinstance(atlas, str | Path):
        raise AttlasError(f"give an atlas or the path of its folder, not a {type(atlas).__name__}")
    return load_atlas(atlas)


def draw_result(result: Any, folder: Path) -> list[Path]:
    """Draw the figures of a study's result, and return the files."""
    from attlas.atlas import of_chapter
    from attlas.atlas.catalogue import declaration_of
    from attlas.figures.charts.relations import relation_specs
    from attlas.figures.drawing import save_specs
    from attlas.figures.figure_specs import figure_spec
    from attlas.figures.tree_figures import tree_specs

    declared = [(chapter, declaration_of(chapter.about)) for chapter in result.chapters if chapter.tables]
    specs = [
        figure_spec(of_chapter(chapter), study.figure, chapter.name)
        for chapter, study in declared
        if study is not None and study.figure
    ]
    if not specs:  # a probe: its heads, and heads at work
        chapter, study = result.chapter, result.declaration.name
        has_trees = "trees" in chapter.tables
        specs = (
            tree_specs(chapter, study)
            if has_trees
            else relation_specs(of_chapter(chapter), chapter.name, study)
        )
    return save_specs(specs, folder)
