"""Attention that somebody else computed: what a file of it is known by, and what is not attention."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import attlas
from attlas import view
from attlas.corpora.recording import Recording, check_attention
from attlas.errors import AttlasError
from attlas.studies.patterns.patterns_of_maps import patterns_of_maps
from attlas.studies.shapes.shapes_study import shapes_of

TOKENS = ["a", "b", "c", "d"]


def test_other_tokens_beside_a_recording_make_it_another_one(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", attention=np.full((1, 2, 3, 3), 1 / 3, np.float32))
    beside = tmp_path / "tokens.json"
    beside.write_text(json.dumps({"x": ["a", "b", "a"]}))
    first = attlas.map(tmp_path / "x.npz", atlas=tmp_path / "a", progress=False)
    assert attlas.map(tmp_path / "x.npz", atlas=tmp_path / "a", resume=True, progress=False).chapters == (
        first.chapters
    )
    beside.write_text(json.dumps({"x": ["a", "b", "b"]}))
    with pytest.raises(AttlasError, match="other settings"):
        attlas.map(tmp_path / "x.npz", atlas=tmp_path / "a", resume=True, progress=False)


def from_file(maps: Any, folder: Path) -> None:
    np.savez(folder / "x.npz", attention=maps[None], tokens=np.array(TOKENS))
    Recording.read(folder / "x.npz").weights(0)


READERS: dict[str, Callable[[Any, Path], object]] = {
    "file": from_file,
    "patterns": lambda maps, _: patterns_of_maps(maps[None], TOKENS),
    "shapes": lambda maps, _: shapes_of(maps),
    "view": lambda maps, _: view(maps[None], TOKENS),
}


@pytest.mark.parametrize("reader", READERS)
def test_all_that_take_maps_agree_on_what_attention_is(reader: str, tmp_path: Path) -> None:
    even = np.full((2, 4, 4), 0.25)  # map query key
    READERS[reader](even * 1.015, tmp_path)
    below, unknown = even.copy(), even.copy()
    below[1, 3] = [-0.5, 0.5, 0.5, 0.5]
    unknown[1, 2, 0] = np.nan
    for maps, said in (
        (even * 1.04, r"row 0 of (map 0|head 0\.0) sums to 1\.04 with least weight 0\.26"),
        (below, r"row 3 of (map 1|head 0\.1) sums to 1 with least weight -0\.5"),
        (unknown, r"row 2 of (map 1|head 0\.1) holds what is not a number"),
    ):
        with pytest.raises(
            AttlasError, match=f"{said}, but rows must hold weights from 0 to 1 that sum to 1"
        ):
            READERS[reader](maps, tmp_path)


@pytest.mark.parametrize("length", [7, 100, 1500])
def test_a_softmax_in_bfloat16_is_attention(length: int) -> None:
    """The least exact that models are run in: exponential, sum and division are each rounded."""
    scores = torch.randn(2, 8, length, generator=torch.Generator().manual_seed(length)).bfloat16()
    raised = (scores - scores.amax(-1, keepdim=True)).exp()
    check_attention((raised / raised.sum(-1, keepdim=True)).float().numpy())
