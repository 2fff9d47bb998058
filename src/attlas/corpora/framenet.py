"""FrameNet 1.7: example sentences of lexical units, through NLTK's reader on a folder the user gives."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from attlas.corpora.lines import wrong
from attlas.corpora.needed import needed
from attlas.corpora.words import Document, Element, Frame, Sentence, Word
from attlas.errors import AttlasError

_INDEXES = ("frameIndex.xml", "luIndex.xml", "frame", "lu")
_WORD = re.compile(r"\S+")  # FrameNet's sentences are already split: `Mitch 's chin dipped .`


def read(folder: Path) -> Iterator[Document]:
    """Every annotated example of every lexical unit, one a document, in the order of the index."""
    reader = _reader(folder)
    some = False
    for unit in _parsed(folder / "luIndex.xml", reader.lus):
        frame = _parsed(
            folder / "frame" / f"{unit.frame.name}.xml", lambda of=unit: reader.frame(of.frame.name)
        )
        core = frozenset(element.name for chosen in frame.FEcoreSets for element in chosen)
        for example in _examples(folder, reader, unit):
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


def _examples(folder: Path, reader: Any, unit: Any) -> Any:
    path = folder / "lu" / f"lu{unit.ID}.xml"
    if not path.is_file():
        return []  # units without annotation have no file
    return _parsed(path, lambda: reader.lu(unit.ID).exemplars)


def _parsed(path: Path, parse: Any) -> Any:
    """What NLTK makes of a file; it reads with warnings on standard output, and errors that name no file."""
    try:
        return parse()
    except ParseError as error:
        raise wrong(path, error.position[0], f"this is not valid XML ({error})") from error
    except UnicodeDecodeError as error:
        raise AttlasError(f"{path} is not UTF-8 ({error.reason})") from error
    except (AttributeError, KeyError, OSError) as error:
        raise AttlasError(f"{path} cannot be read as FrameNet 1.7: {error}") from error


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
