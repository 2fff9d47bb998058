"""CoNLL-U: multiword tokens, empty nodes, entities, and everything that can be wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from attlas.corpora import conllu
from attlas.corpora.annotated_documents import ROOT, Document
from attlas.errors import AttlasError


def row(number: str, form: str, head: str = "_", relation: str = "_", misc: str = "_") -> str:
    return "\t".join([number, form, form.lower(), "X", "_", "_", head, relation, "_", misc])


def written(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "some.conllu"
    path.write_text("\n".join([*lines, ""]) + "\n", encoding="utf-8")
    return path


def read(tmp_path: Path, *lines: str) -> list[Document]:
    return list(conllu.read(written(tmp_path, *lines)))


GERMAN = (
    row("1", "Er", "2", "nsubj"),
    row("2", "geht", "0", "root"),
    row("3-4", "zum", misc="_"),
    row("3", "zu", "5", "case"),
    row("4", "dem", "5", "det"),
    row("5", "See", "2", "obl", "SpaceAfter=No"),
    row("5.1", "ging", "_", "_"),
    row("6", ".", "2", "punct"),
)


def test_words_of_a_contraction_share_its_characters_and_empty_nodes_are_passed_over(tmp_path: Path) -> None:
    (document,) = read(tmp_path, *GERMAN)
    (sentence,) = document.sentences
    assert sentence.text == "Er geht zum See."
    assert [w.text for w in sentence.words] == ["Er", "geht", "zu", "dem", "See", "."]
    assert [(w.start, w.end) for w in sentence.words] == [
        (0, 2),
        (3, 7),
        (8, 11),
        (8, 11),
        (12, 15),
        (15, 16),
    ]
    assert [w.head for w in sentence.words] == [1, ROOT, 4, 4, 1, 1]


def test_words_that_spell_their_token_have_their_own_characters(tmp_path: Path) -> None:
    (document,) = read(
        tmp_path,
        row("1-2", "don't"),
        row("1", "do", "3", "aux"),
        row("2", "n't", "3", "advmod"),
        row("3", "go", "0", "root"),
    )  # fmt: skip assert document.sentences[0].text == "don't go"
    assert [(w.start, w.end) for w in document.sentences[0].words] == [(0, 2), (2, 5), (6, 8)]


def test_documents_begin_where_they_are_marked(tmp_path: Path) -> None:
    word = row("1", "a", "0", "root")
    documents = read(tmp_path, "# newdoc id = one", word, "", word, "", "# newdoc id = two", word)
    assert [(d.name, len(d.sentences)) for d in documents] == [("one", 2), ("two", 1)]


def test_without_marks_every_sentence_is_a_document(tmp_path: Path) -> None:
    word = row("1", "a", "0", "root")
    documents = read(tmp_path, word, "", word)
    assert len(documents) == 2
    assert len({d.name for d in documents}) == 2


def entities(tmp_path: Path, *marks: str, declared: str = "GRP") -> Document:
    rows = [
        row(str(i), f"w{i}", "0" if i == 1 else "1", "dep", f"Entity={m}" if m else "_")
        for i, m in enumerate(marks, 1)
    ]
    (document,) = read(tmp_path, "# newdoc", f"# global.Entity = {declared}", *rows)
    return document


def test_entities_nest_and_cross(tmp_path: Path) -> None:
    mentions = entities(tmp_path, "(1(2", "(3)1)", "2)").mentions
    assert {(m.entity, m.words) for m in mentions} == {("1", (0, 1)), ("2", (0, 1, 2)), ("3", (1,))}
    assert [m.entity for m in mentions] == ["2", "1", "3"], "by first word, longer before shorter"


def test_the_entity_is_the_declared_field_of_a_mark(tmp_path: Path) -> None:
    mentions = entities(tmp_path, "(person-e7-1", "e7)", declared="etype-eid-head").mentions
    assert [(m.entity, m.words) for m in mentions] == [("e7", (0, 1))]


def test_a_mention_in_parts_is_one_mention(tmp_path: Path) -> None:
    mentions = entities(tmp_path, "(e1[1/2]-x)", "", "(e1[2/2]-x)", declared="eid-etype").mentions
    assert [(m.entity, m.words) for m in mentions] == [("e1", (0, 2))]


def test_a_mention_on_an_empty_node_has_no_words(tmp_path: Path) -> None:
    rows = row("1", "a", "0", "root", "Entity=(1)"), row("1.1", "b", misc="Entity=(1)")
    (document,) = read(tmp_path, "# newdoc", "# global.Entity = GRP", *rows)
    assert [m.words for m in document.mentions] == [(0,)]


@pytest.mark.parametrize(
    ("marks", "line", "problem"),
    [
        (("(1", ""), 3, r"the mark \(1 is not closed"),
        (("", "1)"), 4, r"1\) closes an entity that is not open"),
        (("(1(1", "1)1)"), 4, "marked twice on the same words"),
        (("1", ""), 3, "is not an entity mark"),
    ],
)
def test_wrong_entity_marks_are_named_with_their_line(
    tmp_path: Path, marks: tuple[str, ...], line: int, problem: str
) -> None:
    with pytest.raises(AttlasError, match=rf"some.conllu, line {line}: .*{problem}"):
        entities(tmp_path, *marks)


@pytest.mark.parametrize(
    ("lines", "line", "problem"),
    [
        (
            (row("1", "a", "2", "x"), row("2", "b", "1", "x")),
            1,
            "the heads go round in a circle: 1 -> 2 -> 1",
        ),
        ((row("1", "a", "0", "root"), row("2", "b", "2", "x")), 2, "circle: 2 -> 2"),
        ((row("1", "a", "0", "root"), row("2", "b", "7", "x")), 2, "head 7 in a sentence of 2 words"),
        ((row("1", "a", "0", "root"), row("3", "b", "1", "x")), 2, "word 3 where word 2 must come"),
        ((row("1", "a", "x", "root"),), 1, "'x' is not a valid value"),
        ((row("1", "a", "0", "root").rsplit("\t", 1)[0],), 1, "9 columns where CoNLL-U has 10"),
        ((row("1", "", "0", "root"),), 1, "column 2 is empty"),
        (("1 a a X",), 1, "1 column where CoNLL-U has 10"),
        ((row("1.1", "a"),), 1, "a sentence without words"),
        ((row("2-3", "ab"), row("1", "a", "0", "root")), 1, "does not stand before its words"),
        (("# text = x", row("0x", "a")), 2, "not a valid ID"),
        (
            (row("9" * 5000, "a", "0", "root"),),
            1,
            r"ID '9+'... \(5000 characters\) and head '0' are not both",
        ),
        ((row("1", "a", "9" * 5000, "x"),), 1, r"ID '1' and head '9+'... \(5000 characters\) are not both"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, lines: tuple[str, ...], line: int, problem: str
) -> None:
    with pytest.raises(AttlasError, match=rf"some.conllu, line {line}: .*{problem}"):
        read(tmp_path, *lines)


def test_the_shipped_treebank_reads() -> None:
    from attlas.corpora.reading import annotated_corpus

    documents = list(annotated_corpus(None).read())
    assert (len(documents), sum(len(d.sentences) for d in documents)) == (191, 1230)
