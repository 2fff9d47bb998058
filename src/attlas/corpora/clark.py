"""The dependency files of Clark et al. 2019: a word and `HEAD-RELATION` per line, or the JSON that their
script makes of it. Sentences are documents of their own, since the files name none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from attlas.corpora.annotated_documents import ROOT, Document, Sentence, Word
from attlas.corpora.lines import Report, decode_line, parse_json, quote, raw_lines, stop, wrong
from attlas.errors import AttlasError

FIELDS = ("words", "relns", "heads")
_PEEK = 2**16  # bytes that tell the format
_LINES = 20


def is_clark(path: Path) -> bool:
    """Whether a file begins with lines as `the 3-det`, or with the JSON that is made of them."""
    try:
        with path.open("rb") as file:
            start = file.read(_PEEK).decode("utf-8", errors="ignore")
    except OSError:
        return False
    if path.suffix == ".json":
        return start.lstrip().startswith("[") and all(f'"{field}"' in start for field in FIELDS)
    complete = start.split("\n")[:-1] or [start]
    lines = [line for line in islice(complete, _LINES) if line.strip()]
    return bool(lines) and all(_parse_line(line) is not None for line in lines)


def read(path: Path, report: Report = stop) -> Iterator[Document]:
    """A document per sentence. Where `report` lets it, one that is wrong is left out."""
    for line, words, relations, heads in (
        _from_json(path) if path.suffix == ".json" else _from_lines(path, report)
    ):
        try:
            sentence = _sentence(path, line, words, relations, heads)
        except AttlasError as error:
            report(error)
            continue
        yield Document(f"{path.stem}:{line}", (sentence,))


def _parse_line(line: str) -> tuple[str, int, str] | None:
    """the 3-det -> the, 3, det"""
    parts = line.split()
    head, dash, relation = parts[-1].partition("-") if len(parts) == 2 else ("", "", "")
    return (
        (parts[0], int(head), relation) if dash and relation and head.isdecimal() and len(head) < 6 else None
    )


Parsed = tuple[int, list[str], list[str], list[int]]  # line, words, relations, heads


def _from_lines(path: Path, report: Report) -> Iterator[Parsed]:
    words, relations, heads = list[str](), list[str](), list[int]()
    begins, whole = 1, True
    for number, raw in raw_lines(path):
        line = decode_line(path, number, raw)
        if not line.strip():
            if words and whole:
                yield begins, words, relations, heads
            words, relations, heads, begins, whole = [], [], [], number + 1, True
            continue
        parsed = _parse_line(line)
        if parsed is None:
            report(wrong(path, number, f"{quote(line.strip())} is not a word and its head, as `the 3-det`"))
            whole = False
            continue
        words.append(parsed[0])
        heads.append(parsed[1])
        relations.append(parsed[2])
    if words and whole:
        yield begins, words, relations, heads


def _from_json(path: Path) -> Iterator[Parsed]:
    try:
        examples = parse_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AttlasError(f"{path} cannot be read: {error}") from error
    if not isinstance(examples, list):
        raise AttlasError(f"{path} is not a list of sentences, each with {', '.join(FIELDS)}")
    for number, example in enumerate(examples, 1):
        columns: list[Any] = [example.get(field) if isinstance(example, dict) else None for field in FIELDS]
        if not all(isinstance(column, list) and column for column in columns):
            if columns == [[], [], []]:
                continue  # two blank lines make an empty sentence there
            raise AttlasError(f"{path}: sentence {number} has no lists {', '.join(FIELDS)}")
        words, relations, heads = columns
        yield number, words, relations, heads


def _sentence(
    path: Path, line: int, words: Sequence[Any], relations: Sequence[Any], heads: Sequence[Any]
) -> Sentence:
    whole = len(words) == len(relations) == len(heads) and all(
        isinstance(word, str) and word.strip() and isinstance(relation, str) and isinstance(head, int)
        for word, relation, head in zip(words, relations, heads, strict=True)
    )
    if not whole:
        raise wrong(path, line, "a sentence needs as many words as relations and numbers of heads")
    if far := [head for head in heads if not 0 <= head <= len(words)]:
        raise wrong(path, line, f"head {far[0]} in a sentence of {len(words)} words")
    spelled, start = [], 0
    for word, relation, head in zip(words, relations, heads, strict=True):
        spelled.append(Word(word, start, start + len(word), head - 1 if head else ROOT, relation))
        start += len(word) + 1
    return Sentence(" ".join(words), tuple(spelled), line)
