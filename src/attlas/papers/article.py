"""A reproduction as a page that reads as an article, with its panels as SVG in the page's colours and font;
and its items as tables for other programs."""

from __future__ import annotations

import csv
import html
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from attlas.atlas.catalogue import PAPER_ITEMS
from attlas.extras import version_of
from attlas.figures.drawing import draw_panel
from attlas.figures.head_measures import writable
from attlas.figures.layout import Panel
from attlas.figures.panels import HEADS
from attlas.figures.theme import INLINE, THEMES, drawing
from attlas.outputs import GENERATOR
from attlas.papers.paper_items import EVIDENCE, PAPER_VERDICTS, Measured, PaperItem, PaperVerdict, Unit

_VARIABLES = {colour: f"var(--{name})" for name, colour in INLINE.colours_by_name().items()}
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


_STYLE = Path(__file__).with_suffix(".css")
#: what each verdict means, in the order in which they are counted
VERDICTS: Mapping[PaperVerdict, str] = {
    "holds": "at least the smallest size that matters, beyond chance and an untrained twin",
    "does not hold": "surely below that size, absent, or the other way",
    "undecided": "neither is sure; the row says what would decide",
    "not asked": "the row says why",
}
COLUMNS = ("item", "paper", "original’s way", "corrected", "untrained twin", "verdict")  # of a table


@dataclass(frozen=True)
class Figure:
    """A picture that belongs to a place of the paper: its panels (a title, what it says, an SVG), and what
    they show."""

    place: str
    title: str  # what it is in the paper
    panels: Sequence[tuple[str, str, str]]
    caption: str


@dataclass(frozen=True)
class Article:
    title: str
    citation: str
    model: str
    says: Sequence[str]  # what was run, in sentences
    items: Sequence[PaperItem]
    figures: Sequence[Figure] = ()
    links: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)  # place -> words, address
    command: str = ""  # that made it
    recorded: Sequence[PaperItem] = ()  # the same questions to recorded attention

    @property
    def every_item(self) -> list[PaperItem]:
        return [*self.items, *self.recorded]

    @property
    def by_place(self) -> dict[str, list[PaperItem]]:
        """The items of every place, in the paper's order."""
        places: dict[str, list[PaperItem]] = {}
        for item in self.every_item:
            places.setdefault(item.place, []).append(item)
        return places

    @property
    def counts(self) -> dict[PaperVerdict, int]:
        return _count(self.items)

    @property
    def summary(self) -> str:
        """30 of the 97 claims that could be asked hold in mini. In all: ..."""
        hold, asked = count_holding(self.items)
        said = {
            "holds": "hold",
            "does not hold": "do not",
            "undecided": "are undecided",
            "not asked": "were not asked",
        }
        listed = ", ".join(f"{n} {said[verdict]}" for verdict, n in self.counts.items())
        summary = f"{hold} of the {asked} claims that could be asked hold in {self.model}: {listed}."
        if self.recorded:
            hold, asked = count_holding(self.recorded)
            summary += f" On recorded attention, by size alone, {hold} of {asked} hold."
        return summary


def _count(items: Sequence[PaperItem]) -> dict[PaperVerdict, int]:
    counted = Counter(item.verdict for item in items)
    return {verdict: counted[verdict] for verdict in PAPER_VERDICTS if counted[verdict]}


def count_holding(items: Sequence[PaperItem]) -> tuple[int, int]:
    """Count the items that hold, and those that were asked."""
    counted = _count(items)
    return counted.get("holds", 0), sum(n for verdict, n in counted.items() if verdict != "not asked")


def format_csv(items: Sequence[PaperItem]) -> str:
    """One CSV row per item."""
    out = io.StringIO()
    writer = csv.DictWriter(out, PAPER_ITEMS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(_make_record, items))
    return out.getvalue()


def _make_record(item: PaperItem) -> dict[str, object]:
    measured = item.measured
    low, high = ("", "") if item.corrected is None else item.corrected.bounds
    return {
        "place": item.place,
        "what": item.what,
        "detail": item.detail,
        "paper": item.reported.words,
        "known from": EVIDENCE[item.reported.evidence],
        "faithful": "" if item.faithful is None else item.faithful.value,
        "corrected": "" if item.corrected is None else item.corrected.value,
        "low": low,
        "high": high,
        "where": "" if measured is None else measured.where,
        "untrained": "" if item.untrained is None else item.untrained.value,
        "chance": item.chance,
        "threshold": "" if item.threshold is None else item.threshold,
        "verdict": item.verdict,
        "why": item.why,
    }


