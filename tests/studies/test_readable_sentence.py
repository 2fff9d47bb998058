"""The sentence whose maps an atlas keeps: one that people can read."""

import pytest

from attlas.studies.surface.sentence_maps import readability, readable_sentence, sentences

WORDS = ["he", "saw", "the", "big", "house", ",", "and", "then", "went", "home", "."]
PIECES = ["the", "om", "##nib", "##us", "rib", "##bed", "cl", "##over", "grew", "."]


def test_a_sentence_is_whole_and_takes_the_separator_behind_it_along() -> None:
    tokens = ["[CLS]", "end", "of", "it", "##self", ".", *WORDS, "[SEP]", *PIECES, "[SEP]"]
    first, second = sentences(tokens, 15)
    assert tokens[slice(*first)] == [*WORDS, "[SEP]"]
    assert tokens[slice(*second)] == [*PIECES, "[SEP]"]


def test_of_a_long_sentence_the_first_tokens_are_shown_where_no_short_one_reads_as_well() -> None:
    assert sentences(["[CLS]", *WORDS], 8) == [(1, 9)]
    long = ["[CLS]", *WORDS[:-1], "and", "slept", "."]
    assert readable_sentence({"both": [*long, *WORDS]}, 11) == ("both", slice(len(long), len(long) + 11))


def test_what_begins_before_the_text_or_is_too_short_is_no_sentence() -> None:
    assert sentences(WORDS, 15) == [], "nobody knows whether it began there"
    assert sentences(["[CLS]", "yes", "there", "."], 15) == []


def test_a_line_that_goes_on_with_a_sentence_does_not_begin_one() -> None:
    line = ["goes", " on", " with", " what", " was", " said", "."]
    assert sentences(["The", " text", "\n", *line], 15) == []
    assert sentences(["the", " text", "\n", *line], 15) == [(3, 10)], "nobody knows where nothing is capital"


def test_an_abbreviation_or_an_initial_does_not_end_a_sentence() -> None:
    tokens = ["[CLS]", "mr", ".", "j", ".", "smith", "of", "the", "u", ".", "s", ".", "army", "left", "."]
    assert sentences(tokens, 16) == [(1, len(tokens))]


def test_whole_words_read_better_than_pieces_of_either_kind() -> None:
    assert readability(WORDS) > readability(PIECES)
    spaced = ["He", " saw", " the", " big", " house", "."]
    assert readability(spaced) > readability([*spaced[:4], " ho", "use", "."])


def test_of_several_texts_the_best_sentence_is_chosen() -> None:
    texts = {"pieces": ["[CLS]", *PIECES, "[SEP]"], "words": ["[CLS]", *WORDS, "[SEP]"]}
    item, place = readable_sentence(texts, 15)
    assert item == "words"
    assert texts["words"][place] == [*WORDS, "[SEP]"]


@pytest.mark.parametrize("count", [3, 40])
def test_where_there_is_no_sentence_the_last_tokens_of_the_longest_text_are_shown(count: int) -> None:
    texts = {"short": ["a"], "long": [f"t{i}" for i in range(count)]}
    item, place = readable_sentence(texts, 15)
    assert (item, texts["long"][place]) == ("long", texts["long"][-15:])
