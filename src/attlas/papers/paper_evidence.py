"""What items are read from: the chapters of an atlas, those of the untrained twin, and what became of the
model on tasks. Many chapters come twice: measured the original's way (`faithful`), and ours (`corrected`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from attlas.address import KINDS, Kind
from attlas.array_types import Floats
from attlas.atlas import Atlas
from attlas.atlas.untrained_heads import PLAIN
from attlas.atlas.untrained_heads import TABLE as TWIN_TABLE
from attlas.papers.paper_items import Measured
from attlas.statistics.clusters import degrees
from attlas.statistics.hypotheses import student_interval
from attlas.wording.numbers import count, model_title

Measurement = TypeVar("Measurement")
SEGMENT = 128  # tokens, in Clark 2019
#: statistics in which the peaked twin is made like the model
MADE_ALIKE = ("entropy", "largest")


@dataclass(frozen=True)
class FineTuned:
    """What became of the model on a task: its scores before and after, the comparison with the model before,
    the shapes of its maps there, what disabling each head and layer does, and what it looks at. `whole` where
    it saw every example of the task."""

    before: Mapping[str, Any]  # metric -> score, with a random answering layer
    scores: Mapping[str, Mapping[str, Any]]  # metric -> value, low, high, majority
    examples: int
    whole: bool
    compared_on: int = 0  # examples
    compared: ChapterNumbers | None = None
    shapes: Any = None  # a row a layer and shape: its share before (first) and after (second)
    disabled: Any = None  # a row a head: change, low, high, p
    layers: Any = None  # a row a layer: the same
    atlas: Atlas | None = None  # of the fine-tuned model
    features: ChapterNumbers | None = None  # attention to features of words, of the fine-tuned model


@dataclass(frozen=True)
class PaperEvidence:
    """An atlas, and what became of the model on tasks; `twin`: what the untrained twin gave to the probes;
    `beside`: the maps of another model, say a cased one."""

    atlas: Atlas
    tuned: Mapping[str, FineTuned] = field(default_factory=dict)
    twin: PaperEvidence | None = None
    beside: PaperEvidence | None = None
    quick: bool = False  # whether the reproduction was a small one

    @property
    def model(self) -> str:
        return model_title(str(self.atlas.model["name"]))

    @property
    def kind(self) -> Kind:
        """The kind of the heads that the papers' questions are asked of: an encoder's, where there is one."""
        # without numbers of heads, as in Vig's chapter, the atlas still says which heads its model has
        having = self.atlas.kinds or self.atlas.model["heads"]
        return next(kind for kind in KINDS if kind in having)

    @property
    def is_bert_base(self) -> bool:
        """Whether this is the papers' own model."""
        return "bert-base-uncased" in str(self.atlas.model["name"]).lower()

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

    def twin_table(self, name: str, study: str) -> Any:
        """The same table of the untrained twin; None where the twin was not asked."""
        return None if self.twin is None else self.twin.table(name, study)

    def measure(
        self,
        measure: Callable[[ChapterNumbers], Measured],
        *key: str,
        study: str = "surface",
        below: bool = False,
    ) -> dict[str, Any]:
        """A number of a chapter that has this statistic and group, as fields of an item: the original's way,
        ours, and what the untrained twin gives."""
        ways = both_ways(lambda faithful: self.numbers(study, faithful))
        measured = {way: measure(numbers) for way, numbers in ways.items() if numbers.has(*key)}
        if "corrected" in measured:
            of_twins = [twin for twin in self._twins(study) if twin.has(*key)]
            if key[0] in MADE_ALIKE:
                of_twins = [twin for twin in of_twins if twin.twin in ("", PLAIN)]
            known = [m for m in map(measure, of_twins) if math.isfinite(m.value)]
            if known:
                most = min if below else max
                measured["untrained"] = most(known, key=lambda m: m.value)
        return measured

    def best(self, *key: str, rank: int = 0, study: str = "surface") -> dict[str, Any]:
        """Measure the head with the largest value, or the second (rank 1)."""
        return self.measure(lambda numbers: numbers.best(*key, rank=rank), *key, study=study)

    def over(self, layers: Sequence[int] | None, *key: str, study: str = "surface") -> dict[str, Any]:
        """Measure the mean over all heads of these layers, or of all."""
        return self.measure(lambda n: n.over(layers or range(n.layers), *key), *key, study=study)

    def _twins(self, study: str) -> Iterator[ChapterNumbers]:
        """The twins that the chapter itself measured, or the twin's own chapter."""
        numbers = self.numbers(study)
        table = None if numbers is None else self.atlas.tables.get(f"{numbers.chapter}/{TWIN_TABLE}")
        if numbers is not None and table is not None:
            for name in table["twin"].unique():
                yield replace(numbers, twin=str(name))
        elif self.twin is not None and (apart := self.twin.numbers(study)) is not None:
            yield apart


