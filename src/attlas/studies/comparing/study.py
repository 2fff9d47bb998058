"""The study of two models of one shape: before and after fine-tuning, two seeds, two moments of training.

Both read the same items at once (a pass with a model beside the first). How alike are the maps of each head?
How did each statistic change, and is that more than chance? Which head became what, and where did it go?
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.optimize import linear_sum_assignment
from scipy.stats import t

from attlas.address import Head, Kind
from attlas.atlas import schema
from attlas.atlas.chapter import Chapter
from attlas.atlas.names import NONE
from attlas.atlas.words import model_title
from attlas.corpora.classes import TokenClasses
from attlas.corpora.source import Source
from attlas.engines import Merged, Pass
from attlas.errors import AttlasError
from attlas.reducers import Row, surface
from attlas.reducers.items import Lengths, Sample
from attlas.reducers.pairs import CrossDistances, MapChanges, OfOther, PairedMeans
from attlas.statistics.corrections import holm
from attlas.studies.behaviours import behaviours
from attlas.studies.comparing.patterns import Named
from attlas.studies.provenance import about, corpus_name, described, nothing_in
from attlas.studies.shapes.shares import SHORTEST, ShapeShares
from attlas.studies.shapes.study import named, network_hash
from attlas.studies.study import RunPass
from attlas.subject import Subject

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """`items`: so many of the source's items, drawn at random; all of them if None. `matched`: on how many of
    these every head is compared with every head, which is dear. `shapes`: on how many maps have a shape."""

    items: int | None = None
    matched: int = 40
    faithful: bool = False
    seed: int = 0
    shapes: int = 100


@dataclass(frozen=True)
class Compare:
    subject: Subject
    other: Subject
    source: Source
    classes: TokenClasses
    settings: Settings = Settings()
    training: Mapping[str, Any] | None = None  # what fine-tuning recorded of the other model
    patterns: tuple[Named, Named] | None = None  # what atlases of both call their heads

    @property
    def name(self) -> str:
        own = model_title(self.other.name)
        return schema.chapter_name("compare", f"{own}-{corpus_name(self.source)}", self.settings.faithful)

    def describe(self) -> dict[str, Any]:
        made = {"classes": self.classes.fingerprint(), "network": network_hash()}
        settings = {**asdict(self.settings), **made}
        patterns = [one.describe() for one in self.patterns or ()]
        compared = {"other": self.other.describe(), "patterns": patterns}
        return {**described("compare", self.source, settings), **compared}

    def conclude(self, run: RunPass) -> Chapter:
        source = self._source(run)
        paired = PairedMeans([m for means in surface(self.classes) for m in means.means])
        reducers = [MapChanges(self.settings.faithful), paired, Lengths(), self._sample()]
        whole = run(self._pass("pairs", source, reducers))
        paired, sample = whole.reducer(PairedMeans), whole.reducer(Sample)
        if not whole.counts["items"]:
            raise nothing_in(self.source, whole.problems)
        rows = whole.reducer(MapChanges).result()
        if any(math.isnan(row.value) for row in rows):
            raise AttlasError(
                f"the attention of {self.subject.name} or {self.other.name} is not a number: its weights are "
                "broken"
            )
        means = whole.reducer(Lengths).means()
        even = means["mean_log_length"], means["mean_log_visible"]
        shapes = self._shapes(run, source, sample)
        flows = self._flows(paired, even, shapes)
        tables = {"changes": change_table(paired), "flows": flows}
        if shapes and all(shapes):
            tables["shapes"] = shape_table(*shapes)
        arrays: dict[str, npt.NDArray[Any]] = {}
        if self.settings.matched:
            tables["matching"], arrays = self._matching(run, source, sample)
        tables["layers"] = self._layers(rows)
        return Chapter(
            self.name,
            {
                **about(self.describe(), whole, self._notes(whole, flows)),
                "corpus": {**self.source.describe()["corpus"], "items": whole.counts["items"], **means},
                "training": dict(self.training or {}),
            },
            rows,
            tables,
            arrays,
        )

    def _source(self, run: RunPass) -> Source:
        """The items that are read: all, or some at random, as the original took 1,000."""
        if self.settings.items is None:
            return self.source
        drawn = run(Pass("items", self.source, [Sample(self.settings.items, self.settings.seed)]))
        return self.source.only(drawn.reducer(Sample).ids())

    def _sample(self) -> Sample:
        """Whose first items are the smaller samples."""
        return Sample(max(1, self.settings.matched, self.settings.shapes), self.settings.seed + 1)

    def _pass(self, name: str, source: Source, reducers: Sequence[Any]) -> Pass:
        # the rows of padding, which the original keeps, are those of whole weights
        kernel = "eager" if self.settings.faithful else "tiled"
        return Pass(name, source, reducers, kernel=kernel, seed=self.settings.seed, beside=self.other)

    def _shapes(self, run: RunPass, source: Source, sample: Sample) -> list[list[Row]]:
        """The shares of shapes of every head, in both models; none where they are not wanted."""
        if not self.settings.shapes:
            return []
        # only names come of it, so that no bootstrap is drawn
        both = [ShapeShares(replicates=1), OfOther(ShapeShares(replicates=1))]
        done = run(self._pass("shapes", source.only(sample.ids()[: self.settings.shapes]), both))
        return [reducer.result() for reducer in done.reducers]

    def _flows(
        self, paired: PairedMeans, even: tuple[float, float], shapes: Sequence[Sequence[Row]]
    ) -> pd.DataFrame:
        """Of behaviours and shapes, both of the items that are read here; and of the patterns of atlases."""
        called = [behaviours(paired.rows(which), *even, False) for which in ("first", "second")]
        parts = [flow_table("behaviour", *(self._names("behaviour", rows) for rows in called))]
        if shapes and all(shapes):
            parts.append(flow_table("shape", *(self._names("shape", named(rows)) for rows in shapes)))
        if self.patterns is not None:
            parts.append(flow_table("pattern", *(one.names for one in self.patterns)))
        return pd.concat(parts, ignore_index=True)

    def _names(self, naming: str, rows: Sequence[Row]) -> dict[Head, str]:
        found = {Head(*r[:3]): r.group for r in rows if r.statistic == naming}
        return {h: found.get(h, NONE) for h in self.subject.heads}

    def _matching(
        self, run: RunPass, source: Source, sample: Sample
    ) -> tuple[pd.DataFrame, dict[str, npt.NDArray[Any]]]:
        one = self._pass(
            "matching",
            source.only(sample.ids()[: self.settings.matched]),
            [CrossDistances(self.subject.heads)],
        )
        crossed = run(one).reducer(CrossDistances)
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
        found = []
        for kind in self.subject.kinds:
            for layer in sorted({h.layer for h in self.subject.heads if h.kind == kind}):
                own = [r for r in rows if (r.kind, r.layer) == (kind, layer)]
                means = {s: _mean([r.value for r in own if r.statistic == s]) for s in STATISTICS}
                part = _part(norms, kind, layer)
                found.append(
                    {
                        "kind": kind,
                        "layer": layer,
                        **means,
                        "gradient": norms.get(part, math.nan),
                        "query_key_gradient": norms.get(f"{part} query and key", math.nan),
                        "weights_moved": moved.get(part, math.nan),
                    }
                )
        return pd.DataFrame(found)

    def _notes(self, whole: Merged, flows: pd.DataFrame) -> list[str]:
        notes = []
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


STATISTICS = ("map_cosine", "map_distance")


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan


def _part(norms: Mapping[str, float], kind: Kind, layer: int) -> str:
    """What the record of training calls a layer."""
    plain = f"layer {layer}"
    return plain if plain in norms else f"{'encoder' if kind == 'encoder' else 'decoder'} {plain}"


def change_table(paired: PairedMeans) -> pd.DataFrame:
    """A row for every statistic of every head: in the first model, in the second, the change with its 95 per
    cent interval (Student's, of pairs), and p, corrected for all of them (Holm)."""
    first, second = ({row[:5]: row.value for row in paired.rows(w)} for w in ("first", "second"))
    records = []
    for row in paired.rows("change"):
        half = row.stderr * t.ppf(0.975, max(row.n - 1, 1))
        records.append(
            (*row[:5], first[row[:5]], second[row[:5]], row.value, row.value - half, row.value + half, row.n)
        )
    names = ["kind", "layer", "head", "statistic", "group", "first", "second", "change", "low", "high", "n"]
    table = pd.DataFrame(records, columns=names)
    errors = np.array([row.stderr for row in paired.rows("change")])
    table["p"] = (
        holm(_two_sided(table["change"].to_numpy(), errors, table["n"].to_numpy())) if len(table) else []
    )
    return table


def _two_sided(change: Floats, stderr: Floats, n: npt.NDArray[Any]) -> Floats:
    """Where nothing changes, or there is one item only, p is 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.abs(change) / stderr
    known = np.isfinite(stderr) & (n > 1) & ((stderr > 0) | (change != 0))
    found: Floats = np.where(known, 2 * t.sf(np.nan_to_num(score, posinf=1e9), np.maximum(n - 1, 1)), 1.0)
    return found


def flow_table(naming: str, first: Mapping[Head, str], second: Mapping[Head, str]) -> pd.DataFrame:
    """How many heads went from which name to which: the larger ones first."""
    counts = Counter((h.kind, first[h], second[h]) for h in first)
    rows = [(naming, *key, heads) for key, heads in sorted(counts.items(), key=lambda i: (-i[1], i[0]))]
    return pd.DataFrame(rows, columns=["naming", "kind", "first", "second", "heads"])


def shape_table(first: Sequence[Row], second: Sequence[Row]) -> pd.DataFrame:
    """The share of every shape among the maps of a layer's heads, in the first model and in the second."""
    frames = [pd.DataFrame(rows) for rows in (first, second)]
    address = ["kind", "layer", "group"]
    means = [frame.groupby(address, sort=False)["value"].mean() for frame in frames]
    table = pd.concat(means, axis=1, keys=["first", "second"]).reset_index()
    return table.rename(columns={"group": "shape"})


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
    said = []
    for kind in subject.kinds:
        layers = Counter(h.layer for h in subject.heads if h.kind == kind)
        heads = "/".join(str(n) for n in sorted(set(layers.values())))
        said.append(f"{len(layers)} layers of {heads} {kind} heads")
    return " and ".join(said)
