"""Writing a file: all of it under its name, or nothing."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from attlas.errors import AttlasError


def write(path: Path, data: bytes) -> Path:
    """Write a file beside its place and move it there: a full disk never leaves half of it under its name."""
    try:
        handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(beside, 0o666 & ~_umask())
            os.replace(beside, path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise AttlasError(f"cannot write {path}: {error.strerror or error}") from error
    return path


def check_writable(path: Path) -> None:
    """Refuse a place that cannot be written to before the work begins."""
    if path.is_dir():
        raise AttlasError(f"cannot write {path}: it is a folder")
    if not path.parent.is_dir():
        raise AttlasError(f"cannot write {path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise AttlasError(f"cannot write {path}: {path.parent} may not be written to")


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
