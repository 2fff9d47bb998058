"""Items of text, a shard at a time: segments of a corpus, or random tokens that repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from attlas.corpora.batches import REPEATED, Batch, TokenClasses, collate
from attlas.corpora.documents import Content, TextCorpus
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.segments import Segment, SegmentCutter, Segments, Template, batches, template_of
from attlas.corpora.source import (
    ALL_ITEMS,
    Chosen,
    ItemId,
    MadeSource,
    PreparedShard,
    Shard,
    in_runs,
    make_shards,
    seeded,
)
from attlas.corpora.text_preparer import CHARACTERS_IN_A_TOKEN, Drawn, TextPreparer, draw_segments, draws

if TYPE_CHECKING:
    from attlas.subject import Subject


SHARD_TOKENS = 2**18
ONE_STREAM = "faithful: one random stream runs through the text, as in the original, so that it is one shard"


@dataclass(frozen=True)
class TextSource:
    """`limit`: how many segments, drawn evenly across documents; the first ones if `faithful`. `batch`:
    segments in a batch, or as many as suit the device. `strict`: a document that cannot be read is an error,
    and is not skipped."""

    corpus: TextCorpus
    tokenizer: Any
    length: int = 128
    limit: int | None = None
    seed: int = 0
    faithful: bool = False
    classes: TokenClasses | None = None
    batch: int | None = None
    shard_tokens: int = SHARD_TOKENS
    strict: bool = False
    chosen: Chosen = ALL_ITEMS

    def __post_init__(self) -> None:
        # a document that is cut, because it is too long to be held, must still fill a segment
        held = self.corpus.holding(2 * CHARACTERS_IN_A_TOKEN * self.length)
        object.__setattr__(self, "corpus", held)

    @cached_property
    def _cutter(self) -> SegmentCutter:
        return SegmentCutter.of(self.tokenizer, self.length, self.seed, self.faithful)

    @cached_property
    def preparer(self) -> TextPreparer:
        return TextPreparer(self.corpus, self._cutter, self.limit, self.strict, self.chosen, self.drawn)

    @cached_property
    def drawn(self) -> Drawn | None:
        """Return which segments are read, where the text has more than the limit and they are drawn one by
        one."""
        if self.limit is None or self.faithful or not draws(self.limit, self.length):
            return None
        return draw_segments(self.corpus, self._cutter, self.limit, self.strict)

    def describe(self) -> dict[str, Any]:
        about = {
            "corpus": self.corpus.describe(),
            "lines": "sentences" if self.corpus.lines_are_sentences else "paragraphs",
            "items": "segments",
            "length": self.length,
            "limit": self.limit,
            "seed": self.seed,
            "batch": self.batch,
            "faithful": self.faithful,
            "shard_tokens": self.shard_tokens,
            "tokenizer": tokenizer_hash(self.tokenizer),
            "strict": self.strict,
            "chosen": self.chosen.describe(),
        }
        if self.faithful:
            return {**about, "note": ONE_STREAM}
        return about if self.limit is None else {**about, "drawn": "evenly across documents"}

    def shards(self) -> Iterator[Shard]:
        if self.faithful:
            yield Shard(0, None)
            return
        for number, content in enumerate(self._parts()):
            yield Shard(number, content)

    def _parts(self) -> Iterator[Content]:
        size = self.shard_tokens * CHARACTERS_IN_A_TOKEN
        if self.chosen.ids is not None:
            return self._with_documents(self.chosen.ids)
        if self.drawn is not None:
            return self._with_documents(self.drawn.ids)
        if self.limit is None or draws(self.limit, self.length):
            return self.corpus.parts(size)
        return self.corpus.spread(size, self.seed)

    def _with_documents(self, ids: Collection[ItemId]) -> Iterator[Content]:
        """Runs of the documents that have these segments, a shard's worth of segments each."""
        segments = Counter(item.document for item in ids)
        for documents in in_runs(sorted(segments), lambda n: segments[n] * self.length, self.shard_tokens):
            yield tuple(chain.from_iterable(self.corpus.choose(documents)))

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        return self.preparer.prepare(shard, most)

    def batches(self, subject: Subject, items: Sequence[Segment]) -> Iterator[Batch]:
        for several in batches(items, self.batch, subject.batch_tokens):
            yield collate(subject, several, self.classes, one_type=self.faithful)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> TextSource:
        # what is one shard is not to be read to its end for a few of its first items
        limit = self.limit if callable(chosen) or self.faithful else None
        narrowed = replace(self, chosen=self.chosen.and_also(chosen), limit=limit)
        if callable(chosen):
            narrowed.__dict__["drawn"] = self.drawn  # drawing takes a while
        return narrowed


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
