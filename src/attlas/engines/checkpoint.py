"""A checkpoint: what a study has counted so far, in a folder beside the atlas that it will be written into.

    NAME.attlas.part/lock                            one run at a time writes into NAME.attlas
    NAME.attlas.part/CHAPTER/settings.json           a run goes on only with the same settings
    NAME.attlas.part/CHAPTER/PASS/3-0.safetensors    the merged shards 0 to 7: a node of the pass's tree

Shards are cut the same way every time and merge in a fixed tree, so a run that is killed and resumed ends
with the same numbers, to the last bit, as one that was not.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from attlas.engines.part import Part
from attlas.engines.tree import Node
from attlas.errors import AttlasError
from attlas.files import LOCK, lock_of, replace_with
from attlas.reducers.reducer import State

SECONDS_BETWEEN_WRITES = 5.0
SETTINGS = "settings.json"
_NODE = re.compile(r"(\d{1,2})-(\d{1,15})\.safetensors")


class Checkpoint:
    """The unfinished chapter of an atlas. Use it in a `with` block, which holds the lock."""

    def __init__(self, atlas: Path, chapter: str) -> None:
        atlas = Path(os.path.realpath(atlas))  # a link to an atlas has the lock of the atlas
        if not atlas.name:
            raise AttlasError(f"{atlas} cannot be an atlas: name a folder to be made")
        self.folder = atlas.with_name(atlas.name + ".part")
        self.chapter = self.folder / chapter
        self.problems: list[str] = []  # what was found damaged, for people
        self._lock: Any = None
        self._written = 0.0

    def __enter__(self) -> Checkpoint:
        self._lock = lock_of(self.folder, self.folder.with_suffix(""))
        return self

    def __exit__(self, *_: object) -> None:
        if self.chapter.is_dir() and not self._anything_done():
            self.remove()  # then there is nothing to resume
        empty = self.folder.is_dir() and {f.name for f in self.folder.iterdir()} <= {LOCK}
        if empty:  # before the lock is given up, so that nobody takes the lock of a folder that goes
            (self.folder / LOCK).unlink(missing_ok=True)
        self._lock.release()
        if empty and not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _anything_done(self) -> bool:
        """Whether any item was seen by a finished shard."""
        parts = (p for f in self.chapter.iterdir() if f.is_dir() for p in self.nodes(f.name).values())
        return any(part.counts["items"] for part in parts)

    def begin(self, settings: dict[str, Any], resume: bool, overwrite: bool) -> None:
        """Starts the chapter, or takes up what is there."""
        if self.chapter.exists():
            self._check_own()
            if resume and self._continues(settings):
                return
            if not resume and not overwrite:
                raise AttlasError(
                    f"{self.chapter} holds an unfinished run: --resume continues it, --overwrite begins again"
                )
            self.remove()
        self.chapter.mkdir(parents=True, exist_ok=True)
        _write(self.chapter / SETTINGS, json.dumps(settings, indent=1).encode())

    def nodes(self, name: str) -> dict[Node, Part]:
        """What is done of a pass. A damaged file is set aside: its shards are run again."""
        folder, found = self.chapter / name, {}
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            match = _NODE.fullmatch(path.name)
            if match is None:
                if _is_ours(path):
                    path.unlink()  # half-written when a run was killed
                continue
            try:
                found[Node(int(match[1]), int(match[2]))] = _read(path)
            except (OSError, ValueError, KeyError, TypeError) as error:
                self.problems.append(f"{path} is damaged ({error}): its part of the work is done again")
                path.unlink()
        return found

    def save(self, name: str, nodes: dict[Node, Part], now: bool = False) -> None:
        """Writes the nodes that are not on disk yet, then removes those that were merged into them. Not more
        often than every few seconds, unless it must be now."""
        if not now and time.monotonic() - self._written < SECONDS_BETWEEN_WRITES:
            return
        folder = self.chapter / name
        folder.mkdir(exist_ok=True)
        there = {path.name for path in folder.iterdir() if _is_ours(path)}
        kept = {f"{node.level}-{node.index}.safetensors": part for node, part in nodes.items()}
        for file, part in kept.items():
            if file not in there:
                _write(folder / file, part_bytes(part, file))
        for file in there - kept.keys():
            # one that a request to stop left half-written has just been written again, and is gone
            (folder / file).unlink(missing_ok=True)
        self._written = time.monotonic()

    def remove(self) -> None:
        """All that is ours, and the folders if nothing else is in them."""
        for folder in sorted(f for f in self.chapter.glob("*") if f.is_dir()):
            _clear(folder)
        _clear(self.chapter)

    def _check_own(self) -> None:
        """Nothing that is not ours is ever removed."""
        if not self.chapter.is_dir() or not all(f.is_dir() or _is_ours(f) for f in self.chapter.iterdir()):
            raise AttlasError(f"{self.chapter} is not an unfinished run: choose another folder or chapter")

    def _continues(self, settings: dict[str, Any]) -> bool:
        """Whether the run that is there can be taken up; False if nothing of it was done."""
        try:
            before = json.loads((self.chapter / SETTINGS).read_bytes())
        except (OSError, ValueError) as error:
            if any(f.is_dir() for f in self.chapter.iterdir()):
                raise AttlasError(
                    f"{self.chapter / SETTINGS} is damaged ({error}), so that the run cannot be resumed: "
                    "--overwrite begins again"
                ) from error
            return False  # killed between the folder and its first file
        now = json.loads(json.dumps(settings))
        if before != now:
            raise AttlasError(
                f"{self.chapter} was begun with other settings ({', '.join(_different(before, now))}): "
                "use the same ones, or --overwrite it"
            )
        return True


def _different(before: Any, now: Any, at: str = "") -> list[str]:
    """The names of what differs between two settings."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return [at or "all"] if before != now else []
    keys = sorted({*before, *now})
    return [
        name for key in keys for name in _different(before.get(key), now.get(key), f"{at}.{key}".strip("."))
    ]


