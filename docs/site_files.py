"""What the site has beside its pages: descriptions, twins in Markdown, llms.txt, a check of links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.logging import getLogger

DOCS = Path(__file__).parent
DOOR = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Attlas</title><meta http-equiv="refresh" content="0; url={0}">
<a href="{0}">Attlas</a></html>
"""
LAST = "\nCommand line <cli>\n"
#: what the theme leaves out for people who read by ear or by keyboard
SPOKEN = {
    'role="heading">': 'role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<th class="head"><p></p></th>': '<td class="head"></td>',
    "<th></th>": "<td></td>",
    '<div id="search-results">': '<h1>Search</h1>\n<div id="search-results">',
}
say = getLogger(__name__)


class Page(HTMLParser):
    """Anchors that a page has, links that it follows, and files that it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag != "a":
            self.loads += [values[name] for name in ("src", "href") if name in values]


def list_other_pages(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put pages of docs/ that the index does not name into the reference, before the command line."""
    if docname == app.config.root_doc:
        paths = (path.relative_to(DOCS) for path in sorted(DOCS.rglob("*.md")))
        pages = (str(path.with_suffix("")) for path in paths if path.stem != "index")
        others = [page for page in pages if not re.search(rf"^(.* <)?{page}>?$", source[0], re.MULTILINE)]
        source[0] = source[0].replace(LAST, "\n".join(["", *others, LAST.lstrip()]))


def find_broken_links(site: Path) -> list[str]:
    """Links to a page or anchor that is not there, and what a page loads from elsewhere."""
    pages = {path: Page(path) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    broken.append(f"{path.relative_to(site)} loads {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            known = target.is_file() and (
                not anchor or target not in pages or anchor in pages[target].anchors
            )
            if not known:
                broken.append(f"{path.relative_to(site)} links to {link}, which is not there")
    return broken


def first_words(tree: nodes.document) -> str:
    """What a page begins with, for search engines and llms.txt: a sentence, or more where it is short."""
    paragraph = next((p.astext() for p in tree.findall(nodes.paragraph) if p.astext()), "")
    words = ""
    for sentence in re.split(r"(?<=[.?!:]) (?=[A-Z])", " ".join(paragraph.split())):
        words = f"{words} {sentence}".lstrip()
        if len(words) > 60:
            break
    return words


def describe_page(app: Sphinx, name: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Give a page the description that search engines and previews of links show."""
    if tree is not None:
        context["metatags"] += f'<meta name="description" content="{escape(first_words(tree))}">\n'


def notebook_text(notebook: dict[str, Any]) -> Iterator[str]:
    """Text, code and printed output of a notebook, as Markdown."""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        yield source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
        printed = "".join("".join(out.get("text", "")) for out in cell.get("outputs", ())).strip()
        if printed:
            yield f"```text\n{printed}\n```"


def read_twin(source: Path, images: str) -> str:
    """The Markdown of a page, with links that lead to other twins and to the site's images."""
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".ipynb":
        text = "\n\n".join(notebook_text(json.loads(text))) + "\n"
    text = re.sub(r"\]\((?!\w+:)([^)\s]*?)\.ipynb([)#])", r"](\1.md\2", text)
    return re.sub(r"\]\((?!\w+:)(?:[^)\s]*/)?([^)\s/]+\.(?:png|svg))\)", rf"]({images}/\1)", text)


def write_llms(app: Sphinx, site: Path) -> None:
    """Write each page's Markdown beside it, and list all of them in llms.txt with what it begins with."""
    lines = [
        "# Attlas",
        "",
        "> An atlas of attention: what every head of a Transformer does.",
        "",
        "## Pages",
        "",
    ]
    for name in sorted(app.env.found_docs):
        images = "../" * name.count("/") + "_images"
        twin = read_twin(Path(app.env.doc2path(name)), images)
        (site / f"{name}.md").write_text(twin, encoding="utf-8")
        words = first_words(app.env.get_doctree(name))
        lines.append(f"- [{app.env.titles[name].astext()}]({name}.md): {words}")
    (site / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def complete_pages(site: Path) -> None:
    """Name landmarks and levels, and let the keyboard scroll code."""
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        for was, spoken in SPOKEN.items():
            html = html.replace(was, spoken)
        page.write_text(html, encoding="utf-8")


def finish(app: Sphinx, failure: Exception | None) -> None:
    if failure or app.builder.name != "html":
        return
    site = Path(app.outdir)
    (site / "index.html").write_text(DOOR.format(f"{app.config.root_doc}.html"), encoding="utf-8")
    write_llms(app, site)
    complete_pages(site)
    for fault in find_broken_links(site):
        say.warning(fault)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", list_other_pages)
    app.connect("html-page-context", describe_page)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
