"""FrameNet 1.7: example sentences of lexical units, through NLTK's reader on a folder the user gives."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element as Node
from xml.etree.ElementTree import ParseError, parse

from attlas.corpora.annotated_documents import Document, Element, Frame, Sentence, Word
from attlas.corpora.lines import Report, shortened, stop, wrong
from attlas.errors import AttlasError
from attlas.extras import optional_import

#: index -> its root, and what it must have at least one of
_INDEXES = {
    "frameIndex.xml": ("frameIndex", "frame"),
    "luIndex.xml": ("luIndex", "lu"),
    "semTypes.xml": ("semTypes", "semType"),
    "frRelation.xml": ("frameRelations", None),
}
_FOLDERS = ("frame", "lu")
_ANY = "{*}"  # ElementTree's word for any namespace
_NUMBER = re.compile(r"[0-9]{1,9}")
_WORD = re.compile(r"\S+")  # FrameNet's sentences are already split: `Mitch 's chin dipped .`


def read(folder: Path, report: Report = stop) -> Iterator[Document]:
    """Every annotated example of every lexical unit, one a document, in the order of the index. Where
    `report` lets it, examples and units that are wrong are left out."""
    reader = _reader(folder)
    indexes = {name: _index(folder / name, *of) for name, of in _INDEXES.items()}
    frames = {_number(node, "ID"): node.get("name") for node in indexes["frameIndex.xml"]}
    units = {_number(node, "ID"): node for node in indexes["luIndex.xml"]}
    some = False
    # not NLTK's list of units: an IndexError inside would end it as if it were over
    for number in _parsed(folder / "luIndex.xml", "luIndex", reader.lu_ids_and_names):
        file = folder / "lu" / f"lu{number}.xml"
        try:
            unit = _unit(folder, reader, number, units[number], frames)
            examples = _examples(file, unit, units[number])
            core = frozenset(element.name for chosen in unit.frame.FEcoreSets for element in chosen)
        except AttlasError as error:
            report(error)
            continue
        for example in examples:
            if "Target" in example and "FE" in example:
                some = True
                try:
                    document = _parsed(
                        file, "lexUnit", _document, file, unit.name, example, unit.frame.name, core
                    )
                except AttlasError as error:
                    report(error)
                    continue
                yield document
    if not some:
        raise AttlasError(f"{folder} has no annotated example sentence")


def _unit(
    folder: Path, reader: Any, number: int | str, entry: Node, frames: dict[int | str, str | None]
) -> Any:
    path = folder / "frame" / f"{_frame_name(folder, entry, frames)}.xml"
    if not path.is_file():
        raise AttlasError(f"there is no {path}, the frame of {entry.get('name')} in luIndex.xml")
    unit = _parsed(path, "frame", reader.lu, number)
    if "frame" not in unit:
        raise AttlasError(f"{path} lacks the lexical unit {number}, which luIndex.xml has in this frame")
    return unit


def _reader(folder: Path) -> Any:
    nltk = optional_import("nltk", "FrameNet")
    missing = [name for name in (*_INDEXES, *_FOLDERS) if not (folder / name).exists()]
    if missing:
        raise AttlasError(f"{folder} is not a FrameNet 1.7 folder: it has no {missing[0]}")
    for name in _FOLDERS:
        if not (folder / name).is_dir():
            raise AttlasError(f"{folder} is not a FrameNet 1.7 folder: {name} is not a folder")
    # NLTK reads only below its own data folders
    parent = str(folder.resolve().parent)
    if parent not in nltk.data.path:
        nltk.data.path.append(parent)
    return optional_import("nltk.corpus.reader", "FrameNet").FramenetCorpusReader(str(folder.resolve()), [])


def _index(path: Path, root: str, child: str | None) -> list[Node]:
    tree = _tree(path, root)
    if child is None:
        return []
    nodes = tree.findall(_ANY + child)
    if not nodes:
        raise AttlasError(f"{path} has no <{child}>")
    return nodes


def _number(node: Node, name: str) -> int | str:
    """An attribute as NLTK has it."""
    written = node.get(name, "")
    return int(written) if _NUMBER.fullmatch(written) else written


def _frame_name(folder: Path, unit: Node, frames: dict[int | str, str | None]) -> str:
    number = _number(unit, "frameID")
    name = frames.get(number)
    if name is None:
        used = f"the frame of {unit.get('name')} in luIndex.xml"
        raise AttlasError(f"{folder / 'frameIndex.xml'} has no frame {number}, {used}")
    return name


def _examples(path: Path, unit: Any, entry: Node) -> Any:
    if not path.is_file():
        if entry.get("hasAnnotation") == "true":
            raise AttlasError(f"there is no {path}, though {entry.get('name')} has annotation by luIndex.xml")
        return []  # units without annotation have no file
    return _parsed(path, "lexUnit", lambda: unit.exemplars)


def _parsed(path: Path, root: str, read: Callable[..., Any], *asked: Any) -> Any:
    """What NLTK makes of a file. Its errors are of any kind, from assertions to unbound variables, and name
    no file."""
    try:
        return read(*asked)
    except AttlasError:
        raise
    except Exception as error:
        for sentence in _tree(path, root).findall(f".//{_ANY}sentence"):
            _refuse_sentence(path, sentence)
        what = " ".join(f"{type(error).__name__} {error}".split())
        raise AttlasError(f"{path} cannot be read as FrameNet 1.7: {what}") from error


def _tree(path: Path, root: str) -> Node:
    """NLTK says that a file is broken, not which or where."""
    try:
        if not path.stat().st_size:
            raise AttlasError(f"{path} is empty")
        node = parse(path).getroot()
    except ParseError as error:
        raise wrong(path, error.position[0], f"this is not valid XML ({error})") from error
    except OSError as error:
        raise AttlasError(f"{path} cannot be read: {error.strerror}") from error
    name = node.tag.rpartition("}")[2]
    if name != root:
        raise AttlasError(f"{path} is not a file of FrameNet 1.7: it has <{name}> where <{root}> is needed")
    return node


def _refuse_sentence(path: Path, sentence: Node) -> None:
    number = sentence.get("ID")
    if sentence.find(_ANY + "text") is None:
        raise AttlasError(f"{path}, sentence {number}: it has no <text>")
    for layer in sentence.iter():
        for label in layer.findall(_ANY + "label"):
            for side in ("start", "end"):
                written = label.get(side, "0")  # elements that are not expressed have neither
                if not _NUMBER.fullmatch(written):
                    raise AttlasError(
                        f"{path}, sentence {number}: a {layer.get('name')} has {side} {shortened(written)} "
                        "where the number of a character is needed"
                    )


def _document(path: Path, unit: str, example: Any, frame: str, core: frozenset[str]) -> Document:
    text = example.text
    if not text or not text.strip():
        raise AttlasError(f"{path}, sentence {example.ID}: its <text> is empty")
    words = tuple(Word(m[0], m.start(), m.end()) for m in _WORD.finditer(text))
    for start, end in example.Target:
        if not _spelled(text, start, end):
            raise AttlasError(
                f"{path}, sentence {example.ID}: the Target stands at the characters {start} to {end - 1}, "
                f"where the text of {len(text)} characters has no word"
            )
    # an annotator's slip costs its element, not the corpus
    elements = tuple(Element(name, a, b) for a, b, name in example.FE[0] if _spelled(text, a, b))
    return Document(
        f"{unit}#{example.ID}",
        (Sentence(text, words),),
        frame=Frame(
            frame,
            tuple((start, end) for start, end in example.Target),
            elements,
            core,
        ),
    )


def _spelled(text: str, start: int, end: int) -> bool:
    return 0 <= start < end <= len(text) and bool(text[start:end].strip())
