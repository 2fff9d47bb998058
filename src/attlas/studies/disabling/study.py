"""Disabling heads and layers (Kovaleva 2019, section 4.6): what does a model lose without each of them?

Every head, and every layer, is disabled by itself, and the model's loss or score on the same items is
compared with that of the model as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import pandas as pd
import torch

from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.corpora.batches import Batch
from attlas.corpora.objective import objective
from attlas.corpora.source import Source, fewest
from attlas.edits import EDITS
from attlas.edits.edit import HeadEdit
from attlas.edits.effect import refuse_all_without_effect
from attlas.edits.names import heads_named
from attlas.edits.sweep import Measure, Sweep
from attlas.engines.passes import Pass
from attlas.engines.run import Merged
from attlas.errors import AttlasError
from attlas.reducers import HeadOutputMeans, Row
from attlas.studies.disabling.outcomes import LOSS, Change, Outcomes, Score, changes, corrected
from attlas.studies.provenance import about, chapter_name, corpus_name, described
from attlas.studies.study import Run
from attlas.subject import Subject

PROBE_ROWS, PROBE_TOKENS = 2, 16
PROBE_ITEMS = 32
NAMED = 12  # edits without an effect in a note
HEADS, TOGETHER = "disabled", "disabled_together"  # the tables


@dataclass(frozen=True)
class Set:
    """Heads that are disabled together."""

    what: str  # 7.9, layer 7, or as the user wrote it
    heads: tuple[Head, ...]


@dataclass(frozen=True)
class Disable:
    subject: Subject
    source: Source
    edit: str = "uniform"
    sets: tuple[Set, ...] = ()  # all heads and all layers, if none is given
    seed: int = 0
    measure: Measure = objective
    score: Score = LOSS
    kernel: str | None = None

    @property
    def name(self) -> str:
        name = chapter_name("disable", self.source)
        return name if self.edit == "uniform" else f"{name}-{self.edit}"

    def describe(self) -> dict[str, Any]:
        settings = {
            "edit": self.edit,
            "sets": [s.what for s in self.sets] or "every head and layer",
            "score": self.score.name,
            "seed": self.seed,
            "kernel": self.kernel,
            "faithful": False,
        }
        return described("disable", self.source, settings)

    def conclude(self, run: Run) -> Chapter:
        sets = self.sets or every_head_and_layer(self.subject.heads)
        edits = self._edits(sets, run)
        sweep = Sweep(edits, self.measure, seed=self.seed, kernel=self.kernel)
        can = checked(sweep, self.subject, self.source)
        done = run(Pass("sweep", self.source, [Outcomes()], sweep=can.sweep))
        (found,) = done.reducers
        assert isinstance(found, Outcomes)
        refuse_no_items(self.source, done)
        of_heads, of_others = _tables(sets, changes(found, self.score, self.seed), can.idle, self)
        return Chapter(
            self.name,
            about(self.describe(), done, [*self._notes(done, of_heads, of_others), *can.notes]),
            _rows(of_heads, self),
            {name: table for name, table in ((HEADS, of_heads), (TOGETHER, of_others)) if len(table)},
        )

    def _edits(self, sets: Sequence[Set], run: Run) -> list[HeadEdit]:
        if self.edit != "mean":
            return [EDITS[self.edit](s.heads) for s in sets]
        done = run(Pass("means", self.source, [HeadOutputMeans()], kernel=self.kernel))
        refuse_no_items(self.source, done)
        (collected,) = done.reducers
        assert isinstance(collected, HeadOutputMeans)
        means = collected.means()
        return [EDITS["mean"](s.heads, {head: means[head] for head in s.heads}) for s in sets]

    def _notes(self, done: Merged, of_heads: pd.DataFrame, of_others: pd.DataFrame) -> list[str]:
        table = of_heads if len(of_heads) else of_others
        items = int(table["n"].min())
        notes = [f"{self.score.name} {table['plain'].iloc[0]:.4f} over {items:,} items as the model is"]
        if len(of_heads):
            worse, better = (significant(of_heads, self.score, harms) for harms in (True, False))
            notes.append(
                f"of {len(of_heads):,} heads, {worse:,} make it worse when disabled and {better:,} better "
                "(p < 0.05, corrected for all of them)"
            )
        if alone := done.counts["items"] - items:
            notes.append(f"left out since no other of their batch is as long: {alone:,} items")
        return notes


def every_head_and_layer(heads: tuple[Head, ...]) -> tuple[Set, ...]:
    kinds = len({h.kind for h in heads}) > 1
    layers: dict[tuple[str, int], list[Head]] = {}
    for head in heads:
        layers.setdefault((head.kind, head.layer), []).append(head)
    return (
        *(Set(head.full if kinds else str(head), (head,)) for head in heads),
        *(
            Set(f"{kind} layer {layer}" if kinds else f"layer {layer}", tuple(own))
            for (kind, layer), own in layers.items()
        ),
    )


def sets_named(written: Sequence[str], heads: tuple[Head, ...]) -> tuple[Set, ...]:
    """Each is disabled by itself: a head, a layer, or several joined by commas."""
    called = {frozenset(s.heads): s.what for s in every_head_and_layer(heads)}
    named = [(" ".join(each.split()), heads_named(each, heads)) for each in written]
    return tuple(Set(called.get(frozenset(own), what), own) for what, own in named)


@dataclass(frozen=True)
class Checked:
    """A sweep that can be made, what is to be said of it, and the places of edits without any effect seen."""

    sweep: Sweep
    notes: tuple[str, ...] = ()
    idle: frozenset[int] = frozenset()


def checked(sweep: Sweep, subject: Subject, source: Source) -> Checked:
    """Edits that change nothing in the model's output are named, and are an error if all are such. Where
    sharing what comes before an edit would change the numbers, it is not shared, and that is said."""
    probe = probe_batch(subject, source)
    edits = [edit.resolved(subject.heads) for edit in sweep.edits]
    # a few tokens are enough for nearly all edits; whole items for the rest
    batches = chain([probe], source.batches(subject, probe_items(source)))
    without = refuse_all_without_effect(subject, edits, batches, sweep.kernel)
    idle = frozenset(place for place, edit in enumerate(edits) if any(edit is other for other in without))
    notes = [_without_effect(without)] if without else []
    sweep = replace(sweep, edits=edits)
    layers = {min((h.kind, h.layer) for h in edit.every_head): edit for edit in reversed(edits)}
    several = [*layers.values(), edits[0], edits[-1]]
    shared, plain = (
        replace(sweep, edits=several, measure=objective, shared=each).observe(subject, probe).outcomes
        for each in (True, False)
    )
    assert shared is not None
    assert plain is not None
    rounding = 100 * torch.finfo(next(subject.model.parameters()).dtype).eps
    if torch.allclose(shared, plain, rtol=rounding, atol=rounding, equal_nan=True):
        return Checked(sweep, tuple(notes), idle)
    notes.append(
        f"{type(subject.model).__name__} cannot be run from the middle on: every edit is a whole run"
    )
    return Checked(replace(sweep, shared=False), tuple(notes), idle)


def _without_effect(edits: Sequence[HeadEdit]) -> str:
    named = ", ".join(str(edit) for edit in edits[:NAMED])
    more = f" and {len(edits) - NAMED:,} more" if len(edits) > NAMED else ""
    return f"no effect on the output was seen in the first items: {named}{more}"


def probe_batch(subject: Subject, source: Source) -> Batch:
    """The first tokens of the first items, all of one length."""
    items = probe_items(source)
    if not items:
        raise AttlasError(f"{corpus_name(source)} holds nothing to run the model on")
    return _cropped(subject, next(iter(source.batches(subject, items[:PROBE_ROWS]))))


def probe_items(source: Source) -> list[Any]:
    """A few of the first items. A source that was narrowed to some of its items may leave out the first of a
    shard, so that several are prepared at once, of several shards if need be."""
    found: list[Any] = []
    seen = 0
    for shard in source.shards():
        left = None if source.limit is None else source.limit - seen
        if len(found) >= PROBE_ITEMS or left == 0:
            break
        prepared = source.prepare(shard, fewest(left, 2 * PROBE_ITEMS))
        found += prepared.items
        seen += prepared.seen
    return found[:PROBE_ITEMS]


def _cropped(subject: Subject, batch: Batch) -> Batch:
    shortest = min(int(side.real.sum(-1).min()) for side in batch.sides.values())
    length = min(PROBE_TOKENS, shortest)
    longest = max(side.real.shape[1] for side in batch.sides.values())
    inputs = {
        name: tensor[:, :length] if tensor.ndim > 1 and tensor.shape[1] == longest else tensor
        for name, tensor in batch.inputs.items()
        if "mask" not in name
    }
    cropped = subject.annotate(inputs)
    return replace(batch, inputs=cropped.inputs, sides=cropped.sides)


def refuse_no_items(source: Source, done: Merged) -> None:
    if not done.counts["items"]:
        why = f" ({done.problems[0]})" if done.problems else ""
        raise AttlasError(f"{corpus_name(source)} holds no item{why}")


def significant(table: pd.DataFrame, score: Score, harms: bool) -> int:
    """How many heads are surely needed, or surely better gone."""
    sign = -1 if score.more_is_better else 1
    return int(((table["p"] < 0.05) & (sign * table["change"] * (1 if harms else -1) > 0)).sum())


def _tables(
    sets: Sequence[Set], found: Sequence[Change], idle: frozenset[int], study: Disable
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Single heads, and what is disabled together; each corrected for its own number of tests."""
    both: list[pd.DataFrame] = []
    for single in (True, False):
        own = [
            (s, change, place not in idle)
            for place, (s, change) in enumerate(zip(sets, found, strict=True))
            if (len(s.heads) == 1) is single
        ]
        p = corrected([change for _, change, _ in own])
        rows = [
            {**_address(s, single), **_numbers(change, study), "p": adjusted, "effect_seen": seen}
            for (s, change, seen), adjusted in zip(own, p, strict=True)
        ]
        columns = [*_address(Set("", (study.subject.heads[0],)), single), *_COLUMNS]
        both.append(pd.DataFrame(rows, columns=columns))
    return both[0], both[1]


