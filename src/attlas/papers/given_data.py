"""What a folder of data has of what the papers used: found by the names that these corpora come with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TASKS = ("MRPC", "STS-B", "SST-2", "QQP", "RTE", "QNLI", "MNLI")  # of Kovaleva 2019


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


def given_data(folder: Path | None) -> GivenData:
    """Looks through a folder, three levels deep."""
    if folder is None:
        return GivenData()
    places = sorted(_within(folder, 3))
    files, folders = [p for p in places if p.is_file()], [p for p in places if p.is_dir()]
    return GivenData(
        treebank=_first(files, "en_*-ud-dev.conllu") or _first(files, "*-ud-dev.conllu"),
        training=_first(files, "en_*-ud-train.conllu") or _first(files, "*-ud-train.conllu"),
        coreference=next((f for f in folders if f.name.lower() in ("gum", "ontonotes")), None)
        or next((f for f in folders if any(f.glob("*.conll")) or any(f.glob("*_conll"))), None),
        framenet=next((f for f in folders if (f / "frame").is_dir() and (f / "lu").is_dir()), None),
        word_vectors=_first(files, "glove*.txt"),
        glue=next((f for f in folders if any((f / t / "train.tsv").is_file() for t in TASKS)), None),
    )


def _within(folder: Path, levels: int) -> Iterator[Path]:
    yield folder
    if levels and folder.is_dir():
        for path in folder.iterdir():
            yield from _within(path, levels - 1)


def _first(files: list[Path], pattern: str) -> Path | None:
    return next((path for path in files if path.match(pattern)), None)