def name_table(section: str) -> str:
    """The name of a section's table as a file: figure-2."""
    return re.sub("[^a-z0-9.]+", "-", section.lower()).strip("-")


def render_page(article: Article) -> str:
    """Render the whole page, without scripts and without network."""
    title = html.escape(f"{article.title}: {article.model}")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
        "style-src 'unsafe-inline'\">\n"
        f'<meta name="color-scheme" content="light dark">\n{GENERATOR}<title>{title}</title>\n'
        f"<style>{_define_colours()}{_STYLE.read_text(encoding='utf-8')}</style>\n"
        f"</head>\n<body>\n<main>\n{''.join(_render_body(article))}</main>\n</body>\n</html>\n"
    )


def _render_body(article: Article) -> Iterator[str]:
    yield f"<h1>{html.escape(article.title)}</h1>\n"
    yield f'<p class="lead">What the paper reports, beside what {html.escape(article.model)} shows.</p>\n'
    yield f"<p>{html.escape(article.summary)}</p>\n"
    yield "".join(f"<p>{html.escape(sentence)}</p>\n" for sentence in article.says)
    yield '<ul class="counts">'
    for verdict, number in article.counts.items():
        meaning = html.escape(VERDICTS[verdict])
        yield f"<li>{_badge(verdict)} <b>{number}</b> {meaning}</li>"
    yield "</ul>\n"
    for place, items in article.by_place.items():
        yield from _render_section(place, items, article)
    yield "<h2>How to read the columns</h2>\n"
    yield (
        "<p><b>Original’s way</b> is the paper’s own definition, its defects included. <b>Corrected</b> is "
        "ours, with its 95&nbsp;% interval. <b>Untrained twin</b> is the same architecture before it has "
        "learned anything. Layers and heads count from 0 here, and from 1 in the papers of 2019 by Clark and "
        "Kovaleva: 7.9 (8-10) has both.</p>\n"
    )
    yield (
        "<p>A claim holds where its number lies beyond chance, beyond the untrained twin and, where the "
        "paper names one, at its threshold, by the smallest size that matters; the whole interval lies "
        "above the null. A claim that a number is the paper’s holds where the whole interval is "
        "as near as that size. The sizes are in the documentation, under How we judge.</p>\n"
    )
    yield (
        "<p>The best of many heads looks better than it is. Where a head was picked on the text that it is "
        "reported on, its interval is that in which all heads would lie together (Bonferroni). Clark’s "
        "tables 1 and 2 pick heads on one half of the corpus and report them on the other.</p>\n"
    )
    yield "<p>Each section is a file in <code>tables</code>, each figure one in <code>figures</code>.</p>\n"
    if article.command:
        yield f"<h2>How to make it again</h2>\n<pre>{html.escape(article.command)}</pre>\n"
    yield f"<h2>How to cite</h2>\n<p>{html.escape(article.citation)}</p>\n"
    ours = f"Attlas {version_of('attlas')}: an atlas of attention. Name the model too: {article.model}."
    yield f"<p>{html.escape(ours)}</p>\n"


def _render_section(place: str, items: Sequence[PaperItem], article: Article) -> Iterator[str]:
    yield f"<section>\n<h2>{html.escape(place[:1].upper() + place[1:])}</h2>\n"
    for figure in article.figures:
        if figure.place == place:
            panels = "".join(
                f"<div><b>{html.escape(title)}</b>{_small(subtitle)}{svg}</div>"
                for title, subtitle, svg in figure.panels
            )
            caption = f"<b>{html.escape(figure.title)}.</b> {html.escape(figure.caption)}"
            yield f'<figure><div class="panels">{panels}</div><figcaption>{caption}</figcaption></figure>\n'
    for words, address in article.links.get(place, ()):
        yield f'<p><a href="{html.escape(address)}">{html.escape(words)}</a></p>\n'
    asked = [item for item in items if item.verdict != "not asked"]
    unasked = [item for item in items if item.verdict == "not asked"]
    if asked:
        yield from _render_table(asked)
    for item in items:
        if item.points:
            yield from _render_curve(item)
    if unasked:  # folded away, so that they do not bury the rest
        claims = "1 claim was not asked" if len(unasked) == 1 else f"{len(unasked)} claims were not asked"
        yield f"<details><summary>{claims}</summary>\n"
        yield from _render_table(unasked)
        yield "</details>\n"
    yield "</section>\n"


