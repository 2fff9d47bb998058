"""How far patching is to be trusted: redraws, shuffled labels, texts of the same answer, circuits, and the
file that a benchmark reads. References are plain loops, and plain hooks in float64."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd
import pytest
import torch
import transformers
from scipy.stats import ttest_1samp
from test_patch import CLOSE, HEADS, LAYERS, asked, numbers, tiny, written

import attlas
from attlas.address import Head
from attlas.corpora.source import ItemId
from attlas.errors import AttlasError
from attlas.studies.patching.circuits import (
    RANDOM,
    SIZES,
    CircuitPlan,
    CircuitSweep,
    circuit_sentence,
    circuit_tables,
    counts_of,
)
from attlas.studies.patching.head_runs import STEPS, direct_contributions
from attlas.studies.patching.node_scores import graph_json
from attlas.studies.patching.pair_tasks import MAKERS, pairs_for
from attlas.studies.patching.pair_texts import Pair, PairFitter, pair_batch
from attlas.studies.patching.patch_study import halve
from attlas.studies.patching.stability import (
    REDRAWS,
    again_by_head,
    find_tested,
    first_of,
    redraw,
    shuffle_labels,
    stability_sentence,
    stability_table,
)
from attlas.subject import Subject
from hooked import NAMES, Hooked
from hooked_patches import Hooks

assert tiny  # a fixture

EVERY = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]


# ---- other ways to score heads


@pytest.mark.parametrize("kind", ["llama", "gpt2", "bert"])
def test_integrated_gradients_are_those_of_plain_hooks(
    kind: str, tiny: Callable[[str], Subject], tmp_path: Path
) -> None:
    subject = tiny(kind)
    path = written(tmp_path, masked=kind == "bert")
    table = attlas.patch(subject, path, progress=False).table
    hooks = Hooks(subject.model, kind, LAYERS, HEADS)
    expected: dict[tuple[str, str, tuple[int, int]], list[float]] = {}
    for clean, corrupt in asked(subject, path):
        for into, here, there in (("clean", clean, corrupt), ("corrupt", corrupt, clean)):
            gradients = hooks.gradients_between(here, there, STEPS)
            _, outputs = hooks.run(here, {})
            _, others = hooks.run(there, {})
            for what, patches in (("output", others), ("weights", hooks.weights_over_values(there, here))):
                for at in EVERY:
                    slope = float((gradients[at] * (patches[at] - outputs[at])).sum())
                    expected.setdefault((what, into, at), []).append(slope)
    assert len(table) == len(expected)
    for row in table.to_dict("records"):
        of_pairs = expected[row["what"], row["into"], (row["layer"], row["head"])]
        assert (row["integrated"], row["integrated_stderr"]) == pytest.approx(numbers(of_pairs), abs=CLOSE)


def test_direct_contributions_go_straight_to_the_two_answers(
    tiny: Callable[[str], Subject], tmp_path: Path
) -> None:
    subject, path = tiny("llama"), written(tmp_path)
    source = pairs_for(subject, path)
    measured = direct_contributions(subject, pair_batch(subject, source.items[1:2]), None)[:, 0]
    clean, _ = list(asked(subject, path))[1]
    hooked = Hooked(subject.model, {"input_ids": torch.tensor([list(clean.ids)])})
    unembedding = subject.model.lm_head.weight.detach().double()
    wanted = unembedding[clean.answer] - unembedding[clean.wrong]
    names = NAMES["llama"]
    by_hand = []
    for layer in range(LAYERS):
        vectors, _ = hooked.written(names, layer)
        by_hand += (hooked.frozen(names.final, vectors)[0, clean.place] @ wanted).tolist()
    np.testing.assert_allclose(measured, by_hand, atol=1e-4)
    assert np.abs(by_hand).max() > 0.01


# ---- redraws, and labels that say nothing


def planted(heads: int = 40, pairs: int = 30) -> np.ndarray:
    """head pair: ten heads that matter in every pair, and thirty that do not."""
    rng = np.random.default_rng(5)
    effects = 0.05 * rng.normal(size=(heads, pairs))
    effects[:10] += np.linspace(1, 2, 10)[:, None]
    return effects


def ids_of(pairs: int) -> list[ItemId]:
    """Each pair is a document of its own."""
    return [ItemId(number, 0) for number in range(pairs)]


def test_a_redraw_takes_all_pairs_of_a_document_or_none() -> None:
    """A document that is drawn twice counts as two, and two pairs of one subject never as two subjects."""
    ids = [ItemId(document, place) for document in range(6) for place in range(document + 1)]
    for drawn in redraw(ids, 0):
        copies: dict[int, list[ItemId]] = {}
        for at, id in zip(drawn.places, drawn.ids, strict=True):
            copies.setdefault(id.document, []).append(ids[at])
        assert len(copies) == 6
        for several in copies.values():
            document = several[0].document
            assert several == [ItemId(document, place) for place in range(document + 1)]
    effects = np.array([[0.5, 0.5, 0.5, 0.5, 0.4, 0.6]])
    alike = [ItemId(document, place) for document in range(2) for place in range(3)]
    assert find_tested(effects, ids_of(6)) == {0}
    assert find_tested(effects, alike) == {0}
    assert find_tested(effects / 6, ids_of(6)) == set(), "sure, and too small to matter"
    assert find_tested(np.array([[0.9, 0.9, 0.9, 0.1, 0.1, 0.1]]), ids_of(6)) == {0}
    assert find_tested(np.array([[0.9, 0.9, 0.9, 0.1, 0.1, 0.1]]), alike) == set(), "two subjects are few"


def test_circuits_are_tested_on_other_documents_than_those_that_chose_their_heads() -> None:
    ids = [ItemId(document, place) for document in (3, 0, 2, 1) for place in range(2)]
    chosen, tested = halve(ids)
    assert sorted([*chosen, *tested]) == list(range(8))
    assert {ids[at].document for at in chosen} == {0, 2}
    assert {ids[at].document for at in tested} == {1, 3}
    assert halve([ItemId(4, 0), ItemId(4, 1), ItemId(7, 0)]) == ([0, 1], [2]), "one document each"
    alone = [ItemId(0, place) for place in range(5)]
    assert halve(alone) == ([0, 2, 4], [1, 3])


def test_stability_is_what_plain_loops_count() -> None:
    rng = np.random.default_rng(1)
    effects = rng.normal(size=(24, 12)) + np.linspace(0, 1.5, 24)[:, None]
    row = stability_table({"patching": effects}, ids_of(12), 3).iloc[0]

    def first(values: np.ndarray) -> set[int]:
        means = [abs(float(np.mean(values[head]))) for head in range(24)]
        return set(sorted(range(24), key=lambda head: -means[head])[:10])

    def tested(values: np.ndarray) -> set[int]:
        p = [float(ttest_1samp(values[head], 0).pvalue) for head in range(24)]
        heads = set()
        for rank, head in enumerate(sorted(range(24), key=lambda head: p[head])):
            if p[head] * (24 - rank) >= 0.05:
                break
            heads.add(head)
        return {head for head in heads if abs(np.mean(values[head])) >= 0.1}

    def large(values: np.ndarray) -> set[int]:
        means = [abs(float(np.mean(values[head]))) for head in range(24)]
        return {head for head in range(24) if means[head] >= max(means) / 10}

    draws = [effects[:, drawn.places] for drawn in redraw(ids_of(12), 3)]
    shuffled = [effects * signs for signs in shuffle_labels(12, 3)]
    assert len(draws) == len(shuffled) == REDRAWS
    again = [len(first(effects) & first(values)) / 10 for values in draws]
    overlaps = [len(first(a) & first(b)) / len(first(a) | first(b)) for a, b in combinations(draws, 2)]
    assert row["again"] == pytest.approx(np.mean(again))
    assert row["overlap"] == pytest.approx(np.mean(overlaps))
    assert row["by_chance"] == pytest.approx(10 / 24)
    assert row["always"] == len(set.intersection(*map(first, draws)))
    assert (row["large"], row["tested"]) == (len(large(effects)), len(tested(effects)))
    assert row["large_shuffled"] == pytest.approx(np.mean([len(large(values)) for values in shuffled]))
    assert row["tested_shuffled"] == pytest.approx(np.mean([len(tested(values)) for values in shuffled]))
    first_found = tested(effects)
    tested_again = [len(first_found & tested(values)) / len(first_found) for values in draws]
    assert row["tested_again"] == pytest.approx(np.mean(tested_again))
    counts = np.zeros(24)
    for values in draws:
        counts[list(first(values))] += 1
    np.testing.assert_allclose(again_by_head(effects, ids_of(12), 3), counts / REDRAWS)


def test_heads_that_matter_return_and_those_of_noise_do_not() -> None:
    known, noise = planted(), 0.05 * np.random.default_rng(6).normal(size=(40, 30))
    table = stability_table({"known": known, "noise": noise}, ids_of(30), 0).set_index("way")
    assert table.loc["known", "again"] == 1
    assert table.loc["noise", "again"] < 0.75
    assert table.loc["known", "tested"] == 10
    assert table.loc["noise", "tested"] == 0
    assert math.isnan(table.loc["noise", "tested_again"])
    assert table.loc["known", "tested_shuffled"] < 2, "a test does not take what says nothing"
    assert table.loc["noise", "large"] > 20, "a threshold does"
    assert table.loc["known", "large_shuffled"] > 9
    said = stability_sentence(table.reset_index())
    assert "a head of the first 10 is among them again: known 100%, noise " in said
    tested, large = table.loc["known", "tested_shuffled"], table.loc["known", "large_shuffled"]
    assert f"the test finds {tested:.1f} heads instead of 10 by patching" in said
    assert said.endswith(f"a tenth of the largest effect as a threshold {large:.1f} instead of 10")


def test_redraws_and_shuffles_depend_on_the_seed_alone() -> None:
    assert redraw(ids_of(9), 4) == redraw(ids_of(9), 4) != redraw(ids_of(9), 5)
    assert {sign for signs in shuffle_labels(9, 4) for sign in signs} == {-1.0, 1.0}
    assert [first_of(heads) for heads in (1, 4, 15, 20, 144)] == [1, 2, 7, 10, 10]


# ---- texts of the same answer


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("maker", MAKERS)
def test_controls_differ_and_keep_what_decides_the_answer(maker: str, seed: int) -> None:
    for form in MAKERS[maker](Random(seed)):
        assert form.same
        assert form.before not in form.same
        assert form.corrupt not in form.same
        decides = {
            "indirect_objects": lambda text: sorted(w for w in text.replace(",", "").split() if w in NAMED),
            "greater_than": lambda text: [word for word in text.split() if word.isdigit()],
            "agreement": lambda text: is_plural(text.split()[1]),
            "successors": lambda text: text.replace(";", ",").split(","),
        }[maker]
        for text in form.same:
            assert decides(text) == decides(form.before)
        assert decides(form.corrupt) != decides(form.before)


NAMED = {
    *("Mary", "John", "Tom", "James", "Sarah", "Anna", "Paul", "Mark", "David", "Emma", "Jack", "Robert"),
    *("Peter", "Kate", "Alice", "Michael", "George", "Henry", "William", "Charles", "Thomas", "Jane"),
    *("Daniel", "Martin", "Simon", "Laura", "Lisa", "Frank", "Elizabeth", "Richard"),
}


def is_plural(noun: str) -> bool:
    return noun.endswith("s") or noun in ("children", "men", "women")


def test_a_control_is_the_first_that_has_as_many_tokens(mini: Subject) -> None:
    fitter = PairFitter(mini.tokenizer, masked=True)
    pair = Pair("the king [MASK] .", "the queen [MASK] .", "saw", "was")

    def control(*texts: str) -> str:
        item = fitter.fit(Pair(pair.clean, pair.corrupt, "saw", "was", controls=texts), ItemId(0, 0))
        return mini.tokenizer.decode(item.control)

    assert control() == ""
    assert control("the old king [MASK] .", pair.clean, "[MASK] the king .") == ""
    assert control("the old king [MASK] .", "the man [MASK] .") == "[CLS] the man [MASK]. [SEP]"


def test_what_controls_move_is_what_plain_hooks_show(tiny: Callable[[str], Subject], tmp_path: Path) -> None:
    subject = tiny("llama")
    pairs = [
        {"clean": "the king saw the", "corrupt": "the queen saw the", "control": "the man saw the"},
        {"clean": "it was the king of the", "corrupt": "it was the queen of the"},
        {"clean": "so was the king", "corrupt": "so was the queen", "control": "so was the man"},
    ]
    path = written(tmp_path, pairs=pairs)
    assert len(pairs_for(subject, path).controls.items) == 2
    result = attlas.patch(subject, path, progress=False)
    table = result.chapter.tables["control"]
    hooks = Hooks(subject.model, "llama", LAYERS, HEADS)
    (first, _), _, (third, _) = asked(subject, path)
    vocabulary = subject.tokenizer.convert_tokens_to_ids
    for row in table.to_dict("records"):
        at, changes = (row["layer"], row["head"]), []
        for text in (first, third):
            ids = [vocabulary("man") if token == vocabulary("king") else token for token in text.ids]
            _, other = hooks.run(type(text)(ids, text.place, text.answer, text.wrong), {})
            changes.append(hooks.run(text, {at: other[at]})[0] - hooks.run(text, {})[0])
        assert (row["effect"], row["stderr"], row["n"]) == (
            pytest.approx(numbers(changes)[0], abs=CLOSE),
            pytest.approx(numbers(changes)[1], abs=CLOSE),
            2,
        )
    assert any("has the same answer (2 pairs)" in note for note in result.notes)


def test_pairs_without_a_control_say_nothing_of_one(tiny: Callable[[str], Subject], tmp_path: Path) -> None:
    result = attlas.patch(tiny("llama"), written(tmp_path), progress=False)
    assert "control" not in result.chapter.tables
    assert not any("same answer" in note for note in result.notes)


# ---- circuits


def test_a_circuit_is_the_clean_text_with_all_other_heads_of_the_corrupt_one(
    tiny: Callable[[str], Subject], tmp_path: Path
) -> None:
    subject, path = tiny("llama"), written(tmp_path)
    hooks = Hooks(subject.model, "llama", LAYERS, HEADS)
    circuits = (frozenset[Head](), frozenset(subject.heads[2:5]), frozenset(subject.heads[:-1]))
    for item, (clean, corrupt) in zip(pairs_for(subject, path).items, asked(subject, path), strict=True):
        batch = pair_batch(subject, [item])
        (seen,) = CircuitSweep(circuits).observations(subject, iter([batch]))
        assert seen.outcomes is not None
        _, others = hooks.run(corrupt, {})
        expected = [hooks.run(clean, {})[0]]
        for kept in circuits:
            outside = {at: others[at] for at in EVERY if Head("decoder", *at) not in kept}
            expected.append(hooks.run(clean, outside)[0])
        np.testing.assert_allclose(seen.outcomes[:, 0], expected, atol=CLOSE)


def test_areas_are_those_of_the_trapezoidal_rule() -> None:
    heads = tuple(Head("decoder", layer, head) for layer in range(10) for head in range(10))
    rng = np.random.default_rng(2)
    scores = np.concatenate([rng.normal(size=(99, 4)), np.full((1, 4), -9.0)])  # the last speaks against it
    plan = CircuitPlan.of(heads, {"patching": scores}, 0)
    ids = [ItemId(number, 0) for number in range(8)]
    spread = 1 + 0.01 * rng.normal(size=8)
    worth = {head: 0.05 if number < 99 else -1.0 for number, head in enumerate(heads)}
    kept = [frozenset(heads), *plan.circuits]
    outcomes = np.stack([(1 + sum(worth[h] for h in sorted(some))) * spread for some in kept])
    points, areas = circuit_tables(plan, outcomes, ids, 0)
    assert counts_of(100) == [0, 0, 0, 1, 2, 5, 10, 20, 50, 100]
    whole, nothing = 1 + 99 * 0.05 - 1, 1.0
    means = scores.mean(-1).tolist()
    for column, order in (
        ("cpr", sorted(range(100), key=lambda h: -means[h])),
        ("cmd", sorted(range(100), key=lambda h: -abs(means[h]))),
    ):
        faithful = []
        for size in SIZES:
            inside = [heads[h] for h in order[: int(size * 100)]]
            faithful.append((1 + sum(worth[h] for h in inside) - nothing) / (whole - nothing))
        heights = faithful if column == "cpr" else [abs(1 - value) for value in faithful]
        area = sum(
            (SIZES[i + 1] - SIZES[i]) * (heights[i] + heights[i + 1]) / 2 for i in range(len(SIZES) - 1)
        )
        row = areas.set_index("way").loc["patching"]
        assert row[column] == pytest.approx(area)
        assert row[f"{column}_low"] <= area + 1e-9
        assert row[f"{column}_high"] >= area - 1e-9
    assert set(areas["way"]) == {"patching", RANDOM}
    last = points[points["size"] == 1.0]
    assert last["faithfulness"].tolist() == pytest.approx([1.0] * 4)
    assert circuit_sentence(areas).startswith("circuits of the heads chosen on half of the pairs")


def test_circuits_of_a_model_whose_heads_do_nothing_are_not_evaluated() -> None:
    heads = tuple(Head("decoder", 0, head) for head in range(4))
    plan = CircuitPlan.of(heads, {"patching": np.ones((4, 3))}, 0)
    ids = [ItemId(number, 0) for number in range(6)]
    outcomes = np.random.default_rng(0).normal(size=(1 + len(plan.circuits), 6))
    points, areas = circuit_tables(plan, outcomes, ids, 0)
    assert points.empty
    assert areas.empty
    assert "no circuit of them is evaluated" in circuit_sentence(areas)


def test_few_pairs_choose_no_circuit(tiny: Callable[[str], Subject], tmp_path: Path) -> None:
    result = attlas.patch(tiny("llama"), written(tmp_path), progress=False)
    assert result.faithfulness is None
    assert len(result.stability) == 4


# ---- the file that the benchmark reads


def test_scores_are_a_graph_of_the_benchmark(subject_of: Callable[[str], Subject], tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    result = attlas.patch(subject_of("llama"), "agreement", count=4, scores=path, progress=False)
    graph = json.loads(path.read_text())
    subject = subject_of("llama")
    config = subject.model.config
    layers, heads = config.num_hidden_layers, config.num_attention_heads
    assert graph["cfg"] == {
        **{"n_layers": layers, "n_heads": heads, "d_model": config.hidden_size, "parallel_attn_mlp": False}
    }
    expected = ["input"]
    for layer in range(layers):
        expected += [*(f"a{layer}.h{head}" for head in range(heads)), f"m{layer}"]
    assert list(graph["nodes"]) == [*expected, "logits"]
    assert graph["edges"] == {}
    for row in result.effects().to_dict("records"):
        node = graph["nodes"][f"a{row['layer']}.h{row['head']}"]
        assert node == {"in_graph": True, "score": pytest.approx(-row["effect"])}
    scored = [name for name, node in graph["nodes"].items() if "score" in node]
    assert len(scored) == layers * heads
    assert result.written[-1] == f"scores of heads are in {path}"


def test_a_graph_knows_blocks_that_run_side_by_side(
    subject_of: Callable[[str], Subject], mini: Subject
) -> None:
    nothing = pd.DataFrame(columns=["layer", "head", "what", "into", "effect"])
    for parallel in (True, False):
        config = transformers.GPTNeoXConfig(
            vocab_size=len(mini.tokenizer),
            use_parallel_residual=parallel,
            **{"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16},
        )
        subject = Subject(transformers.GPTNeoXForCausalLM(config).eval(), mini.tokenizer, "neox")
        assert json.loads(graph_json(subject, nothing))["cfg"]["parallel_attn_mlp"] is parallel
    with pytest.raises(AttlasError, match="t5 is no graph of the benchmark"):
        graph_json(subject_of("t5"), nothing)
