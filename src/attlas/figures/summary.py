"""What a chapter says, in a few lines: where it comes from, and what stands out."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.atlas.words import count, model_title
from attlas.figures.head_measures import measure, rests, spread, targets
from attlas.figures.panels import behaviours_in_order
from attlas.figures.reader_words import KIND_NAMES, behaviour_name, plain
from attlas.studies.behaviours import CLARK_LENGTH_LOG, Even, rules, threshold


@dataclass(frozen=True)
class Standout:
    """The head that is strongest in something."""

    what: str
    head: Head
    value: str


def title(atlas: Atlas) -> str:
    """The model's name; of a folder, its last part."""
    return plain(model_title(str(atlas.manifest.get("model", {}).get("name", "unknown"))), 80)


def facts(atlas: Atlas, chapter: str) -> list[tuple[str, str]]:
    """Name and value: heads, text, sample, chapter."""
    about = atlas.about(chapter)
    corpus, sampled = about.get("corpus") or {}, about.get("sampled") or {}
    lines = [("Heads", heads_counted(atlas))]
    if "name" in corpus:
        lines.append(("Text", plain(str(corpus["name"]), 80)))
    if "segments" in corpus and "tokens" in corpus:
        lines.append(("Read", f"{count(corpus['segments'], 'segment')}, {count(corpus['tokens'], 'token')}"))
    for name, said in (("distances", "Sample for distances"), ("gradients", "Sample for gradients")):
        if "sampled" not in about:
            break
        lines.append((said, count(sampled[name], "segment") if sampled.get(name) else "not taken"))
    lines.append(("Chapter", plain(chapter, 80)))
    return lines


def heads_counted(atlas: Atlas) -> str:
    parts = []
    for kind in atlas.kinds:
        layers = {a.layer for a in atlas.addresses if a.kind == kind}
        heads = [a for a in atlas.addresses if a.kind == kind]
        among = f"{count(len(heads), 'head')} in {count(len(layers), 'layer')}"
        parts.append(among if len(atlas.kinds) == 1 else f"{KIND_NAMES[kind].lower()} {among}")
    return "; ".join(parts)


def standouts(atlas: Atlas, chapter: str, kind: Kind) -> list[Standout]:
    """For each place that attention can go, the head that sends it most; the broadest; the most focused."""
    named = [(f"Most to {m.name}", m, "") for m in targets(atlas, chapter, kind)]
    rest = rests(atlas, chapter, kind)
    named += [(f"Most {m.name}", m, "") for m in rest if not m.in_nats]
    named += [
        (f"Largest {m.name.removeprefix('largest ')}", m, " nats" if m.in_nats else "")
        for m in (*spread(atlas, chapter, kind), *(m for m in rest if m.in_nats))
        if m.group != "cls"
    ]
    return [Standout(what, m.best(), f"{m.of(m.best())}{unit}") for what, m, unit in named]


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
    return f"By the rules of Clark et al. 2019: {'; '.join(said)}." if said else ""


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


def behaviour_counts(atlas: Atlas, chapter: str, kind: Kind) -> list[tuple[str | None, int]]:
    """How many heads have each behaviour, and how many none (None)."""
    named = atlas.names("behaviour", kind, chapter)
    every = [named.get(a) for a in atlas.addresses if a.kind == kind]
    counted = Counter(every)
    return [(behaviour, counted[behaviour]) for behaviour in behaviours_in_order(every)]
