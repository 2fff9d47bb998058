"""TextSource: segments of a text corpus, a shard at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from attlas.corpora.batches import Batch, collate
from attlas.corpora.classes import TokenClasses
from attlas.corpora.documents import Content, TextCorpus
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.segments import Segment, SegmentCutter, batches
from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard, in_runs
from attlas.corpora.text_preparer import CHARACTERS_IN_A_TOKEN, Drawn, TextPreparer, draw_segments, draws

if TYPE_CHECKING:
    from attlas.subject import Subject

SHARD_TOKENS = 2**18
ONE_STREAM = "faithful: one random stream runs through the text, as in the original, so that it is one shard"


@dataclass(frozen=True)
class TextSource:
    """`limit`: how many segments, drawn across documents; the first ones if `faithful`. `batch`: segments in
    a batch, or as many as suit the device. `strict`: a document that cannot be read is an error, and is not
    skipped."""

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
        """Which segments are read, where the text has more than the limit and they are drawn one by one."""
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
        return about if self.limit is None else {**about, "drawn": "across documents"}

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
            yield tuple(chain.from_iterable(self.corpus.chosen(documents)))

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
