"""The reducer contract: every reducer, listed once in `listed.py`, keeps the same promises.

It equals the reference; batch size, padding and order do not matter; merging is associative and commutative;
state survives a file; padding gets nothing.
"""

from __future__ import annotations

import ast
import copy
import pickle
from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

import attlas
import naive
import reference
from attlas.address import Head
from attlas.atlas import REGISTRY
from attlas.corpora.batches import TokenClasses, collate
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId
from attlas.corpora.task_source import TaskItem
from attlas.corpora.windows import Window
from attlas.errors import AttlasError
from attlas.reducers import Means, Reducer, offsets
from attlas.row import Row
from attlas.studies.disabling.disable_study import HeadOutputMeans
from attlas.studies.links.accuracy import LinkAccuracy
from attlas.studies.surface.causal_heads import Reach, Rest
from attlas.studies.surface.examples import ExampleRows, Examples
from attlas.studies.surface.gradient_importance import Gradients
from attlas.studies.surface.head_distances import Distances
from attlas.subject import Subject
from attlas.subject.losses import objective
from attlas.tap import Observation, ObservedCall, Tap
from attlas.tap.lazy_weights import LazyWeights
from compared import Compared
from listed import (
    CLASSES,
    CORPUS,
    DECLARED,
    KERNELS,
    ON_TASK,
    ONE_SEGMENT,
    OWN,
    REDUCERS,
    SUBJECTS,
    assert_same,
    examples_of,
    observe,
    rows_of,
    windows_of,
)

Shown = list[Segment] | list[Window] | list[TaskItem]


@pytest.fixture(scope="session")
def shown_to(segments_of: Callable[..., list[Segment]]) -> Callable[[str, Subject, int], Shown]:
    """What a reducer observes: name, subject, how many -> segments, windows of its corpus, or examples."""

    def make(name: str, subject: Subject, count: int) -> Shown:
        if name in CORPUS:
            return windows_of(CORPUS[name], subject, count)
        if name in ON_TASK:
            return examples_of(subject, count)
        count = 1 if name in ONE_SEGMENT else count
        return segments_of(subject, count, 16)

    return make


