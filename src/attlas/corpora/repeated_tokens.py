"""Random tokens that repeat: only what came before tells what comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from attlas.corpora.batches import REPEATED, Batch, collate
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.segments import Segment, Segments, Template, batches, template_of
from attlas.corpora.source import ItemId, MadeSource, PreparedShard, Shard, make_shards, seeded

if TYPE_CHECKING:
    from attlas.subject import Subject

ITEMS_IN_A_SHARD = 32


@dataclass(frozen=True)
class RepeatedTokens(MadeSource):
    """Random tokens, the whole of them twice. How many there are varies, so that no fixed distance tells what
    comes next. Tokens are drawn from the vocabulary without special ones. The class `repeated` is the second
    half without its first token, which nothing tells: a loss counts no other."""

    tokenizer: Any
    items: int = 64
    shortest: int = 16
    longest: int = 40
    seed: int = 0
    batch: int | None = None  # items in a batch, or as many as suit the device

    def describe(self) -> dict[str, Any]:
        template = template_of(self.tokenizer)
        return {
            "corpus": {"name": "repeated random tokens"},
            "items": self.items,
            "length": 2 * self.longest + len(template.before) + len(template.after),
            "lengths": [self.shortest, self.longest],
            "seed": self.seed,
            "batch": self.batch,
            "loss": "of the second half of each text alone, where the first half tells every token",
            "tokenizer": tokenizer_hash(self.tokenizer),
            "chosen": self.chosen.describe(),
        }

    @cached_property
    def vocabulary(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        special = set(self.tokenizer.all_special_ids)
        kept = [i for i in self.tokenizer.get_vocab().values() if i not in special]
        return np.array(sorted(kept), np.int64)

    def shards(self) -> Iterator[Shard]:
        return make_shards(self.items, ITEMS_IN_A_SHARD)

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        made = [self._item(ItemId(number, 0)) for number in shard.content]
        kept = [item for item in made[:most] if self.chosen(item)]
        return PreparedShard(kept, Counter(segments=len(kept), tokens=sum(len(i.ids) for i in kept)))

    def _item(self, id: ItemId) -> Segment:
        rng = np.random.default_rng(seeded(self.seed, "repeated", *id))
        size = int(rng.integers(self.shortest, self.longest + 1))
        drawn = rng.choice(self.vocabulary, min(size, len(self.vocabulary)), replace=False)
        template = template_of(self.tokenizer)
        ids = np.array([*template.before, *drawn, *drawn, *template.after], np.int32)
        return Segment(id, ids, np.zeros(len(ids), np.uint8))

    def batches(self, subject: Subject, items: Sequence[Segment]) -> Iterator[Batch]:
        template = template_of(self.tokenizer)
        for several in batches(items, self.batch, subject.batch_tokens):
            yield _with_repeated(collate(subject, several), several, template)


def _with_repeated(batch: Batch, segments: Segments, template: Template) -> Batch:
    """The same batch with the class `repeated`."""
    halves = (segments.lengths - len(template.before) - len(template.after)) // 2
    second = len(template.before) + halves  # where it begins
    sides = {}
    for name, side in batch.sides.items():
        later = int(name == "decoder" and "encoder" in batch.sides)  # it reads one place later
        place = np.arange(side.real.shape[1]) - later
        repeated = (place > second[:, None]) & (place < (second + halves)[:, None])
        classes = {**side.classes, REPEATED: torch.from_numpy(repeated).to(side.real.device)}
        sides[name] = replace(side, classes=classes)
    return replace(batch, sides=sides)
