"""Comparing two models: against float64 maps of each, one input at a time; and what cannot be compared."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from rich.console import Console
from scipy.optimize import linear_sum_assignment
from scipy.stats import t

import attlas
import reference
from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.cli import app
from attlas.corpora.batches import TokenClasses
from attlas.corpora.task_data import TaskData
from attlas.corpora.task_source import TaskSource
from attlas.corpora.tasks import GLUE
from attlas.engines import Pass, run_pass
from attlas.engines.engine import engine_named
from attlas.errors import AttlasError
from attlas.reducers import surface
from attlas.reports.asking import stands_out
from attlas.statistics.hypotheses import holm
from attlas.studies import study_run
from attlas.studies.comparing import comparison
from attlas.studies.comparing.compare_study import change_table, check_comparable, flow_table, match_table
from attlas.studies.comparing.comparison import (
    distinguish_titles,
    flow_sentences,
    gradient_correlations,
    moved_heads,
)
from attlas.studies.comparing.two_models import CrossDistances, MapChanges, OtherModel, PairedMeans
from attlas.studies.shapes.shapes_study import name_shapes
from attlas.studies.shapes.shares import ShapeShares
from attlas.subject import Subject
from attlas.tap import Tap
from kill_and_resume import contents
from made_models import disturbed

FLOAT32 = 1e-5  # between two ways through twelve layers, for numbers of about 1
ROWS = [
    ("The cat sat on the mat.", "A cat sat.", "entailment"),
    ("It rained all day in the old town.", "The sun shone.", "not_entailment"),
    ("Two men play chess, and a third looks on.", "Men play.", "entailment"),
    ("Nobody came.", "Somebody came to the house that night.", "not_entailment"),
]


def _source(mini: Subject, folder: Path, pad: int | None = None) -> TaskSource:
    lines = [f"{i}\t{a}\t{b}\t{label}" for i, (a, b, label) in enumerate(ROWS * 2)]
    path = folder / "dev.tsv"
    path.write_text("\n".join(["index\tsentence1\tsentence2\tlabel", *lines]) + "\n")
    data = TaskData(GLUE["RTE"], "dev", path)
    return TaskSource(
        data, mini.tokenizer, 24, classes=TokenClasses(mini.tokenizer), shard_tokens=30, pad=pad
    )


def _pairs(
    first: Subject, other: Subject, source: TaskSource, reducers: list[Any], kernel: str = "tiled"
) -> Any:
    with engine_named("local") as engine:
        return run_pass(first, Pass("p", source, reducers, beside=(other,), kernel=kernel), engine).reducers


def test_a_pass_over_shards_is_the_same_and_the_padded_maps_are_the_originals(
    mini: Subject, tmp_path: Path
) -> None:
    other = disturbed(mini)
    source = _source(mini, tmp_path)
    assert len(list(source.shards())) > 2
    (cropped,) = _pairs(mini, other, source, [MapChanges()])
    (padded,) = _pairs(mini, other, _source(mini, tmp_path, pad=40), [MapChanges(padded=True)], "eager")
    (unpadded,) = _pairs(mini, other, _source(mini, tmp_path, pad=40), [MapChanges()], "eager")
    rows = {r[:4]: r for r in padded.rows()}
    cosines = []
    for item in (i for shard in source.shards() for i in source.prepare(shard).items):
        ids = np.zeros(40, np.int64)
        mask, types = ids.copy(), ids.copy()
        ids[: len(item.ids)], types[: len(item.ids)], mask[: len(item.ids)] = item.ids, item.types, 1
        inputs = [torch.tensor(x[None], device=mini.device) for x in (ids, mask, types)]
        maps = []
        for subject in (mini, other):
            exact = reference.in_double(subject.model)
            with torch.no_grad():
                output = exact(
                    inputs[0], attention_mask=inputs[1], token_type_ids=inputs[2], output_attentions=True
                )
            maps.append(torch.stack(output.attentions)[:, 0].flatten(2))
        cosines.append(torch.cosine_similarity(*maps, dim=-1).cpu().numpy())
    wanted = np.mean(cosines, 0)  # layer head
    for (_, layer, head, statistic), row in rows.items():
        if statistic == "map_cosine":
            assert row.value == pytest.approx(wanted[layer, head], abs=2e-5)
    for a, b in zip(cropped.rows(), unpadded.rows(), strict=True):
        assert a.value == pytest.approx(b.value, abs=1e-5), "padding does not matter unless it is asked for"
    assert max(abs(a.value - b.value) for a, b in zip(cropped.rows(), padded.rows(), strict=True)) > 1e-3


def test_changes_are_those_of_two_maps_with_paired_errors(mini: Subject, tmp_path: Path) -> None:
    other = disturbed(mini)
    source = _source(mini, tmp_path)
    means = surface(source.classes or TokenClasses(mini.tokenizer)).means
    (paired,) = _pairs(mini, other, source, [PairedMeans(means)])
    alone = {}
    for which, subject in (("first", mini), ("second", other)):
        with engine_named("local") as engine:
            (measured,) = run_pass(subject, Pass("p", source, [surface(source.classes)]), engine).reducers  # type: ignore[arg-type]
        alone[which] = {r[:5]: r for r in measured.rows()}
        for row in paired.rows_of(which):
            assert row.value == pytest.approx(alone[which][row[:5]].value, abs=FLOAT32)
    one_by_one: dict[Any, list[float]] = {}
    for item in (i for shard in source.shards() for i in source.prepare(shard).items):
        (single,) = _pairs(mini, other, source.only([item.id]), [PairedMeans(means)])
        for row in single.rows_of("change"):
            one_by_one.setdefault(row[:5], []).append(row.value)
    table = change_table(paired)
    assert len(table) == len(one_by_one)
    ps = []
    for row in table.itertuples():
        values = np.array(one_by_one[row.kind, row.layer, row.head, row.statistic, row.group])
        stderr = values.std(ddof=1) / len(values) ** 0.5
        half = t.ppf(0.975, len(values) - 1) * stderr
        assert row.change == pytest.approx(values.mean(), abs=FLOAT32)
        assert row.change == pytest.approx(row.second - row.first, abs=FLOAT32)
        assert row.high - row.low == pytest.approx(2 * half, abs=FLOAT32)
        ps.append(2 * t.sf(abs(values.mean()) / stderr, len(values) - 1))
    np.testing.assert_allclose(table["p"], holm(np.array(ps)), atol=1e-3)


def test_heads_that_moved_are_found(mini: Subject, tmp_path: Path) -> None:
    """Two heads of a layer change places: every map is there, at another address."""
    twin = pickle.loads(pickle.dumps(mini.model))
    order = [1, 0, *range(2, 12)]
    attention = twin.bert.encoder.layer[3].attention
    with torch.no_grad():
        for linear in (attention.self.query, attention.self.key, attention.self.value):
            linear.weight.copy_(linear.weight.unflatten(0, (12, 16))[order].flatten(0, 1))
            linear.bias.copy_(linear.bias.unflatten(0, (12, 16))[order].flatten(0, 1))
        dense = attention.output.dense
        dense.weight.copy_(dense.weight.unflatten(1, (12, 16))[:, order].flatten(1, 2))
    source = _source(mini, tmp_path).only(lambda item: item.id.document < 2)
    (crossed,) = _pairs(mini, Subject(twin, mini.tokenizer), source, [CrossDistances(mini.heads)])
    table = match_table(mini.heads, crossed.distances("encoder"))
    away = table[(table["layer"] != table["match_layer"]) | (table["head"] != table["match_head"])]
    assert away[["layer", "head", "match_layer", "match_head"]].to_numpy().tolist() == [
        [3, 0, 3, 1],
        [3, 1, 3, 0],
    ]
    assert (away["own_distance"] > 100 * away["distance"]).all()
    assert table["distance"].sum() <= linear_sum_assignment(crossed.distances("encoder"))[0].sum()


def test_flows_count_which_name_became_which() -> None:
    heads = [Head("encoder", 0, i) for i in range(4)]
    first = dict(zip(heads, ("next", "next", "none", "sep"), strict=True))
    second = dict(zip(heads, ("next", "broad", "none", "none"), strict=True))
    table = flow_table("behaviour", first, second)
    assert table["heads"].sum() == 4
    assert {(r.first, r.second) for r in table.itertuples()} == set(
        zip(first.values(), second.values(), strict=True)
    )


def test_a_sentence_for_each_kind_of_name_says_which_became_which() -> None:
    heads = [Head("encoder", 0, i) for i in range(3)]
    shapes, patterns = ("block", "block", "vertical+diagonal"), ("bag", "none", "sink")
    table = pd.concat(
        [
            flow_table("shape", dict.fromkeys(heads, "block"), dict(zip(heads, shapes, strict=True))),
            flow_table("pattern", dict(zip(heads, patterns, strict=True)), dict.fromkeys(heads, "sink")),
            flow_table("behaviour", dict.fromkeys(heads, "none"), dict.fromkeys(heads, "none")),
        ]
    )
    assert flow_sentences(table) == [
        "1 of 3 heads have another shape: 1 from block to vertical and diagonal",
        "2 of 3 heads have another pattern: 1 from bag of words of its sentence to sink; 1 from none to sink",
        "0 of 3 heads have another behaviour",
    ]


@pytest.mark.parametrize("name", ["mini", "llama"])
def test_shapes_of_the_other_model_are_those_it_has_by_itself(
    name: str, subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    first = subject_of(name)
    other = disturbed(first, by=0.5)
    source = _source(first, tmp_path)
    pair: list[Any] = [ShapeShares(), OtherModel(ShapeShares())]
    firsts, others = _pairs(first, other, source, pair)
    both = [firsts.rows(), others.reducer.rows()]
    for subject, rows in zip((first, other), both, strict=True):
        with engine_named("local") as engine:
            (alone,) = run_pass(subject, Pass("p", source, [ShapeShares()], kernel="tiled"), engine).reducers
        wanted = alone.rows()
        assert [r[:5] for r in rows] == [r[:5] for r in wanted]
        assert [r.value for r in rows] == [r.value for r in wanted], "to the last bit"
    assert [r.value for r in both[0]] != [r.value for r in both[1]]


def test_flows_of_shapes_are_of_the_names_that_both_models_give(
    made: tuple[Any, Path], mini: Subject
) -> None:
    comparison, folder = made
    source = _source(mini, folder / "data" / "RTE")
    names, means = [], []
    for subject in (mini, disturbed(mini, 2, 0.4)):
        with engine_named("local") as engine:
            (alone,) = run_pass(subject, Pass("p", source, [ShapeShares()]), engine).reducers
        rows = [r for r in name_shapes(alone.rows()) if r.statistic == "shape"]
        means.append(np.mean([r.value for r in alone.rows() if (r.layer, r.group) == (7, "vertical")]))
        names.append({Head(*r[:3]): r.group for r in rows})
    table = comparison.chapters[1].tables["flows"]
    wanted = flow_table("shape", *names)
    assert table[table["naming"] == "shape"].to_numpy().tolist() == wanted.to_numpy().tolist()
    assert wanted["heads"].sum() == 144
    shares = comparison.chapters[1].tables["shapes"]
    # every shape of a layer's heads, over which they add up to 1
    assert len(shares) == 12 * 5
    for column in ("first", "second"):
        assert shares.groupby("layer")[column].sum().to_numpy() == pytest.approx(np.ones(12))
    vertical = shares[(shares["layer"] == 7) & (shares["shape"] == "vertical")]
    assert vertical[["first", "second"]].to_numpy()[0] == pytest.approx(means)
    assert (wanted["first"] != wanted["second"]).any()


@pytest.fixture(scope="module")
def atlases(mini: Subject, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Of mini and a model like it, with the patterns of one segment, which are named by strength alone."""
    folder = tmp_path_factory.mktemp("names")
    few = {"segments": 1, "length": 24, "repeated": 2, "needles": (), "hidden": 0, "maps": 0}
    for name, subject in (("a", mini), ("b", disturbed(mini))):
        attlas.patterns(subject, atlas=folder / f"{name}.attlas", progress=False, **few)  # type: ignore[arg-type]
    attlas.map(mini, segments=2, length=16, sample=1, atlas=folder / "map.attlas", progress=False)
    return [folder / f"{name}.attlas" for name in ("a", "b", "map")]