@pytest.fixture(scope="session")
def surface_rows(
    subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> Callable[[str, bool, str], list[Row]]:
    """All rows of the surface: subject, faithful, kernel -> rows."""

    @cache
    def observed(subject: str, faithful: bool, kernel: str) -> list[Row]:
        model = subject_of(subject)
        return rows_of(observe(model, REDUCERS["surface"](model, faithful), segments_of(model, 7), 4, kernel))

    return observed


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("faithful", [False, True], ids=["corrected", "faithful"])
@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("statistic", DECLARED)
def test_every_statistic_that_is_declared_equals_the_reference(
    statistic: str,
    subject: str,
    faithful: bool,
    kernel: str,
    subject_of: Callable[[str], Subject],
    segments_of: Callable[..., list[Segment]],
    surface_rows: Callable[[str, bool, str], list[Row]],
) -> None:
    model = subject_of(subject)
    values = {
        key: by_segment
        for key, by_segment in reference.values(model, tuple(segments_of(model, 7)), faithful).items()
        if key[3] == statistic
    }
    having = "llama" if statistic.startswith("rest_") else "mini"  # causal heads alone have a rest
    assert values or subject != having, f"give the formula of {statistic} in tests/reference.py: statistics()"
    rows = [row for row in surface_rows(subject, faithful, kernel) if row.statistic == statistic]
    assert {row[:5] for row in rows} == values.keys()
    for row in rows:
        mean, stderr = reference.mean_and_stderr(values[row[:5]])
        # in single precision: squares of distances have some hundred tokens²
        tolerance = 1e-4 * (max(1, mean) if REGISTRY[statistic].unit == "tokens²" else 1)
        assert abs(row.value - mean) < tolerance, row
        assert row.n == len(values[row[:5]]), row
        assert abs(row.stderr - stderr) < tolerance, row


@pytest.mark.parametrize("faithful", [False, True], ids=["corrected", "faithful"])
@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.reference("distance_within", "distance_between")
def test_distances_equal_the_reference(
    subject: str,
    faithful: bool,
    compared: Compared,
    subject_of: Callable[[str], Subject],
    segments_of: Callable[..., list[Segment]],
) -> None:
    model = subject_of(subject)
    segments = segments_of(model, 2, 12)
    reducer = observe(model, Distances(model.heads, faithful), segments, 2)
    assert isinstance(reducer, Distances)
    by_kind: dict[str, list[np.ndarray]] = defaultdict(list)
    for segment in segments:
        stacked: dict[str, list[np.ndarray]] = defaultdict(list)
        for kind, _, weights, _, _ in reference.maps(model, segment):
            # 144 heads by plain loops take minutes: every fifth head will do
            stacked[kind].append(weights)
        for kind, maps in stacked.items():
            by_kind[kind].append(reference.jensen_shannon(np.concatenate(maps)[::5], faithful))
    for kind, matrices in by_kind.items():
        expected = sum(matrices) if faithful else sum(matrices) / len(matrices)
        have = reducer.arrays()[f"{kind}.distances"][::5, ::5]
        np.testing.assert_allclose(have, expected, atol=1e-4 * (24 if faithful else 1))
        full = reducer.arrays()[f"{kind}.distances"]
        heads = [h for h in model.heads if h.kind == kind]
        layers = np.array([h.layer for h in heads])
        for row in (r for r in reducer.rows() if r.kind == kind):
            i = heads.index(type(heads[0])(row.kind, row.layer, row.head))
            if row.statistic.startswith("rest"):
                continue
            same = (layers == row.layer) & (np.arange(len(heads)) != i)
            chosen = same if row.statistic == "distance_within" else layers != row.layer
            compared(row.statistic, row.value, full[i][chosen].mean(), 1e-9 * max(1, full.max()))


#: what causal heads alone have -> the reducer, and the reference over a map (head query key) and its keys
OF_CAUSAL_HEADS: dict[
    str, tuple[Callable[[], Reducer], Callable[..., dict[reference.Key, reference.Array]]]
] = {
    "rest": (lambda: Rest(CLASSES), reference.rests),
    "reach": (Reach, lambda weights, keys: reference.reach(weights)),
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("subject", ["llama", "t5"])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            "rest",
            marks=pytest.mark.reference("rest_to_previous", "rest_to_self", "rest_to_class", "rest_entropy"),
        ),
        pytest.param("reach", marks=pytest.mark.reference("to_near", "rest_to_near")),
    ],
)
def test_what_causal_heads_alone_have_equals_the_reference(
    name: str,
    subject: str,
    kernel: str,
    compared: Compared,
    subject_of: Callable[[str], Subject],
    segments_of: Callable[..., list[Segment]],
) -> None:
    model = subject_of(subject)
    make, expected = OF_CAUSAL_HEADS[name]
    segments = segments_of(model, 5)
    rows = rows_of(observe(model, make(), segments, 3, kernel))
    values: dict[tuple[str, int, int, str, str], list[float]] = defaultdict(list)
    for segment in segments:
        for kind, layer, weights, _, keys in reference.maps(model, segment):
            for key, by_head in (expected(weights, keys) if kind == "decoder" else {}).items():
                for head, value in enumerate(by_head):
                    values[(kind, layer, head, *key)].append(value)
    assert {r[:5] for r in rows} == values.keys() != set()
    for row in rows:
        mean, stderr = reference.mean_and_stderr(values[row[:5]])
        assert row.n == len(values[row[:5]]), row
        compared(row.statistic, row.value, mean, 2e-5)
        assert abs(row.stderr - stderr) < 2e-5, row


def test_a_window_is_the_token_and_those_before_it(subject_of: Callable[[str], Subject]) -> None:
    """Weights made by hand: a head that looks four tokens back, or at the first token where there is none;
    one that looks five back; one that parks half and gives half to itself; and one that parks all."""
    batch = subject_of("llama").encode("The cat sat on the mat, and the dog slept on the other one.")
    n = len(batch.inputs["input_ids"][0])
    weights = torch.zeros(1, 4, n, n)
    places = torch.arange(n)
    for head, back in ((0, 4), (1, 5)):
        weights[0, head, places, (places - back).clamp(min=0)] = 1
    weights[0, 2] = 0.5 * torch.eye(n)
    weights[0, 2, :, 0] += 0.5
    weights[0, 3, :, 0] = 1
    reach = Reach()
    call = ObservedCall("decoder", 0, 4, lazy_weights=LazyWeights.over(weights))
    reach.update(Observation(batch, (call,)))
    values = {(r.head, r.statistic, r.group): r.value for r in reach.rows()}
    assert [values[head, "to_near", "4"] for head in range(4)] == pytest.approx([1, 0, 0.5, 0])
    assert [values[head, "rest_to_near", "4"] for head in range(3)] == pytest.approx([1, 0, 1])
    assert values[0, "to_near", "2"] == values[0, "rest_to_near", "2"] == 0
    assert not any(head == 3 and name == "rest_to_near" for head, name, _ in values)


