"""Questions about layers, and about the model itself."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from attlas.atlas.catalogue.result_tables import records
from attlas.reports.ask_answer import Answer
from attlas.reports.columns import Column
from attlas.reports.question import HARMLESS, LAYER, NEGATED, WORTH, Question, column_of, column_of_topic
from attlas.reports.sentences import claim_and_evidence
from attlas.reports.standing_out import name_counts, what_stands_out
from attlas.wording.numbers import count, model_title

_SIZE = re.compile(r"\bhow (?:big|large|many layers)|\bhow many heads (?:does|are there|has)|\bwhich model\b")
_READ = re.compile(r"\bwh(?:at|ich) (?:text|data|corpus|documents)|\bmeasured on\b|\btrust\b|\breliable\b")
_FIRST = re.compile(r"\bstands? out\b|\bat first\b|\bhead first\b|\binterest|\bsummar|\boverview\b")
_WITH_LAYER = re.compile(r"\b(?:with|to|and|versus|vs\.?)\s+layer\s+(\d+)")


def of_layers(q: Question) -> Answer | None:
    """Two layers beside one another, one of them, or which of all."""
    matched = LAYER.search(q.plain)
    layers = [int(layer) for layer in (matched.groups() if matched else ()) if layer]
    if matched and len(layers) == 1 and (other := _WITH_LAYER.search(q.plain, matched.end())):
        layers.append(int(other[1]))
    most = max(head.layer for head in q.atlas.addresses)
    if re.search(r"\bfirst\b.*\blayers?\b|\bearly\b", q.plain) and re.search(r"\blast\b|\blate\b", q.plain):
        layers = [0, most]
    if wrong := [layer for layer in layers if layer > most]:
        return Answer(q.text, lead=f"There is no layer {wrong[0]}: layers are 0 to {most}.")
    if len(layers) == 2:
        return Answer(q.text, lead=" ".join(_of_layer(q, layer) for layer in dict.fromkeys(layers)))
    if layers:
        return _one_layer(q, layers[0])
    return (
        _which_layer(q)
        if re.search(r"\b(?:which|what|whose) layers?\b|\blayers? (?:is|are)\b", q.plain)
        else None
    )


def _one_layer(q: Question, layer: int) -> Answer | None:
    if WORTH.search(q.plain):
        return _layer_worth(q, layer)
    for topic in q.topics:
        column = column_of_topic(q, topic)
        if column is not None:
            value = _means(q, column).get(layer)
            median = float(np.nanmedian(column.values))
            if value is not None:
                title = column.known.called(column.group)
                said = f"Layer {layer}: {title} {column.plainly(value)} on average"
                return Answer(q.text, lead=f"{said} (all heads: {column.plainly(median)} in the median).")
    return Answer(q.text, lead=_of_layer(q, layer))


def _layer_worth(q: Question, layer: int) -> Answer:
    for effect, chapter in _layer_effects(q):
        if str(effect["what"]).endswith(f"layer {layer}"):
            low, high = effect["low"], effect["high"]
            said = f"Without layer {layer} the {effect['score']} changes by {effect['change']:+.3f}"
            return Answer(q.text, lead=f"{said} (95 % {low:+.3f} to {high:+.3f}; {chapter}).")
    command = f'attlas disable {q.model} --heads "layer {layer}" --atlas {q.folder}'
    return Answer(q.text, missing=((f"what layer {layer} is worth", command),))


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
            return Answer(q.text, missing=(("what each layer is worth", command),))
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
                title = column.known.called(column.group)
                ends = f"layer {order[0]} ({column.plainly(means[order[0]])} on average)"
                other = f"layer {order[-1]} has {column.plainly(means[order[-1]])}"
                extreme = "least" if turned else "most"
                return Answer(q.text, lead=f"By {title}, {ends} has {extreme}; {other}.")
    return None


def _means(q: Question, column: Column) -> dict[int, float]:
    """layer -> the mean over its heads."""
    layers: dict[int, list[float]] = {}
    for head, value in zip(q.atlas.addresses, column.values, strict=True):
        if math.isfinite(value):
            layers.setdefault(head.layer, []).append(float(value))
    return {layer: sum(values) / len(values) for layer, values in layers.items()}


def _of_layer(q: Question, layer: int) -> str:
    places = [p for p, head in enumerate(q.atlas.addresses) if head.layer == layer]
    names = name_counts(q.search.sentences, places)
    entropy = column_of(q, "entropy", "all")
    spread = "" if entropy is None else f" Mean entropy {_means(q, entropy)[layer]:.2f} nats."
    return f"Layer {layer}: of {count(len(places), 'head')}, {names or 'none has a name'}.{spread}"


def of_model(q: Question) -> Answer | None:
    """How large the model is, what it was measured on, what stands out."""
    model = q.atlas.model
    if _SIZE.search(q.plain):
        kinds = model.get("layers", {}).items()
        layers = ", ".join(f"{count(len(of_kind), f'{kind} layer')}" for kind, of_kind in kinds)
        title = model_title(str(model.get("name", "the model")))
        heads = count(len(q.addresses), "head")
        return Answer(q.text, lead=f"{title} ({model.get('class', '')}) has {layers}, {heads}.")
    if _READ.search(q.plain):
        read = "; ".join(_read(q, chapter) for chapter in q.atlas.chapters)
        return Answer(q.text, lead=f"Measured: {read}. attlas show {q.folder} --provenance says all.")
    if _FIRST.search(q.plain):
        said = [claim_and_evidence(n.sentence, q.addresses)[0] for n in what_stands_out(q.search.sentences)]
        return Answer(q.text, lead="\n".join(said))
    return None


def _read(q: Question, chapter: str) -> str:
    about = q.atlas.about(chapter)
    counts, corpus = about.get("counts") or {}, about.get("corpus") or {}
    name = corpus.get("name", "") if isinstance(corpus, dict) else str(corpus)
    return f"{about.get('study')} on {count(int(counts.get('documents', 0)), 'document')} of {name}"
