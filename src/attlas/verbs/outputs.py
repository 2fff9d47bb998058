"""Where what a study found goes: an atlas, figures, a table.

Whatever could not be written is refused before the work, and what was found is not lost if writing fails.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from attlas.atlas.chapter import Chapter
from attlas.engines import engine_named
from attlas.errors import AttlasError
from attlas.files import check_writable, write_whole
from attlas.studies.carry_out import carry_out
from attlas.studies.disabling.result import DisableResult
from attlas.studies.pruning.result import PruneResult
from attlas.studies.results import NotWritten, ProbeResult
from attlas.studies.study import Study
from attlas.subject import Subject

Result = TypeVar("Result", ProbeResult, DisableResult, PruneResult)


@dataclass(frozen=True)
class Outputs:
    """Where the result goes, and how the study is run."""

    atlas: Path | None = None
    chapter: str | None = None  # None: as the study calls itself
    figures: Path | None = None
    csv: Path | None = None
    resume: bool = False
    overwrite: bool = False
    engine: str | None = None
    workers: int | None = None
    address: str | None = None
    progress: bool = True

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
                check_writable(folder, option, folder=True)
        return self

    def run(self, study: Study, subject: Subject, chapter: str | None = None) -> Chapter:
        """Runs the study, which leaves its chapter in the atlas, under this name or the user's."""
        return carry_out(
            study,
            subject,
            engine_named(self.engine, self.workers, self.address),
            out=self.atlas,
            chapter=chapter or self.chapter,
            resume=self.resume,
            overwrite=self.overwrite,
            progress=self.progress,
        )

    def carry_out(
        self,
        study: Study,
        subject: Subject,
        result: type[Result] = ProbeResult,  # type: ignore[assignment]
    ) -> Result:
        """Runs the study, and writes the other files."""
        try:
            chapter = self.run(study, subject)
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
            raise NotWritten(said(error), replace(result, written=tuple(written))) from error
        return replace(result, written=tuple(written))


def said(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename or 'a file'} cannot be written: {error.strerror or error}"
    return str(error)
