"""Patterns: their scores by hand and by reference, what is known of real maps, names, retrieval, copying."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import reference
from attlas.address import Head
from attlas.corpora.segments import Segment, collate
from attlas.corpora.source import seeded
from attlas.errors import AttlasError
from attlas.reducers.pattern_scores import PatternScores, Score
from attlas.reducers.patterns import CONTENT, IN_TEXT, SHUFFLES, PatternTokens, tokens_of
from attlas.reducers.predictive import predictive_scores
from attlas.studies.patterns.maps import patterns_of_maps
from attlas.studies.patterns.naming import judged, names
from attlas.subject import Subject
from attlas.tap import Tap

# ---- the maps that others published --------------------------------------------------------------


def scored(shared: Path, name: str, **more: Any) -> dict[str, dict[str, Score]]:
    """pattern -> head -> score, of maps in the shared folder."""
    tokens = json.loads((shared / "data" / "attention" / "tokens.json").read_text())[name]
    weights = np.load(shared / "data" / "attention" / f"{name}.npz")["attn"]
    found: dict[str, dict[str, Score]] = defaultdict(dict)
    for score in patterns_of_maps(weights, tokens, **more):
        found[score.pattern][str(score.head)] = score
    return found


def best(scores: dict[str, Score]) -> str:
    return max(scores, key=lambda head: scores[head].gain)


VIG = "bert-base-uncased_store_strawberries"


def test_the_patterns_that_vig_saw_are_found_where_he_saw_them(shared: Path) -> None:
    found = scored(shared, VIG)
    assert best(found["next"]) == "2.0"
    assert found["next"]["2.0"].score > 0.85
    assert best(found["bag"]) == "0.0"
    assert found["delimiter"]["7.3"].score > 0.9
    assert found["other_sentence"]["10.10"].score > 0.4
    rows = [row for row in names(judged(flat(found))) if row.statistic == "pattern"]
    called = {str(Head(r.kind, r.layer, r.head)): r.group for r in rows}
    assert called["2.0"] == "next"
    assert called["7.3"] == "delimiter"
    assert called["0.0"] == "bag"
    assert called["10.10"] in ("related", "other_sentence", "duplicate")


def flat(found: dict[str, dict[str, Score]]) -> list[Score]:
    return [score for by_head in found.values() for score in by_head.values()]


def test_store_attends_to_store_in_the_other_sentence(shared: Path) -> None:
    tokens = json.loads((shared / "data" / "attention" / "tokens.json").read_text())[VIG]
    weights = np.load(shared / "data" / "attention" / f"{VIG}.npz")["attn"]
    first, second = (i for i, token in enumerate(tokens) if token == "store")
    assert weights[10, 10, second, first] > 0.9


def test_heads_that_look_at_predictive_pieces_link_straw_and_berries(shared: Path) -> None:
    """The pieces of one word predict each other: where that is given as the effect of hiding them, the heads
    that are found are those in which each attends to the other."""
    tokens = json.loads((shared / "data" / "attention" / "tokens.json").read_text())[VIG]
    straw, berries = tokens.index("straw"), tokens.index("##berries")
    effects = np.full((len(tokens), len(tokens)), 0.01)
    effects[straw, berries] = effects[berries, straw] = 0.9
    only = np.zeros_like(effects)
    only[[straw, berries]] = effects[[straw, berries]]  # what is asked of these two alone
    found = scored(shared, VIG, effects=only)["predictive"]
    weights = np.load(shared / "data" / "attention" / f"{VIG}.npz")["attn"]
    strongest = sorted(found, key=lambda head: -found[head].score)[:3]
    assert strongest[0] == "2.1"
    for head in strongest:
        layer, number = map(int, head.split("."))
        assert min(weights[layer, number, straw, berries], weights[layer, number, berries, straw]) > 0.3


def test_gpt2_rests_on_the_first_token(shared: Path) -> None:
    found = scored(shared, "gpt2_quick_brown_fox", causal=True)
    assert "next" not in found, "a decoder does not look ahead"
    assert "delimiter" not in found, "there are no special tokens"
    resting = [head for head, score in found["sink"].items() if score.score > 0.5]
    assert len(resting) > 72, "more than half of its heads"


# ---- bad input -----------------------------------------------------------------------------------


def even(tokens: int) -> np.ndarray:
    return np.full((1, 2, tokens, tokens), 1 / tokens)


def test_maps_that_are_not_attention_are_refused() -> None:
    words = ["a", "b", "c"]
    broken = even(3)
    broken[0, 1, 2, 0] = np.nan
    with pytest.raises(AttlasError, match=r"the map of head 0\.1 holds what is not a number"):
        patterns_of_maps(broken, words)
    with pytest.raises(AttlasError, match=r"row 0 of head 0\.0 is not attention: .* sum to 2"):
        patterns_of_maps(2 * even(3), words)
    with pytest.raises(AttlasError, match="a text of a single token"):
        patterns_of_maps(even(1), ["a"])
    with pytest.raises(AttlasError, match="the maps are 3 x 3, and there are 2 tokens"):
        patterns_of_maps(even(3), ["a", "b"])
    with pytest.raises(AttlasError, match="layer, head, query, key are needed"):
        patterns_of_maps(even(3)[0], words)


def test_what_a_text_cannot_show_has_no_score() -> None:
    have = {score.pattern for score in patterns_of_maps(even(3), ["a", "b", "c"])}
    assert have.isdisjoint({"delimiter", "duplicate", "induction", "related", "other_sentence", "bag"})
    assert {"next", "previous", "sink"} <= have


# ---- scores by hand ------------------------------------------------------------------------------


def one(pattern: str, weights: np.ndarray, tokens: list[str], **more: Any) -> Score:
    (found,) = (s for s in patterns_of_maps(weights[None, None], tokens, **more) if s.pattern == pattern)
    return found


def pointing(tokens: int, to: dict[int, int]) -> np.ndarray:
    """Rows that give all to one key; the others to themselves."""
    weights = np.eye(tokens)
    for query, key in to.items():
        weights[query] = np.eye(tokens)[key]
    return weights


def test_an_induction_head_attends_to_what_followed_the_last_time() -> None:
    tokens = ["a", "b", "c", "a", "b", "c"]
    # the second a looks at the first b, the second b at the first c; the second c would look at the second a
    perfect = one("induction", pointing(6, {3: 1, 4: 2, 5: 3}), tokens, causal=True)
    assert perfect.score == 1
    assert perfect.null < 0.6
    assert one("induction", pointing(6, {3: 0, 4: 1, 5: 2}), tokens, causal=True).score == 0
    assert one("duplicate", pointing(6, {3: 0, 4: 1, 5: 2}), tokens, causal=True).score == 1


def test_even_attention_is_what_chance_gives() -> None:
    tokens = ["[CLS]", "a", "b", "a", "[SEP]", "c", "b", "d", "[SEP]"]
    for score in patterns_of_maps(even(9)[:, :1], tokens):
        if score.pattern not in CONTENT:
            assert score.gain == pytest.approx(0, abs=1e-12), score.pattern
        else:
            assert abs(score.gain) < 0.1, score.pattern


def test_a_bag_of_words_is_spread_evenly_over_its_own_sentence() -> None:
    tokens = ["[CLS]", "a", "b", "[SEP]", "c", "d", "e", "[SEP]"]
    weights = np.eye(8)
    weights[1:3] = [0, 0.5, 0.5, 0, 0, 0, 0, 0]
    weights[4:7] = [0, 0, 0, 0, 1 / 3, 1 / 3, 1 / 3, 0]
    assert one("bag", weights, tokens).score == pytest.approx(1)
    weights[1] = [0, 1, 0, 0, 0, 0, 0, 0]  # only itself: half of what it should be
    assert one("bag", weights, tokens).score == pytest.approx((0.5 + 4) / 5)


def test_predictive_scores_are_the_attended_share_of_the_largest_effect() -> None:
    effect = torch.tensor([[0.0, 0.8, 0.2], [0.4, 0.0, 0.1], [0.0, 0.0, 0.0]]).double()
    known = ~torch.eye(3, dtype=torch.bool)
    weights = torch.tensor([[[0.1, 0.6, 0.3], [0.5, 0.5, 0.0], [1 / 3, 1 / 3, 1 / 3]]])
    score, null, tells = predictive_scores(weights, effect, known)
    # the third query depends on nothing, so that it does not count
    assert tells
    assert float(score[0]) == pytest.approx(((0.6 * 1 + 0.3 * 0.25) + 0.5 * 1) / 2)
    # keys at +1: from query 0 the effect is 1, from query 1 it is 0.25; at +2 and -1 no other query tells
    own = (1 + 0.25) / 2
    expected = ((0.6 * 0.25 + 0.3 * own) + (0.5 * own + 0.0 * 1)) / 2
    assert float(null[0]) == pytest.approx(expected)


# ---- scores by reference -------------------------------------------------------------------------


@pytest.mark.parametrize("subject", ["mini", "llama", "t5"])
def test_scores_and_nulls_equal_the_reference(
    subject: str, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    """Plain loops over float64 maps; the shuffled tokens are the only thing taken from the code."""
    model = subject_of(subject)
    segments = segments_of(model, 5)
    reducer = PatternScores(IN_TEXT)
    with Tap(model, [reducer]) as tap:
        tap.run(collate(model, segments, left=subject == "llama"))
    values: dict[tuple[str, int, int, str], list[tuple[float, float]]] = defaultdict(list)
    for segment in segments:
        batch = collate(model, [segment])
        for kind, layer, weights, _, _ in reference.maps(model, segment):
            if kind == "cross":
                continue
            text = tokens_of(batch, kind)  # type: ignore[arg-type]
            assert text is not None
            shuffles = [text.shuffled(seeded(0, i)) for i in range(SHUFFLES)]
            drawn = [shuffled.ids[0].tolist() for shuffled in shuffles]
            found = reference.patterns(weights, *plain(text), kind == "decoder", drawn)
            for pattern, (scores, nulls) in found.items():
                for head, pair in enumerate(zip(scores, nulls, strict=True)):
                    values[kind, layer, head, pattern].append(pair)
    found_scores = {(s.head.kind, s.head.layer, s.head.head, s.pattern): s for s in reducer.scores()}
    assert {key for key in values if not key[3].startswith("decay")} == {
        key for key in found_scores if key[3] != "decay"
    }
    for key, score in found_scores.items():
        if key[3] == "decay":
            key = (*key[:3], f"decay {score.scale}")
        pairs = np.array(values[key])
        mean, stderr = reference.mean_and_stderr(pairs[:, 0].tolist())
        assert score.items == len(pairs)
        assert score.score == pytest.approx(mean, abs=2e-5), key
        assert score.null == pytest.approx(pairs[:, 1].mean(), abs=2e-5), key
        gain, gain_stderr = reference.mean_and_stderr((pairs[:, 0] - pairs[:, 1]).tolist())
        assert score.gain == pytest.approx(gain, abs=2e-5), key
        if len(pairs) > 1:
            assert score.stderr == pytest.approx(stderr, abs=2e-5), key
            assert score.gain_stderr == pytest.approx(gain_stderr, abs=2e-5), key


def plain(text: PatternTokens) -> tuple[list[int], list[bool], list[int]]:
    return text.ids[0].tolist(), text.special[0].tolist(), text.sentence[0].tolist()
