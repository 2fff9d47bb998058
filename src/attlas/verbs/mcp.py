"""`attlas mcp`: atlases that other programs can ask."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from attlas.errors import AttlasError
from attlas.extras import require
from attlas.options.option_groups import Written
from attlas.options.verb import verb
from attlas.verbs import open_atlas


@verb("Share")
def mcp(*atlas: Annotated[Any, Written("str | Path")], models: Sequence[str] = ("mini",)) -> None:
    """Let programs ask your atlases, over the Model Context Protocol.

    Speaks on standard input and output, as coding agents start it. Six tools, which only read: ask, head,
    find, compare, disable and view. They reach the atlases and models that you name here, and nothing else
    on the disk.

    Example: attlas mcp out/mini.attlas

    Parameters
    ----------
    atlas
        The folder of an atlas. You may name several.
    models
        Models that the tools disable and view may run.
    """
    require("mcp", "attlas mcp", "mcp")
    from attlas.tools.mcp_server import make_server
    from attlas.tools.toolbox import Toolbox

    named = {}
    for folder in atlas:
        name = Path(folder).name.removesuffix(".attlas")
        if name in named:
            raise AttlasError(f"two atlases are called {name}: rename the folder of one")
        named[name] = open_atlas(folder)
    make_server(Toolbox(named, {Path(name).name: name for name in models})).run("stdio")
