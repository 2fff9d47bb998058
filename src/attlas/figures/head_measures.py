"""The statistics that figures and tables show, as far as a chapter has them, and the rules of behaviours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.atlas import Atlas
from attlas.atlas.registry import REGISTRY, Statistic, statistic
from attlas.figures.reader_words import behaviour_name, shorten
from attlas.studies.behaviours import CLARK_LENGTH_LOG, EvenEntropy, rules, threshold
from attlas.wording.numbers import count, uncertain

Grid = Floats  # layer head


@dataclass(frozen=True)
class Measure:
    """One statistic of every head of a kind, with its standard errors."""

    statistic: str
    group: str
    kind: Kind
    values: Grid
    stderr: Grid

    @property
    def declaration(self) -> Statistic:
        return statistic(self.statistic)

    @property
    def title(self) -> str:
        """The title of a panel: To the next token · Entropy from [CLS]"""
        called = shorten(self.declaration.called(self.group), 40)
        return f"{called[:1].upper()}{called[1:]}"

    @property
    def colour(self) -> str:
        """What the statistic is about, for `Theme.colour`."""
        plain_name = self.declaration.apart_from_first or self.statistic
        return self.group or ("all" if plain_name == "entropy" else plain_name.removeprefix("to_"))

    @property
    def in_nats(self) -> bool:
        return self.declaration.unit == "nats"

    @property
    def digits(self) -> int:
        return 3 if self.in_nats else 4

    def best(self) -> Head:
        """The head where it is largest; the first of equals."""
        layer, head = np.unravel_index(int(np.nanargmax(self.values)), self.values.shape)
        return Head(self.kind, int(layer), int(head))

    def of(self, head: Head, digits: int | None = None) -> str:
        """Value ± standard error."""
        at = head.layer, head.head
        return uncertain(self.values[at], self.stderr[at], self.digits if digits is None else digits)

    def heads(self) -> Iterator[tuple[Head, float, float]]:
        """Every head that has a value, in reading order: head, value, standard error."""
        for layer, head in zip(*np.nonzero(np.isfinite(self.values)), strict=True):
            value, error = float(self.values[layer, head]), float(self.stderr[layer, head])
            yield Head(self.kind, int(layer), int(head)), value, error if math.isfinite(error) else 0.0

    def by_layer(self) -> tuple[Grid, Grid]:
        """layer: the mean over heads, and at most its standard error.

        Heads read the same text, so their errors may go together: the mean of the heads' standard errors
        bounds that of their mean, however they do.
        """
        return mean_by_layer(self.values), mean_by_layer(self.stderr)


def mean_by_layer(grid: Grid) -> Grid:
    """layer: the mean of a layer's heads; NaN for a layer that has none."""
    there = np.isfinite(grid)
    many = there.sum(1)
    total = np.where(there, grid, 0.0).sum(1)
    return np.where(many > 0, total / np.maximum(many, 1), np.nan)


def mean_of(grid: Grid) -> float:
    """The mean of all heads; NaN where none has a value."""
    return float(mean_by_layer(grid.reshape(1, -1))[0])


def measure(atlas: Atlas, chapter: str, kind: Kind, name: str, group: str = "") -> Measure | None:
    """One statistic of a kind of heads; None where the chapter has no value of it."""
    if not atlas.has(name, group, kind, chapter):
        return None
    values, errors = (atlas.grid(name, group, kind, column, chapter) for column in ("value", "stderr"))
    return Measure(name, group, kind, values, errors) if np.isfinite(values).any() else None


def targets(atlas: Atlas, chapter: str, kind: Kind) -> list[Measure]:
    """Where attention goes: by place, then by class of token."""
    measures = [
        measure(atlas, chapter, kind, name, group)
        for name in REGISTRY
        if name.startswith("to_")
        for group in statistic(name).listed(atlas.groups(name, kind, chapter))
        if group != "other"
    ]
    first = next((m for m in measures if m is not None and m.statistic == "to_first"), None)
    cls = next((m for m in measures if m is not None and m.group == "cls"), None)
    if first is not None and cls is not None and np.array_equal(first.values, cls.values, equal_nan=True):
        measures.remove(first)  # [CLS] is the first token, and the same numbers need not be seen twice
    return nonzero(*measures)


def spread(atlas: Atlas, chapter: str, kind: Kind) -> list[Measure]:
    """How attention spreads over a row."""
    wanted = (("entropy", "all"), ("entropy", "cls"), ("largest", ""))
    return nonzero(*(measure(atlas, chapter, kind, name, group) for name, group in wanted))


def rests(atlas: Atlas, chapter: str, kind: Kind) -> list[Measure]:
    """Where what does not fall on the first token goes, and how it spreads."""
    return nonzero(
        *(
            measure(atlas, chapter, kind, name, group)
            for name, known in REGISTRY.items()
            if known.apart_from_first and known.family == "surface" and known.unit in ("share", "nats")
            for group in known.listed(atlas.groups(name, kind, chapter))
            if group != "other"
        )
    )


def all_measures(atlas: Atlas, chapter: str, kind: Kind) -> list[Measure]:
    """Every statistic that figures show: where attention goes, how it spreads, and the same of the rest."""
    return [*targets(atlas, chapter, kind), *spread(atlas, chapter, kind), *rests(atlas, chapter, kind)]


def nonzero(*measures: Measure | None) -> list[Measure]:
    """The measures that are not 0 throughout: a causal head never looks at the next token, and its first
    token at no other."""
    return [m for m in measures if m is not None and np.nanmax(m.values) > 1e-6]


def sample_note(atlas: Atlas, chapter: str, what: str) -> tuple[str, ...]:
    """How many segments the sample had; nothing where there was none."""
    many = (atlas.about(chapter).get("sampled") or {}).get(what)
    return (f"From a random sample of {count(int(many), 'segment')}.",) if many else ()


def behaviour_rules(atlas: Atlas, chapter: str, kind: Kind) -> str:
    """The rules by which a head of this kind has a behaviour, with numbers: those that can fit it."""
    can = [
        rule
        for rule in rules(atlas.has("to_class", "cls", chapter=chapter))
        if nonzero(measure(atlas, chapter, kind, rule.statistic, rule.group))
    ]
    shares: dict[float, list[str]] = {}
    for rule in can:
        if rule.statistic != "entropy":
            shares.setdefault(rule.above, []).append(behaviour_name(rule.behaviour))
    texts = [f"{_or(names)}, more than {above:g} of its attention" for above, names in shares.items()]
    texts += [
        f"broad, an entropy above {threshold(rule, kind, even_of(atlas, chapter)):.2f} nats"
        for rule in can
        if rule.statistic == "entropy"
    ]
    text = "; ".join(texts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def even_of(atlas: Atlas, chapter: str) -> EvenEntropy | None:
    """The entropies of even attention; None where the original's threshold holds unmodified."""
    about = atlas.about(chapter)
    corpus = about.get("corpus") or {}
    if about.get("faithful", (about.get("settings") or {}).get("faithful", False)):
        return None
    log_length = float(corpus.get("mean_log_length", CLARK_LENGTH_LOG))
    length = math.exp(log_length)
    return EvenEntropy(log_length, float(corpus.get("mean_log_visible", math.lgamma(length + 1) / length)))


def _or(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
