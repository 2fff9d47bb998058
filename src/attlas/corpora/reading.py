"""Annotated corpora by their files: which reader, and the same documents as often as they are asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from attlas.corpora import clark, conll2012, conllu, framenet, gap, spacy_text
from attlas.corpora.annotated_documents import Document
from attlas.corpora.lines import Report, stop
from attlas.errors import AttlasError, option
from attlas.files import file_hash, refuse_irregular

#: the treebank that ships with Attlas
SAMPLE = "sample"
#: format -> how its file names end, and its reader
READERS: dict[str, tuple[tuple[str, ...], Callable[[Path, Report], Iterator[Document]]]] = {
    "conllu": ((".conllu",), conllu.read),
    "conll2012": ((".conll", "_conll"), conll2012.read),
    "gap": ((".tsv",), gap.read),
    "clark": ((".txt", ".json"), clark.read),
}
FORMATS = (*READERS, "framenet", "text")


@dataclass(frozen=True)
class AnnotatedCorpus:
    """Files of one format. With a spaCy `pipeline`, plain text is tagged and parsed, and other corpora get
    its tags and dependencies."""

    name: str
    format: str
    paths: tuple[Path, ...]
    pipeline: str | None = None

    def read(self, report: Report = stop) -> Iterator[Document]:
        """The documents, from the beginning. `report` hears of those that cannot be read: they are skipped if
        it returns."""
        if self.format == "text":
            nlp = spacy_text.pipeline(self.pipeline or spacy_text.PIPELINE)
            for path in self.paths:
                yield from spacy_text.read(path, nlp, report)
        elif self.pipeline is not None:
            yield from spacy_text.annotate(self._read(report), spacy_text.pipeline(self.pipeline))
        else:
            yield from self._read(report)

    def _read(self, report: Report) -> Iterator[Document]:
        reader = framenet.read if self.format == "framenet" else READERS[self.format][1]
        for path in self.paths:
            yield from reader(path, report)

    @cached_property
    def checksum(self) -> str:
        """The SHA-256 of the files and their names."""
        digest = hashlib.sha256()
        for path in self.paths:
            for file in sorted(path.rglob("*.xml")) if path.is_dir() else [path]:
                digest.update(file.name.encode() + bytes.fromhex(file_hash(file)))
        return digest.hexdigest()

    def describe(self) -> dict[str, str | None]:
        return {
            "name": self.name,
            "format": self.format,
            "checksum": self.checksum,
            "pipeline": self.pipeline,
        }


def annotated_corpus(
    path: Path | str | None, format: str | None = None, pipeline: str | None = None
) -> AnnotatedCorpus:
    """A file, a folder of files of one format, a FrameNet folder, or (None) the treebank that ships."""
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
        return AnnotatedCorpus(path.name, "framenet", (path,))
    chosen, paths = _files(path, format)
    return AnnotatedCorpus(path.name, chosen, paths, pipeline)


def _files(path: Path, format: str | None) -> tuple[str, tuple[Path, ...]]:
    if path.is_file():
        return format or _by_name(path), (path,)
    by_format = _files_by_format(path, format)
    for name, paths in by_format.items():
        if format in (None, name):
            return name, paths
    if format == "text":
        raise AttlasError(f"{path} is a folder: {option('format', 'text')} reads one file")
    if format is not None:
        endings = " or ".join(f"*{ending}" for ending in READERS[format][0])
        raise AttlasError(f"{path} has no file of the format {format}: no {endings}")
    raise AttlasError(f"{path} has no annotated corpus: no *.conllu, *.conll or GAP's *.tsv, and no FrameNet")


def _files_by_format(folder: Path, format: str | None = None) -> dict[str, tuple[Path, ...]]:
    """The files of each format that a folder has."""
    files = sorted(folder.iterdir())
    by_format = {
        name: tuple(p for p in files if p.name.endswith(endings) and (name == format or _is_of(p, name)))
        for name, (endings, _) in READERS.items()
    }
    return {name: paths for name, paths in by_format.items() if paths}


def _is_of(path: Path, format: str) -> bool:
    """Many a table is called *.tsv, and many a text *.txt: their first lines tell."""
    return {"gap": gap.is_gap, "clark": clark.is_clark}.get(format, lambda _: True)(path)


def _is_framenet(path: Path) -> bool:
    return (path / "frameIndex.xml").exists()


def _refuse_mixed(folder: Path) -> None:
    # plain text is no sign: licences and readmes lie beside many a treebank
    formats = [*_files_by_format(folder), *(["framenet"] if _is_framenet(folder) else [])]
    if len(formats) > 1:
        raise AttlasError(
            f"{folder} has files of several formats, {', '.join(formats)}: choose one of them "
            f"with {option('format')}"
        )


def _by_name(path: Path) -> str:
    for name, (endings, _) in READERS.items():
        if path.name.endswith(endings) and (name != "clark" or clark.is_clark(path)):
            if not _is_of(path, name):
                columns = ", ".join(gap.HEADER[:4])
                raise AttlasError(f"{path} is not a GAP file: that begins with the columns {columns}, ...")
            return name
    if path.suffix == ".txt":
        return "text"
    raise AttlasError(
        f"{path}: its name does not tell the format: choose {option('format')}, one of {', '.join(FORMATS)}"
    )
