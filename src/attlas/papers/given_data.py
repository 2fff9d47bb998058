"""The data of the papers in a folder, found by the names that these corpora come with."""

from __future__ import annotations

import lzma
import shutil
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

from attlas.errors import AttlasError

TASKS = ("MRPC", "STS-B", "SST-2", "QQP", "RTE", "QNLI", "MNLI")  # of Kovaleva 2019
#: paper -> names of archives with data that it used
ARCHIVES: Mapping[str, Sequence[str]] = {
    "clark2019": ("ud*", "gum*", "ontonotes*", "litbank*", "glove*"),
    "kovaleva2019": ("framenet*", "glue*", "ud*"),
    "vig2019": (),
}
PACKED = (".tar.xz", ".tar.gz", ".tgz", ".tar.bz2", ".zip")


@dataclass(frozen=True)
class GivenData:
    """The parts of a folder that a reproduction reads; None for what is not there."""

    treebank: Path | None = None  # to report on: the development part
    training: Path | None = None  # of the treebank
    coreference: Path | None = None
    framenet: Path | None = None
    word_vectors: Path | None = None
    glue: Path | None = None

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that GLUE's folder has."""
        return () if self.glue is None else tuple(t for t in TASKS if (self.glue / t / "train.tsv").is_file())


def find_data(*folders: Path) -> GivenData:
    """Look through folders, three levels deep."""
    places = [place for folder in folders for place in sorted(_walk(folder, 3))]
    files, inner = [p for p in places if p.is_file()], [p for p in places if p.is_dir()]
    return GivenData(
        treebank=_first(files, "en_*-ud-dev.conllu") or _first(files, "*-ud-dev.conllu"),
        training=_first(files, "en_*-ud-train.conllu") or _first(files, "*-ud-train.conllu"),
        coreference=next((f for f in inner if f.name.lower() == "gum" and any(f.glob("*.conllu"))), None)
        or next((f for f in inner if any(f.glob("*.conll")) or any(f.glob("*_conll"))), None),
        framenet=next((f for f in inner if (f / "frame").is_dir() and (f / "lu").is_dir()), None),
        word_vectors=_first(files, "glove*.txt"),
        glue=next((f for f in inner if any((f / t / "train.tsv").is_file() for t in TASKS)), None),
    )


def unpack_archives(paper: str, folder: Path, into: Path) -> Path:
    """Unpack the archives of a folder that the paper needs, each once, and return where they are."""
    for path in sorted(folder.iterdir()):
        needed = any(path.match(pattern) for pattern in ARCHIVES[paper])
        if needed and path.name.endswith((*PACKED, ".txt.xz")):
            place = into / path.name.split(".tar")[0].removesuffix(".zip").removesuffix(".tgz")
            if not place.exists():
                _unpack(path, place)
    return into


def _unpack(path: Path, place: Path) -> None:
    """Unpack under another name first, so that what was stopped half-way is not taken for the whole."""
    unfinished = place.with_name(f".{place.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        unfinished.mkdir(parents=True)
        if path.name.endswith(".txt.xz"):
            with lzma.open(path) as packed, (unfinished / path.stem).open("wb") as file:
                shutil.copyfileobj(packed, file)
        elif path.suffix == ".zip":
            shutil.unpack_archive(path, unfinished)
        else:
            with tarfile.open(path) as archive:
                archive.extractall(unfinished, filter="data")
    except (OSError, lzma.LZMAError, tarfile.TarError, BadZipFile, EOFError) as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise AttlasError(f"{path} cannot be unpacked: {error}") from error
    unfinished.rename(place)


def _walk(folder: Path, levels: int) -> Iterator[Path]:
    yield folder
    if levels and folder.is_dir():
        for path in folder.iterdir():
            if not path.name.startswith("."):
                yield from _walk(path, levels - 1)


def _first(files: Sequence[Path], pattern: str) -> Path | None:
    return next((path for path in files if path.match(pattern)), None)
