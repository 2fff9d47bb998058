"""What the benchmark writes line by line becomes the tables of the docs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from planted import HEADS
from test_trees_fits import trainer

from attlas.studies.trees.fits import FEW_HEADS, Fit, TreeSettings, without_training

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_lines_become_tables_between_the_marks_of_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import trees_report

    ours = trainer(tmp_path, TreeSettings(seeds=2, epochs=1, rank=4))
    fits = [Fit("attention"), Fit("attention", 1), Fit("words"), Fit("attention", control=True)]
    fits += [Fit("attention", share=0.3), Fit("relations"), Fit("structural"), Fit(FEW_HEADS)]
    test = ours.parts["test"].trees
    outcomes = {**without_training(test), **{fit: ours.find(fit) for fit in fits}}
    about = {"ids": [list(t.id) for t in test], "sentences": {"train": 40, "dev": 10, "test": 12}}
    about |= {"too_long": 3, "known": 0.875, "heads": [1, HEADS], "initialise": ""}
    lines = [{"kind": "run", "epochs": 1}, {"kind": "model", "model": "some", **about}]
    for fit, outcome in outcomes.items():
        lines.append({"kind": "fit", "model": "some", "fit": fit._asdict(), "outcome": outcome.as_data()})
    path, docs = tmp_path / "lines.jsonl", tmp_path / "docs"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    docs.mkdir()
    (docs / "trees.md").write_text("before\n<!-- found: some -->\nold\n<!-- /found -->\nafter\n")
    monkeypatch.setattr(sys, "argv", ["trees_report.py", str(path), "--docs", str(docs)])
    trees_report.main()
    page = (docs / "trees.md").read_text(encoding="utf-8")
    assert page.startswith("before\n<!-- found: some -->\n\n| probe | paper's UAS | UAS |")
    assert page.endswith("<!-- /found -->\nafter\n")
    assert "old" not in page
    seeds = [outcomes[Fit("attention", seed)].tree for seed in (0, 1)]
    uas = 50 * sum(scored.uas for scored in seeds if scored is not None)
    control = 100 * outcomes[Fit("attention", control=True)].numbers["control"]
    row = next(line for line in page.splitlines() if line.startswith("| attention | 61 |"))
    assert f" {uas:.1f} |" in row
    assert f" {control:.1f} |" in row
    assert "40 sentences to train, 10 to choose, 12 to report; 3 longer than the window" in page
    assert "| trained on | 12 sentences | 40 sentences |" in page
    assert "| heads kept | 1 | 2 | 3 |" in page
    assert (docs / "images" / "trees-some.png").read_bytes().startswith(b"\x89PNG")
