"""From a shard of text to its segments. Processes that do only this are ready soon: it needs no PyTorch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from attlas.corpora.documents import Problem, TextCorpus
from attlas.corpora.segment_sampling import Drawn
from attlas.corpora.segments import SegmentCutter, Segments
from attlas.corpora.sentence_splitting import document_sentences
from attlas.corpora.source import Chosen, PreparedShard, Shard, Skipped, fewest


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
        counts, skipped = Counter[str](), Skipped(self.strict)
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

    def _documents(self, shard: Shard, skipped: Skipped) -> Iterator[tuple[int, list[str]]]:
        entries = self.corpus.entries() if shard.content is None else self.corpus.read(shard.content)
        for entry in entries:
            if isinstance(entry, Problem):
                skipped.add(f"{entry.name}: {entry.what}")
                continue
            if sentences := document_sentences(entry.text, self.corpus.lines_are_sentences):
                yield entry.number, sentences