_COLUMNS = (
    *("edit", "score", "plain", "disabled", "change", "stderr", "low", "high", "p_alone", "p", "n"),
    "effect_seen",  # whether the output changed at all on the first items
)


def _address(s: Set, single: bool) -> Mapping[str, Any]:
    first = s.heads[0]
    if single:
        paper = f"{first.layer + 1}-{first.head + 1}"
        return {"kind": first.kind, "layer": first.layer, "head": first.head, "paper": paper}
    return {"what": s.what, "kind": first.kind, "layer": first.layer, "heads": len(s.heads)}


def _numbers(change: Change, study: Disable) -> dict[str, Any]:
    return {
        "edit": study.edit,
        "score": study.score.name,
        "plain": change.plain,
        "disabled": change.edited,
        "change": change.change,
        "stderr": change.stderr,
        "low": change.low,
        "high": change.high,
        "p_alone": change.p,
        "n": change.n,
    }


def _rows(table: pd.DataFrame, study: Disable) -> list[Row]:
    """`effect_on_loss`, or `effect_on_score`: how it changes without the head."""
    name = "effect_on_loss" if study.score.name == "loss" else "effect_on_score"
    return [
        Row(r["kind"], r["layer"], r["head"], name, study.edit, r["change"], r["stderr"], r["n"])
        for r in table.to_dict("records")
    ]
