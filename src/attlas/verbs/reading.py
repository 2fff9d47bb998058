"""`show` says what an atlas says, `draw` draws it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attlas.errors import AttlasError
from attlas.files import check_writable
from attlas.verbs.loading import opened

if TYPE_CHECKING:
    from attlas.atlas import Atlas
    from attlas.atlas.describe import Contents, HeadReport, Provenance

    File = str | Path
else:
    # the terminal knows strings and paths only, and reads these annotations
    Atlas = File = Contents = HeadReport = Provenance = Path


def show(
    atlas: File | Atlas, *, head: str | None = None, chapter: str | None = None, provenance: bool = False
) -> Contents | HeadReport | Provenance:
    """Say what an atlas says: its chapters and a line for every head, or everything about one head.

    Example: attlas show out/mini.attlas --head 7.9

    Parameters
    ----------
    atlas
        The folder of an atlas.
    head
        A head, LAYER.HEAD counted from 0, as in 7.9 (cross.0.3 where the kind must be said): what all
        chapters know of it.
    chapter
        Only this chapter.
    provenance
        Where the chapters come from: model, corpus, settings, software, what was read and skipped.
    """
    from attlas.atlas import describe

    read = opened(atlas)
    if chapter is not None:
        read.about(chapter)  # there is one, or the error says which there are
    if head is not None and provenance:
        raise AttlasError("--head and --provenance are two questions: ask one at a time")
    if provenance:
        return describe.provenance(read, chapter)
    return describe.describe(read, chapter) if head is None else describe.report(read, head, chapter)


def draw(
    atlas: File | Atlas,
    *,
    out: File = Path("figures"),
    formats: Sequence[str] = ("svg", "pdf", "png"),
    page: File | None = None,
    view: File | None = None,
    chapter: str | None = None,
) -> list[Path]:
    """Draw the figures of an atlas: Clark 2019's figures 1 to 4 and 6, and what studies found.

    Example: attlas draw out/mini.attlas --out figures --formats svg

    Parameters
    ----------
    atlas
        The folder of an atlas.
    out
        The folder the figures go to.
    formats
        svg, pdf, png: as many as wanted.
    page
        Also write them as one self-contained HTML page.
    view
        A page that attlas view wrote of the same model: on the page, heads link to themselves in it.
    chapter
        Only this chapter; if not given, the first of surface statistics, and all that concluded something
        about heads.
    """
    from attlas.figures import save_figures, write_page

    if page is not None:
        check_writable(page, "--page")
    if view is not None and page is None:
        raise AttlasError("--view is what the heads of a page link to: give --page too")
    if view is not None and not Path(view).is_file():
        raise AttlasError(f"there is no view {view}: write it with attlas view MODEL TEXT --out {view}")
    read = opened(atlas)
    written = save_figures(read, out, tuple(formats), chapter=chapter)
    return [*written, *([write_page(read, page, chapter, view)] if page else [])]
