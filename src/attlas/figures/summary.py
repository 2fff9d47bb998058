"""What the names of a chapter rest on: the rules of behaviours, and what even attention would have."""

from __future__ import annotations

import math

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.atlas.words import model_title
from attlas.figures.head_measures import measure
from attlas.figures.reader_words import behaviour_name, plain
from attlas.studies.behaviours import CLARK_LENGTH_LOG, Even, rules, threshold


def title(atlas: Atlas) -> str:
    """The model's name; of a folder, its last part."""
    return plain(model_title(str(atlas.manifest.get("model", {}).get("name", "unknown"))), 80)


def behaviour_rules(atlas: Atlas, chapter: str, kind: Kind) -> str:
    """What it takes for a head of this kind to have a behaviour: the rules that can fit it, with numbers."""
    can = [
        rule
        for rule in rules(atlas.has("to_class", "cls", chapter=chapter))
        if (what := measure(atlas, chapter, kind, rule.statistic, rule.group)) is not None
        and (what.values > 1e-6).any()
    ]
    shares: dict[float, list[str]] = {}
    for rule in can:
        if rule.statistic != "entropy":
            shares.setdefault(rule.above, []).append(behaviour_name(rule.behaviour))
    said = [f"{_or(names)}, more than {above:g} of its attention" for above, names in shares.items()]
    said += [
        f"broad, an entropy above {threshold(rule, kind, even_of(atlas, chapter)):.2f} nats"
        for rule in can
        if rule.statistic == "entropy"
    ]
    written = "; ".join(said)
    return f"{written[:1].upper()}{written[1:]}." if written else ""


def even_of(atlas: Atlas, chapter: str) -> Even | None:
    """The entropies of even attention; None where the original's threshold holds as it is."""
    about = atlas.about(chapter)
    corpus = about.get("corpus") or {}
    if about.get("faithful", (about.get("settings") or {}).get("faithful", False)):
        return None
    log_length = float(corpus.get("mean_log_length", CLARK_LENGTH_LOG))
    length = math.exp(log_length)
    return Even(log_length, float(corpus.get("mean_log_visible", math.lgamma(length + 1) / length)))


def _or(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
