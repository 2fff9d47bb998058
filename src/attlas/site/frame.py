"""What every page of a site has: its head with the preview card, its style, and a policy that lets nothing
else run. Links name `index.html` and so work from a file system; `site.js` shortens them on a server."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from html import escape

from attlas.extras import version_of
from attlas.outputs import GENERATOR

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'"
)
LONGEST_DESCRIPTION = 280  # characters of a preview card's text
_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
{generator}<meta name="color-scheme" content="light dark">
<title>{title}</title>
{card}
<link rel="stylesheet" href="{up}site/site.css">
<script src="{up}site/site.js"></script>
</head>
<body>
<header class="bar"><a href="{up}index.html">{site}</a>
<nav><a href="{up}index.html#find">Search</a> <a href="{up}tables/index.html">Tables</a></nav></header>
<main>
{body}
</main>
<footer>Made by Attlas {version}{made}</footer>
</body>
</html>
"""


@dataclass(frozen=True)
class SiteFrame:
    """What all pages of a site share. `address` is where it will stand, ending in a slash, or empty."""

    title: str
    address: str = ""
    version: str = field(default_factory=lambda: version_of("attlas"))

    def page(self, title: str, description: str, path: str, body: str, made: str = "") -> str:
        """A page at `path`, the folder below the site's own (empty, or ending in a slash)."""
        return _TEMPLATE.format(
            policy=POLICY,
            version=escape(self.version),
            generator=GENERATOR,
            title=escape(title),
            card=self.card(title, description, path),
            up="../" * path.count("/"),
            site=escape(self.title),
            body=body,
            made=f" {made}" if made else "",
        )

    def card(self, title: str, description: str, path: str) -> str:
        """The preview card that a link to the page unfolds to. Its picture has a whole address where the
        site's is known: most readers of cards need one."""
        text = " ".join(description.split())
        if len(text) > LONGEST_DESCRIPTION:
            text = text[: LONGEST_DESCRIPTION - 1].rsplit(" ", 1)[0] + " …"
        picture = f"{self.address}{path}preview.png" if self.address else "preview.png"
        named = {
            "og:type": "article",
            "og:site_name": self.title,
            "og:title": title,
            "og:description": text,
            "og:image": picture,
            **({"og:url": f"{self.address}{path}"} if self.address else {}),
        }
        lines = [f'<meta name="description" content="{escape(text)}">']
        lines += [f'<meta property="{name}" content="{escape(said)}">' for name, said in named.items()]
        lines.append('<meta name="twitter:card" content="summary_large_image">')
        return "\n".join(lines)


def link(address: str, text: str) -> str:
    return f'<a href="{escape(address)}">{escape(text)}</a>'


def head_link(address: str, up: str = "../") -> str:
    """A head's address as a link to its page, from another head's."""
    return link(f"{up}{address}/index.html", address)


def section(title: str, body: str) -> str:
    """A section; empty where it would hold nothing."""
    return f"<section><h2>{escape(title)}</h2>{body}</section>" if body else ""


def items(several: Sequence[str], css: str = "") -> str:
    named = f' class="{css}"' if css else ""
    return f"<ul{named}>{''.join(f'<li>{item}</li>' for item in several)}</ul>" if several else ""


def quiet(text: str) -> str:
    return f'<span class="quiet">{escape(text)}</span>'


def swatch(light: str, dark: str) -> str:
    """A square of a colour on a light page, of another on a dark one."""
    squares = (
        f'<svg class="{where}" viewBox="0 0 10 10" aria-hidden="true">'
        f'<rect width="10" height="10" rx="2" fill="{escape(colour)}"/></svg>'
        for where, colour in (("on-light", light), ("on-dark", dark))
    )
    return "".join(squares)


def table(titles: Sequence[str], rows: Sequence[Sequence[str]], words: Collection[int] = (0,)) -> str:
    """A table. The columns of `words` stand on the left, numbers on the right. Empty where it has no rows."""
    if not rows:
        return ""
    head = "".join(_cell("th", title, at in words) for at, title in enumerate(titles))
    lines = ("".join(_cell("td", cell, at in words) for at, cell in enumerate(row)) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    drawn = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide" tabindex="0">{drawn}</div>'  # which the keyboard scrolls, too


def _cell(tag: str, body: str, words: bool) -> str:
    return f"<{tag}>{body}</{tag}>" if words else f'<{tag} class="n">{body}</{tag}>'
