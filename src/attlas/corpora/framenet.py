"""FrameNet 1.7: the annotated example sentences of lexical units, from the folder that you give."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element as Node
from xml.etree.ElementTree import ParseError, parse

from attlas.corpora.annotated_documents import Document, Element, Frame, Sentence, Word
from attlas.corpora.lines import Report, quote, stop, wrong
from attlas.errors import AttlasError

#: index -> its root, and what it must have at least one of
_INDEXES = {
    "frameIndex.xml": ("frameIndex", "frame"),
    "luIndex.xml": ("luIndex", "lu"),
    "semTypes.xml": ("semTypes", "semType"),
    "frRelation.xml": ("frameRelations", None),
}
_FOLDERS = ("frame", "lu")
_NUMBER = re.compile(r"[0-9]{1,9}")
_WORD = re.compile(r"\S+")  # FrameNet's sentences are already split: `Mitch 's chin dipped .`
_LONGEST = 200  # characters of a frame's name, which is that of a file
_UNUSABLE = "Problem"  # the status of units that FrameNet's makers doubt

Label = tuple[int, int, str]  # its first character, the one behind its last, its name


@dataclass(frozen=True)
class _FrameFile:
    name: str
    core: frozenset[str]  # the names of the elements in its core sets
    units: dict[str, str]  # number -> name


def read(folder: Path, report: Report = stop) -> Iterator[Document]:
    """Every annotated example of every lexical unit, one a document, in the order of the index. Where
    `report` lets it, examples and units that are wrong are left out."""
    _refuse_other_folders(folder)
    indexes = {name: _index(folder / name, *of) for name, of in _INDEXES.items()}
    names = {node.get("ID"): node.get("name") for node in indexes["frameIndex.xml"]}
    frames: dict[Path, _FrameFile] = {}
    some = False
    for entry in indexes["luIndex.xml"]:
        if entry.get("status") == _UNUSABLE:
            continue
        number = entry.get("ID", "")
        file = folder / "lu" / f"lu{number}.xml"
        try:
            path = _frame_path(folder, entry, names)
            frame = frames[path] = frames.get(path) or _frame_file(path)
            if number not in frame.units:
                raise AttlasError(
                    f"{path} lacks the lexical unit {number}, which luIndex.xml has in this frame"
                )
            sentences = _sentences(file, entry)
        except AttlasError as error:
            report(error)
            continue
        for sentence in sentences:
            try:
                document = _document(file, sentence, frame.units[number], frame)
            except AttlasError as error:
                some = True
                report(error)
                continue
            if document is not None:
                some = True
                yield document
    if not some:
        raise AttlasError(f"{folder} has no annotated example sentence")


def _refuse_other_folders(folder: Path) -> None:
    for name in (*_INDEXES, *_FOLDERS):
        if not (folder / name).exists():
            raise AttlasError(f"{folder} is not a FrameNet 1.7 folder: it has no {name}")
    for name in _FOLDERS:
        if not (folder / name).is_dir():
            raise AttlasError(f"{folder} is not a FrameNet 1.7 folder: {name} is not a folder")


def _index(path: Path, root: str, child: str | None) -> list[Node]:
    tree = _tree(path, root)
    if child is None:
        return []
    nodes = _children(tree, child)
    if not nodes:
        raise AttlasError(f"{path} has no <{child}>")
    return nodes


def _frame_path(folder: Path, unit: Node, names: dict[str | None, str | None]) -> Path:
    number, called = unit.get("frameID"), unit.get("name")
    name = names.get(number)
    if name is None:
        used = f"the frame of {called} in luIndex.xml"
        raise AttlasError(f"{folder / 'frameIndex.xml'} has no frame {number}, {used}")
    path = folder / "frame" / f"{name}.xml"
    if len(name) > _LONGEST or path.parent != folder / "frame":
        raise AttlasError(f"{folder / 'frameIndex.xml'}: {quote(name)} is not the name of a frame")
    if not path.is_file():
        raise AttlasError(f"there is no {path}, the frame of {called} in luIndex.xml")
    return path


def _frame_file(path: Path) -> _FrameFile:
    tree = _tree(path, "frame")
    members = [member for chosen in _children(tree, "FEcoreSet") for member in _children(chosen, "memberFE")]
    return _FrameFile(
        tree.get("name", ""),
        frozenset(member.get("name", "") for member in members),
        {
            unit.get("ID", ""): unit.get("name", "")
            for unit in _children(tree, "lexUnit")
            if unit.get("status") != _UNUSABLE
        },
    )


def _sentences(path: Path, entry: Node) -> list[Node]:
    if not path.is_file():
        if entry.get("hasAnnotation") == "true":
            raise AttlasError(f"there is no {path}, though {entry.get('name')} has annotation by luIndex.xml")
        return []  # units without annotation have no file
    tree = _tree(path, "lexUnit")
    return [s for subcorpus in _children(tree, "subCorpus") for s in _children(subcorpus, "sentence")]


def _tree(path: Path, root: str) -> Node:
    try:
        if not path.stat().st_size:
            raise AttlasError(f"{path} is empty")
        node = parse(path).getroot()
    except ParseError as error:
        raise wrong(path, error.position[0], f"this is not valid XML ({error})") from error
    except OSError as error:
        raise AttlasError(f"{path} cannot be read: {error.strerror}") from error
    except (LookupError, ValueError) as error:  # an encoding that nobody knows, or that XML is not read in
        raise AttlasError(f"{path} cannot be read: {error}") from error
    name = node.tag.rpartition("}")[2]
    if name != root:
        raise AttlasError(f"{path} is not a file of FrameNet 1.7: it has <{name}> where <{root}> is needed")
    return node


def _children(node: Node, name: str) -> list[Node]:
    """Yield the children of this name in the node's own namespace."""
    namespace, bracket, _ = node.tag.rpartition("}")
    return node.findall(f"{namespace}{bracket}{name}")


