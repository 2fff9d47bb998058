"""What a paper's items are read from: the chapters of an atlas, and what became of the model on tasks.

Many chapters come twice: measured the original's way (`faithful`), and ours (`corrected`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from attlas.address import Kind
from attlas.array_types import Floats
from attlas.atlas import Atlas
from attlas.papers.paper_items import Measured, PaperItem, Reported
from attlas.statistics.clusters import degrees
from attlas.statistics.hypotheses import student_interval
from attlas.wording.numbers import model_title

Measurement = TypeVar("Measurement")
SEGMENT = 128  # tokens, in Clark 2019
FEW_SEGMENTS = 20  # that no mean over a corpus is read off


@dataclass(frozen=True)
class FineTuned:
    """What became of the model on a task: its scores before and after, the comparison with the model before,
    the shapes of its maps there, what disabling each head and layer does, and what it looks at. `whole` where
    it saw every example of the task."""

    before: Mapping[str, Any]  # metric -> score, with a random answering layer
    scores: Mapping[str, Mapping[str, Any]]  # metric -> value, low, high, majority
    examples: int
    whole: bool
    compared: ChapterNumbers | None = None
    shapes: Any = None  # a row a layer and shape: its share before (first) and after (second)
    disabled: Any = None  # a row a head: change, low, high, p
    layers: Any = None  # a row a layer: the same
    atlas: Atlas | None = None  # of the fine-tuned model
    features: ChapterNumbers | None = None  # attention to features of words, of the fine-tuned model


@dataclass(frozen=True)
class PaperEvidence:
    """An atlas, and what became of the model on tasks."""

    atlas: Atlas
    tuned: Mapping[str, FineTuned] = field(default_factory=dict)

    @property
    def model(self) -> str:
        return model_title(str(self.atlas.model["name"]))

    @property
    def kind(self) -> Kind:
        """The kind of the heads that the papers' questions are asked of: an encoder's, where there is one."""
        return self.atlas.kinds[0]

    @property
    def is_bert_base(self) -> bool:
        """Whether this is the papers' own model."""
        return "bert-base-uncased" in str(self.atlas.model["name"]).lower()

    @property
    def causes(self) -> tuple[str, ...]:
        """The causes that hold for every number: another model, and a text that is next to none."""
        causes: tuple[str, ...] = (
            () if self.is_bert_base else (f"another model: {self.model} is not BERT-base",)
        )
        surface = self.chapter("surface")
        counts = {} if surface is None else self.atlas.about(surface).get("counts") or {}
        if 0 < counts.get("segments", 0) < FEW_SEGMENTS:
            causes += (f"a text of {counts['tokens']:,} tokens: the paper read 1,000 of 128",)
        return causes

    def item(self, place: str, what: str, reported: Reported, **fields: Any) -> PaperItem:
        """An item of the paper. Unless it has others, its known causes to differ hold for every number."""
        return PaperItem(place, what, reported, **{"causes": self.causes, **fields})

    def chapter(self, study: str, faithful: bool = False) -> str | None:
        """The name of the first chapter of a study."""
        for name in self.atlas.chapters:
            about = self.atlas.about(name)
            if about.get("study") == study and bool(about.get("faithful")) == faithful:
                return name
        return None

    def numbers(self, study: str = "surface", faithful: bool = False) -> ChapterNumbers | None:
        """The numbers of heads in the first chapter of a study."""
        name = self.chapter(study, faithful)
        return None if name is None else ChapterNumbers(self.atlas, name, self.kind)

    def table(self, name: str, study: str, faithful: bool = False) -> Any:
        """A table of the first chapter of a study; None where there is none."""
        return self.atlas.tables.get(f"{self.chapter(study, faithful)}/{name}")

    def numbers_with(self, statistic: str, group: str = "") -> Iterator[tuple[str, ChapterNumbers]]:
        """The chapters of the surface that have such a number: the original's way, then ours."""
        for way, numbers in both_ways(lambda faithful: self.numbers(faithful=faithful)).items():
            if numbers.has(statistic, group):
                yield way, numbers


def both_ways(read: Callable[[bool], Measurement | None]) -> dict[str, Measurement]:
    """What there is of both ways of measuring, as fields of an item: the original's way, then ours."""
    ways = {"faithful": read(True), "corrected": read(False)}
    return {way: what for way, what in ways.items() if what is not None}


