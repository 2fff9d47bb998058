"""Patterns: their scores by hand and by reference, what is known of real maps, names, retrieval, copying."""

from __future__ import annotations

import copy
import importlib.util
import json
import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
import transformers
from in_process import Backwards, run_here
from rich.console import Console
from scipy import stats

import attlas
import reference
from attlas import terminal
from attlas.address import Head
from attlas.atlas import add_chapter
from attlas.atlas.chapter import chapter_in
from attlas.corpora.batches import collate
from attlas.corpora.segments import Segment
from attlas.corpora.source import Shard, seeded
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import RepeatedTokens
from attlas.engines import Pass
from attlas.errors import AttlasError
from attlas.options import BatchOptions, TextOptions
from attlas.statistics.verdicts import estimate
from attlas.studies import study_run
from attlas.studies.patterns import copying as copying_room
from attlas.studies.patterns.copying import SAMPLE, TOP, copying
from attlas.studies.patterns.definitions import (
    CONTENT,
    IN_TEXT,
    REACHES,
    SHUFFLES,
    PatternTokens,
    targets,
    tokens_of,
)
from attlas.studies.patterns.needle_scores import (
    LongInduction,
    Questions,
    Retrieval,
    answer_batch,
    has_answer,
)
from attlas.studies.patterns.needles import Needles, needle_batch
from attlas.studies.patterns.pattern_names import names, score_table, too_few_documents, with_p_values
from attlas.studies.patterns.pattern_scores import PatternScore, PatternScores
from attlas.studies.patterns.pattern_texts import Kinship, PatternText, annotate_batch, text_tokens
from attlas.studies.patterns.patterns_of_maps import patterns_of_maps
from attlas.studies.patterns.patterns_study import PatternsAndShapes, pattern_study
from attlas.studies.patterns.predictive import Predictive, effects, hidden_batch, predictive_scores
from attlas.studies.study_items import text_items
from attlas.subject import Subject
from attlas.tap import Tap
from attlas.tap.lazy_weights import LazyWeights
from attlas.tap.observation import Observation, ObservedCall
from attlas.wording.names import PATTERNS
from attlas.wording.pattern_sentences import say_pattern
from compared import Compared
from kill_and_resume import contents

# ---- the maps that others published --------------------------------------------------------------


def scored(shared: Path, name: str, **more: Any) -> dict[str, dict[str, PatternScore]]:
    """pattern -> head -> score, of maps in the shared folder."""
    tokens = json.loads((shared / "data" / "attention" / "tokens.json").read_text())[name]
    weights = np.load(shared / "data" / "attention" / f"{name}.npz")["attn"]
    scores: dict[str, dict[str, PatternScore]] = defaultdict(dict)
    for score in patterns_of_maps(weights, tokens, **more):
        scores[score.pattern][str(score.head)] = score
    return scores


def best(scores: dict[str, PatternScore]) -> str:
    return max(scores, key=lambda head: scores[head].gain)


RESEARCH = Path(__file__).parents[2] / "research"
VIG = "bert-base-uncased_store_strawberries"


def test_the_patterns_that_vig_saw_are_found_where_he_saw_them(shared: Path) -> None:
    scores = scored(shared, VIG)
    assert best(scores["next"]) == "2.0"
    assert scores["next"]["2.0"].score > 0.85
    assert best(scores["bag"]) == "0.0"
    assert scores["delimiter"]["7.3"].score > 0.9
    assert scores["other_sentence"]["10.10"].score > 0.4
    rows = [row for row in names(with_p_values(flat(scores))) if row.statistic == "pattern"]
    called = {str(Head(r.kind, r.layer, r.head)): r.group for r in rows}
    assert called["2.0"] == "next"
    assert called["7.3"] == "delimiter"
    assert called["0.0"] == "bag"
    assert called["10.10"] in ("related", "other_sentence", "duplicate")


def flat(scores: dict[str, dict[str, PatternScore]]) -> list[PatternScore]:
    return [score for by_head in scores.values() for score in by_head.values()]


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
    scores = scored(shared, VIG, effects=only)["predictive"]
    weights = np.load(shared / "data" / "attention" / f"{VIG}.npz")["attn"]
    strongest = sorted(scores, key=lambda head: -scores[head].score)[:3]
    assert strongest[0] == "2.1"
    for head in strongest:
        layer, number = map(int, head.split("."))
        assert min(weights[layer, number, straw, berries], weights[layer, number, berries, straw]) > 0.3


def test_gpt2_rests_on_the_first_token(shared: Path) -> None:
    scores = scored(shared, "gpt2_quick_brown_fox", causal=True)
    assert "next" not in scores, "a decoder does not look ahead"
    assert "delimiter" not in scores, "there are no special tokens"
    resting = [head for head, score in scores["sink"].items() if score.score > 0.5]
    assert len(resting) > 72, "more than half of its heads"


# ---- bad input -----------------------------------------------------------------------------------


def even(tokens: int) -> np.ndarray:
    return np.full((1, 2, tokens, tokens), 1 / tokens)


def test_maps_that_are_not_attention_are_refused() -> None:
    words = ["a", "b", "c"]
    broken = even(3)
    broken[0, 1, 2, 0] = np.nan
    with pytest.raises(AttlasError, match=r"row 2 of head 0\.1 holds what is not a number"):
        patterns_of_maps(broken, words)
    with pytest.raises(AttlasError, match=r"row 0 of head 0\.0 sums to 2 .* weights from 0 to 1"):
        patterns_of_maps(2 * even(3), words)
    with pytest.raises(AttlasError, match="a text of a single token"):
        patterns_of_maps(even(1), ["a"])
    with pytest.raises(AttlasError, match="the maps are 3 x 3, and there are 2 tokens"):
        patterns_of_maps(even(3), ["a", "b"])
    with pytest.raises(AttlasError, match="it must be layer, head, query, key"):
        patterns_of_maps(even(3)[0], words)


def test_what_a_text_cannot_show_has_no_score() -> None:
    have = {score.pattern for score in patterns_of_maps(even(3), ["a", "b", "c"])}
    assert have.isdisjoint({"delimiter", "duplicate", "induction", "related", "other_sentence", "bag"})
    assert {"next", "previous", "sink"} <= have


# ---- scores by hand ------------------------------------------------------------------------------


def score_on(pattern: str, weights: np.ndarray, tokens: list[str], **more: Any) -> PatternScore:
    (score,) = (s for s in patterns_of_maps(weights[None, None], tokens, **more) if s.pattern == pattern)
    return score


def pointing(tokens: int, to: dict[int, int]) -> np.ndarray:
    """Rows that give all to one key; the others to themselves."""
    weights = np.eye(tokens)
    for query, key in to.items():
        weights[query] = np.eye(tokens)[key]
    return weights


def test_an_induction_head_attends_to_what_followed_the_last_time() -> None:
    tokens = ["a", "b", "c", "a", "b", "c"]
    # the second a looks at the first b, the second b at the first c; the second c would look at the second a
    perfect = score_on("induction", pointing(6, {3: 1, 4: 2, 5: 3}), tokens, causal=True)
    assert perfect.score == 1
    assert perfect.null < 0.6
    assert score_on("induction", pointing(6, {3: 0, 4: 1, 5: 2}), tokens, causal=True).score == 0
    assert score_on("duplicate", pointing(6, {3: 0, 4: 1, 5: 2}), tokens, causal=True).score == 1


