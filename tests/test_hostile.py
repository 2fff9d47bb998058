"""What strangers write is read or refused in one line, whatever it is: nothing else is raised, and nothing is
written outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import attlas
from attlas.errors import AttlasError
from attlas.headvis.read_headvis import read_headvis
from hostile_json import called, cases, spoilt, spoilt_documents

#: a tree of HeadVis, small and good
HEADVIS: dict[str, Any] = {
    "config.json": {
        "model_name": "tiny",
        "dataset_name": "texts",
        "n_sequences": 3,
        "pipeline_config": {"actual_sequences_processed": 3},
    },
    "scatter_data.json": [
        {"layer": 0, "head": 0, "self_attention_score": 0.5, "pattern_entropy": 1.0, "qk_distance": 2.0},
        {"layer": 0, "head": 1, "self_attention_score": 0.1, "pattern_entropy": 0.5, "qk_distance": 1.0},
    ],
    "heads/L0H0.json": {
        "sequences": [
            {
                "sequence_id": 0,
                "interval": 5,
                "tokens": ["The", " old", " town"],
                "attention_indices": [4, 7],
                "attention_values": [0.5, 0.25],
                "seq_len": 3,
                "max_activation": 0.5,
            }
        ],
        "top_query_tokens": [{"token": " old", "weight": 0.5}],
        "top_key_tokens": [{"token": " old", "weight": 0.75}],
    },
}


def assert_one_line(error: AttlasError) -> None:
    said = str(error)
    assert said, "it says nothing"
    assert "\n" not in said
    assert len(said) < 2000, f"{len(said):,} characters is no line"


def write_headvis(folder: Path, **files: str) -> Path:
    for name, document in HEADVIS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(files.get(name, json.dumps(document)))
    return folder


@pytest.mark.parametrize("case", cases("headvis"), ids=called)
def test_a_hostile_headvis_folder(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, here, precious = tmp_path / "a" / "hv", tmp_path / "a" / "here", tmp_path / "precious.html"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    precious.write_text("precious")
    write_headvis(folder, **{case["file"]: spoilt(HEADVIS[case["file"]], case)})
    if case.get("accepted"):
        written = attlas.report(str(folder)).page
        assert written.resolve().parent == here, "a name in a file became a path"
        assert written.read_text().startswith("<!doctype html>")
    else:
        with pytest.raises(AttlasError) as refused:
            attlas.report(str(folder))
        assert_one_line(refused.value)
        assert str(folder) in str(refused.value)
    assert precious.read_text() == "precious"
    assert {path.parent for path in tmp_path.rglob("*.html") if path != precious} <= {here}


_QUICK = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@_QUICK
@given(tree=spoilt_documents(HEADVIS))
def test_any_headvis_folder_is_read_or_refused(tree: Any, tmp_path: Path) -> None:
    written = {
        name: json.dumps(tree[name]) if isinstance(tree, dict) and name in tree else "" for name in HEADVIS
    }
    try:
        read_headvis(write_headvis(tmp_path / "hv", **written))
    except AttlasError as error:
        assert_one_line(error)
