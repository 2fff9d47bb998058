"""What stands out in a model, over all chapters, in sentences made of the numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np

from attlas.reports.evidence import Followed, gain_of, judge_effect
from attlas.reports.page_contract import Sentence
from attlas.reports.sentences import SAME, Noted, Sentences, lower
from attlas.statistics.claims import CLAIMS, HALF_OF_ATTENTION
from attlas.wording.numbers import count
from attlas.wording.vocabulary import ALL


def what_stands_out(sentences: Sentences) -> list[Noted]:
    """A dozen sentences at most, over all chapters."""
    return [
        *_best_relations(sentences),
        *_best_patterns(sentences),
        *_strongest_targets(sentences),
        *_most_needed(sentences),
        *_layers(sentences),
        *_most_changed(sentences),
    ]


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
            none = f"On {corpus}, of {count(len(chosen), 'relation')} no head is shown to know one."
            yield Noted([none], f"chapter {chapter}")
            continue
        for place, relation in sure[:3]:
            (text,) = sentences.relation(relation)
            yield Noted(["Head ", place, f" {lower(str(text))}"], f"chapter {chapter}")


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
        (text,) = sentences.pattern(followed)
        others = named[followed.pattern] - 1
        more = f" {count(others, 'other head')} {'does' if others == 1 else 'do'} the same." if others else ""
        about = sentences.of_pattern(followed, place)
        yield Noted(["Head ", place, f" {lower(str(text))}{more}"], about)


def _strongest_targets(sentences: Sentences) -> Iterator[Noted]:
    said = {key for name in set(sentences.pattern_names.values()) for key in SAME.get(name, ())}
    strong = [c for c in sentences.targets if (c.values > HALF_OF_ATTENTION).any() and c.key not in said]
    for column in sorted(strong, key=lambda c: -float(np.nanmax(c.values))):
        place = int(np.nanargmax(column.values))
        if not sentences.is_beyond_untrained(column, place):
            continue
        others = int((column.values > HALF_OF_ATTENTION).sum()) - 1
        more = f" {count(others, 'other head')} more than half." if others else ""
        (text,) = sentences.share(column, place)
        yield Noted(["Head ", place, f" {lower(str(text))}{more}"], sentences.of_column(column, place))


def _most_needed(sentences: Sentences) -> Iterator[Noted]:
    effects = [(e, place) for place, of_head in enumerate(sentences.evidence.effects) for e in of_head]
    if not effects:
        return
    judged = [judge_effect(effect) for effect, _ in effects]
    sure = [e for e, of_head in zip(effects, judged, strict=True) if of_head.shown]
    if not sure:
        score, size = effects[0][0]["score"], judged[0].kind.size
        small = sum(of_head.verdict == "small" for of_head in judged)
        none = (
            f"No single head is shown to change the {score} by {size:g} or more when switched off, over "
            f"{count(effects[0][0]['n'], 'item')}: {small:,} are shown to change it by less, and "
            f"{len(judged) - small:,} are undecided."
        )
        yield Noted([none], f"chapter {effects[0][0]['chapter']}")
        return
    effect, place = max(sure, key=lambda e: abs(e[0]["change"]))
    (text,) = sentences.effect(effect)
    many = f"Of {count(len(effects), 'head')}, {len(sure):,} change the {effect['score']}"
    sentence: Sentence = [
        f"{many} by {judged[0].kind.size:g} or more when switched off. Without ",
        place,
        f" {str(text).removeprefix('Without it ')}",
    ]
    yield Noted(sentence, f"chapter {effect['chapter']}")


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
        if even is not None and means[broad] - means[narrow] < CLAIMS["spread"].size * even:
            continue  # untrained layers differ by as much
        of = f" of the {kind}" if len(sentences.atlas.kinds) > 1 else ""
        text = (
            f"Attention{of} is broadest in layer {broad} (mean entropy {means[broad]:.2f} nats) and most "
            f"focused in layer {narrow} ({means[narrow]:.2f})."
        )
        yield Noted([text], sentences.of_column(column))


def _most_changed(sentences: Sentences) -> Iterator[Noted]:
    column = sentences.columns.get("map_distance")
    if column is None:
        return
    place = int(np.nanargmax(column.values))
    median = column.plainly(float(np.nanmedian(column.values)))
    text = f" changed most: {column.said(place)} from its old map (median head {median})."
    yield Noted(["Head ", place, text], sentences.of_column(column, place))
