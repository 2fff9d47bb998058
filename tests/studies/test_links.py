"""Dependencies and coreference as questions: what is asked, what is correct, what the baselines say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from attlas.corpora.alignment import aligned_batches
from attlas.corpora.annotated_documents import ROOT, Document, Mention, Sentence, Word, spread
from attlas.corpora.gap import NEITHER
from attlas.corpora.reading import annotated_corpus
from attlas.corpora.source import ItemId
from attlas.corpora.windows import Window, make_window
from attlas.errors import AttlasError
from attlas.studies.coreference_study import (
    AntecedentLinks,
    MentionCounts,
    gap_links,
    head_word,
    mention_type,
    window_mention,
)
from attlas.studies.dependency_study import FAITHFUL_OFFSETS, DependencyLinks
from attlas.studies.links.link_questions import EVERYTHING, BaselineCounts, Link, LinkTensors
from attlas.subject import Subject
from attlas.tap import Observation

DATA = Path(__file__).parent.parent / "data"


def sentence(*words: tuple[str, int | None, str]) -> Sentence:
    text, spans = spread([w[0] for w in words], [True] * len(words))
    return Sentence(
        text, tuple(Word(w, *s, head=h, relation=r) for (w, h, r), s in zip(words, spans, strict=True))
    )


def window(*sentences: Sentence, mentions: tuple[Mention, ...] = ()) -> Window:
    return make_window(ItemId(0, 0), Document("d", sentences, mentions), 0, len(sentences) - 1, "words")


JOHNS = sentence(
    ("John", 2, "nmod:poss"),
    ("'s", 0, "case"),
    ("book", 3, "nsubj:pass"),
    ("sold", ROOT, "root"),
    ("it", 3, "obj"),
)


def test_every_word_is_asked_for_its_head_and_the_root_has_no_correct_answer() -> None:
    links = DependencyLinks()(window(JOHNS))
    assert [link.gold for link in links] == [(2,), (0,), (3,), (), (3,)]
    assert [link.groups[1] for link in links] == ["nmod", "case", "nsubj", "root", "obj"]
    assert all(link.groups[0] == "all" for link in links)
    assert DependencyLinks(subtypes=True)(window(JOHNS))[2].groups == ("all", "nsubj:pass")


def test_a_possessor_is_asked_through_its_marker() -> None:
    links = DependencyLinks()(window(JOHNS))
    assert [link.word for link in links] == [1, 1, 2, 3, 4]
    assert links[0].guesses["+1"] == 2, "the offset is counted from the marker too"


def test_a_possessor_at_the_very_end_is_asked_itself() -> None:
    links = DependencyLinks()(window(sentence(("book", ROOT, "root"), ("John", 0, "poss"))))
    assert links[1].word == 1


def test_offsets_stop_at_the_last_word_and_before_the_first_mean_the_root() -> None:
    links = DependencyLinks(offsets=FAITHFUL_OFFSETS)(window(JOHNS))
    assert "+3" not in links[0].guesses
    assert links[4].guesses["+2"] == 4, "the last word"
    assert links[2].guesses["-3"] is None, "the root, which is not a word"
    assert not links[3].is_guessed("-3"), "and not even for the root is that correct, as in the original"


def test_words_without_annotation_are_not_asked() -> None:
    assert DependencyLinks()(window(sentence(("a", None, ""), ("b", ROOT, "root"))))[0].word == 1


def correct(link: Link, weights: list[list[float]]) -> list[bool]:
    maps = torch.tensor(weights)[None, None]
    return LinkTensors.of([[link]], len(weights), torch.device("cpu")).correct(maps)[0, :, 0].tolist()


def test_a_head_answers_with_the_strongest_candidate_other_than_the_word_itself() -> None:
    weights = [[0.9, 0.02, 0.08], [0.3, 0.1, 0.6], [0.2, 0.7, 0.1]]
    assert correct(Link(0, (2,), ("all",)), weights) == [True, False], (
        "0 attends to 2; 1 attends to 0 more than 2 does"
    )
    assert correct(Link(0, (1,), ("all",)), weights) == [False, True]
    assert correct(Link(1, (0,), ("all",), candidates=(0,)), weights) == [True, True], "a single candidate"
    assert correct(Link(0, (), ("all",)), weights) == [False, False]


def test_a_head_that_sees_no_candidate_has_no_answer() -> None:
    """The first word of a decoder sees only itself: that its argmax falls on word 0 must not count."""
    causal = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.3, 0.5]]
    assert correct(Link(0, (1,), ("all",)), causal) == [False, True]
    assert correct(Link(1, (0,), ("all",)), causal) == [True, False]


WORDS = [
    "the",
    "king",
    "saw",
    "a",
    "queen",
    ",",
    "and",
    "he",
    "liked",
    "her",
    ".",
    "Anna",
    "met",
    "the",
    "king",
    ".",
]


def mentions(*spans: tuple[str, int, int]) -> tuple[Mention, ...]:
    return tuple(Mention(e, 0, tuple(range(a, b + 1))) for e, a, b in spans)


def story() -> Window:
    text, spans = spread(WORDS, [True] * len(WORDS))
    words = tuple(Word(w, *s) for w, s in zip(WORDS, spans, strict=True))
    annotated = mentions(("k", 0, 1), ("q", 3, 4), ("k", 7, 7), ("q", 9, 9), ("a", 11, 11), ("k", 13, 14))
    return window(Sentence(text, words), mentions=annotated)


def test_mentions_with_an_antecedent_are_asked_among_all_mentions_before_them() -> None:
    links = AntecedentLinks()(story())
    assert [(link.word, link.gold, link.candidates) for link in links] == [
        (7, (1,), (1, 4)),
        (9, (4,), (1, 4, 7)),
        (14, (1, 7), (1, 4, 7, 9, 11)),
    ]
    assert [link.groups for link in links] == [("all", "pronoun"), ("all", "pronoun"), ("all", "nominal")]


def test_candidates_can_be_all_words_before() -> None:
    links = AntecedentLinks("words")(story())
    assert links[0].candidates == tuple(range(7))
    assert links[2].gold == (1, 7)
    with pytest.raises(AttlasError, match="mentions or words"):
        AntecedentLinks("everything")  # type: ignore[arg-type]


def test_the_baselines_of_coreference() -> None:
    he, her, king = AntecedentLinks()(story())
    assert dict(he.guesses) == {"nearest": 4, "head match": None, "rules": 4}
    assert dict(her.guesses) == {"nearest": 7, "head match": None, "rules": 4}, "her is not he"
    assert dict(king.guesses) == {"nearest": 11, "head match": 1, "rules": 1}, "the same words"


def test_the_head_of_a_mention_is_the_dependency_root_of_its_span() -> None:
    words = sentence(
        ("the", 1, "det"),
        ("king", 4, "nsubj"),
        ("of", 3, "case"),
        ("Spain", 1, "nmod"),
        ("ran", ROOT, "root"),
    )
    assert head_word(words.words, (0, 1, 2, 3)) == 1
    assert head_word(words.words, (3,)) == 3


def test_without_dependencies_spelling_decides() -> None:
    def head(text: str) -> str:
        words = tuple(Word(w, 0, 1) for w in text.split())
        return words[head_word(words, tuple(range(len(words))))].text

    assert head("the old king of Spain") == "king"
    assert head("Sir Walter Elliot , of Kellynch Hall") == "Elliot"
    assert head("his") == "his"
    assert mention_type(Word("His", 0, 1), 1) == "pronoun"
    assert mention_type(Word("Elliot", 0, 1), 3) == "proper"
    assert mention_type(Word("king", 0, 1), 2) == "nominal"
    assert mention_type(Word("it", 0, 1, universal="PRON"), 1) == "pronoun"
    assert mention_type(Word("Bush", 0, 1, universal="PROPN"), 1) == "proper"


def test_agreement_knows_number_gender_and_person() -> None:
    read = window(
        sentence(("Mrs.", 1, "x"), ("Smith", ROOT, "root"), ("he", 1, "x"), ("she", 1, "x"), ("they", 1, "x"))
    )
    annotated = mentions(("a", 0, 1), ("b", 2, 2), ("c", 3, 3), ("d", 4, 4))
    smith, he, she, they = (window_mention(read, m) for m in annotated)
    assert she.agrees(smith)
    assert not he.agrees(smith)
    assert not they.agrees(she)


def gap_document(entity: str) -> Document:
    made = sentence(
        *((w, None, "") for w in ["Anna", "Smith", "met", "Bob", "Jones", "before", "she", "left"])
    )
    spoken = [Mention("A", 0, (0, 1)), Mention("B", 0, (3, 4)), Mention(entity, 0, (6,))]
    return Document("gap-1", (made,), tuple(spoken))


def test_gap_says_which_sentence_a_window_lacks() -> None:
    document = gap_document("A")
    elsewhere = replace(document, mentions=tuple(replace(m, sentence=1) for m in document.mentions))
    two = replace(elsewhere, sentences=document.sentences * 2)
    first = make_window(ItemId(0, 0), two, 0, 0, "words")
    with pytest.raises(AttlasError, match=r"gap-1: a link leads to sentence 2, .* sentences 1 to 1"):
        gap_links(first)


def test_gap_asks_which_of_two_names_the_pronoun_means() -> None:
    (link,) = gap_links(make_window(ItemId(0, 0), gap_document("A"), 0, 0, "words"))
    assert (link.word, link.gold, link.candidates) == (6, (1,), (1, 4))
    assert link.groups == ("all", "feminine")
    assert dict(link.guesses) == {"nearest": 4, "first": 1}
    assert gap_links(make_window(ItemId(0, 0), gap_document(NEITHER), 0, 0, "words")) == []
    with pytest.raises(AttlasError, match="not from GAP"):
        gap_links(story())


def test_baseline_counts_by_hand(mini: Subject) -> None:
    counter = BaselineCounts("b", DependencyLinks(), ["-1", "+1"], EVERYTHING)
    for batch in aligned_batches(mini, [window(JOHNS)]):
        counter.update(Observation(batch, ()))
    counts = counter.part_counts("all")
    assert counts.windows == 1
    assert counts.links["all"] == 5
    assert counts.best()["obj"] == "-1"
    assert counts.accuracy("all", "+1") == pytest.approx(2 / 5)  # nmod through 's, and nsubj


def test_mentions_with_an_antecedent_are_counted_once_a_document(mini: Subject) -> None:
    counter = MentionCounts(AntecedentLinks())
    first, second = story(), replace(story(), id=ItemId(0, 1))
    for batch in aligned_batches(mini, [first, second]):
        counter.update(Observation(batch, ()))
    assert (counter.asked, counter.have) == (6, 3), "two windows of one document"
    assert counter.summary().startswith("6 of 3 mentions")


def test_a_mention_inside_the_one_that_is_asked_is_not_a_candidate() -> None:
    """`his` in `his mother` stands to the left of `mother`, but begins no earlier than `his mother`."""
    text = sentence(
        *((w, None, "") for w in ["Bob", "called", "his", "mother", ",", "and", "his", "mother", "came"])
    )
    annotated = mentions(("b", 0, 0), ("m", 2, 3), ("b", 2, 2), ("m", 6, 7), ("b", 6, 6))
    links = {link.word: link for link in AntecedentLinks()(window(text, mentions=annotated))}
    assert links[7].candidates == (0, 3, 2), "not the word 6"
    assert links[7].guesses["nearest"] == 3
    assert links[6].candidates == (0, 3, 2)


def test_gum_gives_pronouns_names_and_nominals() -> None:
    ask = AntecedentLinks()
    asked = []
    for document in annotated_corpus(DATA / "gum").read():
        asked += ask(make_window(ItemId(0, 0), document, 0, len(document.sentences) - 1, "words"))
    assert {g for link in asked for g in link.groups} == {"all", "pronoun", "proper", "nominal"}
    for link in asked:
        assert set(link.gold) <= set(link.candidates or ())
        assert link.word not in (link.candidates or ())
