"""An unfinished run: a folder with the settings that it was begun with, and the pieces of it that are done.

    NAME.attlas.part/lock                            one run at a time writes into NAME.attlas
    NAME.attlas.part/CHAPTER/settings.json           a run goes on only with the same settings
    NAME.attlas.part/CHAPTER/PASS/3-0.safetensors    a piece: here the merged shards 0 to 7 of a pass

A chapter of an atlas, a fine-tuned model, recorded features and trained probes are all resumed from this. A
piece is whole or not there, and is believed only under its own name, in the run that wrote it: whatever else
is found is reported, and done again. Shards are cut the same way every time and merge in a fixed tree, so a
run that is killed and resumed ends with the same numbers, to the last bit, as one that was not.
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
from typing import Any, NamedTuple

import numpy as np

from attlas.engines.merge_tree import Node
from attlas.engines.part import PassPart
from attlas.errors import AttlasError, option
from attlas.files import LOCK, hold_lock, replace_with
from attlas.reducers.reducer import State

SECONDS_BETWEEN_WRITES = 5.0
SETTINGS = "settings.json"
_PIECE = re.compile(r"([\w.-]+)\.safetensors")
_NODE = re.compile(r"(\d{1,2})-(\d{1,15})")


class RunPiece(NamedTuple):
    """Something that is done: arrays, and what JSON holds of it."""

    arrays: State
    about: Any


class UnfinishedRun:
    """A `with` block holds the lock of `place`, the folder itself unless another is given: several runs into
    one place take turns. `into` is what the run will leave, for people."""

    def __init__(self, folder: Path, place: Path | None = None, into: Path | None = None) -> None:
        self.folder = folder
        self.problems: list[str] = []  # what was found damaged, for people
        self._lock = hold_lock(place or folder, into or folder)
        self._run = ""  # a digest of the settings
        self._written = 0.0

    @classmethod
    def beside(cls, out: Path, part: str = "") -> UnfinishedRun:
        """The run that will leave `out`, or a part of it; a link has the lock of what it leads to."""
        out = Path(os.path.realpath(out))
        if not out.name:
            raise AttlasError(f"{out} cannot be written: name a new folder")
        place = out.with_name(out.name + ".part")
        return cls(place / part, place, out)

    def __enter__(self) -> UnfinishedRun:
        self._lock.__enter__()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self.folder.is_dir() and not self._anything_done():
            self.remove()  # then there is nothing to resume
        if isinstance(error, KeyboardInterrupt):  # whoever tells of it knows whether there is
            error.kept = self.folder.is_dir()  # type: ignore[attr-defined]
        self._lock.__exit__(None, None, None)

    def _anything_done(self) -> bool:
        """Whether a finished shard has seen an item, or anything else is there."""
        folders = [path for path in self.folder.iterdir() if path.is_dir()]
        files = {path.name for path in self.folder.iterdir() if path.is_file()}
        foreign = any(not _is_ours(path) for folder in folders for path in folder.iterdir())
        parts = (part for folder in folders for part in self.nodes(folder.name).values())
        return bool(files - {SETTINGS, LOCK}) or foreign or any(part.counts["items"] for part in parts)

    # its settings

    def begin(self, settings: dict[str, Any], resume: bool, overwrite: bool) -> bool:
        """Starts the run, or goes on with what is there, as the user asked; and whether it goes on."""
        if self.folder.exists() and (not self.folder.is_dir() or self._contents()):
            self._refuse_foreign()
            if resume and self._continues(settings):
                return True
            if not resume and not overwrite:
                raise AttlasError(
                    f"{self.folder} holds an unfinished run: {option('resume', True)} "
                    f"continues it, {option('overwrite', True)} begins again"
                )
        self.start(settings)
        return False

    def take_up(self, settings: dict[str, Any]) -> bool:
        """Goes on with what is there if it was begun with the same settings, else starts the run; and whether
        it goes on."""
        if self.settings() == as_json(settings):
            self._run = _digest(settings)
            return True
        self.start(settings)
        return False

    def start(self, settings: dict[str, Any]) -> None:
        """Begins anew: what was done before is removed."""
        self.remove()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._run = _digest(settings)
        _write(self.folder / SETTINGS, json.dumps(settings, indent=1).encode())

    def settings(self) -> Any:
        """The settings that the run was begun with; None where there are none that can be read."""
        try:
            return json.loads((self.folder / SETTINGS).read_bytes())
        except (OSError, ValueError):
            return None

    def _contents(self) -> list[Path]:
        return [path for path in self.folder.iterdir() if path.name != LOCK]

    def _refuse_foreign(self) -> None:
        """Nothing that is not ours is ever removed."""
        if not self.folder.is_dir() or not all(f.is_dir() or _is_ours(f) for f in self._contents()):
            raise AttlasError(f"{self.folder} is not an unfinished run: choose another folder or chapter")

    def _continues(self, settings: dict[str, Any]) -> bool:
        """Whether the run that is there can be taken up; False if nothing of it was done."""
        before, now = self.settings(), as_json(settings)
        if before is None:
            if any(f.is_dir() for f in self._contents()):
                raise AttlasError(
                    f"{self.folder / SETTINGS} is damaged, so the run cannot be resumed: "
                    f"{option('overwrite', True)} "
                    "begins again"
                )
            return False  # killed between the folder and its first file
        if before != now:
            raise AttlasError(
                f"{self.folder} was begun with other settings ({', '.join(_different(before, now))}): "
                f"use the same ones, or {option('overwrite', True)} it"
            )
        self._run = _digest(settings)
        return True

    # its pieces

    def piece(self, name: str) -> RunPiece | None:
        """The piece of that name, if done. A damaged or foreign one is reported, removed and done again."""
        path = self._path(name)
        if not path.exists():
            return None
        try:
            return _read(path, name, self._run)
        except (OSError, ValueError, KeyError, TypeError) as error:
            self.problems.append(f"{path} is damaged ({error}): its part of the work is done again")
            path.unlink()
            return None

    def keep(self, name: str, arrays: State, about: Any) -> None:
        path = self._path(name)
        path.parent.mkdir(exist_ok=True)
        _write(path, piece_bytes(arrays, about, name, self._run))

    def nodes(self, name: str) -> dict[Node, PassPart]:
        """The nodes of a pass that are done."""
        folder, nodes = self.folder / name, {}
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            match = _NODE.fullmatch(path.stem)
            if path.suffix == ".safetensors" and match is not None:
                piece = self.piece(f"{name}/{path.stem}")
                if piece is not None:
                    nodes[Node(int(match[1]), int(match[2]))] = _read_part(piece)
            elif _is_ours(path):
                path.unlink()  # half-written when a run was killed
        return nodes

    def save(self, name: str, nodes: dict[Node, PassPart], now: bool = False) -> None:
        """Writes the nodes of a pass that are not on disk yet, then removes those that were merged into them.
        Not more often than every few seconds, unless it must be now."""
        if not now and time.monotonic() - self._written < SECONDS_BETWEEN_WRITES:
            return
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        there = {path.name for path in folder.iterdir() if _is_ours(path)}
        kept = {f"{node.level}-{node.index}": part for node, part in nodes.items()}
        for stem, part in kept.items():
            if f"{stem}.safetensors" not in there:
                self.keep(f"{name}/{stem}", *make_piece(part))
        for file in there - {f"{stem}.safetensors" for stem in kept}:
            # one that a request to stop left half-written has just been written again, and is gone
            (folder / file).unlink(missing_ok=True)
        self._written = time.monotonic()

    def remove(self) -> None:
        """Remove all that is ours, and the folders if nothing else is in them."""
        for folder in sorted(f for f in self.folder.glob("*") if f.is_dir()):
            _clear(folder)
        if self.folder.is_dir():
            _clear(self.folder)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.safetensors"


def as_json(settings: Any) -> Any:
    """Return settings as they come back from JSON."""
    return json.loads(json.dumps(settings))


def _digest(settings: Any) -> str:
    return sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def _different(before: Any, now: Any, at: str = "") -> list[str]:
    """The names of what differs between two settings."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return [at or "all"] if before != now else []
    keys = sorted({*before, *now})
    return [
        name for key in keys for name in _different(before.get(key), now.get(key), f"{at}.{key}".strip("."))
    ]


