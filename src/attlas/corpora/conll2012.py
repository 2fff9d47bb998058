"""CoNLL-2012: documents with coreference in the last column (OntoNotes, LitBank)."""

from collections.abc import Iterator
from pathlib import Path

from attlas.corpora.annotated_documents import Document, Marks, Sentence, Word, spread
from attlas.corpora.lines import Report, decode_line, raw_lines, stop, wrong
from attlas.errors import AttlasError

#: document, part, number, word, tag, parse, five more, entities; predicates may stand before the last
COLUMNS = 12
_NOTHING = ("", "_", "-", "*")


def read(path: Path, report: Report = stop) -> Iterator[Document]:
    """The documents of a file, `#begin document` to `#end document`. Where `report` lets it, a document that
    is wrong is left out, to the beginning of the next one."""
    reading, skipping, last = _Reading(path), False, 0
    for last, raw in raw_lines(path):
        begins = raw.removeprefix(b"\xef\xbb\xbf").startswith(b"#begin document")
        if skipping and not begins:
            continue
        skipping = False
        try:
            if begins and reading.name:
                report(
                    wrong(path, last, f"a document begins inside the one that began at line {reading.began}")
                )
                reading = _Reading(path)
            document = reading.line(last, decode_line(path, last, raw))
        except AttlasError as error:
            report(error)
            reading, skipping = _Reading(path), True
            continue
        if document is not None:
            yield document
    if reading.name:
        ended = f"the file ends inside the document that began at line {reading.began}: {reading.name}"
        report(wrong(path, last, ended))


class _Reading:
    """A document under way."""

    def __init__(self, path: Path) -> None:
        self.path, self.name, self.began = path, "", 0
        self.marks = Marks(path)
        self.sentences: list[Sentence] = []
        self.rows: list[tuple[int, list[str]]] = []

    def line(self, number: int, line: str) -> Document | None:
        """The document, when its last line is read."""
        if line.startswith("#begin document"):
            self.name = line.removeprefix("#begin document").strip() or self.path.stem
            self.began = number
        elif line.strip() and not line.startswith("#"):
            if not self.name:
                raise wrong(self.path, number, "a word outside `#begin document` and `#end document`")
            self.rows.append((number, _columns(self.path, number, line, self.rows)))
            return None
        if self.rows:
            self.sentences.append(_sentence(self.path, self.rows, self.marks, len(self.sentences)))
            self.rows = []
        if not line.startswith("#end document"):
            return None
        if not self.sentences:
            raise wrong(self.path, number, f"{self.name} has no words")
        document = Document(self.name, tuple(self.sentences), self.marks.take())
        self.name, self.sentences = "", []
        return document


def _columns(path: Path, line: int, written: str, before: list[tuple[int, list[str]]]) -> list[str]:
    columns = written.split("\t") if "\t" in written else written.split()
    expected = len(before[0][1]) if before else None
    if len(columns) < COLUMNS or (expected is not None and len(columns) != expected):
        wanted = f"{expected} as in the words before it" if expected else f"{COLUMNS} or more"
        raise wrong(path, line, f"{len(columns)} columns where CoNLL-2012 has {wanted}")
    if not columns[3].strip():
        raise wrong(path, line, "column 4, the word, is empty")
    return columns


def _sentence(path: Path, rows: list[tuple[int, list[str]]], marks: Marks, number: int) -> Sentence:
    for word, (line, row) in enumerate(rows):
        if row[-1].strip() not in _NOTHING:
            marks.read(row[-1].strip(), number, word, line)
    marks.end_sentence(number)
    forms = [row[3] for _, row in rows]
    text, spans = spread(forms, [True] * len(forms))
    tags = ["" if row[4] in _NOTHING[:3] else row[4] for _, row in rows]
    words = tuple(Word(f, *span, tag=tag) for f, span, tag in zip(forms, spans, tags, strict=True))
    return Sentence(text, words, rows[0][0])
