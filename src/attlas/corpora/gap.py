"""GAP: ambiguous pronouns, each with two names of which it may mean either (tab-separated)."""

import re
from collections.abc import Iterator
from pathlib import Path

from attlas.corpora.lines import numbered_lines, shortened, wrong
from attlas.corpora.words import Document, Mention, Sentence, Word
from attlas.errors import AttlasError

HEADER = ["ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref"]
#: what the pronoun's entity is called when it means neither name
NEITHER = "neither"

_WORD = re.compile(r"\w+(?:[-.'’]\w+)*|[^\w\s]")
_NUMBER = re.compile(r"[0-9]{1,9}")
_INSIDE = re.compile(r"\w\w")  # the characters on both sides of a place in the middle of a word
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z])")


def read(path: Path) -> Iterator[Document]:
    """A document a line, with three mentions: A, B, and the pronoun, of the entity `A`, `B` or `neither`."""
    some = False
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
        some = True
        yield _document(path, number, dict(zip(HEADER, columns, strict=False)))
    if not some:
        raise AttlasError(f"{path} has GAP's columns and no line below them")


def _document(path: Path, line: int, row: dict[str, str]) -> Document:
    text = row["Text"]
    if not text.strip():
        raise wrong(path, line, "the text is blank")
    sentences, starts = [], []
    for start, end in _sentence_spans(text):
        own = text[start:end]
        words = tuple(Word(m[0], m.start(), m.end()) for m in _WORD.finditer(own))
        if words:
            sentences.append(Sentence(own, words, line))
            starts.append(start)
    means_a, means_b = _true(path, line, row, "A-coref"), _true(path, line, row, "B-coref")
    if means_a and means_b:
        raise wrong(path, line, "A-coref and B-coref are both TRUE: the pronoun means one name, or neither")
    entity = "A" if means_a else "B" if means_b else NEITHER
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
    text, written, offset = row["Text"], row[column], row[f"{column}-offset"]
    if not written.strip():
        raise wrong(path, line, f"{column} is blank")
    if not _NUMBER.fullmatch(offset):
        raise wrong(path, line, f"{column}-offset is {shortened(offset)} where a number is needed")
    at = int(offset)
    if text[at : at + len(written)] != written:
        raise wrong(path, line, f"{written!r} does not stand at character {at} of the text")
    if any(_INSIDE.fullmatch(text, edge - 1, edge + 1) for edge in (at, at + len(written)) if edge):
        raise wrong(path, line, f"{written!r} at character {at} begins or ends inside a word")
    number = max(i for i, start in enumerate(starts) if start <= at) if starts and starts[0] <= at else 0
    first, last = at - starts[number], at - starts[number] + len(written)
    words = tuple(i for i, w in enumerate(sentences[number].words) if w.start < last and first < w.end)
    if not words:
        raise wrong(path, line, f"{written!r} at character {at} has no word")
    return Mention(entity, number, words)
