"""Saving and loading an atlas: a folder of plain files, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from attlas.atlas.atlas import Atlas
from attlas.atlas.schema import COLUMNS, EXAMPLE_COLUMNS, SCHEMA
from attlas.errors import AttlasError

MANIFEST, HEADS, ARRAYS, EXAMPLES = "manifest.json", "heads.parquet", "arrays.safetensors", "examples.parquet"


def save_atlas(atlas: Atlas, path: Path, overwrite: bool = False) -> Atlas:
    """Writes the atlas into a temporary folder beside `path`, then renames it."""
    from safetensors.numpy import save

    check_free(path, overwrite)
    path.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        atlas.heads.to_parquet(building / HEADS, index=False)
        atlas.examples.to_parquet(building / EXAMPLES, index=False)
        arrays = {k: np.ascontiguousarray(v) for k, v in sorted(atlas.arrays.items())}
        (building / ARRAYS).write_bytes(save(arrays))  # an OSError where the disk is full, unlike save_file
        files = {name: _sha256(building / name) for name in (HEADS, ARRAYS, EXAMPLES)}
        manifest = {"schema": SCHEMA, **atlas.manifest, "files": files}
        manifest["checksum"] = _checksum(manifest)
        (building / MANIFEST).write_text(json.dumps(manifest, indent=1, ensure_ascii=False), encoding="utf-8")
        building.chmod(0o755)  # mkdtemp is private to the user; an atlas need not be
        for file in building.iterdir():
            _to_disk(file)
        _put_in_place(building, path)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    return Atlas(manifest, atlas.heads, atlas.arrays, atlas.examples, path)


def check_free(path: Path, overwrite: bool) -> None:
    """Only an atlas is ever overwritten, and only when asked."""
    if not path.exists():
        return
    if not overwrite:
        raise AttlasError(f"{path} exists: choose another --out, or --overwrite it")
    if not path.is_dir() or (not (path / MANIFEST).exists() and any(path.iterdir())):
        raise AttlasError(f"{path} exists and is not an atlas: choose another --out")


def _put_in_place(building: Path, path: Path) -> None:
    if path.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{path.name}-old-", dir=path.parent))
        path.rename(old / "atlas")
        building.rename(path)
        shutil.rmtree(old, ignore_errors=True)
    else:
        building.rename(path)


def load_atlas(path: str | Path) -> Atlas:
    """The atlas in a folder, every file checked against its checksum."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    path = Path(path)
    manifest = _manifest(path)
    for name, expected in manifest["files"].items():
        if not (path / name).is_file():
            raise AttlasError(f"{path} is damaged: {name} is missing")
        if _sha256(path / name) != expected:
            raise AttlasError(f"{path} is damaged: {name} does not match its checksum; make the atlas anew")
    try:
        heads = pd.read_parquet(path / HEADS)
        examples = pd.read_parquet(path / EXAMPLES)
        arrays = load_file(path / ARRAYS)
    except (OSError, ValueError, SafetensorError) as error:
        raise AttlasError(f"{path} cannot be read: {error}") from error
    if tuple(heads.columns) != COLUMNS or tuple(examples.columns) != EXAMPLE_COLUMNS:
        raise AttlasError(f"{path} has other columns than schema {SCHEMA}: make the atlas anew")
    return Atlas(manifest, heads, arrays, examples, path)


def _manifest(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise AttlasError(f"{path}: no such atlas")
    if not (path / MANIFEST).is_file():
        raise AttlasError(f"{path} is not an atlas: it has no {MANIFEST}")
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        schema = manifest["schema"]
        if isinstance(schema, int) and schema > SCHEMA:
            raise AttlasError(f"{path} has schema {schema}, this Attlas reads up to {SCHEMA}: update attlas")
        if not isinstance(schema, int) or not isinstance(manifest["files"], dict):
            raise ValueError("not the manifest of an atlas")
    except (ValueError, KeyError, TypeError) as error:
        raise AttlasError(f"{path} is damaged: {MANIFEST} cannot be read ({error})") from error
    if manifest.get("checksum") != _checksum(manifest):
        raise AttlasError(f"{path} is damaged: {MANIFEST} does not match its checksum; make the atlas anew")
    return manifest  # type: ignore[no-any-return]


def _checksum(manifest: dict[str, Any]) -> str:
    rest = {k: v for k, v in manifest.items() if k != "checksum"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
