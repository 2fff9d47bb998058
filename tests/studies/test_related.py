"""Synonyms: what WordNet's files say, which words are compared, and the weights between them."""

from __future__ import annotations

import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import naive
from attlas import probe
from attlas.corpora.annotated_documents import Word
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.windows import DocumentWindows, Window, cut_windows
from attlas.corpora.wordnet import class_of, find_wordnet, read_wordnet
from attlas.errors import AttlasError
from attlas.studies.related_study import RelatedWords, Synonyms, find_synonyms
from attlas.subject import Subject
from compared import Compared

WORDNET = Path(__file__).parents[1] / "data" / "wordnet"
#: car and automobile are synonyms; of wall, house and city, wall is as far from the car as the automobile is
TEXTS = (
    "the/DET car/NOUN hit/VERB a/DET wall/NOUN near/ADP the/DET automobile/NOUN and/CCONJ two/NUM "
    "houses/NOUN",
    "a/DET wall/NOUN and/CCONJ some/DET feet/NOUN and/CCONJ the/DET cities/NOUN",
)
COUNTS = {("noun", form): 1 for form in ("car", "wall", "automobile", "houses", "feet", "cities")}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two documents of one sentence."""
    lines = []
    for number, text in enumerate(TEXTS):
        lines.append(f"# newdoc id = {number}")
        for place, (form, tag) in enumerate((word.split("/") for word in text.split()), 1):
            lines.append(f"{place}\t{form}\t_\t{tag}\t_\t_\t{int(place > 1)}\tdep\t_\t_")
        lines.append("")
    path = tmp_path / "two.conllu"
    path.write_text("\n".join([*lines, ""]))
    return path


def windows(corpus: Path) -> list[Window]:
    documents = enumerate(annotated_corpus(corpus).read())
    return list(cut_windows(documents, DocumentWindows(), lambda text: True))


def test_a_form_leads_to_the_base_form_that_wordnet_has() -> None:
    wordnet = read_wordnet(WORDNET)
    forms = {"cars": "car", "Feet": "foot", "cities": "city", "car": "car", "motor_car": None, "bus": None}
    assert {form: wordnet.base(form, "noun") for form in forms} == forms
    assert wordnet.base("making", "verb") == "make"
    assert wordnet.senses["noun"]["car"] == (10, 11), "the commonest sense comes first"


def test_wordnet_is_read_from_the_archive_that_nltk_loads(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "wordnet.zip", "w") as archive:
        for file in WORDNET.iterdir():
            archive.write(file, f"wordnet/{file.name}")
    assert read_wordnet(find_wordnet(tmp_path / "wordnet.zip")) == read_wordnet(WORDNET)


def test_a_folder_without_wordnet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AttlasError, match=r"no folder with WordNet's index\.noun"):
        find_wordnet(tmp_path)
    (tmp_path / "index.noun").write_text("car n many\n")
    for name in ("index.verb", "index.adj", "index.adv"):
        (tmp_path / name).write_text("")
    with pytest.raises(AttlasError, match=r"index\.noun, line 1"):
        read_wordnet(tmp_path)


@pytest.mark.parametrize(
    ("tag", "universal", "expected"),
    [
        ("NNS", "", "noun"),
        ("NNP", "", None),
        ("NNP", "PROPN", None),
        ("VBD", "AUX", None),
        ("", "ADJ", "adj"),
    ],
)
def test_names_and_auxiliaries_are_no_words_of_wordnet(
    tag: str, universal: str, expected: str | None
) -> None:
    assert class_of(Word("word", 0, 4, universal=universal, tag=tag)) == expected


def test_synonyms_are_compared_with_words_as_frequent_and_as_far(corpus: Path) -> None:
    related = RelatedWords.of(read_wordnet(WORDNET), COUNTS)
    first, second = (list(find_synonyms(window, related)) for window in windows(corpus))
    # wall is 3 words from the car, which stands 6 from the automobile; houses stand 9 away
    assert first == [Synonyms(1, 7, (4, 10)), Synonyms(7, 1, (4,))]
    assert second == []
    rare = RelatedWords.of(read_wordnet(WORDNET), {**COUNTS, ("noun", "wall"): 3})
    assert list(find_synonyms(windows(corpus)[0], rare)) == [Synonyms(1, 7, (10,))]


def test_words_that_look_alike_are_neither_synonyms_nor_compared_with() -> None:
    related = RelatedWords.of(read_wordnet(WORDNET), {("noun", "car"): 1, ("noun", "carriage"): 1})
    assert not related.are_synonyms(("noun", "car"), ("noun", "carriage"))
    assert not related.are_apart(("noun", "car"), ("noun", "carriage"))


@pytest.mark.reference("related_weight", "related_weight_matched", "related_weight_over_matched")
def test_weights_equal_plain_loops_in_float64(mini: Subject, corpus: Path, compared: Compared) -> None:
    result = probe.related(mini, corpus, wordnet=WORDNET, progress=False)
    expected: dict[tuple[int, int, str], list[float]] = defaultdict(list)
    window = windows(corpus)[0]
    for _, layer, maps, queries, keys in naive.maps(mini, window):
        for head, weights in enumerate(maps):
            for group, value, matched in _weighed(weights, window, queries, keys):
                columns = ("", value), ("_matched", matched), ("_over_matched", value - matched)
                for column, number in columns:
                    expected[layer, head, f"related_weight{column}/{group}"].append(number)
    rows = {(r.layer, r.head, f"{r.statistic}/{r.group}"): r.value for r in result.rows}
    assert rows.keys() == expected.keys()
    for key, value in rows.items():
        compared(key[2].partition("/")[0], value, float(np.mean(expected[key])), 2e-5)


def _weighed(
    weights: naive.Array, window: Window, queries: list[naive.Span], keys: list[naive.Span]
) -> Iterator[tuple[str, float, float]]:
    def between(a: int, b: int) -> float:
        ends = naive.pieces(queries, window.spans[a]), naive.pieces(keys, window.spans[b])
        return max(float(weights[i, j]) for i in ends[0] for j in ends[1])

    there, back = between(1, 7), between(7, 1)
    others = (between(1, 4) + between(1, 10)) / 2
    yield "synonyms", (there + back) / 2, (others + between(7, 4)) / 2
    yield "synonyms_before", back, between(7, 4)
