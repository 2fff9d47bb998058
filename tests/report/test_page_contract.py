"""The contract with the report's page: its JSON schema, and a document that both sides read.

`ATTLAS_WRITE_FIXTURES=1 pytest tests/report/test_page_contract.py` writes the document anew after a change.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from fitting import check_report

from attlas.address import Head, Kind
from attlas.atlas import Atlas, add_chapter
from attlas.atlas.chapter import Chapter, Example
from attlas.reports.assembling import PackedReport, assemble
from attlas.row import Row

FIXTURE = Path(__file__).parent / "fixtures" / "tiny.json"
HEADS = [Head("encoder", layer, head) for layer in (0, 1) for head in (0, 1)]
TOKENS = ["[CLS]", "the", "straw", "##berries", "."]
MODEL: dict[str, Any] = {
    "name": "tiny",
    "class": "Tiny",
    "weights": "w" * 64,
    "config": "c" * 64,
    "dtype": "float32",
    "heads": {"encoder": 4},
    "layers": {"encoder": [2, 2]},
}


def tiny_atlas(folder: Path) -> Atlas:
    """Four heads that were mapped, named and disabled; the last one's attention to the previous token is not
    known, and its pattern was not asked for."""
    add_chapter(folder, MODEL, surface())
    add_chapter(folder, MODEL, patterns())
    return add_chapter(folder, MODEL, disabled())


def surface() -> Chapter:
    first, *_ = HEADS
    place = np.arange(4)
    return Chapter(
        "surface-x",
        {"study": "surface", "corpus": {"name": "x"}, "counts": {"segments": 10, "documents": 4}},
        [
            *rows("to_previous", "", [0.1, 0.9, 0.3]),
            *rows("entropy", "cls", [1, 1, 1, 1]),
            *rows("entropy", "all", [3, 1, 2, 2]),
        ],
        arrays={
            "encoder.heads": np.array([[head.layer, head.head] for head in HEADS]),
            "encoder.distances": np.abs(place[:, None] - place) / 10.0,
            "encoder.plane": np.stack([place / 4, 1 - place / 4], 1),
            "encoder.typical": np.tile(np.eye(5, dtype=np.float16)[None, None], (4, 1, 1, 1)),
            "encoder.typical_items": np.zeros((4, 1, 2), np.int64),
        },
        examples=[
            Example(first, 0.75, "random.0", 2, 1, sample="random"),
            Example(first, 0.5, "random.0", 3, 2, sample="step 4"),
        ],
        tokens={"random.0": TOKENS, "typical.0.0.encoder": TOKENS},
    )


def patterns() -> Chapter:
    named = [("none", 1.0), ("previous", 0.9), ("none", 1.0)]
    return Chapter(
        "patterns-x",
        {"study": "patterns", "corpus": {"name": "x"}},
        [
            Row(*parts(at), "pattern", name, sure, np.nan, 10, 4)
            for at, (name, sure) in zip(HEADS, named, strict=False)
        ],
    )


def disabled() -> Chapter:
    changes = [0.02, -0.01, 0.0, 0.005]
    table = pd.DataFrame(
        [
            {
                "kind": head.kind, "layer": head.layer, "head": head.head, "edit": "uniform", "score": "loss",
                "plain": 2.5, "disabled": 2.5 + change, "change": change, "low": change - 0.01,
                "high": change + 0.01, "p": 0.5, "n": 10, "documents": 4,
            }
            for head, change in zip(HEADS, changes, strict=True)
        ]
    )  # fmt: skip
    about = {"study": "disable", "corpus": {"name": "x"}, "settings": {"edit": "uniform"}}
    return Chapter("disable-x", about, rows("effect_on_loss", "uniform", changes), tables={"disabled": table})


def parts(head: Head) -> tuple[Kind, int, int]:
    return head.kind, head.layer, head.head


def rows(statistic: str, group: str, values: list[float]) -> list[Row]:
    return [
        Row(*parts(head), statistic, group, v, 0.01, 10, 4) for head, v in zip(HEADS, values, strict=False)
    ]


def tiny_report(folder: Path) -> PackedReport:
    """The document, without what changes from day to day or with every study that is added."""
    packed = assemble(replace(tiny_atlas(folder), path=Path("tiny.attlas")))
    packed.report["made"] |= {"attlas": "0", "when": "2026-11-16 07:48"}
    packed.report["missing"] = packed.report["missing"][:2]
    finder = packed.report["finder"]
    asked = {term for topic in finder["topics"] for term in topic["needs"]}
    finder["glossary"] = [term for term in finder["glossary"] if term["term"] in asked]
    return packed


def test_the_document_keeps_to_the_schema(tmp_path: Path) -> None:
    check_report(tiny_report(tmp_path / "tiny.attlas").report)


def test_the_fixture_is_what_python_sends_today(tmp_path: Path) -> None:
    packed = tiny_report(tmp_path / "tiny.attlas")
    sent = json.loads(json.dumps(packed.report))
    if os.environ.get("ATTLAS_WRITE_FIXTURES"):
        data = base64.b64encode(zlib.compress(packed.data, 9)).decode()
        FIXTURE.write_text(json.dumps({"report": sent, "data": data}, indent=1, ensure_ascii=False) + "\n")
    kept = json.loads(FIXTURE.read_text())
    assert kept["report"] == sent
    # compressors differ between machines, what they hold must not
    assert zlib.decompress(base64.b64decode(kept["data"])) == packed.data
