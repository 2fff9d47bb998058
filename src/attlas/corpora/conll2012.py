"""CoNLL-2012: documents with coreference in the last column (OntoNotes, LitBank)."""

from collections.abc import Iterator
from pathlib import Path

from attlas.corpora.entities import Marks
from attlas.corpora.lines import numbered_lines, wrong
from attlas.corpora.words import Document, Sentence, Word, spread

#: document, part, number, word, tag, parse, five more, entities; predicates may stand before the last
COLUMNS = 12
_NOTHING = ("", "_", "-", "*")


def read(path: Path) -> Iterator[Document]:
    """The documents of a file, `#begin document` to `#end document`."""
    marks, name, began = Marks(path), "", 0
    sentences, rows = list[Sentence](), list[tuple[int, list[str]]]()
    last = 0
    for last, line in numbered_lines(path):
        if line.startswith("#begin document"):
            if name:
                raise wrong(path, last, f"a document begins inside the one that began at line {began}")
            name, began, sentences = line.removeprefix("#begin document").strip() or path.stem, last, []
        elif line.strip() and not line.startswith("#"):
            if not name:
                raise wrong(path, last, "a word outside `#begin document` and `#end document`")
            rows.append((last, _columns(path, last, line, rows)))
            continue
        if rows:
            sentences.append(_sentence(path, rows, marks, len(sentences)))
            rows = []
        if line.startswith("#end document"):
            if not sentences:
                raise wrong(path, last, f"{name} has no words")
            yield Document(name, tuple(sentences), marks.take())
            name = ""
    if name:
        raise wrong(path, last, f"the file ends inside the document that began at line {began}: {name}")


def _columns(path: Path, line: int, written: str, before: list[tuple[int, list[str]]]) -> list[str]:
    found = written.split("\t") if "\t" in written else written.split()
    expected = len(before[0][1]) if before else None
    if len(found) < COLUMNS or (expected is not None and len(found) != expected):
        needed = f"{expected} as in the words before it" if expected else f"{COLUMNS} or more"
        raise wrong(path, line, f"{len(found)} columns where CoNLL-2012 has {needed}")
    if not found[3].strip():
        raise wrong(path, line, "column 4, the word, is empty")
    return found


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