def both_ways(read: Callable[[bool], Measurement | None]) -> dict[str, Measurement]:
    """What there is of both ways of measuring, as fields of an item: the original's way, then ours."""
    ways = {"faithful": read(True), "corrected": read(False)}
    return {way: what for way, what in ways.items() if what is not None}


@dataclass(frozen=True)
class ChapterNumbers:
    """The numbers that one chapter of an atlas has of the heads of one kind; or those of an untrained twin,
    where they were measured beside them."""

    atlas: Atlas
    chapter: str
    kind: Kind
    twin: str = ""

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
    def even_entropy(self) -> float:
        """The entropy of even attention, the mean over segments and over what each token of them sees."""
        corpus = self.atlas.about(self.chapter).get("corpus") or {}
        visible = float(corpus.get("mean_log_visible", math.log(SEGMENT)))
        return visible if self.causal else math.log(self.tokens)

    @property
    def share_of_first(self) -> float:
        """What even attention gives to the first token: in a decoder the mean of 1/i over its tokens."""
        tokens = round(self.tokens)
        return sum(1 / (i + 1) for i in range(tokens)) / tokens if self.causal else 1 / self.tokens

    def has(self, statistic: str, group: str = "") -> bool:
        """Whether there is such a number; none to a class of tokens that the text does not have."""
        if self.twin:
            return not self._rows_of_twin(statistic, group).empty
        there = self.atlas.has(statistic, group, self.kind, self.chapter)
        return there and (statistic != "to_class" or bool((self.grid(statistic, group) > 0).any()))

    def grid(self, statistic: str, group: str = "", column: str = "value") -> Floats:
        if not self.twin:
            return self.atlas.grid(statistic, group, self.kind, column, self.chapter)
        rows = self._rows_of_twin(statistic, group)
        grid = np.full((int(rows["layer"].max()) + 1, int(rows["head"].max()) + 1), np.nan)
        grid[rows["layer"], rows["head"]] = rows[column]
        return grid

    def _rows_of_twin(self, statistic: str, group: str) -> Any:
        table = self.atlas.tables[f"{self.chapter}/{TWIN_TABLE}"]
        wanted = {"twin": self.twin, "kind": self.kind, "statistic": statistic, "group": group}
        return table[(table[list(wanted)] == list(wanted.values())).all(axis=1)]

    def documents(self, statistic: str, group: str = "") -> int:
        """The documents that a statistic is over; its items, where it is of one document or none is known."""
        documents, items = (float(np.nanmax(self.grid(statistic, group, c))) for c in ("documents", "n"))
        return int(documents if documents > 1 else items)

    def half_widths(self, statistic: str, group: str = "", among: int = 1) -> Floats:
        """layer head: half of the 95 % interval, of Student's t over documents."""
        errors, items, documents = (
            self.grid(statistic, group, column) for column in ("stderr", "n", "documents")
        )
        effective = documents if self.twin else self.grid(statistic, group, "effective")
        freedom = degrees(items, np.where(effective > 0, effective, documents))
        return student_interval(0.0, errors, freedom, among)[1]

    def over(self, layers: Sequence[int], statistic: str, group: str = "") -> Measured:
        """The mean over all heads of these layers. Heads share their segments, so that their errors may go
        together: the mean of the heads' errors is what the mean's can be at most."""
        value, error = (
            _finite_mean(grid[list(layers)])
            for grid in (self.grid(statistic, group), self.half_widths(statistic, group))
        )
        return Measured.around(value, error, name_layers(layers), self.documents(statistic, group))

    def best(
        self, statistic: str, group: str = "", *, rank: int = 0, layers: Sequence[int] | None = None
    ) -> Measured:
        """The head with the largest value, of all or of some layers, or the second (rank 1). It was picked
        among all heads, and its interval is as wide as that takes: of 144 heads that do the same, the best
        looks better than it is, and its usual interval would miss the truth more often than not."""
        values = self.grid(statistic, group)
        order = [at for at in self.order(statistic, group) if layers is None or at[0] in layers]
        layer, head = order[rank]
        heads = int(np.isfinite(values).sum())
        error = float(self.half_widths(statistic, group, heads)[layer, head])
        documents = self.documents(statistic, group)
        return Measured.around(float(values[layer, head]), error, name_head(layer, head), documents)

    def at(self, layer: int, head: int, statistic: str, group: str = "") -> Measured:
        """The value of a head that was named beforehand."""
        value, error = self.grid(statistic, group), self.half_widths(statistic, group)
        documents = self.documents(statistic, group)
        at = layer, head
        return Measured.around(float(value[at]), float(error[at]), name_head(layer, head), documents)

    def count_above(self, threshold: float, statistic: str, group: str = "") -> str:
        """8 heads do (7 to 9): how many have more than `threshold`; and how many surely and possibly do, by
        intervals that hold for all heads at once."""
        values = self.grid(statistic, group)
        errors = np.nan_to_num(self.half_widths(statistic, group, int(np.isfinite(values).sum())))
        above, sure, possible = (
            int((v > threshold).sum()) for v in (values, values - errors, values + errors)
        )
        return f"{count(above, 'head')} here" + (f" ({sure} to {possible})" if sure < possible else "")

    def order(self, statistic: str, group: str = "") -> list[tuple[int, int]]:
        """All heads, the one with the largest value first."""
        values = np.nan_to_num(self.grid(statistic, group), nan=-np.inf)
        places = np.argsort(-values, axis=None, kind="stable")
        return [(int(p) // values.shape[1], int(p) % values.shape[1]) for p in places]


def name_head(layer: int, head: int) -> str:
    """7.9 (8-10): counted from 0, and from 1."""
    return f"{layer}.{head} ({layer + 1}-{head + 1})"


def name_layers(layers: Sequence[int]) -> str:
    """layers 5 to 9 (6 to 10): counted from 0, and from 1."""
    first, last = layers[0], layers[-1]
    if first == last:
        return f"layer {first} ({first + 1})"
    return f"layers {first} to {last} ({first + 1} to {last + 1})"


def _finite_mean(values: Floats) -> float:
    """The mean of the numbers; NaN where none is one, as the errors of a single text."""
    finite = values[np.isfinite(values)]
    return float(finite.mean()) if len(finite) else float("nan")


def degrees_of_row(row: Any) -> Floats:
    """The degrees of freedom of a value in a table's row."""
    return degrees(row["n"], row.get("effective") or row["documents"])


def at_depth(first: int, last: int, layers: int, of: int = 12) -> range:
    """The layers, counted from 0, that lie as deep in a model of `layers` as `first` to `last`, counted from
    1, do in one of `of`: those whose middle is between the two's ends."""
    begin, end = (first - 1) / of, last / of
    inside = [layer for layer in range(layers) if begin <= (layer + 0.5) / layers <= end]
    if not inside:
        inside = [min(layers - 1, int((begin + end) / 2 * layers))]
    return range(inside[0], inside[-1] + 1)
