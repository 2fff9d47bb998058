"""Whether files are a model: errors come before transformers is asked, which answers at length."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from attlas.errors import AttlasError
from attlas.extras import install_command
from attlas.files import refuse_irregular

PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
MOST_LAYERS = 2_000  # building millions takes hours, before anybody sees that their weights are missing
_POINTER = b"version https://git-lfs.github.com/"  # how a file begins that Git has not fetched


def is_gguf(path: str | Path) -> bool:
    return Path(path).suffix.lower() == ".gguf"


def check_model(path: Path, name: str) -> None:
    """Refuses what is not a model, before transformers is asked, which answers at length."""
    refuse_irregular(path)
    if path.is_dir():
        for file in path.iterdir():
            refuse_irregular(file)
        _check_folder(path)
    elif not is_gguf(path):
        beside = f": name its folder, {path.parent}" if (path.parent / "config.json").is_file() else ""
        raise AttlasError(
            f"{name} is a file, and a model is a folder with config.json and model.safetensors, or a .gguf "
            f"file{beside}"
        )
    else:
        _check_gguf(path, name)


def _check_folder(folder: Path) -> None:
    config = folder / "config.json"
    if not config.is_file():
        files = sorted(folder.glob("*.gguf"))
        named = f", and {files[0].name} is to be named itself" if files else ""
        raise AttlasError(
            f"{folder} is not a model: it has no config.json (transformers' save_pretrained writes one)"
            f"{named}"
        )
    try:
        settings = json.loads(config.read_text(encoding="utf-8"))
        if not isinstance(settings, dict):
            raise ValueError("it is not a JSON object")
    except (OSError, ValueError, RecursionError) as error:
        raise AttlasError(f"{config} cannot be read as JSON: {error}") from error
    for name, layers in _numbers_of_layers(settings):
        if layers > MOST_LAYERS:
            raise AttlasError(f"{config}: {name} is {layers:,}, and no model has more than {MOST_LAYERS:,}")
    _check_weights(folder)


def _numbers_of_layers(settings: dict[str, Any]) -> Iterator[tuple[str, int]]:
    for name, value in settings.items():
        if isinstance(value, dict):
            yield from _numbers_of_layers(value)
        elif isinstance(value, int) and ("layers" in name or name == "n_layer"):
            yield name, value


def _check_weights(folder: Path) -> None:
    """They are there, all of them, and can be opened. transformers says of any other that it is not there.
    Beside safetensors no pickle is read, so that what is wrong with one does not matter."""
    safe = any(folder.glob("*.safetensors")) or any(folder.glob("*.safetensors.index.json"))
    for index in folder.glob("*.safetensors.index.json" if safe else "*.index.json"):
        if outside := [name for name in _parts(index) if not _lies_inside(name)]:
            raise AttlasError(f"{index} names {outside[0]!r}, which lies outside: it is not read")
        if missing := [name for name in _parts(index) if not os.path.lexists(folder / name)]:
            raise AttlasError(
                f"{folder} lacks {missing[0]}, a part of the weights that {index.name} names: fetch it, too"
            )
    files = [*folder.glob("*.safetensors")] if safe else [folder / name for name in PICKLES]
    there = [file for file in files if os.path.lexists(file)]
    if not there:
        raise AttlasError(
            f"{folder} has no *.safetensors and no pytorch_model.bin: save_pretrained writes the former"
        )
    for file in there:
        try:
            with file.open("rb") as opened:
                begins = opened.read(len(_POINTER))
        except OSError as error:
            why = error.strerror or str(error)
            raise AttlasError(f"the weights of {folder} cannot be read: {file.name}: {why}") from error
        if begins == _POINTER:
            raise AttlasError(
                f"{file} is a pointer of Git LFS and not the weights: git lfs pull fetches them"
            )


def _lies_inside(name: str) -> bool:
    return not os.path.isabs(name) and ".." not in Path(name).parts


def _parts(index: Path) -> list[str]:
    """The files that an index of weights names; none where it is not such an index."""
    try:
        named = json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()
        return sorted({name for name in named if isinstance(name, str)})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def only_pickles(folder: Path) -> bool:
    return not any(folder.glob("*.safetensors")) and any((folder / name).is_file() for name in PICKLES)


def _check_gguf(path: Path, name: str) -> None:
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise AttlasError(f"{name} is not a GGUF file, although its name ends in .gguf")
    if missing := [package for package in ("gguf", "accelerate") if find_spec(package) is None]:
        raise AttlasError(f"to read {name}, install {' and '.join(missing)}: {install_command('gguf')}")
