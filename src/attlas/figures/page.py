"""One HTML page with an atlas's figures and tables: self-contained, offline, light or dark."""

from __future__ import annotations

import os
import tempfile
from html import escape
from importlib.resources import files
from pathlib import Path

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.figures.panels import label_look
from attlas.figures.plates import FIGURES, Group, Panel, Plate, plate
from attlas.figures.summary import facts, label_counts, label_rules, standouts
from attlas.figures.svg import inline_svg
from attlas.figures.tables import layer_tables
from attlas.figures.theme import INLINE, THEMES, Theme
from attlas.figures.words import KIND_NAMES, NO_LABEL, count, label_name, plain

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<header>
<p class="kicker">Attlas, an atlas of attention</p>
<h1>{name}</h1>
<p class="lead">{lead}</p>
<dl class="facts">
{facts}
</dl>
<nav aria-label="On this page">{links}</nav>
</header>
<main>
{sections}
</main>
<footer><p>Layers and heads are counted from 0; 7.9 is head 9 of layer 7. Every value is a mean over
segments, ± its standard error. The figures follow Clark et al. 2019, “What Does BERT Look At?”, for any
model.</p></footer>
</body>
</html>
"""


def write_page(atlas: Atlas, path: str | Path) -> Path:
    """Writes the page, whole or not at all. Gives its path."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = page(atlas)
    descriptor, building = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(building).chmod(0o644)
        Path(building).replace(path)
    except BaseException:
        Path(building).unlink(missing_ok=True)
        raise
    return path


def page(atlas: Atlas) -> str:
    """The page's HTML."""
    name = plain(str(atlas.manifest.get("model", {}).get("name", "unknown")), 80)
    plates = [plate(atlas, figure) for figure in FIGURES]
    sections = [
        ("findings", "What stands out", _findings(atlas)),
        *((p.name, p.title, _plate(p)) for p in plates),
        ("heads", "Every head", _heads(atlas)),
    ]
    return _TEMPLATE.format(
        policy=POLICY,
        title=escape(f"{name} · Attlas"),
        style=_style(),
        name=escape(name),
        lead=escape(_lead(atlas)),
        facts="\n".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in facts(atlas)),
        links="".join(f'<a href="#{i}">{escape(title)}</a>' for i, title, _ in sections),
        sections="\n".join(
            f'<section id="{i}" aria-labelledby="{i}-title">\n'
            f'<h2 id="{i}-title">{escape(title)}</h2>\n{body}\n</section>'
            for i, title, body in sections
        ),
    )


def _lead(atlas: Atlas) -> str:
    heads = count(len(atlas.addresses), "attention head")
    corpus = atlas.manifest.get("corpus", {})
    read = f" over {count(corpus['tokens'], 'token')} of text" if "tokens" in corpus else ""
    return f"What each of its {heads} does{read}: in pictures, in numbers, and by example."


def _findings(atlas: Atlas) -> str:
    return "\n".join(f"{_kind_title(atlas, kind)}{_standouts(atlas, kind)}" for kind in atlas.kinds)


def _standouts(atlas: Atlas, kind: Kind) -> str:
    rows = "\n".join(
        f'<tr><th scope="row">{escape(s.what)}</th><td><b>{s.head}</b></td><td>{escape(s.value)}</td></tr>'
        for s in standouts(atlas, kind)
    )
    counted = label_counts(atlas, kind)
    most = max(many for _, many in counted)
    bars = "\n".join(
        f"<li><span>{escape(_label(label))}</span><b>{many:,}</b>"
        f'<i style="width:{100 * many / most:.1f}%;background:{_variable(label)}"></i></li>'
        for label, many in counted
    )
    return f"""<div class="findings">
<table class="standouts"><caption>The strongest head for each</caption>
<thead><tr><th scope="col">what</th><th scope="col">head</th><th scope="col">value ± s.e.</th></tr></thead>
<tbody>
{rows}
</tbody></table>
<div><h4>Heads by what they mostly do</h4>
<ul class="bars">
{bars}
</ul>
<p class="caption">{escape(label_rules(atlas))}</p></div>
</div>"""


def _label(label: str | None) -> str:
    return NO_LABEL if label is None else label_name(label)


def _variable(label: str | None) -> str:
    colour, _ = label_look(INLINE, label)
    return next(f"var(--{name})" for name, have in INLINE.named().items() if have == colour)


def _plate(planned: Plate) -> str:
    if planned.absent:
        return f'<p class="absent">{escape(planned.absent)}</p>'
    several = len(planned.groups) > 1
    body = "\n".join(_group(planned.name, g, several) for g in planned.groups)
    origin = f" After figure {planned.number} of Clark et al. 2019." if planned.number else ""
    return f'<p class="caption">{escape(planned.caption + origin)}</p>\n{body}'


def _group(name: str, group: Group, several: bool) -> str:
    title = f"<h3>{KIND_NAMES[group.kind]}</h3>\n" if several else ""
    if not group.panels:
        return f'{title}<p class="absent">{escape(group.absent)}</p>'
    shown = "\n".join(_panel(panel, f"{name}-{group.kind}-{i}") for i, panel in enumerate(group.panels))
    note = f'\n<p class="note">{escape(" ".join(group.note))}</p>' if group.note else ""
    return f'{title}<div class="panels {name}">\n{shown}\n</div>{note}'


def _panel(panel: Panel, name: str) -> str:
    subtitle = "".join(f"<span>{escape(line)}</span>" for line in panel.subtitle.splitlines())
    caption = f"<figcaption><b>{escape(panel.title)}</b>{subtitle}</figcaption>"
    return f"<figure>{caption}{inline_svg(panel, name)}</figure>"


def _heads(atlas: Atlas) -> str:
    tables = "\n".join(f"{_kind_title(atlas, kind)}{layer_tables(atlas, kind)}" for kind in atlas.kinds)
    told = (
        ""
        if atlas.examples.empty
        else (
            " Under it, the strongest weights of each head: from the <u>token that attends</u> to the "
            "<mark>token attended to</mark>, with the text around the latter."
        )
    )
    caption = f"Open a layer for the share of attention that each head gives.{told}"
    return f'<p class="caption">{caption}</p>\n{tables}'


def _kind_title(atlas: Atlas, kind: Kind) -> str:
    return f"<h3>{KIND_NAMES[kind]}</h3>\n" if len(atlas.kinds) > 1 else ""


def _style() -> str:
    light, dark = (_variables(THEMES[name]) for name in ("light", "dark"))
    sheet = (files("attlas.figures") / "page.css").read_text(encoding="utf-8")
    return f":root{{{light}}}\n@media (prefers-color-scheme: dark){{:root{{{dark}}}}}\n{sheet}"


def _variables(theme: Theme) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in theme.named().items())