def test_patterns_that_atlases_name_flow_too(mini: Subject, atlases: list[Path]) -> None:
    result = attlas.compare(
        mini, disturbed(mini), segments=2, length=16, matched=0, shapes=0, atlases=atlases[:2], progress=False
    )
    (chapter,) = result.chapters
    table = chapter.tables["flows"]
    assert list(dict.fromkeys(table["naming"])) == ["behaviour", "pattern"]
    patterns = table[table["naming"] == "pattern"]
    assert patterns["heads"].sum() == 144
    for path, column in zip(atlases[:2], ("first", "second"), strict=True):
        counts = Counter(attlas.load_atlas(path).names("pattern").values())
        assert sum(counts.values()), "some have a name"
        wanted = counts | Counter({"none": 144 - counts.total()})
        assert patterns.groupby(column)["heads"].sum().to_dict() == dict(wanted)
    assert [named["atlas"] for named in chapter.about["patterns"]] == ["a.attlas", "b.attlas"]
    assert not [note for note in chapter.about["notes"] if "different texts" in note]


def test_atlases_of_names_that_do_not_fit_are_refused(mini: Subject, atlases: list[Path]) -> None:
    other = disturbed(mini)
    a, b, mapped = atlases
    for paths, said in (
        ([a], "an atlas for each of the 2 models, in their order: 1 given"),
        ([b, a], "b.attlas is an atlas of disturbed, whose weights are not mini's"),
        ([mapped, b], "map.attlas names no patterns"),
    ):
        with pytest.raises(AttlasError, match=said):
            attlas.compare(mini, other, segments=2, length=16, atlases=paths, progress=False)
    with pytest.raises(AttlasError, match="shapes=-1: should be greater than or equal to 0"):
        attlas.compare(mini, other, shapes=-1)


