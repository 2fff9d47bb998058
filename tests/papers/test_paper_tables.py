"""Items of tables, read from what the probes leave in an atlas."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import attlas
from attlas.atlas import add_chapter, load_atlas
from attlas.atlas.chapter import Chapter
from attlas.papers import clark2019, kovaleva2019
from attlas.papers.paper_evidence import PaperEvidence
from attlas.papers.paper_items import PaperItem
from attlas.row import Row

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Coreference in a few documents, and frames in a few sentences, ours and the original's way."""
    place = tmp_path_factory.mktemp("papers") / "mini.attlas"
    for faithful in (False, True):
        few = {"faithful": faithful, "atlas": place, "progress": False}
        attlas.probe.coreference("mini", DATA / "gum", min_count=2, windows=12, **few)
        attlas.probe.frames("mini", DATA / "framenet_v17", all_sentences=True, windows=12, **few)
    return place


def _items(module: object, atlas: Path, place: str) -> dict[str, PaperItem]:
    evidence = PaperEvidence(load_atlas(atlas))
    return {item.what: item for item in module.items(evidence) if item.place == place}  # type: ignore[attr-defined]


def test_coreference_has_the_best_head_and_what_it_is_compared_with(atlas: Path) -> None:
    items = _items(clark2019, atlas, "Table 2")
    table = load_atlas(atlas).table("best", "coreference-gum").set_index("group")
    best = items["best head for coreference, all mentions"]
    assert best.corrected is not None
    assert best.corrected.value == pytest.approx(100 * table.loc["all", "accuracy"])
    assert best.faithful is not None
    assert best.chance == pytest.approx(100 * table.loc["all", "nearest"])
    ahead = items["the best head is nearly as good as four sieves of rules: its accuracy, less theirs"]
    assert ahead.corrected is not None
    assert ahead.corrected.value == pytest.approx(
        100 * (table.loc["all", "accuracy"] - table.loc["all", "rules"])
    )


def test_the_two_strongest_heads_of_frames_have_intervals_for_all_heads_at_once(atlas: Path) -> None:
    items = _items(kovaleva2019, atlas, "Figure 3")
    read = load_atlas(atlas)
    chapter = next(name for name in read.chapters if name.startswith("frames") and "faithful" not in name)
    weights = read.grid("frame_weight", "element_to_target", "encoder", chapter=chapter)
    strongest, second = items.values()
    assert strongest.corrected is not None
    assert second.corrected is not None
    assert strongest.corrected.value == weights.max()
    assert second.corrected.value < strongest.corrected.value
    assert strongest.corrected.bounds[0] < strongest.corrected.value < strongest.corrected.bounds[1]


def _best(group: str, accuracy: float, baseline: float) -> dict[str, object]:
    """A row of the table `best`; the head beats the baseline on the same sentences."""
    gain = accuracy - baseline
    return {
        "group": group,
        **{"documents": 40, "links": 100, "statistic": "dependent_to_head"},
        **{"kind": "encoder", "layer": 0, "head": 1, "direction": "to"},
        **{"accuracy": accuracy, "low": accuracy - 0.05, "high": accuracy + 0.05},
        **{"baseline_accuracy": baseline, "gain_low": gain - 0.03, "gain_high": gain + 0.03, "p": 1e-6},
    }


def _with_dependencies(folder: Path, model: str, groups: dict[str, tuple[float, float]]) -> PaperEvidence:
    best = pd.DataFrame([_best(group, *numbers) for group, numbers in groups.items()])
    grids = {
        f"encoder.{name}": np.full((len(groups), 2, 12, 12), 0.1) + shift
        for name, shift in (("accuracy", 0.0), ("low", -0.05), ("high", 0.05))
    }
    for name, shift in (("accuracy", 0.0), ("low", -0.05), ("high", 0.05)):
        grids[f"encoder.{name}"][:, 0, 0, 1] = best["accuracy"] + shift
        grids[f"encoder.{name}"][list(groups).index("det"), 1, 7, 10] = 0.85 + shift  # the authors' 8-11
    rows = [Row("encoder", 11, 11, "to_self", "", 0.5, 0.0, 1)]
    about = {"study": "dependencies", "faithful": False}
    chapter = Chapter("dependencies", about, rows, {"best": best}, grids)
    heads = {"name": model, "weights": "0" * 64, "heads": {"encoder": 144}}
    return PaperEvidence(add_chapter(folder / "bert.attlas", heads, chapter))


def test_stanford_dependencies_are_known_by_their_labels(tmp_path: Path) -> None:
    known = ("det", "dobj", "nn", "poss", "auxpass", "prt", "prep", "pobj")
    evidence = _with_dependencies(tmp_path, "wsj-model", dict.fromkeys(("all", *known), (0.9, 0.5)))
    items = {item.what.split(" (")[0]: item for item in clark2019.items(evidence)}
    for relation in known:
        assert items[f"best head for {relation}"].verdict == "holds", relation
    assert items["best head for cop"].why.startswith("data missing")
    assert items["best head for dobj"].causes == (), "it is the paper's own annotation"
    universal = _with_dependencies(tmp_path / "ud", "x", dict.fromkeys(("all", "det", "obj"), (0.9, 0.5)))
    items = {item.what.split(" (")[0]: item for item in clark2019.items(universal)}
    assert items["best head for dobj"].verdict == "holds"
    assert items["best head for pobj"].why.startswith("Universal Dependencies make the noun")


def test_the_authors_own_heads_are_ranked_in_their_own_model_alone(tmp_path: Path) -> None:
    groups = {"all": (0.3, 0.25), "det": (0.9, 0.5), "obj": (0.7, 0.3)}
    theirs = _with_dependencies(tmp_path / "a", "bert-base-uncased", groups)
    items = {item.what: item for item in clark2019.items(theirs)}
    head = items["the authors' head for determiners, 8-11, beats the baseline here, too"]
    assert head.corrected is not None
    assert (head.corrected.value, head.corrected.where) == (pytest.approx(85.0), "7.10 (8-11)")
    assert (head.detail, head.verdict) == ("rank 2 of 144 heads", "holds")
    other = _with_dependencies(tmp_path / "b", "mini", groups)
    items = {item.what: item for item in clark2019.items(other)}
    assert items[head.what].why == "it is a head of BERT-base, and this is mini"


def test_the_untrained_twin_stands_beside_table_1(tmp_path: Path) -> None:
    evidence = _with_dependencies(tmp_path / "a", "mini", {"all": (0.3, 0.25), "det": (0.6, 0.5)})
    twin = _with_dependencies(tmp_path / "b", "mini", {"all": (0.1, 0.25), "det": (0.58, 0.5)})
    alone = {item.what: item for item in clark2019.items(evidence)}["best head for det"]
    beside = {item.what: item for item in clark2019.items(replace(evidence, twin=twin))}["best head for det"]
    assert alone.verdict == "holds"
    assert beside.untrained is not None
    assert beside.untrained.value == pytest.approx(58.0)
    assert beside.verdict == "undecided", "two points above an untrained model"
