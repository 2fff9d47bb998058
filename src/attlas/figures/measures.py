"""The statistics that figures and tables show, as far as an atlas has them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.figures.words import class_name, plain, uncertain

Grid = npt.NDArray[np.float64]  # layer head


@dataclass(frozen=True)
class Measure:
    """One statistic of every head of a kind, with its standard errors."""

    statistic: str
    group: str
    name: str  # as in "attention to NAME" for shares
    kind: Kind
    values: Grid
    stderr: Grid

    @property
    def colour(self) -> str:
        """What it is about, for `Theme.colour`."""
        return self.group or self.statistic.removeprefix("to_")

    @property
    def is_share(self) -> bool:
        return self.statistic != "entropy"

    @property
    def digits(self) -> int:
        return 4 if self.is_share else 3

    def best(self) -> Head:
        """The head where it is largest; the first of equals."""
        layer, head = np.unravel_index(int(np.nanargmax(self.values)), self.values.shape)
        return Head(self.kind, int(layer), int(head))

    def of(self, head: Head) -> str:
        """Value ± standard error."""
        return uncertain(self.values[head.layer, head.head], self.stderr[head.layer, head.head], self.digits)

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


def measure(atlas: Atlas, kind: Kind, statistic: str, group: str = "", name: str = "") -> Measure | None:
    """None where the atlas has no such statistic, or no value of it."""
    if not atlas.has(statistic, group, kind):
        return None
    values = atlas.grid(statistic, group, kind)
    if not np.isfinite(values).any():
        return None
    return Measure(statistic, group, name, kind, values, atlas.grid(statistic, group, kind, column="stderr"))


def targets(atlas: Atlas, kind: Kind) -> list[Measure]:
    """Where attention goes: by place, then by class of token."""
    by_place = [
        measure(atlas, kind, "to_previous", "", "the previous token"),
        measure(atlas, kind, "to_self", "", "the token itself"),
        measure(atlas, kind, "to_next", "", "the next token"),
        *(
            measure(atlas, kind, "to_offset", o, f"offset {plain(o, 24)}")
            for o in groups(atlas, kind, "to_offset")
        ),
    ]
    classes = [c for c in groups(atlas, kind, "to_class") if c != "other"]
    by_class = [measure(atlas, kind, "to_class", c, class_name(c)) for c in classes]
    first = measure(atlas, kind, "to_first", "", "the first token")
    # [CLS] is the first token where there is one, and the same numbers need not be seen twice
    cls = next((m for m in by_class if m is not None and m.group == "cls"), None)
    if first is not None and cls is not None and np.array_equal(first.values, cls.values, equal_nan=True):
        first = None
    return worth_seeing(*by_place, *by_class, first)


def spread(atlas: Atlas, kind: Kind) -> list[Measure]:
    """How attention spreads over a row."""
    return worth_seeing(
        measure(atlas, kind, "entropy", "all", "entropy"),
        measure(atlas, kind, "entropy", "cls", "entropy from [CLS]"),
        measure(atlas, kind, "largest", "", "largest weight"),
    )


def worth_seeing(*found: Measure | None) -> list[Measure]:
    """Those that the atlas has and that are not 0 throughout: a causal head never looks at the next token,
    and its first token at no other."""
    return [m for m in found if m is not None and np.nanmax(m.values) > 1e-6]


def groups(atlas: Atlas, kind: Kind, statistic: str) -> list[str]:
    """The groups of a statistic: the special classes first, then in alphabetical order."""
    rows = atlas.heads[(atlas.heads["statistic"] == statistic) & (atlas.heads["kind"] == kind)]
    order = {"sep": 0, "cls": 1, "punct": 2}
    return sorted((str(g) for g in rows["group"].unique()), key=lambda g: (order.get(g, 3), g))
