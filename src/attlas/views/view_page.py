"""One HTML file with everything in it: no network, and a policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .scene import Packed

_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
{scheme}<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="attlas"{key}></main>
<noscript>This view of attention is drawn by a script inside this file; allow scripts to see it.</noscript>
<script type="application/json" data-attlas="scene">{scene}</script>
{data}<script type="module">{script}</script>
</body>
</html>
"""

_DATA = '<script type="application/octet-stream" data-attlas="data">{}</script>\n'


def page(packed: Packed, key: str = "", with_data: bool = True) -> str:
    """The view as a page of its own. In a frame of a notebook, `key` names the widget that it speaks to, and
    that gives it the data where the page has none."""
    script, style = bundle()
    return _TEMPLATE.format(
        policy=policy(script, style),
        title=html.escape(f"{packed.scene['title']} · Attlas"),
        style=style,
        scene=_inert(json.dumps(packed.scene, separators=(",", ":"), allow_nan=False)),
        # a frame of another scheme than what is around it would hide the picture behind it
        scheme='<meta name="color-scheme" content="light dark">\n' if with_data else "",
        key=f' data-key="{html.escape(key)}"' if key else "",
        data=_DATA.format(base64.b64encode(packed.data).decode("ascii")) if with_data else "",
        script=script,
    )


def policy(script: str, style: str) -> str:
    """What the browser may run and fetch: this script, this style, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


@cache
def bundle(name: str = "attlas") -> tuple[str, str]:
    """The built front end, of the views (attlas) or of the report: its script and its style."""
    folder = files("attlas.views") / "bundle"
    script, style = folder / f"{name}.js", folder / f"{name}.css"
    return script.read_text(encoding="utf-8"), style.read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _inert(text: str) -> str:
    """JSON in which no token can end the script block or begin a tag."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
