"""Writing a folder whole: it is built beside its place and exchanged with what is there in one step.

Whenever the process is killed, the old folder or the new one stands under the name. What a killed process
leaves beside it is cleared by the next write. Files that are not ours are carried along, and never deleted.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

_EXCHANGE = 2  # renameat2's RENAME_EXCHANGE
_AT_FDCWD = -100

#: the names of our own files in such a folder, relative to it; None where it was never finished
OurFiles = Callable[[Path], "set[str] | None"]


@contextlib.contextmanager
def alone(path: Path) -> Iterator[bool]:
    """Waits until nobody else writes a folder beside `path`. False where the file system has no locks."""
    from filelock import lock_descriptor

    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as opened:
        locked = False
        with contextlib.suppress(OSError):  # Windows opens no folders, some file systems lock none
            descriptor = os.open(path.parent, os.O_RDONLY)
            opened.callback(os.close, descriptor)  # which releases the lock
            locked = lock_descriptor(descriptor)
        yield locked


@contextlib.contextmanager
def building(path: Path, our_files: OurFiles, durable: bool = True) -> Iterator[Path]:
    """An empty folder to fill; it takes the place of `path` once the block ends without an error. `durable`:
    what was written survives a power cut, for some milliseconds per file."""
    new = _beside(path, "new")
    new.mkdir()
    try:
        yield new
        if durable:
            _to_disk(new)
        if path.exists():
            shutil.copymode(path, new)
            _link_foreign(path, new, our_files(path) or set())
        _put_in_place(new, path, our_files)
        _to_disk(path.parent, deep=False)
    finally:
        # the old folder by now; or, after an error, what was to be the new one
        with contextlib.suppress(OSError):
            _discard(new, path, our_files)


def clear_leftovers(path: Path, our_files: OurFiles) -> None:
    """Removes what a killed write left beside `path`, and brings back what it had taken away."""
    for old in leftovers(path, "old"):
        if not path.exists():
            old.rename(path)
    for left in (*leftovers(path, "new"), *leftovers(path, "old")):
        with contextlib.suppress(OSError):
            _discard(left, path, our_files)


def leftovers(path: Path, end: str) -> list[Path]:
    name = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{8}}\.{end}")
    return sorted(p for p in path.parent.iterdir() if name.fullmatch(p.name)) if path.parent.is_dir() else []


def _beside(path: Path, end: str) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.{end}")


def _put_in_place(new: Path, path: Path, our_files: OurFiles) -> None:
    if not path.exists():
        new.rename(path)
    elif not exchange(new, path):
        # a file system without the exchange: `clear_leftovers` tidies up if we are killed between
        old = _beside(path, "old")
        path.rename(old)
        new.rename(path)
        with contextlib.suppress(OSError):
            _discard(old, path, our_files)


def exchange(this: Path, other: Path) -> bool:
    """Swaps two names in one step, where the system can."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError, TypeError):
        return False
    return bool(renameat2(_AT_FDCWD, os.fsencode(this), _AT_FDCWD, os.fsencode(other), _EXCHANGE) == 0)


def _link_foreign(old: Path, new: Path, ours: set[str], under: str = "") -> None:
    """Gives what is not ours a second name in the new folder, where the file system has such."""
    for entry in old.iterdir():
        name, target = f"{under}{entry.name}", new / entry.name
        if name in ours:
            continue
        if entry.is_dir() and not entry.is_symlink():
            target.mkdir(exist_ok=True)
            _link_foreign(entry, target, ours, f"{name}/")
            if not any(target.iterdir()) and any(entry.iterdir()):
                target.rmdir()  # it held only what was ours
        elif not os.path.lexists(target):
            with contextlib.suppress(OSError):
                os.link(entry, target, follow_symlinks=False)


def _discard(left: Path, path: Path, our_files: OurFiles) -> None:
    """Removes a folder of ours; what in it is not ours moves to `path`."""
    if not left.exists():
        return
    ours = our_files(left)
    if ours is None:  # never finished, so that nothing was carried into it
        shutil.rmtree(left, ignore_errors=True)
        return
    ours = {name for name in ours if not _leads_out(left, name)}
    for name in ours:
        (left / name).unlink(missing_ok=True)
    emptied = {parent for name in ours for parent in Path(name).parents[:-1]}
    for folder in sorted(emptied, key=lambda folder: -len(folder.parts)):
        with contextlib.suppress(OSError):  # something of others is in it
            (left / folder).rmdir()
    _move_rest(left, path)


def _leads_out(folder: Path, name: str) -> bool:
    """Whether a folder on the way to a file is a link: what it leads to is not ours."""
    return any((folder / parent).is_symlink() for parent in Path(name).parents)


def _move_rest(left: Path, path: Path) -> None:
    for entry in list(left.iterdir()):
        target = path / entry.name
        if entry.is_dir() and not entry.is_symlink():
            if not target.exists() and any(entry.iterdir()):
                target.mkdir()
            _move_rest(entry, target)
        elif os.path.lexists(target) and os.path.samestat(entry.lstat(), target.lstat()):
            entry.unlink()
        else:
            entry.replace(target)
    left.rmdir()


def _to_disk(path: Path, deep: bool = True) -> None:
    """What was written survives a power cut."""
    for entry in path.iterdir() if deep else ():
        if entry.is_dir() and not entry.is_symlink():
            _to_disk(entry)
        elif entry.is_file():
            _sync(entry)
    with contextlib.suppress(OSError):  # some file systems do not sync folders
        _sync(path)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