@pytest.mark.parametrize("subject", ["llama", "t5"])
@pytest.mark.reference("rest_distance_within", "rest_distance_between")
def test_distances_apart_from_the_first_token_equal_the_reference(
    subject: str,
    subject_of: Callable[[str], Subject],
    segments_of: Callable[..., list[Segment]],
    compared: Compared,
) -> None:
    model = subject_of(subject)
    segments = segments_of(model, 3, 12)
    all_rows = rows_of(observe(model, Distances(model.heads), segments, 2))
    heads = [h for h in model.heads if h.kind == "decoder"]
    layers = np.array([h.layer for h in heads])
    matrices = []
    for segment in segments:
        maps = [w for kind, _, w, _, _ in reference.maps(model, segment) if kind == "decoder"]
        matrices.append(reference.rest_divergence(np.concatenate(maps)))
    rows = {(r.layer, r.head, r.statistic): r for r in all_rows if r.statistic.startswith("rest")}
    assert len(rows) == 2 * len(heads)
    for i, head in enumerate(heads):
        same = (layers == head.layer) & (np.arange(len(heads)) != i)
        for where, chosen in (("within", same), ("between", layers != head.layer)):
            row = rows[head.layer, head.head, f"rest_distance_{where}"]
            mean, stderr = reference.mean_and_stderr([m[i][chosen].mean() for m in matrices])
            assert row.n == len(segments)
            compared(row.statistic, row.value, mean, 2e-5)
            assert abs(row.stderr - stderr) < 2e-5, row


def test_a_head_that_gives_nearly_everything_to_the_first_token_has_no_rest(
    subject_of: Callable[[str], Subject],
) -> None:
    """Weights made by hand: one head parks all, one half of it, and one looks at itself."""
    batch = subject_of("llama").encode("The cat sat on the mat.")
    n = len(batch.inputs["input_ids"][0])
    weights = torch.zeros(1, 3, n, n)
    weights[0, :, :, 0] = torch.tensor([1 - 1e-5, 0.5, 0.0])[:, None]
    weights[0, 0] += 1e-5 * torch.eye(n)
    weights[0, 1] += 0.5 * torch.eye(n)
    weights[0, 2] += torch.eye(n)
    weights = weights.to(batch.inputs["input_ids"].device)
    call = ObservedCall("decoder", 0, 3, lazy_weights=LazyWeights.over(weights))
    rest, distances = Rest(()), Distances([Head("decoder", 0, h) for h in range(3)])
    for reducer in (rest, distances):
        reducer.update(Observation(batch, (call,)))
    assert {(r.head, r.statistic): r.value for r in rest.rows()} == {
        (head, statistic): pytest.approx(value, abs=1e-6)
        for head in (1, 2)
        for statistic, value in (("rest_to_previous", 0), ("rest_to_self", 1), ("rest_entropy", 0))
    }
    apart = {r.head: r.value for r in distances.rows() if r.statistic == "rest_distance_within"}
    assert apart == {1: pytest.approx(0, abs=1e-6), 2: pytest.approx(0, abs=1e-6)}


@cache  # every kernel is compared with it
def answers_of(
    name: str, model: Subject, count: int
) -> dict[tuple[str, int, int, str, str], list[tuple[int, int]]]:
    """kind, layer, head, direction, group -> links correct and links, of each window that has some"""
    reducer = REDUCERS[name](model, False)
    assert isinstance(reducer, LinkAccuracy)
    counts = defaultdict(list)
    for window in windows_of(CORPUS[name], model, count):
        for key, pair in naive.answers(model, window, reducer.find(window)).items():
            counts[key].append(pair)
    return counts


