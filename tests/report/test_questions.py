"""`ask` answers people's questions: the right head among the first three, or that the atlas cannot tell.

The right heads were read from the tables of the atlases in tests/data/ask. `part` says when a question was
written: `first` before the search was, `held back` with these but looked at only once; the others afterwards,
part after part, each before the search was tried on it. The glossary and the rules then learnt from `first`,
`second`, `third` and `fourth`. `last` was not tuned for, and `fifth`, the newest, is as it was answered at
the first attempt.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import attlas
from attlas.atlas import Atlas, load_atlas
from attlas.errors import AttlasError
from attlas.reports.ask_answer import Answer
from attlas.reports.asking import ask, finder_of, sentences_of
from attlas.reports.matching import (
    Index,
    in_turns,
    is_slip,
    phrases,
    plain_words,
    score,
    spelled,
    stem,
    units_of,
    words_of,
)
from attlas.reports.named_layers import layers_in
from attlas.reports.question import ADDRESS

ASK = Path(__file__).parent.parent / "data" / "ask"
QUESTIONS: list[dict[str, Any]] = json.loads((ASK / "questions.json").read_text())
USERS: list[dict[str, str]] = json.loads((ASK / "users.json").read_text())
MODELS = ("mini", "minilm", "smollm2")
#: share of right answers that each part must have
LEAST = dict.fromkeys(("first", "held back", "second", "last", "third", "fourth", "fifth"), 0.9)


@cache
def atlas_of(model: str) -> Atlas:
    return load_atlas(ASK / f"{model}.attlas")


@cache
def answers(model: str) -> list[Answer]:
    return [ask(atlas_of(model), q["question"]) for q in QUESTIONS]


def is_right(answer: Answer, question: dict[str, Any], model: str) -> bool:
    """Where nothing was measured, saying so is right."""
    wanted = set(question["heads"][model])
    if wanted:
        return bool(wanted & {head.head for head in answer.heads[:3]})
    if question["about"] == "unknown":
        return not answer.heads and bool(answer.note)
    return bool(answer.missing or answer.note)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("part", LEAST)
def test_the_right_head_is_among_the_first_three(model: str, part: str) -> None:
    asked = [(a, q) for a, q in zip(answers(model), QUESTIONS, strict=True) if q["part"] == part]
    right = [is_right(answer, question, model) for answer, question in asked]
    wrong = [q["question"] for (_, q), good in zip(asked, right, strict=True) if not good]
    assert sum(right) >= LEAST[part] * len(right), wrong


def test_there_are_enough_questions_and_a_third_was_held_back() -> None:
    parts = [q["part"] for q in QUESTIONS]
    assert parts.count("first") + parts.count("held back") >= 60
    assert 2 * parts.count("held back") == parts.count("first")


@pytest.mark.parametrize("model", MODELS)
def test_every_answer_has_its_evidence(model: str) -> None:
    """A number, and a baseline, an interval or what other heads do beside it."""
    for answer in answers(model):
        for head in answer.heads:
            said = f"{head.sentence} {head.evidence}"
            assert any(c.isdigit() for c in said)
            beside = ("95 %", "chance", "median head", "even attention", "p =", "p <")
            assert any(word in said for word in beside), said


def test_what_is_not_measured_is_named_with_the_command_that_would() -> None:
    answer = atlas_of("mini").ask("which head resolves pronouns?")
    assert not answer.heads
    ((what, command),) = answer.missing
    assert what == "coreference"
    assert command.startswith("attlas probe coreference mini CORPUS --atlas ")


def test_a_head_that_is_named_is_answered_with_its_card() -> None:
    (head,) = attlas.ask(atlas_of("mini"), "what does 7.11 do?").heads
    assert head.head == "7.11"
    assert head.sentence.startswith("Nearly always looks at the previous token.")
    assert head.evidence.startswith("score 0.98")
    with pytest.raises(AttlasError, match=r"7\.99"):
        attlas.ask(atlas_of("mini"), "what does 7.99 do?")


def test_a_decoder_cannot_look_ahead() -> None:
    assert atlas_of("smollm2").ask("next token").note.startswith("No head can: in a decoder")


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("part", ["first", "held back"])
def test_questions_of_three_kinds_of_users_are_answered_or_honestly_not(model: str, part: str) -> None:
    """`relevant` says what an answer must contain: what was asked, the command that measures it, or that the
    question is not understood."""
    wrong, asked = [], [q for q in USERS if q["part"] == part]
    for question in asked:
        try:
            said = str(ask(atlas_of(model), question["question"]))
        except AttlasError as error:
            said = str(error)  # there is no such head
        if not re.search(question["relevant"], said, re.DOTALL):
            wrong.append((question["question"], said))
    assert len(wrong) <= 0.15 * len(asked), wrong


def test_what_is_not_understood_is_said_with_questions_that_are() -> None:
    answer = atlas_of("mini").ask("how old is this model?")
    assert not answer.heads
    assert answer.note.startswith("I don't understand")
    assert len(answer.nearest) == 3
    for question in answer.nearest:
        assert not atlas_of("mini").ask(question).note


def test_a_property_of_a_head_is_answered_with_yes_or_no() -> None:
    assert str(atlas_of("mini").ask("does 7.11 look at the previous token?")).startswith("Yes: 7.11")
    assert str(atlas_of("mini").ask("is 7.11 a duplicate-token head?")).startswith("No: 7.11")


def test_denying_turns_the_ranking_around() -> None:
    first = atlas_of("mini").ask("which heads do not look at punctuation?").heads[0].head
    assert first not in {head.head for head in atlas_of("mini").ask("heads at punctuation").heads}


#: what an answer of `mini` must say to a question of each form, in words that no other test has
FORMS = {
    "which heads don't look at punctuation?": r"of 144 heads .* do not",
    "heads that can't see [SEP]": r"of 144 heads .* do not",
    "which heads in layer 6 are not sinks?": r"12 of 12 heads of layer 6",
    "sharpest head in layer 2": r"^2\.\d+ ",
    "previous-token heads in layers 0-3": r"in layers 0 to 3|^[0-3]\.\d+ ",
    "what does the final layer do?": r"^Layer 11: of 12 heads",
    "rank the layers by entropy": r"^By entropy, layer \d+",
    "how many layers does it have?": r"12 encoder layers",
    "what fraction of heads look at the next token?": r"^11 of 144 heads \(8 %\)",
    "how many heads exceed 0.01 nats when ablated?": r"of 144 heads .*exceed 0\.01.*0 of them shown",
    "heads with more than 80% on the next word": r"of 144 heads .*more than 80%",
    "compare 3.1 and 3.5": r"^3\.1: .*\n3\.5: ",
    "does 5.5 look at the previous word or the next one?": r"^Yes: 5\.5 .* No: 5\.5 ",
    "what is the induction score of 5.0?": r"^5\.0 hardly .*\(score ",
    "confidence interval for 7.10's dobj accuracy": r"^7\.10 .*direct object.*\(63 %",
    "which relation does 6.3 do best?": r"^6\.3 finds",
    "heads whose removal improves the loss": r"none is shown to lower the loss",
    "which heads can I safely remove?": r"of 144 heads could go, one at a time",
    "how much attention goes to [CLS]?": r"^Heads give [\d.]+ % of their attention to \[CLS\] on average",
    "which layer has the most next-token heads?": r"11 heads of 144 \(next token\), in layers",
    "which heads have no clear role?": r"of 144 heads have no name",
    "was the p-value corrected for multiple comparisons?": r"Holm",
    "what was the model trained on?": r"not measured",
    "how do I prune the model?": r"attlas prune",
    "Voita et al, rare words": r"not among those",
    "what did you find?": r"^Of 144 heads",
}


@pytest.mark.parametrize("question", FORMS)
def test_the_grammar_understands_forms_of_questions(question: str) -> None:
    assert re.search(FORMS[question], str(atlas_of("mini").ask(question)), re.DOTALL)


@pytest.mark.parametrize(
    "question",
    [
        "what is an attention head?",
        "anti-induction heads",
        "MLP neurons of dates",
        "which is the 4.2 of cars?",
    ],
)
def test_what_it_does_not_understand_it_does_not_answer(question: str) -> None:
    answer = atlas_of("mini").ask(question)
    assert not answer.heads
    assert not answer.lead
    assert answer.note.startswith("I don't understand")
    assert answer.nearest


def test_not_is_a_word_however_it_is_written() -> None:
    assert {plain_words(said) for said in ("Can't", "cannot", "can’t", "can not")} == {"can not"}
    assert plain_words("don't, isn’t, won't, want, ant") == "do not, is not, will not, want, ant"


def test_layers_are_named_by_number_range_and_place() -> None:
    named = {
        "layer 3": [3],
        "layers 2-4": [2, 3, 4],
        "compare layer 2 to layer 9": [2, 9],
        "the last layer": [11],
        "early layers": [0, 1, 2, 3],
        "the first layers and the last ones": [0, 11],
        "each layer": [],
    }
    assert {said: layers_in(said, 11) for said in named} == named
    assert layers_in("middle layers", 0) == [0]


def test_a_number_is_no_head() -> None:
    assert ADDRESS.findall("heads above 0.01, 0.5 nats and 7.5 %; 7.11") == ["7.11"]


def test_nothing_asked_is_refused() -> None:
    with pytest.raises(AttlasError, match=r"^ask something"):
        atlas_of("mini").ask("  ")


def test_words_are_made_alike() -> None:
    assert [stem(w) for w in ("objects", "copies", "repeated", "previous", "class", "is")] == [
        "object", "copy", "repeat", "previous", "class", "is",
    ]  # fmt: skip
    assert words_of("Which heads attend to [SEP]?") == ["sep"]


def test_the_longest_phrase_of_the_glossary_is_one_unit() -> None:
    finder = finder_of(atlas_of("mini"), sentences_of(atlas_of("mini")))
    (unit,) = units_of("an indirect object", phrases(finder))
    assert unit.terms == {"iobj"}


def test_full_text_search_finds_what_plain_scoring_finds() -> None:
    """The page scores every topic; here SQLite chooses among which."""
    finder = finder_of(atlas_of("mini"), sentences_of(atlas_of("mini")))
    known, index = phrases(finder), Index(finder["topics"])
    for question in QUESTIONS:
        units = units_of(question["question"], known)
        scores = [score(topic, units) for topic in finder["topics"]]
        most = max(scores)
        best = [t for t, points in zip(finder["topics"], scores, strict=True) if points == most and most > 0]
        assert [t["title"] for t in index.best(units)] == [t["title"] for t in best]


def test_topics_of_equal_score_take_turns() -> None:
    topics: Any = [{"heads": [1, 2, 3]}, {"heads": [4, 1, 5]}]
    assert [t["heads"][rank] for t, rank in in_turns(topics, 4)] == [1, 4, 2, 3]


def test_no_question_breaks_the_search() -> None:
    for strange in ('"', "'; drop table topics; --", "NEAR(a b)", "* OR", "7.", "ü" * 500, "\0", "(", "-obj"):
        assert isinstance(atlas_of("mini").ask(f"x {strange}"), Answer)


HANDS: list[tuple[str, str]] = json.loads((ASK / "hands.json").read_text())


@pytest.mark.parametrize(("model", "step"), [("mini", 1), ("smollm2", 4)])
def test_questions_of_three_hands_get_what_was_asked_or_what_would_tell(model: str, step: int) -> None:
    """Each with what its answer must say: the thing itself, why it cannot be known, or the command."""
    for question, relevant in HANDS[::step]:
        said = str(ask(atlas_of(model), question))
        assert re.search(relevant, said, re.DOTALL), f"{question}\n{said}"


def test_a_slip_of_the_pen_is_taken_for_the_word() -> None:
    words = {"important", "layer", "reported"}
    assert spelled("which layres are importnat", words, words) == "which layer are important"
    assert spelled("improtant layers matter", words, words) == "important layers matter"
    assert not is_slip("important", "important")
    assert not is_slip("german", "gerund")


def test_a_denial_does_not_take_the_first_word_of_a_longer_phrase() -> None:
    finder = finder_of(atlas_of("mini"), sentences_of(atlas_of("mini")))
    assert [u.words for u in units_of("not special tokens", phrases(finder))] == ["not", "special token"]


def test_shares_that_are_joined_are_added() -> None:
    atlas = atlas_of("mini")
    shares = atlas.heads[(atlas.heads.layer == 3) & (atlas.heads["head"] == 5)]
    both = shares[
        (shares.statistic == "to_first") | ((shares.statistic == "to_class") & (shares.group == "sep"))
    ]
    answer = atlas.ask("how much of its attention does 3.5 put on the first token or [SEP]?")
    assert f"3.5 gives {100 * both['value'].sum():.1f} % of its attention" in answer.lead


def test_two_numbers_go_together_as_their_ranks_do() -> None:
    atlas = atlas_of("mini")
    rows = atlas.heads[atlas.heads["group"].isin(["", "all"])]
    wide = rows.pivot_table(index=["layer", "head"], columns="statistic", values="value", observed=True)
    ranks = wide[["entropy", "largest"]].rank().corr().iloc[0, 1]
    answer = atlas.ask("does entropy correlate with the largest weight?")
    assert f"rank correlation {ranks:+.2f} over 144 heads" in answer.lead


def test_syntax_as_a_whole_is_answered_with_the_relations_that_heads_find() -> None:
    for question in (
        "Does the model know syntax?",
        "what does it know of grammar?",
        "which heads do syntax?",
    ):
        answer = ask(atlas_of("smollm2"), question)
        assert re.match(r"Heads are shown to find \d+ of \d+ relations: \w", answer.lead), answer.lead
        assert answer.heads


@pytest.mark.parametrize(
    "asked", ["exist, and what is it for", "really exist or is it imagined", "have a purpose"]
)
def test_whether_a_head_exists_is_answered_with_its_card(asked: str) -> None:
    assert [head.about for head in ask(atlas_of("mini"), f"does head 7.10 {asked}?").heads] == [
        "the head's card"
    ]


def test_why_a_head_does_something_begins_with_whether_it_does() -> None:
    answer = ask(atlas_of("mini"), "why does 5.11 attend to the first token so much?")
    whether, why = answer.lead.split("\n")
    assert re.match(r"(?:Yes|No|Not shown): 5\.11 .* \(\w+ \d", whether), whether
    assert why.startswith("Attention shows where a head looks, not why")
    assert "attlas why" in answer.missing[0][1]
