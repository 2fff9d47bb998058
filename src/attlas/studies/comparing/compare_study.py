"""The study of two models of one shape: before and after fine-tuning, two seeds, two moments of training.

Both read the same items at once (a pass with models beside the first). How alike are the maps of each head?
How did each statistic change, and is that more than chance? Which head became what, and where did it go?
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.optimize import linear_sum_assignment

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.atlas import schema
from attlas.atlas.chapter import Chapter
from attlas.corpora.batches import TokenClasses
from attlas.corpora.source import Source
from attlas.engines import Merged, Pass
from attlas.errors import AttlasError
from attlas.reducers import surface
from attlas.reducers.items import Lengths, Sample
from attlas.reducers.reducer import Reducer
from attlas.row import Row
from attlas.statistics.clusters import degrees
from attlas.statistics.hypotheses import holm, not_zero, student_interval
from attlas.studies.behaviours import behaviours
from attlas.studies.comparing.named_patterns import NamedPatterns
from attlas.studies.comparing.two_models import CrossDistances, MapChanges, OtherModel, PairedMeans
from attlas.studies.provenance import about, corpus_name, described, items_of, nothing_in, one_document
from attlas.studies.shapes.shapes_study import name_shapes, network_hash
from attlas.studies.shapes.shares import SHORTEST, ShapeShares
from attlas.studies.study import RunPass, Study
from attlas.subject import Subject
from attlas.wording.names import NONE
from attlas.wording.numbers import model_title


@dataclass(frozen=True, kw_only=True)
class CompareSettings:
    """`items`: how many of the source's items, drawn at random; all if None. `matched`: on how many of these
    every head is compared with every head, which takes long. `shapes`: on how many maps have a shape."""

    items: int | None = None
    matched: int = 40
    faithful: bool = False
    seed: int = 0
    shapes: int = 100


@dataclass(frozen=True, kw_only=True)
class Compare:
    subject: Subject
    other: Subject
    source: Source
    classes: TokenClasses
    settings: CompareSettings = CompareSettings()
    training: Mapping[str, Any] | None = None  # what fine-tuning recorded of the other model
    patterns: tuple[NamedPatterns, NamedPatterns] | None = None  # what atlases of both call their heads

    @property
    def name(self) -> str:
        title = model_title(self.other.name)
        return schema.chapter_name("compare", f"{title}-{corpus_name(self.source)}", self.settings.faithful)

    def describe(self) -> dict[str, Any]:
        made = {"classes": self.classes.fingerprint(), "network": network_hash()}
        settings = {**asdict(self.settings), **made}
        patterns = [named_patterns.describe() for named_patterns in self.patterns or ()]
        compared = {"other": self.other.describe(), "patterns": patterns}
        return {**described("compare", self.source, settings), **compared}

    def conclude(self, run: RunPass) -> Chapter:
        (chapter,) = Comparisons((self,)).conclude(run, [self])
        return chapter

    def chapter(
        self, pairs: Merged, shapes: Sequence[Sequence[Row]], crossed: CrossDistances | None
    ) -> Chapter:
        """From what both models made of the items, the shapes of their maps, and their heads crossed."""
        rows, paired = pairs.reducer(MapChanges).rows(), pairs.reducer(PairedMeans)
        means = pairs.reducer(Lengths).means()
        flows = self._flows(paired, (means["mean_log_length"], means["mean_log_visible"]), shapes)
        tables = {"changes": change_table(paired), "flows": flows}
        if shapes and all(shapes):
            tables["shapes"] = shape_table(*shapes)
        arrays: dict[str, npt.NDArray[Any]] = {}
        if crossed is not None:
            tables["matching"], arrays = self._matching(crossed)
        tables["layers"] = self._layers(rows)
        return Chapter(
            self.name,
            {
                **about(self.describe(), pairs, self._notes(pairs, flows)),
                "corpus": {
                    **self.source.describe()["corpus"],
                    "items": pairs.counts["items"],
                    "documents": pairs.counts["documents"],
                    **means,
                },
                "training": dict(self.training or {}),
            },
            rows,
            tables,
            arrays,
        )

    def _flows(
        self, paired: PairedMeans, even: tuple[float, float], shapes: Sequence[Sequence[Row]]
    ) -> pd.DataFrame:
        """How many heads have another name: behaviours and shapes on these items, patterns from atlases."""
        called = [behaviours(paired.rows_of(which), *even, False) for which in ("first", "second")]
        parts = [flow_table("behaviour", *(self._names("behaviour", rows) for rows in called))]
        if shapes and all(shapes):
            parts.append(flow_table("shape", *(self._names("shape", name_shapes(rows)) for rows in shapes)))
        if self.patterns is not None:
            parts.append(flow_table("pattern", *(named_patterns.names for named_patterns in self.patterns)))
        return pd.concat(parts, ignore_index=True)

    def _names(self, naming: str, rows: Sequence[Row]) -> dict[Head, str]:
        names = {Head(*r[:3]): r.group for r in rows if r.statistic == naming}
        return {h: names.get(h, NONE) for h in self.subject.heads}

    def _matching(self, crossed: CrossDistances) -> tuple[pd.DataFrame, dict[str, npt.NDArray[Any]]]:
        parts, arrays = [], crossed.arrays()
        for kind in self.subject.kinds:
            heads = [h for h in self.subject.heads if h.kind == kind]
            parts.append(match_table(heads, crossed.distances(kind)))
            arrays[f"{kind}.heads"] = np.array([(h.layer, h.head) for h in heads])
        return pd.concat(parts, ignore_index=True), arrays

    def _layers(self, rows: Sequence[Row]) -> pd.DataFrame:
        """A row a layer: the means of its heads; and, where training was recorded, how large its gradients
        were and how far its weights moved."""
        trained = dict(self.training or {})
        norms, moved = trained.get("mean_norms", {}), trained.get("weights_moved", {})
        records = []
        for kind in self.subject.kinds:
            for layer in sorted({h.layer for h in self.subject.heads if h.kind == kind}):
                layer_rows = [r for r in rows if (r.kind, r.layer) == (kind, layer)]
                means = {s: _mean([r.value for r in layer_rows if r.statistic == s]) for s in STATISTICS}
                part = _part(norms, kind, layer)
                records.append(
                    {
                        "kind": kind,
                        "layer": layer,
                        **means,
                        "gradient": norms.get(part, math.nan),
                        "query_key_gradient": norms.get(f"{part} query and key", math.nan),
                        "weights_moved": moved.get(part, math.nan),
                    }
                )
        return pd.DataFrame(records)

    def _notes(self, whole: Merged, flows: pd.DataFrame) -> list[str]:
        notes = one_document([whole.counts["documents"]], [whole.counts["items"]], items_of(self.source))
        if self.settings.shapes and "shape" not in set(flows["naming"]):
            notes.append(f"no input has {SHORTEST} tokens or more, so that no map has a shape")
        if self.patterns is not None and self.patterns[0].corpus != self.patterns[1].corpus:
            notes.append(
                "the patterns of the two models were named over different texts: what changed may be the text"
            )
        if self.settings.faithful:
            notes.append("faithful: maps with their padding, as the original compared them")
        if skipped := whole.counts["skipped"]:
            notes.append(f"{skipped:,} could not be read and were skipped: {whole.problems[0]}")
        return notes


@dataclass(frozen=True)
class Comparisons:
    """Several models, each beside the same first one, over the same items: it reads them once for all."""

    studies: tuple[Compare, ...]

    def conclude(self, run: RunPass, wanted: Sequence[Study]) -> Iterator[Chapter]:
        studies = [study for study in self.studies if any(study is other for other in wanted)]
        first, settings = studies[0], studies[0].settings
        source = self._source(run)
        pairs = self._beside(run, studies, "pairs", "comparing heads", source, self._pair_reducers)
        if not pairs[0].counts["items"]:
            raise nothing_in(first.source, pairs[0].problems)
        for study, whole in zip(studies, pairs, strict=True):
            if any(math.isnan(row.value) for row in whole.reducer(MapChanges).rows()):
                raise AttlasError(
                    f"the attention of {first.subject.name} or {study.other.name} is not a number: its "
                    "weights are broken"
                )
        sampled = pairs[0].reducer(Sample).ids()
        shapes: list[list[list[Row]]] = [[] for _ in studies]
        if settings.shapes:
            done = self._beside(
                run,
                studies,
                "shapes",
                "shapes of maps",
                source.only(sampled[: settings.shapes]),
                _shape_reducers,
            )
            shapes = [[b.reducer(ShapeShares).rows(), b.reducer(OtherModel).reducer.rows()] for b in done]
        crossed: list[CrossDistances | None] = [None for _ in studies]
        if settings.matched:
            chosen = source.only(sampled[: settings.matched])
            done = self._beside(
                run,
                studies,
                "matching",
                "matching heads",
                chosen,
                lambda: [CrossDistances(first.subject.heads)],
            )
            crossed = [merged.reducer(CrossDistances) for merged in done]
        for study, whole, named_maps, matched in zip(studies, pairs, shapes, crossed, strict=True):
            yield study.chapter(whole, named_maps, matched)

    def _source(self, run: RunPass) -> Source:
        """The items that are read: all, or some at random, as the original took 1,000."""
        source, settings = self.studies[0].source, self.studies[0].settings
        if settings.items is None:
            return source
        sample = Sample(settings.items, settings.seed)
        drawn = run(Pass("items", source, [sample], doing="drawing inputs"))
        return source.only(drawn.reducer(Sample).ids())

    def _pair_reducers(self) -> list[Reducer]:
        """The first items of the sample are the smaller samples."""
        study, settings = self.studies[0], self.studies[0].settings
        paired = PairedMeans(surface(study.classes).means)
        sample = Sample(max(1, settings.matched, settings.shapes), settings.seed + 1)
        return [MapChanges(settings.faithful), paired, Lengths(), sample]

    def _beside(
        self,
        run: RunPass,
        studies: Sequence[Compare],
        name: str,
        doing: str,
        source: Source,
        reducers: Callable[[], Sequence[Reducer]],
    ) -> list[Merged]:
        """One pass with all the other models beside the first; of each of them, what its reducers found."""
        settings = studies[0].settings
        # the rows of padding, which the original keeps, are those of whole weights
        kernel = "eager" if settings.faithful else "tiled"
        several = [reducer for _ in studies for reducer in reducers()]
        others = tuple(study.other for study in studies)
        done = run(Pass(name, source, several, kernel=kernel, seed=settings.seed, beside=others, doing=doing))
        per_study = len(several) // len(studies)
        return [
            Merged(done.reducers[start : start + per_study], done.counts, done.problems)
            for start in range(0, len(several), per_study)
        ]


def _shape_reducers() -> list[Reducer]:
    """The shapes of maps in both models."""
    return [ShapeShares(), OtherModel[ShapeShares](ShapeShares())]


STATISTICS = ("map_cosine", "map_distance")


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan


def _part(norms: Mapping[str, float], kind: Kind, layer: int) -> str:
    """What the record of training calls a layer."""
    plain = f"layer {layer}"
    return plain if plain in norms else f"{'encoder' if kind == 'encoder' else 'decoder'} {plain}"


def change_table(paired: PairedMeans) -> pd.DataFrame:
    """A row for every statistic of every head: in the first model, in the second, the change with its 95 per
    cent interval (Student's, of pairs, over documents), and p, corrected for all of them (Holm)."""
    first, second = ({row[:5]: row.value for row in paired.rows_of(w)} for w in ("first", "second"))
    changes = paired.rows_of("change")
    change, stderr, items, documents, effective = (
        np.array([getattr(row, name) for row in changes], np.float64)
        for name in ("value", "stderr", "n", "documents", "effective")
    )
    low, high = student_interval(change, stderr, degrees(items, effective))
    table = pd.DataFrame([row[:5] for row in changes], columns=list(Row._fields[:5]))
    return table.assign(
        first=[first[row[:5]] for row in changes],
        second=[second[row[:5]] for row in changes],
        change=change,
        low=low,
        high=high,
        n=items.astype(np.int64),
        documents=documents.astype(np.int64),
        p=holm(not_zero(change, stderr, degrees(items, effective))),
    )


def flow_table(naming: str, first: Mapping[Head, str], second: Mapping[Head, str]) -> pd.DataFrame:
    """How many heads went from which name to which: the larger ones first."""
    counts = Counter((h.kind, first[h], second[h]) for h in first)
    rows = [(naming, *key, heads) for key, heads in sorted(counts.items(), key=lambda i: (-i[1], i[0]))]
    return pd.DataFrame(rows, columns=["naming", "kind", "first", "second", "heads"])


def shape_table(first: Sequence[Row], second: Sequence[Row]) -> pd.DataFrame:
    """The share of every shape among the maps of a layer's heads, in the first model and in the second; the
    standard error of a mean over heads is at most the mean of theirs."""
    frames = [pd.DataFrame(rows) for rows in (first, second)]
    address = ["kind", "layer", "group"]
    means = [frame.groupby(address, sort=False)[["value", "stderr"]].mean() for frame in frames]
    named = [
        part.set_axis([name, f"{name}_stderr"], axis=1)
        for part, name in zip(means, ("first", "second"), strict=True)
    ]
    table = pd.concat(named, axis=1).reset_index()
    return table.rename(columns={"group": "shape"})[
        ["kind", "layer", "shape", "first", "second", "first_stderr", "second_stderr"]
    ]


def match_table(heads: Sequence[Head], distances: Floats) -> pd.DataFrame:
    """Each head of the first model with the one of the second that does its work: the assignment, one to one,
    with the least distance in all. `own_distance` is that to the head of the same address."""
    rows, columns = linear_sum_assignment(distances)
    return pd.DataFrame(
        [
            (
                heads[i].kind,
                heads[i].layer,
                heads[i].head,
                heads[j].layer,
                heads[j].head,
                distances[i, j],
                distances[i, i],
            )
            for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
        ],
        columns=["kind", "layer", "head", "match_layer", "match_head", "distance", "own_distance"],
    )


def check_comparable(first: Subject, other: Subject) -> None:
    """Two models of one shape that read the same tokens; else, what is different."""
    for subject in (first, other):
        if subject.tokenizer is None:
            raise AttlasError(f"{subject.name} has no tokenizer, so it cannot read text")
    if first.heads != other.heads:
        raise AttlasError(
            f"{first.name} and {other.name} cannot be compared head by head: {_shape(first)}, {_shape(other)}"
        )
    ours, theirs = first.tokenizer.get_vocab(), other.tokenizer.get_vocab()
    if ours == theirs:
        return
    if len(ours) != len(theirs):
        what = f"{len(ours):,} and {len(theirs):,} pieces"
    else:
        piece = min(p for p in ours if theirs.get(p) != ours[p])
        what = f"{piece!r} is piece {ours[piece]} of one, and {theirs.get(piece, 'none')} of the other"
    raise AttlasError(f"the tokenizers of {first.name} and {other.name} differ: {what}")


def _shape(subject: Subject) -> str:
    """12 layers of 12 encoder heads"""
    stacks = []
    for kind in subject.kinds:
        layers = Counter(h.layer for h in subject.heads if h.kind == kind)
        heads = "/".join(str(n) for n in sorted(set(layers.values())))
        stacks.append(f"{len(layers)} layers of {heads} {kind} heads")
    return " and ".join(stacks)
