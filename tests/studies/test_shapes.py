"""Shapes: pictures, network, shares, names, and the annotated maps that ship."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file
from scipy.signal import correlate2d
from scipy.special import softmax
from sklearn.metrics import cohen_kappa_score, f1_score

import reference
from attlas.atlas import load_atlas
from attlas.atlas.untrained_heads import Untrained
from attlas.corpora.segments import Segment
from attlas.corpora.source import ItemId
from attlas.errors import AttlasError
from attlas.figures import draw, save_figures, save_specs
from attlas.figures.charts.shapes import compared_shapes
from attlas.options import KeepOptions, RunOptions, TextOptions
from attlas.row import Row
from attlas.statistics.clusters import estimates, moments_by_document
from attlas.statistics.hypotheses import student_interval
from attlas.studies.shapes.network import LAYERS, SHAPES, SIZE, cover, pictures, pictures_of, probabilities
from attlas.studies.shapes.shapes_study import name_shapes, shape_study, shapes_of
from attlas.studies.shapes.shares import ShapeShares
from attlas.studies.study_run import run_chapters
from attlas.studies.twins.twins import COLUMNS
from attlas.subject import Subject
from attlas.tap import Tap
from attlas.tap.lazy_weights import LazyWeights
from compared import Compared
from listed import observe, rows_of

Array = npt.NDArray[np.float64]
PROJECT = Path(__file__).parents[2]
DATA = PROJECT / "research" / "shapes"
NETWORK = PROJECT / "src" / "attlas" / "data" / "shapes" / "network.safetensors"


def random_map(n: int, seed: int, sharpness: float = 2.0) -> Array:
    scores = np.random.default_rng(seed).normal(size=(n, n)) * sharpness
    weights: Array = softmax(scores, -1)
    return weights


def picture_by_hand(weights: Array) -> Array:
    """Every token becomes SIZE x SIZE places, of which n x n make a cell."""
    queries, keys = weights.shape
    fine = np.kron(weights, np.ones((SIZE, SIZE)))
    cells = fine.reshape(SIZE, queries, SIZE, keys).mean((1, 3))
    top = cells.max(-1).mean()
    drawn: Array = np.sqrt(np.minimum(cells / top, 1))
    return drawn


def probabilities_by_hand(picture: Array) -> Array:
    """The shipped network on one picture, by plain correlations in float64."""
    weights = {name: array.astype(np.float64) for name, array in load_file(NETWORK).items()}
    x = picture[None]
    for layer, (_, stride) in enumerate(LAYERS):
        kernel, bias = weights[f"{layer}.weight"], weights[f"{layer}.bias"]
        padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
        out = [sum(correlate2d(c, k, "valid") for c, k in zip(padded, ks, strict=True)) for ks in kernel]
        x = np.maximum(np.stack(out)[:, ::stride, ::stride] + bias[:, None, None], 0)
    likely: Array = softmax(weights["last.weight"] @ x.mean((1, 2)) + weights["last.bias"])
    return likely


@pytest.mark.parametrize(("queries", "keys"), [(4, 4), (10, 10), (32, 32), (45, 45), (128, 128), (9, 40)])
def test_a_picture_is_the_mean_of_what_its_cells_cover(queries: int, keys: int) -> None:
    weights = softmax(np.random.default_rng(0).normal(size=(queries, keys)) * 2, -1)
    picture = pictures_of(torch.from_numpy(weights)[None])[0]
    np.testing.assert_allclose(picture, picture_by_hand(weights), atol=2e-6)


def test_the_network_equals_plain_correlations_in_double() -> None:
    seen = [picture_by_hand(random_map(n, n)) for n in (10, 33, 90)]
    likely = probabilities(torch.from_numpy(np.stack(seen)).float())
    np.testing.assert_allclose(likely, [probabilities_by_hand(p) for p in seen], atol=1e-5)


@given(st.integers(4, 60), st.integers(0, 20), st.integers(0, 20), st.integers(0, 2**16))
@settings(max_examples=25, deadline=None)
def test_padding_does_not_change_a_maps_class(n: int, before: int, after: int, seed: int) -> None:
    """Whatever the model does on padding: rows there are full of other numbers."""
    weights = random_map(n, seed)
    whole = random_map(n + before + after, seed + 1)
    inside = slice(before, before + n)
    whole[inside] = 0
    whole[inside, inside] = weights
    real = torch.zeros(1, len(whole), dtype=torch.bool)
    real[:, inside] = True
    padded = pictures(LazyWeights.over(torch.from_numpy(whole)[None, None]), cover(real), cover(real))[0]
    alone = pictures_of(torch.from_numpy(weights)[None])
    np.testing.assert_allclose(probabilities(padded), probabilities(alone), atol=1e-5)


@given(st.integers(4, 40), st.integers(2, 4), st.integers(0, 2**16))
@settings(max_examples=25, deadline=None)
def test_longer_words_do_not_change_a_maps_class(n: int, times: int, seed: int) -> None:
    """Every token becomes several that share its weight: the map has the same shape at another length."""
    weights = random_map(n, seed)
    longer = np.kron(weights, np.full((times, times), 1 / times))
    likely = [probabilities(pictures_of(torch.from_numpy(w)[None])) for w in (weights, longer)]
    np.testing.assert_allclose(likely[0], likely[1], atol=1e-5)


def plain(shape: str, n: int, causal: bool) -> Array:
    """A map as a textbook would draw it, over a little even attention."""
    weights = np.full((n, n), 0.1 / n)
    half = n // 2
    if "vertical" in shape:
        weights[:, 0] += 1
    if "diagonal" in shape:
        weights[np.arange(1, n), np.arange(n - 1)] += 1
        weights[0, 0] += 1
    if shape == "block":
        weights[:half, :half] += 2 / n
        weights[half:, half:] += 2 / n
    if causal:
        weights = np.tril(weights)
    return weights / weights.sum(-1, keepdims=True)


@pytest.mark.parametrize("n", [10, 14, 22, 37, 64, 101, 128, 300])
@pytest.mark.parametrize(
    ("shape", "causal"),
    [
        ("vertical", False),
        ("vertical", True),
        ("diagonal", False),
        ("diagonal", True),
        ("vertical+diagonal", False),
        ("vertical+diagonal", True),
        ("block", False),
    ],
)
def test_plain_shapes_are_told_at_every_length(shape: str, causal: bool, n: int) -> None:
    assert shapes_of(plain(shape, n, causal)[None])["shape"].tolist() == [shape]


def test_shares_of_a_cell_sum_to_one() -> None:
    real = torch.rand(5, 70) < 0.7
    shares = cover(real)
    assert torch.allclose(shares.sum(-1), torch.ones(5, SIZE), atol=1e-6)
    assert not shares.transpose(1, 2)[~real].any()


@pytest.mark.parametrize("subject", ["mini", "llama", "t5"])
@pytest.mark.reference("shape_share")
def test_shares_equal_the_reference(
    subject: str,
    subject_of: Callable[[str], Subject],
    segments_of: Callable[..., list[Segment]],
    compared: Compared,
) -> None:
    """Float64 maps of each segment alone, its picture and the network by hand; a few heads will do."""
    model = subject_of(subject)
    segments = segments_of(model, 3, 14)
    rows = rows_of(observe(model, ShapeShares(), segments, 3))
    expected: dict[tuple[str, int, int], list[Array]] = defaultdict(list)
    for segment in segments:
        for kind, layer, weights, _, _ in reference.maps(model, segment):
            for head in range(layer % 4, 4, 4) if layer % 5 < 2 else ():
                expected[kind, layer, head].append(probabilities_by_hand(picture_by_hand(weights[head])))
    checked = [row for row in rows if row[:3] in expected]
    assert len(checked) == len(expected) * len(SHAPES)
    for row in checked:
        values = [p[SHAPES.index(row.group)] for p in expected[row[:3]]]
        mean, stderr = reference.mean_and_stderr(values)
        compared(row.statistic, row.value, mean, 1e-4)
        assert row.stderr == pytest.approx(stderr, abs=1e-4), row
        assert row.n == len(values)


def test_intervals_are_students_over_documents(
    mini: Subject, segments_of: Callable[..., list[Segment]]
) -> None:
    segments = [
        replace(segment, id=ItemId(n // 2, n % 2)) for n, segment in enumerate(segments_of(mini, 8, 14))
    ]
    reducer = observe(mini, ShapeShares(), segments, 3)
    assert isinstance(reducer, ShapeShares)
    means = []  # segment layer shape: means over heads
    for segment in segments:
        alone = observe(mini, ShapeShares(), [segment], 1).rows()
        values = np.array([row.value for row in alone]).reshape(12, 12, len(SHAPES))
        means.append(values.mean(1))
    by_layer = np.stack(means, -1)  # layer shape segment
    shares = {(s.layer, s.shape): s for s in reducer.shares()}
    assert len(shares) == 13 * len(SHAPES)
    for i, shape in enumerate(SHAPES):
        for layer, by_segment in ((None, by_layer.mean(0)[i]), (7, by_layer[7, i])):
            share = shares[layer, shape]
            known = estimates(moments_by_document(by_segment, [segment.id for segment in segments]))
            between = np.clip(student_interval(known.mean, known.stderr, known.degrees), 0, 1)
            assert (share.low, share.high) == pytest.approx(between.tolist(), abs=1e-5)
            assert share.low <= share.share <= share.high
            assert (share.heads, share.items, share.documents) == (144 if layer is None else 12, 8, 4)


def test_a_text_of_too_few_tokens_is_not_counted(mini: Subject) -> None:
    reducer = ShapeShares()
    with Tap(mini, [reducer]) as tap:
        tap.run(mini.annotate({"input_ids": torch.tensor([[2, 3]])}))
    assert reducer.rows() == []
    assert reducer.shares() == []


def test_broken_weights_are_an_error(mini: Subject, segments_of: Callable[..., list[Segment]]) -> None:
    def broken(seen: torch.Tensor) -> torch.Tensor:
        return probabilities(seen * torch.nan)

    with pytest.raises(AttlasError, match="not a number"):
        observe(mini, ShapeShares(classify=broken), segments_of(mini, 2), 2)


@pytest.mark.parametrize(
    ("maps", "says"),
    [
        (np.full((1, 12, 12), np.nan), "not a number"),
        (np.full((1, 12, 12), 1 / 24), "row 0 of map 0 sums to 0.5"),
        (np.ones((1, 1, 1)), "fewer than 4 tokens"),
        (np.eye(12), "2 dimensions"),
        (np.zeros((0, 12, 12)), "there are no maps"),
    ],
    ids=["NaN", "rows", "one token", "one map", "none"],
)
def test_maps_that_cannot_be_classified(maps: Array, says: str) -> None:
    with pytest.raises(AttlasError, match=says):
        shapes_of(maps)


def test_negative_weights_are_refused() -> None:
    weights = np.eye(12)[None].copy()
    weights[0, 4, 2:4] = [-0.5, 0.5]
    with pytest.raises(AttlasError, match="from 0 to 1"):
        shapes_of(weights)


def test_a_shape_names_a_head_that_has_it_more_often_than_any_untrained_head() -> None:
    def rows(head: int, *values: float) -> list[Row]:
        at = "encoder", 0, head, "shape_share"
        return [Row(*at, s, v, 0.01, 20, 10, 10.0) for s, v in zip(SHAPES, values, strict=True)]

    names = list(SHAPES)
    every = [
        *rows(0, 0.9, 0.05, 0.03, 0.01, 0.01),  # vertical, as no untrained head is
        *rows(1, 0.02, 0.02, 0.02, 0.04, 0.9),  # heterogeneous, as all of them are
        *rows(2, 0.35, 0.02, 0.01, 0.02, 0.6),  # both: the first of them is the untrained heads'
    ]
    at = "encoder", 0, 0, "untrained", "shape_share"
    twin = [(*at, name, 0.9 * (name == names[-1]), 0.01, 9, 5, 5.0) for name in names]
    untrained = Untrained(pd.DataFrame(twin, columns=COLUMNS))
    beside = {(r.head, r.statistic): (r.group, r.value) for r in name_shapes(every, untrained)}
    assert beside == {
        (0, "shape"): ("vertical", 0.9),
        (1, "shape"): ("none", pytest.approx(0.1)),
        (2, "shape"): ("vertical", 0.35),
    }
    alone = {(r.head, r.statistic): r.group for r in name_shapes(every)}
    assert alone[1, "shape"] == alone[2, "shape"] == "heterogeneous"
    assert len(alone) == 6


@pytest.mark.reference("shape", "second_shape", "figure shapes")
def test_the_study_names_every_head_and_draws_its_shares(
    mini: Subject, tmp_path: Path, compared: Compared
) -> None:
    out = tmp_path / "mini.attlas"
    study = shape_study(mini, TextOptions(segments=6, length=24))
    (chapter,) = run_chapters([study], mini, RunOptions(progress=False), KeepOptions(atlas=out))
    atlas = load_atlas(out)
    assert atlas.chapters == ("shapes-wikipedia",) or list(atlas.chapters) == ["shapes-wikipedia"]
    heads = atlas.heads
    shares = heads[heads["statistic"] == "shape_share"]
    by_head = shares.groupby(["layer", "head"])["value"]
    assert len(by_head) == 144
    np.testing.assert_allclose(by_head.sum(), 1, atol=1e-6)
    for statistic, rank in (("shape", 0), ("second_shape", 1)):
        named = heads[heads["statistic"] == statistic].set_index(["layer", "head"])
        assert len(named) == 144
        for place, of_head in shares.groupby(["layer", "head"]):
            expected = of_head.sort_values("value", ascending=False, kind="stable").iloc[rank]
            assert named.loc[place, "group"] == expected["group"]
            compared(statistic, named.loc[place, "value"], expected["value"])
    whole = atlas.tables[f"{chapter.name}/shares"]
    assert whole["share"].sum() == pytest.approx(1)
    by_layer = atlas.tables[f"{chapter.name}/shares_by_layer"]
    assert by_layer.groupby("layer")["share"].sum().to_numpy() == pytest.approx(np.ones(12))
    mean = by_layer.groupby("shape")["share"].mean()
    assert whole.set_index("shape")["share"].to_dict() == pytest.approx(mean.to_dict())
    drawn = draw(atlas, "shapes", "dark").axes[0]
    compared("figure shapes", [bar.get_width() for bar in drawn.patches], whole["share"])
    written = save_figures(atlas, tmp_path, ("svg",))
    assert [path.name for path in written] == ["figure-shapes-wikipedia.svg"]
    (beside,) = save_specs([compared_shapes({"before": atlas, "after": atlas})], tmp_path, ("svg",))
    assert "figure-shapes-compared" in beside.name


def test_known_heads_of_bert_base_and_gpt2(shared: Path) -> None:
    """BERT-base's 2.0 attends to the next token, 7.3 to delimiters; GPT-2 mostly to the first token."""
    folder = shared / "data" / "attention"
    attn = np.load(folder / "bert-base-uncased_store_strawberries.npz")["attn"]
    shapes = shapes_of(np.stack([attn[2, 0], attn[7, 3]]))["shape"].tolist()
    assert shapes == ["diagonal", "vertical"]
    gpt2 = shapes_of(np.load(folder / "gpt2_quick_brown_fox.npz")["attn"][6:].reshape(-1, 10, 10))
    assert gpt2["shape"].str.startswith("vertical").mean() > 0.9


