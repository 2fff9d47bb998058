"""Running a study and keeping what it found: in an atlas, as figures, as a table.

Whatever could not be written is refused before the work (`KeepOptions.refuse_unwritable`), and what was found
is not lost if writing fails: it comes with the error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from attlas.atlas.chapter import Chapter
from attlas.errors import AttlasError
from attlas.files import write_whole
from attlas.options.option_groups import KeepOptions, RunOptions
from attlas.studies.carry_out import carry_out_together
from attlas.studies.probe_result import NotWritten
from attlas.studies.study import Alone, StudiesTogether, Study
from attlas.subject import Subject

Result = TypeVar("Result", bound=Any)


def run_study(
    study: Study,
    subject: Subject,
    run_options: RunOptions,
    keep_options: KeepOptions,
    result: Callable[[Chapter], Result],
    draw: Callable[[Any, Path], list[Path]] | None = None,
) -> Result:
    """Runs a study, and writes its chapter, table and figures. `result` makes what the verb gives back of a
    chapter; `draw` its figures, where they are not those of a probe."""
    try:
        (chapter,) = run_studies(
            Alone(study),
            [keep_options.chapter],
            subject,
            run_options,
            keep_options.atlas,
            lambda made: made[0],
        )
    except NotWritten as error:
        rescued = with_files(result(error.result), replace(keep_options, atlas=None), draw or _drawn)
        raise NotWritten(str(error), rescued) from error
    return with_files(result(chapter), keep_options, draw or _drawn)


def run_studies(
    together: StudiesTogether,
    chapters: Sequence[str | None],
    subject: Subject,
    run_options: RunOptions,
    atlas: Path | None,
    result: Callable[[tuple[Chapter, ...]], Any],
) -> tuple[Chapter, ...]:
    """Runs studies that share passes, each with the name of its chapter. Where one cannot be written, the
    error has what was found until then, as `result` makes it."""
    try:
        return carry_out_together(
            together,
            subject,
            run_options.chosen_engine(),
            out=atlas,
            chapters=chapters,
            resume=run_options.resume,
            overwrite=run_options.overwrite,
            progress=run_options.progress,
        )
    except NotWritten as error:
        raise NotWritten(str(error), result(error.result)) from error


def _drawn(result: Any, folder: Path) -> list[Path]:
    from attlas.figures.probe_figures import draw

    return draw(result.chapter, folder)


def with_files(
    result: Result, keep_options: KeepOptions, draw: Callable[[Any, Path], list[Path]] = _drawn
) -> Result:
    """The result, after its table and figures are written, with a note on where they are."""
    written: list[str] = []
    with nothing_lost(result, written):
        if keep_options.atlas is not None:
            written.append(f"every head's values are in {keep_options.atlas}")
        if keep_options.csv is not None:
            write_whole(keep_options.csv, result.table.to_csv(index=False))
            written.append(f"the table is in {keep_options.csv}")
        if keep_options.figures is not None:
            drawn = draw(result, keep_options.figures)
            written.append(f"figures: {', '.join(str(path) for path in drawn)}")
    return replace(result, written=tuple(written))


@contextmanager
def nothing_lost(result: Any, written: list[str]) -> Iterator[None]:
    """Where a file cannot be written, the error has the result, and what was written before."""
    try:
        yield
    except NotWritten:
        raise
    except (OSError, AttlasError) as error:
        raise NotWritten(_why(error), replace(result, written=tuple(written))) from error


def _why(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename or 'a file'} cannot be written: {error.strerror or error}"
    return str(error)
