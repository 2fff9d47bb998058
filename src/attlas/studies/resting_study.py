"""Resting (Clark 2019, section 3.2). Attention to [SEP], Clark et al. think, is a "no-op": where a head has
nothing to do it looks there, and what it gets from there changes little.

Do words to which a relation does not apply look at [SEP], or at the first token, where those to which it
applies do not? And does the loss change if that attention is taken away, compared with the unmodified model,
and with the model when as much attention is taken from all other tokens instead?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.atlas.chapter import Chapter
from attlas.corpora.alignment import WordBatch
from attlas.corpora.batches import Batch, Tokens
from attlas.corpora.source import Source
from attlas.corpora.windows import Window, what_was_read
from attlas.edits.head_edit import HeadEdit, Rows
from attlas.edits.sweep import Measure, Sweep
from attlas.engines.passes import Pass
from attlas.statistics.clusters import estimates, moments_by_document
from attlas.statistics.hypotheses import student_interval
from attlas.studies.disabling.disable_study import HeadSet, refuse_no_items
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.provenance import about, chapter_name, described, refuse_nothing_read
from attlas.studies.study import RunPass
from attlas.studies.weights.window_weights import Weigh, WindowWeights
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap.call import Call, WeightChange
from attlas.tap.lazy_weights import LazyWeights

STATISTIC = "resting_weight"


def resting_place(keys: Tokens) -> Tensor:
    """Return which keys are the resting place: [SEP], or the first token where there is none (batch key)."""
    rest = keys.members("sep").clone() if keys.has("sep") else torch.zeros_like(keys.real)
    without = ~rest.any(1)
    first = keys.real.int().argmax(1)  # padding may come before it
    rest[without, first[without]] = True
    return rest


@dataclass(frozen=True, kw_only=True)
class RestingStudy:
    """For every head and relation: attention to the resting place from the relation's dependents, from the
    other words of the same sentence (matched), and the difference. The windows are sentences."""

    source: Source
    relations: tuple[str, ...]

    @property
    def name(self) -> str:
        return chapter_name("resting", self.source)

    def describe(self) -> dict[str, Any]:
        return described("resting", self.source, {"relations": list(self.relations)})

    def conclude(self, run: RunPass) -> Chapter:
        weights = WindowWeights("weights", STATISTIC, OnRestingPlace(self.relations))
        done = run(Pass("weights", self.source, [weights], doing="weights on words"))
        refuse_nothing_read(self.source, done)
        notes = [
            what_was_read(done.counts, done.problems),
            "the resting place is [SEP], or the first token where there is none",
            "matched: from the words of the sentence to which the relation does not apply",
        ]
        return Chapter(self.name, about(self.describe(), done, notes), done.reducer(WindowWeights).rows())


@dataclass(frozen=True)
class OnRestingPlace:
    """Attention to the resting place, from a relation's dependents and from all other words."""

    relations: tuple[str, ...]

    def prepare(self, batch: WordBatch, kind: Kind) -> Weigh:
        queries, keys = batch.queries(kind), batch.keys(kind)
        rest = resting_place(keys)
        asking: dict[str, Tensor] = {r: torch.zeros_like(queries.real) for r in self.relations}
        words = torch.zeros_like(queries.real)
        for row, window in enumerate(batch.windows):
            for place, piece in enumerate(batch.word_pieces(kind, row)[0]):
                if not piece.spells or (kind == "decoder" and rest[row, place]):  # it sees only itself
                    continue
                words[row, place] = True
                for relation in _relations(window, piece.start, piece.end):
                    if relation in asking:
                        asking[relation][row, place] = True
        return _Rest(rest, {r: (a, words & ~a) for r, a in asking.items()}).weigh


@dataclass(frozen=True)
class _Rest:
    place: Tensor  # batch key
    asking: dict[str, tuple[Tensor, Tensor]]  # relation -> batch query: its dependents, the other words

    def weigh(self, lazy_weights: LazyWeights) -> dict[str, tuple[Tensor, Tensor, Tensor]]:
        weighed = {}
        for relation, sides in self.asking.items():
            present = sides[0].any(1) & sides[1].any(1)
            if bool(present.any()):
                value, others = (self._on_place(lazy_weights, side) for side in sides)
                weighed[relation] = (value, others, present)
        return weighed

    def _on_place(self, lazy_weights: LazyWeights, queries: Tensor) -> Tensor:
        """window head: the mean over these queries of what they give to the resting place."""
        share = queries / queries.sum(1, keepdim=True).clamp(min=1)
        received = lazy_weights.received(share)  # batch head key
        return (received * self.place[:, None]).sum(-1)


