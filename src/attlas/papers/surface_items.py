"""What the surface chapters of an atlas say about layers and heads, as an item has it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.papers.paper_items import Measured
from attlas.statistics.clusters import degrees
from attlas.statistics.hypotheses import student_interval

Grid = npt.NDArray[np.float64]
SEGMENT = 128  # tokens, in Clark 2019


@dataclass(frozen=True)
class SurfaceOf:
    """One surface chapter of an atlas, and the kind of heads that it is asked about."""

    atlas: Atlas
    chapter: str
    kind: Kind

    @property
    def layers(self) -> int:
        return int(self.atlas.heads.query("kind == @self.kind")["layer"].max()) + 1

    @property
    def causal(self) -> bool:
        return self.kind == "decoder"

    @property
    def rests_on_first(self) -> bool:
        """Whether the first token stands in for [SEP]: a decoder rests there."""
        return self.causal and not self.has("to_class", "sep")

    @property
    def tokens(self) -> float:
        """How many a segment has: the geometric mean."""
        corpus = self.atlas.about(self.chapter).get("corpus") or {}
        return math.exp(float(corpus.get("mean_log_length", math.log(SEGMENT))))

    @property
    def share_of_first(self) -> float:
        """What even attention gives to the first token: in a decoder the mean of 1/i over its tokens."""
        tokens = round(self.tokens)
        return sum(1 / (i + 1) for i in range(tokens)) / tokens if self.causal else 1 / self.tokens

    def has(self, statistic: str, group: str = "") -> bool:
        """Whether there is such a number; none to a class of tokens that the text does not have."""
        known = self.atlas.has(statistic, group, self.kind, self.chapter)
        return known and (statistic != "to_class" or bool((self.grid(statistic, group) > 0).any()))

    def grid(self, statistic: str, group: str = "", column: str = "value") -> Grid:
        return self.atlas.grid(statistic, group, self.kind, column, self.chapter)

    def half_widths(self, statistic: str, group: str = "", among: int = 1) -> Grid:
        """layer head: half of the 95 % interval, of Student's t over documents."""
        errors, items, documents = (
            self.grid(statistic, group, column) for column in ("stderr", "n", "documents")
        )
        return student_interval(0.0, errors, degrees(items, documents), among)[1]

    def over(self, layers: Sequence[int], statistic: str, group: str = "") -> Measured:
        """The mean over all heads of these layers. Heads share their segments, so that their errors may go
        together: the mean of the heads' errors is what the mean's can be at most."""
        value, error = (
            _mean(grid[list(layers)])
            for grid in (self.grid(statistic, group), self.half_widths(statistic, group))
        )
        return interval_around(value, error, written_layers(layers))

    def best(self, statistic: str, group: str = "", rank: int = 0) -> Measured:
        """The head with the most of it, or the second (rank 1). It was picked among all heads, and its
        interval is as wide as that takes: of 144 heads that do the same, the best looks better than it is,
        and its usual interval would miss the truth more often than not."""
        values = self.grid(statistic, group)
        heads = int(np.isfinite(values).sum())
        order = np.argsort(-np.nan_to_num(values, nan=-np.inf), axis=None, kind="stable")
        layer, head = np.unravel_index(int(order[rank]), values.shape)
        error = float(self.half_widths(statistic, group, heads)[layer, head])
        return interval_around(float(values[layer, head]), error, f"{layer}.{head}")

    def at(self, layer: int, head: int, statistic: str, group: str = "") -> Measured:
        """That of a head which was named beforehand."""
        value, error = self.grid(statistic, group), self.half_widths(statistic, group)
        return interval_around(float(value[layer, head]), float(error[layer, head]), f"{layer}.{head}")

    def heads_above(self, threshold: float, statistic: str, group: str = "") -> Measured:
        """How many heads have more: surely, and possibly at most, as the intervals go that hold for all heads
        at once."""
        values = self.grid(statistic, group)
        errors = np.nan_to_num(self.half_widths(statistic, group, int(np.isfinite(values).sum())))
        heads = [f"{layer}.{head}" for layer, head in zip(*np.nonzero(values > threshold), strict=True)]
        sure, possible = int((values - errors > threshold).sum()), int((values + errors > threshold).sum())
        return Measured(len(heads), sure, possible, ", ".join(heads[:8]))

    def difference(self, left: Measured, right: Measured) -> Measured:
        """left - right; their errors may go together either way, so that they add up."""
        error = sum(m.value - (m.value if m.low is None else m.low) for m in (left, right))
        where = ", less ".join(m.where for m in (left, right) if m.where)
        return interval_around(left.value - right.value, error, where)


def _mean(values: Grid) -> float:
    """Of those that are numbers; NaN where none is, as the errors of a single text."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else float("nan")


def interval_around(value: float, error: float, where: str) -> Measured:
    """The value alone, where it has no error."""
    if not np.isfinite(error):
        return Measured(value, where=where)
    return Measured(value, value - error, value + error, where)


def written_layers(layers: Sequence[int]) -> str:
    """layer 5; layers 5 to 9"""
    return f"layer {layers[0]}" if len(layers) == 1 else f"layers {layers[0]} to {layers[-1]}"


def at_depth(first: int, last: int, layers: int, of: int = 12) -> range:
    """The layers, counted from 0, that lie as deep in a model of `layers` as `first` to `last`, counted from
    1, do in one of `of`: those whose middle is between the two's ends."""
    begin, end = (first - 1) / of, last / of
    inside = [layer for layer in range(layers) if begin <= (layer + 0.5) / layers <= end]
    if not inside:
        inside = [min(layers - 1, int((begin + end) / 2 * layers))]
    return range(inside[0], inside[-1] + 1)
