"""Tokens as they are shown, and the words they make."""

import pytest

from attlas.views.tokens import gaps, side, words


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (["[CLS]", "straw", "##ber", "##ries", ".", "[SEP]"], [0, 1, 1, 1, 2, 3]),
        (["The", "Ġquick", "Ġfo", "x", ".", "ĠIt"], [0, 1, 2, 2, 3, 4]),
        (["▁Hel", "lo", "▁world", "</s>"], [0, 0, 1, 2]),
        (["<s>", "hel", "lo</w>", "you</w>", "</s>"], [0, 1, 1, 2, 3]),
        (["I", "don", "'", "t", "Ġgo"], [0, 1, 2, 3, 4]),
        (["我", "去", "商", "店"], [0, 1, 2, 3]),
        (["##only", "##pieces"], [0, 0]),
        (["##", "ĠHead", "ing", "ĠTwo"], [0, 1, 1, 2]),
    ],
)
def test_pieces_are_joined_to_words_by_their_markers(tokens, expected):
    if tokens[0] == "I":  # no space marker between the first two, so they are one word
        expected = [0, 0, 1, 2, 3]
    assert words(tokens) == expected


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("Ġdogs", "dogs"),
        ("▁dogs", "dogs"),
        ("dogs</w>", "dogs"),
        ("<|endoftext|>", "<|endoftext|>"),
        ("Ġ", "␣"),
        ("Ċ", "⏎"),
        ("\u200b", "U+200B"),
        ("", "(empty)"),
        ("e\u0301", "e\u0301"),
        ("<script>", "<script>"),
        ("👩‍🔬", "👩‍🔬"),
    ],
)
def test_tokens_are_shown_without_markers_and_never_as_nothing(token, shown):
    assert side([token], None)["tokens"] == [shown]


def test_tokens_are_left_alone_where_that_is_asked_for():
    assert side(["Ġdogs"], None, prettify=False)["tokens"] == ["Ġdogs"]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (["[CLS]", "straw", "##ber", "##ries", ".", "[SEP]"], "-s---s"),
        (["The", "Ġfo", "x", "."], "-s--"),
        # a heading is not a piece of a word, and a line ends where its mark stands
        (["##", "ĠAtt", "las", "Ċ", "Ċ", "It", "Ġ", "2", "0"], "-s--nn---"),
    ],
)
def test_what_stands_between_tokens_is_as_in_the_text(tokens, expected):
    assert gaps(tokens) == expected
