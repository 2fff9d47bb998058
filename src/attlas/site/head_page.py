"""The page of one head: what is said of it, where it looks, and the evidence, in a few kilobytes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

import numpy as np
import numpy.typing as npt

from attlas.atlas.passages import Passage, PassagePart
from attlas.atlas.registry import causal_cannot
from attlas.reports.page_contract import CardEffect, CardRelation, PageStatistic, Sentence
from attlas.site.frame import SiteFrame, head_link, items, link, quiet, section, swatch, table
from attlas.site.pictures import map_picture
from attlas.site.published_model import PublishedModel
from attlas.wording.numbers import chance_of, count, format_percents, format_range, number, percent, uncertain

_LINE, _FAINTEST = 20, 0.05  # pixels from token to token; weights below are not drawn
_LONGEST = 11  # letters of a token


def densest_window(weights: npt.NDArray[np.float64], size: int) -> int:
    """Where the square of `size` tokens on the diagonal begins that holds most attention."""
    sums = np.pad(weights.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    starts = np.arange(min(weights.shape) - size + 1)
    ends = starts + size
    held = sums[ends, ends] - sums[starts, ends] - sums[ends, starts] + sums[starts, starts]
    return int(held.argmax())


def link_picture(weights: npt.NDArray[np.float64], tokens: Sequence[str]) -> str:
    """Two columns of the same tokens, and a line for every weight that can be seen."""
    lines = []
    for query, key in np.argwhere(weights >= _FAINTEST).tolist():
        curve = f"M92 {_y(query)}C130 {_y(query)} 150 {_y(key)} 188 {_y(key)}"
        lines.append(f'<path d="{curve}" stroke-opacity="{min(1.0, weights[query, key]):.2f}"/>')
    words = [
        f'<text x="{x}" y="{_y(at) + 4}"{end}>{escape(_short(token))}</text>'
        for x, end in ((88, ' text-anchor="end"'), (192, ""))
        for at, token in enumerate(tokens)
    ]
    return (
        f'<svg class="links" viewBox="0 0 280 {_LINE * len(tokens)}" role="img" '
        f'aria-label="Links between {len(tokens)} tokens">'
        f'<g fill="none" stroke="currentColor" stroke-width="2">{"".join(lines)}</g>{"".join(words)}</svg>'
    )


def _y(at: int) -> int:
    return _LINE * at + _LINE // 2


def _short(token: str) -> str:
    return token if len(token) <= _LONGEST else f"{token[: _LONGEST - 1]}…"


MOST_PASSAGES, MOST_RELATIONS, MOST_TOKENS = 4, 6, 8
DRAWN = 14  # tokens between which links are drawn
MARKS = (
    '<p class="quiet">From the <b class="query">token that looks</b> to the '
    '<b class="key">token looked at</b>, with the weight.</p>'
)


def head_page(model: PublishedModel, place: int, frame: SiteFrame) -> str:
    """`place` is the head's among the model's heads."""
    address = model.addresses[place]
    title = f"Head {address} of {model.title}"
    card = model.report["cards"][place]
    crumbs = " › ".join((link("../index.html", model.title), link("../heads.html", "heads"), escape(address)))
    parts = [
        f'<p class="crumbs">{crumbs}{_neighbours(model, place)}</p>',
        f"<h1>{escape(title)}</h1>",
        items([_chip(*named) for named in model.names_of(place)], "names"),
        _sentences(card["sentences"], model.addresses),
        _map(model, place),
        section("In text", _passages(model.passages.get(model.heads[place], ()))),
        section("Tokens", _tokens(model, place)),
        section("Grammar", _relations(card["relations"][:MOST_RELATIONS])),
        section("Without it", _effects(card["effects"])),
        section("Numbers", _statistics(model, place)),
        section("Heads most like it", _alike(model, place)),
        _write_measures(model, place, frame),
    ]
    made = model.report["made"]
    return frame.page(
        f"{title} · Attlas",
        model.first_sentence(place),
        f"{model.slug}/{address}/",
        "\n".join(filter(None, parts)),
        f"from {escape(made['atlas'] or 'an atlas in memory')}, {made['when']} UTC",
    )


def _neighbours(model: PublishedModel, place: int) -> str:
    links = []
    for step, sign, name in ((-1, "‹", "previous head"), (1, "›", "next head")):
        if 0 <= place + step < len(model.addresses):
            other = escape(model.addresses[place + step])
            links.append(f'<a href="../{other}/index.html" aria-label="{name}: {other}">{sign}</a>')
    return f'<span class="steps">{"".join(links)}</span>'


def _chip(kind: str, title: str, meaning: str, light: str, dark: str) -> str:
    return f'<span title="{escape(kind)}: {escape(meaning)}">{swatch(light, dark)}{escape(title)}</span>'


def _sentences(sentences: Sequence[Sentence], addresses: Sequence[str]) -> str:
    first, *others = (_link_heads(sentence, addresses) for sentence in sentences)
    return f'<p class="lead">{first}</p>{items(others)}'


def _link_heads(sentence: Sentence, addresses: Sequence[str]) -> str:
    """A sentence whose heads are links to their pages."""
    return "".join(escape(part) if isinstance(part, str) else head_link(addresses[part]) for part in sentence)


# ---- where it looks --------------------------------------------------------------------------------


def _map(model: PublishedModel, place: int) -> str:
    levels, shown = model.levels(place), model.report["cards"][place]["map"]
    if levels is None or shown is None:
        return ""
    tokens = model.report["tokens"][shown["tokens"]]["tokens"]
    weights = shown["scale"] * (levels / 255.0) ** 2  # query key
    size = min(DRAWN, len(tokens), *weights.shape)
    begin = densest_window(weights, size)
    links = link_picture(weights[begin : begin + size, begin : begin + size], tokens[begin : begin + size])
    high, wide = levels.shape
    picture = (
        f'<img class="map" src="{map_picture(levels)}" width="{wide}" height="{high}" '
        f'alt="Heat map: rows look at columns; the heaviest weight is {number(shown["scale"], 2)}">'
    )
    caption = (
        f"Its map of a text of {high} tokens in which it does about what it does on average, and the {size} "
        "tokens between which most of that attention goes. Lines run from a token (left) to what it looks at."
    )
    return f'<figure class="maps"><div>{picture}{links}</div><figcaption>{caption}</figcaption></figure>'


def _passages(several: Sequence[Passage]) -> str:
    lines = []
    for passage in several[:MOST_PASSAGES]:
        keys = f" → {_mark_passage(passage.key_text)}" if passage.key_text else ""
        weight = f'<span class="weight">{number(passage.weight, 2)}</span>'
        lines.append(f"{weight} {_mark_passage(passage.text)}{keys}")
    return f"{MARKS}{items(lines, 'passages')}" if lines else ""


def _mark_passage(text: Sequence[PassagePart]) -> str:
    return "".join(
        f'<b class="{part.role}">{escape(part.text)}</b>'
        if part.role in ("query", "key", "both")
        else escape(part.text)
        for part in text
    )


def _tokens(model: PublishedModel, place: int) -> str:
    card = model.report["cards"][place]
    parts = []
    for title, counts in (("It looks from", card["looks_from"]), ("It looks at", card["looks_at"])):
        if counts is not None and counts["tokens"]:
            several = list(zip(counts["tokens"], counts["shares"], counts["common"], strict=True))
            words = ", ".join(
                f"<b>{escape(token)}</b> {percent(share)} {quiet(f'(of all tokens {percent(common)})')}"
                for token, share, common in several[:MOST_TOKENS]
            )
            parts.append(f"<p>{title} {words}.</p>")
    return "".join(parts)


# ---- the evidence ----------------------------------------------------------------------------------


def _relations(relations: Sequence[CardRelation]) -> str:
    titles = ("It finds", "how often", "95 %", "baseline", "p", "links")
    return table(titles, [_relation(relation) for relation in relations])


def _relation(relation: CardRelation) -> tuple[str, ...]:
    low, high, baseline, p = (relation[name] for name in ("low", "high", "baseline", "p"))
    doubt = "" if relation["sure"] else f" {quiet('(could be chance)')}"
    beside = "" if baseline is None else f"{percent(baseline)} {quiet(relation['baseline_title'])}"
    return (
        f"{escape(relation['finds'])}{doubt}",
        percent(relation["value"]),
        "" if low is None or high is None else format_percents(low, high),
        beside,
        _p(p),
        f"{relation['n']:,}",
    )


def _effects(effects: Sequence[CardEffect]) -> str:
    rows = []
    for effect in effects:
        low, high = effect["low"], effect["high"]
        rows.append(
            (
                escape(effect["edit_title"]),
                f"{escape(effect['score'])} {effect['change']:+.4f}",
                "" if low is None or high is None else format_range(low, high),
                _p(effect["p"]),
                count(effect["n"], "item"),
            )
        )
    return table(("Instead of its own attention", "change", "95 %", "corrected p", "over"), rows)


def _p(p: float | None) -> str:
    """&lt; 0.001 · 0.034"""
    return "" if p is None else escape(chance_of(p).removeprefix("p ").removeprefix("= "))


def _statistics(model: PublishedModel, place: int) -> str:
    decoder = model.report["heads"]["kind"][place] == "decoder"
    rows = []
    for statistic in model.report["statistics"]:
        value = statistic["values"][place]
        cannot = decoder and not value and causal_cannot(statistic["name"], statistic["group"])
        if not statistic["overview"] or value is None or cannot:
            continue
        values = [other for other in statistic["values"] if other is not None]
        rank = 1 + sum(other > value for other in values)
        titled = f'<span title="{escape(statistic["definition"])}">{escape(statistic["title"])}</span>'
        rows.append(
            (titled, _value(statistic, place), f"{rank} of {len(values):,}", escape(statistic["chance"]))
        )
    titles = ("Attention", "value ± standard error", "rank among all heads", "by chance")
    return table(titles, rows, words=(0, 3))


def _value(statistic: PageStatistic, place: int) -> str:
    """98.1 ± 0.1 % · 2.31 ± 0.02 nats"""
    value, stderr = statistic["values"][place], statistic["stderr"][place]
    assert value is not None
    error = math.nan if stderr is None else stderr
    if statistic["unit"] == "share":
        return f"{escape(uncertain(100 * value, 100 * error, 1))} %"
    digits = 2 if abs(value) >= 0.1 else 4
    return escape(f"{uncertain(value, error, digits)} {statistic['unit']}".strip())


def _alike(model: PublishedModel, place: int) -> str:
    return items(
        [
            f"{head_link(model.addresses[other])} {quiet(f'{number(distance, 3)} nats away')} "
            f"{escape(model.first_sentence(other))}"
            for other, distance in model.report["cards"][place]["alike"]
        ]
    )


def _write_measures(model: PublishedModel, place: int, frame: SiteFrame) -> str:
    address = model.addresses[place]
    lines = items([_chapter_line(*chapter) for chapter in _chapters(model, place)])
    where = f"{model.slug}/{address}/" if frame.address else f"{model.slug}/{address}/index.html"
    title = f"Head {address} of {model.title}"
    embed = (
        f'<iframe src="{escape(frame.address + where)}?embed" width="640" height="640" '
        f'title="{escape(title)}"></iframe>'
    )
    card = link(f"../index.html#head={address}", "The head's card in the report")
    return (
        f'<div class="aside">{section("Measure it again", lines)}'
        f"<p>{card} has all its numbers and maps.</p>"
        f"<p>To show it in a page of yours: <code>{escape(embed)}</code></p></div>"
    )


def _chapters(model: PublishedModel, place: int) -> Iterator[tuple[str, str, str]]:
    """Title, what was read, and command of the chapters that the sentences come from, and of the surface."""
    report = model.report
    tells = [tell.split() for tell in report["cards"][place]["tells"] if tell]
    used = {int(n) if what == "chapter" else report["statistics"][int(n)]["chapter"] for what, n, *_ in tells}
    for at, chapter in enumerate(report["chapters"]):
        if at in used or chapter["study"] == "surface":
            yield chapter["title"], ", ".join(chapter["read"]), chapter["command"]


def _chapter_line(title: str, read: str, command: str) -> str:
    return f"{escape(title)}: {escape(read)}<br><code>{escape(command)}</code>"
