"""Until the engines and the sources of windows land: a source over windows that are cut already, and a run in
this process that treats reducers as an engine does (empty copies through pickle, a shard each, merged)."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from importlib.util import find_spec
from operator import or_
from typing import Any

from attlas.corpora.alignment import aligned_batches, fits
from attlas.corpora.reading import AnnotatedCorpus
from attlas.corpora.source import ItemId, Prepared, Shard, Source
from attlas.corpora.windows import (
    Cut,
    Text,
    Window,
    covering_window,
    document_windows,
    first_windows,
    sentence_windows,
)
from attlas.corpora.words import Document
from attlas.engines.passes import Pass
from attlas.studies.study import Merged, Run
from attlas.subject import Subject
from attlas.tap import Needs, Observation, Tap

#: whether the sources of windows and the engines are here: without them, stand-ins do their work
CONNECTED = bool(find_spec("attlas.corpora.window_source") and find_spec("attlas.studies.carry_out"))
SHARD = 60  # windows


@dataclass(frozen=True)
class WindowList:
    """Windows, and what was counted when they were cut."""

    about: dict[str, Any]
    windows: tuple[Window, ...]
    counts: Counter[str]
    test: Callable[[Any], bool] | None = None
    ids: frozenset[ItemId] | None = None
    limit: int | None = None

    def describe(self) -> dict[str, Any]:
        return dict(self.about)

    def shards(self) -> Iterator[Shard]:
        for number, start in enumerate(range(0, max(1, len(self.windows)), SHARD)):
            yield Shard(number, self.windows[start : start + SHARD])

    def prepare(self, shard: Shard) -> Prepared:
        items = [
            w
            for w in shard.content
            if (self.test is None or self.test(w)) and (self.ids is None or w.id in self.ids)
        ]
        return Prepared(items, Counter(self.counts) if shard.number == 0 else Counter())

    def batches(self, subject: Subject, items: Sequence[Any]) -> Iterator[Any]:
        return aligned_batches(subject, items)

    def only(self, chosen: Collection[ItemId] | Callable[[Any], bool]) -> Source:
        if callable(chosen):
            return replace(self, test=chosen)
        return replace(self, ids=frozenset(chosen))


Cutter = Callable[[Iterator[Document], Cut], Iterator[Window]]


def cut(
    corpus: AnnotatedCorpus,
    subject: Subject,
    kind: str = "sentences",
    length: int = 128,
    text: Text = "words",
    shortest: int = 1,
    longest: int | None = None,
    keep: Callable[[Document], bool] | None = None,
) -> WindowList:
    """The windows of a corpus: sentences, documents, first (windows of documents) or mentions (GAP)."""
    fit, seen = fits(subject, length), Cut()
    documents = filter(keep, corpus.read()) if keep else corpus.read()
    found: Iterator[Window | None]
    if kind == "sentences":
        found = sentence_windows(documents, fit, seen, text, shortest, longest)
    elif kind == "mentions":
        found = (covering_window(document, fit, seen, text) for document in documents)
    else:
        found = {"documents": document_windows, "first": first_windows}[kind](documents, fit, seen, text)
    windows: list[Window] = []
    for window in (w for w in found if w is not None):
        before = windows[-1] if windows else None
        if before is None:
            own = ItemId(0, 0)
        elif before.document is window.document:
            own = ItemId(before.id.document, before.id.place + 1)
        else:
            own = ItemId(before.id.document + 1, 0)
        windows.append(replace(window, id=own))
    counts = Counter(
        documents=seen.documents, sentences=seen.sentences, windows=seen.windows, too_long=seen.too_long,
        other_length=seen.unwanted, split=seen.split,
    )  # fmt: skip
    known = {"name": corpus.name, "checksum": corpus.sha256()}
    about = {"corpus": known, "windows": kind, "length": length, "text": text}
    return WindowList(about, tuple(windows), counts)


def run_here(subject: Subject, backwards: bool = False) -> Run:
    """`backwards`: shards are finished in the opposite order, and merged in theirs."""

    def run(one: Pass) -> Merged:
        empty = pickle.dumps(list(one.reducers))
        source: Source = pickle.loads(pickle.dumps(one.source))
        counts: Counter[str] = Counter()
        finished: dict[int, list[Any]] = {}
        shards = list(source.shards())
        for shard in shards[::-1] if backwards else shards:
            prepared = source.prepare(shard)
            finished[shard.number] = pickle.loads(empty)
            show(subject, finished[shard.number], source.batches(subject, prepared.items))
            counts += prepared.counts
        total = pickle.loads(empty)
        for number in sorted(finished):
            for whole, part in zip(total, finished[number], strict=True):
                again = pickle.loads(pickle.dumps(part))
                again.restore({k: v.copy() for k, v in sorted(part.state().items())})
                whole.merge(again)
        return Merged(total, counts)

    return run


def show(subject: Subject, reducers: Sequence[Any], batches: Iterator[Any]) -> None:
    """Shows batches to reducers; the model runs only if one of them needs it to."""
    needs = reduce(or_, (reducer.needs for reducer in reducers), Needs())
    if needs == Needs():
        for batch in batches:
            for reducer in reducers:
                reducer.update(Observation(batch, ()))
        return
    # where all weights are needed anyway, the kernel that makes them all
    with Tap(subject, reducers, kernel="eager" if needs.weights else None) as tap:
        for batch in batches:
            tap.run(subject.without_logits(batch))
