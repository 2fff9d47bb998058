"""The app as a folder of files: the prepared texts with their answers, which need no server."""

from __future__ import annotations

from pathlib import Path

from attlas.server.served import Served


def write_site(served: Served, folder: Path) -> Path:
    """Write the site."""
    raise NotImplementedError
