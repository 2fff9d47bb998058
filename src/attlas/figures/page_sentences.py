"""What was found, in a few sentences: made of the registry's words and the numbers, and never more than they
carry."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.atlas.describe import accuracy_said, baseline_said, records, significance
from attlas.atlas.registry import REGISTRY, Statistic
from attlas.atlas.words import count, uncertain
from attlas.figures.head_measures import Measure, mean_of, measure, rests, targets
from attlas.figures.pattern_figures import pattern_chapters, pattern_sentence
from attlas.figures.reader_words import KIND_NAMES, plain
from attlas.figures.relations import relation_chapters
from attlas.figures.summary import even_of

HALF = 0.5  # of a head's attention: what a sentence calls much
MOST = 6  # sentences


def sentences(atlas: Atlas, chapter: str) -> list[str]:
    """Three to six on the chapter, and on what studies found beside it."""
    lines: list[str] = []
    for kind in atlas.kinds:
        of_kind = [
            *_strong(atlas, chapter, kind),
            *_sinks(atlas, chapter, kind),
            *_rest(atlas, chapter, kind),
            *_spread(atlas, chapter, kind),
            *_distances(atlas, chapter, kind),
        ]
        if len(atlas.kinds) > 1:
            of_kind = [
                f"{KIND_NAMES[kind]}: {sentence[:1].lower()}{sentence[1:]}" for sentence in of_kind[:2]
            ]
        lines += of_kind
    studies = [*(pattern_sentence(atlas, c) for c in pattern_chapters(atlas)[:1]), *_tracked(atlas)]
    return [*lines[: MOST - min(len(studies), 2)], *studies][:MOST]


def _strong(atlas: Atlas, chapter: str, kind: Kind) -> Iterator[str]:
    """The heads that give most of their attention to one thing; or that there are none."""
    measures = [m for m in targets(atlas, chapter, kind) if m.statistic != "to_first" and not m.known.curve]
    if not measures:
        return
    strong = [m for m in measures if float(np.nanmax(m.values)) > HALF]
    if strong:
        said = [
            f"head {m.best()} gives {m.of(m.best(), 3)} of its attention to {m.name}{_others(m)}"
            for m in sorted(strong, key=lambda m: -float(np.nanmax(m.values)))
        ]
        yield f"{_upper(_listed(said[:4]))}."
        return
    most = max(measures, key=lambda m: float(np.nanmax(m.values)))
    yield (
        "No head gives half of its attention to one place or class of tokens; the nearest is head "
        f"{most.best()} with {most.of(most.best(), 3)} to {most.name}."
    )


def _others(m: Measure) -> str:
    more = int((m.values > HALF).sum()) - 1
    return f" ({count(more, 'other head')} more than half)" if more else ""


def _sinks(atlas: Atlas, chapter: str, kind: Kind) -> Iterator[str]:
    first = measure(atlas, chapter, kind, "to_first")
    if first is None or atlas.has("to_class", "cls", kind, chapter):
        return
    many, heads = int((first.values > HALF).sum()), int(np.isfinite(first.values).sum())
    mean = uncertain(mean_of(first.values), mean_of(first.stderr), 3)
    yield (
        f"The first token is a sink: it gets {mean} of all attention, and more than half from {many:,} of "
        f"{count(heads, 'head')}."
        if many
        else f"The first token gets {mean} of all attention, and from no head more than half."
    )


def _rest(atlas: Atlas, chapter: str, kind: Kind) -> Iterator[str]:
    """What the heads do that park attention on the first token: those that give most of the rest to one
    thing."""
    first = measure(atlas, chapter, kind, "to_first")
    if first is None or not (first.values > HALF).any():
        return
    shares = [m for m in rests(atlas, chapter, kind) if not m.in_nats and not m.known.curve]
    strong = [m for m in shares if float(np.nanmax(m.values)) > HALF]
    said = [
        f"head {m.best()} gives {m.of(m.best(), 3)} to {plain(_apart(m).titled(m.group), 40)}{_others(m)}"
        for m in sorted(strong, key=lambda m: -float(np.nanmax(m.values)))
    ]
    if said:
        yield f"Of what does not fall on it, {_listed(said[:3])}."


def _apart(m: Measure) -> Statistic:
    return REGISTRY[m.known.apart_from_first]


def _spread(atlas: Atlas, chapter: str, kind: Kind) -> Iterator[str]:
    """By layer. A sink makes every layer that has one look focused: it is left out where it can be."""
    even = even_of(atlas, chapter)
    what, where = measure(atlas, chapter, kind, "rest_entropy"), "Apart from the first token, attention"
    beside = ""
    if what is None:
        what, where = measure(atlas, chapter, kind, "entropy", "all"), "Attention"
        beside = f"; even attention would have {even.of(kind):.2f}" if even is not None else ""
    if what is None or len(what.values) < 2:
        return
    means, errors = what.by_layer()
    high, low = int(np.nanargmax(means)), int(np.nanargmin(means))
    yield (
        f"{where} is broadest in layer {high} (mean entropy {uncertain(means[high], errors[high], 2)} "
        "nats) "
        f"and most focused in layer {low} ({uncertain(means[low], errors[low], 2)}){beside}"
        f"{_nearby(atlas, chapter, kind)}."
    )


def _nearby(atlas: Atlas, chapter: str, kind: Kind) -> str:
    """; 0.35 ± 0.01 of it stays within 4 tokens, most in layer 11 (0.65 ± 0.02)"""
    near = measure(atlas, chapter, kind, "rest_to_near", "4")
    if near is None:
        return ""
    means, errors = near.by_layer()
    most = int(np.nanargmax(means))
    mean = uncertain(mean_of(near.values), mean_of(near.stderr), 2)
    return (
        f"; {mean} of it stays within 4 tokens, most in layer {most} "
        f"({uncertain(means[most], errors[most], 2)})"
    )


def _distances(atlas: Atlas, chapter: str, kind: Kind) -> Iterator[str]:
    sides = ("within", "between")
    within, between = (measure(atlas, chapter, kind, f"distance_{side}") for side in sides)
    if within is None or between is None:
        return
    rest = [measure(atlas, chapter, kind, f"rest_distance_{side}") for side in sides]
    apart = [uncertain(mean_of(m.values), mean_of(m.stderr), 3) for m in rest if m is not None]
    beside = f"; apart from the first token, {apart[0]} and {apart[1]}" if len(apart) == 2 else ""
    near, far = mean_of(within.values), mean_of(between.values)
    errors = mean_of(within.stderr), mean_of(between.stderr)
    if not all(math.isfinite(e) for e in errors) or abs(near - far) <= 2 * math.hypot(*errors):
        verdict = "about as far apart as"
    else:
        verdict = "closer to each other than" if near < far else "farther apart than"
    yield (
        f"Heads of one layer are {verdict} heads of two layers (mean Jensen-Shannon distance "
        f"{uncertain(near, errors[0], 3)} and {uncertain(far, errors[1], 3)} nats{beside})."
    )


def _tracked(atlas: Atlas) -> Iterator[str]:
    """The clearest finding of each study of links: by how much the head beats its baseline, where it does."""
    for chapter in relation_chapters(atlas):
        table = atlas.tables.get(f"{chapter}/best")
        if table is None or not {"p", "accuracy", "baseline_accuracy", "group"} <= set(table.columns):
            continue
        sure = table[table["p"] < 0.05]
        name = plain(chapter, 60)
        if sure.empty:
            yield f"In {name} no head is shown to know more than its baseline."
            continue
        order = (
            (sure["accuracy"] - sure["baseline_accuracy"]).sort_values(ascending=False, kind="stable").index
        )
        row = records(sure.loc[order[:1]])[0]
        group, baseline = plain(str(row["group"]), 40), baseline_said(row)
        yield (
            f"In {name}, {len(sure):,} of {count(len(table), 'group')} ha{'s' if len(sure) == 1 else 've'} a "
            f"head that beats the baseline, most clearly head {row['layer']}.{row['head']} for {group}: "
            f"{accuracy_said(row)} against {baseline}{significance(row)}."
        )


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
