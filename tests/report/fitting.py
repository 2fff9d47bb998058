"""Does a document keep to the contract with the page?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SCHEMA = Path(__file__).parents[2] / "web" / "contract" / "report.schema.json"


def check_report(report: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    jsonschema.validate(json.loads(json.dumps(report)), json.loads(SCHEMA.read_text()))
