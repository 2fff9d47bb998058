"""From a probe's parameters to its result: the model, the corpus and its windows, the study, the files.

Whatever could not be written is refused before the work, and what was found is not lost if writing fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeVar

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
from attlas.engines import engine_named
from attlas.errors import AttlasError
from attlas.files import check_writable, write_whole
from attlas.studies.carry_out import carry_out
from attlas.studies.disabling.result import DisableResult
from attlas.studies.pruning.result import PruneResult
from attlas.studies.results import NotWritten, ProbeResult
from attlas.studies.study import Study
from attlas.subject import Subject, load

Result = TypeVar("Result", ProbeResult, DisableResult, PruneResult)


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


@dataclass(frozen=True)
class Outputs:
    """Where the result goes, and how the study is run."""

    atlas: Path | None
    chapter: str | None  # None: as the study calls itself
    figures: Path | None
    csv: Path | None
    resume: bool
    overwrite: bool
    engine: str | None
    workers: int | None
    address: str | None
    progress: bool

    def refuse_unwritable(self) -> Outputs:
        """Before the work begins."""
        if self.atlas is None:
            for option, given, what in (
                ("--resume", self.resume, "continues a run into"),
                ("--overwrite", self.overwrite, "replaces a chapter of"),
                ("--chapter", self.chapter is not None, "names a chapter of"),
            ):
                if given:
                    raise AttlasError(f"{option} {what} an atlas: name it with --atlas")
        if self.csv is not None:
            check_writable(self.csv, "--csv")
        for option, folder in (("--figures", self.figures), ("--atlas", self.atlas)):
            if folder is not None:
                check_writable(folder / "file", option)  # what will be in it
        return self

    def carry_out(
        self,
        study: Study,
        subject: Subject,
        result: type[Result] = ProbeResult,  # type: ignore[assignment]
    ) -> Result:
        """Runs the study, which leaves its chapter in the atlas, and writes the other files."""
        try:
            chapter = carry_out(
                study,
                subject,
                engine_named(self.engine, self.workers, self.address),
                out=self.atlas,
                chapter=self.chapter,
                resume=self.resume,
                overwrite=self.overwrite,
                progress=self.progress,
            )
        except NotWritten as error:
            raise NotWritten(str(error), self._with_files(result(error.result))) from error
        written = () if self.atlas is None else (f"every head's values are in {self.atlas}",)
        return self._with_files(result(chapter, written))

    def _with_files(self, result: Result) -> Result:
        written = list(result.written)
        try:
            if self.csv is not None:
                write_whole(self.csv, result.table.to_csv(index=False))
                written.append(f"the table is in {self.csv}")
            if self.figures is not None:
                from attlas.figures.probes import draw

                drawn = draw(result.chapter, self.figures)
                written.append(f"figures: {', '.join(str(p) for p in drawn)}")
        except (OSError, AttlasError) as error:
            raise NotWritten(_said(error), replace(result, written=tuple(written))) from error
        return replace(result, written=tuple(written))


def _said(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename or 'a file'} cannot be written: {error.strerror or error}"
    return str(error)