def test_a_model_beside_itself_is_not_said_to_have_changed(mini: Subject, tmp_path: Path) -> None:
    """Some head always changed most, if only by rounding."""
    where = tmp_path / "a.attlas"
    attlas.compare(mini, mini, segments=3, length=16, matched=0, shapes=0, atlas=where, progress=False)
    (said,) = stands_out(attlas.load_atlas(where))
    assert said.startswith("No head is shown to attend otherwise than before. ")


def test_where_no_statistic_can_be_compared_that_is_said() -> None:
    nothing = change_table(PairedMeans([]))
    assert nothing.empty
    assert comparison._how_many(nothing) == (
        "There are too few documents to say which statistics of heads changed"
    )
    assert comparison.strongest_changes(Chapter("c", {}, [], {"changes": nothing})).empty


@pytest.mark.parametrize("arguments", [["--atlases", "x", "y"], ["--atlases", "x", "--atlases", "y"]])
def test_several_names_follow_their_option(arguments: list[str]) -> None:
    _, bound, _ = app.parse_args(
        ["compare", "mini", "other", *arguments, "--label", "z"], exit_on_error=False
    )
    assert bound.args == ("mini", "other")
    assert bound.kwargs == {"atlases": ["x", "y"], "label": "z"}


def test_what_cannot_be_compared_says_why(mini: Subject, subject_of: Callable[[str], Subject]) -> None:
    with pytest.raises(AttlasError, match="12 layers of 12 encoder heads, 2 layers of 4 decoder heads"):
        check_comparable(mini, subject_of("llama"))
    tokenizer = pickle.loads(pickle.dumps(mini.tokenizer))
    tokenizer.add_tokens(["attlas"])
    with pytest.raises(AttlasError, match="8,192 and 8,193 pieces"):
        check_comparable(mini, Subject(mini.model, tokenizer, "more"))
    for others, said in (
        ((), "name two models or more"),
        (("mini",), "data needs task, the task that its examples are of"),
    ):
        with pytest.raises(AttlasError, match=said):
            attlas.compare(mini, *others, data=".")
    with pytest.raises(AttlasError, match="two ways to say"):
        attlas.compare(mini, "mini", data=".", text="x")


