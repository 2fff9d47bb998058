"""Who wrote queries and keys: parts add up to scores and are those of plain formulas, and in a model that has
learnt induction the heads that look at the previous token write the keys of the others."""

from __future__ import annotations

import io
import json
import zlib

import numpy as np
import pytest
import torch
from rich.console import Console
from torch import Tensor

import attlas
from attlas.address import Head
from attlas.corpora.batches import Batch
from attlas.errors import AttlasError
from attlas.studies.feeding.feed_sweep import FeedLayout, FeedSweep, lift_slopes
from attlas.studies.feeding.link_parts import Link, TextLinks
from attlas.studies.feeding.link_reasons import LinkReasons, reasons_for
from attlas.studies.feeding.why_result import WhyResult
from attlas.studies.feeding.why_study import sure_feeds
from attlas.subject import Subject
from attlas.tap.score_parts import ScorePaths
from attlas.tap.tap import capture
from attlas.views import view_model
from hooked import Hooked
from hooked_scores import Parts, queries_and_keys, scaling
from test_stream import made
from zoo import ZOO, inputs_for

KINDS = ["llama", "gpt2", "gpt_neox", "bert"]
#: more ways to make queries and keys, whose parts must add up
OTHERS = ["distilbert", "electra", "modernbert", "opt", "qwen3", "gemma2", "gpt_oss", "deepseek_v3", "t5"]
LAYER, HEAD, QUERY, KEY = 2, 1, 6, 3


def one_row(name: str) -> tuple[Subject, Batch]:
    subject, batch = made(name)
    inputs = {n: t[:1] for n, t in batch.inputs.items()}
    return subject, subject.annotate(inputs)


def head_of(subject: Subject) -> Head:
    return next(h for h in reversed(subject.heads) if (h.layer, h.head) == (LAYER, HEAD))


@pytest.mark.parametrize("name", KINDS)
def test_every_part_of_a_score_is_that_of_the_formula(name: str) -> None:
    subject, batch = one_row(name)
    with ScorePaths(subject, batch, (QUERY, KEY)).record() as paths:
        score = paths.of_link(head_of(subject), QUERY, KEY)
    hooked = Hooked(subject.model, batch.inputs)
    queries, keys = queries_and_keys(hooked, name, LAYER)
    for writers, expected in ((score.queries, queries), (score.keys, keys)):
        assert {str(writer) for writer in writers} == set(expected)
    size = scaling(hooked, name, LAYER)
    for row, query in enumerate(score.queries):
        for column, key in enumerate(score.keys):
            product = float(queries[str(query)][0, QUERY, HEAD] @ keys[str(key)][0, KEY, HEAD]) * size
            assert float(score.parts[row, column]) == pytest.approx(product, abs=1e-5)
    whole = sum(queries.values())[0, QUERY, HEAD] @ sum(keys.values())[0, KEY, HEAD] * size  # type: ignore[index]
    assert score.score == pytest.approx(float(whole), abs=1e-4)
    assert float(score.parts.sum()) == pytest.approx(float(whole), abs=1e-4)
    assert abs(float(whole)) > 1e-3


@pytest.mark.parametrize("name", [*KINDS, *OTHERS])
def test_parts_add_up_to_the_score_that_the_model_computes(name: str) -> None:
    subject, batch = one_row(name)
    calls = {}
    with attlas.Tap(subject, listener=lambda call: calls.update({(call.kind, call.layer): call})) as tap:
        tap.run(batch)
    for head in (subject.heads[0], head_of(subject)):
        with ScorePaths(subject, batch, (QUERY, KEY)).record() as paths:
            score = paths.of_link(head, QUERY, KEY)
        call = calls[head.kind, head.layer]
        product = call.query[0, head.head, QUERY] @ call.per_head(call.key)[0, head.head, KEY]
        assert float(score.parts.sum()) == pytest.approx(float(product) * call.scaling, abs=1e-4)
        if head.layer == 0 and head.kind in ("encoder", "decoder"):
            assert not any(isinstance(writer, Head) for writer in score.keys)