def _document(path: Path, sentence: Node, unit: str, frame: _FrameFile) -> Document | None:
    """None where nobody has annotated the sentence."""
    place = f"{path}, sentence {sentence.get('ID')}"
    targets, labels = _annotation(place, sentence)
    texts = _children(sentence, "text")
    if not texts:
        raise AttlasError(f"{place}: it has no <text>")
    if not targets or labels is None:
        return None
    text = (texts[0].text or "").replace("\n", " ")
    if not text.strip():
        raise AttlasError(f"{place}: its <text> is empty")
    for start, end, _ in targets:
        if not _has_word(text, start, end):
            raise AttlasError(
                f"{place}: the Target stands at the characters {start} to {end - 1}, "
                f"where the text of {len(text)} characters has no word"
            )
    # an annotator's slip costs its element, not the corpus
    elements = tuple(Element(name, a, b) for a, b, name in labels if _has_word(text, a, b))
    words = tuple(Word(m[0], m.start(), m.end()) for m in _WORD.finditer(text))
    spans = tuple((start, end) for start, end, _ in targets)
    return Document(
        f"{unit}#{sentence.get('ID')}",
        (Sentence(text, words),),
        frame=Frame(frame.name, spans, elements, frame.core),
    )


def _annotation(place: str, sentence: Node) -> tuple[list[Label], list[Label] | None]:
    """The sentence's target, and its elements of the first rank; of several annotations, the last."""
    target: list[Label] = []
    elements: list[Label] | None = None
    for annotation in _children(sentence, "annotationSet"):
        layers = [(layer.get("name"), layer) for layer in _children(annotation, "layer")]
        targets = [_labels(place, layer) for name, layer in layers if name == "Target"]
        target = next(filter(None, targets), target)
        for name, layer in layers:
            if name == "FE" and layer.get("rank") == "1":
                elements = _labels(place, layer)
    return target, elements


def _labels(place: str, layer: Node) -> list[Label]:
    """Return the labels in order. Elements that are not expressed have no place, and are left out."""
    expressed = [label for label in _children(layer, "label") if "start" in label.attrib]
    for label in expressed:
        for side in ("start", "end"):
            if not _NUMBER.fullmatch(written := label.get(side, "")):
                raise AttlasError(
                    f"{place}: a {layer.get('name')} has {side} {quote(written)} "
                    "where the number of a character is needed"
                )
    return sorted((int(x.attrib["start"]), int(x.attrib["end"]) + 1, x.get("name", "")) for x in expressed)


def _has_word(text: str, start: int, end: int) -> bool:
    return 0 <= start < end <= len(text) and bool(text[start:end].strip())
