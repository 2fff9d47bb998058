"""Saving and loading an atlas: a folder of plain files, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace as replace_in
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from attlas.atlas.atlas import Atlas
from attlas.atlas.folder import alone, building, clear_leftovers, leftovers
from attlas.atlas.hub import fetch_atlas, is_hub_address
from attlas.atlas.parquet import read_frame, read_lists, write_frame, write_lists
from attlas.atlas.schema import (
    ARRAYS,
    EXAMPLE_TYPES,
    EXAMPLES,
    HEAD_TYPES,
    HEADS,
    MANIFEST,
    SCHEMA,
    STRONGEST,
    TOKEN_COLUMNS,
    TOKENS,
    is_chapter_name,
    table_file,
    table_of,
)
from attlas.atlas.validate import WrongError, check_manifest, check_values
from attlas.errors import AttlasError, option, printable

if TYPE_CHECKING:
    from attlas.atlas.chapter import Chapter


def add_chapter(path: str | Path, model: Mapping[str, Any], chapter: Chapter, replace: bool = False) -> Atlas:
    """Adds a chapter to the atlas at `path`, and makes the atlas if there is none.

    `model` says whose atlas it is, as `Subject.describe` gives it: name, class, weights and config (hashes),
    dtype, heads (kind -> number). An atlas of other weights is refused, and so is a chapter that is there
    already unless `replace`.
    """
    path = Path(path)
    real = Path(os.path.realpath(path))  # a link to an atlas stays a link
    try:
        with alone(real) as locked:
            if locked:
                clear_leftovers(real, _own)
            check_room(path, chapter.name, model, replace)
            old = load_atlas(real) if _is_atlas(real) else None
            new = _with(old, dict(model), chapter, path)
            with building(real, _own) as folder:
                files = _write_files(folder, new, old, chapter.name)
                manifest = {"schema": SCHEMA, **new.manifest, "files": files}
                manifest["checksum"] = _checksum(manifest)
                (folder / MANIFEST).write_text(_json(manifest), encoding="utf-8")
    except OSError as error:
        if error.errno is None:
            raise
        kept = "; the atlas is as it was" if real.exists() else ""
        raise AttlasError(f"{path} cannot be written: {error.strerror}{kept}") from error
    return Atlas(manifest, new.heads, new.arrays, new.examples, new.tables, new.tokens, path)


def check_room(
    path: str | Path, chapter: str, model: Mapping[str, Any] | None = None, replace: bool = False
) -> None:
    """Refuses, before any work is done, what `add_chapter` would refuse after it."""
    path = Path(path)
    if not is_chapter_name(chapter):
        raise AttlasError(f"{chapter!r} cannot be the name of a chapter: use letters, digits and . _ + -")
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    if not _is_atlas(path):
        raise AttlasError(f"{path} exists and is not an atlas: choose another place")
    manifest = _manifest(path)
    if model is not None and manifest["model"].get("weights") != model.get("weights"):
        name = printable(str(manifest["model"].get("name", "unknown")))
        raise AttlasError(f"{path} is an atlas of another model, {name}: choose another place")
    if not replace and chapter in manifest.get("chapters", {}):
        raise AttlasError(f"the chapter {chapter} exists in {path}: {option('overwrite', True)} replaces it")


def load_atlas(path: str | Path) -> Atlas:
    """The atlas in a folder, or at hf://OWNER/NAME on the hub: every file checked against its checksum and
    every value against its range."""
    if not isinstance(path, str | Path) or not str(path) or "\0" in str(path):
        raise AttlasError(f"{path!r} is not the path of an atlas's folder")
    if is_hub_address(path):
        fetched = fetch_atlas(path, lambda folder: list(_manifest(folder)["files"]))
        return replace_in(load_atlas(fetched), path=Path(path))
    path = Path(path)
    while True:
        manifest = _manifest(path)
        try:
            return _read(path, manifest)
        except AttlasError:
            # a chapter may have been added meanwhile: then these are the files of two atlases
            if _manifest(path) == manifest:
                raise


def _read(path: Path, manifest: dict[str, Any]) -> Atlas:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    content = {name: _content(path, name, expected) for name, expected in manifest["files"].items()}
    reading = ""
    try:
        reading = HEADS
        # atlases of before errors were over documents do not say how many there are
        heads = read_frame(content[HEADS], HEAD_TYPES, {"documents": 0, "effective": 0.0})
        reading = EXAMPLES
        # atlases of before there was a choice hold the strongest only
        examples = read_frame(content[EXAMPLES], EXAMPLE_TYPES, {"sample": STRONGEST})
        reading = TOKENS
        tokens = {f"{c}/{n}": t for c, n, t in read_lists(content[TOKENS], TOKEN_COLUMNS)}
        reading = ARRAYS
        arrays = load(content[ARRAYS])
        tables = {}
        for reading in content:
            if (table := table_of(reading)) is not None:
                tables["/".join(table)] = read_frame(content[reading])
        atlas = Atlas(manifest, heads, arrays, examples, tables, tokens, path)
        reading = ""
        check_manifest(atlas.manifest)
        check_values(atlas)
    except (
        OSError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        SafetensorError,
        WrongError,
    ) as error:
        where = f"{reading}: " if reading else ""
        raise AttlasError(
            f"{path} is damaged: {where}{printable(str(error))}; make the atlas again"
        ) from error
    return atlas


def _content(path: Path, name: str, expected: str) -> bytes:
    file = path / name
    if not file.is_file():
        raise AttlasError(f"{path} is damaged: {name} is missing")
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != expected:
        raise AttlasError(f"{path} is damaged: {name} does not match its checksum; make the atlas again")
    return content


def _is_atlas(path: Path) -> bool:
    return (path / MANIFEST).is_file()


def _manifest(path: Path) -> dict[str, Any]:
    if not path.exists():
        cut = [str(left) for left in leftovers(path, "old")]
        was = f"; a write was cut short, and {cut[0]} is what was there" if cut else ""
        raise AttlasError(f"{path}: no such atlas{was}")
    if not _is_atlas(path):
        raise AttlasError(f"{path} is not an atlas: it has no {MANIFEST}")
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        schema = manifest["schema"]
        if isinstance(schema, int) and schema > SCHEMA:
            raise AttlasError(f"{path} has schema {schema}, this Attlas reads up to {SCHEMA}: update attlas")
        if schema != SCHEMA:
            raise ValueError(f"schema {schema!r}")
        if not _known_files(manifest["files"]):
            raise ValueError("its files are not those of an atlas")
        if not isinstance(manifest["model"], dict):
            raise ValueError("it names no model")
        json.dumps(manifest, ensure_ascii=False).encode("utf-8")  # refuses half a character
        whole = manifest.get("checksum") == _checksum(manifest)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        said = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise AttlasError(f"{path} is damaged: {MANIFEST} cannot be read ({said})") from error
    if not whole:
        raise AttlasError(f"{path} is damaged: {MANIFEST} does not match its checksum; make the atlas again")
    return manifest  # type: ignore[no-any-return]


def _known_files(files: Any) -> bool:
    """Names come from a file that anyone can write: none may lead out of the folder."""
    always = {HEADS, ARRAYS, EXAMPLES, TOKENS}
    return (
        isinstance(files, dict)
        and files.keys() >= always
        and all(name in always or table_of(name) is not None for name in files)
    )


def _own(folder: Path) -> set[str] | None:
    """Our files in a folder; None where its manifest was never finished."""
    try:
        return {MANIFEST, *_manifest(folder)["files"]}
    except AttlasError:
        return None


def _with(old: Atlas | None, model: dict[str, Any], chapter: Chapter, path: Path) -> Atlas:
    """The atlas with the chapter in it, in the place of one of the same name."""
    added = of_chapter(chapter)
    before = old.manifest["chapters"] if old else {}
    manifest = {
        "model": old.model if old else _as_stored_json(model),
        "chapters": {**before, chapter.name: added.manifest["chapters"][chapter.name]},
    }
    added = replace_in(added, manifest=manifest, path=path)
    new = added if old is None else _join_chapters(old, added, chapter.name)
    try:
        check_manifest(new.manifest)
        check_values(new)
    except WrongError as wrong:
        raise AttlasError(f"the chapter {chapter.name} cannot be added: {wrong}") from None
    return new


def of_chapter(chapter: Chapter) -> Atlas:
    """A chapter alone as an atlas, in memory: what it says is not checked, and the model has no more heads
    than it speaks of."""
    name = chapter.name
    rows = [(name, k, la, h, _valid(s), _valid(g), *more) for k, la, h, s, g, *more in chapter.rows]
    heads = pd.DataFrame(rows, columns=list(HEAD_TYPES)).astype(HEAD_TYPES)
    ranks: dict[Any, int] = {}
    examples = []
    for e in chapter.examples:
        rank = ranks[e.head] = ranks.get(e.head, -1) + 1
        where = e.head.kind, e.head.layer, e.head.head
        examples.append((name, *where, rank, e.weight, e.tokens, e.query, e.key, e.key_tokens, e.sample))
    kinds = heads[["kind", "layer", "head"]].drop_duplicates()["kind"].value_counts()
    model = {"name": "", "heads": {str(kind): int(many) for kind, many in kinds.items()}}
    return Atlas(
        {"model": model, "chapters": {name: _as_stored_json(chapter.about)}},
        heads,
        {f"{name}/{n}": np.ascontiguousarray(a) for n, a in chapter.arrays.items()},
        pd.DataFrame(examples, columns=list(EXAMPLE_TYPES)).astype(EXAMPLE_TYPES),
        {f"{name}/{n}": t.reset_index(drop=True) for n, t in chapter.tables.items()},
        {f"{name}/{n}": [_valid(t) for t in tokens] for n, tokens in chapter.tokens.items()},
    )


def _join_chapters(old: Atlas, new: Atlas, name: str) -> Atlas:
    order = {c: i for i, c in enumerate(new.manifest["chapters"])}

    def frames(before: pd.DataFrame, added: pd.DataFrame) -> pd.DataFrame:
        both = pd.concat([before[before["chapter"] != name], added], ignore_index=True)
        return both.sort_values("chapter", key=lambda c: c.map(order), kind="stable", ignore_index=True)

    def replace_chapter(before: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
        both = {k: v for k, v in before.items() if k.partition("/")[0] != name} | {**added}
        return dict(sorted(both.items(), key=lambda item: order[item[0].partition("/")[0]]))

    return Atlas(
        new.manifest,
        frames(old.heads, new.heads),
        replace_chapter(old.arrays, new.arrays),
        frames(old.examples, new.examples),
        replace_chapter(old.tables, new.tables),
        replace_chapter(old.tokens, new.tokens),
        new.path,
    )


def _write_files(folder: Path, new: Atlas, old: Atlas | None, chapter: str) -> dict[str, str]:
    """Writes what the chapter changes, and takes over every other file as it is. Gives the checksums."""
    from safetensors.numpy import save

    def of_it(keys: Mapping[str, Any]) -> bool:
        return any(k.partition("/")[0] == chapter for k in keys)

    both = (new, old) if old is not None else (new,)
    made: dict[str, tuple[bool, Callable[[], bytes]]] = {
        HEADS: (any((a.heads["chapter"] == chapter).any() for a in both), lambda: write_frame(new.heads)),
        EXAMPLES: (
            any((a.examples["chapter"] == chapter).any() for a in both),
            lambda: write_frame(new.examples),
        ),
        TOKENS: (any(of_it(a.tokens) for a in both), lambda: _write_tokens(new)),
        # in memory first: an OSError where the disk is full, unlike save_file
        ARRAYS: (any(of_it(a.arrays) for a in both), lambda: save(new.arrays)),
    }
    for key, table in new.tables.items():
        whose, _, name = key.partition("/")
        made[table_file(whose, name)] = (whose == chapter, partial(write_frame, table))
    known = old.manifest["files"] if old is not None else {}
    sums = {}
    for name, (changed, write) in made.items():
        target = folder / name
        target.parent.mkdir(exist_ok=True)
        if changed or name not in known:
            content = write()
            target.write_bytes(content)
            sums[name] = hashlib.sha256(content).hexdigest()
        else:
            assert old is not None
            assert old.path is not None
            _take_over(old.path / name, target)
            sums[name] = known[name]
    return sums


def _take_over(file: Path, target: Path) -> None:
    try:
        os.link(file, target)
    except OSError:  # no such links on this file system
        shutil.copyfile(file, target)


def _write_tokens(atlas: Atlas) -> bytes:
    rows = [(*key.split("/", 1), tokens) for key, tokens in atlas.tokens.items()]
    return write_lists(rows, TOKEN_COLUMNS)  # type: ignore[arg-type]


def _checksum(manifest: dict[str, Any]) -> str:
    rest = {k: v for k, v in manifest.items() if k != "checksum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _json(manifest: dict[str, Any]) -> str:
    return json.dumps(manifest, indent=1, ensure_ascii=False, allow_nan=False)


def _as_stored_json(value: Any) -> Any:
    """Return a value as JSON takes it and gives it back."""
    match value:
        case None | bool() | int():
            return value
        case str():
            return _valid(value)
        case float():
            return value if math.isfinite(value) else None
        case Mapping():
            return {_valid(str(k)): _as_stored_json(v) for k, v in value.items()}
        case list() | tuple():
            return [_as_stored_json(v) for v in value]
        case np.generic():
            return _as_stored_json(value.item())
        case _:
            return _valid(str(value))


def _valid(text: str) -> str:
    """Text that UTF-8 can hold: no lone surrogates."""
    return text.encode("utf-8", "replace").decode()