@pytest.mark.parametrize("name", KINDS)
def test_links_are_taken_apart_as_by_the_formula(name: str) -> None:
    """Several links at once, two of them from one query: each writer's score and lift at either end."""
    subject, batch = one_row(name)
    heads = [head for head in subject.heads if head.layer == LAYER]
    wanted = {head: [Link(QUERY, KEY), Link(QUERY, 2), Link(4, head.head)] for head in heads}
    with ScorePaths(subject, batch).record() as paths:
        apart = list(TextLinks(paths, batch).take_apart(wanted))
    hooked = Hooked(subject.model, batch.inputs)
    by_query, by_key = queries_and_keys(hooked, name, LAYER)
    size = scaling(hooked, name, LAYER)
    whole_q, whole_k = (sum(parts.values()) for parts in (by_query, by_key))
    assert [(parts.head, parts.link) for parts in apart] == [(h, at) for h in heads for at in wanted[h]]
    for parts in apart:
        head, (query, key) = parts.head.head, parts.link
        in_sight = range(1, whole_k.shape[1] if name == "bert" else query + 1)  # type: ignore[union-attr]
        others = [place for place in in_sight if place != key]  # the first token is where attention rests
        for end, writers in (("query", by_query), ("key", by_key)):
            written = {part.writer: part for part in parts.parts if part.end == end}
            assert {str(writer) for writer in written} == set(writers)
            for writer, part in written.items():
                vector = writers[str(writer)]
                q, k = (vector, whole_k) if end == "query" else (whole_q, vector)
                scores = k[0, :, head] @ q[0, query, head] * size  # type: ignore[index]
                assert part.score == pytest.approx(float(scores[key]), abs=1e-5)
                assert part.lift == pytest.approx(float(scores[key] - scores[others].mean()), abs=1e-5)


@pytest.mark.parametrize("name", ["qwen3", "opt", "deepseek_v3", "t5", "bart"])
def test_scores_and_distances_of_links_explain_their_weights(name: str) -> None:
    """Two weights of a row are as their scores, to which T5 adds what it has learnt of the distance."""
    subject, batch = one_row(name)
    for parameter_name, parameter in subject.model.named_parameters():
        if "relative_attention_bias" in parameter_name:
            torch.nn.init.normal_(parameter, generator=torch.Generator().manual_seed(0))
    for head in (subject.heads[0], subject.heads[-1]):
        with ScorePaths(subject, batch).record() as paths:
            near, far = TextLinks(paths, batch).take_apart({head: [Link(6, 5), Link(6, 4)]})
        expected = np.log(near.weight / far.weight)
        scores = near.score + near.distance - far.score - far.distance
        assert scores == pytest.approx(expected, abs=1e-4)
        assert (near.distance != far.distance) == (name == "t5" and head.kind == "encoder")
        for parts in (near, far):
            for end in ("query", "key"):
                lifts = sum(part.lift for part in parts.parts if part.end == end)
                assert lifts + parts.distance_lift == pytest.approx(parts.lift, abs=1e-4)


