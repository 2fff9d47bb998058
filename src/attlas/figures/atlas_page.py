"""One HTML page with an atlas's figures and tables: self-contained, offline, light or dark."""

from __future__ import annotations

import json
import os
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.atlas.atlas import contents
from attlas.atlas.words import count
from attlas.errors import AttlasError
from attlas.figures.figure_specs import figure_spec, surface_figures
from attlas.figures.layout import FigureSpec, Group, Panel
from attlas.figures.page_sentences import sentences
from attlas.figures.panels import behaviour_look
from attlas.figures.pattern_figures import pattern_chapters
from attlas.figures.reader_words import KIND_NAMES, NO_BEHAVIOUR, behaviour_name, plain, token
from attlas.figures.relations import relation_chapters, relation_specs
from attlas.figures.shapes import shape_chapters
from attlas.figures.summary import behaviour_counts, behaviour_rules, facts, standouts, title
from attlas.figures.svg import inline_svg
from attlas.figures.tables import layer_tables, study_table
from attlas.figures.theme import INLINE, THEMES, Theme
from attlas.files import write_whole
from attlas.progress import tell

if TYPE_CHECKING:
    from jinja2 import Template

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
#: figures of a few panels, which have their text beside them
_BESIDE = ("targets", "gradients", "entropy", "reach", "plane", "patterns", "shapes")


def write_page(
    atlas: Atlas, path: str | Path, chapter: str | None = None, view: str | Path | None = None
) -> Path:
    """Writes the page, whole or not at all. Gives its path. `view` is a page that `attlas view` wrote of the
    same model: each head then links to itself in it, by a path that holds while both are moved together."""
    tell("drawing the page")
    link = None
    if view is not None:
        link = quote(Path(os.path.relpath(view, Path(path).parent)).as_posix())
    return write_whole(path, page(atlas, chapter, link))


