"""One HTML file with everything in it: no network, and a policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from attlas.outputs import GENERATOR

if TYPE_CHECKING:
    from attlas.views.scene import Packed

_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
{generator}{scheme}{meta}<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="attlas"{key}></main>
<noscript>{without_scripts}</noscript>
{blocks}
<script type="module">{script}</script>
</body>
</html>
"""
_SCHEME = '<meta name="color-scheme" content="light dark">\n'


def page(packed: Packed, key: str = "", with_data: bool = True) -> str:
    """The view as a page of its own. In a frame of a notebook, `key` names the widget that it speaks to, and
    that gives it the data where the page has none."""
    blocks = [json_block("scene", packed.scene)]
    if with_data:
        blocks.append(block("data", base64.b64encode(packed.data).decode("ascii")))
    return self_contained(
        packed.scene["title"] + " · Attlas",
        blocks,
        "This view of attention is drawn by a script inside this file; allow scripts to see it.",
        key,
        # a frame of another scheme than what is around it would hide the picture behind it
        both_schemes=with_data,
    )


def self_contained(
    title: str,
    blocks: Sequence[str],
    without_scripts: str,
    key: str = "",
    both_schemes: bool = True,
    front_end: Literal["attlas", "app"] = "attlas",
    meta: str = "",
) -> str:
    """A page of one file: blocks of data, the front end that draws them, and what is shown where no script
    may run, as HTML. `meta` is more for its head."""
    script, style = bundle(front_end)
    return _TEMPLATE.format(
        policy=policy(script, style),
        title=html.escape(title),
        generator=GENERATOR,
        style=style,
        scheme=_SCHEME if both_schemes else "",
        meta=f"{meta}\n" if meta else "",
        key=f' data-key="{html.escape(key)}"' if key else "",
        without_scripts=without_scripts,
        blocks="\n".join(blocks),
        script=script,
    )


def block(name: str, text: str, kind: Literal["json", "octet-stream"] = "octet-stream") -> str:
    """A block of data in a page: text in which no token can end it."""
    return f'<script type="application/{kind}" data-attlas="{name}">{text}</script>'


def json_block(name: str, data: Any) -> str:
    """A block of JSON."""
    return block(name, _escape_json(json.dumps(data, separators=(",", ":"), allow_nan=False)), "json")


def policy(script: str, style: str) -> str:
    """What the browser may run and fetch: this script, this style, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def style_policy(style: str) -> str:
    """Return the policy of a page without scripts."""
    rest = "img-src data:; base-uri 'none'; form-action 'none'"
    return f"default-src 'none'; style-src '{_digest(style)}'; {rest}"


@cache
def bundle(front_end: Literal["attlas", "app"] = "attlas") -> tuple[str, str]:
    """The built front end, of views and reports or of the app: its script and its style."""
    folder = files("attlas.views") / "bundle"
    script, style = folder / f"{front_end}.js", folder / f"{front_end}.css"
    return script.read_text(encoding="utf-8"), style.read_text(encoding="utf-8")


def site_script() -> str:
    """The script of published sites."""
    return (files("attlas.views") / "bundle" / "site.js").read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _escape_json(text: str) -> str:
    """JSON in which no token can end the script block or begin a tag."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
