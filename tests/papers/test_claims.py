"""The table of what holds in which model is made from what reproductions left."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

RESEARCH = Path(__file__).parents[2] / "research"


@pytest.fixture(scope="module")
def claims() -> ModuleType:
    spec = importlib.util.spec_from_file_location("claims", RESEARCH / "claims.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_what_the_runs_found(claims: ModuleType) -> None:
    page = claims.PAGE.read_text()
    assert claims.written(page) == page, "python research/claims.py writes it anew"


def test_the_text_counts_what_the_tables_count(claims: ModuleType) -> None:
    text = (claims.PAGE.parent / "papers.md").read_text()
    for total in re.findall(r"\*\*(\d+ of \d+)\*\*", claims.PAGE.read_text()):
        assert total in text, f"the tables have {total}"


def _item(**changed: Any) -> dict[str, Any]:
    plain = {"place": "Table 1", "what": "a claim", "corrected": 0.5, "faithful": 0.4, "unit": "share"}
    return {**plain, "verdict": "holds", **changed}


def test_a_cell_has_the_verdict_and_the_number(claims: ModuleType) -> None:
    assert claims.cell(_item()) == "holds (0.500)"
    assert claims.cell(_item(corrected=None)) == "holds (0.400)"
    assert claims.cell(_item(verdict="does not hold", unit="percent")) == "does not hold (0.5)"
    assert claims.cell(_item(verdict="not asked", corrected=None, faithful=None)) == "–"


def test_a_cell_says_what_a_decoder_cannot_be_asked_and_where_its_first_token_stands_in(
    claims: ModuleType,
) -> None:
    unasked = _item(verdict="not asked", why="cannot be asked of a decoder: it does not look ahead")
    assert claims.cell(unasked) == "cannot be asked: it does not look ahead"
    rests = _item(detail="a decoder has no [SEP]: the first token stands in its place")
    assert claims.cell(rests) == "holds (0.500, first token)"
    too = _item(verdict="not asked", why=claims.UNTRAINED_TOO)
    assert claims.cell(too) == "not asked: an untrained model does so, too"
    cells = {("Table 1", "a"): {"SmolLM2": "holds (1)"}, ("Table 1", "b"): {"SmolLM2": "cannot be asked: it"}}
    assert claims.held(cells, "SmolLM2") == "**1 of 1**"


def test_models_stand_beside_each_other_and_recorded_attention_by_itself(claims: ModuleType) -> None:
    recorded = _item(place="Table 1, on recorded attention of bert", verdict="undecided")
    runs = [
        {"paper": "vig2019", "model": "mini", "items": [_item(), recorded]},
        {
            "paper": "vig2019",
            "model": "minilm",
            "items": [_item(verdict="does not hold"), _item(what="unasked", verdict="not asked")],
        },
    ]
    assert claims.claims(runs) == {
        ("Table 1", "a claim"): {
            "mini": "holds (0.500)",
            "BERT-base, recorded": "undecided (0.500)",
            "MiniLM": "does not hold (0.500)",
        }
    }
