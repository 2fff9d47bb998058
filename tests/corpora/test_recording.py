"""Attention that somebody else computed: what a file of it is known by."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import attlas
from attlas.errors import AttlasError


def test_other_tokens_beside_a_recording_make_it_another_one(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", attention=np.full((1, 2, 3, 3), 1 / 3, np.float32))
    beside = tmp_path / "tokens.json"
    beside.write_text(json.dumps({"x": ["a", "b", "a"]}))
    first = attlas.map(tmp_path / "x.npz", out=tmp_path / "a", progress=False)
    assert attlas.map(tmp_path / "x.npz", out=tmp_path / "a", resume=True, progress=False).chapters == (
        first.chapters
    )
    beside.write_text(json.dumps({"x": ["a", "b", "b"]}))
    with pytest.raises(AttlasError, match="other settings"):
        attlas.map(tmp_path / "x.npz", out=tmp_path / "a", resume=True, progress=False)
