"""The one writer of files: a file is whole, or as it was before. And the hash of a file."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from attlas.errors import AttlasError

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK = "lock"


def file_hash(path: str | Path) -> str:
    """The SHA-256 of what a file holds: another file of the same name is not the same file."""
    refuse_irregular(path)
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_whole(path: str | Path, content: bytes | str) -> Path:
    """Write into a file beside it, then give that its name. Return the path."""
    path = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    _refuse_irregular(path, str(path))
    new = path.absolute().with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _clear_leftovers(path)
        try:
            replace_with(path, data, new)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        in_a_file = isinstance(error, FileExistsError | NotADirectoryError)
        said = f"{path.parent} is not a folder" if in_a_file else error.strerror or error
        raise AttlasError(f"{path} cannot be written: {said}") from error
    return path


def replace_with(path: Path, data: bytes, new: Path) -> None:
    """The data is written as `new`, which then takes the place of the file: in one step, also when the
    machine stops. A `new` that a killed run left behind is written over."""
    with new.open("wb") as file:
        _lock(file.fileno())  # until it has its name: nobody clears it away
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
        if path.exists():
            new.chmod(path.stat().st_mode)
        if os.name == "nt":  # which renames no open file
            file.close()
        new.replace(path)


def _clear_leftovers(path: Path) -> None:
    """Remove what killed runs left beside the file: nobody holds its lock."""
    name = re.compile(rf"\.{re.escape(path.name[:100])}\.[0-9a-f]{{8}}\.new")
    for left in [entry for entry in path.parent.iterdir() if name.fullmatch(entry.name)]:
        with suppress(OSError), left.open("rb") as file:
            if _lock(file.fileno()):
                left.unlink()


def _lock(descriptor: int) -> bool:
    """Whether this process now holds an open file; False where the file system knows no locks."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


@contextmanager
def hold_lock(place: Path, into: Path) -> Iterator[None]:
    """Hold the lock of a folder: other runs into `into` are refused meanwhile. The folder is made if need be,
    and removed if nothing is left in it."""
    lock = _lock_of(place, into)
    try:
        yield
    finally:
        empty = place.is_dir() and {path.name for path in place.iterdir()} <= {LOCK}
        if empty:  # before the lock is given up, so that nobody takes the lock of a folder that goes
            (place / LOCK).unlink(missing_ok=True)
        lock.release()
        if empty and not any(place.iterdir()):
            place.rmdir()


def _lock_of(place: Path, into: Path) -> BaseFileLock:
    from filelock import FileLock, Timeout

    if place.exists() and not place.is_dir():
        raise AttlasError(f"{place} is a file, where a folder would go: move it, or choose another folder")
    try:
        place.mkdir(parents=True, exist_ok=True)
        lock = FileLock(place / LOCK)
        lock.acquire(timeout=0)
    except Timeout:
        raise AttlasError(
            f"another run is writing into {into}: wait for it, or choose another folder"
        ) from None
    except OSError as error:
        raise AttlasError(f"{place} cannot be written: {error.strerror or error}") from error
    return lock


def refuse_irregular(path: str | Path) -> None:
    """Refuse to read from pipes and devices: they may hang, or never end, and what is read is read more than
    once. Where a file would not be found, nothing is said here."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise AttlasError(f"{path} is not a regular file: write what it gives to a file, and name that")


def check_writable(path: str | Path, option: str = "", folder: bool = False) -> None:
    """Refuse, before any work is done, a file that could not be written after it, or a folder that no file
    could be written into."""
    path = Path(path)
    name = f"{option} {path}".strip()
    if not folder:
        _refuse_irregular(path, name)
    _check_place(path / "file" if folder else path, name)


def _check_place(path: Path, name: str) -> None:
    """Refuse a file that the nearest folder above it which exists cannot take."""
    folder = next((parent for parent in path.absolute().parents if os.path.lexists(parent)), Path("/"))
    if not folder.is_dir():
        raise AttlasError(f"{name} cannot be written: {folder} is not a folder")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise AttlasError(f"{name} cannot be written: {error.strerror or error}") from error


def _refuse_irregular(path: Path, name: str) -> None:
    """Refuse a folder or a device, which a file would replace."""
    if path.is_dir():
        raise AttlasError(f"{name} cannot be written: it is a folder")
    if path.exists() and not path.is_file():
        raise AttlasError(f"{name} cannot be written: it is not a regular file")


#: what torch, safetensors and tokenizers speak of, in errors of their own, when they cannot write a file
_WRITING = ("inline_container", "PytorchStreamWriter", "os error", "I/O error", "IoError")
_FULL = 2**20  # bytes: a disk that has less is full


@contextmanager
def libraries_write(folder: Path, then: str = "") -> Iterator[None]:
    """Whatever a library raises because it cannot write into the folder is one line. `then` is what to do."""
    try:
        yield
    except AttlasError:
        raise
    except OSError as error:
        raise _cannot_write(folder, error.strerror or str(error), then) from error
    except Exception as error:
        said = str(error)
        if not any(word in said for word in _WRITING):
            raise
        place = next(place for place in (folder, *folder.absolute().parents) if place.exists())
        if "No space left on device" in said or shutil.disk_usage(place).free < _FULL:
            said = "No space left on device"
        elif "inline_container" in said:  # torch says where in its own code, and not why
            said = "the file is not whole; is the disk full?"
        raise _cannot_write(folder, said.strip().split("\n")[0], then) from error


def _cannot_write(folder: Path, reason: str, then: str) -> AttlasError:
    return AttlasError(f"{folder} cannot be written: {reason}{'; ' if then else ''}{then}")
