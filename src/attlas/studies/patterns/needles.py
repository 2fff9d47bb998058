"""Needles: a sentence that nobody could guess, somewhere in a long text, which is then asked for and
repeated.

The text is the corpus's own, cut to length; the needle stands at a depth; a question follows, and the needle
again, as the model would have to copy it (teacher forcing: it is given, not generated).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import torch

from attlas.corpora.batches import Batch
from attlas.corpora.collating import collate
from attlas.corpora.documents import Problem, TextCorpus
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.segments import Segment, template_of
from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard, seeded
from attlas.studies.patterns.retrieval import NeedleBatch
from attlas.subject import Subject

DEPTHS = (0.1, 0.5, 0.9)
#: who, what, where: enough of each that no two needles of a run are alike
WHO = ("Marta", "Oskar", "Leila", "Bruno", "Ingrid", "Tomas", "Yuki", "Farah")
WHAT = ("a copper lantern", "seven blue marbles", "an old accordion", "the silver whistle", "a jar of honey")
WHERE = ("under the harbour stairs", "behind the third bookshelf", "inside the clock tower", "near the mill")
QUESTION = "\nWhat did the text say about {who}? It said:"


@dataclass(frozen=True)
class Needle:
    """An item: its tokens, and where the needle's tokens stand, first and again."""

    segment: Segment
    first: tuple[int, ...]
    again: tuple[int, ...]

    @property
    def id(self) -> ItemId:
        return self.segment.id


@dataclass(frozen=True)
class Needles:
    """`lengths` x `depths` x `times` items, each a shard, since the long ones are long."""

    corpus: TextCorpus
    tokenizer: Any
    lengths: tuple[int, ...]
    depths: tuple[float, ...] = DEPTHS
    times: int = 4
    seed: int = 0
    chosen: Chosen = ALL_ITEMS
    limit: int | None = field(default=None, init=False)

    def describe(self) -> dict[str, Any]:
        about = {"lengths": list(self.lengths), "depths": list(self.depths), "times": self.times}
        return {
            "corpus": self.corpus.describe(),
            **about,
            "seed": self.seed,
            "tokenizer": tokenizer_hash(self.tokenizer),
            "chosen": self.chosen.describe(),
        }

    def shards(self) -> Iterator[Shard]:
        for number, place in enumerate(
            (length, depth) for length in self.lengths for depth in range(len(self.depths))
        ):
            yield Shard(number, place)

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        length, depth = shard.content
        made = [self._item(ItemId(length, depth * self.times + i), length, depth) for i in range(self.times)]
        kept = [item for item in made if item is not None and self.chosen(item)][:most]
        return PreparedShard(kept, Counter(segments=len(kept), tokens=sum(len(i.segment.ids) for i in kept)))

    @cached_property
    def _hay(self) -> list[int]:
        """The beginning of the corpus, as tokens, three times as long as the longest item."""
        wanted = 3 * max(self.lengths)
        ids: list[int] = []
        entries = (entry for entry in self.corpus.entries() if not isinstance(entry, Problem))
        for entry in islice(entries, 10_000):
            ids += self._ids(" ".join(entry.text.split())[: 8 * wanted] + "\n")
            if len(ids) >= wanted:
                break
        return ids

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def _item(self, id: ItemId, length: int, depth: int) -> Needle | None:
        rng = np.random.default_rng(seeded(self.seed, "needle", *id))
        who, what, where = (str(rng.choice(list(some))) for some in (WHO, WHAT, WHERE))
        needle = self._ids(f" {who} hid {what} {where}.")
        question = self._ids(QUESTION.format(who=who))
        before = list(template_of(self.tokenizer).before)
        room = length - len(before) - 2 * len(needle) - len(question)
        if room < 2 or len(self._hay) < room:
            return None
        start = int(rng.integers(len(self._hay) - room + 1))
        hay = self._hay[start : start + room]
        at = round(self.depths[depth] * room)
        ids = [*before, *hay[:at], *needle, *hay[at:], *question, *needle]
        first = len(before) + at
        again = len(ids) - len(needle)
        places = tuple(range(len(needle)))
        segment = Segment(id, np.array(ids, np.int32), np.zeros(len(ids), np.uint8))
        return Needle(segment, tuple(first + i for i in places), tuple(again + i for i in places))

    def batches(self, subject: Subject, items: Sequence[Needle]) -> Iterator[Batch]:
        for item in items:  # one by one: they are long
            yield needle_batch(subject, item)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> Needles:
        return replace(self, chosen=self.chosen.and_also(chosen))


def needle_batch(subject: Subject, item: Needle) -> NeedleBatch:
    plain = collate(subject, [item.segment])
    first, again = (torch.tensor(places, device=subject.device) for places in (item.first, item.again))
    return NeedleBatch(plain.inputs, plain.sides, plain.ids, first, again)
