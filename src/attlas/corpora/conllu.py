"""CoNLL-U: treebanks of Universal Dependencies, with the entities of CorefUD where a file marks them.

Multiword tokens give their words, empty nodes and enhanced edges are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attlas.corpora.annotated_documents import ROOT, Document, Marks, Sentence, Word
from attlas.corpora.lines import Report, decode_line, quote, raw_lines, stop, wrong
from attlas.errors import AttlasError
from attlas.extras import optional_import

COLUMNS = 10
_SPACES = re.compile(" {2,}")


def read(path: Path, report: Report = stop) -> Iterator[Document]:
    """The documents of a treebank. A sentence outside any `newdoc` is a document of its own, unless the file
    declares entities (`global.Entity`): then all of it is one. Where `report` lets it, a sentence that is
    wrong is left out by itself."""
    marks = Marks(path)
    name, sentences, whole = path.stem, list[Sentence](), False
    for block in _blocks(path):
        if "newdoc id" in block.comments or "newdoc" in block.comments:
            if sentences:
                yield Document(name, tuple(sentences), marks.take())
            name, sentences, whole = block.comments.get("newdoc id") or path.stem, [], True
        if declared := block.comments.get("global.Entity"):
            marks.name = _entity_name(declared)
            whole = True
        if not (block.rows or block.error):
            continue
        try:
            sentences.append(_sentence(path, block, marks, len(sentences)))
        except AttlasError as error:
            report(error)
            marks.forget(len(sentences))
            continue
        if not whole:
            yield Document(f"{name}:{block.line}", tuple(sentences), marks.take())
            sentences = []
    if sentences:
        yield Document(name, tuple(sentences), marks.take())


def _entity_name(declared: str) -> Any:
    """CorefUD declares what a mark's fields are; the entity is called `eid`, in older files `GRP`."""
    fields = declared.split("-")
    at = next((i for i, f in enumerate(fields) if f in ("eid", "GRP")), 0)

    def name(mark: str) -> str:
        values = mark.split("-")
        return (values[at] if len(values) > at and len(values) > 1 else values[0]).strip()

    return name


@dataclass
class _SentenceLines:
    """The lines between two blank ones."""

    line: int
    comments: dict[str, str] = field(default_factory=dict)
    rows: list[tuple[int, dict[str, Any]]] = field(default_factory=list)  # line and fields
    error: AttlasError | None = None  # of a line


def _blocks(path: Path) -> Iterator[_SentenceLines]:
    parser = optional_import("conllu", "CoNLL-U").parser
    block = _SentenceLines(1)
    for number, raw in raw_lines(path):
        if not raw.strip():
            if block.rows or block.comments or block.error:
                yield block
            block = _SentenceLines(number + 1)
            continue
        try:
            line = decode_line(path, number, raw)
            if line.startswith("#"):
                key, value = parser.parse_pair_value(line[1:])
                block.comments[key] = value or ""
            else:
                block.rows.append((number, _row(path, number, line)))
        except AttlasError as error:
            block.error = block.error or error
            if raw.startswith((b"# newdoc", b"#newdoc")):  # a document begins here, whatever it is called
                block.comments["newdoc"] = ""
    if block.rows or block.comments or block.error:
        yield block


def _row(path: Path, number: int, line: str) -> dict[str, Any]:
    library = optional_import("conllu", "CoNLL-U")
    # the library also splits at two spaces, which a form may have
    cells = _SPACES.sub(" ", line).split("\t")
    if len(cells) != COLUMNS:
        columns = f"{len(cells)} column{'s' * (len(cells) != 1)}"
        raise wrong(path, number, f"{columns} where CoNLL-U has {COLUMNS}, separated by tabs")
    if empty := [i for i, value in enumerate(cells) if not value]:
        raise wrong(path, number, f"column {empty[0] + 1} is empty: CoNLL-U writes _ for nothing")
    # enhanced edges are not read
    parsers = {**library.parser.DEFAULT_FIELD_PARSERS, "deps": lambda row, i: row[i]}
    try:
        row: dict[str, Any] = library.parser.parse_line(
            "\t".join(cells), library.parser.DEFAULT_FIELDS, parsers
        )
        return row
    except library.exceptions.ParseException as error:
        raise wrong(path, number, str(error)) from error
    except ValueError as error:  # Python makes no number of thousands of digits
        ids = f"ID {quote(cells[0])} and head {quote(cells[6])}"
        raise wrong(path, number, f"{ids} are not both numbers of words") from error


