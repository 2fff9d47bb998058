"""Two atlases on one page: what heads of both do, what appeared, went and moved, cards in two columns."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from attlas.atlas import Atlas
from attlas.extras import version_of
from attlas.outputs import GENERATOR
from attlas.site.frame import items, quiet, section, table
from attlas.site.index_pages import entry_of, thumbnail
from attlas.site.pictures import map_picture
from attlas.site.published_model import PublishedModel, read_model
from attlas.site.shared_jobs import MOVED, Holder, Job, alike_pairs, jobs_of, measured_pairs
from attlas.views.view_page import style_policy
from attlas.wording.numbers import count, model_title, number

MOST_PAIRS, MOST_CARDS = 20, 12
STANDINGS = {
    "both": "in both",
    "moved": "moved",
    "appeared": "only in the second",
    "went": "only in the first",
    "not asked": "not asked of both",
}
_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
{generator}<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
<footer>Made by Attlas {version}: <code>{command}</code></footer>
</body>
</html>
"""


def beside_page(first: Atlas, second: Atlas) -> str:
    """The page as one file without scripts."""
    models = _read(first, second)
    titles = [model.title for model in models]
    title = f"{titles[0]} beside {titles[1]}"
    jobs = jobs_of(*models)
    parts = [
        f'<div class="two">{"".join(_overview(model) for model in models)}</div>',
        section("What their heads do", f"{_summary(jobs)}{_jobs(jobs, *models)}"),
        section("Head beside head", "".join(_cards(jobs, *models))),
        section("Heads most alike", _pairs(*models)),
    ]
    style = (files("attlas.site") / "site.css").read_text(encoding="utf-8")
    folders = " ".join(model.report["made"]["atlas"] or "ATLAS" for model in models)
    return _TEMPLATE.format(
        policy=style_policy(style),
        title=escape(title),
        generator=GENERATOR,
        style=style,
        body="\n".join(filter(None, parts)),
        version=escape(version_of("attlas")),
        command=escape(f"attlas report {folders}"),
    )


def _read(first: Atlas, second: Atlas) -> tuple[PublishedModel, PublishedModel]:
    """Both models; two of one name are told apart by their atlases."""
    names = [model_title(str(atlas.model.get("name", ""))) for atlas in (first, second)]
    if names[0] == names[1]:
        names = [
            f"{name} ({atlas.path.name if atlas.path else place})"
            for place, (name, atlas) in enumerate(zip(names, (first, second), strict=True), 1)
        ]
    return read_model("first", names[0], first), read_model("second", names[1], second)


def _overview(model: PublishedModel) -> str:
    entry = entry_of(model)
    sentences = items([escape(sentence) for sentence in entry.stands_out])
    about = quiet(f"{entry.type}, {entry.size}")
    return f"<div><h2>{escape(model.title)}</h2><p>{about}</p>{thumbnail(entry)}{sentences}</div>"


# ---- jobs ------------------------------------------------------------------------------------------


def _summary(jobs: list[Job]) -> str:
    counted = {standing: sum(job.standing == standing for job in jobs) for standing in STANDINGS}
    counts = ", ".join(f"{many} {STANDINGS[standing]}" for standing, many in counted.items() if many)
    return (
        f"<p>{count(len(jobs), 'job')} that a head of either is shown to do: {counts}. A job moved if its "
        f"best head lies more than {MOVED:.0%} of the depth away. Each atlas was measured on its own: where "
        "texts or settings differ, so may the numbers. <code>attlas compare</code> measures two models of "
        "one shape on the same inputs.</p>"
    )


def _jobs(jobs: list[Job], first: PublishedModel, second: PublishedModel) -> str:
    rows = [
        (
            escape(job.title),
            STANDINGS[job.standing],
            _write_holder(job.sides[0], first),
            _write_holder(job.sides[1], second),
        )
        for job in jobs
    ]
    return table(("Job", "", escape(first.title), escape(second.title)), rows, words=range(4))


def _write_holder(holder: Holder | None, model: PublishedModel) -> str:
    """7.0, score 0.99 ± <0.01, at 64 % of the depth; 8 other heads"""
    if holder is None:
        return quiet("not asked")
    if holder.best is None:
        nearest = f"; the best has {holder.number}" if holder.number else ""
        return quiet(f"no head is shown to{nearest}")
    others = f"; {count(holder.heads - 1, 'other head')}" if holder.heads > 1 else ""
    where = f"at {holder.depth:.0%} of the depth{others}"
    return f"<b>{model.addresses[holder.best]}</b> {escape(holder.number)} {quiet(where)}"


def _cards(jobs: list[Job], first: PublishedModel, second: PublishedModel) -> Iterator[str]:
    """The best heads of each job, side by side; no pair twice."""
    shown: set[tuple[int | None, int | None]] = set()
    for job in jobs:
        best = tuple(None if side is None else side.best for side in job.sides)
        pair = best[0], best[1]
        if job.standing == "not asked" or pair in shown or len(shown) == MOST_CARDS:
            continue
        shown.add(pair)
        columns = "".join(_card(model, place) for model, place in zip((first, second), pair, strict=True))
        yield f'<h3>{escape(job.title)}</h3><div class="two">{columns}</div>'


def _card(model: PublishedModel, place: int | None) -> str:
    if place is None:
        return f"<div>{quiet(f'No head of {model.title} is shown to do this.')}</div>"
    sentences = [escape(model.text(sentence)) for sentence in model.report["cards"][place]["sentences"]]
    levels = model.levels(place)
    picture = ""
    if levels is not None:
        high, wide = levels.shape
        alt = f"Map of head {model.addresses[place]}: rows look at columns"
        picture = f'<img class="map" src="{map_picture(levels)}" width="{wide}" height="{high}" alt="{alt}">'
    return f"<div><b>{model.addresses[place]}</b>{items(sentences)}{picture}</div>"


# ---- heads most alike ------------------------------------------------------------------------------


def _pairs(first: PublishedModel, second: PublishedModel) -> str:
    """By what `compare` measured on the same inputs; else by the numbers that both atlases have."""
    pairs, how, unit = measured_pairs(first, second), "", "nats"
    if pairs:
        how = "Each head of the first and its match in the second, by attlas compare on the same inputs."
        stay = sum(first.addresses[pair.first] == second.addresses[pair.second] for pair in pairs)
        how += f" {stay} of {len(pairs)} match the head of their own address."
    else:
        pairs, numbers = alike_pairs(first, second)
        unit = "of the median pair"
        how = (
            f"{count(len(pairs), 'pair')} of heads are each other's nearest by {count(numbers, 'number')} "
            "that both atlases have: scores of patterns, accuracies of relations, shares of attention. The "
            "nearest are shown."
        )
        pairs = pairs[:MOST_PAIRS]
    rows = [
        (
            escape(first.addresses[pair.first]),
            escape(second.addresses[pair.second]),
            f"{number(pair.distance, 2)} {quiet(unit)}",
            escape(first.first_sentence(pair.first)),
            escape(second.first_sentence(pair.second)),
        )
        for pair in pairs
    ]
    if not rows:
        return ""
    titles = (escape(first.title), escape(second.title), "distance", "the first", "the second")
    return f"<p>{how}</p>{table(titles, rows, words=(0, 1, 3, 4))}"
