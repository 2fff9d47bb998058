"""The one rule of what may be written where, for every output of every verb.

An output that is an input, or lies inside one, is refused always. A file that is there is replaced only if
Attlas wrote it, or where `overwrite` is given. `options/verb.py` asks before anything runs, for every option
whose type is an `Output`; `write_output` asks again when the file is written.
"""

from __future__ import annotations

import csv
import glob
import itertools
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from attlas.errors import AttlasError, option
from attlas.files import check_writable, refuse_irregular, write_whole

#: a file; a folder that files are added to; one that is replaced as a whole; an atlas, which gets a chapter
OutputKind = Literal["file", "folder", "whole folder", "atlas"]


@dataclass(frozen=True)
class Output:
    """Marks the type of an option: what it names is written. Of a list of paths, the last is."""

    kind: OutputKind


@dataclass(frozen=True)
class _Guard:
    """What the running verb reads, the atlas it writes to, and whether it may replace what is not ours."""

    inputs: tuple[Path, ...]
    kept: tuple[Path, ...]
    overwrite: bool
    writes: bool  # an output other than the atlas is named


_guard: ContextVar[_Guard | None] = ContextVar("outputs", default=None)
EMBEDDED = "mini"  # the model that ships, also where a folder of that name lies here
_MOST = 10_000  # inputs that a pattern or a list names
_LONGEST = 4096  # characters of a path
_LOCAL = re.compile("(?:file|local)://")  # as fsspec names files of this machine


@contextmanager
def guard_outputs(
    inputs: Sequence[Any], outputs: Mapping[str, tuple[OutputKind, Any]], overwrite: bool | None
) -> Iterator[None]:
    """Inside, nothing that `inputs` name is written to. `outputs`: option -> kind and path. A verb that
    another one calls protects what that one reads, too, and replaces what that one may."""
    outer = _guard.get()
    named = {name: (kind, Path(path)) for name, (kind, path) in outputs.items() if _is_path(path)}
    guard = _Guard(
        (*(outer.inputs if outer else ()), *dict.fromkeys(paths_of(inputs))),
        tuple(path for kind, path in named.values() if kind == "atlas"),
        overwrite if overwrite is not None else outer is not None and outer.overwrite,
        any(kind != "atlas" for kind, _ in named.values()),
    )
    for path in guard.inputs:
        refuse_irregular(path)
    token = _guard.set(guard)
    try:
        for name, (kind, path) in named.items():
            check_output(path, name, kind)
        yield
    finally:
        _guard.reset(token)


def check_output(path: Path, name: str, kind: OutputKind = "file") -> None:
    """Refuse, before anything runs, an output that would destroy something, or cannot be written. `name` is
    the option's; a verb calls this itself for a path that it makes up."""
    guard = _guard.get()
    flag = option(name) if name else ""  # one that goes by its place has none
    if str(path).startswith("hf:/"):
        raise AttlasError(
            f"{f'{flag} {path}'.strip()} is on the hub: name a folder here, and send the atlas "
            "with attlas push"
        )
    _refuse_inputs(path, f"{flag} {path}".strip(), kind)
    check_writable(path, flag, folder=kind != "file")
    if kind == "file" and guard is not None and not guard.overwrite:
        _refuse_foreign(path, f"{flag} {path}".strip())


def write_output(path: str | Path, content: bytes | str) -> Path:
    """Write a file that a user named, or that goes into a folder a user named. Return the path."""
    path, guard = Path(path), _guard.get()
    if guard is not None:
        _refuse_inputs(path, str(path), "file")
        if not guard.overwrite:
            _refuse_foreign(path, str(path))
    return write_whole(path, content)


def names_outputs() -> bool:
    """Whether the running verb was asked for a file or folder beside the atlas."""
    guard = _guard.get()
    return guard is not None and guard.writes


def paths_of(values: Any) -> Iterator[Path]:
    """The files and folders that the values of options name: paths, patterns, loaded models, atlases."""
    if isinstance(values, Mapping):
        values = list(values.values())
    if isinstance(values, list | tuple):
        for value in values[:_MOST]:
            yield from paths_of(value)
    elif _is_path(values):
        written = os.fspath(values)
        if written == EMBEDDED:
            return
        local = _LOCAL.match(written)
        written = os.path.expanduser(written[local.end() :] if local else written)
        if os.path.lexists(written):
            yield Path(written)
        elif any(mark in written for mark in "*?["):
            yield from map(Path, itertools.islice(glob.iglob(written, recursive=True), _MOST))
    else:
        origin = getattr(values, "origin", None)
        for known in (getattr(values, "path", None), getattr(origin, "model", None)):
            if _is_path(known):
                yield from paths_of(known)


def _is_path(value: Any) -> bool:
    """A text that no path could be is none."""
    if not isinstance(value, str | os.PathLike):
        return False
    written = os.fspath(value)
    return isinstance(written, str) and 0 < len(written) < _LONGEST and not {"\0", "\n"} & set(written)


def _refuse_inputs(path: Path, name: str, kind: OutputKind) -> None:
    guard = _guard.get()
    if guard is None:
        return
    place = Path(os.path.realpath(path))
    atlases = () if kind == "atlas" else guard.kept
    for read in (*guard.inputs, *atlases):
        where = Path(os.path.realpath(read))
        if place == where:
            raise AttlasError(f"{name} is what is read: writing would destroy it. Name another place")
        if where in place.parents and not where.is_file():  # nothing lies inside a file: it is no folder
            inside = "the atlas" if read in atlases else "what is read"
            raise AttlasError(f"{name} lies inside {inside}, {read}: name another place")
        if kind == "whole folder" and place in where.parents:
            raise AttlasError(f"{name} holds {read}, which is read: name another place")


def _refuse_foreign(path: Path, name: str) -> None:
    if path.is_file() and not is_ours(path):
        raise AttlasError(
            f"{name} is there already, and Attlas did not write it: {option('overwrite', True)} replaces it"
        )


def is_ours(path: Path) -> bool:
    """Whether Attlas wrote this file; an empty one holds nothing to lose."""
    size = path.stat().st_size
    if size == 0:
        return True
    with path.open("rb") as file:
        begins = file.read(2**13)
        file.seek(max(0, size - 2**13))
        ends = file.read()
    match path.suffix.lower():
        case ".html" | ".htm":
            return _GENERATOR.encode() in begins
        case ".csv":
            return _is_our_table(begins)
        case ".svg" | ".pdf" | ".png":
            return b"Attlas" in begins or b"Attlas" in ends
    return _GENERATOR.encode() in begins or _is_our_table(begins)


_GENERATOR = '<meta name="generator" content="Attlas"'
#: the line of an HTML page's head that says who made it
GENERATOR = f"{_GENERATOR}>\n"


def _is_our_table(begins: bytes) -> bool:
    """Whether the first line of a CSV is that of a table of ours."""
    from attlas.atlas.catalogue import is_declared_table

    header = begins.partition(b"\n")[0].decode("utf-8", errors="replace")
    return is_declared_table(next(csv.reader([header.partition("\r")[0]]), []))
