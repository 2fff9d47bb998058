"""GAP: ambiguous pronouns, each with two names of which it may mean either (tab-separated)."""

import re
from collections.abc import Iterator, Set
from itertools import pairwise
from pathlib import Path

from attlas.corpora.annotated_documents import Document, Mention, Sentence, Word
from attlas.corpora.lines import Report, decode_line, quote, raw_lines, stop, wrong
from attlas.errors import AttlasError
from attlas.files import refuse_irregular

HEADER = ["ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref"]
#: what the pronoun's entity is called when it means neither name
NEITHER = "neither"

#: a word of its own, as treebanks have it: a mention is `Pauline` in "Pauline's friend", `he` in "he'd say"
_CLITIC = r"(?:['’](?:s|d|m|ll|re|ve)|n['’]t)(?![\w'’])"
_WORD = re.compile(rf"\w+?(?:[-.'’]\w+?)*?(?={_CLITIC})|{_CLITIC}|\w+(?:[-.'’]\w+)*|[^\w\s]", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,9}")
_INSIDE = re.compile(r"\w\w")  # the characters on both sides of a place in the middle of a word
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z])")


def is_gap(path: Path) -> bool:
    """Whether a tab-separated file begins with GAP's columns, which others (GLUE's) do not."""
    refuse_irregular(path)
    try:
        with path.open("rb") as file:
            return _columns(file.readline(2**16).decode("utf-8-sig"))[: len(HEADER)] == HEADER
    except (OSError, UnicodeDecodeError):
        return False


def read(path: Path, report: Report = stop) -> Iterator[Document]:
    """A document a line, with three mentions: A, B, and the pronoun, of the entity `A`, `B` or `neither`.
    Where `report` lets it, a line that is wrong is left out."""
    some = False
    for number, raw in raw_lines(path):
        if number == 1:
            if _columns(decode_line(path, 1, raw))[: len(HEADER)] != HEADER:
                raise wrong(path, 1, f"GAP begins with the columns {', '.join(HEADER)}")
            continue
        if not raw.strip():
            continue
        some = True
        try:
            columns = _columns(decode_line(path, number, raw))
            if len(columns) < len(HEADER):
                raise wrong(path, number, f"{len(columns)} columns where GAP has {len(HEADER)} or more")
            document = _document(path, number, dict(zip(HEADER, columns, strict=False)))
        except AttlasError as error:
            report(error)
            continue
        yield document
    if not some:
        raise AttlasError(f"{path} has GAP's columns and no line below them")


def _columns(line: str) -> list[str]:
    return line.rstrip("\r\n").split("\t")


def _document(path: Path, line: int, row: dict[str, str]) -> Document:
    text = row["Text"]
    if not text.strip():
        raise wrong(path, line, "the text is blank")
    places = {column: _span(path, line, row, column) for column in ("A", "B", "Pronoun")}
    sentences, starts = list[Sentence](), list[int]()
    for start, end in _sentence_spans(text, list(places.values())):
        sentence = text[start:end]
        edges = {edge - start for place in places.values() for edge in place}
        if words := tuple(_words(sentence, edges)):
            sentences.append(Sentence(sentence, words, line))
            starts.append(start)
    means_a, means_b = _true(path, line, row, "A-coref"), _true(path, line, row, "B-coref")
    if means_a and means_b:
        raise wrong(path, line, "A-coref and B-coref are both TRUE: the pronoun means one name, or neither")
    entity = "A" if means_a else "B" if means_b else NEITHER
    mentions = []
    for name, column in (("A", "A"), ("B", "B"), (entity, "Pronoun")):
        mention = _mention(name, places[column], sentences, starts)
        if not mention.words:
            raise wrong(path, line, f"{row[column]!r} at character {places[column][0]} has no word")
        mentions.append(mention)
    return Document(row["ID"], tuple(sentences), tuple(mentions))


def _words(sentence: str, edges: Set[int]) -> Iterator[Word]:
    """The words of a sentence; one that a mention begins or ends in is cut there (`Ming-but`)."""
    for match in _WORD.finditer(sentence):
        cuts = [match.start(), *sorted(e for e in edges if match.start() < e < match.end()), match.end()]
        for start, end in pairwise(cuts):
            yield Word(sentence[start:end], start, end)


def _sentence_spans(text: str, whole: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Sentences by their marks; no mention is cut, though an initial's full stop looks like an end (`George
    W. Bush`)."""
    start = 0
    for gap in _SENTENCE_END.finditer(text):
        if not any(first < gap.end() < last for first, last in whole):
            yield start, gap.end()
            start = gap.end()
    yield start, len(text)


def _true(path: Path, line: int, row: dict[str, str], column: str) -> bool:
    if row[column].upper() not in ("TRUE", "FALSE"):
        raise wrong(path, line, f"{column} is {row[column]!r}, not TRUE or FALSE")
    return row[column].upper() == "TRUE"


def _span(path: Path, line: int, row: dict[str, str], column: str) -> tuple[int, int]:
    """The characters of a mention."""
    text, written, offset = row["Text"], row[column], row[f"{column}-offset"]
    if not written.strip():
        raise wrong(path, line, f"{column} is blank")
    if not _NUMBER.fullmatch(offset):
        raise wrong(path, line, f"{column}-offset is {quote(offset)}, not a number")
    at = int(offset)
    if text[at : at + len(written)] != written:
        raise wrong(path, line, f"{written!r} does not stand at character {at} of the text")
    if any(_INSIDE.fullmatch(text, edge - 1, edge + 1) for edge in (at, at + len(written)) if edge):
        raise wrong(path, line, f"{written!r} at character {at} begins or ends inside a word")
    return at, at + len(written)


def _mention(entity: str, span: tuple[int, int], sentences: list[Sentence], starts: list[int]) -> Mention:
    number = max((i for i, start in enumerate(starts) if start <= span[0]), default=0)
    first, last = (at - starts[number] for at in span) if starts else span
    within = sentences[number].words if sentences else ()
    return Mention(entity, number, tuple(i for i, w in enumerate(within) if w.start < last and first < w.end))
