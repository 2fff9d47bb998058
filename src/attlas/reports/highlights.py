"""What stands out in a model, over all chapters, in sentences made of the numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from attlas.reports.evidence import Followed, gain_of, judge_effect
from attlas.reports.page_contract import Sentence
from attlas.reports.sentences import BESIDE, SAME, Noted, Sentences, lower
from attlas.statistics.claims import CLAIMS, HALF_OF_ATTENTION
from attlas.statistics.clusters import degrees
from attlas.statistics.verdicts import estimate, judge
from attlas.wording.numbers import count, number, percent
from attlas.wording.vocabulary import ALL, PATTERN_DOES

MOST_UNEXPLAINED = 3  # heads that no sum of programs explains
MOST_NAMED = 5  # patterns of which a model's paragraph tells


def what_stands_out(sentences: Sentences) -> list[Noted]:
    """The model in a paragraph, then a dozen sentences at most, over all chapters."""
    return [
        *_in_a_paragraph(sentences),
        *_best_relations(sentences),
        *_best_patterns(sentences),
        *_strongest_targets(sentences),
        *_most_needed(sentences),
        *_unexplained(sentences),
        *_layers(sentences),
        *_most_changed(sentences),
    ]


def _in_a_paragraph(sentences: Sentences) -> Iterator[Noted]:
    """Of 144 heads, 44 look at nearby tokens, 9 look at the next token, 91 have no name."""
    every = len(sentences.columns.heads)
    names = name_counts(sentences, range(every))
    if not names:
        return
    finders = {
        place
        for place, rows in enumerate(sentences.evidence.relations)
        for r in rows
        if r["sure"] and r["best"] and r["group"] != ALL and gain_of(r) > 0
    }
    also = (
        f" {count(len(finders), 'head')} {'finds' if len(finders) == 1 else 'find'} a relation of grammar."
        if finders
        else ""
    )
    yield Noted([f"Of {count(every, 'head')}, {names}.{also}"])


def name_counts(sentences: Sentences, places: Iterable[int]) -> str:
    """60 look at everything nearly evenly, 9 look at the next token, 11 have no name"""
    heads = [sentences.columns.heads[place] for place in places]
    called = (sentences.pattern_names.get(head, "") for head in heads)
    named = Counter(name for name in called if name in PATTERN_DOES)
    if not named:
        return ""
    common = named.most_common(MOST_NAMED)
    parts = [f"{many:,} {_of_several(PATTERN_DOES[name], many)}" for name, many in common]
    others = sum(named.values()) - sum(many for _, many in common)
    parts += [f"{others:,} {'does' if others == 1 else 'do'} something else"] if others else []
    nameless = len(heads) - sum(named.values())
    parts += [f"{nameless:,} {'has' if nameless == 1 else 'have'} no name"] if nameless else []
    return ", ".join(parts)


def _of_several(does: str, many: int) -> str:
    """look at the next token · looks at the next token"""
    first, _, rest = does.partition(" ")
    first = first if many == 1 else first.removesuffix("es") if first.endswith("ies") else first[:-1]
    return f"{first} {rest.replace('its sentence', 'their sentence') if many > 1 else rest}"


def _best_relations(sentences: Sentences) -> Iterator[Noted]:
    for chapter in dict.fromkeys(r["chapter"] for rows in sentences.evidence.relations for r in rows):
        chosen = [
            (place, r)
            for place, rows in enumerate(sentences.evidence.relations)
            for r in rows
            if r["chapter"] == chapter and r["best"] and r["group"] != ALL
        ]
        sure = sorted((c for c in chosen if c[1]["sure"]), key=lambda c: -gain_of(c[1]))
        corpus = sentences.corpus(chapter)
        if not sure:
            none = "No head is shown to find a relation of grammar."
            asked = f"{count(len(chosen), 'relation')} on {corpus}, beside the best fixed offset"
            yield Noted([none, BESIDE, asked], f"chapter {chapter}")
            continue
        for place, relation in sure[:3]:
            claim, *evidence = sentences.relation(relation)
            yield Noted(["Head ", place, f" {lower(str(claim))}", *evidence], f"chapter {chapter}")


def _best_patterns(sentences: Sentences) -> Iterator[Noted]:
    named = Counter(sentences.pattern_names.values())
    tops: list[tuple[Followed, int]] = []
    for pattern in named:
        followers = [
            (f, place)
            for place, scores in enumerate(sentences.evidence.patterns)
            for f in scores
            if f.pattern == pattern and sentences.pattern_names.get(sentences.columns.heads[place]) == pattern
        ]
        if followers:
            tops.append(max(followers, key=lambda f: f[0].strength))
    for followed, place in sorted(tops, key=lambda t: -t[0].strength)[:4]:
        claim, *evidence = sentences.pattern(followed)
        others = named[followed.pattern] - 1
        more = f" {count(others, 'other head')} {'does' if others == 1 else 'do'} the same." if others else ""
        about = sentences.of_pattern(followed, place)
        yield Noted(["Head ", place, f" {lower(str(claim))}{more}", *evidence], about)


def _strongest_targets(sentences: Sentences) -> Iterator[Noted]:
    named = {key for name in set(sentences.pattern_names.values()) for key in SAME.get(name, ())}
    strong = [c for c in sentences.targets if (c.values > HALF_OF_ATTENTION).any() and c.key not in named]
    for column in sorted(strong, key=lambda c: -float(np.nanmax(c.values))):
        place = int(np.nanargmax(column.values))
        if not sentences.is_beyond_untrained(column, place):
            continue
        others = int((column.values > HALF_OF_ATTENTION).sum()) - 1
        more = f" {count(others, 'other head')} more than half." if others else ""
        claim, *evidence = sentences.share(column, place)
        said: Sentence = ["Head ", place, f" {lower(str(claim))}{more}", *evidence]
        yield Noted(said, sentences.of_column(column, place))


def _most_needed(sentences: Sentences) -> Iterator[Noted]:
    effects = [(e, place) for place, of_head in enumerate(sentences.evidence.effects) for e in of_head]
    if not effects:
        return
    by_mean = [e for e in effects if e[0]["edit"] == "mean"]
    effects = by_mean or effects  # which wakes no head that rests
    score, chapter = effects[0][0]["score"], effects[0][0]["chapter"]
    effects = [e for e in effects if e[0]["chapter"] == chapter]
    shown = [e for e in effects if judge_effect(e[0]).shown]
    screened = f"{sentences.atlas.chapters[chapter]}/screened" in sentences.atlas.tables
    tried = count(len(effects), "head")
    if len(effects) < len(sentences.columns.heads):
        tried = f"the {tried} that {'attribution ranks highest' if screened else 'were tried'}"
    documents, items = effects[0][0]["documents"], effects[0][0]["n"]
    named = "other document" if screened else "document"
    many = count(documents, named) if documents else count(items, "item")
    of = "the embedding" if score == "embedding" else f"the {score}"
    if not shown:
        ends = [abs(end) for e, _ in effects for end in (e["low"], e["high"]) if end is not None]
        bound = f" by more than {number(max(ends), 3)}" if ends else ""
        none = f"None of {tried} is shown to change {of}, and none does{bound}."
        cannot = f"smaller effects cannot be seen in {many}" if ends else f"over {many}"
        yield Noted([none, BESIDE, cannot], f"chapter {chapter}")
        return
    effect, place = max(shown, key=lambda e: abs(e[0]["change"]))
    claim, *evidence = sentences.effect(effect)
    without = str(claim).removeprefix("Without it ")
    first = f"Of {tried}, {len(shown):,} {'matters' if len(shown) == 1 else 'matter'}. Without head "
    yield Noted([first, place, f" {without}", *evidence], f"chapter {chapter}")


def _unexplained(sentences: Sentences) -> Iterator[Noted]:
    """Heads that are no sum of programs, the least explained first, and what else is known of them: what they
    find, and what they write."""
    asked = [(place, rows[0]) for place, rows in enumerate(sentences.evidence.explained) if rows]
    poorly = [(row["explained"], place, at) for place, (at, row) in asked if row["verdict"] != "shown"]
    for rank, (share, place, chapter) in enumerate(sorted(poorly)[:MOST_UNEXPLAINED]):
        others = f", nor {'is' if len(poorly) == 2 else 'are'} {count(len(poorly) - 1, 'other')}"
        many = others if rank == 0 and len(poorly) > 1 else ""
        known = [noted.sentence for noted in [*sentences.relations(place), *sentences.writes(place)]]
        beside = [part for sentence in known for part in (" ", *sentence[: sentence.index(BESIDE)])]
        evidence = f"programs explain {percent(share, 0)} of what it moves"
        said: Sentence = ["Head ", place, f" is no sum of programs{many}.", *beside, BESIDE, evidence]
        yield Noted(said, f"chapter {chapter}")


def _layers(sentences: Sentences) -> Iterator[Noted]:
    column = sentences.columns.get("entropy", "all")
    if column is None:
        return
    for kind in sentences.atlas.kinds:
        layers: dict[int, list[float]] = {}
        for head, value in zip(sentences.columns.heads, column.values, strict=True):
            if head.kind == kind and math.isfinite(value):
                layers.setdefault(head.layer, []).append(float(value))
        if len(layers) < 2:
            continue
        means = {layer: sum(v) / len(v) for layer, v in layers.items()}
        broad, narrow = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
        place = next(p for p, head in enumerate(sentences.columns.heads) if head.kind == kind)
        even = sentences.columns.even_entropy(column, place)
        apart = means[broad] - means[narrow] - sentences.columns.layers_apart_untrained(column, kind)
        if even is not None and apart < CLAIMS["spread"].size * even:
            continue
        of = f" of the {kind}" if len(sentences.atlas.kinds) > 1 else ""
        claim = f"Attention{of} is broadest in layer {broad} and most focused in layer {narrow}."
        evidence = f"mean entropy {means[broad]:.2f} and {means[narrow]:.2f} nats"
        yield Noted([claim, BESIDE, evidence], sentences.of_column(column))


def _most_changed(sentences: Sentences) -> Iterator[Noted]:
    column = sentences.columns.get("map_distance")
    if column is None:
        return
    place = int(np.nanargmax(column.values))
    median = column.plainly(float(np.nanmedian(column.values)))
    evidence = f"{column.said(place)} from its old map; median head {median}"
    said: Sentence = ["Head ", place, " changed most.", BESIDE, evidence]
    freedom = float(degrees(column.n[place], column.effective[place]))
    value, stderr = float(column.values[place]), float(column.stderr[place])
    if not judge("change", estimate(value, stderr, freedom, int(column.documents[place]))).shown:
        largest = f"the largest distance from an old map is {column.said(place)}; median head {median}"
        said = ["No head is shown to attend otherwise than before.", BESIDE, largest]
    yield Noted(said, sentences.of_column(column, place))
