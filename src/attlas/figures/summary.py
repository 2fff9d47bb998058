"""What an atlas says, in a few lines: where it comes from, and what stands out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.figures.measures import measure, targets
from attlas.figures.panels import labels_in_order
from attlas.figures.words import KIND_NAMES, count, label_name, plain
from attlas.patterns.behaviour import CLARK_LENGTH_LOG, RULES, WITHOUT_CLS


@dataclass(frozen=True)
class Standout:
    """The head that is strongest in something."""

    what: str
    head: Head
    value: str


def facts(atlas: Atlas) -> list[tuple[str, str]]:
    """Name and value: model, heads, text, sample."""
    model, corpus = atlas.manifest.get("model", {}), atlas.manifest.get("corpus", {})
    sampled = atlas.manifest.get("sampled", {})
    found = [("Model", plain(str(model.get("name", "unknown")), 80)), ("Heads", _heads(atlas))]
    if "name" in corpus:
        found.append(("Text", plain(str(corpus["name"]), 80)))
    if "segments" in corpus and "tokens" in corpus:
        found.append(("Read", f"{count(corpus['segments'], 'segment')}, {count(corpus['tokens'], 'token')}"))
    for name, title in (("distances", "Sample for distances"), ("gradients", "Sample for gradients")):
        found.append((title, count(sampled[name], "segment") if sampled.get(name) else "not taken"))
    return found


def _heads(atlas: Atlas) -> str:
    parts = []
    for kind in atlas.kinds:
        layers = {a.layer for a in atlas.addresses if a.kind == kind}
        heads = [a for a in atlas.addresses if a.kind == kind]
        among = f"{count(len(heads), 'head')} in {count(len(layers), 'layer')}"
        parts.append(among if len(atlas.kinds) == 1 else f"{KIND_NAMES[kind].lower()} {among}")
    return "; ".join(parts)


def standouts(atlas: Atlas, kind: Kind) -> list[Standout]:
    """For each place that attention can go, the head that sends it most; the broadest; the most focused."""
    found = [(f"Most to {m.name}", m, "") for m in targets(atlas, kind)]
    broad = measure(atlas, kind, "entropy", "all")
    if broad is not None:
        found.append(("Broadest, by entropy", broad, " nats"))
    focused = measure(atlas, kind, "largest")
    if focused is not None:
        found.append(("Most focused, by largest weight", focused, ""))
    return [Standout(what, m.best(), f"{m.of(m.best())}{unit}") for what, m, unit in found]


def label_rules(atlas: Atlas) -> str:
    """What it takes to carry a label."""
    shares: dict[float, list[str]] = {}
    missing = "first" if atlas.has("to_class", "cls") else "cls"
    for rule in (*RULES, WITHOUT_CLS):
        if rule.statistic != "entropy" and rule.label != missing:
            shares.setdefault(rule.above, []).append(label_name(rule.label))
    log_length = atlas.manifest.get("corpus", {}).get("mean_log_length", CLARK_LENGTH_LOG)
    faithful = atlas.manifest.get("settings", {}).get("faithful", False)
    broad = next(rule.above for rule in RULES if rule.label == "broad")
    nats = broad if faithful else broad * log_length / CLARK_LENGTH_LOG
    said = [f"{_or(names)}, more than {above:g} of its attention" for above, names in shares.items()]
    return f"By the rules of Clark et al. 2019: {'; '.join(said)}; broad, an entropy above {nats:.2f} nats."


def _or(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def label_counts(atlas: Atlas, kind: Kind) -> list[tuple[str | None, int]]:
    """How many heads carry each label, and how many none (None)."""
    labelled = atlas.labels(kind)
    every = [labelled.get(a) for a in atlas.addresses if a.kind == kind]
    counted = Counter(every)
    return [(label, counted[label]) for label in labels_in_order(every)]
