"""The one writer of files: a file is whole, or as it was before."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path

from attlas.errors import AttlasError


def write_whole(path: str | Path, content: bytes | str) -> Path:
    """Writes into a file beside it, then gives that its name. Gives the path."""
    path = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    _refuse_irregular(path, str(path))
    new = path.absolute().with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with new.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                new.chmod(path.stat().st_mode)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        in_a_file = isinstance(error, FileExistsError | NotADirectoryError)
        said = f"{path.parent} is not a folder" if in_a_file else error.strerror or error
        raise AttlasError(f"{path} cannot be written: {said}") from error
    return path


def check_writable(path: str | Path, option: str = "", folder: bool = False) -> None:
    """Refuses, before any work is done, a file that could not be written after it, or a folder that no file
    could be written into."""
    path = Path(path)
    name = f"{option} {path}".strip()
    if not folder:
        _refuse_irregular(path, name)
    _check_place(path / "file" if folder else path, name)


def _check_place(path: Path, name: str) -> None:
    """Whether a file can be made in the nearest folder above it that is there."""
    folder = next((parent for parent in path.absolute().parents if os.path.lexists(parent)), Path("/"))
    if not folder.is_dir():
        raise AttlasError(f"{name} cannot be written: {folder} is not a folder")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise AttlasError(f"{name} cannot be written: {error.strerror or error}") from error


def _refuse_irregular(path: Path, name: str) -> None:
    """A device would be replaced by a file."""
    if path.is_dir():
        raise AttlasError(f"{name} cannot be written: it is a folder")
    if path.exists() and not path.is_file():
        raise AttlasError(f"{name} cannot be written: it is not a regular file")