@pytest.mark.parametrize("name", KINDS)
def test_lifts_are_those_of_the_formula(name: str) -> None:
    """By attention that does not rest on the first token, over the mean of the other tokens in sight."""
    subject, batch = made(name)
    heads = tuple(h for h in subject.heads if h.layer == LAYER)
    layout = FeedLayout.of(subject, heads)
    seen = next(FeedSweep(layout).observations(subject, iter([batch])))
    assert seen.outcomes is not None
    lifts_of_items = seen.outcomes.T.view(len(batch.ids), *layout.shape)  # item receiver side writer column
    for row in range(len(batch.ids)):
        inputs = {n: t[row : row + 1] for n, t in batch.inputs.items()}
        hooked = Hooked(subject.model, inputs)
        expected = expected_lifts(hooked, name)
        for side, of_side in enumerate(expected):
            for place, writer in enumerate(layout.writers):
                lifts = of_side.get(str(writer), torch.zeros(4))
                torch.testing.assert_close(
                    lifts_of_items[row, :, side, place, 0], lifts.double(), rtol=1e-4, atol=1e-4
                )
            for head in range(4):  # beyond the others of the sender's layer, and of the receiver's
                at = layout.writers.index(subject.heads[0])
                all_heads = lifts_of_items[row, :, side, at : at + 4, 0]
                others = [i for i in range(4) if i != head]
                beyond = all_heads[:, head] - all_heads[:, others].mean(1)
                torch.testing.assert_close(lifts_of_items[row, :, side, at + head, 1], beyond)
                elsewhere = all_heads[head] - all_heads[others].mean(0)
                torch.testing.assert_close(lifts_of_items[row, head, side, at : at + 4, 2], elsewhere)


def expected_lifts(hooked: Hooked, name: str) -> tuple[Parts, Parts]:
    queries, keys = queries_and_keys(hooked, name, LAYER)
    whole_q, whole_k = (torch.stack(list(p.values())).sum(0)[0].transpose(0, 1) for p in (queries, keys))
    size = scaling(hooked, name, LAYER)
    tokens = whole_q.shape[1]
    sight = torch.ones(tokens, tokens, dtype=torch.bool)
    sight = sight if name == "bert" else sight.tril()
    weights = (whole_q @ whole_k.mT * size).masked_fill(~sight, -torch.inf).softmax(-1)
    others = sight.clone()
    others[:, 0] = False

    def lift(scores: Tensor) -> Tensor:
        """head, from head query key"""
        total, moving = torch.zeros(len(scores), dtype=torch.float64), torch.zeros(len(scores))
        for query in range(tokens):
            there = others[query].nonzero()[:, 0].tolist()
            for key in there:
                above = scores[:, query, key] - scores[:, query, there].mean(-1)
                total = total + weights[:, query, key] * above
                moving = moving + weights[:, query, key]
        return total / moving

    by_query = {w: lift(p[0].transpose(0, 1) @ whole_k.mT * size) for w, p in queries.items()}
    by_key = {w: lift(whole_q @ p[0].transpose(0, 1).mT * size) for w, p in keys.items()}
    return by_query, by_key


def test_what_rests_and_what_is_padded_lifts_nothing(mini: Subject) -> None:
    batch = mini.encode("The old town lies on the river.")
    with ScorePaths(mini, batch).record() as paths:
        by_query, by_key = lift_slopes(paths.calls["encoder", 3], batch)
    assert by_key[0, :, 0].abs().max() == 0  # [CLS]
    assert by_key[0, :, -1].abs().max() == 0  # [SEP]
    assert by_query.abs().max() > 0


@pytest.mark.slow
def test_heads_that_look_at_the_previous_token_feed_the_keys_of_induction_heads(trained: Subject) -> None:
    result = attlas.why(trained, text="repeated", segments=24, length=24, progress=False)
    assert isinstance(result, WhyResult)
    feeds = sure_feeds(result.of("key"))
    assert {(row["from_layer"], row["from_head"]) for row in feeds.to_dict("records")} <= {(0, 1), (0, 2)}
    keys, queries = (
        result.looks[result.looks["end"] == end].set_index(["layer", "head"]) for end in ("key", "query")
    )
    for head in range(4):
        rows = result.of("key")
        rows = rows[(rows["layer"] == 1) & (rows["head"] == head)]
        strongest = rows.iloc[int(np.argmax(rows["share"]))]
        assert strongest["from_head"] in (1, 2)
        assert strongest["share"] > 0.4
        # keys are of what came before, queries of the token itself
        assert keys.loc[(1, head), "heads"] > 0.6 * keys.loc[(1, head), "lift"]
        assert queries.loc[(1, head), "embeddings"] > 0.6 * queries.loc[(1, head), "lift"]
    link = attlas.why(trained, heads=["1.0"], sentence="t5 t9 t3 t7 t20 t11 t9", progress=False)
    assert isinstance(link, LinkReasons)
    assert (link.query, link.key) == (6, 2)
    assert "'t3' (2)" in link.sentence
    assert "0.2, which looks from there at 't9' (1)" in link.sentence


