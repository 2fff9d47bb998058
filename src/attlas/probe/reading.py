"""From a probe's parameters to what it reads: the model, the corpus and its windows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from attlas.corpora.alignment import fits
from attlas.corpora.reading import AnnotatedCorpus, annotated_corpus
from attlas.corpora.window_source import WindowSource
from attlas.corpora.windows import (
    CoveringWindow,
    DocumentWindows,
    FirstWindow,
    SentenceWindows,
    Text,
    WindowCutter,
)
from attlas.corpora.words import Document
from attlas.errors import AttlasError
from attlas.subject import Subject, load


@dataclass(frozen=True)
class Reading:
    """The model and the corpus that the user named, and how the model reads it."""

    model: str | Path | Subject
    path: Path | None
    format: str | None
    pipeline: str | None
    length: int
    strict: bool
    device: str | None
    dtype: str
    trust_remote_code: bool

    @cached_property
    def subject(self) -> Subject:
        return load(
            self.model, device=self.device, dtype=self.dtype, trust_remote_code=self.trust_remote_code
        )

    @cached_property
    def corpus(self) -> AnnotatedCorpus:
        return annotated_corpus(self.path, self.format, self.pipeline)

    def source(self, windows: Windows, keep: Callable[[Document], bool] | None = None) -> WindowSource:
        return window_source(self.corpus, self.subject, windows, self.length, keep, self.strict)

    def choosing(self, path: Path | None, windows: Windows) -> WindowSource | None:
        """Another corpus, to choose heads on."""
        if path is None:
            return None
        other = annotated_corpus(path, self.format, self.pipeline)
        if other.sha256() == self.corpus.sha256():
            raise AttlasError(f"--choose-on {path} is the corpus itself: leave it out, and halves are taken")
        return window_source(other, self.subject, windows, self.length, None, self.strict)


@dataclass(frozen=True)
class Windows:
    """Which windows are cut: each sentence of `shortest` to `longest` words; as many sentences as fit
    (documents), or only the first window of a document; or those around the mentions of a GAP text."""

    kind: Literal["sentences", "documents", "first", "mentions"]
    text: Text
    shortest: int = 1
    longest: int | None = None


def window_source(
    corpus: AnnotatedCorpus,
    subject: Subject,
    windows: Windows,
    length: int,
    keep: Callable[[Document], bool] | None,
    strict: bool,
) -> WindowSource:
    """The windows of the documents that `keep` keeps."""
    cutters: dict[str, WindowCutter] = {
        "sentences": SentenceWindows(windows.text, windows.shortest, windows.longest),
        "documents": DocumentWindows(windows.text),
        "first": FirstWindow(windows.text),
        "mentions": CoveringWindow(windows.text),
    }
    return WindowSource(corpus, cutters[windows.kind], fits(subject, length), filter=keep, strict=strict)