def _is_ours(path: Path) -> bool:
    """Whether a checkpoint wrote a file, by its name."""
    name = path.name.removesuffix(".new")
    return path.is_file() and (name == SETTINGS or _NODE.fullmatch(name) is not None)


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if _is_ours(path):
            path.unlink()
    with contextlib.suppress(OSError):  # something else is in it
        folder.rmdir()


def part_bytes(part: Part, name: str = "") -> bytes:
    """`name` is the file's: a part is believed under no other."""
    from safetensors.numpy import save

    arrays = {
        f"{place}/{key}": np.ascontiguousarray(array)
        for place, state in enumerate(part.states)
        for key, array in state.items()
    }
    rest = json.dumps([name, len(part.states), dict(part.counts), part.problems])
    return save(arrays, metadata={"rest": rest, "checksum": _checksum(rest, arrays)})


def _read(path: Path) -> Part:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "np") as file:
            written = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
    except SafetensorError as error:
        raise ValueError(str(error)) from error
    if written.get("checksum") != _checksum(written.get("rest", ""), arrays):
        raise ValueError("it does not match its checksum")
    name, several, counts, problems = json.loads(written["rest"])
    if name != path.name:
        raise ValueError(f"it was written as {name}")
    states: list[State] = [{} for _ in range(several)]
    for name, array in sorted(arrays.items()):
        place, _, key = name.partition("/")
        states[int(place)][key] = array
    return Part(states, Counter(counts), tuple(problems))


def _checksum(rest: str, arrays: State) -> str:
    digest = sha256(rest.encode())
    for name, array in sorted(arrays.items()):
        digest.update(f"{name}{array.dtype}{array.shape}".encode() + array.tobytes())
    return digest.hexdigest()


def _write(path: Path, content: bytes) -> None:
    replace_with(path, content, path.with_name(path.name + ".new"))
