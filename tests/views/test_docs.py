"""The docs and the notebook keep their word."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from attlas.views import rows

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "views.md").read_text(encoding="utf-8")


def test_the_notebook_runs(monkeypatch):
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    monkeypatch.chdir(ROOT / "examples")
    names: dict[str, object] = {}
    for cell in json.loads(Path("views.ipynb").read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert (names["shown"].widget.layer, names["shown"].widget.heads) == (7, [0])
    names["shown"].widget.close()


def test_the_docs_example_of_bert_runs_and_its_heads_do_what_is_said(monkeypatch, bert):
    monkeypatch.chdir(ROOT)
    exec(re.search(r"```python\n(import numpy.*?)```", DOCS, re.DOTALL)[1], {})
    after = bert[2, 0].diagonal(1)
    assert after.mean() > 0.85
    assert bert[7, 3][:, [7, 18]].sum(-1).mean() > 0.85
    assert bert[2, 1, 15, 16] > 0.7
    assert bert[2, 1, 16, 15] > 0.7
    assert bert[10, 10, 10, 5] > 0.85


def test_the_pictures_in_the_docs_are_there():
    for name in re.findall(r"\]\((images/[^)]+)\)", DOCS):
        assert (ROOT / "docs" / name).is_file()


def test_every_trait_is_in_the_docs():
    widget = pytest.importorskip("attlas.views.widget", reason="anywidget is not installed")
    for name in widget.SELECTION:
        assert f"`{name}`" in DOCS


def test_the_numbers_of_what_is_kept_are_the_ones_in_the_code():
    assert rows.BUDGET == 12 << 20
    assert (rows.LEAST_K, rows.MOST_K) == (4, 64)
    for heads, tokens in ((144, 295), (1, 3547)):
        assert rows.top_k([(heads, tokens, tokens)]) is None
        assert rows.top_k([(heads, tokens + 1, tokens + 1)]) is not None
