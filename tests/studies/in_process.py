"""Sources of windows for the tests, and studies carried out in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal

from attlas.corpora.alignment import fits
from attlas.corpora.annotated_documents import Document
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.source import Source
from attlas.corpora.windows import DocumentWindows, SentenceWindows, Window, WindowSource
from attlas.engines import Engine, Pass, engine_named, run_pass
from attlas.reducers import Reducer
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.tap import Tap


def source_of(
    subject: Subject,
    corpus: Path | None = None,
    kind: Literal["sentences", "documents"] = "sentences",
    length: int = 64,
    shortest: int = 1,
    longest: int | None = None,
    keep: Callable[[Document], bool] | None = None,
) -> WindowSource:
    """Windows of a corpus, or of the treebank that ships."""
    cutter = DocumentWindows("words") if kind == "documents" else SentenceWindows("words", shortest, longest)
    return WindowSource(annotated_corpus(corpus), cutter, fits(subject, length), filter=keep, strict=True)


def windows_of(source: Source) -> list[Window]:
    windows: list[Window] = []
    for shard in source.shards():
        windows += source.prepare(shard).items
    return windows[: source.limit]


def run_here(subject: Subject, engine: Engine | None = None) -> RunPass:
    def run(pass_: Pass) -> Any:
        with engine or engine_named("local") as opened:
            return run_pass(subject, pass_, opened)

    return run


class Backwards(AbstractContextManager[Any]):
    """An engine on which the last shard is finished first."""

    def __exit__(self, *_: object) -> None: ...

    def run(self, subject: Subject, pass_: Pass, work: Iterator[Any], advance: Any) -> Iterator[Any]:
        with engine_named("local") as local:
            yield from reversed(list(local.run(subject, pass_, work, advance)))


class StopsAfter(AbstractContextManager[Any]):
    """An engine that is interrupted when so many shards, of all passes, are done."""

    def __init__(self, shards: int) -> None:
        self.left = shards

    def __exit__(self, *_: object) -> None: ...

    def run(self, subject: Subject, pass_: Pass, work: Iterator[Any], advance: Any) -> Iterator[Any]:
        with engine_named("local") as local:
            for done in local.run(subject, pass_, work, advance):
                yield done
                self.left -= 1
                if not self.left:
                    raise KeyboardInterrupt


def show(subject: Subject, reducer: Reducer, source: Source, windows: Iterable[Window]) -> None:
    with Tap(subject, [reducer], kernel="eager") as tap:
        for batch in source.batches(subject, list(windows)):
            tap.run(batch)
