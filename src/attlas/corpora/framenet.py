"""FrameNet 1.7: example sentences of lexical units, through NLTK's reader on a folder the user gives."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError, parse

from attlas.corpora.lines import wrong
from attlas.corpora.needed import needed
from attlas.corpora.words import Document, Element, Frame, Sentence, Word
from attlas.errors import AttlasError

_INDEXES = ("frameIndex.xml", "luIndex.xml", "semTypes.xml", "frame", "lu")
_WORD = re.compile(r"\S+")  # FrameNet's sentences are already split: `Mitch 's chin dipped .`


def read(folder: Path) -> Iterator[Document]:
    """Every annotated example of every lexical unit, one a document, in the order of the index."""
    reader = _reader(folder)
    some = False
    units = iter(_parsed(folder / "luIndex.xml", reader.lus))
    # NLTK parses lazily: frames when a unit is named, examples when they are asked for
    while (unit := _parsed(folder / "frame", lambda: next(units, None))) is not None:
        frame = unit.frame
        core = frozenset(element.name for chosen in frame.FEcoreSets for element in chosen)
        for example in _examples(folder, unit):
            if "Target" in example and "FE" in example:
                some = True
                yield _document(unit.name, example, frame.name, core)
    if not some:
        raise AttlasError(f"{folder} has no annotated example sentence")


def _reader(folder: Path) -> Any:
    nltk = needed("nltk", "FrameNet")
    missing = [name for name in _INDEXES if not (folder / name).exists()]
    if missing:
        raise AttlasError(f"{folder} is no FrameNet 1.7 folder: it has no {missing[0]}")
    # NLTK reads only below its own data folders
    parent = str(folder.resolve().parent)
    if parent not in nltk.data.path:
        nltk.data.path.append(parent)
    return needed("nltk.corpus.reader", "FrameNet").FramenetCorpusReader(str(folder.resolve()), [])


def _examples(folder: Path, unit: Any) -> Any:
    path = folder / "lu" / f"lu{unit.ID}.xml"
    if not path.is_file():
        return []  # units without annotation have no file
    return _parsed(path, lambda: unit.exemplars)


def _parsed(path: Path, read: Callable[[], Any]) -> Any:
    """What NLTK makes of a file; its errors name none."""
    try:
        return read()
    except (AttributeError, KeyError, OSError, RecursionError, ValueError, ParseError) as error:
        _refuse_broken(path)
        raise AttlasError(f"{path} cannot be read as FrameNet 1.7: {type(error).__name__} {error}") from error


def _refuse_broken(path: Path) -> None:
    """NLTK says that a file is broken, not which or where."""
    for file in sorted(path.glob("*.xml")) if path.is_dir() else [path]:
        try:
            parse(file)
        except ParseError as error:
            raise wrong(file, error.position[0], f"this is not valid XML ({error})") from error


def _document(unit: str, example: Any, frame: str, core: frozenset[str]) -> Document:
    text = example.text
    words = tuple(Word(m[0], m.start(), m.end()) for m in _WORD.finditer(text))
    return Document(
        f"{unit}#{example.ID}",
        (Sentence(text, words),),
        frame=Frame(
            frame,
            tuple((start, end) for start, end in example.Target),
            tuple(Element(name, start, end) for start, end, name in example.FE[0]),
            core,
        ),
    )
