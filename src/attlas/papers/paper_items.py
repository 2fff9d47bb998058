"""An item of a paper (a number, a row of a table, a claim), what was measured here, and the verdict; and what
items are read from: the chapters of an atlas, and what became of the model on tasks.

The rule is stated once, in `PaperItem.verdict`. Nothing else decides. Many chapters come twice: measured the
original's way (`faithful`), and ours (`corrected`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np

from attlas.address import Kind
from attlas.array_types import Floats
from attlas.atlas import Atlas
from attlas.statistics.clusters import degrees
from attlas.statistics.hypotheses import student_interval
from attlas.wording.numbers import model_title

Verdict = Literal[
    "within",
    "same direction",
    "undecided",
    "differs: cause known",
    "differs",
    "not comparable",
    "data missing",
]
KnownFrom = Literal["paper", "repository", "plot", "uncertain"]
#: how a reason begins that no decoder can be asked for
OF_A_DECODER = "cannot be asked of a decoder"
#: how a number of the paper came to us
EVIDENCE = {
    "paper": "the paper's text",
    "repository": "the authors' code or its stored output",
    "plot": "read off a plot",
    "uncertain": "accounts differ",
}


@dataclass(frozen=True)
class Reported:
    """What a paper says: a number and how exactly it is known, or a claim in words alone."""

    words: str
    value: float | None = None
    tolerance: float = 0.0
    evidence: KnownFrom = "paper"


@dataclass(frozen=True)
class Measured:
    """What was measured here, with its 95 % interval where it has one; `where` names heads or layers."""

    value: float
    low: float | None = None
    high: float | None = None
    where: str = ""

    @classmethod
    def between(cls, value: float, low: float, high: float, where: str = "") -> Measured:
        """The value with its interval, or alone where the interval is not finite."""
        return cls(value, low, high, where) if math.isfinite(high - low) else cls(value, where=where)

    @classmethod
    def around(cls, value: float, error: float, where: str = "") -> Measured:
        """The value with an interval of `error` to either side, or alone where it has no error."""
        return cls.between(value, value - error, value + error, where)

    @classmethod
    def in_percent(cls, row: Mapping[str, Any], name: str = "value", where: str = "") -> Measured:
        """A share of a table's row, with its `low` and `high` where it has them."""
        value, low, high = (100 * float(row.get(key, math.nan)) for key in (name, "low", "high"))
        return cls.between(value, low, high, where)

    def __sub__(self, other: Measured) -> Measured:
        """The difference. The two errors may go together either way, so that they add up."""
        error = sum(m.value - m.bounds[0] for m in (self, other))
        where = ", less ".join(m.where for m in (self, other) if m.where)
        return Measured.around(self.value - other.value, error, where)

    @property
    def bounds(self) -> tuple[float, float]:
        """The interval, or the value twice where there is none."""
        return (
            self.value if self.low is None else self.low,
            self.value if self.high is None else self.high,
        )


@dataclass(frozen=True)
class PaperItem:
    """`what` is the same for every model; `detail` is what only this one has beside it.

    `chance` is what no head, or even attention, would give: a claim is that the truth lies on one side of
    it, above unless `below`. `causes` are the known reasons to differ that apply here. An item that was not
    measured says why: `missing` data, or what makes it `incomparable`."""

    place: str  # in the paper: Figure 2, Table 1, section 3.2
    what: str
    reported: Reported
    faithful: Measured | None = None
    corrected: Measured | None = None
    chance: float | None = None
    below: bool = False
    causes: tuple[str, ...] = ()
    missing: str = ""
    incomparable: str = ""
    unit: Literal["share", "percent", "nats", "count", "number"] = "number"
    detail: str = ""
    curve: str = ""  # what it is a point of, and `point` where on it: a curve is shown as one table
    point: str = ""

    @property
    def verdict(self) -> Verdict:
        """The first of these that holds:

        - *data missing*, *not comparable*: the item says so;
        - *undecided*: the interval has the chance level in it, so that it speaks for neither side; or the
          value is that level, where no answer changed and there is no interval;
        - *within*: the paper's number is no further than its tolerance from the interval of the corrected
          value, or from the value that the original's definition gives; and the interval is on the side of
          chance that the paper claims;
        - *same direction*: the whole interval is on the side of chance that the paper claims;
        - *differs: cause known*, where a cause is named that applies here; *differs*, where none is.
        """
        measured = self.corrected or self.faithful
        if self.missing:
            return "data missing"
        if self.incomparable or measured is None:
            return "not comparable"
        low, high = measured.bounds
        if self.chance is not None and low <= self.chance <= high:
            return "undecided"
        claimed = self.chance is not None and (high < self.chance if self.below else low > self.chance)
        near = any(self._within(m) for m in (self.corrected, self.faithful) if m is not None)
        if near and (claimed or self.chance is None):
            return "within"
        if claimed:
            return "same direction"
        return "differs: cause known" if self.causes else "differs"

    def _within(self, measured: Measured) -> bool:
        if self.reported.value is None:
            return False
        low, high = measured.bounds
        slack = self.reported.tolerance + 1e-9
        return low - slack <= self.reported.value <= high + slack

    @property
    def why(self) -> str:
        """The reason for the verdict, where there is one to give."""
        if self.verdict == "differs: cause known":
            return "; ".join(self.causes)
        return self.missing or self.incomparable


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