def test_a_view_names_the_head_before_an_induction_head_by_what_it_does(trained: Subject) -> None:
    """It wrote what came before into the key, and rules on this text alone know what it does."""
    made = view_model(trained, "t5 t9 t3 t7 t20 t11 t9", why=True)
    section, data = made.scene["reasons"]["links"], zlib.decompress(made.packed.data)
    known = json.loads(data[section["at"] : section["at"] + section["shape"][0]])
    (reason,) = (r for r in known if (r["head"], r["query"], r["key"]) == (["decoder", 1, 0], 6, 2))
    wrote = reason["wrote_key"][0]
    assert (wrote["head"], wrote["looks_at"]) == (["decoder", 0, 2], 1)
    assert wrote["called"] == "previous token"
    assert "because 0.2 (previous token), which looks from there at 't9' (1), wrote" in reason["sentence"]


def test_a_link_is_said_in_a_sentence_and_its_parts_add_up(mini: Subject) -> None:
    reasons = attlas.why(mini, heads=["7.9"], sentence="The old town lies on the river.", link=(4, 3))
    assert isinstance(reasons, LinkReasons)
    assert reasons.sentence.startswith("7.9 looks from 'lies' (4) at 'town' (3) with a weight of ")
    for end in ("query", "key"):
        rows = reasons.table[reasons.table["end"] == end]
        assert rows["score"].sum() == pytest.approx(reasons.score, abs=1e-4)
        assert rows["lift"].sum() == pytest.approx(reasons.lift, abs=1e-4)
    data = reasons.as_data()
    assert data["sentence"] == reasons.sentence
    assert len(data["parts"]) == len(reasons.table)
    console = Console(width=120, file=io.StringIO(), record=True)
    reasons.show(console)
    printed = console.export_text()
    assert "Who wrote the key 'town' (3)" in printed
    assert reasons.sentence in printed.replace("\n", " ") or reasons.sentence[:60] in printed
    assert "<p>7.9 looks from" in reasons._repr_html_()


def test_the_link_of_a_head_is_its_strongest_that_does_not_rest(mini: Subject) -> None:
    head = Head("encoder", 3, 4)
    reasons = reasons_for(mini, "The old town lies on the river.", head)
    batch = mini.encode("The old town lies on the river.")
    weights = capture(mini, batch)[3].weights[4][:, 1:-1]
    assert reasons.weight == pytest.approx(float(weights.max()))
    assert 0 < reasons.key < len(reasons.tokens) - 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"sentence": "A town.", "heads": []}, "is asked of one head"),
        ({"sentence": "A town.", "heads": ["3.4"], "link": (9, 1)}, "there is no query 9 here"),
        ({"link": (1, 2)}, "give it with sentence"),
        ({"heads": ["99.0"]}, "there is no head 99.0"),
    ],
)
def test_what_cannot_be_answered_is_said_in_a_line(
    mini: Subject, options: dict[str, object], says: str
) -> None:
    with pytest.raises(AttlasError, match=says):
        attlas.why(mini, **options)


def test_a_model_outside_the_interface_is_refused() -> None:
    subject = Subject(ZOO["gptj"].build(), None, "gptj")
    batch = subject.annotate(inputs_for(ZOO["gptj"], "left"))
    with pytest.raises(AttlasError, match="gptj does not use transformers' attention interface"):
        ScorePaths(subject, batch)
