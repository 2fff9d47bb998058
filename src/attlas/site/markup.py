"""Pieces of HTML that the pages of a site are made of. What they take as a body or a cell is HTML already."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape


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
