"""The table of what holds in which model is made from what reproductions left."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def claims() -> ModuleType:
    spec = importlib.util.spec_from_file_location("claims", DOCS / "claims.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_what_the_runs_found(claims: ModuleType) -> None:
    page = claims.PAGE.read_text()
    assert claims.written(page) == page, "python docs/claims.py writes it anew"


def _item(**changed: Any) -> dict[str, Any]:
    plain = {"place": "Table 1", "what": "a claim", "corrected": 0.5, "faithful": 0.4, "unit": "share"}
    return {**plain, "verdict": "same direction", **changed}


def test_a_cell_has_the_verdict_and_the_number(claims: ModuleType) -> None:
    assert claims.cell(_item()) == "holds (0.500)"
    assert claims.cell(_item(corrected=None)) == "holds (0.400)"
    assert claims.cell(_item(verdict="differs: cause known", unit="percent")) == "differs (0.5)"
    assert claims.cell(_item(verdict="data missing", corrected=None, faithful=None)) == "–"


def test_models_stand_beside_each_other_and_recorded_attention_by_itself(claims: ModuleType) -> None:
    recorded = _item(place="Table 1, on recorded attention of bert", verdict="undecided")
    runs = [
        {"paper": "vig2019", "model": "mini", "items": [_item(), recorded]},
        {
            "paper": "vig2019",
            "model": "model",
            "items": [_item(verdict="differs"), _item(what="unasked", verdict="data missing")],
        },
    ]
    assert claims.claims("vig2019", runs) == {
        ("Table 1", "a claim"): {
            "mini": "holds (0.500)",
            "BERT-base, recorded": "undecided (0.500)",
            "MiniLM": "differs (0.500)",
        }
    }
