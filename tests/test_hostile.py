"""What strangers write is read or refused in one line, whatever it is: nothing else is raised, and nothing is
written outside."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import attlas
from attlas.atlas import disk, load_atlas
from attlas.errors import AttlasError
from attlas.headvis.read_headvis import read_headvis
from attlas.subject import Subject, load
from attlas.tap.tap import capture
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
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
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


# models


@pytest.fixture(scope="module")
def tiny(mini: Subject, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a small model, as transformers saves it."""
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    config = transformers.BertConfig(**shape, vocab_size=len(mini.tokenizer), max_position_embeddings=32)
    folder = tmp_path_factory.mktemp("tiny") / "model"
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    mini.tokenizer.save_pretrained(folder)
    return folder


def spoilt_model(tiny: Path, folder: Path, name: str, text: str) -> Path:
    """A copy of the model with one of its files replaced."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(tiny, folder, copy_function=os.link)
    (folder / name).unlink()
    (folder / name).write_text(text)
    return folder


def read_model(folder: Path) -> None:
    subject = load(folder, device="cpu")
    assert capture(subject, subject.encode("The old town."))


@pytest.mark.parametrize("case", cases("models"), ids=called)
def test_a_hostile_model(case: dict[str, Any], tiny: Path, tmp_path: Path) -> None:
    document = json.loads((tiny / case["file"]).read_text())
    folder = spoilt_model(tiny, tmp_path / "model", case["file"], spoilt(document, case))
    if case.get("accepted"):
        read_model(folder)
        return
    with pytest.raises(AttlasError) as refused:
        read_model(folder)
    assert_one_line(refused.value)


#: numbers of a size that memory may just hold would be tried
SMALL = {
    "architectures": ["BertForMaskedLM"], "model_type": "bert", "hidden_act": "gelu", "layer_norm_eps": 1e-12,
    "initializer_range": 0.02, "pad_token_id": 0, "tie_word_embeddings": True, "is_decoder": False,
    "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1, "transformers_version": "5.0.0",
    "bos_token_id": None, "dtype": "float32", "use_cache": True, "id2label": {"0": "a"},
    "rope_parameters": {},
}  # fmt: skip


@settings(_QUICK, max_examples=25)
@given(changed=spoilt_documents(SMALL))
def test_any_config_is_loaded_or_refused(changed: Any, tiny: Path, tmp_path: Path) -> None:
    whole = json.loads((tiny / "config.json").read_text())
    sizes = {k: v for k, v in whole.items() if k not in SMALL}
    document = {**changed, **sizes} if isinstance(changed, dict) else changed
    try:
        read_model(spoilt_model(tiny, tmp_path / "model", "config.json", json.dumps(document)))
    except AttlasError as error:
        assert_one_line(error)


# atlases


@pytest.fixture(scope="module")
def atlas(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("atlas") / "tiny.attlas"
    attlas.map(tiny, atlas=out, segments=2, length=8, sample=0, twin=False, progress=False)
    return out


@settings(_QUICK, max_examples=30)
@given(data=st.data())
def test_any_manifest_is_read_or_refused(data: st.DataObject, atlas: Path, tmp_path: Path) -> None:
    """With a checksum that fits: whoever writes the rest can write that."""
    manifest = json.loads((atlas / "manifest.json").read_text())
    changed = data.draw(spoilt_documents(manifest))
    folder = tmp_path / "a.attlas"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(atlas, folder, copy_function=os.link)
    (folder / "manifest.json").unlink()
    if isinstance(changed, dict):
        with suppress(KeyError, TypeError, ValueError):
            changed = {**changed, "checksum": disk._checksum(changed)}
    (folder / "manifest.json").write_text(json.dumps(changed))
    try:
        load_atlas(folder)
        attlas.show(folder).as_data()
    except AttlasError as error:
        assert_one_line(error)
