"""The statistics that figures and tables show, as far as a chapter has them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.atlas.registry import REGISTRY, Statistic, statistic
from attlas.atlas.words import count, uncertain
from attlas.figures.reader_words import plain

Grid = npt.NDArray[np.float64]  # layer head


@dataclass(frozen=True)
class Measure:
    """One statistic of every head of a kind, with its standard errors."""

    statistic: str
    group: str
    kind: Kind
    values: Grid
    stderr: Grid

    @property
    def known(self) -> Statistic:
        return statistic(self.statistic)

    @property
    def name(self) -> str:
        """What it is about: for shares, what the attention goes to."""
        return plain(self.known.titled(self.group), 40)

    @property
    def title(self) -> str:
        """As the head of a panel: To the next token · Entropy from [CLS]"""
        called = plain(self.known.called(self.group), 40)
        return f"{called[:1].upper()}{called[1:]}"

    @property
    def short(self) -> str:
        return plain(self.known.shortened(self.group), 24)

    @property
    def colour(self) -> str:
        """What it is about, for `Theme.colour`."""
        plain_name = self.known.apart_from_first or self.statistic
        return self.group or ("all" if plain_name == "entropy" else plain_name.removeprefix("to_"))

    @property
    def in_nats(self) -> bool:
        return self.known.unit == "nats"

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
    known = np.isfinite(grid)
    many = known.sum(1)
    total = np.where(known, grid, 0.0).sum(1)
    return np.where(many > 0, total / np.maximum(many, 1), np.nan)


def mean_of(grid: Grid) -> float:
    """The mean of all heads; NaN where none has a value."""
    return float(mean_by_layer(grid.reshape(1, -1))[0])


def measure(atlas: Atlas, chapter: str, kind: Kind, name: str, group: str = "") -> Measure | None:
    """None where the chapter has no such statistic, or no value of it."""
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
    return worth_seeing(*measures)


def spread(atlas: Atlas, chapter: str, kind: Kind) -> list[Measure]:
    """How attention spreads over a row."""
    wanted = (("entropy", "all"), ("entropy", "cls"), ("largest", ""))
    return worth_seeing(*(measure(atlas, chapter, kind, name, group) for name, group in wanted))


def rests(atlas: Atlas, chapter: str, kind: Kind) -> list[Measure]:
    """The same of what does not fall on the first token: where it goes, and how it spreads."""
    return worth_seeing(
        *(
            measure(atlas, chapter, kind, name, group)
            for name, known in REGISTRY.items()
            if known.apart_from_first and known.family == "surface" and known.unit in ("share", "nats")
            for group in known.listed(atlas.groups(name, kind, chapter))
            if group != "other"
        )
    )


def measured(atlas: Atlas, chapter: str, kind: Kind) -> list[Measure]:
    """All of these."""
    return [*targets(atlas, chapter, kind), *spread(atlas, chapter, kind), *rests(atlas, chapter, kind)]


def worth_seeing(*measures: Measure | None) -> list[Measure]:
    """Those that the atlas has and that are not 0 throughout: a causal head never looks at the next token,
    and its first token at no other."""
    return [m for m in measures if m is not None and np.nanmax(m.values) > 1e-6]


def sample_note(atlas: Atlas, chapter: str, what: str) -> tuple[str, ...]:
    """How many segments the sample had; nothing where there was none."""
    many = (atlas.about(chapter).get("sampled") or {}).get(what)
    return (f"From a random sample of {count(int(many), 'segment')}.",) if many else ()
