"""A panel as SVG inside a page: coloured by the page's CSS variables, text in the page's font."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree

from attlas.figures.drawing import draw_panel
from attlas.figures.layout import Panel
from attlas.figures.panels import HEADS
from attlas.figures.reader_words import writable
from attlas.figures.theme import INLINE, drawing

_VARIABLES = {colour: f"var(--{name})" for name, colour in INLINE.named().items()}
_SENTINEL = re.compile("|".join(_VARIABLES))
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_FONT = re.compile(r"font: (?:\w+ )*?([\d.]+)px [^;]*")
_NARROW = 500  # points: a wider panel, shrunk to the screen of a telephone, could not be read
_SMALL, _ENLARGED = 320, 1.3  # small panels have room to be larger in an article than in a report
_COORDINATE = re.compile(r"-?\d+\.\d{2,}")


def inline_svg(panel: Panel, name: str) -> str:
    """The panel as one <svg> element. `name` keeps its ids apart from those of the page's other panels."""
    with drawing(INLINE, svg_text="none"):
        file = io.StringIO()
        draw_panel(panel, INLINE).savefig(file, format="svg", transparent=True, metadata={"Date": None})
    root = ElementTree.fromstring(file.getvalue())
    _strip_namespaces(root)
    for useless in root.findall("metadata"):
        root.remove(useless)
    _add_tips(root, panel.tips)
    _rename_ids(root, name)
    _use_page_colours(root)
    root.attrib.pop("version", None)
    scale = _ENLARGED if panel.width <= _SMALL else 1.0
    root.set("width", f"{scale * panel.width:g}")
    root.set("height", f"{scale * panel.height:g}")
    if panel.width > _NARROW:
        root.set("class", "wide")
    root.set("role", "img")
    root.set("aria-label", writable(f"{panel.title}. {panel.says}"))
    return ElementTree.tostring(root, encoding="unicode")


def _strip_namespaces(root: ElementTree.Element) -> None:
    """Strip the addresses of namespaces: HTML knows SVG by its tag."""
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        element.attrib = {key.rpartition("}")[2]: value for key, value in element.attrib.items()}


def _add_tips(root: ElementTree.Element, tips: tuple[str, ...]) -> None:
    """Give every mark of a head a <title>, which browsers show under the pointer."""
    marks = [
        mark
        for group in root.iter("g")
        if group.get("id", "").partition("-")[0] == HEADS
        for mark in group.iter()
        if mark.tag == "use"
    ]
    if len(marks) == len(tips):
        for mark, tip in zip(marks, tips, strict=True):
            ElementTree.SubElement(mark, "title").text = writable(tip)


def _rename_ids(root: ElementTree.Element, name: str) -> None:
    """Keep only ids that something refers to, under the panel's name."""
    used = set()
    for element in root.iter():
        if element.get("href", "").startswith("#"):
            used.add(element.attrib["href"][1:])
        for value in element.attrib.values():
            used.update(_REFERENCE.findall(value))
    new = {old: f"{name}-{i}" for i, old in enumerate(sorted(used))}
    for element in root.iter():
        if element.get("id") in new:
            element.set("id", new[element.attrib["id"]])
        else:
            element.attrib.pop("id", None)
        for key, value in element.attrib.items():
            if key == "href" and value[1:] in new:
                element.set(key, f"#{new[value[1:]]}")
            elif "url(#" in value:
                element.set(key, _REFERENCE.sub(lambda match: f"url(#{new[match[1]]})", value))


def _use_page_colours(root: ElementTree.Element) -> None:
    for element in root.iter():
        style = element.get("style")
        if style is not None:
            style = _SENTINEL.sub(lambda match: _VARIABLES[match[0]], style)
            element.set("style", _FONT.sub(r"font-size: \1px", style).replace("; ", ";").replace(": ", ":"))
        for key in ("d", "x", "y"):
            if key in element.attrib:
                shorter = _COORDINATE.sub(lambda match: f"{float(match[0]):.2f}", element.attrib[key])
                element.set(key, " ".join(shorter.split()))
