"""Annotated corpora by their files: which reader, and the same documents as often as they are asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from attlas.corpora import conll2012, conllu, framenet, gap, spacy_text
from attlas.corpora.lines import refuse_irregular
from attlas.corpora.words import Document
from attlas.errors import AttlasError

#: the treebank that ships with Attlas
SAMPLE = "sample"
#: format -> how its file names end, and its reader
READERS: dict[str, tuple[tuple[str, ...], Callable[[Path], Iterator[Document]]]] = {
    "conllu": ((".conllu",), conllu.read),
    "conll2012": ((".conll", "_conll"), conll2012.read),
    "gap": ((".tsv",), gap.read),
}
FORMATS = (*READERS, "framenet", "text")


@dataclass(frozen=True)
class AnnotatedCorpus:
    """`read` gives the documents from the beginning, each time it is called."""

    name: str
    format: str
    paths: tuple[Path, ...]
    read: Callable[[], Iterator[Document]]

    def sha256(self) -> str:
        digest = hashlib.sha256()
        for path in self.paths:
            for file in sorted(path.rglob("*.xml")) if path.is_dir() else [path]:
                digest.update(file.name.encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
        return digest.hexdigest()


def annotated_corpus(
    path: Path | str | None, format: str | None = None, pipeline: str | None = None
) -> AnnotatedCorpus:
    """A file, a folder of files of one format, a FrameNet folder, or (None) the treebank that ships.

    With a spaCy `pipeline`, plain text is tagged and parsed, and corpora without dependencies get them.
    """
    if path is None or str(path) == SAMPLE:
        path = Path(str(files("attlas") / "data" / "treebank" / "en_ewt-sample.conllu"))
    path = Path(path)
    if not path.exists():
        raise AttlasError(f"there is no corpus {path}")
    refuse_irregular(path)
    if format is not None and format not in FORMATS:
        raise AttlasError(f"there is no corpus format {format!r}: choose one of {', '.join(FORMATS)}")
    if format is None and path.is_dir():
        _refuse_mixed(path)
    if format == "framenet" or (format is None and _is_framenet(path)):
        return AnnotatedCorpus(path.name, "framenet", (path,), lambda: framenet.read(path))
    chosen, paths = _files(path, format)
    if chosen == "text":
        nlp = _loaded(pipeline or spacy_text.PIPELINE)
        return AnnotatedCorpus(
            path.name, "text", paths, lambda: (d for p in paths for d in spacy_text.read(p, nlp()))
        )
    reader = READERS[chosen][1]

    def read() -> Iterator[Document]:
        for file in paths:
            yield from reader(file)

    if pipeline is None:
        return AnnotatedCorpus(path.name, chosen, paths, read)
    tagger = _loaded(pipeline)
    return AnnotatedCorpus(path.name, chosen, paths, lambda: spacy_text.annotate(read(), tagger()))


def _files(path: Path, format: str | None) -> tuple[str, tuple[Path, ...]]:
    if path.is_file():
        return format or _by_name(path), (path,)
    found = _found(path)
    for name, paths in found.items():
        if format in (None, name):
            return name, paths
    if format == "text":
        raise AttlasError(f"{path} is a folder: --format text reads one file")
    if format is not None:
        endings = " or ".join(f"*{ending}" for ending in READERS[format][0])
        raise AttlasError(f"{path} has no file of the format {format}: no {endings}")
    raise AttlasError(f"{path} has no annotated corpus: no *.conllu, *.conll or *.tsv file, and no FrameNet")


def _found(folder: Path) -> dict[str, tuple[Path, ...]]:
    """The files of each format that a folder has."""
    files = sorted(folder.iterdir())
    by_format = {
        name: tuple(p for p in files if p.name.endswith(endings)) for name, (endings, _) in READERS.items()
    }
    return {name: paths for name, paths in by_format.items() if paths}


def _is_framenet(path: Path) -> bool:
    return (path / "frameIndex.xml").exists()


def _refuse_mixed(folder: Path) -> None:
    # plain text is no sign: licences and readmes lie beside many a treebank
    found = [*_found(folder), *(["framenet"] if _is_framenet(folder) else [])]
    if len(found) > 1:
        raise AttlasError(
            f"{folder} has files of several formats, {', '.join(found)}: choose one of them with --format"
        )


def _by_name(path: Path) -> str:
    for name, (endings, _) in READERS.items():
        if path.name.endswith(endings):
            return name
    if path.suffix == ".txt":
        return "text"
    raise AttlasError(f"{path}: what format is this? Say --format, one of {', '.join(FORMATS)}")


def _loaded(pipeline: str) -> Callable[[], Any]:
    """The pipeline, loaded at the first call and kept."""
    kept: list[Any] = []

    def nlp() -> Any:
        if not kept:
            kept.append(spacy_text.pipeline(pipeline))
        return kept[0]

    return nlp