def test_the_annotated_maps_are_what_their_datasheet_says() -> None:
    maps = pd.read_parquet(DATA / "maps.parquet")
    assert len(maps) >= 600
    assert (maps["length"].min(), maps["length"].max()) == (10, 128)
    assert set(maps["shape"]) == set(SHAPES)
    assert all(len(row.weights) == row.length**2 for row in maps.itertuples())
    alone = maps["first"].where(maps["first"] == maps["second"], maps["third"])
    both = alone.where(alone == maps["other"])
    assert (maps["shape"] == maps["again"].fillna(both)).all()
    sheet = (DATA / "README.md").read_text()
    assert f"{len(maps)} maps" in sheet
    for labels, others in ((maps["first"], maps["second"]), (alone, maps["other"])):
        assert re.search(rf"Cohen's\s+kappa {cohen_kappa_score(labels, others):.3f}", sheet)
    agreement = f1_score(alone, maps["other"], average="macro")
    assert f"macro-F1 of one against the other {agreement:.3f}" in sheet
    differ = maps[alone != maps["other"]]
    assert f"In {len(differ)} maps they differ" in sheet
    for (first_label, other), maps_there in differ.groupby([alone, "other"]):
        if len(maps_there) >= 5:
            settled = [int((maps_there["shape"] == shape).sum()) for shape in (first_label, other)]
            line = [first_label, other, len(maps_there), *settled, len(maps_there) - sum(settled)]
            assert f"| {' | '.join(map(str, line))} |" in sheet
    for shape, count in maps["shape"].value_counts().items():
        assert re.search(rf"\| {re.escape(str(shape))} \| {count} \|", sheet), shape
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 4 * 2**20
    assert NETWORK.stat().st_size < 2 * 2**20


