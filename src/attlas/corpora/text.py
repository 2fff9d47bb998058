"""Plain text: documents of sentences. A blank line ends a document."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from attlas.errors import AttlasError

#: the spaces between a closing mark, with what closes after it, and what can open a sentence
_BETWEEN_SENTENCES = re.compile(r"[.!?][\"')\]]*( +)(?=[A-Z\"'(0-9])")


@dataclass(frozen=True)
class TextCorpus:
    """A text file. `lines_are_sentences` trusts the file's own lines; otherwise each line is split."""

    name: str
    path: Path
    lines_are_sentences: bool = False

    def documents(self) -> Iterator[list[str]]:
        document: list[str] = []
        for line in self._lines():
            if line:
                document += [line] if self.lines_are_sentences else sentences(line)
            elif document:
                yield document
                document = []
        if document:
            yield document

    def _lines(self) -> Iterator[str]:
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                except UnicodeDecodeError as error:
                    raise AttlasError(
                        f"{self.name}, line {number}: not UTF-8 (byte 0x{line[error.start]:02x} at column "
                        f"{error.start + 1}); convert it, for example with iconv -f latin1 -t utf-8"
                    ) from error

    def sha256(self) -> str:
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def text_corpus(path: str | Path | None = None, lines_are_sentences: bool = False) -> TextCorpus:
    """The text file at `path`, or the embedded sample of Wikipedia."""
    if path is None:
        embedded = Path(str(files("attlas") / "data" / "corpus" / "wikipedia.txt"))
        return TextCorpus("wikipedia", embedded, lines_are_sentences=True)
    path = Path(path)
    if not path.exists():
        raise AttlasError(f"{path}: no such file")
    if path.is_dir():
        raise AttlasError(f"{path} is a folder: give a text file, one sentence or paragraph a line")
    if not path.is_file():
        raise AttlasError(f"{path} is not a regular file")
    if path.stat().st_size == 0:
        raise AttlasError(f"{path} is empty")
    return TextCorpus(str(path), path, lines_are_sentences)


def sentences(paragraph: str) -> list[str]:
    """A plain splitter for running text; it errs on abbreviations before a capital."""
    cuts = [match.span(1) for match in _BETWEEN_SENTENCES.finditer(paragraph)]
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(paragraph)]
    return [paragraph[start:end] for start, end in zip(starts, ends, strict=True) if end > start]
