"""`attlas serve`: the app. Type a text, look, switch heads off, see the prediction change."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from pydantic import Field

from attlas.errors import AttlasError, option, printable
from attlas.extras import require
from attlas.options import option_groups as o
from attlas.options.verb import verb

if TYPE_CHECKING:
    from rich.console import Console

Port = Annotated[o.Whole, Field(ge=0, le=65535)]
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", re.IGNORECASE)


@dataclass(frozen=True)
class ServeResult:
    """Where the app was served; or the folder that it was written to."""

    address: str = ""
    folder: Path | None = None

    def as_data(self) -> dict[str, Any]:
        return {"address": self.address, "folder": None if self.folder is None else str(self.folder)}

    def show(self, console: Console) -> None:
        if self.folder is not None:
            console.print(f"Wrote {printable(str(self.folder / 'index.html'))}", highlight=False)


@verb("Begin here")
def serve(
    *model: Annotated[str, o.A_MODEL],
    atlas: Annotated[Sequence[o.AtlasOrFolder], Parameter(consume_multiple=True)] = (),
    port: Port = 8765,
    host: str = "127.0.0.1",
    token: str | None = None,
    hosts: Annotated[Sequence[str], Parameter(consume_multiple=True)] = (),
    origins: Annotated[Sequence[str], Parameter(consume_multiple=True)] = (),
    embed: Annotated[Sequence[str], Parameter(consume_multiple=True)] = (),
    memory: str = "8GB",
    queue: o.Count = 32,
    open: Annotated[bool, Parameter(negative="--no-open")] = True,
    export: o.OutputFolder | None = None,
    overwrite: o.Overwrite = False,
    load_options: o.LoadOptions = o.LoadOptions(),
) -> ServeResult:
    """Open the app: type a text, see what a model predicts, switch heads off, see what changes beside chance.

    It listens on this machine alone. Ctrl-C ends it.

    Example: attlas serve mini --atlas out/mini.attlas

    Parameters
    ----------
    atlas
        The folder of an atlas. Cards, names and groups of heads come from it; name one for each model.
    port
        0 takes any that is free.
    host
        The address to listen at. Any but this machine's own needs --token.
    token
        A secret that everybody needs who opens the app: 16 characters or more. `new` makes one.
    hosts
        Names by which browsers call the server, where they are others than --host: behind a proxy, or at
        0.0.0.0.
    origins
        Addresses of a proxy whose pages may use the server: https://hub.example.org.
    embed
        Addresses of sites that may show the app in a frame.
    memory
        What all models together may take. Those used least recently are let go first.
    queue
        How many requests may wait. Further ones are refused until then.
    open
        Show the page in the browser.
    export
        Write a static site of the prepared texts to this folder instead. It works without a server.
    """
    for library in ("fastapi", "uvicorn"):
        require(library, "the app", "serve")
    from attlas.server.policy import policy_for
    from attlas.server.running import listen, open_browser, run
    from attlas.server.served import serve_these
    from attlas.server.state import ServerState

    secret = secrets.token_urlsafe(24) if token == "new" else token
    policy = policy_for(host, secret, tuple(hosts), tuple(origins), tuple(embed))
    served = serve_these(model or ("mini",), atlas, load_options.values())
    state = ServerState(served, bytes_of(memory), queue)
    if export is not None:
        from attlas.server.static_site import write_site

        return ServeResult(folder=write_site(served, Path(export), bytes_of(memory)))
    listening = listen(host, port)
    address = listening.address(secret, policy.hosts[0] if host in ("0.0.0.0", "::") else None)

    def ready() -> None:
        print(f"Attlas is at {address} (Ctrl-C ends it)", flush=True)
        if open:
            open_browser(address)

    run(listening, state, policy, ready)
    return ServeResult(address)


def bytes_of(size: str) -> int:
    """8GB -> 8,000,000,000"""
    match = _SIZE.fullmatch(size.strip())
    if match is None or float(match[1]) == 0:
        raise AttlasError(f"{option('memory', size)} is not a size: write it as in 8GB or 500MB")
    return int(float(match[1]) * 1000 ** " KMGT".index(match[2].upper() or " "))