def _relations(window: Window, start: int, end: int) -> Sequence[str]:
    """Return those that the words under some characters have, with their subtypes and without."""
    return [
        name
        for word, (first, past) in zip(window.words, window.spans, strict=True)
        if first < end and start < past
        for name in {word.relation, word.relation.split(":")[0]}
    ]


TABLE = "resting_loss"
COLUMNS = ("what", "kind", "layer", "heads", "compared", "change", "stderr", "low", "high", "n", "documents")
#: what is compared with what: the loss with the first less that with the second
COMPARED = {
    "without resting": "attention to the resting place taken away, less the model as it is",
    "without as much of the rest": "as much attention to other tokens taken away, less the model as it is",
    "resting, less the rest": "the first, less the second",
}


@dataclass(frozen=True, kw_only=True)
class RestingLoss:
    """For every set of heads: the loss without their attention to the resting place, and without as much of
    their attention to all other tokens."""

    subject: Subject
    source: Source
    sets: tuple[HeadSet, ...]
    measure: Measure = objective

    @property
    def name(self) -> str:
        return chapter_name("resting-loss", self.source)

    def describe(self) -> dict[str, Any]:
        return described("resting_loss", self.source, {"sets": [s.what for s in self.sets]})

    def conclude(self, run: RunPass) -> Chapter:
        place = RestingPlace()
        edits = [
            HeadEdit(name, s.heads, weights_in=WeightRemoval(place, name == "rest"))
            for s in self.sets
            for name in ("rest", "as much")
        ]
        sweep = Sweep(edits, Reading(place, self.measure))
        done = run(Pass("sweep", self.source, [Outcomes()], sweep=sweep, doing="without each head"))
        refuse_no_items(self.source, done)
        notes = [
            "the resting place is [SEP], or the first token where there is none",
            "weights are taken away, and the others stay as they are: rows then sum to less than 1",
            "as much of the rest: or all of it, where a token gives more than half to the resting place",
            "a token that sees nothing but the resting place, as a decoder's first, is left as it is",
        ]
        table = _table(self.sets, done.reducer(Outcomes))
        return Chapter(self.name, about(self.describe(), done, notes), (), {TABLE: table})


@dataclass
class RestingPlace:
    """Which tokens of the batch that is read now are the resting place: what the edits are told."""

    members: Tensor | None = None  # batch key

    def read(self, subject: Subject, batch: Batch) -> None:
        self.members = resting_place(batch.keys(subject.kinds[0]))


@dataclass(frozen=True)
class Reading:
    """Measures the loss of a batch, after the edits were told where its resting place is."""

    place: RestingPlace
    measure: Measure

    def __call__(self, subject: Subject, batch: Batch, seed: int) -> tuple[Batch, Callable[[Any], Tensor]]:
        self.place.read(subject, batch)
        return self.measure(subject, batch, seed)


@dataclass(frozen=True)
class WeightRemoval:
    """Takes the weights of the resting place away; or, if not `resting`, as much of all others together, each
    by the same share."""

    place: RestingPlace
    resting: bool

    def __call__(self, call: Call, rows: Rows) -> WeightChange:
        assert self.place.members is not None
        members = self.place.members.to(call.query.device)
        if rows is not None:  # of copies of the batch, one after the other
            members = members[torch.tensor(rows, device=members.device) % len(members)]
        return RemovedWeights(members[:, None, None], self.resting)


@dataclass(frozen=True)
class RemovedWeights:
    members: Tensor  # row 1 1 key
    resting: bool

    def __call__(self, weights: Tensor, allowed: Tensor | None) -> Tensor:
        on_others = weights.masked_fill(self.members, 0)
        if self.resting:
            return torch.where(on_others.sum(-1, keepdim=True) > 0, on_others, weights)
        share = (weights.sum(-1) - on_others.sum(-1)) / on_others.sum(-1).clamp(min=1e-9)
        kept = (1 - share).clamp(min=0)[..., None]  # row head query 1
        return torch.where(self.members, weights, kept * weights)


def _table(sets: Sequence[HeadSet], outcomes: Outcomes) -> pd.DataFrame:
    ids, (plain, *edited) = outcomes.ids(), outcomes.table()
    rows = []
    for number, head_set in enumerate(sets):
        rest, as_much = edited[2 * number], edited[2 * number + 1]
        differences = dict(zip(COMPARED, (rest - plain, as_much - plain, rest - as_much), strict=True))
        first = head_set.heads[0]
        for compared, difference in differences.items():
            known = estimates(moments_by_document(difference, ids))
            low, high = student_interval(known.mean, known.stderr, known.degrees)
            where = head_set.what, first.kind, first.layer, len(head_set.heads), compared
            numbers = (float(n) for n in (known.mean, known.stderr, low, high))
            rows.append((*where, *numbers, int(known.items), int(known.documents)))
    return pd.DataFrame(rows, columns=list(COLUMNS))
