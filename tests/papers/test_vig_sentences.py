"""Vig's six patterns, on BERT-base's own attention to his sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from attlas.papers.vig2019 import (
    PATTERNS,
    TwoSentences,
    clearest_token,
    score_even_attention,
    score_heads,
)

TOKENS = [
    "[CLS]",
    "i",
    "went",
    "to",
    "the",
    "store",
    ".",
    "[SEP]",
    "at",
    "the",
    "store",
    ",",
    "i",
    "bought",
    "fresh",
    "straw",
    "##berries",
    ".",
    "[SEP]",
]
TEXT = TwoSentences(tuple(TOKENS), 8, frozenset({0, 7, 18}))


@pytest.mark.parametrize(("pattern", "head"), [(1, (2, 0)), (3, (2, 6)), (4, (10, 10)), (5, (2, 1))])
def test_the_heads_of_his_figures_show_their_pattern_best(
    shared: Path, pattern: int, head: tuple[int, int]
) -> None:
    weights = np.load(shared / "data/attention/bert-base-uncased_store_strawberries.npz")["attn"]
    of_heads = score_heads(weights, TEXT, pattern)
    assert np.unravel_index(of_heads.argmax(), of_heads.shape) == head


def test_the_word_that_a_picture_selects_shows_its_pattern_best() -> None:
    weights = np.full((19, 19), 0.01)
    weights[18, 0], weights[0, 1], weights[12, 1], weights[5, 6], weights[10, 5] = 0.9, 0.9, 0.5, 0.6, 0.4
    assert [clearest_token(weights, TEXT, pattern) for pattern in (1, 4)] == [5, 12], "a word, not [CLS]"
    weights[1, 18] = 0.7
    assert clearest_token(weights, TEXT, 6) == 1


def test_scores_are_what_a_loop_over_tokens_gives() -> None:
    weights = np.random.default_rng(0).dirichlet(np.ones(19), (2, 3, 19))
    second = [place >= 8 for place in range(19)]
    for pattern, targets in {
        1: lambda i: [i + 1] if i < 18 else [],
        2: lambda i: [i - 1] if i else [],
        3: lambda i: [j for j in range(19) if TOKENS[i] == TOKENS[j] and i not in TEXT.special],
        4: lambda i: [
            j
            for j in range(19)
            if TOKENS[i] == TOKENS[j] and i not in TEXT.special and second[i] != second[j]
        ],
        5: lambda i: {15: [16], 16: [15]}.get(i, []),
        6: lambda i: [0, 7, 18],
    }.items():
        asked = [i for i in range(19) if targets(i)]
        expected = np.mean([weights[..., i, targets(i)].sum(-1) for i in asked], axis=0)
        np.testing.assert_allclose(score_heads(weights, TEXT, pattern), expected)


def test_a_pattern_that_no_token_of_a_text_can_follow_has_no_score() -> None:
    text = TwoSentences(("[CLS]", "a", "[SEP]", "b", "[SEP]"), 3, frozenset({0, 2, 4}))
    assert np.isnan(score_heads(np.full((1, 1, 5, 5), 0.2), text, 5)).all()


def test_even_attention_gives_each_pattern_its_share_of_the_tokens() -> None:
    assert score_even_attention(TEXT, 1) == pytest.approx(1 / 19)
    assert score_even_attention(TEXT, 6) == pytest.approx(3 / 19)
    assert len(PATTERNS) == 6


def test_a_decoder_is_asked_of_the_tokens_that_see_a_target_and_something_else() -> None:
    text = TwoSentences(("a", "b", "a", "b"), 2, frozenset(), causal=True)
    weights = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.2, 0.3, 0.5, 0], [0.4, 0.3, 0.2, 0.1]])
    score = {pattern: float(score_heads(weights[None, None], text, pattern)[0, 0]) for pattern in PATTERNS}
    assert np.isnan(score[1]), "no token sees the next one"
    assert score[2] == pytest.approx((0.5 + 0.3 + 0.2) / 3)
    assert score[4] == pytest.approx((0.2 + 0.3) / 2)
    assert score[6] == pytest.approx((0.5 + 0.2 + 0.4) / 3), "without delimiters, the first token"
    assert score_even_attention(text, 6) == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3)


def test_a_sentence_that_begins_after_a_full_stop_continues_no_word() -> None:
    tokens = ("I", "Ġbought", "Ġstraw", "berries", ".", "At", "Ġhome", ".")
    text = TwoSentences(tokens, 5, frozenset(), causal=True)
    assert np.argwhere(text.pieces_of_one_word).tolist() == [[2, 3], [3, 2]]
