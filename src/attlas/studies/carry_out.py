"""Carrying out a study: its passes on an engine, in a run that can be resumed, its chapter into an atlas."""

from __future__ import annotations

import json
import platform
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

from attlas.atlas import add_chapter, check_room, load_atlas
from attlas.atlas.chapter import Chapter, chapter_in
from attlas.engines import Engine, Merged, Pass, UnfinishedRun, run_pass
from attlas.errors import AttlasError, Stopped, option
from attlas.extras import version_of
from attlas.progress import progress_bars
from attlas.studies.pass_words import bar_of
from attlas.studies.probe_result import NotWritten
from attlas.studies.study import Alone, RunPass, StudiesTogether, Study
from attlas.subject import Subject


def carry_out(
    study: Study,
    subject: Subject,
    engine: Engine,
    *,
    out: Path | None = None,
    chapter: str | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool = True,
) -> Chapter:
    """The study's chapter, which is written into the atlas `out` if that is given.

    A finished shard is not run again by a resumed run. Two runs cannot write into one atlas at the same time.
    A chapter that is there already is given back if it is the same one and `resume` is set, replaced if
    `overwrite` is set, and else refused.
    """
    try:
        (done,) = carry_out_together(
            Alone(study),
            subject,
            engine,
            out=out,
            chapters=[chapter],
            resume=resume,
            overwrite=overwrite,
            progress=progress,
        )
    except NotWritten as error:
        raise NotWritten(str(error), error.result[0]) from error
    return done


def carry_out_together(
    together: StudiesTogether,
    subject: Subject,
    engine: Engine,
    *,
    out: Path | None = None,
    chapters: Sequence[str | None] | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool = True,
) -> tuple[Chapter, ...]:
    """The chapters of studies that share passes, as `carry_out` does it for one; `chapters` are their names,
    where they are to have others than the studies'. Where one cannot be written, the error has what was found
    until then."""
    if resume and overwrite:
        raise AttlasError(
            f"{option('resume', True)} continues a run and {option('overwrite', True)} begins "
            "it again: give one of them"
        )
    named = zip(together.studies, chapters or [None for _ in together.studies], strict=True)
    studies = {study.name if name is None else name: study for study, name in named}
    if len(studies) < len(together.studies):
        raise AttlasError(f"two chapters cannot have one name: {', '.join(studies)}")
    if out is not None:
        for name in studies:
            check_room(out, name, subject.describe(), replace=True)
    identities = {name: {**study.describe(), "software": software()} for name, study in studies.items()}
    run = nullcontext() if out is None else UnfinishedRun.beside(out, next(iter(studies)))
    with _stops_on_sigterm(), run as unfinished:
        # a run that was to replace chapters and was stopped goes on, too
        begun = _begun(unfinished, list(studies)) if resume else []
        done: dict[str, Chapter] = {}
        if out is not None:
            for name, identity in identities.items():
                there = _finished(out, name, identity, resume, overwrite or name in begun)
                if there is not None:
                    done[name] = there
        wanted = {name: study for name, study in studies.items() if name not in done}

        def keep(name: str, chapter: Chapter) -> None:
            if out is not None:
                _write(chapter, out, subject, overwrite or name in begun, tuple(done.values()))
            done[name] = chapter

        if wanted:
            with _disk_trouble(unfinished):
                if unfinished is not None:
                    to_run = {name: identities[name] for name in wanted}
                    settings = {"chapters": to_run} if len(studies) > 1 else next(iter(to_run.values()))
                    unfinished.begin({"model": subject.describe(), **settings}, resume, overwrite)
                _conclude(together, wanted, subject, engine, unfinished, progress, keep)
            if unfinished is not None:
                unfinished.remove()
    return tuple(done[name] for name in studies)


def _begun(unfinished: UnfinishedRun | None, names: list[str]) -> list[str]:
    """Those of the chapters that an unfinished run is to leave."""
    if unfinished is None or not unfinished.folder.is_dir():
        return []
    settings = unfinished.settings()
    chapters = settings.get("chapters") if isinstance(settings, dict) else None
    return [name for name in names if chapters is None or name in chapters]


def _write(
    chapter: Chapter, out: Path, subject: Subject, overwrite: bool, before: tuple[Chapter, ...]
) -> None:
    """Into the atlas. What was found is not lost if that fails: it comes with the error, and the work is
    kept."""
    try:
        add_chapter(out, subject.describe(), chapter, replace=overwrite)
    except AttlasError as error:
        raise NotWritten(
            f"{error}; the work is kept: {option('resume', True)} writes it", (*before, chapter)
        ) from error


def _conclude(
    together: StudiesTogether,
    wanted: dict[str, Study],
    subject: Subject,
    engine: Engine,
    unfinished: UnfinishedRun | None,
    progress: bool,
    keep: Callable[[str, Chapter], None],
) -> None:
    """Every chapter is kept as soon as it is concluded: those before one that fails are not lost."""
    began = time.monotonic()
    with running(subject, engine, progress, unfinished) as run:
        for name, chapter in zip(wanted, together.conclude(run, list(wanted.values())), strict=True):
            spent = {
                "finished": datetime.now(UTC).isoformat(timespec="seconds"),
                "seconds": round(time.monotonic() - began, 1),
            }
            about = {**chapter.about, "software": software(), "time": spent}
            keep(name, replace(chapter, name=name, about=about))
    for problem in unfinished.problems if unfinished is not None else ():
        print(problem, file=sys.stderr)


@contextmanager
def running(
    subject: Subject, engine: Engine, progress: bool, unfinished: UnfinishedRun | None = None
) -> Iterator[RunPass]:
    """Gives a function that runs a pass on the engine, with a bar. `unfinished` keeps what is done."""
    with engine, progress_bars(progress) as open_bar:

        def run(pass_: Pass) -> Merged:
            return run_pass(subject, pass_, engine, unfinished, open_bar(*bar_of(pass_)))

        yield run


def _finished(
    out: Path, name: str, identity: dict[str, Any], resume: bool, overwrite: bool
) -> Chapter | None:
    """The chapter, if it is in the atlas already and wanted so."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return None
    atlas = load_atlas(out)
    if name not in atlas.chapters or overwrite:
        return None
    about = atlas.about(name)
    same = all(_plain(about.get(key)) == _plain(value) for key, value in identity.items() if key != "corpus")
    if not (same and about["corpus"].items() >= identity.get("corpus", {}).items()):
        raise AttlasError(
            f"{out} has a chapter {name} already, made with other settings: "
            f"{option('chapter')} gives this one another "
            f"name, {option('overwrite', True)} replaces it"
        )
    if not resume:
        raise AttlasError(
            f"{out} has a chapter {name} already: {option('chapter')} gives this one another "
            f"name, {option('overwrite', True)} "
            "replaces it"
        )
    return chapter_in(atlas, name)


def _plain(value: Any) -> Any:
    """As it comes back from JSON."""
    return json.loads(json.dumps(value))


def software() -> dict[str, str]:
    packages = ("attlas", "torch", "transformers", "numpy", "scipy", "scikit-learn")
    return {"python": platform.python_version(), **{name: version_of(name) for name in packages}}


@contextmanager
def _stops_on_sigterm() -> Iterator[None]:
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
def _disk_trouble(unfinished: UnfinishedRun | None) -> Iterator[None]:
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
