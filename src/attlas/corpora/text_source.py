"""TextSource: segments of a text corpus, a shard at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attlas.corpora.batches import Batch
from attlas.corpora.classes import TokenClasses
from attlas.corpora.collating import collate
from attlas.corpora.documents import TextCorpus
from attlas.corpora.pieces import tokenizer_hash
from attlas.corpora.segments import Segment, SegmentCutter, batches
from attlas.corpora.source import ALL_ITEMS, Chosen, ItemId, PreparedShard, Shard
from attlas.corpora.text_preparer import TextPreparer

if TYPE_CHECKING:
    from attlas.subject import Subject

CHARACTERS_IN_A_TOKEN = 4  # about, to cut shards without tokenising
SHARD_TOKENS = 2**18
TOKENS_IN_A_BATCH = {"cpu": 2048, "cuda": 32_768}
ONE_STREAM = "faithful: one random stream runs through the text, as in the original, so that it is one shard"


@dataclass(frozen=True)
class TextSource:
    """`limit`: the first so many segments. `batch`: segments in a batch, or as many as suit the device.
    `strict`: a document that cannot be read is an error, and is not skipped."""

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
    def preparer(self) -> TextPreparer:
        cutter = SegmentCutter.of(self.tokenizer, self.length, self.seed, self.faithful)
        return TextPreparer(self.corpus, cutter, self.limit, self.strict, self.chosen)

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
        return {**about, "note": ONE_STREAM} if self.faithful else about

    def shards(self) -> Iterator[Shard]:
        if self.faithful:
            yield Shard(0, None)
            return
        numbers = self.chosen.documents
        size = self.shard_tokens * CHARACTERS_IN_A_TOKEN
        parts = self.corpus.parts(size) if numbers is None else self.corpus.chosen(numbers)
        for number, content in enumerate(parts):
            yield Shard(number, content)

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        return self.preparer.prepare(shard, most)

    def batches(self, subject: Subject, items: Sequence[Segment]) -> Iterator[Batch]:
        tokens = TOKENS_IN_A_BATCH.get(subject.device.type, TOKENS_IN_A_BATCH["cpu"])
        for several in batches(items, self.batch, tokens):
            yield collate(subject, several, self.classes, one_type=self.faithful)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> TextSource:
        # what is one shard is not to be read to its end for a few of its first items
        limit = self.limit if callable(chosen) or self.faithful else None
        return replace(self, chosen=self.chosen.and_also(chosen), limit=limit)
