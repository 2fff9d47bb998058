"""Disabling heads and layers (Kovaleva 2019, section 4.6): what does a model lose without each of them?

Every head, and every layer, is disabled by itself, and the model's loss or score on the same items is
compared with that of the model as it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from attlas.address import Head
from attlas.array_types import Floats
from attlas.atlas.catalogue.result_tables import records
from attlas.atlas.chapter import Chapter
from attlas.corpora.source import Source
from attlas.edits import EDITS
from attlas.edits.head_edit import HeadEdit, heads_named
from attlas.edits.sweep import Sweep
from attlas.engines.passes import Pass
from attlas.engines.run import Merged
from attlas.errors import AttlasError, option
from attlas.reducers.reducer import Sums, layer_of, reading_order
from attlas.row import Row
from attlas.statistics.verdicts import kind_of_score, shown_rows
from attlas.studies.disabling.evaluation import Evaluation
from attlas.studies.disabling.outcomes import Metric, OutcomeChange, Outcomes, changes, correct_p_values
from attlas.studies.disabling.screening import halves_of, screen
from attlas.studies.disabling.sweep_trial import check_sweep
from attlas.studies.provenance import (
    about,
    chapter_name,
    described,
    items_of,
    nothing_in,
    of_documents,
    one_document,
)
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.subject.embedding import pooling_of
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation
from attlas.wording.numbers import count


class HeadOutputMeans(Sums):
    """The mean over all real tokens of what each head gives: its part of the output of the layer's attention,
    before heads are joined."""

    name = "head_outputs"
    needs = Needs(head_outputs=True)

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.outputs is not None:
                at = f"{call.kind}.{call.layer}"
                self.add(f"{at}/sums", call.outputs.double().sum(0))  # head dim
                self.add(f"{at}/tokens", observation.batch.queries(call.kind).count("all").sum())

    def means(self) -> dict[Head, npt.NDArray[np.float64]]:
        """The mean outputs as the edit `mean` takes them."""
        means = {}
        layers = (key.removesuffix("/sums") for key in self.sums if key.endswith("/sums"))
        for at in sorted(layers, key=reading_order):
            for head, sums in enumerate(self.sums[f"{at}/sums"].cpu().numpy()):
                means[Head(*layer_of(at), head)] = sums / float(self.sums[f"{at}/tokens"])
        return means


HEADS, TOGETHER, SCREENED = "disabled", "disabled_together", "screened"  # the tables


@dataclass(frozen=True)
class HeadSet:
    """Heads that are disabled together."""

    what: str  # 7.9, layer 7, or as the user wrote it
    heads: tuple[Head, ...]


#: what to mind where causal heads park attention that they do not need
WAKES = (
    "uniform makes heads of a decoder speak that rest on the first token; the edit `mean` tells whether they "
    "are needed"
)


@dataclass(frozen=True, kw_only=True)
class Disable:
    subject: Subject
    evaluation: Evaluation
    edit: str = "mean"
    sets: tuple[HeadSet, ...] = ()  # all heads and all layers, if none is given
    confirm: int | None = None  # how many heads, the strongest by attribution, other documents judge
    seed: int = 0
    kernel: str | None = None

    @property
    def source(self) -> Source:
        return self.evaluation.source

    @property
    def metric(self) -> Metric:
        return self.evaluation.metric

    @property
    def name(self) -> str:
        name = chapter_name("disable", self.source)
        return name if self.edit == "uniform" else f"{name}-{self.edit}"

    def describe(self) -> dict[str, Any]:
        settings = {
            "edit": self.edit,
            "sets": [s.what for s in self.sets] or "every head and layer",
            "score": self.metric.name,
            **({} if self.confirm is None else {"confirm": self.confirm}),
            "seed": self.seed,
            "kernel": self.kernel,
            "faithful": False,
        }
        return described("disable", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        every = len(self.subject.heads)
        # the gradient of a distance is 0 where nothing is edited: then all heads are tried
        confirm = every if self.confirm is None or self.metric.apart is not None else self.confirm
        if confirm < every:
            return self._screen_first(run, confirm)
        means = self._means(self.source, run)
        return self._sweep(run, self.source, self.sets or every_head_and_layer(self.subject.heads), means)

    def _screen_first(self, run: RunPass, many: int) -> Chapter:
        """Estimate all heads on one half of the documents, and disable the strongest on the other."""
        by, choosing, judging = halves_of(self.source, self.seed, run)
        means = self._means(choosing, run)
        screening = screen(self.subject, choosing, means, run, self.seed, self.kernel)
        refuse_no_items(self.source, screening.read)
        kinds = len(self.subject.kinds) > 1
        sets = [HeadSet(head.write(kinds), (head,)) for head in screening.strongest(many)]
        chapter = self._sweep(run, judging, sets, means)
        documents = max(screening.table["documents"])
        read = of_documents(screening.read.counts["items"], documents, items_of(self.source))
        other = "documents" if by == "document" else items_of(self.source)
        note = (
            f"all {count(len(screening.table), 'head')} were estimated by attribution over {read}; the "
            f"{many:,} strongest were disabled on other {other}"
        )
        chapter.about["notes"].insert(0, note)
        rows = [*chapter.rows, *screening.rows(self.edit)]
        return replace(chapter, rows=rows, tables={**chapter.tables, SCREENED: screening.table})

    def _means(self, source: Source, run: RunPass) -> dict[Head, Floats] | None:
        return mean_outputs(source, run, self.kernel)[0] if self.edit == "mean" else None

    def _sweep(
        self, run: RunPass, source: Source, sets: Sequence[HeadSet], means: Mapping[Head, Floats] | None
    ) -> Chapter:
        edits = self._edits(sets, means)
        sweep = Sweep(edits, self.evaluation.measure, seed=self.seed, kernel=self.kernel)
        can = check_sweep(sweep, self.subject, source, run)
        done = run(Pass("sweep", source, [Outcomes()], sweep=can.sweep, doing="without each head"))
        refuse_no_items(source, done)
        changed = changes(done.reducer(Outcomes), self.metric, self.seed, len(edits))
        of_heads, of_others = _tables(sets, changed, can.idle, self)
        return Chapter(
            self.name,
            about(self.describe(), done, [*self._notes(done, of_heads, of_others), *can.notes]),
            [
                Row.from_record(r, self.metric.effect, self.edit, "change")
                for r in of_heads.to_dict("records")
            ],
            {name: table for name, table in ((HEADS, of_heads), (TOGETHER, of_others)) if len(table)},
        )

    def _edits(self, sets: Sequence[HeadSet], means: Mapping[Head, Floats] | None) -> list[HeadEdit]:
        if means is None:
            return [EDITS[self.edit](s.heads) for s in sets]
        return [EDITS["mean"](s.heads, {head: means[head] for head in s.heads}) for s in sets]

    def _notes(self, done: Merged, of_heads: pd.DataFrame, of_others: pd.DataFrame) -> list[str]:
        table = of_heads if len(of_heads) else of_others
        items = int(table["n"].min())
        read = of_documents(items, int(table["documents"].min()), items_of(self.source))
        notes = [f"{self.metric.name} {table['plain'].iloc[0]:.4f} over {read} as the model is"]
        if self.metric.apart is not None:
            notes = [self._distance(read)]
        notes += one_document(table["documents"], table["n"], items_of(self.source))
        if len(of_heads) and self.metric.apart is not None:
            moving = int(_judge_heads(of_heads, self.metric).sum())
            are = "is" if moving == 1 else "are"
            notes.append(
                f"of {count(len(of_heads), 'head')}, {moving:,} {are} shown to move it by more than "
                f"{self.metric.smallest} when disabled"
            )
        elif len(of_heads):
            worse, better = (significant(of_heads, self.metric, harms) for harms in (True, False))
            notes.append(
                f"of {count(len(of_heads), 'head')}, {worse:,} {'is' if worse == 1 else 'are'} shown to make "
                f"it worse when disabled and {better:,} better"
            )
        if alone := done.counts["items"] - items:
            notes.append(f"left out since no other of their batch is as long: {alone:,} items")
        if self.edit == "uniform" and "decoder" in self.subject.kinds:
            notes.append(WAKES)
        return notes

    def _distance(self, read: str) -> str:
        """What a model without labels was judged by."""
        if self.metric.name == "answers":
            return f"the model was given no labels: how far its answers move, over {read}"
        pooled = {"mean": "the mean of its tokens", "max": "the largest of its tokens"}
        how = pooling_of(self.subject)
        made = pooled.get(how, f"its {'first' if how == 'cls' else 'last'} token")
        return f"how far the embedding of a text ({made}) moves, 1 - cosine, over {read}"


def every_head_and_layer(heads: tuple[Head, ...]) -> tuple[HeadSet, ...]:
    kinds = len({h.kind for h in heads}) > 1
    layers: dict[tuple[str, int], list[Head]] = {}
    for head in heads:
        layers.setdefault((head.kind, head.layer), []).append(head)
    return (
        *(HeadSet(head.write(kinds), (head,)) for head in heads),
        *(
            HeadSet(f"{kind} layer {layer}" if kinds else f"layer {layer}", tuple(members))
            for (kind, layer), members in layers.items()
            if len(members) > 1  # a layer of one head is that head
        ),
    )


def sets_named(written: Sequence[str], heads: tuple[Head, ...]) -> tuple[HeadSet, ...]:
    """Each is disabled by itself: a head, a layer, or several joined by commas."""
    usual = {frozenset(s.heads): s.what for s in every_head_and_layer(heads)}
    sets: dict[frozenset[Head], HeadSet] = {}
    for what in written:
        members = heads_named(what, heads)
        key = frozenset(members)
        if key in sets:
            raise AttlasError(f"{option('heads')}: {what!r} names a head twice")
        sets[key] = HeadSet(usual.get(key, " ".join(what.split())), members)
    return tuple(sets.values())


def mean_outputs(source: Source, run: RunPass, kernel: str | None) -> tuple[dict[Head, Floats], Merged]:
    """Return the mean output of every head over a source, and the pass that gave it."""
    done = run(Pass("means", source, [HeadOutputMeans()], kernel=kernel, doing="mean outputs of heads"))
    refuse_no_items(source, done)
    return done.reducer(HeadOutputMeans).means(), done


def refuse_no_items(source: Source, done: Merged) -> None:
    if not done.counts["items"]:
        raise nothing_in(source, done.problems)


def significant(table: pd.DataFrame, metric: Metric, harms: bool) -> int:
    """How many heads are shown to be needed, or to be better gone."""
    sign = -1 if metric.more_is_better else 1
    return int((_judge_heads(table, metric) & (sign * table["change"] * (1 if harms else -1) > 0)).sum())


def _judge_heads(table: pd.DataFrame, metric: Metric) -> pd.Series[bool]:
    return pd.Series(shown_rows(kind_of_score(metric.name), records(table)), table.index)


def _tables(
    sets: Sequence[HeadSet], changed: Sequence[OutcomeChange], idle: frozenset[int], study: Disable
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Single heads, and what is disabled together; each corrected for its own number of tests."""
    both: list[pd.DataFrame] = []
    for single in (True, False):
        tested = [
            (s, change, place not in idle)
            for place, (s, change) in enumerate(zip(sets, changed, strict=True))
            if (len(s.heads) == 1) is single
        ]
        p = correct_p_values([change for _, change, _ in tested])
        rows = [
            {**_address(s, single), **_numbers(change, study), "p": adjusted, "effect_seen": seen}
            for (s, change, seen), adjusted in zip(tested, p, strict=True)
        ]
        columns = [*_address(HeadSet("", (study.subject.heads[0],)), single), *_COLUMNS]
        columns += ["order"] if rows and "order" in rows[0] else []
        both.append(pd.DataFrame(rows, columns=columns))
    return both[0], both[1]


_COLUMNS = (
    *("edit", "score", "plain", "disabled", "change", "stderr", "low", "high"),
    *("p_alone", "p", "n", "documents", "changed"),
    "effect_seen",  # whether the output changed at all on the first items
)


def _address(s: HeadSet, single: bool) -> Mapping[str, Any]:
    first = s.heads[0]
    if single:
        from_1 = f"{first.layer + 1}-{first.head + 1}"
        return {"kind": first.kind, "layer": first.layer, "head": first.head, "from_1": from_1}
    return {"what": s.what, "kind": first.kind, "layer": first.layer, "heads": len(s.heads)}


def _numbers(change: OutcomeChange, study: Disable) -> dict[str, Any]:
    numbers = asdict(change)
    if math.isnan(change.order):
        del numbers["order"]
    ways = {"edit": study.edit, "score": study.metric.name}
    return {**numbers, **ways, "disabled": change.edited, "p_alone": change.p}
