"""What patterns are looked for in: text, random tokens that repeat, and texts with a needle in them.

Each is a source: items by id, shards, batches, whoever reads them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.batches import REPEATED, Batch
from attlas.corpora.collating import collate
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.segments import Segment, Segments, Template, batches, template_of
from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard, Source, seeded
from attlas.corpora.token_text import bare
from attlas.studies.patterns.definitions import PatternBatch, PatternTokens, classes_of
from attlas.studies.patterns.related import Kinship
from attlas.subject import Subject

SENTENCE_ENDS = frozenset(".!?")
REPEATED_SHARD = 32  # items


@dataclass(frozen=True)
class PatternText:
    """A source of text whose batches also say what patterns need: which tokens are special, akin, and of one
    sentence (A or B where there are pairs, else what stands between full stops)."""

    source: Source
    kinship: Kinship

    @property
    def limit(self) -> int | None:
        return self.source.limit

    def describe(self) -> dict[str, Any]:
        return {**self.source.describe(), "related": self.kinship.describe()}

    def shards(self) -> Iterator[Shard]:
        return self.source.shards()

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        return self.source.prepare(shard, most)

    def batches(self, subject: Subject, items: Sequence[Any]) -> Iterator[Batch]:
        for batch in self.source.batches(subject, items):
            yield annotated(subject, batch, self.kinship)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> PatternText:
        return replace(self, source=self.source.only(chosen))


def annotated(subject: Subject, batch: Batch, kinship: Kinship | None) -> PatternBatch:
    texts = {}
    special = torch.tensor(sorted(set(subject.tokenizer.all_special_ids)), device=subject.device)
    for side, tokens in batch.sides.items():
        if tokens.ids is None:
            continue
        specials = torch.isin(tokens.ids, special) & tokens.real
        sentence = torch.full_like(tokens.ids, -1)
        if "sentence_b" in tokens.classes:
            for number, name in enumerate(("sentence_a", "sentence_b")):
                sentence = sentence.masked_fill(tokens.classes[name], number)
        else:
            ends = torch.isin(tokens.ids, _ends(subject.tokenizer).to(subject.device)) & tokens.real
            before = ends.cumsum(-1) - ends.long()  # a full stop belongs to what it ends
            sentence = torch.where(tokens.real & ~specials, before, sentence)
        akin = None if kinship is None else kinship.related(subject, tokens.ids)
        unknown = torch.isin(tokens.ids, _unknown(subject.tokenizer).to(subject.device)) & tokens.real
        texts[side] = PatternTokens(
            tokens.ids, tokens.real, specials, sentence, akin, batch.ids, unknown, classes_of(tokens)
        )
    return PatternBatch(batch.inputs, batch.sides, batch.ids, texts)


def _unknown(tokenizer: Any) -> Tensor:
    """[UNK], unless the same token begins or ends texts as well (GPT-2's does)."""
    others = (getattr(tokenizer, f"{role}_token_id", None) for role in ("bos", "eos", "cls", "sep", "pad"))
    unknown = getattr(tokenizer, "unk_token_id", None)
    return torch.tensor([] if unknown is None or unknown in others else [unknown], dtype=torch.long)


@lru_cache(maxsize=4)
def _ends(tokenizer: Any) -> Tensor:
    """The tokens that end a sentence; going through a vocabulary takes longer than a GPU's batch."""
    return torch.tensor([i for t, i in tokenizer.get_vocab().items() if bare(t) in SENTENCE_ENDS])


@dataclass(frozen=True)
class RepeatedTokens:
    """Random tokens, the whole of them twice: only what came before tells what comes next. How many there are
    varies, so that no fixed distance does. Tokens are drawn from the vocabulary without special ones. The
    class `repeated` is the second half without its first token, which nothing tells: a loss counts no other.
    """

    tokenizer: Any
    items: int = 64
    shortest: int = 16
    longest: int = 40
    seed: int = 0
    batch: int | None = None  # items in a batch, or as many as suit the device
    chosen: Chosen = ALL_ITEMS
    limit: int | None = field(default=None, init=False)

    def describe(self) -> dict[str, Any]:
        return {
            "corpus": {"name": "repeated random tokens"},
            "items": self.items,
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
        for number, start in enumerate(range(0, self.items, REPEATED_SHARD)):
            yield Shard(number, (start, min(start + REPEATED_SHARD, self.items)))

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        made = [self._item(ItemId(number, 0)) for number in range(*shard.content)]
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
            yield annotated(subject, _with_repeated(collate(subject, several), several, template), None)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> RepeatedTokens:
        return replace(self, chosen=self.chosen.and_also(chosen))


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