def test_even_attention_is_what_chance_gives() -> None:
    tokens = ["[CLS]", "a", "b", "a", "[SEP]", "c", "b", "d", "[SEP]"]
    for score in patterns_of_maps(even(9)[:, :1], tokens):
        if score.pattern == "broad":
            assert score.score == pytest.approx(1)
        elif score.pattern not in CONTENT:
            assert score.gain == pytest.approx(0, abs=1e-12), score.pattern
        else:
            assert abs(score.gain) < 0.1, score.pattern


def test_a_bag_of_words_is_spread_evenly_over_its_own_sentence() -> None:
    tokens = ["[CLS]", "a", "b", "[SEP]", "c", "d", "e", "[SEP]"]
    weights = np.eye(8)
    weights[1:3] = [0, 0.5, 0.5, 0, 0, 0, 0, 0]
    weights[4:7] = [0, 0, 0, 0, 1 / 3, 1 / 3, 1 / 3, 0]
    assert score_on("bag", weights, tokens).score == pytest.approx(1)
    weights[1] = [0, 1, 0, 0, 0, 0, 0, 0]  # only itself: half of what it should be
    assert score_on("bag", weights, tokens).score == pytest.approx((0.5 + 4) / 5)


def test_attention_to_itself_to_punctuation_and_to_each_delimiter_is_told_apart() -> None:
    tokens = ["[CLS]", "a", ".", "b", ",", "[SEP]"]
    weights = pointing(6, {1: 2, 3: 4, 0: 5, 5: 5})  # the other rows: to themselves
    # a and b look at punctuation; of the 6 queries each has a period or a comma that it is not itself
    assert score_on("punctuation", weights, tokens).score == pytest.approx(2 / 6)
    assert score_on("self", weights, tokens).score == pytest.approx(3 / 6)
    assert (score_on("self", weights, tokens).null) == pytest.approx(1 / 6)
    assert score_on("sep", weights, tokens).score == pytest.approx(2 / 6)
    assert score_on("cls", weights, tokens).score == 0
    assert score_on("delimiter", weights, tokens).score == pytest.approx(2 / 6)
    have = {score.pattern for score in patterns_of_maps(weights[None, None], tokens)}
    assert "sink" not in have, "where texts begin with [CLS], it is a delimiter"


def test_broad_attention_is_even_over_more_than_a_third_of_what_is_in_view() -> None:
    tokens = [str(i) for i in range(9)]
    everywhere, third = np.full((9, 9), 1 / 9), np.tile(np.repeat([1 / 3, 0, 0], 3), (9, 1))
    assert score_on("broad", everywhere, tokens).score == pytest.approx(1)
    assert score_on("broad", third, tokens).score == pytest.approx(1 / 3)
    assert score_on("broad", third, tokens).gain == pytest.approx(0)
    assert score_on("broad", np.eye(9), tokens).score == pytest.approx(1 / 9)


def test_local_attention_is_told_with_its_reach() -> None:
    apart = np.abs(np.subtract.outer(range(40), range(40)))
    for reach in REACHES:
        falling = np.exp(-apart / reach)
        local = score_on("local", falling / falling.sum(1, keepdims=True), [str(i) for i in range(40)])
        assert local.score == pytest.approx(1)
        assert local.reach == reach


@pytest.mark.reference("pattern predictive")
def test_predictive_scores_are_the_attended_share_of_the_largest_effect(compared: Compared) -> None:
    effect = torch.tensor([[0.0, 0.8, 0.2], [0.4, 0.0, 0.1], [0.0, 0.0, 0.0]]).double()
    known = ~torch.eye(3, dtype=torch.bool)
    weights = torch.tensor([[[0.1, 0.6, 0.3], [0.5, 0.5, 0.0], [1 / 3, 1 / 3, 1 / 3]]])
    score, null, tells = predictive_scores(weights, effect, known)
    # the third query depends on nothing, so that it does not count
    assert tells
    compared("pattern predictive", float(score[0]), ((0.6 * 1 + 0.3 * 0.25) + 0.5 * 1) / 2, 1e-6)
    # keys at +1: from query 0 the effect is 1, from query 1 it is 0.25; at +2 and -1 no other query tells
    other_query = (1 + 0.25) / 2
    expected = ((0.6 * 0.25 + 0.3 * other_query) + (0.5 * other_query + 0.0 * 1)) / 2
    assert float(null[0]) == pytest.approx(expected)


# ---- scores by reference -------------------------------------------------------------------------