def _sentence(path: Path, block: _SentenceLines, marks: Marks, number: int) -> Sentence:
    if block.error is not None:
        raise block.error
    singles = [(line, row) for line, row in block.rows if isinstance(row["id"], int)]
    if not singles:
        raise wrong(path, block.line, "a sentence without words")
    for place, (line, row) in enumerate(singles, 1):
        if row["id"] != place:
            raise wrong(path, line, f"word {row['id']} where word {place} must come")
        if row["head"] is not None and not 0 <= row["head"] <= len(singles):
            raise wrong(path, line, f"head {row['head']} in a sentence of {len(singles)} words")
    _refuse_cycles(path, singles)
    text, spans = _spans(path, block.rows)
    words = tuple(
        Word(
            text=row["form"],
            start=start,
            end=end,
            head=None if row["head"] is None else row["head"] - 1 if row["head"] else ROOT,
            relation="" if row["deprel"] in (None, "_") else row["deprel"],
            universal="" if row["upos"] in (None, "_") else row["upos"],
            tag=row["xpos"] or "",
            features={k: v or "" for k, v in (row["feats"] or {}).items()},
        )
        for (_, row), (start, end) in zip(singles, spans, strict=True)
    )
    _read_entities(block, marks, number)
    return Sentence(text, words, block.rows[0][0])


def _read_entities(block: _SentenceLines, marks: Marks, sentence: int) -> None:
    upcoming = 0  # the number of the next word, where an empty node stands before it
    for line, row in block.rows:
        entity = (row["misc"] or {}).get("Entity")
        single = isinstance(row["id"], int)
        if entity and (single or row["id"][1] == "."):
            marks.read(entity, sentence, upcoming, line, empty=not single)
        upcoming += single
    marks.end_sentence(sentence)


def _refuse_cycles(path: Path, singles: list[tuple[int, dict[str, Any]]]) -> None:
    heads = [row["head"] for _, row in singles]
    safe = {0, None}  # words from which the root, or an unannotated word, has been reached
    for start in range(1, len(heads) + 1):
        trail, at = list[int](), start
        while at not in safe:
            if at in trail:
                written = " -> ".join(map(str, [*trail[trail.index(at) :], at]))
                raise wrong(path, singles[at - 1][0], f"the heads go round in a circle: {written}")
            trail.append(at)
            at = heads[at - 1]
        safe.update(trail)


def _spans(path: Path, rows: list[tuple[int, dict[str, Any]]]) -> tuple[str, list[tuple[int, int]]]:
    """The sentence's text, and the characters of each word."""
    text, spans = "", list[tuple[int, int]]()
    until = 0  # the last word of the multiword token under way
    for i, (line, row) in enumerate(rows):
        number = row["id"]
        if not isinstance(number, int) and number[1] == ".":
            continue
        if isinstance(number, int) and number <= until:
            continue
        start, text = len(text), text + row["form"]
        if isinstance(number, int):
            spans.append((start, len(text)))
        else:
            first, _, until = number
            parts = [
                r["form"] for _, r in rows[i + 1 :] if isinstance(r["id"], int) and first <= r["id"] <= until
            ]
            if len(parts) != until - first + 1 or first != len(spans) + 1:
                raise wrong(
                    path, line, f"the multiword token {first}-{until} does not stand before its words"
                )
            spans += _within(row["form"], parts, start)
        if (row["misc"] or {}).get("SpaceAfter") != "No":
            text += " "
    return text.rstrip(), spans


def _within(surface: str, parts: list[str], start: int) -> list[tuple[int, int]]:
    """Words of a multiword token: their own characters where they spell it, else all of it for each."""
    if "".join(parts).casefold() != surface.casefold():
        return [(start, start + len(surface))] * len(parts)
    spans = []
    for part in parts:
        spans.append((start, start + len(part)))
        start += len(part)
    return spans