def page(atlas: Atlas, chapter: str | None = None, view: str | None = None) -> str:
    """The page's HTML: of a chapter with surface statistics, the first if none is named, and of what the
    other chapters concluded about heads. `view` is the address of a view that heads link to."""
    chapter = chapter or atlas.first_surface()
    if chapter is None:
        raise AttlasError(f"{atlas.path or 'the atlas'} has no chapters, so there is nothing to show")
    atlas.about(chapter)  # there is one, or the error says which there are
    figures = [_figure(figure_spec(atlas, name, chapter)) for name in surface_figures(atlas, chapter)]
    figures += [_figure(figure_spec(atlas, "patterns", named)) for named in pattern_chapters(atlas)]
    figures += [_figure(figure_spec(atlas, "shapes", shaped)) for shaped in shape_chapters(atlas)]
    kinds = atlas.kinds
    if all(figure["absent"] for figure in figures):  # a study of links alone: no need to say what it is not
        figures, kinds = [], ()
    studies = [_study(atlas, name) for name in relation_chapters(atlas)]
    sections = [{"id": "findings", "title": "What stands out"}, *figures, *studies]
    links = [(s["id"], s["title"]) for s in sections] + ([("heads", "Every head")] if kinds else [])
    links.append(("chapters", "Where it comes from"))
    return _template().render(
        policy=POLICY,
        view=view,
        style=_style(),
        title=title(atlas),
        lead=_lead(atlas, chapter),
        facts=facts(atlas, chapter),
        links=links,
        prose=sentences(atlas, chapter),
        findings=[_finding(atlas, chapter, kind) for kind in kinds],
        figures=figures,
        studies=studies,
        examples=not atlas.examples.empty,
        no_behaviour=NO_BEHAVIOUR,
        chapters=[[plain(cell, 120) for cell in row[:-1]] for row in contents(atlas).itertuples(index=False)],
        kinds=[{"title": _kind_title(atlas, k), **layer_tables(atlas, chapter, k)} for k in kinds],
    )


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("attlas.figures"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters |= {
        "plain": lambda text: plain(text, 80),
        "token": lambda text: token(text, 32),
        "chosen": _chosen,
    }
    return environment.get_template("page.html")


def _chosen(head: Head) -> str:
    """The part of a view's address that chooses a head."""
    chosen = {"kind": "head", "attention": head.kind, "layer": head.layer, "heads": [head.head]}
    return "&".join(f"{name}={quote(json.dumps(value))}" for name, value in chosen.items())


def _lead(atlas: Atlas, chapter: str) -> str:
    heads = count(len(atlas.addresses), "attention head")
    corpus = atlas.about(chapter).get("corpus") or {}
    read = f" over {count(corpus['tokens'], 'token')} of text" if "tokens" in corpus else ""
    return f"What each of its {heads} does{read}: in pictures, in numbers, and by example."


def _finding(atlas: Atlas, chapter: str, kind: Kind) -> dict[str, Any]:
    counted = behaviour_counts(atlas, chapter, kind)
    every = sum(many for _, many in counted)
    return {
        "title": _kind_title(atlas, kind),
        "standouts": standouts(atlas, chapter, kind),
        "rules": behaviour_rules(atlas, chapter, kind),
        "bars": [
            {
                "name": behaviour_name(behaviour),
                "many": f"{many:,}",
                "width": f"{100 * many / every:.1f}",
                "colour": _variable(behaviour),
            }
            for behaviour, many in counted
        ],
    }


def _variable(behaviour: str | None) -> str:
    colour, _ = behaviour_look(INLINE, behaviour)
    return next(name for name, have in INLINE.named().items() if have == colour)


def _figure(spec: FigureSpec) -> dict[str, Any]:
    origin = f" After figure {spec.number} of Clark et al. 2019." if spec.number else ""
    several = len(spec.groups) > 1
    return {
        "id": spec.name,
        "title": spec.title,
        "absent": spec.absent,
        "caption": f"{spec.caption}{origin}",
        "beside": spec.name in _BESIDE and not several,
        "groups": [_group(spec.name, group, several) for group in spec.groups],
    }


def _group(name: str, group: Group, several: bool) -> dict[str, Any]:
    return {
        "title": KIND_NAMES[group.kind] if several else "",
        "absent": group.absent,
        "note": " ".join(group.note),
        "panels": [_panel(panel, f"{name}-{group.kind}-{i}") for i, panel in enumerate(group.panels)],
    }


def _panel(panel: Panel, name: str) -> dict[str, Any]:
    return {"title": panel.title, "subtitle": panel.subtitle.splitlines(), "svg": inline_svg(panel, name)}


def _study(atlas: Atlas, chapter: str) -> dict[str, Any]:
    """A chapter that concluded something about heads: its table, and heat maps of every head."""
    place = relation_chapters(atlas).index(chapter)
    notes = atlas.about(chapter).get("notes") or []
    return {
        "id": f"study-{place}",
        "title": plain(chapter, 60),
        "caption": plain(
            ". ".join(str(note) for note in notes) if isinstance(notes, list) else str(notes), 900
        ),
        "figures": [
            {
                "caption": spec.caption,
                "panels": [
                    _panel(panel, f"study-{place}-{spec.name}-{group.kind}-{i}")
                    for group in spec.groups
                    for i, panel in enumerate(group.panels)
                ],
            }
            for spec in relation_specs(atlas, chapter)
        ],
        **study_table(atlas, chapter),
    }


def _kind_title(atlas: Atlas, kind: Kind) -> str:
    return KIND_NAMES[kind] if len(atlas.kinds) > 1 else ""


def _style() -> str:
    light, dark = (_variables(THEMES[name]) for name in ("light", "dark"))
    sheet = (files("attlas.figures") / "templates" / "page.css").read_text(encoding="utf-8")
    return f":root{{{light}}}\n@media (prefers-color-scheme: dark){{:root{{{dark}}}}}\n{sheet}"


def _variables(theme: Theme) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in theme.named().items())