@pytest.fixture(scope="module")
def made(mini: Subject, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    folder = tmp_path_factory.mktemp("compare")
    (folder / "data" / "RTE").mkdir(parents=True)
    _source(mini, folder / "data" / "RTE")
    others = [disturbed(mini, seed, by) for seed, by in ((1, 0.2), (2, 0.4))]
    options = {"data": folder / "data", "task": "RTE", "length": 24, "matched": 2, "progress": False}
    result = attlas.compare(
        mini,
        *others[:1],
        **options,
        atlas=folder / "a.attlas",
        figures=folder / "figures",
        page=folder / "v.html",
    )
    assert result.chapters[0].about["corpus"]["items"] == 8
    return attlas.compare(mini, *others, **options), folder


def test_the_verb_leaves_a_chapter_figures_and_a_page(made: tuple[Any, Path]) -> None:
    result, folder = made
    atlas = attlas.load_atlas(folder / "a.attlas")
    (chapter,) = atlas.chapters
    assert chapter == "compare-disturbed-RTE-dev"
    assert atlas.grid("map_cosine", chapter=chapter).shape == (12, 12)
    tables = {"changes", "flows", "shapes", "matching", "layers"}
    assert {t.partition("/")[2] for t in atlas.tables} == tables
    drawn = {"compare-heads.svg", "compare-layers.png", "compare-flows.svg"}
    assert {p.name for p in (folder / "figures").iterdir()} >= drawn
    assert "disturbed" in (folder / "v.html").read_text()
    console = Console(record=True, width=140, file=StringIO())
    result.show(console)
    said = console.export_text()
    assert "cosine" in said
    assert "statistics of heads are shown to change by 0.05 or more" in said
    assert "heads have another behaviour" in said
    assert "heads have another shape" in said
    assert {flow["naming"] for flow in result.as_data()["compared"][0]["flows"]} == {"behaviour", "shape"}
    assert result.as_data()["compared"][1]["items"] == 8


def test_heads_of_several_kinds_are_told_apart(subject_of: Callable[[str], Subject]) -> None:
    t5 = subject_of("t5")
    other = copy.deepcopy(t5.model)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    result = attlas.compare(t5, Subject(other, t5.tokenizer, "other"), segments=6, shapes=0, progress=False)
    console = Console(record=True, width=140, file=StringIO())
    result.show(console)
    (line,) = (line for line in console.export_text().split("\n") if line.startswith("Heads that changed"))
    named = line.partition(": ")[2].split(", ")
    assert len({head.split()[0] for head in named}) == 8
    assert all(head.startswith(("encoder.", "decoder.", "cross.")) for head in named)


def test_several_models_beside_the_first_are_compared_as_each_is_by_itself(
    mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the first reads every input once for all of them."""
    others = [disturbed(mini, seed, 0.3) for seed in (1, 2)]
    common: dict[str, Any] = {"segments": 4, "length": 16, "matched": 2, "shapes": 2, "progress": False}
    ran: list[Subject] = []
    run = Tap.run

    def count(tap: Tap, *arguments: Any, **options: Any) -> Any:
        ran.append(tap.subject)
        return run(tap, *arguments, **options)

    monkeypatch.setattr(Tap, "run", count)
    together = attlas.compare(mini, *others, **common)
    assert len({ran.count(subject) for subject in (mini, *others)}) == 1
    for other, chapter in zip(others, together.chapters, strict=True):
        (alone,) = attlas.compare(mini, other, **common).chapters
        pd.testing.assert_frame_equal(pd.DataFrame(chapter.rows), pd.DataFrame(alone.rows), check_exact=True)
        for name, table in alone.tables.items():
            pd.testing.assert_frame_equal(chapter.tables[name], table, check_exact=True)
        for name, array in alone.arrays.items():
            np.testing.assert_array_equal(chapter.arrays[name], array)


def test_comparisons_that_were_stopped_between_two_chapters_go_on(
    mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [disturbed(mini, seed, 0.3) for seed in (1, 2, 3)]
    common: dict[str, Any] = {"segments": 4, "length": 16, "matched": 0, "shapes": 0, "progress": False}
    attlas.compare(mini, *others, atlas=tmp_path / "quiet.attlas", **common)
    real, written = study_run.add_chapter, list[str]()

    def power_cut(out: Path, model: Any, chapter: Any, **options: Any) -> None:
        if len(written) == 2:
            raise RuntimeError("power cut")
        real(out, model, chapter, **options)
        written.append(chapter.name)

    monkeypatch.setattr(study_run, "add_chapter", power_cut)
    with pytest.raises(RuntimeError, match="power cut"):
        attlas.compare(mini, *others, atlas=tmp_path / "a.attlas", **common)
    monkeypatch.undo()
    attlas.compare(mini, *others, atlas=tmp_path / "a.attlas", resume=True, **common)
    assert contents(tmp_path / "a.attlas") == contents(tmp_path / "quiet.attlas")
    assert not (tmp_path / "a.attlas.part").exists()


def test_more_than_two_models_give_curves(made: tuple[Any, Path], mini: Subject, tmp_path: Path) -> None:
    from attlas.figures.comparison_figures import comparison_specs
    from attlas.figures.drawing import save_specs

    result, _ = made
    curves = result.curves
    assert sorted(set(curves["step"])) == [0, 1, 2]
    assert (curves.groupby("step").size() == len(curves) // 3).all()
    curve = curves[(curves["statistic"] == "to_next") & (curves["layer"] == 2) & (curves["head"] == 5)]
    second = result.chapters[1].tables["changes"].query("statistic == 'to_next' and layer == 2 and head == 5")
    assert curve[curve["step"] == 2]["value"].tolist() == second["second"].tolist()
    specs = {spec.name: spec for spec in comparison_specs(result)}
    assert list(specs) == ["heads", "layers", "flows", "curves"]
    flows, panel = result.chapters[1].tables["flows"], specs["flows"].groups[0].panels[3]
    moved = flows[(flows["naming"] == "shape") & (flows["first"] != flows["second"])]["heads"].sum()
    assert panel.subtitle == f"{moved} of 144 heads have another shape"
    assert all(p.stat().st_size for p in save_specs(specs.values(), tmp_path, ("png",)))


def test_gradients_are_set_beside_the_change(made: tuple[Any, Path]) -> None:
    layers = made[0].chapters[0].tables["layers"].copy()
    assert gradient_correlations(layers) == {}
    layers["gradient"] = layers["map_distance"] * 3
    assert gradient_correlations(layers) == {"gradient": pytest.approx(1)}
    assert set(moved_heads(made[0].chapters[0]).columns) >= {"match_layer", "own_distance"}


def test_a_faithful_comparison_is_of_examples_that_are_padded(mini: Subject) -> None:
    with pytest.raises(AttlasError, match="padded as the original did: give data"):
        attlas.compare(mini, mini, faithful=True, segments=4, progress=False)


def test_what_compare_is_given_in_python_is_checked(mini: Subject) -> None:
    with pytest.raises(AttlasError, match="matched='three': should be a valid integer"):
        attlas.compare(mini, mini, matched="three", progress=False)  # type: ignore[arg-type]


def test_models_are_called_by_what_tells_their_paths_apart() -> None:
    assert distinguish_titles(["mini", "/a/b/model"]) == ["mini", "model"]
    assert distinguish_titles(["/x/seed-1/model", "/x/seed-2/model"]) == ["seed-1/model", "seed-2/model"]
    assert distinguish_titles(["mini", "mini"]) == ["mini", "mini 2"]
    assert distinguish_titles(["/a/c", "/b/c", "/a/c"]) == ["a/c", "b/c", "a/c 2"]
