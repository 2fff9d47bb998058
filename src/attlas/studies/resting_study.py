"""Resting (Clark 2019, section 3.2): do words to which a relation does not apply look at [SEP], or at the
first token, where those to which it applies do not?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.atlas.chapter import Chapter
from attlas.corpora.alignment import WordBatch
from attlas.corpora.source import Source
from attlas.corpora.windows import Window, what_was_read
from attlas.engines.passes import Pass
from attlas.studies.provenance import about, chapter_name, described, refuse_nothing_read
from attlas.studies.study import RunPass
from attlas.studies.weights.window_weights import Weigh, WindowWeights
from attlas.tap.lazy_weights import LazyWeights

STATISTIC = "resting_weight"


@dataclass(frozen=True)
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
        done = run(Pass("weights", self.source, [weights]))
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
        rest = keys.members("sep") if keys.has("sep") else torch.zeros_like(keys.real)
        without = ~rest.any(1)
        rest[without, 0] = True  # padding comes last
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
    """Those that the words under some characters have, with their subtypes and without."""
    return [
        name
        for word, (first, past) in zip(window.words, window.spans, strict=True)
        if first < end and start < past
        for name in {word.relation, word.relation.split(":")[0]}
    ]
