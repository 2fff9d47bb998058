"""GAP: ambiguous pronouns, each with two names of which it may mean either (tab-separated)."""

import re
from collections.abc import Iterator
from pathlib import Path

from attlas.corpora.lines import numbered_lines, wrong
from attlas.corpora.words import Document, Mention, Sentence, Word

HEADER = ["ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref"]
#: what the pronoun's entity is called when it means neither name
NEITHER = "neither"

_WORD = re.compile(r"\w+(?:[-.'’]\w+)*|[^\w\s]")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z])")


def read(path: Path) -> Iterator[Document]:
    """A document a line, with three mentions: A, B, and the pronoun, of the entity `A`, `B` or `neither`."""
    for number, line in numbered_lines(path):
        columns = line.split("\t")
        if number == 1:
            if columns[: len(HEADER)] != HEADER:
                raise wrong(path, 1, f"GAP begins with the columns {', '.join(HEADER)}")
            continue
        if not line.strip():
            continue
        if len(columns) < len(HEADER):
            raise wrong(path, number, f"{len(columns)} columns where GAP has {len(HEADER)} or more")
        yield _document(path, number, dict(zip(HEADER, columns, strict=False)))


def _document(path: Path, line: int, row: dict[str, str]) -> Document:
    text = row["Text"]
    sentences, starts = [], []
    for start, end in _sentence_spans(text):
        own = text[start:end]
        words = tuple(Word(m[0], m.start(), m.end()) for m in _WORD.finditer(own))
        if words:
            sentences.append(Sentence(own, words, line))
            starts.append(start)
    entity = (
        "A" if _true(path, line, row, "A-coref") else "B" if _true(path, line, row, "B-coref") else NEITHER
    )
    mentions = []
    for name, column in (("A", "A"), ("B", "B"), (entity, "Pronoun")):
        mentions.append(_mention(path, line, row, name, column, sentences, starts))
    return Document(row["ID"], tuple(sentences), tuple(mentions))


def _sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in _SENTENCE_END.finditer(text):
        yield start, gap.end()
        start = gap.end()
    yield start, len(text)


def _true(path: Path, line: int, row: dict[str, str], column: str) -> bool:
    if row[column].upper() not in ("TRUE", "FALSE"):
        raise wrong(path, line, f"{column} is {row[column]!r} where TRUE or FALSE is needed")
    return row[column].upper() == "TRUE"


def _mention(
    path: Path,
    line: int,
    row: dict[str, str],
    entity: str,
    column: str,
    sentences: list[Sentence],
    starts: list[int],
) -> Mention:
    written, offset = row[column], row[f"{column}-offset"]
    if not offset.isdigit() or not written:
        raise wrong(path, line, f"{column}-offset is {offset!r} where a number is needed")
    at = int(offset)
    if row["Text"][at : at + len(written)] != written:
        raise wrong(path, line, f"{written!r} does not stand at character {at} of the text")
    number = max(i for i, start in enumerate(starts) if start <= at) if starts and starts[0] <= at else 0
    first, last = at - starts[number], at - starts[number] + len(written)
    words = tuple(i for i, w in enumerate(sentences[number].words) if w.start < last and first < w.end)
    if not words:
        raise wrong(path, line, f"{written!r} at character {at} has no word")
    return Mention(entity, number, words)
