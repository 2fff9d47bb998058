"""The page that the server gives: a place for the app, its script and its style, and no code of its own."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

_SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Attlas</title>
<link rel="stylesheet" href="app.css">
<script src="app.js" defer></script>
</head>
<body>
<main id="attlas"></main>
<noscript>The app is drawn by a script: allow scripts to see it.</noscript>
</body>
</html>
"""


def shell() -> str:
    return _SHELL


@cache
def script_text() -> str:
    """The app's script, built."""
    return _built("app.js")


@cache
def style_text() -> str:
    """The app's style, built."""
    return _built("app.css")


def _built(name: str) -> str:
    file = files("attlas.views") / "bundle" / name
    return file.read_text(encoding="utf-8") if file.is_file() else ""
