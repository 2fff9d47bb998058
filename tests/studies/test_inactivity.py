"""Scores of inactivity are those of plain formulas, and what they predict of removed heads is counted by
hand."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

import attlas
from attlas.address import Head
from attlas.corpora.batches import collate
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId
from attlas.studies.writing.inactivity import (
    BY_WRITING,
    RANDOM,
    RANDOM_SETS,
    SCORES,
    InactivityScores,
    RemovalPlan,
    removal_sentence,
    removal_tables,
)
from attlas.subject import Subject
from attlas.tap import Tap

LAYERS, HEADS = 2, 4


def by_formula(subject: Subject, segment: Segment) -> dict[tuple[int, int], dict[str, float]]:
    """The scores on one text, from the weights that the model returns and from what makes its values."""
    model = copy.deepcopy(subject.model)
    ids = torch.tensor(segment.ids.astype(np.int64))[None]
    seen: dict[int, torch.Tensor] = {}
    hooks = [
        layer.self_attn.v_proj.register_forward_hook(
            lambda _, __, output, number=number: seen.update({number: output[0].double()})
        )
        for number, layer in enumerate(model.model.layers)
    ]
    implementation = model.config._attn_implementation
    model.set_attn_implementation("eager")
    with torch.no_grad():
        attentions = model(input_ids=ids, output_attentions=True).attentions
    model.set_attn_implementation(implementation)
    for hook in hooks:
        hook.remove()
    scores = {}
    for layer in range(LAYERS):
        of_layer = seen[layer].unflatten(-1, (2, -1))  # token group dim: two heads share one value
        for head in range(HEADS):
            weights, values = attentions[layer][0, head].double(), of_layer[:, head // 2]
            outputs = [
                sum(float(weight) * value for weight, value in zip(row, values, strict=True))
                for row in weights
            ]
            lengths = [float(torch.as_tensor(output).norm()) for output in outputs]
            entropies = [-sum(float(w) * math.log(float(w)) for w in row if float(w) > 0) for row in weights]
            scores[layer, head] = {
                "first_weight": float(np.mean([float(row[0]) for row in weights])),
                "entropy": float(np.mean(entropies)),
                "first_value": float(values[0].norm()),
                "value": float(np.mean([float(value.norm()) for value in values])),
                "last_output": lengths[-1],
                "output": float(np.mean(lengths)),
            }
        mean = np.mean([scores[layer, head]["output"] for head in range(HEADS)])
        for head in range(HEADS):
            scores[layer, head]["output_beside"] = scores[layer, head]["output"] / mean
    return scores


@pytest.mark.parametrize("padding", ["left", "right"])
def test_scores_are_those_of_the_formula_whatever_the_padding(
    padding: str,
    subject_of: Callable[[str], Subject],
    segments_of: Callable[..., list[Segment]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    subject = subject_of("llama")
    monkeypatch.setattr(subject.tokenizer, "padding_side", padding)
    segments = segments_of(subject, 5)
    reducer = InactivityScores()
    with Tap(subject, [reducer]) as tap:
        tap.run(collate(subject, segments))
    several = [by_formula(subject, segment) for segment in segments]
    for head, known in reducer.scores().items():
        for name, value in known.items():
            expected = np.mean([scores[head.layer, head.head][name] for scores in several])
            assert value == pytest.approx(expected, rel=1e-4), (head, name)
    assert set(reducer.scores()) == set(subject.heads)


def made_scores(heads: int = 20) -> dict[Head, dict[str, float]]:
    rng = np.random.default_rng(3)
    several = [Head("decoder", number // 5, number % 5) for number in range(heads)]
    return {head: {name: float(rng.uniform(0.1, 1)) for name in SCORES} for head in several}


def test_the_least_active_heads_of_every_score_are_removed_together() -> None:
    scores = made_scores()
    plan = RemovalPlan.of(scores, 0)
    assert plan.together == 2
    by_name: dict[str, list[set[Head]]] = {}
    for name, heads in plan.sets:
        by_name.setdefault(name, []).append(set(heads))
    for name, (_, large) in SCORES.items():
        order = sorted(scores, key=lambda head: scores[head][name] * (-1 if large else 1))
        assert by_name[name] == [set(order[:2])]
    assert len(by_name[RANDOM]) == RANDOM_SETS
    assert all(len(heads) == 2 for heads in by_name[RANDOM])
    assert len(plan.edits()) == 20 + len(SCORES) + RANDOM_SETS
    assert [edit.heads for edit in plan.edits()[:20]] == [(head,) for head in scores]


def test_correlations_are_of_ranks_and_costs_are_means_over_texts() -> None:
    scores = made_scores()
    plan = RemovalPlan.of(scores, 0)
    rng = np.random.default_rng(4)
    ids = [ItemId(number, 0) for number in range(12)]
    plain = rng.normal(3, 0.1, 12)
    costs = np.array([scores[head]["output"] for head in plan.heads])  # who gives more costs more
    alone = plain + costs[:, None] + rng.normal(0, 0.01, (20, 12))
    together = plain + rng.normal(0.5, 0.1, (len(plan.sets), 12))
    heads, inactive = removal_tables(plan, scores, np.vstack([plain[None], alone, together]), ids)
    np.testing.assert_allclose(heads["removed"], (alone - plain).mean(1))
    np.testing.assert_allclose(heads["stderr"], (alone - plain).std(1, ddof=1) / math.sqrt(12))
    rows = inactive.set_index("score")
    for name, (words, large) in SCORES.items():
        measured = [scores[head][name] * (1 if large else -1) for head in plan.heads]
        expected = spearmanr(measured, -(alone - plain).mean(1)).statistic
        assert rows.loc[name, "correlation"] == pytest.approx(expected)
        assert rows.loc[name, "low"] <= expected + 1e-9
        assert rows.loc[name, "high"] >= expected - 1e-9
        assert rows.loc[name, "measures"] == words
        place = [other for other, _ in plan.sets].index(name)
        assert rows.loc[name, "change"] == pytest.approx((together[place] - plain).mean())
    assert rows["correlation"].idxmax() == "output"
    assert rows.loc["output", "correlation"] > 0.95
    assert math.isnan(rows.loc[RANDOM, "correlation"])
    assert rows.loc[RANDOM, "change"] == pytest.approx((together[-RANDOM_SETS:] - plain).mean())
    said = removal_sentence(inactive)
    assert said.startswith("how little removing a head costs goes most with mean length of its output (rank")
    cost = (together[-RANDOM_SETS:] - plain).mean()
    assert said.endswith(f"removing 2 random heads at once changes the loss by {cost:+.3f}")


def removed(result: attlas.studies.writing.writes_result.WritesResult) -> Mapping[str, float]:
    table = result.chapter.tables["inactivity"]
    return {f"{r['layer']}.{r['head']}": r["removed"] for r in table.to_dict("records")}


def test_the_verb_removes_heads_as_disable_does(subject_of: Callable[[str], Subject], tmp_path: Path) -> None:
    subject = subject_of("llama")
    text = {"segments": 4, "length": 16, "progress": False}
    result = attlas.writes(subject, remove=4, **text)
    table = result.chapter.tables["inactivity"]
    assert len(table) == LAYERS * HEADS
    beside = result.resting.set_index(["layer", "head"])["beside_layer"]
    for row in table.to_dict("records"):
        assert row[BY_WRITING] == pytest.approx(beside[row["layer"], row["head"]])
    disabled = attlas.disable(subject, edit="zero", **text).table
    expected = {f"{r['layer']}.{r['head']}": r["change"] for r in disabled.to_dict("records")}
    assert removed(result) == pytest.approx(expected, abs=1e-5)
    assert "inactive" not in attlas.writes(subject, **text).chapter.tables