@dataclass(frozen=True)
class ChapterNumbers:
    """The numbers that one chapter of an atlas has of the heads of one kind."""

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
        """The geometric mean of the number of tokens in a segment."""
        corpus = self.atlas.about(self.chapter).get("corpus") or {}
        return math.exp(float(corpus.get("mean_log_length", math.log(SEGMENT))))

    @property
    def share_of_first(self) -> float:
        """What even attention gives to the first token: in a decoder the mean of 1/i over its tokens."""
        tokens = round(self.tokens)
        return sum(1 / (i + 1) for i in range(tokens)) / tokens if self.causal else 1 / self.tokens

    def has(self, statistic: str, group: str = "") -> bool:
        """Whether there is such a number; none to a class of tokens that the text does not have."""
        there = self.atlas.has(statistic, group, self.kind, self.chapter)
        return there and (statistic != "to_class" or bool((self.grid(statistic, group) > 0).any()))

    def grid(self, statistic: str, group: str = "", column: str = "value") -> Floats:
        return self.atlas.grid(statistic, group, self.kind, column, self.chapter)

    def half_widths(self, statistic: str, group: str = "", among: int = 1) -> Floats:
        """layer head: half of the 95 % interval, of Student's t over documents."""
        errors, items, documents = (
            self.grid(statistic, group, column) for column in ("stderr", "n", "documents")
        )
        return student_interval(0.0, errors, degrees(items, documents), among)[1]

    def over(self, layers: Sequence[int], statistic: str, group: str = "") -> Measured:
        """The mean over all heads of these layers. Heads share their segments, so that their errors may go
        together: the mean of the heads' errors is what the mean's can be at most."""
        value, error = (
            _finite_mean(grid[list(layers)])
            for grid in (self.grid(statistic, group), self.half_widths(statistic, group))
        )
        where = f"layer {layers[0]}" if len(layers) == 1 else f"layers {layers[0]} to {layers[-1]}"
        return Measured.around(value, error, where)

    def best(self, statistic: str, group: str = "", rank: int = 0) -> Measured:
        """The head with the largest value, or the second (rank 1). It was picked among all heads, and its
        interval is as wide as that takes: of 144 heads that do the same, the best looks better than it is,
        and its usual interval would miss the truth more often than not."""
        values = self.grid(statistic, group)
        heads = int(np.isfinite(values).sum())
        order = np.argsort(-np.nan_to_num(values, nan=-np.inf), axis=None, kind="stable")
        layer, head = np.unravel_index(int(order[rank]), values.shape)
        error = float(self.half_widths(statistic, group, heads)[layer, head])
        return Measured.around(float(values[layer, head]), error, f"{layer}.{head}")

    def at(self, layer: int, head: int, statistic: str, group: str = "") -> Measured:
        """The value of a head that was named beforehand."""
        value, error = self.grid(statistic, group), self.half_widths(statistic, group)
        return Measured.around(float(value[layer, head]), float(error[layer, head]), f"{layer}.{head}")

    def heads_above(self, threshold: float, statistic: str, group: str = "") -> Measured:
        """How many heads have more than `threshold`; the interval counts those that surely and those that
        possibly do, by intervals that hold for all heads at once."""
        values = self.grid(statistic, group)
        errors = np.nan_to_num(self.half_widths(statistic, group, int(np.isfinite(values).sum())))
        heads = [f"{layer}.{head}" for layer, head in zip(*np.nonzero(values > threshold), strict=True)]
        sure, possible = int((values - errors > threshold).sum()), int((values + errors > threshold).sum())
        return Measured(len(heads), sure, possible, ", ".join(heads[:8]))


def _finite_mean(values: Floats) -> float:
    """The mean of the numbers; NaN where none is one, as the errors of a single text."""
    finite = values[np.isfinite(values)]
    return float(finite.mean()) if len(finite) else float("nan")


def degrees_of_row(row: Any) -> Floats:
    """The degrees of freedom of a value in a table's row."""
    return degrees(np.asarray(float(row["n"])), np.asarray(float(row["documents"])))


def at_depth(first: int, last: int, layers: int, of: int = 12) -> range:
    """The layers, counted from 0, that lie as deep in a model of `layers` as `first` to `last`, counted from
    1, do in one of `of`: those whose middle is between the two's ends."""
    begin, end = (first - 1) / of, last / of
    inside = [layer for layer in range(layers) if begin <= (layer + 0.5) / layers <= end]
    if not inside:
        inside = [min(layers - 1, int((begin + end) / 2 * layers))]
    return range(inside[0], inside[-1] + 1)
