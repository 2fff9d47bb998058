"""The page that the server gives: a place for the app, its script and its style, and no code of its own."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from urllib.parse import quote

_SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Attlas</title>
<link rel="icon" href="data:image/svg+xml,{icon}">
<link rel="stylesheet" href="app.css">
<script src="app.js" defer></script>
</head>
<body>
<main id="attlas"></main>
<noscript>The app is drawn by a script: allow scripts to see it.</noscript>
</body>
</html>
"""


#: a map of heads, one of which stands out
_ICON = """<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='#9ab8d4'>
<path d='M1 1h4v4H1zM6 1h4v4H6zM11 1h4v4h-4zM1 6h4v4H1zM11 6h4v4h-4zM1 11h4v4H1zM6 11h4v4H6zM11 11h4v4h-4z'/>
<path fill='#0062b0' d='M6 6h4v4H6z'/></svg>"""


def shell() -> str:
    return _SHELL.format(icon=quote(_ICON))


@cache
def script_text() -> str:
    """The app's script, built."""
    return _read_built("app.js")


@cache
def style_text() -> str:
    """The app's style, built."""
    return _read_built("app.css")


def _read_built(name: str) -> str:
    file = files("attlas.views") / "bundle" / name
    return file.read_text(encoding="utf-8") if file.is_file() else ""