def _render_table(items: Sequence[PaperItem]) -> Iterator[str]:
    """One row per item."""
    head = "".join(f"<th>{name}</th>" for name in COLUMNS)
    yield f'<div class="table"><table class="items"><thead><tr>{head}</tr></thead><tbody>\n'
    for item in items:
        cells = (
            html.escape(item.what) + _small(item.detail),
            html.escape(item.reported.words) + _small(EVIDENCE[item.reported.evidence]),
            _format_value(item, item.faithful),
            _format_value(item, item.corrected) + _small(item.beside_paper),
            _format_value(item, item.untrained) + _small(_format_nulls(item)),
            _badge(item.verdict) + _small(item.why),
        )
        named = zip(COLUMNS, cells, strict=True)
        yield "<tr>" + "".join(f'<td data-name="{name}">{cell}</td>' for name, cell in named) + "</tr>\n"
    yield "</tbody></table></div>\n"


def _format_nulls(item: PaperItem) -> str:
    """chance 0.016: what a claim has to exceed beside the twin."""
    digits = _DIGITS[item.unit]
    nulls = [] if item.agrees or not item.chance else [f"chance {item.chance:.{digits}f}"]
    nulls += [] if item.threshold is None else [f"threshold {item.threshold:.{digits}f}"]
    return ", ".join(nulls)


def _render_curve(item: PaperItem) -> Iterator[str]:
    """The points of a curve, layer by layer: the paper's, and what was measured."""
    yield f"<h3>{html.escape(item.what.split(':')[0])}, by layer (counted from 1)</h3>\n"
    head = "".join(f"<th>{html.escape(point.name)}</th>" for point in item.points)
    yield f'<div class="table"><table class="curve"><thead><tr><th></th>{head}</tr></thead><tbody>\n'
    for name, values in (
        ("paper", [point.paper for point in item.points]),
        ("original’s way", [point.faithful for point in item.points]),
        ("corrected", [point.corrected for point in item.points]),
    ):
        cells = "".join(f"<td>{'–' if value is None else f'{value:.2f}'}</td>" for value in values)
        yield f"<tr><th>{name}</th>{cells}</tr>\n"
    yield "</tbody></table></div>\n"


_DIGITS: Mapping[Unit, int] = {"share": 3, "percent": 1, "nats": 3, "count": 0, "number": 3}


def _small(text: str) -> str:
    return "".join(f"<small>{html.escape(line)}</small>" for line in text.split("\n") if line)


def _class_of(verdict: PaperVerdict) -> str:
    return verdict.replace(" ", "-")


def _badge(verdict: PaperVerdict) -> str:
    return f'<span class="verdict {_class_of(verdict)}">{html.escape(verdict)}</span>'


def _format_value(item: PaperItem, measured: Measured | None) -> str:
    """A value as a cell: 0.541 <small>0.523 to 0.560, 11.1</small>"""
    if measured is None:
        return "–"
    digits = _DIGITS[item.unit]
    low, high = measured.bounds
    notes = [f"{low:.{digits}f} to {high:.{digits}f}"] if low < high else []
    notes += [measured.where] if measured.where else []
    return f"{measured.value:.{digits}f}" + (
        f" <small>{html.escape(', '.join(notes))}</small>" if notes else ""
    )


def _define_colours() -> str:
    """Define the themes of the figures, light and dark, as variables of the page."""
    light, dark = (
        ":root {" + " ".join(f"--{name}: {colour};" for name, colour in theme.colours_by_name().items()) + "}"
        for theme in (THEMES["light"], THEMES["dark"])
    )
    return f"\n{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"
