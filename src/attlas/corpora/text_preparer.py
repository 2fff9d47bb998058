"""From a shard of text to its segments: all of them, or a sample where there are more than are wanted.

Processes that do only this are ready soon: it needs no PyTorch.

Of a text that has more segments than are wanted, some of many documents are read, not all of few: segments of
one document are alike, so a hundred of one article say little of other articles. Every document gives as many
as every other, as long as it has them: errors and tests are surest then. Each segment has a number that
belongs to its id and the seed. The segment with the smallest number of each document is read, then the second
of each, and so on; of the last round, those with the smallest numbers. So the same sample is drawn by all.
To draw it, a text is looked through: all of it where it is small, else runs of documents all over it (of a
stream only the beginning), until there is enough to choose from.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice

from attlas.corpora.documents import Problem, TextCorpus, document_sentences
from attlas.corpora.segments import SegmentCutter, Segments
from attlas.corpora.source import Chosen, ItemId, PreparedShard, Shard, Skips, fewest, seeded

CHARACTERS_IN_A_TOKEN = 4  # about, to tell sizes without tokenising
LOOKED_THROUGH = 2**22  # characters, if the corpus has them
FEWEST_DOCUMENTS, MOST_LOOKED_THROUGH = 64, 2**26  # of long documents more is looked through, up to a point
RUN = 2**16  # characters that are read at one place


@dataclass(frozen=True)
class Drawn:
    """The segments that are read, and what was met on the way to them: documents that cannot be read, and the
    names of the first."""

    ids: frozenset[ItemId]
    skipped: int = 0
    problems: tuple[str, ...] = ()


def draws(limit: int, length: int) -> bool:
    """Whether segments are drawn one by one. So many that they fill what would be looked through come from
    many documents anyway: then whole documents are read, in a random order."""
    return limit * length * CHARACTERS_IN_A_TOKEN <= LOOKED_THROUGH


def draw_segments(
    corpus: TextCorpus, cutter: SegmentCutter, limit: int, strict: bool = False
) -> Drawn | None:
    """`limit` segments of a text; None where it has no more than that."""
    first: list[tuple[int, int, ItemId]] = []  # a heap, of which the last to be read comes first
    skipped, seen = Skips(strict), Counter[str]()
    segments = cutter.cut(_looked_through(corpus, cutter.seed, limit, skipped, seen))
    for _, of_document in groupby(segments, key=lambda segment: segment.id.document):
        ids = [segment.id for segment in of_document]
        seen["segments"] += len(ids)
        numbers = sorted((seeded(cutter.seed, "drawn", *item), item) for item in ids)
        for place, (number, item) in enumerate(numbers[:limit]):
            if len(first) < limit:
                heapq.heappush(first, (-place, -number, item))
            elif heapq.heappushpop(first, (-place, -number, item))[2] == item:
                break  # nor are the document's other ones
    if seen["segments"] <= limit:
        return None
    return Drawn(frozenset(item for *_, item in first), *skipped.take())


def _looked_through(
    corpus: TextCorpus, seed: int, limit: int, skipped: Skips, seen: Counter[str]
) -> Iterator[tuple[int, list[str]]]:
    """Documents that segments are drawn from, until there is enough of them."""
    for content in corpus.spread(RUN, seed):
        for entry in corpus.read(content):
            seen["characters"] += entry.size
            if isinstance(entry, Problem):
                skipped.add(f"{entry.name}: {entry.what}")
            elif sentences := document_sentences(entry.text, corpus.lines_are_sentences):
                seen["documents"] += 1
                yield entry.number, sentences
        much = MOST_LOOKED_THROUGH if seen["documents"] < FEWEST_DOCUMENTS else LOOKED_THROUGH
        if seen["characters"] >= much and seen["segments"] > limit:
            return


@dataclass(frozen=True)
class TextPreparer:
    """What a `TextSource` prepares shards with."""

    corpus: TextCorpus
    cutter: SegmentCutter
    limit: int | None
    strict: bool
    chosen: Chosen
    drawn: Drawn | None = None

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        counts, skipped = Counter[str](), Skips(self.strict)
        segments = self.cutter.cut(self._documents(shard, skipped), counts)
        if self.drawn is not None:
            segments = (segment for segment in segments if segment.id in self.drawn.ids)
        seen = list(islice(segments, fewest(most, self.limit)))
        items = [segment for segment in seen if self.chosen(segment)]
        skips, problems = skipped.take()
        if self.drawn is not None and shard.number == 0:  # what was met when all of them were drawn
            skips, problems = skips + self.drawn.skipped, problems + self.drawn.problems
        counts.update(segments=len(items), tokens=sum(len(s.ids) for s in items), skipped=skips)
        return PreparedShard(Segments.of(items), +counts, problems, len(seen))

    def _documents(self, shard: Shard, skipped: Skips) -> Iterator[tuple[int, list[str]]]:
        entries = self.corpus.entries() if shard.content is None else self.corpus.read(shard.content)
        for entry in entries:
            if isinstance(entry, Problem):
                skipped.add(f"{entry.name}: {entry.what}")
                continue
            if sentences := document_sentences(entry.text, self.corpus.lines_are_sentences):
                yield entry.number, sentences
