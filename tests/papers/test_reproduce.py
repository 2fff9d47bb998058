"""`attlas reproduce`: a folder with a page and a table, from studies that an atlas keeps."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import attlas
from attlas.atlas import add_chapter
from attlas.atlas.chapter import Chapter
from attlas.papers import runs as paper_runs
from attlas.papers.paper_items import PAPER_VERDICTS

SMALL = {"segments": 4, "length": 24, "repeated": 2, "hidden": 0, "maps": 0}


@pytest.fixture
def few_segments(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Reproductions of a few segments; the verbs that were asked for."""
    asked: list[str] = []
    whole = paper_runs.plan_runs

    def small(*args: Any) -> list[paper_runs.Run]:
        wanted = (run for run in whole(*args) if run.verb != "related")  # where NLTK has WordNet
        made = [replace(run, options=SMALL) if run.verb == "patterns" else run for run in wanted]
        asked.extend(run.verb for run in made)
        return made

    monkeypatch.setattr(paper_runs, "plan_runs", small)
    return asked


def test_a_paper_is_reproduced_into_a_folder(few_segments: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "vig"
    made = attlas.reproduce("vig2019", "mini", folder=folder, progress=False)
    assert few_segments == ["patterns", "vig2019"]
    rows = list(csv.DictReader((folder / "items.csv").read_text().splitlines()))
    assert [row["place"] for row in rows] == [
        f"pattern {i}" for i in range(1, 7) for _ in range(3 if i in (1, 3, 5) else 2)
    ]
    assert {row["verdict"] for row in rows} <= set(PAPER_VERDICTS)
    tables = sorted(path.name for path in (folder / "tables").iterdir())
    assert tables == [f"0{i}-pattern-{i}.csv" for i in range(1, 7)]
    assert (folder / "figures/01-pattern-1-pattern-1.svg").is_file()
    said = json.loads((folder / "items.json").read_text())
    assert said["verdicts"] == made.article.counts
    page = made.page.read_text()
    for linked in re.findall('<a href="([^"]+)"', page):
        assert (folder / linked).is_file(), "each pattern has a view that opens at its head"
    assert page.count('href="views/') >= 4
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert page.count("<svg") >= 1
    chapters = attlas.load_atlas(folder / "mini.attlas").manifest["chapters"]
    again = attlas.reproduce("vig2019", "mini", folder=folder, progress=False)
    assert attlas.load_atlas(folder / "mini.attlas").manifest["chapters"] == chapters, "nothing ran again"
    assert again.article.items == made.article.items


def test_recorded_attention_of_the_papers_model_is_asked_too(
    few_segments: list[str], shared: Path, tmp_path: Path
) -> None:
    maps = shared / "data/attention/bert-base-uncased_store_strawberries.npz"
    made = attlas.reproduce("vig2019", "mini", folder=tmp_path / "vig", recorded=[maps], progress=False)
    recorded = {item.place[:9]: item for item in made.article.recorded}
    best = {place: item.faithful.where for place, item in recorded.items() if item.faithful is not None}
    assert best["pattern 1"] == "2.0"
    assert best["pattern 4"] == "10.10"


@pytest.mark.parametrize(("paper", "place"), [("clark2019", "section 3.2"), ("kovaleva2019", "Figure 6")])
def test_recorded_attention_alone_answers_what_maps_can_show(
    shared: Path, tmp_path: Path, paper: str, place: str
) -> None:
    maps = shared / "data/attention/bert-base-uncased_store_strawberries.npz"
    made = attlas.reproduce(paper, maps, folder=tmp_path / "recorded", progress=False)  # type: ignore[arg-type]
    answered = [i for i in made.article.items if i.place == place and i.verdict != "not asked"]
    assert answered
    assert all(item.verdict == "holds" or "[SEP] gives nearly all" in item.what for item in answered)
    assert all(item.why == "by size alone: one text has no interval" for item in answered)


def test_recorded_attention_that_cannot_be_read_is_refused_before_anything_runs(tmp_path: Path) -> None:
    maps = tmp_path / "maps.npz"
    np.savez(maps, attention=np.full((1, 1, 2, 2), 0.5))
    with pytest.raises(attlas.AttlasError, match="has no tokens"):
        attlas.reproduce("vig2019", folder=tmp_path / "vig", recorded=[maps], progress=False)
    with pytest.raises(attlas.AttlasError, match="is a model, not recorded attention"):
        attlas.reproduce("vig2019", folder=tmp_path / "vig", recorded=[Path("mini")], progress=False)
    assert not (tmp_path / "vig").exists()


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(attlas.AttlasError, match="there is no such folder"):
        attlas.reproduce("clark2019", data=tmp_path / "no")


def test_a_task_is_trained_compared_and_disabled_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    examples = ["index\tsentence1\tsentence2\tlabel"]
    for i in range(8):
        label = ("entailment", "not_entailment")[i % 2]
        examples.append(f"{i}\tThe cat number {i} sat on the mat.\tA cat sat.\t{label}")
    for part in ("train", "dev"):
        file = tmp_path / f"data/glue/RTE/{part}.tsv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(examples) + "\n")
    small = paper_runs.Training("RTE", 8, 1, compared=4, disabled=2, settings={"batch": 8})
    monkeypatch.setattr(paper_runs, "plan_trainings", lambda *_: [small])
    monkeypatch.setattr(
        paper_runs,
        "plan_runs",
        lambda *_: [paper_runs.Run("patterns", "shapes", 1, {**SMALL, "needles": [0]})],
    )
    folder = tmp_path / "kovaleva"

    def stopped(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as interrupted:
        interrupted.setattr("transformers.Trainer.train", stopped)
        with pytest.raises(KeyboardInterrupt):
            attlas.reproduce("kovaleva2019", "mini", data=tmp_path / "data", folder=folder, progress=False)
    assert (folder / "models/RTE.part").is_dir(), "an unfinished training goes on"
    made = attlas.reproduce("kovaleva2019", "mini", data=tmp_path / "data", folder=folder, progress=False)
    trained = {item.what: item for item in made.article.items if item.what.startswith("RTE")}
    score = trained["RTE, fine-tuned: accuracy, beyond that of one answer to everything"]
    assert score.corrected is not None
    assert score.corrected.value in [12.5 * right for right in range(9)]
    assert "a small training run of 8 examples" in score.causes
    changed = trained[
        "RTE: fine-tuning changes the last two layers most: mean cosine of the others, less theirs"
    ]
    assert changed.corrected is not None
    assert any(what.startswith("RTE: disabling some head helps") for what in trained)
    model = (folder / "models/RTE/model.safetensors").stat().st_mtime_ns
    again = attlas.reproduce("kovaleva2019", "mini", data=tmp_path / "data", folder=folder, progress=False)
    assert (folder / "models/RTE/model.safetensors").stat().st_mtime_ns == model, "nothing is trained again"
    assert again.article.items == made.article.items


def test_an_atlas_of_another_model_is_refused_before_anything_runs(tmp_path: Path) -> None:
    atlas = tmp_path / "another.attlas"
    add_chapter(
        atlas, {"name": "another", "weights": "0" * 64, "heads": {"encoder": 1}}, Chapter("surface", {})
    )
    with pytest.raises(attlas.AttlasError, match="is an atlas of another model, another"):
        attlas.reproduce("vig2019", "mini", folder=tmp_path / "vig", atlas=atlas, progress=False)
    assert not (tmp_path / "vig").exists()