def test_the_maps_to_learn_from_are_what_their_datasheet_says() -> None:
    maps, judged = (pd.read_parquet(DATA / name) for name in ("more_maps.parquet", "maps.parquet"))
    sheet = " ".join((DATA / "README.md").read_text().split())
    assert not set(maps["passage"]) & set(judged["passage"])
    assert maps["passage"].value_counts().max() == 6
    assert f"has {len(maps)} maps of mini (282)" in sheet
    assert f"of {maps['passage'].nunique()} passages" in sheet
    assert maps["model"].value_counts().to_dict() == {"mini": 282, "smollm2": 122, "minilm": 76}
    assert maps["chosen"].value_counts().to_dict() == {"unsure": 319, "rare": 110, "random": 51}
    assert all(len(row.weights) == row.length**2 for row in maps.itertuples())
    assert (maps["shape"] == maps["again"].fillna(maps["first"])).all()
    again = maps[maps["again"].notna()]
    changed = int((again["again"] != again["first"]).sum())
    assert f"labelled the {len(again)} of its own" in sheet
    assert f"{changed} changed" in sheet
    twice = maps[maps["second"].notna()]
    kappa = cohen_kappa_score(twice["first"], twice["second"])
    agreement = (twice["first"] == twice["second"]).mean()
    assert f"Of {len(twice)} it did so once more" in sheet
    assert f"agreement {agreement:.3f}, Cohen's kappa {kappa:.3f}" in sheet
    for column, said in (("check", ", Cohen's"), ("later_check", ",")):
        seen = judged[judged[column].notna()]
        labels, right = seen[column], seen["shape"]
        agreement, kappa = (labels == right).mean(), cohen_kappa_score(labels, right)
        score = f1_score(right, labels, average="macro")
        assert f"in {agreement:.3f}{said} kappa {kappa:.3f}, macro-F1 {score:.3f}" in sheet
    for shape, count in maps["shape"].value_counts().items():
        assert f"| {shape} | {count} |" in sheet


