"""`attlas draw`: the figures of an atlas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from attlas.choices import FIGURE_FORMATS, FigureFormat
from attlas.options.option_groups import AtlasOrFolder, OutputFolder, Overwrite
from attlas.options.verb import verb
from attlas.outputs import check_output
from attlas.verbs import open_atlas


@verb("Look")
def draw(
    atlas: AtlasOrFolder,
    *,
    figures: OutputFolder | None = None,
    formats: Annotated[Sequence[FigureFormat], Field(min_length=1)] = FIGURE_FORMATS,
    head: str | None = None,
    chapter: str | None = None,
    overwrite: Overwrite = False,
) -> list[Path]:
    """Draw the figures of an atlas: Clark 2019's figures 1 to 4 and 6, and what studies found.

    Example: attlas draw out/mini.attlas --figures figures --formats svg

    Parameters
    ----------
    figures
        Draw the figures into this folder. Default: `figures`.
    formats
        File formats. Default: all of them.
    head
        A head: LAYER.HEAD, counted from 0, as in 7.9 (cross.0.3 where the kind matters). Draws its contact
        sheet instead: the typical maps that `attlas patterns` kept of it.
    chapter
        Name of a chapter. Draws it alone. Default: the first with surface statistics, and all that concluded
        something about heads.
    """
    from attlas.figures import save_figures

    folder = figures or Path("figures")
    check_output(folder, "figures", "folder")
    read = open_atlas(atlas)
    if head is not None:
        from attlas.figures.charts.pattern_figures import contact_sheet
        from attlas.figures.drawing import save_specs

        return save_specs([contact_sheet(read, head, chapter)], folder, tuple(formats))
    return save_figures(read, folder, tuple(formats), chapter=chapter)
