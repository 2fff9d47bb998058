"""The one way to run studies: their passes on an engine, in a run that can be resumed; their chapters into an
atlas, and what was found into a table and figures."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from attlas.atlas import add_chapter, check_room, load_atlas
from attlas.atlas.chapter import Chapter, chapter_in
from attlas.corpora.source import ALL_ITEMS
from attlas.corpora.task_source import TaskSource
from attlas.corpora.text_source import TextSource
from attlas.corpora.windows import WindowSource
from attlas.engines import Engine, Merged, Pass, UnfinishedRun, run_pass
from attlas.engines.unfinished import as_json
from attlas.errors import AttlasError, Stopped, option
from attlas.options.option_groups import KeepOptions, RunOptions
from attlas.outputs import write_output
from attlas.progress import progress_bars
from attlas.studies.provenance import software
from attlas.studies.study import RunPass, Study, StudyGroup
from attlas.studies.study_result import NotWritten
from attlas.subject import Subject

Result = TypeVar("Result", bound=Any)
_UNITS = {TextSource: "segments", WindowSource: "windows", TaskSource: "examples"}


def run(
    studies: Sequence[Study] | StudyGroup,
    subject: Subject,
    run_options: RunOptions,
    keep_options: KeepOptions,
    result: Callable[[tuple[Chapter, ...], str], Result],
    draw: Callable[[Any, Path], list[Path]],
    names: Sequence[str] = (),
) -> Result:
    """Run studies, write their chapters, table and figures, and return their result.

    `result` makes it of the chapters and the model's name; `draw` writes its figures into a folder. What
    cannot be written is refused before the work (`attlas.outputs`). If writing fails all the same, the error
    has the result.
    """
    try:
        chapters = run_chapters(studies, subject, run_options, keep_options, names)
    except NotWritten as error:
        concluded = result(error.result, subject.name)
        rescued = write_files(concluded, replace(keep_options, atlas=None), draw)
        raise NotWritten(str(error), rescued) from error
    return write_files(result(chapters, subject.name), keep_options, draw)


def run_chapters(
    studies: Sequence[Study] | StudyGroup,
    subject: Subject,
    run_options: RunOptions = RunOptions(),
    keep_options: KeepOptions = KeepOptions(),
    names: Sequence[str] = (),
    engine: Engine | None = None,
) -> tuple[Chapter, ...]:
    """Run studies and return their chapters, which are written into the atlas if `keep_options` name one.

    `names` are those of the chapters. Without them each is called as its study, and the first as
    `keep_options` say. `engine` is used instead of the one that `run_options` name. A finished shard is not
    run again by a resumed run. Two runs cannot write into one atlas at the same time. A chapter that is there
    already is returned if it is the same one and `resume` is set, replaced if `overwrite` is set, and else
    refused. If one cannot be written, the error has the chapters that were concluded until then.
    """
    members = studies if isinstance(studies, Sequence) else studies.studies
    first = members[0].name if keep_options.chapter is None else keep_options.chapter
    names = names or [first, *(study.name for study in members[1:])]
    named = dict(zip(names, members, strict=True))
    if len(named) < len(members):
        raise AttlasError(f"two chapters cannot have one name: {', '.join(named)}")
    engine, out = engine or run_options.chosen_engine(), keep_options.atlas
    if out is not None:
        for name in named:
            check_room(out, name, subject.describe(), replace=True)
    identities = {name: {**study.describe(), "software": software()} for name, study in named.items()}
    with _stop_on_sigterm(), _unfinished_run(out, names[0]) as unfinished:
        # a run that was to replace chapters and was stopped goes on, too
        begun = _names_begun(unfinished, list(named)) if run_options.resume else []
        replaced = list(named) if run_options.overwrite else begun
        done: dict[str, Chapter] = {}
        if out is not None:
            for name, identity in identities.items():
                there = None if name in replaced else _find_chapter(out, name, identity, run_options.resume)
                if there is not None:
                    done[name] = there
        wanted = {name: study for name, study in named.items() if name not in done}
        if wanted:
            with _explain_disk_trouble(unfinished):
                if unfinished is not None:
                    to_run = {name: identities[name] for name in wanted}
                    settings = {"chapters": to_run} if len(named) > 1 else next(iter(to_run.values()))
                    unfinished.begin(
                        {"model": subject.describe(), **settings}, run_options.resume, run_options.overwrite
                    )
                # each is kept as soon as it is concluded: those before one that fails are not lost
                for chapter in _conclude(studies, wanted, subject, engine, run_options, unfinished):
                    if out is not None:
                        _write_chapter(chapter, out, subject, chapter.name in replaced, tuple(done.values()))
                    done[chapter.name] = chapter
            if unfinished is not None:
                unfinished.remove()
    return tuple(done[name] for name in named)


def write_files(result: Result, keep_options: KeepOptions, draw: Callable[[Any, Path], list[Path]]) -> Result:
    """Write the table and figures of a result, and return it with a note on where they are."""
    written: list[str] = []
    with rescue(result, written):
        if keep_options.atlas is not None:
            written.append(f"every head's values are in {keep_options.atlas}")
        if keep_options.csv is not None:
            write_output(keep_options.csv, result.table.to_csv(index=False))
            written.append(f"the table is in {keep_options.csv}")
        if keep_options.figures is not None:
            drawn = draw(result, keep_options.figures)
            written.append(f"figures: {', '.join(str(path) for path in drawn)}")
    return replace(result, written=tuple(written))


@contextmanager
def rescue(result: Any, written: Sequence[str]) -> Iterator[None]:
    """Raise an error that has the result if a file cannot be written; `written` says what was before."""
    try:
        yield
    except NotWritten:
        raise
    except OSError as error:
        why = f"{error.filename or 'a file'} cannot be written: {error.strerror or error}"
        raise NotWritten(why, replace(result, written=tuple(written))) from error
    except AttlasError as error:
        raise NotWritten(str(error), replace(result, written=tuple(written))) from error


@contextmanager
def open_passes(
    subject: Subject, engine: Engine, progress: bool, unfinished: UnfinishedRun | None = None
) -> Iterator[RunPass]:
    """Open an engine and yield what runs a pass on it, with a bar. `unfinished` keeps what is done."""
    with engine, progress_bars(progress) as open_bar:

        def run_one(pass_: Pass) -> Merged:
            return run_pass(subject, pass_, engine, unfinished, open_bar(*describe_bar(pass_)))

        yield run_one


def describe_bar(pass_: Pass) -> tuple[str, int | None, str]:
    """Return what a progress bar says: what is done, how many there will be if that is known, and of what."""
    if pass_.runs:
        return pass_.doing, None, pass_.runs
    source = getattr(pass_.source, "source", pass_.source)  # of a source that is made of another
    limit = pass_.source.limit if getattr(source, "chosen", ALL_ITEMS) == ALL_ITEMS else None
    return pass_.doing or pass_.name, pass_.items or limit, _UNITS.get(type(source), "texts")


def _unfinished_run(out: Path | None, name: str) -> AbstractContextManager[UnfinishedRun | None]:
    return nullcontext() if out is None else UnfinishedRun.beside(out, name)


def _names_begun(unfinished: UnfinishedRun | None, names: list[str]) -> list[str]:
    """Return which of the chapters an unfinished run is to leave."""
    if unfinished is None or not unfinished.folder.is_dir():
        return []
    settings = unfinished.settings()
    chapters = settings.get("chapters") if isinstance(settings, dict) else None
    return [name for name in names if chapters is None or name in chapters]


def _conclude(
    studies: Sequence[Study] | StudyGroup,
    wanted: Mapping[str, Study],
    subject: Subject,
    engine: Engine,
    run_options: RunOptions,
    unfinished: UnfinishedRun | None,
) -> Iterator[Chapter]:
    """Yield the wanted chapters under their names, with the software and the seconds since the run began."""
    began = time.monotonic()
    with open_passes(subject, engine, run_options.progress, unfinished) as run_one:
        chapters = (
            (study.conclude(run_one) for study in wanted.values())
            if isinstance(studies, Sequence)
            else studies.conclude(run_one, list(wanted.values()))
        )
        for name, chapter in zip(wanted, chapters, strict=True):
            spent = {
                "finished": datetime.now(UTC).isoformat(timespec="seconds"),
                "seconds": round(time.monotonic() - began, 1),
            }
            yield replace(chapter, name=name, about={**chapter.about, "software": software(), "time": spent})
    for problem in unfinished.problems if unfinished is not None else ():
        print(problem, file=sys.stderr)


def _write_chapter(
    chapter: Chapter, out: Path, subject: Subject, overwrite: bool, before: tuple[Chapter, ...]
) -> None:
    """Write into the atlas. If that fails, the error has the chapters, and the work is kept."""
    try:
        add_chapter(out, subject.describe(), chapter, replace=overwrite)
    except AttlasError as error:
        raise NotWritten(
            f"{error}; the work is kept: {option('resume', True)} writes it", (*before, chapter)
        ) from error


def _find_chapter(out: Path, name: str, identity: dict[str, Any], resume: bool) -> Chapter | None:
    """The chapter of the atlas, if it has it already and a resumed run wants the same one."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return None
    atlas = load_atlas(out)
    if name not in atlas.chapters:
        return None
    about = atlas.about(name)
    same = (
        all(as_json(about.get(key)) == as_json(value) for key, value in identity.items() if key != "corpus")
        and about["corpus"].items() >= identity.get("corpus", {}).items()
    )
    if not (same and resume):
        other = "" if same else ", made with other settings"
        raise AttlasError(
            f"{out} has a chapter {name} already{other}: {option('chapter')} gives this one another name, "
            f"{option('overwrite', True)} replaces it"
        )
    return chapter_in(atlas, name)


@contextmanager
def _stop_on_sigterm() -> Iterator[None]:
    """A polite request to end is like Ctrl-C: what is finished is kept."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    asked = False

    def stop(_: int, __: FrameType | None) -> None:
        nonlocal asked
        asked = True
        raise Stopped

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt as stopped:  # Ray makes a plain one of whatever a signal raises
        if asked:
            raise Stopped(kept=getattr(stopped, "kept", False)) from None
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _explain_disk_trouble(unfinished: UnfinishedRun | None) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno is None or unfinished is None:
            raise
        where = error.filename or unfinished.folder
        kept = (
            f"; what is done is kept: {option('resume', True)} continues it"
            if unfinished.folder.is_dir()
            else ""
        )
        raise AttlasError(f"{where} cannot be written: {error.strerror}{kept}") from error
