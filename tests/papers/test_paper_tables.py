"""Items of tables, read from what the probes leave in an atlas."""

from __future__ import annotations

from pathlib import Path

import pytest

import attlas
from attlas.atlas import load_atlas
from attlas.papers import clark2019, kovaleva2019
from attlas.papers.paper_evidence import PaperEvidence
from attlas.papers.paper_items import PaperItem

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
