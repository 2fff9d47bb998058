"""Carrying out a study: its passes on an engine, with a checkpoint, and its chapter into an atlas."""

from __future__ import annotations

import json
import platform
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import Any

from attlas.atlas import add_chapter, check_room, load_atlas
from attlas.atlas.chapter import Chapter, chapter_in
from attlas.engines import Checkpoint, Engine, Merged, Pass, run_pass
from attlas.errors import AttlasError, Stopped
from attlas.progress import progress_bars
from attlas.studies.results import NotWritten
from attlas.studies.study import Study
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
    if resume and overwrite:
        raise AttlasError("--resume continues a run and --overwrite begins it again: give one of them")
    name = study.name if chapter is None else chapter
    if out is not None:
        check_room(out, name, subject.describe(), replace=True)
    identity = {**study.describe(), "software": software()}
    with _stops_on_sigterm(), Checkpoint(out, name) if out is not None else nullcontext() as checkpoint:
        # one that was to replace a chapter and was stopped goes on, too
        unfinished = checkpoint is not None and resume and checkpoint.chapter.is_dir()
        if out is not None:
            there = _finished(out, name, identity, resume, overwrite or unfinished)
            if there is not None:
                return there
        with _disk_trouble(checkpoint):
            if checkpoint is not None:
                checkpoint.begin({"model": subject.describe(), **identity}, resume, overwrite)
            began = time.monotonic()
            done = _conclude(study, subject, engine, checkpoint, progress)
            spent = {
                "finished": datetime.now(UTC).isoformat(timespec="seconds"),
                "seconds": round(time.monotonic() - began, 1),
            }
            done = replace(done, name=name, about={**done.about, "software": software(), "time": spent})
            if out is not None:
                _write(done, out, subject, overwrite or unfinished)
        if checkpoint is not None:
            checkpoint.remove()
    return done


def _write(done: Chapter, out: Path, subject: Subject, overwrite: bool) -> None:
    """Into the atlas. What was found is not lost if that fails: it comes with the error, and the work is
    kept."""
    try:
        add_chapter(out, subject.describe(), done, replace=overwrite)
    except AttlasError as error:
        raise NotWritten(f"{error}; the work is kept: --resume writes it", done) from error


def _conclude(
    study: Study, subject: Subject, engine: Engine, checkpoint: Checkpoint | None, progress: bool
) -> Chapter:
    with engine, progress_bars(progress) as open_bar:

        def run(one: Pass) -> Merged:
            advance = open_bar(one.name, one.items or one.source.limit)
            return run_pass(subject, one, engine, checkpoint, advance)

        done = study.conclude(run)
    for problem in checkpoint.problems if checkpoint is not None else ():
        print(problem, file=sys.stderr)
    return done


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
            f"{out} has a chapter {name} already, made with other settings: --chapter gives this one another "
            "name, --overwrite replaces it"
        )
    if not resume:
        raise AttlasError(
            f"{out} has a chapter {name} already: --chapter gives this one another name, --overwrite "
            "replaces it"
        )
    return chapter_in(atlas, name)


def _plain(value: Any) -> Any:
    """As it comes back from JSON."""
    return json.loads(json.dumps(value))


def software() -> dict[str, str]:
    packages = ("attlas", "torch", "transformers", "numpy", "scipy", "scikit-learn")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


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
    except KeyboardInterrupt:  # Ray makes a plain one of whatever a signal raises
        if asked:
            raise Stopped from None
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _disk_trouble(checkpoint: Checkpoint | None) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno is None or checkpoint is None:
            raise
        where = error.filename or checkpoint.folder
        kept = "; what is done is kept: --resume continues it" if checkpoint.chapter.is_dir() else ""
        raise AttlasError(f"{where} cannot be written: {error.strerror}{kept}") from error