@cache
def weights_of(name: str, model: Subject) -> dict[tuple[str, int, int, str, str], list[float]]:
    """kind, layer, head, group, column -> the value of each window that has one"""
    values = defaultdict(list)
    for window in windows_of(CORPUS[name], model, 6):
        for key, value in naive.weights(model, window, name).items():
            values[key].append(value)
    return values


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize(
    ("name", "count"),
    [
        pytest.param(
            "dependencies", 6, marks=pytest.mark.reference("dependent_to_head", "head_to_dependent")
        ),
        pytest.param(
            "coreference", 2, marks=pytest.mark.reference("mention_to_antecedent", "antecedent_to_mention")
        ),
        ("coreference, all words", 2),
        pytest.param("pronouns", 2, marks=pytest.mark.reference("pronoun_to_name", "name_to_pronoun")),
    ],
)
def test_accuracy_equals_the_reference(
    name: str,
    count: int,
    subject: str,
    kernel: str,
    subject_of: Callable[[str], Subject],
    compared: Compared,
) -> None:
    model = subject_of(subject)
    windows = windows_of(CORPUS[name], model, count)
    reducer = REDUCERS[name](model, False)
    assert isinstance(reducer, LinkAccuracy)
    rows = rows_of(observe(model, reducer, windows, count, kernel))
    direction = {statistic: name for name, statistic in reducer.statistics.items()}
    by_key = {(*r[:3], direction[r.statistic], r.group): r for r in rows}
    counts = answers_of(name, model, count)
    assert by_key.keys() == counts.keys()
    for key, pairs in counts.items():
        right, all_ = (sum(p[i] for p in pairs) for i in (0, 1))
        compared(by_key[key].statistic, by_key[key].value, right / all_, 1e-9)
        assert by_key[key].n == by_key[key].documents == len(pairs), "each window is a document"
        residuals = [r - right / all_ * n for r, n in pairs]
        if len(pairs) > 1:  # G and its formula are those of docs/evidence.md, with a document's links for n_d
            effective = all_**2 / sum(n**2 for _, n in pairs)
            assert by_key[key].effective == pytest.approx(effective, abs=1e-9)
            stderr = np.sqrt(np.square(residuals).sum() * effective / (effective - 1)) / all_
            assert by_key[key].stderr == pytest.approx(stderr, abs=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize(
    ("name", "statistic"),
    [
        pytest.param(
            "features",
            "feature_weight",
            marks=pytest.mark.reference(
                "feature_weight", "feature_weight_matched", "feature_weight_over_matched"
            ),
        ),
        pytest.param(
            "from [CLS]",
            "cls_weight",
            marks=pytest.mark.reference("cls_weight", "cls_weight_matched", "cls_weight_over_matched"),
        ),
        pytest.param(
            "word links",
            "link_weight",
            marks=pytest.mark.reference("link_weight", "link_weight_matched", "link_weight_over_matched"),
        ),
        pytest.param(
            "frames",
            "frame_weight",
            marks=pytest.mark.reference("frame_weight", "frame_weight_matched", "frame_weight_over_matched"),
        ),
        pytest.param(
            "resting",
            "resting_weight",
            marks=pytest.mark.reference(
                "resting_weight", "resting_weight_matched", "resting_weight_over_matched"
            ),
        ),
    ],
)
def test_weights_equal_the_reference(
    name: str,
    statistic: str,
    subject: str,
    kernel: str,
    subject_of: Callable[[str], Subject],
    compared: Compared,
) -> None:
    model = subject_of(subject)
    windows = windows_of(CORPUS[name], model, 6)
    rows = rows_of(observe(model, REDUCERS[name](model, False), windows, 6, kernel))
    values = weights_of(name, model)
    columns = {f"{statistic}{end}": end.removeprefix("_") for end in ("", "_matched", "_over_matched")}
    assert {(*r[:3], r.group, columns[r.statistic]) for r in rows} == set(values)
    for row in rows:
        by_window = values[row.kind, row.layer, row.head, row.group, columns[row.statistic]]
        assert row.n == len(by_window)
        compared(row.statistic, row.value, np.mean(by_window), 2e-5)


@pytest.mark.reference("gradient")
def test_gradients_equal_autograd_on_the_weights(
    mini: Subject, segments_of: Callable[..., list[Segment]], compared: Compared
) -> None:
    """|dL/dα| with α a node of the graph: the model's own eager attention, one segment at a time."""
    segments = segments_of(mini, 3)
    rows = rows_of(observe(mini, Gradients(CLASSES), segments, 3))
    values: dict[tuple[int, int, str], list[float]] = defaultdict(list)
    model = copy.deepcopy(mini.model)  # transformers leaves its hooks in a model that returned its attention
    model.set_attn_implementation("eager")  # type: ignore[operator]
    for segment in segments:
        batch, losses = objective(mini, collate(mini, [segment], TokenClasses(mini.tokenizer, OWN)))
        output = model(**batch.inputs, output_attentions=True)
        # eager transformers returns the very tensors that enter the product with the values
        gradients = torch.autograd.grad(losses(output).sum(), output.attentions)
        tokens = mini.tokenizer.convert_ids_to_tokens(segment.ids)
        for layer, gradient in enumerate(gradients):
            for name in CLASSES:
                columns = reference.members(name, tokens)
                if columns:
                    by_head = gradient[0][:, :, columns].abs().double().mean((1, 2))
                    for head, value in enumerate(by_head.tolist()):
                        values[layer, head, name].append(value)
    assert {(r.layer, r.head, r.group) for r in rows} == set(values)
    for row in rows:
        mean, stderr = reference.mean_and_stderr(values[row.layer, row.head, row.group])
        compared(row.statistic, row.value, mean, 1e-6 + 1e-3 * mean)
        assert row.n == len(values[row.layer, row.head, row.group])
        assert np.isnan(stderr) == np.isnan(row.stderr)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_examples_are_the_strongest_weights_beyond_what_a_row_offers(
    subject: str, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    """From the rule in words, on float64 maps: v keys to be seen, and none but the first token left out."""
    model = subject_of(subject)
    segments = segments_of(model, 6)
    reducer = observe(model, Examples(keep=3), segments, 4)
    assert isinstance(reducer, Examples)
    strongest: dict[tuple[str, int, int], list[tuple[float, float]]] = defaultdict(list)
    where: dict[tuple[str, int, int, int], np.ndarray] = {}
    for segment in segments:
        for kind, layer, weights, _, _ in reference.maps(model, segment):
            for head, head_weights in enumerate(weights):
                queries, keys = head_weights.shape
                candidates = []
                for i in range(queries):
                    visible = i + 1 if kind == "decoder" else keys
                    if visible >= min(8, keys):
                        first = 1 if kind == "decoder" else 0
                        candidates += [
                            ((w - 1 / visible) / (1 - 1 / visible), w) for w in head_weights[i, first:visible]
                        ]
                strongest[kind, layer, head].append(max(candidates))
                where[kind, layer, head, segment.id.document] = head_weights
    by_head = defaultdict(list)
    for example in reducer.examples():
        by_head[example.head.kind, example.head.layer, example.head.head].append(example)
    assert by_head.keys() == strongest.keys(), "a head has no examples"
    for key, examples in by_head.items():
        wanted = sorted(strongest[key], key=lambda pair: -pair[0])[:3]
        np.testing.assert_allclose([e.weight for e in examples], [w for _, w in wanted], atol=1e-5)
        for e in examples:
            assert abs(where[(*key, e.id.document)][e.query, e.key] - e.weight) < 1e-5
            assert key[0] != "decoder" or e.key > 0


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_row_sample_shows_a_heads_whole_range(
    subject: str, subject_of: Callable[[str], Subject], segments_of: Callable[..., list[Segment]]
) -> None:
    """With room for every row: the middle of each fifth, by the rule in words, on float64 maps."""
    model = subject_of(subject)
    segments = segments_of(model, 4)
    reducer = observe(model, ExampleRows(keep=10_000), segments, 3)
    assert isinstance(reducer, ExampleRows)
    rows: dict[tuple[str, int, int], list[tuple[float, float]]] = defaultdict(list)
    where: dict[tuple[str, int, int, int], np.ndarray] = {}
    for segment in segments:
        for kind, layer, weights, _, _ in reference.maps(model, segment):
            for head, head_weights in enumerate(weights):
                queries, keys = head_weights.shape
                first = 1 if kind == "decoder" else 0
                for i in range(queries):
                    visible = i + 1 if kind == "decoder" else keys
                    if visible >= min(8, keys):
                        w = max(head_weights[i, first:visible])
                        rows[kind, layer, head].append(((w - 1 / visible) / (1 - 1 / visible), w))
                where[kind, layer, head, segment.id.document] = head_weights
    by_head = defaultdict(list)
    for example in reducer.examples():
        by_head[example.head.kind, example.head.layer, example.head.head].append(example)
    assert by_head.keys() == rows.keys()
    for key, examples in by_head.items():
        ranked = sorted(rows[key])
        assert [e.sample for e in examples] == [*(f"step {s}" for s in range(5)), *["random"] * 3]
        wanted = [ranked[(2 * s + 1) * len(ranked) // 10][1] for s in range(5)]
        np.testing.assert_allclose([e.weight for e in examples[:5]], wanted, atol=1e-4)
        for e in examples:
            assert abs(where[(*key, e.id.document)][e.query, e.key] - e.weight) < 1e-5


def test_a_row_sample_draws_the_same_rows_for_every_head_and_another_seed_others(
    mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:
    segments = segments_of(mini, 4)
    drawn = []
    for seed in (0, 0, 1):
        reducer = observe(mini, ExampleRows(keep=5, seed=seed), segments, 2)
        assert isinstance(reducer, ExampleRows)
        asked = {(e.head.layer, e.head.head): [] for e in reducer.examples()}
        for e in reducer.examples():
            if e.sample == "random":
                asked[e.head.layer, e.head.head].append((e.id, e.query))
        assert len({tuple(rows) for rows in asked.values()}) == 1
        drawn.append(asked[0, 0])
    assert drawn[0] == drawn[1] != drawn[2]


def test_examples_keep_ids_exactly(mini: Subject, segments_of: Callable[..., list[Segment]]) -> None:
    """A document's number may be a file's index and a place in it: more than a float64 holds."""
    batch = collate(mini, segments_of(mini, 1))
    far = ItemId((5 << 40 | 3) + (1 << 60), 2**62 + 1)
    reducer = Examples()
    with Tap(mini, [reducer]) as tap:
        tap.run(replace(batch, ids=(far,)))
    assert {e.id for e in reducer.examples()} == {far}


def test_mean_outputs_equal_the_models_own_values(
    mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:
    """In float64: the weights that the model returns, times values computed from its hidden states."""
    segments = segments_of(mini, 3)
    reducer = observe(mini, HeadOutputMeans(), segments, 3)
    assert isinstance(reducer, HeadOutputMeans)
    exact = reference.in_double(mini.model)
    sums, tokens = np.zeros((12, 12, 16)), 0
    for segment in segments:
        ids, types = torch.tensor(np.array([[segment.ids], [segment.types]]), device=mini.device).long()
        with torch.no_grad():
            output = exact(ids, token_type_ids=types, output_attentions=True, output_hidden_states=True)
            for layer, (weights, hidden) in enumerate(
                zip(output.attentions, output.hidden_states[:-1], strict=True)
            ):
                value = exact.bert.encoder.layer[layer].attention.self.value(hidden)  # type: ignore[union-attr]
                per_head = value.unflatten(-1, (12, 16)).transpose(1, 2)
                sums[layer] += (weights @ per_head)[0].sum(1).cpu().numpy()
        tokens += len(segment.ids)
    for head, mean in reducer.means().items():
        np.testing.assert_allclose(mean, sums[head.layer, head.head] / tokens, atol=1e-5)


#: what a model has no tokens for, or cannot give
NOTHING = {
    ("long induction", "bert"),
    ("long induction", "mpnet"),
    *((n, m) for n in ("retrieval", "query focus", "solved") for m in ("bert", "mpnet")),
    ("successor", "bert"),
    ("copy suppression", "bert"),
    ("rest", "bert"),
    ("reach", "bert"),
    ("rest", "mpnet"),
    ("reach", "mpnet"),
    ("from [CLS]", "llama"),
    ("from [CLS]", "mpnet"),
    ("inactivity", "mpnet"),  # the values of a model outside the interface are not known
}
REFUSED = {
    ("predictive", "t5"),
    ("gradients", "mpnet"),
    ("head outputs", "mpnet"),
    ("gates", "mpnet"),
    *((name, "mpnet") for name in ("stream entries", "stream lengths", "largest dimensions", "gate means")),
    *(
        (name, "mpnet")
        for name in (
            *("surface by norm", "write lengths", "logit means"),
            *("logits of items", "parts of logits", "sent vectors"),
        )
    ),
    *((name, "mpnet") for name in ("successor", "copy suppression", "function vectors")),
    ("outcomes", "mpnet"),
    ("feeds", "mpnet"),
    ("program sums", "mpnet"),
    ("program shares", "mpnet"),
    ("tried", "mpnet"),
    ("outcomes of a task", "mpnet"),
    ("outcomes of a task", "t5"),
    ("predictions", "t5"),
}  # outside transformers' attention interface


@pytest.mark.parametrize(
    ("name", "subject"),
    [(n, s) for n in REDUCERS for s in ("bert", "llama", "t5", "mpnet") if (n, s) not in REFUSED],
)
def test_batch_size_padding_and_order_do_not_matter(
    name: str,
    subject: str,
    subject_of: Callable[[str], Subject],
    shown_to: Callable[[str, Subject, int], Shown],
) -> None:
    model = subject_of(subject)
    shown = shown_to(name, model, 6)
    one_by_one = observe(model, REDUCERS[name](model, False), shown, 1)  # no padding at all
    together = observe(model, REDUCERS[name](model, False), shown[::-1], 6)
    assert one_by_one.state() or (name, subject) in NOTHING
    rows = rows_of(one_by_one)
    assert rows or not hasattr(one_by_one, "rows") or (name, subject) in NOTHING
    unregistered = {row.statistic for row in rows} - set(REGISTRY)
    assert not unregistered, f"register {unregistered} in src/attlas/atlas/registry/"
    assert_same(together, one_by_one, 1e-5)


@pytest.fixture
def tiny(name: str, subject_of: Callable[[str], Subject]) -> Subject:
    """A small model is as good as another where a reducer is compared with itself; encoders do not copy, and
    have no sink."""
    answers = ("retrieval", "query focus", "successor", "copy suppression", "solved")
    return subject_of("llama" if name in ("long induction", "rest", "reach", *answers) else "bert")


@pytest.mark.parametrize("name", REDUCERS)
def test_merging_is_associative_and_commutative(
    name: str, tiny: Subject, shown_to: Callable[[str, Subject, int], Shown]
) -> None:
    shown = shown_to(name, tiny, 6)
    parts = [observe(tiny, REDUCERS[name](tiny, False), shown[i::3], 2) for i in range(3)]

    def part(i: int) -> Reducer:
        return deepcopy(parts[i])

    assert part(0).state(), "there is nothing to merge"
    left, right, whole = part(0), part(2), REDUCERS[name](tiny, False)
    left.merge(part(1))
    left.merge(part(2))  # (0 + 1) + 2
    right.merge(part(1))
    right.merge(part(0))  # (2 + 1) + 0
    for i in range(3):
        whole.merge(part(i))
    assert_same(right, left, 1e-12)
    assert_same(whole, left, 1e-12)
    assert_same(observe(tiny, REDUCERS[name](tiny, False), shown, 2), left, 1e-5)


@pytest.mark.parametrize("name", REDUCERS)
def test_state_survives_a_file(
    name: str, tiny: Subject, shown_to: Callable[[str, Subject, int], Shown], tmp_path: Path
) -> None:
    reducer = observe(tiny, REDUCERS[name](tiny, False), shown_to(name, tiny, 4), 4)
    save_file({k: np.ascontiguousarray(v) for k, v in reducer.state().items()}, tmp_path / "state")
    again = REDUCERS[name](tiny, False)
    again.restore(load_file(tmp_path / "state"))
    assert again.state().keys() == reducer.state().keys()
    for key, array in reducer.state().items():
        np.testing.assert_array_equal(again.state()[key], array)
    assert repr(rows_of(again)) == repr(rows_of(reducer))  # as text, since NaN is not equal to itself


@pytest.mark.parametrize("name", REDUCERS)
def test_a_run_that_was_stopped_goes_on_to_the_same_result(
    name: str, tiny: Subject, shown_to: Callable[[str, Subject, int], Shown]
) -> None:
    shown = shown_to(name, tiny, 6)
    resumed = REDUCERS[name](tiny, False)
    resumed.restore(observe(tiny, REDUCERS[name](tiny, False), shown[:3], 3).state())
    observe(tiny, resumed, shown[3:], 3)
    assert_same(resumed, observe(tiny, REDUCERS[name](tiny, False), shown, 3), 1e-12)


@pytest.mark.parametrize("name", REDUCERS)
def test_empty_copies_and_restored_states_count_as_the_original_does(
    name: str, tiny: Subject, shown_to: Callable[[str, Subject, int], Shown]
) -> None:
    """What an engine does: copies of an empty reducer see a shard each, here or in another process; their
    states are restored into further copies, and merged."""
    shown, empty = shown_to(name, tiny, 6), REDUCERS[name](tiny, False)
    near, far = deepcopy(empty), pickle.loads(pickle.dumps(empty))
    assert not near.state()
    assert not far.state()
    merged = deepcopy(empty)
    for copied, part in ((near, shown[:3]), (far, shown[3:])):
        again = pickle.loads(pickle.dumps(empty))
        again.restore(observe(tiny, copied, part, 3).state())
        merged.merge(again)
    assert not empty.state(), "a copy shares what it counts"
    assert_same(merged, observe(tiny, REDUCERS[name](tiny, False), shown, 3), 1e-12)


@pytest.mark.parametrize("name", REDUCERS)
def test_a_reducer_that_has_counted_can_be_copied_and_pickled(
    name: str, tiny: Subject, shown_to: Callable[[str, Subject, int], Shown]
) -> None:
    reducer = observe(tiny, REDUCERS[name](tiny, False), shown_to(name, tiny, 2), 2)
    for copied in (deepcopy(reducer), pickle.loads(pickle.dumps(reducer))):
        assert_same(copied, reducer, 0)


@pytest.mark.parametrize("name", CORPUS)
def test_a_batch_without_words_is_refused(name: str, mini: Subject) -> None:
    with pytest.raises(AttlasError, match="needs words"), Tap(mini, [REDUCERS[name](mini, False)]) as tap:
        tap.run(mini.encode("The cat sat."))


def test_every_reducer_is_listed(mini: Subject) -> None:
    """Whatever has the methods of a reducer, its own or its bases', keeps the promises of one."""
    classes = {
        node.name: node
        for path in Path(attlas.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }

    def methods(name: str) -> set[str]:
        if name not in classes:
            return set()
        defined = {part.name for part in classes[name].body if isinstance(part, ast.FunctionDef)}
        return defined.union(*(methods(ast.unparse(base).partition("[")[0]) for base in classes[name].bases))

    promised = {"update", "merge", "state", "restore"}
    reducers = {name for name in classes if methods(name) >= promised} - {"Reducer", "HasRows"}
    listed = {type(make(mini, False)).__name__ for make in REDUCERS.values()}
    assert reducers <= listed, f"list {reducers - listed} in tests/listed.py"
    assert listed <= reducers


def test_a_perfect_next_token_head_scores_one() -> None:
    """The original divides by n and gives (n-1)/n: the corrected default does not."""
    import torch

    from attlas.corpora.batches import Batch, Tokens
    from attlas.tap import Observation, Offset, Total
    from attlas.tap.totals import PlainTotals

    n = 5
    tokens = Tokens(torch.ones(1, n, dtype=torch.bool), {})
    columns = (Total(Offset(-1)), Total(Offset(0)), Total(Offset(1)))
    values = torch.tensor([[[[0.0, 1.0, n - 1.0]]]])  # the last token looks at itself
    totals = PlainTotals("encoder", (0,), columns, values)
    observation = Observation(Batch({}, {"encoder": tokens}, (ItemId(0, 0),)), totals=(totals,))
    rows: dict[bool, list[Row]] = {}
    for faithful in (False, True):
        reducer = Means(offsets((-1, 0, 1), faithful))
        reducer.update(observation)
        rows[faithful] = reducer.rows()
    assert [r.value for r in rows[False]] == [0, 1 / n, 1]
    assert [r.value for r in rows[True]] == [0, 1 / n, (n - 1) / n]
