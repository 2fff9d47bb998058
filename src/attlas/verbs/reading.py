"""`show` says what an atlas says, `draw` draws it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attlas.arguments import checked
from attlas.errors import AttlasError
from attlas.files import check_writable
from attlas.verbs.loading import opened

if TYPE_CHECKING:
    from attlas.atlas import Atlas
    from attlas.atlas.describe import Contents, HeadReport, Provenance
    from attlas.atlas.followers import PatternHeads

    File = str | Path
else:
    # the terminal knows strings and paths only, and reads these annotations
    Atlas = File = Contents = HeadReport = PatternHeads = Provenance = Path


@checked
def show(
    atlas: File | Atlas,
    *,
    head: str | None = None,
    pattern: str | None = None,
    chapter: str | None = None,
    provenance: bool = False,
) -> Contents | HeadReport | PatternHeads | Provenance:
    """Say what an atlas says: its chapters and a line for every head, everything about one head, or the heads
    that follow a pattern.

    Example: attlas show out/mini.attlas --head 7.9

    Parameters
    ----------
    atlas
        The folder of an atlas.
    head
        A head, LAYER.HEAD counted from 0, as in 7.9 (cross.0.3 where the kind must be said): what all
        chapters know of it.
    pattern
        A pattern, as in induction: the heads that follow it beyond chance, and by how much.
    chapter
        Only this chapter.
    provenance
        Where the chapters come from: model, corpus, settings, software, what was read and skipped.
    """
    from attlas.atlas import describe

    read = opened(atlas)
    if chapter is not None:
        read.about(chapter)  # there is one, or the error says which there are
    asked = [
        name
        for name, given in (("--head", head), ("--pattern", pattern), ("--provenance", provenance or None))
        if given is not None
    ]
    if len(asked) > 1:
        raise AttlasError(f"{asked[0]} and {asked[1]} are two questions: ask one at a time")
    if provenance:
        return describe.provenance(read, chapter)
    if pattern is not None:
        from attlas.atlas.followers import followers

        return followers(read, pattern, chapter)
    return describe.describe(read, chapter) if head is None else describe.report(read, head, chapter)


@checked
def draw(
    atlas: File | Atlas,
    *,
    out: File = Path("figures"),
    formats: Sequence[str] = ("svg", "pdf", "png"),
    page: File | None = None,
    head: str | None = None,
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
    head
        A head, as in 7.9: draw its contact sheet instead, the typical maps that attlas patterns kept of it.
    view
        A page that attlas view wrote of the same model: on the page, heads link to themselves in it.
    chapter
        Only this chapter; if not given, the first of surface statistics, and all that concluded something
        about heads.
    """
    from attlas.figures import save_figures, write_page

    if not formats:
        raise AttlasError("--formats names none: svg, pdf and png are there")
    check_writable(out, "--out", folder=True)
    if page is not None:
        check_writable(page, "--page")
    if view is not None and page is None:
        raise AttlasError("--view is what the heads of a page link to: give --page too")
    if view is not None and not Path(view).is_file():
        raise AttlasError(f"there is no view {view}: write it with attlas view MODEL TEXT --out {view}")
    if view is not None and not _is_view(Path(view)):
        raise AttlasError(f"{view} is not a view: attlas view MODEL TEXT --out PAGE.html writes one")
    read = opened(atlas)
    if head is not None:
        from attlas.figures.contact_sheet import contact_sheet
        from attlas.figures.drawing import save_specs

        if page is not None:
            raise AttlasError("--head draws one sheet: leave --page out")
        return save_specs([contact_sheet(read, head, chapter)], out, tuple(formats))
    written = save_figures(read, out, tuple(formats), chapter=chapter)
    return [*written, *([write_page(read, page, chapter, view)] if page else [])]


def _is_view(path: Path) -> bool:
    """Whether `attlas view` wrote the page: its body begins with the place where views are drawn."""
    with path.open("rb") as file:
        return b'<main id="attlas">' in file.read(2**21)  # after its style
