"""Questions about layers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from attlas.atlas.catalogue.result_tables import records
from attlas.reports.ask_answer import Answer
from attlas.reports.columns import Column
from attlas.reports.highlights import name_counts
from attlas.reports.named_layers import layers_written
from attlas.reports.question import HARMLESS, NEGATED, WORTH, Question, column_of, column_of_topic
from attlas.statistics.claims import CLAIMS
from attlas.wording.numbers import count, number

#: which layer, or what becomes of a number over the layers
WHICH_LAYER = re.compile(
    r"\b(?:which|what|whose) layers?\b|\blayers? (?:is|are)\b"
    r"|\b(?:per|by|each|over|across|rank\w*) (?:the )?layers?\b"
)


MATTERS = re.compile(r"\bmatter\w*|\bcontribut\w*|\bcarr(?:y|ies)\b|\bdecid\w*")


def of_layers(q: Question) -> Answer | None:
    """Two layers beside one another, some of them, or which of all; heads of a layer are found elsewhere."""
    if not q.atlas.addresses:
        return None
    if wrong := [layer for layer in q.layers if layer > q.last_layer]:
        return Answer(q.text, lead=f"There is no layer {wrong[0]}: layers are 0 to {q.last_layer}.")
    if not q.layers:
        return _which_layer(q) if WHICH_LAYER.search(q.plain) else None
    if q.topics and re.search(r"\bheads?\b", q.plain) and not WORTH.search(q.plain):
        return None
    if (WORTH.search(q.plain) or MATTERS.search(q.plain)) and len(q.groups) > 1 and len(q.layers) > 1:
        return _beside(q)
    if WORTH.search(q.plain):
        answers = [_layer_worth(q, layer) for layer in q.layers]
        missing = tuple(dict.fromkeys(m for a in answers for m in a.missing))
        return Answer(q.text, missing=missing, lead=" ".join(a.lead for a in answers if a.lead))
    if (of_column := _of_column(q)) is not None:
        return of_column
    if q.topics or q.unknown or q.search.missing(q.units):
        return None
    if len(q.layers) > 2:
        names = name_counts(q.search.sentences, _places(q, q.layers))
        return Answer(q.text, lead=f"Of {layers_written(q.layers)}, {names or 'no head has a name'}.")
    return Answer(q.text, lead=" ".join(_of_layer(q, layer) for layer in dict.fromkeys(q.layers)))


def _of_column(q: Question) -> Answer | None:
    """What a share or another number is on average in the layers that are named."""
    for topic in q.topics:
        column = column_of_topic(q, topic)
        if column is not None and column.known.family != "effect":
            means = [(of, float(np.nanmean(column.values[_places(q, of)]))) for of in q.groups]
            median = float(np.nanmedian(column.values))
            title = column.known.write_name(column.group)
            parts = [
                f"{_upper(layers_written(of))}: {title} {column.plainly(m)} on average" for of, m in means
            ]
            said = f"{'; '.join(parts)} (all heads: {column.plainly(median)} in the median)."
            return Answer(q.text, lead=said)
    return None


def _places(q: Question, layers: Sequence[int]) -> list[int]:
    return [place for place, head in enumerate(q.atlas.addresses) if head.layer in layers]


def _layer_worth(q: Question, layer: int) -> Answer:
    for effect, chapter in _layer_effects(q):
        if str(effect["what"]).endswith(f"layer {layer}"):
            low, high = effect["low"], effect["high"]
            said = f"Without layer {layer} the {effect['score']} changes by {effect['change']:+.3f}"
            return Answer(q.text, lead=f"{said} (95 % {low:+.3f} to {high:+.3f}; {chapter}).")
    command = f'attlas disable {q.model} --heads "layer {layer}" --atlas {q.folder}'
    return Answer(q.text, missing=((f"what layer {layer} is worth", command),))


def _beside(q: Question) -> Answer:
    """Which of two groups of layers matters more: layer by layer, or as far as single heads tell."""
    measured = {str(effect["what"]): effect for effect, _ in _layer_effects(q)}
    every = [[e for w, e in measured.items() if w in {f"layer {la}" for la in of}] for of in q.groups]
    if all(len(effects) == len(of) for effects, of in zip(every, q.groups, strict=True)):
        parts = [
            f"{layers_written(of)}: {np.mean([float(str(e['change'])) for e in effects]):+.3f}"
            for of, effects in zip(q.groups, every, strict=True)
        ]
        score = every[0][0]["score"]
        return Answer(
            q.text, lead=f"Without one layer, the {score} changes on average by ({'; '.join(parts)})."
        )
    command = " ".join(f'--heads "layer {layer}"' for group in q.groups for layer in group)
    missing = (("what whole layers are worth", f"attlas disable {q.model} {command} --atlas {q.folder}"),)
    column = column_of(q, "estimated_effect")
    if column is None:
        return Answer(q.text, missing=missing)
    means = [float(np.nanmean(np.abs(column.values[_places(q, group)]))) for group in q.groups]
    order = sorted(range(len(means)), key=lambda i: -means[i])
    first, last = (
        f"{layers_written(q.groups[i])} ({number(means[i], 4)} nats)" for i in (order[0], order[-1])
    )
    small = max(means) < CLAIMS["loss"].size
    hardly = "; both are small" if small else ""
    lead = f"Head by head, {first} change the loss more than {last}, by attribution{hardly}."
    return Answer(q.text, missing=missing, lead=lead)


def _layer_effects(q: Question) -> Iterator[tuple[dict[str, object], str]]:
    for chapter in q.atlas.chapters:
        table = q.atlas.tables.get(f"{chapter}/disabled_together")
        if table is not None and "what" in table:
            yield from ((row, chapter) for row in records(table))


def _which_layer(q: Question) -> Answer | None:
    if WORTH.search(q.plain) and not any(
        column_of_topic(q, t) is not None and "broad" in t["needs"] for t in q.topics
    ):
        rows = [r for r, _ in _layer_effects(q) if re.fullmatch(r"(?:\w+ )?layer \d+", str(r["what"]))]
        if not rows:
            wanted = " ".join(
                f'--heads "layer {n}"' for n in range(max(h.layer for h in q.atlas.addresses) + 1)
            )
            command = f"attlas disable {q.model} {wanted} --atlas {q.folder}"
            return Answer(q.text, missing=(("what each layer is worth", command),), lead=_by_its_heads(q))
        least = bool(NEGATED.search(q.plain)) or bool(HARMLESS.search(q.plain)) or "useless" in q.plain
        rows.sort(key=lambda r: abs(float(str(r["change"]))), reverse=not least)
        first, word = rows[0], "least" if least else "most"
        change = float(str(first["change"]))
        said = f"{str(first['what']).capitalize()} matters {word}: without it the {first['score']}"
        return Answer(q.text, lead=f"{said} changes by {change:+.3f}.")
    for topic in q.topics:
        column = column_of_topic(q, topic)
        if column is not None and column.known.family != "effect":
            means = _means(q, column)
            if len(means) > 1:
                turned = topic["title"].startswith("least ") != bool(NEGATED.search(q.plain))
                order = sorted(means, key=means.__getitem__, reverse=not turned)
                title = column.known.write_name(column.group)
                if not _differ(q, column, means):
                    low, high = (column.plainly(pick(means.values())) for pick in (min, max))
                    said = f"Practically none: {title} is {low} to {high} on average in every layer."
                    return Answer(q.text, lead=said)
                ends = f"layer {order[0]} ({column.plainly(means[order[0]])} on average)"
                other = f"layer {order[-1]} has {column.plainly(means[order[-1]])}"
                extreme = "least" if turned else "most"
                return Answer(q.text, lead=f"By {title}, {ends} has {extreme}; {other}.")
    return None


def _by_its_heads(q: Question) -> str:
    """Which layer's heads are worth most, or least, by attribution; empty where nothing was estimated."""
    column = column_of(q, "estimated_effect")
    if column is None:
        return ""
    every = range(q.last_layer + 1)
    means = {layer: float(np.nanmean(np.abs(column.values[_places(q, [layer])]))) for layer in every}
    least = bool(NEGATED.search(q.plain)) or bool(HARMLESS.search(q.plain)) or "useless" in q.plain
    layer = (min if least else max)(means, key=means.__getitem__)
    word = "least" if least else "most"
    return (
        f"Head by head, layer {layer} changes the loss {word} ({number(means[layer], 4)} nats, by "
        "attribution)."
    )


def _differ(q: Question, column: Column, means: Mapping[int, float]) -> bool:
    """Whether layers differ by a size that matters: those of untrained models differ as well."""
    apart = max(means.values()) - min(means.values())
    even = q.search.sentences.columns.even_entropy(column, 0) if column.name == "entropy" else None
    least = CLAIMS["change"].size if even is None else CLAIMS["spread"].size * even
    return apart >= least and apart >= 0.1 * abs(max(means.values()))


def _means(q: Question, column: Column) -> dict[int, float]:
    """layer -> the mean over its heads."""
    layers: dict[int, list[float]] = {}
    for head, value in zip(q.atlas.addresses, column.values, strict=True):
        if math.isfinite(value):
            layers.setdefault(head.layer, []).append(float(value))
    return {layer: sum(values) / len(values) for layer, values in layers.items()}


def _of_layer(q: Question, layer: int) -> str:
    places = _places(q, [layer])
    names = name_counts(q.search.sentences, places)
    entropy = column_of(q, "entropy", "all")
    spread = "" if entropy is None else f" Mean entropy {_means(q, entropy)[layer]:.2f} nats."
    return f"Layer {layer}: of {count(len(places), 'head')}, {names or 'none has a name'}.{spread}"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
