"""A checkpoint: what a long run has counted so far, beside the atlas it is making.

Reducers keep float64 sums and batches are cut the same way every time, so a run that is killed and resumed
from its last checkpoint ends with the same numbers, to the last bit, as one that was not.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from attlas.errors import AttlasError

Arrays = Mapping[str, npt.NDArray[Any]]


FILES = {"settings.json", "state.safetensors"}


class Checkpoint:
    """The folder `NAME.attlas.part`: settings.json, and state.safetensors with the batches done."""

    def __init__(self, atlas: Path) -> None:
        self.folder = atlas.with_name(atlas.name + ".part")

    def begin(self, settings: dict[str, Any], resume: bool, overwrite: bool = False) -> tuple[int, Arrays]:
        """How many batches are done, and the state after them."""
        if self.folder.exists():
            self._check_own()
            if resume:
                return self._continue(settings)
            if not overwrite:
                raise AttlasError(
                    f"{self.folder} holds an unfinished run: --resume continues it, --overwrite begins again"
                )
            self.remove()
        self.folder.mkdir(parents=True)
        self._write("settings.json", json.dumps(settings, indent=1).encode())
        return 0, {}

    def _check_own(self) -> None:
        """Nothing that is not ours is ever removed."""
        if not self.folder.is_dir() or {f.name.removesuffix(".new") for f in self.folder.iterdir()} - FILES:
            raise AttlasError(f"{self.folder} is not an unfinished run: choose another --out")

    def _continue(self, settings: dict[str, Any]) -> tuple[int, Arrays]:
        from safetensors import SafetensorError, safe_open

        try:
            before = json.loads((self.folder / "settings.json").read_bytes())
        except (OSError, ValueError) as error:
            # killed between the folder and its first file: nothing was done yet
            if (self.folder / "state.safetensors").exists():
                raise AttlasError(
                    f"{self.folder} cannot be resumed ({error}): --overwrite begins again"
                ) from error
            self._write("settings.json", json.dumps(settings, indent=1).encode())
            return 0, {}
        now = json.loads(json.dumps(settings))
        if not isinstance(before, dict):
            raise AttlasError(f"{self.folder} cannot be resumed (settings.json): --overwrite begins again")
        if changed := sorted(k for k in {*before, *now} if before.get(k) != now.get(k)):
            raise AttlasError(
                f"{self.folder} was begun with other settings ({', '.join(changed)}): "
                "use the same ones, or --overwrite it"
            )
        path = self.folder / "state.safetensors"
        if not path.exists():
            return 0, {}
        try:
            with safe_open(path, "np") as file:
                written = file.metadata() or {}
                done = int(written["done"])
                state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
            if written["checksum"] != _checksum(done, state):
                raise ValueError("it does not match its checksum")
            return done, state
        except (OSError, SafetensorError, KeyError, ValueError) as error:
            raise AttlasError(f"{path} is damaged ({error}): --overwrite begins again") from error

    def save(self, done: int, state: Arrays) -> None:
        from safetensors.numpy import save

        arrays = {name: np.ascontiguousarray(a) for name, a in state.items()}
        written = {"done": str(done), "checksum": _checksum(done, arrays)}
        self._write("state.safetensors", save(arrays, metadata=written))

    def _write(self, name: str, content: bytes) -> None:
        new = self.folder / f"{name}.new"
        with new.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.folder / name)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _checksum(done: int, state: Arrays) -> str:
    digest = sha256(str(done).encode())
    for name, array in sorted(state.items()):
        digest.update(f"{name}{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
