"""Pairs as a source: what a model reads of each, clean and corrupt, in batches."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.batches import Batch
from attlas.corpora.collating import collate
from attlas.corpora.segments import Segment, batches
from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard
from attlas.studies.patching.pair_texts import PairItem
from attlas.subject import Subject

SHARD = 16  # pairs: each is run thousands of times
TOKENS = {"cpu": 1024, "cuda": 16_384}  # of a batch


@dataclass(frozen=True)
class PairBatch(Batch):
    """The clean texts of some pairs, and beside them the corrupt ones. An answer is read at its place."""

    places: Tensor  # batch token: one in each row
    answers: Tensor  # batch
    wrongs: Tensor  # batch
    corrupt: PairBatch | None = None


@dataclass(frozen=True)
class PairSource:
    """Pairs that fit the model. `about` is where they come from, for the chapter's provenance."""

    items: tuple[PairItem, ...]
    about: tuple[tuple[str, Any], ...]
    batch: int | None = None
    shard: int | None = None  # tokens
    chosen: Chosen = ALL_ITEMS
    limit: int | None = field(default=None, init=False)

    def describe(self) -> dict[str, Any]:
        written = repr(self.items).encode()
        return {
            "corpus": {**dict(self.about), "checksum": hashlib.sha256(written).hexdigest()},
            "items": "pairs",
            "pairs": len(self.items),
            "batch": self.batch,
            "shard_tokens": self.shard,
            "chosen": self.chosen.describe(),
        }

    def shards(self) -> Iterator[Shard]:
        longest = max((len(item.clean) for item in self.items), default=1)
        size = SHARD if self.shard is None else max(1, self.shard // longest)
        for number, start in enumerate(range(0, len(self.items), size)):
            yield Shard(number, self.items[start : start + size])

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        kept = [item for item in shard.content[:most] if self.chosen(item)]
        counts = Counter(pairs=len(kept), tokens=sum(2 * len(item.clean) for item in kept))
        return PreparedShard(kept, counts)

    def batches(self, subject: Subject, items: Sequence[PairItem]) -> Iterator[PairBatch]:
        by_id = {item.id: item for item in items}
        tokens = TOKENS.get(subject.device.type, TOKENS["cpu"])
        for several in batches([_segment(item, item.clean) for item in items], self.batch, tokens):
            yield pair_batch(subject, [by_id[segment.id] for segment in several])

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> PairSource:
        return replace(self, chosen=self.chosen.and_also(chosen))


def pair_batch(subject: Subject, items: Sequence[PairItem]) -> PairBatch:
    clean = collate(subject, [_segment(item, item.clean) for item in items])
    corrupt = collate(subject, [_segment(item, item.corrupt) for item in items])
    places = torch.zeros_like(clean.inputs["input_ids"], dtype=torch.bool)
    places[torch.arange(len(items)), torch.tensor([item.place for item in items])] = True
    answers = torch.tensor([item.answer for item in items], device=subject.device)
    wrongs = torch.tensor([item.wrong for item in items], device=subject.device)
    other = PairBatch(corrupt.inputs, corrupt.sides, corrupt.ids, places, answers, wrongs)
    return PairBatch(clean.inputs, clean.sides, clean.ids, places, answers, wrongs, other)


def _segment(item: PairItem, ids: Sequence[int]) -> Segment:
    return Segment(item.id, np.array(ids, np.int32), np.zeros(len(ids), np.uint8))
