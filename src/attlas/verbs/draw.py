"""`attlas draw`: the figures of an atlas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from attlas.errors import AttlasError, option
from attlas.files import check_writable
from attlas.verbs.opening import opened
from attlas.verbs.option_groups import AtlasOrFolder, File
from attlas.verbs.verb import verb

Format = Literal["svg", "pdf", "png"]


@verb
def draw(
    atlas: AtlasOrFolder,
    *,
    figures: File | None = None,
    formats: Annotated[Sequence[Format], Field(min_length=1)] = ("svg", "pdf", "png"),
    page: File | None = None,
    head: str | None = None,
    view: File | None = None,
    chapter: str | None = None,
) -> list[Path]:
    """Draw the figures of an atlas: Clark 2019's figures 1 to 4 and 6, and what studies found.

    Example: attlas draw out/mini.attlas --figures figures --formats svg

    Parameters
    ----------
    atlas
        The folder of an atlas.
    figures
        The folder for the figures. Default: `figures`, unless only a page is asked for.
    formats
        File formats: svg, pdf, png.
    page
        Write the figures as one self-contained HTML page.
    head
        A head, as in 7.9: draw its contact sheet instead, the typical maps that attlas patterns kept of it.
    view
        A page that attlas view wrote of the same model: heads on the page link to themselves in it.
    chapter
        Only this chapter. Default: the first with surface statistics, and all that concluded something about
        heads.
    """
    from attlas.figures import save_figures, write_page

    if head is not None and page is not None:
        raise AttlasError(f"{option('head')} draws one sheet: leave {option('page')} out")
    folder = Path("figures") if figures is None and page is None else figures
    if folder is not None:
        check_writable(folder, option("figures"), folder=True)
    if page is not None:
        check_writable(page, option("page"))
    if view is not None:
        _check_view(view, page)
    read = opened(atlas)
    if head is not None and folder is not None:
        from attlas.figures.contact_sheet import contact_sheet
        from attlas.figures.drawing import save_specs

        return save_specs([contact_sheet(read, head, chapter)], folder, tuple(formats))
    written = [] if folder is None else save_figures(read, folder, tuple(formats), chapter=chapter)
    return [*written, *([write_page(read, page, chapter, view)] if page else [])]


def _check_view(view: Path, page: Path | None) -> None:
    if page is None:
        raise AttlasError(f"{option('view')} is what the heads of a page link to: give {option('page')} too")
    if not view.is_file():
        raise AttlasError(f"there is no view {view}: write it with attlas view MODEL TEXT --page {view}")
    with view.open("rb") as file:  # the body of a view begins with the place where it is drawn
        if b'<main id="attlas">' not in file.read(2**21):
            raise AttlasError(f"{view} is not a view: attlas view MODEL TEXT --page PAGE.html writes one")