@pytest.mark.parametrize("subject", ["mini", "llama", "t5"])
@pytest.mark.reference("pattern_score", "pattern_null")
def test_scores_and_nulls_equal_the_reference(
    subject: str,
    subject_of: Callable[[str], Subject],
    segments_of: Callable[..., list[Segment]],
    compared: Compared,
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
            shuffles = [text.shuffle_tokens(seeded(0, i)) for i in range(SHUFFLES)]
            drawn = [shuffled.ids[0].tolist() for shuffled in shuffles]
            marked = {name: set(text.ids[mask].tolist()) for name, mask in text.classes.items()}
            by_pattern = reference.patterns(weights, *plain(text), kind == "decoder", drawn, marked)
            for pattern, (scores, nulls) in by_pattern.items():
                for head, pair in enumerate(zip(scores, nulls, strict=True)):
                    values[kind, layer, head, pattern].append(pair)
    in_reference = {pattern.partition(" ")[0] for _, _, _, pattern in values}
    cannot = {"mini": {"sink"}, "llama": {"next", "delimiter", "cls", "sep", "other_sentence"}}
    missing = set(IN_TEXT) - in_reference - cannot.get(subject, set(IN_TEXT))
    assert not missing, f"write {missing} in plain loops: tests/reference.py, patterns()"
    found_scores = {(s.head.kind, s.head.layer, s.head.head, s.pattern): s for s in reducer.scores()}
    assert {key for key in values if not key[3].startswith("local")} == {
        key for key in found_scores if key[3] != "local"
    }
    for key, score in found_scores.items():
        assert score.scales == (4 if key[3] == "local" else 1)
        if key[3] == "local":
            key = (*key[:3], f"local {score.scale}")
        pairs = np.array(values[key])
        mean, stderr = reference.mean_and_stderr(pairs[:, 0].tolist())
        assert score.items == len(pairs)
        compared("pattern_score", score.score, mean, 2e-5)
        compared("pattern_null", score.null, pairs[:, 1].mean(), 2e-5)
        gain, gain_stderr = reference.mean_and_stderr((pairs[:, 0] - pairs[:, 1]).tolist())
        assert score.gain == pytest.approx(gain, abs=2e-5), key
        if len(pairs) > 1:
            assert score.stderr == pytest.approx(stderr, abs=2e-5), key
            assert score.gain_stderr == pytest.approx(gain_stderr, abs=2e-5), key


def plain(text: PatternTokens) -> tuple[list[int], list[bool], list[int]]:
    return text.ids[0].tolist(), text.special[0].tolist(), text.sentence[0].tolist()


# ---- repeated tokens, needles, hidden tokens -----------------------------------------------------


def test_repeated_tokens_are_the_same_whoever_reads_them(mini: Subject) -> None:
    source = RepeatedTokens(mini.tokenizer, items=40, seed=3)
    shards = list(source.shards())
    assert len(shards) == 2
    items = [item for shard in shards for item in source.prepare(shard).items]
    again = source.prepare(shards[1]).items
    assert [i.id for i in again] == [i.id for i in items[32:]]
    special = set(mini.tokenizer.all_special_ids)
    sizes = set()
    for item in items:
        drawn = [int(i) for i in item.ids[1:-1]]  # between [CLS] and [SEP]
        half = len(drawn) // 2
        sizes.add(half)
        assert drawn[:half] == drawn[half:]
        assert not special & set(drawn)
        assert len(set(drawn[:half])) == half
    assert len(sizes) > 5, "a fixed distance must not tell"
    chosen = source.only([items[7].id])
    assert [i.id for s in chosen.shards() for i in chosen.prepare(s).items] == [items[7].id]


def needles(subject: Subject, *lengths: int) -> Needles:
    return Needles(text_corpus(), subject.tokenizer, lengths, times=2)


def test_a_needle_stands_at_its_depth_and_is_repeated_at_the_end(mini: Subject) -> None:
    source = needles(mini, 96, 160)
    items = [item for shard in source.shards() for item in source.prepare(shard).items]
    assert len(items) == 2 * 3 * 2
    for item in items:
        ids = np.asarray(item.segment.ids)
        assert len(ids) in (96, 160)
        assert list(ids[list(item.first)]) == list(ids[list(item.again)])
        assert item.again[-1] == len(ids) - 1
    depths = [items[i].first[0] for i in (6, 8, 10)]
    assert depths == sorted(depths)
    assert depths[0] < 0.3 * 160 < 0.5 * 160 < depths[2]


def looking(length: int, at: dict[int, int]) -> torch.Tensor:
    """Weights of one head: rows that give all to a key of one's choice, the others to themselves."""
    weights = torch.eye(length)
    for query, key in at.items():
        weights[query] = torch.eye(length)[key]
    return weights[None, None]


@pytest.mark.reference("pattern long_induction")
def test_long_induction_counts_how_often_the_strongest_weight_is_on_what_is_repeated(
    mini: Subject, compared: Compared
) -> None:
    source = needles(mini, 96)
    item = source.prepare(next(iter(source.shards()))).items[0]
    batch = needle_batch(mini, item)
    copied = dict(zip([place - 1 for place in item.again], item.first, strict=True))
    missed = dict(list(copied.items())[2:])
    scores = []
    for at in (copied, missed, {}):
        lazy = LazyWeights.over(looking(96, at))
        reducer = LongInduction()
        call = ObservedCall("decoder", 0, 1, lazy_weights=lazy)
        reducer.update(Observation(batch, (call,)))
        (score,) = reducer.scores()
        scores.append(score.score)
        assert score.null < 0.2
    compared("pattern long_induction", scores, [1, 1 - 2 / len(copied), 0], 1e-9)


def decoder(mini: Subject, **more: Any) -> Subject:
    config = transformers.MistralConfig(
        vocab_size=len(mini.tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=32,
        **{"max_position_embeddings": 256, **more},
    )
    torch.manual_seed(0)
    return Subject(transformers.MistralForCausalLM(config), mini.tokenizer, "mistral")


def test_a_window_shorter_than_the_needles_distance_has_no_score(mini: Subject) -> None:
    for window, has in ((None, True), (16, False)):
        subject = decoder(mini, sliding_window=window)
        source = needles(subject, 160)
        reducer = LongInduction()
        with Tap(subject, [reducer]) as tap:
            for batch in source.batches(subject, source.prepare(next(iter(source.shards()))).items):
                tap.run(batch)
        assert bool(reducer.scores()) is has


def test_hidden_tokens_change_what_later_rows_predict_and_nothing_earlier(
    mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:
    """In a decoder, against a run without the key: the mask hides it from all that come later."""

    subject = decoder(mini, sliding_window=None)
    (segment,) = segments_of(subject, 1, 12)
    batch = hidden_batch(subject, segment)
    with torch.no_grad():
        logits = subject.model(**batch.inputs).logits
        plain = subject.model(input_ids=batch.inputs["input_ids"][:1]).logits
    torch.testing.assert_close(logits[0], plain[0])
    measured = effects(logits, batch.pairs, len(segment.ids))
    keys = sorted(set(batch.pairs[:, 3].tolist()))
    for row, key in enumerate(keys, 1):
        torch.testing.assert_close(logits[row, :key], plain[0, :key])
        for query in range(key + 1, len(segment.ids)):
            if segment.ids[query] != segment.ids[key]:
                p, q = (scores.double().softmax(-1) for scores in (plain[0, query], logits[row, query]))
                assert float(measured[query, key]) == pytest.approx(float((p - q).abs().sum() / 2), abs=1e-5)
    assert float(measured.triu().abs().max()) == 0


def test_masked_pairs_of_an_encoder_hide_the_query_and_the_key(
    mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:

    (segment,) = segments_of(mini, 1, 12)
    batch = hidden_batch(mini, segment, queries=2)
    ids, mask = batch.inputs["input_ids"], mini.tokenizer.mask_token_id
    assert ids[0].tolist() == list(segment.ids)
    assert len(set(batch.pairs[:, 2].tolist())) == 2
    for base, row, query, key in batch.pairs.tolist():
        assert (ids[base] == mask).nonzero()[:, 0].tolist() == [query]
        assert (ids[row] == mask).nonzero()[:, 0].tolist() == sorted([query, key])


@pytest.mark.reference("pattern predictive_plain")
def test_an_encoders_predictive_rows_are_those_of_the_text_in_which_the_query_is_masked(
    mini: Subject, segments_of: Callable[..., list[Segment]], compared: Compared
) -> None:
    """And `predictive_plain` has the rows of the text in which nothing is. In float64, from the model's own
    maps."""
    (segment,) = segments_of(mini, 1, 12)
    batch = hidden_batch(mini, segment, queries=2)
    reducer = Predictive()
    with Tap(mini, [reducer]) as tap:
        tap.run(batch)
    scores = {(str(s.head), s.pattern): s for s in reducer.scores()}
    with torch.no_grad():
        output = reference.in_double(mini.model)(**batch.inputs, output_attentions=True)
    effect = effects(output.prediction_logits, batch.pairs, len(segment.ids))
    known = torch.zeros_like(effect, dtype=torch.bool)
    known[batch.pairs[:, 2], batch.pairs[:, 3]] = True
    masked_for = {query: base for base, _, query, _ in batch.pairs.tolist()}
    for layer in (0, 5, 11):
        plain = output.attentions[layer][0]
        masked = plain.clone()
        for query, base in masked_for.items():
            masked[:, query] = output.attentions[layer][base, :, query]
        for pattern, rows in (("predictive", masked), ("predictive_plain", plain)):
            expected, null, _ = predictive_scores(rows, effect, known)
            for head in range(12):
                score = scores[f"{layer}.{head}", pattern]
                compared("pattern predictive_plain", score.score, float(expected[head]), 1e-4)
                assert score.null == pytest.approx(float(null[head]), abs=1e-4)


def asking(subject: Subject, length: int = 96) -> Any:
    return next(iter(Questions(needles(subject, length)).prepare(Shard(0, (length, 1))).items))


def test_a_question_has_no_word_of_what_it_asks_for(mini: Subject) -> None:
    item = asking(mini)
    words = mini.tokenizer.decode(item.segment.ids)
    answer = mini.tokenizer.decode(item.segment.ids[list(item.first)])
    text, question = words.rsplit("question", 1)
    assert answer in text
    assert not set(answer.split()) & set(question.split())
    assert len(item.segment.ids) + item.answer <= 96


def test_only_the_tokens_of_the_question_ask_and_not_those_of_a_chats_template(mini: Subject) -> None:
    made = needles(mini, 96)
    tokenizer = copy.copy(mini.tokenizer)
    tokenizer.chat_template = (
        "{% for m in messages %}user: {{ m['content'] }} [SEP]{% endfor %} assistant, say what you know:"
    )
    for source in (made, replace(made, tokenizer=tokenizer)):
        item = next(iter(Questions(source).prepare(Shard(0, (96, 1))).items))
        asked = mini.tokenizer.decode(item.segment.ids[list(item.question)])
        assert asked.startswith("what did ")
        assert asked.endswith(" hide, and where?")
        behind = mini.tokenizer.decode(item.segment.ids[item.question[-1] + 1 :])
        assert behind in ("answer :", "answer:", "[SEP] assistant, say what you know :")


def test_half_of_the_needle_is_an_answer_and_less_is_none(mini: Subject) -> None:
    item = asking(mini)
    wanted = [int(item.segment.ids[place]) for place in item.first]
    assert has_answer(item, wanted)
    assert has_answer(item, [5, *wanted[: math.ceil(len(set(wanted)) / 2)]])
    assert not has_answer(item, wanted[:1])
    assert not has_answer(item, [])


@pytest.mark.reference("pattern retrieval")
def test_retrieval_counts_the_needles_tokens_that_are_said_while_they_are_looked_at(
    mini: Subject, compared: Compared
) -> None:
    """As Wu et al.: a token counts once, and only where the row that says it looks at it most."""
    item = asking(mini)
    wanted = [int(item.segment.ids[place]) for place in item.first]
    different = len(set(wanted))
    assert different == len(wanted)
    answer = [mini.tokenizer.mask_token_id, wanted[1], wanted[0], wanted[1]]
    batch = answer_batch(mini, item, answer)
    batch = replace(batch, sides={"decoder": batch.sides["encoder"]})
    start = len(item.segment.ids) - 1
    looks = [
        {start + 1: item.first[1], start + 2: item.first[0], start + 3: item.first[1]},
        {start: item.first[0], start + 1: item.first[1], start + 2: item.first[2]},  # what it does not say
        {},
    ]
    scores = []
    for at in looks:
        reducer = Retrieval()
        lazy = LazyWeights.over(looking(start + 1 + len(answer), at))
        reducer.update(Observation(batch, (ObservedCall("decoder", 0, 1, lazy_weights=lazy),)))
        (score,) = reducer.scores()
        scores.append(score.score)
        assert score.null < 0.2
    compared("pattern retrieval", scores, [2 / different, 1 / different, 0], 1e-9)


def test_the_answer_is_the_models_own_greedy_one(mini: Subject) -> None:
    """And a model that answers nothing has no score, and says so."""
    subject = decoder(mini)
    source = Questions(needles(subject, 96))
    items = source.prepare(Shard(0, (96, 0))).items
    (batch, *_) = source.batches(subject, items)
    ids = batch.inputs["input_ids"][0]
    asked = len(items[0].segment.ids)
    with torch.no_grad():
        for place in range(asked, len(ids)):
            logits = subject.model(input_ids=ids[None, :place]).logits[0, -1]
            assert int(ids[place]) == int(logits.argmax())
    result = attlas.patterns(subject, needles=[96], **SMALL)
    assert "retrieval" not in set(result.table["pattern"])
    assert any("answered 0 of 12 questions" in note for note in result.notes)


# ---- related tokens, copying ---------------------------------------------------------------------


def test_related_tokens_are_few_and_akin(mini: Subject) -> None:
    words = mini.tokenizer(
        "he said that she was king and queen of the two three cities in 1904 and 1905",
        return_tensors="pt",
    )["input_ids"]
    kinship = Kinship()
    akin = kinship.related(mini, words)[0]
    assert torch.equal(akin, akin.T)
    tokens = mini.tokenizer.convert_ids_to_tokens(words[0])
    pairs = {(tokens[a], tokens[b]) for a, b in akin.nonzero().tolist() if tokens[a] < tokens[b]}
    assert ("he", "she") in pairs
    assert len(pairs) < len(tokens), "most tokens are not akin"


def test_rounding_does_not_decide_which_tokens_are_related(mini: Subject) -> None:
    """The bound is the cosine of a pair of frequent tokens: they are not related, by whichever precision."""
    kinship = Kinship()
    frequent = torch.tensor(sorted(set(text_tokens(mini)[:4000])))
    table, known, bound = kinship._table(mini)
    vectors, having = table[frequent].double(), known[frequent]
    exact = vectors @ vectors.T
    assert (exact - bound).abs().min() > 1e-6
    assert torch.equal(kinship.related(mini, frequent[None])[0], (exact > bound) & having & having[:, None])


def test_word_vectors_may_come_from_a_file(mini: Subject, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    vocabulary = [t for t in mini.tokenizer.get_vocab() if t.isalpha()][:400]
    vectors = {word: rng.normal(size=8) for word in {*vocabulary, "king", "queen", "city"}}
    vectors["queen"] = vectors["king"] + 0.01
    lines = (f"{word} {' '.join(f'{x:.4f}' for x in v)}\n" for word, v in vectors.items())
    path = tmp_path / "glove.txt"
    path.write_text("".join(lines))
    ids = torch.tensor([mini.tokenizer.convert_tokens_to_ids(["king", "queen", "city", "[SEP]"])])
    akin = Kinship(path).related(mini, ids)[0]
    assert akin[0, 1]
    assert not akin[0, 2]
    assert not akin[3].any(), "a special token is akin to none"


def test_other_vectors_under_the_same_name_are_another_source(mini: Subject, tmp_path: Path) -> None:
    """So that a run with the old ones is not continued with the new."""
    descriptions = []
    for number in (0, 1):
        path = tmp_path / str(number) / "glove.txt"
        path.parent.mkdir()
        path.write_text(f"king {number} 1\nqueen 1 {number}\n")
        source = text_items(mini, TextOptions(segments=2, length=24)).source
        descriptions.append(PatternText(source, Kinship(path)).describe())
    assert descriptions[0]["related"]["name"] == descriptions[1]["related"]["name"] == "glove.txt"
    assert descriptions[0] != descriptions[1]


@pytest.mark.parametrize("grouped", [4, 2])
@pytest.mark.reference("pattern copying")
def test_copying_equals_the_product_of_the_matrices(mini: Subject, grouped: int, compared: Compared) -> None:
    """In float64, head by head: E, the layer's norm, W_V, W_O, the final norm's weight, the unembedding."""
    subject = decoder(mini) if grouped == 2 else None
    if subject is None:
        torch.manual_seed(1)
        config = transformers.LlamaConfig(
            vocab_size=len(mini.tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
            num_key_value_heads=4, intermediate_size=32,
        )  # fmt: skip
        subject = Subject(transformers.LlamaForCausalLM(config), mini.tokenizer, "llama")
    model: Any = subject.model
    with torch.no_grad():  # a head that copies: what goes in comes out
        attention = model.model.layers[1].self_attn
        attention.v_proj.weight[:8] = 0
        attention.v_proj.weight[:8, :8] = torch.eye(8)
        attention.o_proj.weight[:, :8] = 0
        attention.o_proj.weight[:8, :8] = torch.eye(8)
        model.lm_head.weight.copy_(model.model.embed_tokens.weight)
    scores = {str(score.head): score for score in copying(subject)}
    assert len(scores) == 8
    assert scores["1.0"].score > 0.3 > 10 * scores["1.0"].null

    ids = copying_room._sample(subject, 0)
    embedded = model.model.embed_tokens.weight[ids].double()
    groups = model.config.num_key_value_heads
    for layer, block in enumerate(model.model.layers):
        normed = embedded / (embedded.square().mean(-1, keepdim=True) + model.config.rms_norm_eps).sqrt()
        normed = normed * block.input_layernorm.weight.double()
        for head in range(4):
            group = head * groups // 4
            value = normed @ block.self_attn.v_proj.weight[group * 8 : group * 8 + 8].double().T
            out = value @ block.self_attn.o_proj.weight[:, head * 8 : head * 8 + 8].double().T
            raised = out @ (model.lm_head.weight[ids].double() * model.model.norm.weight.double()).T
            raised_itself = raised.diagonal()[:, None]
            share = float(((raised > raised_itself).sum(-1) < TOP).double().mean())
            compared("pattern copying", scores[f"{layer}.{head}"].score, share, 2 / SAMPLE)


def test_copying_is_left_out_where_embeddings_have_another_size(mini: Subject) -> None:
    size = {"vocab_size": len(mini.tokenizer), "hidden_size": 32, "embedding_size": 16}
    size |= {"num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 32}
    model = transformers.ElectraForMaskedLM(transformers.ElectraConfig(**size))
    assert copying(Subject(model, mini.tokenizer, "electra")) == []


def copied_by(
    kind: str, size: dict[str, Any], mini: Subject
) -> tuple[Any, dict[str, float], torch.Tensor, torch.Tensor]:
    """A model whose norms are no identities, the copying score of each head, and what the sampled tokens are
    before the first layer and in the unembedding, in float64."""
    torch.manual_seed(2)
    made = {"GPT2": "GPT2LMHeadModel"}.get(kind, f"{kind}ForCausalLM")
    model: Any = getattr(transformers, made)(getattr(transformers, f"{kind}Config")(**size))
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "norm" in name or "ln_" in name:
                weight.normal_()
    subject = Subject(model, mini.tokenizer, kind)
    scores = {str(score.head): score.score for score in copying(subject)}
    ids = copying_room._sample(subject, 0)
    both = model.get_input_embeddings(), model.get_output_embeddings()
    embedded, read = (layer.weight[ids].detach().double() for layer in both)
    return model, scores, embedded, read


@pytest.mark.parametrize("kind", ["Gemma", "Gemma2", "GPT2"])
def test_copying_goes_through_the_norms_as_the_model_does(mini: Subject, kind: str) -> None:
    """In float64: Gemma's norms multiply by 1 more than their weight, the second Gemma has one after
    attention, and GPT-2's take the mean off."""
    size = {"vocab_size": len(mini.tokenizer), "hidden_size": 32, "num_hidden_layers": 1}
    size |= {"num_attention_heads": 4}
    if kind != "GPT2":
        size |= {"num_key_value_heads": 4, "head_dim": 8, "intermediate_size": 32}
    model, scores, embedded, read = copied_by(kind, size, mini)
    if kind == "GPT2":
        block, final = model.transformer.h[0], model.transformer.ln_f
        normed = block.ln_1.double()(embedded)
        values, outs = block.attn.c_attn.weight[:, 64:].T, block.attn.c_proj.weight.T
        centred = torch.eye(32).double() - 1 / 32
        read = read @ torch.diag(final.weight.double()) @ centred
    else:
        block, final = model.model.layers[0], model.model.norm
        normed = embedded / (embedded.square().mean(-1, keepdim=True) + model.config.rms_norm_eps).sqrt()
        normed = normed * (1 + block.input_layernorm.weight.double())
        values, outs = block.self_attn.v_proj.weight, block.self_attn.o_proj.weight
        read = read * (1 + final.weight.double())
        if kind == "Gemma2":
            read = read * (1 + block.post_attention_layernorm.weight.double())
    assert set(scores) == {f"0.{head}" for head in range(4)}
    for head in range(4):
        part = slice(head * 8, head * 8 + 8)
        raised = normed @ values[part].double().T @ outs[:, part].double().T @ read.T
        hits = (raised > raised.diagonal()[:, None]).sum(-1) < TOP
        assert scores[f"0.{head}"] == pytest.approx(float(hits.double().mean()), abs=1 / SAMPLE)


@pytest.mark.parametrize("kind", ["GPTNeoX", "Bloom", "Falcon"])
def test_copying_is_read_off_weights_that_are_joined(mini: Subject, kind: str) -> None:
    """In float64: queries, keys and values of a head, or of a group of heads, stand together in one weight;
    BLOOM norms its embeddings, and Falcon has a norm for attention alone."""
    size: dict[str, Any] = {"vocab_size": len(mini.tokenizer), "hidden_size": 32, "num_hidden_layers": 1}
    size |= {"num_attention_heads": 4, "n_layer": 1, "n_head": 4}
    if kind == "Falcon":
        size |= {"new_decoder_architecture": True, "num_kv_heads": 2, "alibi": False}
    model, scores, embedded, read = copied_by(kind, size, mini)
    if kind == "GPTNeoX":
        block, final = model.gpt_neox.layers[0], model.gpt_neox.final_layer_norm
        attention, normed = block.attention, block.input_layernorm.double()(embedded)
    else:
        block, final = model.transformer.h[0], model.transformer.ln_f
        attention = block.self_attention
        if kind == "Bloom":
            embedded = model.transformer.word_embeddings_layernorm.double()(embedded)
        normed = (block.input_layernorm if kind == "Bloom" else block.ln_attn).double()(embedded)
    groups = 2 if kind == "Falcon" else 4
    values = attention.query_key_value.weight.double().reshape(groups, -1, 8, 32)[:, -1]
    read = read @ torch.diag(final.weight.double()) @ (torch.eye(32).double() - 1 / 32)
    assert set(scores) == {f"0.{head}" for head in range(4)}
    for head in range(4):
        out = attention.dense.weight[:, head * 8 : head * 8 + 8].double()
        raised = normed @ values[head * groups // 4].T @ out.T @ read.T
        hits = (raised > raised.diagonal()[:, None]).sum(-1) < TOP
        assert scores[f"0.{head}"] == pytest.approx(float(hits.double().mean()), abs=1 / SAMPLE)


def test_copying_is_known_of_bert_too_and_of_nothing_without_predictions(mini: Subject) -> None:
    assert len(copying(mini)) == 144
    bare = transformers.BertModel(transformers.BertConfig(
        vocab_size=len(mini.tokenizer), hidden_size=24, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=24,
    ))  # fmt: skip
    assert copying(Subject(bare, mini.tokenizer, "bare")) == []


# ---- names ---------------------------------------------------------------------------------------


def score_of(
    pattern: str, score: float, null: float = 0.0, error: float = 0.01, items: int = 50
) -> PatternScore:
    head = Head("decoder", 0, 0)
    return PatternScore(head, pattern, score, error, null, score - null, error, items, documents=items)


def named(*scores: PatternScore) -> dict[str, tuple[str, float]]:
    return {row.statistic: (row.group, row.value) for row in names(with_p_values(scores))}


@pytest.mark.reference("second_pattern")
def test_a_name_is_the_strongest_pattern_beyond_chance(compared: Compared) -> None:
    called = named(score_of("previous", 0.9), score_of("local", 0.95, null=0.8), score_of("duplicate", 0.5))
    assert called["pattern"][0] == "previous"
    assert called["pattern"][1] > 0.99
    assert called["second_pattern"][0] == "local"
    unsure = named(score_of("previous", 0.9), score_of("duplicate", 0.3, error=0.05))
    assert unsure["second_pattern"][0] == "duplicate"
    compared("second_pattern", unsure["second_pattern"][1], stats.t.cdf((0.3 - 0.2) / 0.05, 49), 1e-9)


def test_a_likely_pattern_that_too_few_documents_can_show_is_noted() -> None:
    weak = [score_of(pattern, 0.0, error=0.01, items=3) for pattern in PATTERNS if pattern != "sink"]
    few = with_p_values([score_of("sink", 0.5, 0.06, error=0.14, items=3), *weak])
    assert [row.group for row in names(few)] == ["none"]
    (noted,) = too_few_documents(few)
    assert noted.startswith("undecided: 1 head without a name may follow a pattern; ")
    enough = with_p_values([score_of("sink", 0.5, 0.06, error=0.07), *weak])
    assert names(enough)[0].group == "sink"
    assert too_few_documents(enough) == []


def test_what_untrained_heads_do_as_well_names_no_head() -> None:
    """Even attention scores 0.97 for `broad`; what an untrained head has of a pattern takes from it."""
    broad = score_of("broad", 0.965, null=1 / 3, error=0.001)
    local = score_of("local", 0.5, null=0.1)
    alone = with_p_values([broad, local])
    beside = [
        replace(judged, twin=estimate(gain, 0.001, 20, 21))
        for judged, gain in zip(alone, (0.63, 0.05), strict=True)
    ]
    assert [row.group for row in names(alone) if row.statistic == "pattern"] == ["local"]
    table = score_table(beside, names(beside)).set_index("pattern")
    assert table.loc["broad", "verdict"] == "small"
    assert table.loc["broad", "untrained"] == pytest.approx(1 / 3 + 0.63)
    assert table.loc["local", "strength"] == pytest.approx((0.5 - 0.15) / (1 - 0.15))


def test_what_untrained_heads_have_is_no_more_than_a_perfect_score() -> None:
    """`predictive` may have a null of 0.95, and untrained heads of a null of 0.6 exceed theirs by 0.16."""
    (judged,) = with_p_values([score_of("predictive", 0.99, null=0.95, error=0.001)])
    beside = [replace(judged, twin=estimate(0.16, 0.04, 3, 4))]
    row = score_table(beside, names(beside)).iloc[0]
    assert row["untrained"] == 1.0
    assert row["verdict"] == "small"


def test_what_is_weak_or_unsure_names_no_head() -> None:
    assert named(score_of("previous", 0.1))["pattern"][0] == "none"
    assert named(score_of("previous", 0.1))["pattern"][1] > 0.99
    assert named(score_of("previous", 0.5, error=0.4))["pattern"][0] == "none"


def test_a_word_that_the_tokenizer_does_not_have_is_no_delimiter(mini: Subject) -> None:
    """Nor is it the same as another such word."""
    batch = annotate_batch(mini, mini.encode("the snowman \u2603 and \u2603 again"), None)
    text = batch.texts["encoder"]
    places = (text.ids[0] == mini.tokenizer.unk_token_id).nonzero()[:, 0].tolist()
    assert len(places) == 2
    everything = torch.ones(1, text.ids.shape[1], text.ids.shape[1], dtype=torch.bool)
    last = text.ids.shape[1] - 1
    assert targets("delimiter", text, everything)[0, 1].nonzero()[:, 0].tolist() == [0, last]
    assert not targets("duplicate", text, everything)[0, places].any()


@pytest.mark.reference("pattern")
def test_no_pattern_is_as_sure_as_the_likeliest_of_them_allows(compared: Compared) -> None:
    """A weaker pattern that is known less well may be strong enough more likely than a stronger one."""
    called = named(score_of("previous", 0.15, error=0.01), score_of("predictive", 0.1, error=0.1))
    assert called["pattern"][0] == "none"
    compared("pattern", called["pattern"][1], stats.t.cdf((0.2 - 0.1) / 0.1, 49), 1e-9)


def test_a_head_that_mostly_rests_is_less_surely_called_after_what_it_does_when_it_acts() -> None:
    """By the probability, from both standard errors, that it gives more to what it is called after."""
    alone = named(score_of("previous", 0.3))["pattern"]
    resting = named(score_of("previous", 0.3), score_of("sink", 0.28, error=0.03))["pattern"]
    assert (alone[0], resting[0]) == ("previous", "previous")
    assert alone[1] > 0.99
    assert resting[1] == pytest.approx(stats.t.cdf(0.02 / math.hypot(0.01, 0.03), 49))
    assert named(score_of("previous", 0.23), score_of("sink", 0.62))["pattern"][1] < 1e-6
    elsewhere = named(score_of("induction", 0.5), score_of("sink", 0.62))["pattern"]
    assert elsewhere[1] > 0.99, "what was measured over other texts cannot be compared with rest in the text"


def test_the_name_says_what_a_head_mostly_does_and_where_it_rests() -> None:
    judged = with_p_values(
        [
            score_of("previous", 0.23),
            score_of("delimiter", 0.62),
            score_of("cls", 0.02),
            score_of("sep", 0.6),
            replace(score_of("local", 0.5), scale=1),
        ]
    )
    table = score_table(judged, names(judged))
    says = {row["pattern"]: say_pattern(row) for row in table.to_dict("records")}
    assert says["previous"] == "previous token when it acts, 0.23; rests on [SEP], 0.62"
    assert says["delimiter"] == "delimiters ([SEP]), 0.62"
    assert says["local"] == "local (reach 4 tokens) when it acts, 0.50; rests on [SEP], 0.62"
    both = with_p_values([score_of("delimiter", 0.6), score_of("cls", 0.3), score_of("sep", 0.3)])
    assert say_pattern(score_table(both, []).to_dict("records")[0]) == "delimiters ([CLS] and [SEP]), 0.60"
    acting = with_p_values([score_of("previous", 0.7), score_of("sink", 0.25)])
    says = say_pattern(score_table(acting, []).to_dict("records")[0])
    assert says == "previous token, 0.70; rests on the first token, 0.25"


def test_even_attention_names_a_head_only_where_nothing_else_fits() -> None:
    assert named(score_of("broad", 0.9), score_of("local", 0.3))["pattern"][0] == "local"
    assert named(score_of("broad", 0.9), score_of("sink", 0.3))["pattern"][0] == "broad"


def test_a_resting_place_names_a_head_only_where_nothing_else_fits() -> None:
    called = named(score_of("sink", 0.95), score_of("induction", 0.4))
    assert (called["pattern"][0], called["second_pattern"][0]) == ("induction", "sink")
    assert named(score_of("sink", 0.95))["pattern"][0] == "sink"


def test_tests_are_corrected_over_heads_and_patterns() -> None:
    unsure = score_of("previous", 0.3, error=0.13)
    assert with_p_values([unsure])[0].p < 0.05
    others = [replace(unsure, head=Head("decoder", 1, i), gain=0.0) for i in range(30)]
    assert with_p_values([unsure, *others])[0].p > 0.05


def test_the_best_of_four_reaches_counts_as_four_tests() -> None:
    local, other = (score_of(name, 0.3, error=0.15) for name in ("local", "self"))
    once, often = (with_p_values([replace(local, scales=n)])[0].p for n in (1, 4))
    assert once == with_p_values([other])[0].p < 0.05 < often
    assert often == pytest.approx(4 * once)
    assert with_p_values([replace(local, gain=-1.0, scales=4)])[0].p == 1


def test_p_is_corrected_over_the_names_that_were_asked_for_and_not_over_scores_that_name_nothing() -> None:
    """A score of weights, as copying, has no documents: its test is over tokens."""
    unsure = score_of("previous", 0.35, error=0.09)
    weights = [replace(score_of("copying", 0.02), documents=0, effective=0.0, items=512)] * 30
    (alone,), (first, *rest) = with_p_values([unsure]), with_p_values([unsure, *weights])
    assert first.p == alone.p < 0.05
    expected = min(1.0, 30 * float(stats.t.sf(weights[0].gain / weights[0].gain_stderr, 511)))
    assert [judged.p for judged in rest] == pytest.approx([expected] * 30)


def test_of_one_text_nothing_is_tested() -> None:
    (score,) = with_p_values([score_of("previous", 0.9, error=math.nan, items=1)])
    assert math.isnan(score.p)
    assert score.fits


# ---- the verb ------------------------------------------------------------------------------------

SMALL: dict[str, Any] = {
    "segments": 6, "length": 24, "shard": 64, "repeated": 4, "hidden": 2, "maps": 2, "progress": False,
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the atlas that `done` left."""
    return tmp_path_factory.mktemp("patterns") / "mini.attlas"


@pytest.fixture(scope="module")
def done(mini: Subject, folder: Path) -> Any:
    return attlas.patterns(mini, atlas=folder, **SMALL)


def test_a_run_names_every_head_and_keeps_its_scores(done: Any, folder: Path) -> None:
    atlas = attlas.load_atlas(folder)
    rows = atlas.heads[atlas.heads["statistic"] == "pattern"]
    assert len(rows) == 144
    assert atlas.names("pattern") == done.names("pattern")
    table = atlas.table("patterns")
    assert {"next", "related", "induction", "induction_text", "predictive", "copying"} <= set(
        table["pattern"]
    )
    assert {"retrieval", "long_induction"}.isdisjoint(table["pattern"])
    assert any("not applicable: retrieval" in note for note in atlas.about("patterns-wikipedia")["notes"])
    scores = atlas.heads[(atlas.heads["statistic"] == "pattern_score") & (atlas.heads["group"] == "next")]
    by_table = table[table["pattern"] == "next"]
    np.testing.assert_array_equal(scores["value"].to_numpy(), by_table["score"].to_numpy())


def test_the_order_in_which_shards_finish_changes_no_bit(done: Any, mini: Subject) -> None:
    wanted = {name: SMALL[name] for name in ("repeated", "hidden", "maps")}
    text_options = TextOptions(segments=SMALL["segments"], length=SMALL["length"])
    study = pattern_study(mini, text_options, BatchOptions(shard=SMALL["shard"]), **wanted)
    again = study.conclude(run_here(mini, Backwards())).tables["patterns"]
    assert (again["n"] > 1).any()
    for name in ("score", "null", "gain", "p"):
        np.testing.assert_array_equal(again[name].to_numpy(), done.table[name].to_numpy())


def assert_same_rows(rows: Any, wanted: Any) -> None:
    """To the last bit; not a number is the same as itself."""
    pd.testing.assert_frame_equal(pd.DataFrame(rows), pd.DataFrame(wanted), check_exact=True)


def test_the_model_reads_the_text_once_for_patterns_and_shapes(done: Any, mini: Subject) -> None:
    segments = TextOptions(segments=6, length=24), BatchOptions(shard=64)
    passes: list[Pass] = []

    def run(pass_: Pass) -> Any:
        passes.append(pass_)
        return run_here(mini)(pass_)

    both = PatternsAndShapes(pattern_study(mini, *segments, repeated=4, hidden=2, maps=2, twin=True))
    patterns, shapes = both.conclude(run, both.studies)
    by_model = [pass_.name for pass_ in passes if pass_.subject is None]
    assert by_model == ["patterns", "repeated", "predictive", "typical"]
    by_twins = [pass_.name for pass_ in passes if pass_.subject is not None]
    assert by_twins == [
        f"{name}_{twin}"
        for twin in ("untrained", "peaked")
        for name in ("patterns", "repeated", "predictive")
    ]
    alone = both.shapes.conclude(run_here(mini))
    assert_same_rows(shapes.rows, alone.rows)
    assert_same_rows(shapes.rows, done.chapters[1].rows)
    assert (shapes.about["counts"], shapes.name) == (alone.about["counts"], alone.name)
    for name, table in alone.tables.items():
        pd.testing.assert_frame_equal(shapes.tables[name], table, check_exact=True)
    assert_same_rows(patterns.rows, done.chapters[0].rows)
    for name, table in done.chapters[0].tables.items():
        pd.testing.assert_frame_equal(patterns.tables[name], table, check_exact=True)


@pytest.mark.parametrize("missing", [0, 1])
def test_one_chapter_of_two_that_is_missing_is_made_by_itself(
    missing: int, done: Any, mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """The other is given back as it was; also after a power cut."""
    kept = chapter_in(attlas.load_atlas(folder), done.chapters[1 - missing].name)
    add_chapter(tmp_path / "a.attlas", mini.describe(), kept)

    def power_cut(*_: object, **__: object) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr(study_run, "add_chapter", power_cut)
    with pytest.raises(RuntimeError, match="power cut"):
        attlas.patterns(mini, atlas=tmp_path / "a.attlas", resume=True, **SMALL)
    monkeypatch.undo()
    again = attlas.patterns(mini, atlas=tmp_path / "a.attlas", resume=True, **SMALL)
    assert [chapter.name for chapter in again.chapters] == [chapter.name for chapter in done.chapters]
    assert_same_rows(again.chapters[missing].rows, done.chapters[missing].rows)


def test_a_run_that_was_stopped_before_its_second_chapter_goes_on(
    done: Any, mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    real, out = study_run.add_chapter, tmp_path / "a.attlas"

    def power_cut(place: Path, model: Any, chapter: Any, **options: Any) -> None:
        if chapter.name.startswith("shapes"):
            raise RuntimeError("power cut")
        real(place, model, chapter, **options)

    monkeypatch.setattr(study_run, "add_chapter", power_cut)
    with pytest.raises(RuntimeError, match="power cut"):
        attlas.patterns(mini, atlas=out, **SMALL)
    monkeypatch.undo()
    attlas.patterns(mini, atlas=out, resume=True, **SMALL)
    assert contents(out) == contents(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["a.attlas"]


def test_a_finished_run_is_given_back(done: Any, mini: Subject, folder: Path) -> None:
    again = attlas.patterns(mini, atlas=folder, resume=True, **SMALL)
    assert again.names("pattern") == done.names("pattern")
    with pytest.raises(AttlasError, match="has a chapter patterns-wikipedia already"):
        attlas.patterns(mini, atlas=folder, **SMALL)


def shown(result: Any) -> str:
    console = Console(record=True, width=160, file=open("/dev/null", "w"))  # noqa: SIM115
    with console.file:
        terminal.show(console, result, {})
        return console.export_text()


def test_show_lists_the_heads_of_a_pattern(done: Any, folder: Path) -> None:
    result = attlas.show(folder, pattern="next")
    assert list(result.heads["strength"]) == sorted(result.heads["strength"], reverse=True)  # type: ignore[union-attr]
    assert "next token" in shown(result)
    assert "(by chance 0.0" in shown(attlas.show(folder, head="7.0", all=True))
    assert "next token" in shown(done)
    json.dumps(terminal.as_data(result))
    json.dumps(terminal.as_data(done))
    with pytest.raises(AttlasError, match="there is no pattern 'nexxt'"):
        attlas.show(folder, pattern="nexxt")
    with pytest.raises(AttlasError, match="head and pattern are two questions"):
        attlas.show(folder, pattern="next", head="0.0")


def test_a_contact_sheet_is_drawn_of_the_maps_that_were_kept(done: Any, tmp_path: Path, folder: Path) -> None:
    (sheet,) = attlas.draw(folder, head="7.0", figures=tmp_path, formats=["svg"])
    assert sheet.name == "head-7.0.svg"
    assert sheet.stat().st_size > 10_000
    maps = attlas.load_atlas(folder).array("encoder.typical")
    assert maps is not None
    assert maps.shape == (144, 2, 32, 32)
    full = maps[:, :, :12, :24].astype(float).sum(-1)
    np.testing.assert_allclose(full, 1, atol=0.02)


@pytest.mark.parametrize("subject", ["llama", "t5", "mpnet"])
def test_every_kind_of_model_has_patterns(subject: str, subject_of: Callable[[str], Subject]) -> None:
    """Decoders with grouped queries, encoder-decoders, and models that return their weights."""
    model = subject_of(subject)
    more = {"needles": [96]} if subject == "llama" else {}
    result = attlas.patterns(model, **{**SMALL, "segments": 3, **more})  # type: ignore[arg-type]
    have = set(result.table["pattern"])
    assert {"previous", "local", "induction"} <= have
    assert ("long_induction" in have) == (subject == "llama")
    assert "retrieval" not in have, "a model that was never trained answers no question"
    assert ("next" in have) == (subject != "llama")
    named = {Head(r.kind, r.layer, r.head) for r in result.chapters[0].rows if r.statistic == "pattern"}
    assert named == {head for head in model.heads if head.kind != "cross"}


def test_of_a_single_text_names_are_by_strength_alone(mini: Subject) -> None:
    text = "The cat sat on the mat. It saw the dog, and the dog saw the cat."
    result = attlas.patterns(mini, text=[text], **{**SMALL, "segments": 1, "length": 32})
    assert result.names()[Head("encoder", 7, 0)] == "next"
    assert any("one text" in note for note in result.notes)
    in_text = result.table[
        ~result.table["pattern"].isin(["induction", "predictive", "copying", "succession"])
    ]
    assert in_text["p"].isna().all()


def test_bad_wishes_are_refused_before_the_work(mini: Subject, tmp_path: Path) -> None:
    for options, said in (
        ({"atlas": 3}, "atlas=3: give the path of a file or folder"),
        ({"progress": "perhaps"}, "progress='perhaps': should be a valid boolean"),
        ({"needles": 128}, "needles=128: should be"),
        ({"engine": "rays"}, "engine='rays': should be 'local', 'processes' or 'ray'"),
        ({"needles": [128]}, "mini does not generate text"),
        ({"repeated": 1}, "repeated=1: should be greater than or equal to 2"),
        ({"word_vectors": tmp_path / "no.txt"}, "there is no such file"),
        ({"resume": True}, "resume continues a run into an atlas"),
        ({"text": ["a"], "length": 24}, "no segment"),
    ):
        with pytest.raises(AttlasError, match=said):
            attlas.patterns(mini, **{**SMALL, **options})  # type: ignore[arg-type]
    short = decoder(mini)
    with pytest.raises(AttlasError, match="needle and question alone take"):
        attlas.patterns(short, needles=[20], **SMALL)
    long = decoder(mini, max_position_embeddings=4096)
    with pytest.raises(AttlasError, match="length=4000: patterns are scored in at most 2,048 tokens"):
        attlas.patterns(long, **{**SMALL, "length": 4000})
    with pytest.raises(AttlasError, match="takes at most 256"):
        attlas.patterns(short, needles=[512], **SMALL)


# ---- a model that learns induction ---------------------------------------------------------------


def test_a_trained_model_of_two_layers_has_induction_heads_and_its_first_step_has_none() -> None:
    spec = importlib.util.spec_from_file_location("induction_training", RESEARCH / "induction.py")
    assert spec is not None
    assert spec.loader is not None
    training = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(training)
    words, model = training.tokenizer(64), training.fresh_model(64)
    options = {"rate": 4e-3, "shortest": 8, "longest": 12}
    training.train(model, 1, **options)
    before = training.induction(model, words, items=16)
    training.train(model, 300, **options)
    after = training.induction(model, words, items=16)
    assert max(score.gain for score in before) < 0.05
    assert {"pattern"} == {row.statistic for row in names(with_p_values(before))}
    assert all(row.group == "none" for row in names(with_p_values(before)))
    best = max(after, key=lambda score: score.gain)
    assert best.score > 0.5
    assert best.head.layer == 1, "the first layer can only look at the previous token"
    assert "induction" in {row.group for row in names(with_p_values(after))}
