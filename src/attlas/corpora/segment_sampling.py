"""Which segments of a text are read when it has more than are wanted: some of many documents, not all of few.

Segments of one document are alike, so a hundred of one article say little of other articles. Each segment has
a number that belongs to its id and the seed, and those with the smallest numbers are read: a simple random
sample, the same whoever draws it. To draw them, a text is looked through: all of it where it is small, else
runs of documents all over it (a stream has only a beginning), until there is enough to choose from.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from attlas.corpora.documents import Problem, TextCorpus
from attlas.corpora.segments import SegmentCutter
from attlas.corpora.sentence_splitting import document_sentences
from attlas.corpora.source import ItemId, Skipped, seeded

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
    smallest: list[tuple[int, ItemId]] = []  # a heap, of which the largest number comes first
    skipped, seen = Skipped(strict), Counter[str]()
    for segment in cutter.cut(_looked_through(corpus, cutter.seed, limit, skipped, seen)):
        seen["segments"] += 1
        number = seeded(cutter.seed, "drawn", *segment.id)
        if len(smallest) < limit:
            heapq.heappush(smallest, (-number, segment.id))
        else:
            heapq.heappushpop(smallest, (-number, segment.id))
    if seen["segments"] <= limit:
        return None
    return Drawn(frozenset(item for _, item in smallest), *skipped.take())


def _looked_through(
    corpus: TextCorpus, seed: int, limit: int, skipped: Skipped, seen: Counter[str]
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
