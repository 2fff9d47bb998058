"""`attlas publish`: atlases as a site that any static host takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from attlas.errors import AttlasError, option
from attlas.options.option_groups import Overwrite, Written
from attlas.options.verb import verb
from attlas.outputs import Output

if TYPE_CHECKING:
    from attlas.site.publishing import Published


@verb("Share")
def publish(
    *paths: Annotated[Any, Written("str | Path | Atlas"), Output("whole folder")],
    title: str | None = None,
    url: str = "",
    previews: Annotated[bool, Parameter(negative="--no-previews")] = True,
    overwrite: Overwrite = False,
    progress: Annotated[bool, Parameter(negative="--no-progress")] = True,
) -> Published:
    """Write a site of one or many atlases: an index of models, each model's report, a small page for every
    head with an address of its own, a search over all models, and tables over them.

    The site works from the file system and on any static host. An atlas that cannot be read is skipped and
    named; the command then exits with 1.

    Example: attlas publish mini.attlas smollm2.attlas site

    Parameters
    ----------
    paths
        Folders of atlases, and last the folder of the site. A model's address is its atlas's name.
    title
        Title of the page. It heads every page of the site. Default: Attlas gallery.
    url
        Where the site will stand, as in https://example.org/attlas/. Preview cards of links need it.
    previews
        Draw a picture for each page, which links to it unfold to.
    overwrite
        Files of others stay.
    progress
        Show a progress bar.
    """
    from attlas.site.publishing import Site

    if len(paths) < 2:
        raise AttlasError("name one or more atlases, and last the folder of the site")
    *atlases, folder = paths
    if not isinstance(folder, str | Path) or not str(folder):
        raise AttlasError("name the folder of the site last")
    if url and not url.startswith(("https://", "http://")):
        raise AttlasError(f"{option('url', url[:60])} does not begin with https://")
    return Site(atlases, title or "Attlas gallery", url, previews).write(Path(folder), overwrite, progress)