def script(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(path).stem, PROJECT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_where_annotators_differ_a_map_has_to_be_looked_at_again(tmp_path: Path) -> None:
    annotate = script("research/annotate.py")
    maps, other, again = (tmp_path / name for name in ("maps.parquet", "other.txt", "again.txt"))
    first = ["vertical", "vertical", "block", "diagonal"]
    second = ["vertical", "diagonal", "block", "diagonal"]
    seen = {"map": range(4), "first": first, "second": second, "third": [None, "diagonal", None, None]}
    pd.DataFrame(seen).to_parquet(maps)
    other.write_text("0 v\n1 d\n2 h\n3 m\n")
    annotate.gather_other(maps, other, None)  # says what there is to settle, and writes nothing
    assert "other" not in pd.read_parquet(maps)
    again.write_text("2 h\n")
    with pytest.raises(SystemExit, match=r"not settled: \[3\]"):
        annotate.gather_other(maps, other, again)
    again.write_text("2 h\n3 d\n0 m\n")  # the first, too, was looked at again
    annotate.gather_other(maps, other, again)
    settled = pd.read_parquet(maps)
    assert settled["shape"].tolist() == ["vertical+diagonal", "diagonal", "heterogeneous", "diagonal"]
    assert settled["other"].tolist() == ["vertical", "diagonal", "heterogeneous", "vertical+diagonal"]


def test_shares_of_a_task_are_means_over_layers_and_span_its_seeds(tmp_path: Path) -> None:
    shares = script("research/shape_shares.py")
    (tmp_path / "compare").mkdir()
    for seed, after in ((0, (0.2, 0.4)), (1, (0.5, 0.7))):
        layers = [
            {"layer": layer, "shape": shape, "first": first, "second": second}
            for layer, (first, block) in enumerate(zip((0.1, 0.3), after, strict=True))
            for shape, first, second in (("block", first, block), ("diagonal", 1 - first, 1 - block))
        ]
        for condition in ("pretrained", "random init"):
            comparison = {"job": {"task": "RTE", "seed": seed, "condition": condition}, "shapes": layers}
            (tmp_path / "compare" / f"RTE.{condition}.{seed}.json").write_text(json.dumps(comparison))
    summary = shares.summary(shares.read(tmp_path)).set_index(["moment", "shape"])
    assert summary.loc[("pre-trained", "block"), "share"] == pytest.approx(0.2)
    tuned = summary.loc[("fine-tuned", "block")]
    assert tuned[["share", "low", "high", "seeds"]].tolist() == pytest.approx([0.45, 0.3, 0.6, 2])
    assert "| RTE | 20 → 45 (30 to 60) | 80 → 55 (40 to 70) | 2 |" in shares.table(summary.reset_index())


def test_the_page_gives_the_numbers_that_were_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PROJECT / "docs")
    generate = script("docs/generate.py")
    page = (PROJECT / "docs" / "shapes.md").read_text(encoding="utf-8")
    assert page == generate.shapes_page()
    report = json.loads((PROJECT / "research" / "patterns.json").read_text())
    maps = pd.read_parquet(DATA / "maps.parquet")
    assert report["maps"] == len(maps)
    assert [sum(row) for row in report["confusion"]] == [int((maps["shape"] == s).sum()) for s in SHAPES]
    assert f"{len(maps)} maps" in page
