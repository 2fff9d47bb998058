"""`attlas reproduce`: a folder with a page and a table, from studies that an atlas keeps."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import attlas
from attlas.papers import runs as paper_runs

SMALL = {"segments": 4, "length": 24, "repeated": 2, "hidden": 0, "maps": 0}


@pytest.fixture
def few_segments(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Reproductions of a few segments; the verbs that were asked for."""
    asked: list[str] = []
    whole = paper_runs.runs

    def small(*args: Any) -> list[paper_runs.Run]:
        made = [replace(run, options=SMALL) if run.verb == "patterns" else run for run in whole(*args)]
        asked.extend(run.verb for run in made)
        return made

    monkeypatch.setattr(paper_runs, "runs", small)
    return asked


def test_a_paper_is_reproduced_into_a_folder(few_segments: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "vig"
    made = attlas.reproduce("vig2019", "mini", folder=folder, progress=False)
    assert few_segments == ["patterns", "vig2019"]
    rows = list(csv.DictReader((folder / "items.csv").read_text().splitlines()))
    assert [row["place"] for row in rows] == [f"pattern {i}" for i in range(1, 7) for _ in range(2)]
    assert {row["verdict"] for row in rows} <= {"same direction", "undecided", "not comparable"}
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


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(attlas.AttlasError, match="there is no such folder"):
        attlas.reproduce("clark2019", data=tmp_path / "no")