def _is_ours(path: Path) -> bool:
    """Whether a run wrote a file, by its name."""
    name = path.name.removesuffix(".new")
    return path.is_file() and (name == SETTINGS or _PIECE.fullmatch(name) is not None)


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if _is_ours(path):
            path.unlink()
    with contextlib.suppress(OSError):  # something else is in it
        folder.rmdir()


def make_piece(part: PassPart) -> RunPiece:
    arrays = {
        f"{place}/{key}": array for place, state in enumerate(part.states) for key, array in state.items()
    }
    return RunPiece(arrays, [len(part.states), dict(part.counts), part.problems])


def _read_part(piece: RunPiece) -> PassPart:
    several, counts, problems = piece.about
    states: list[State] = [{} for _ in range(several)]
    for name, array in sorted(piece.arrays.items()):
        place, _, key = name.partition("/")
        states[int(place)][key] = array
    return PassPart(states, Counter(counts), tuple(problems))


def piece_bytes(arrays: State, about: Any, name: str = "", run: str = "") -> bytes:
    """`name` and `run` are where it belongs: it is believed nowhere else."""
    from safetensors.numpy import save

    arrays = {key: np.ascontiguousarray(array) for key, array in arrays.items()}
    rest = json.dumps([name, run, about])
    return save(arrays, metadata={"rest": rest, "checksum": _checksum(rest, arrays)})


def _read(path: Path, name: str, run: str) -> RunPiece:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "np") as file:
            written = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
    except SafetensorError as error:
        raise ValueError(str(error)) from error
    if written.get("checksum") != _checksum(written.get("rest", ""), arrays):
        raise ValueError("it does not match its checksum")
    own_name, own_run, about = json.loads(written["rest"])
    if own_name != name:
        raise ValueError(f"it was written as {own_name}")
    if run and own_run != run:  # before it is begun, a run knows nothing of its settings
        raise ValueError("it was written by a run with other settings")
    return RunPiece(arrays, about)


def _checksum(rest: str, arrays: State) -> str:
    digest = sha256(rest.encode())
    for name, array in sorted(arrays.items()):
        digest.update(f"{name}{array.dtype}{array.shape}".encode() + array.tobytes())
    return digest.hexdigest()


def _write(path: Path, content: bytes) -> None:
    replace_with(path, content, path.with_name(path.name + ".new"))
