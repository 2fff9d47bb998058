"""Annotated maps as the network learns from them: targets, variants, and plain shapes beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import torch
from annotate import alone, weights_of
from torch import Tensor

from attlas.studies.shapes.network import SHAPES
from attlas.studies.shapes.pictures import SIZE, drawn, pictures_of

DATA = Path(__file__).parent.parent / "src" / "attlas" / "data" / "shapes"
DRAWN = 500  # plain shapes, to learn from beside the labelled maps
VARIANTS = 24  # of every map, drawn before training
Array = npt.NDArray[Any]


def read(path: Path = DATA / "maps.parquet") -> tuple[pd.DataFrame, list[Tensor]]:
    frame = pd.read_parquet(path)
    return frame, [torch.from_numpy(weights_of(row)).float() for row in frame.itertuples()]


def targets(frame: pd.DataFrame) -> Tensor:
    """map shape: the settled shape; what an annotator saw instead keeps a sixth."""
    settled = np.stack([frame["shape"] == shape for shape in SHAPES], 1)
    seen = (alone(frame), frame["other"])
    votes = np.stack([sum((one == shape) * 0.5 for one in seen) for shape in SHAPES], 1)
    return torch.from_numpy((2 * settled + votes) / 3).float()


def variants(maps: list[Tensor], frame: pd.DataFrame, count: int, seed: int) -> Tensor:
    """variant map SIZE SIZE: the map itself, then as it might have been with other words."""
    rng = np.random.default_rng(seed)
    causal = (frame["kind"] == "decoder").to_numpy()
    # what a block would look like to a decoder was never labelled
    lines = ("vertical", "diagonal", "vertical+diagonal")
    cut = np.isin(frame["shape"], lines) if "shape" in frame else np.zeros(len(frame), bool)
    found = [torch.stack([pictures_of(m[None])[0] for m in maps])]
    for _ in range(count - 1):
        varied = [
            _varied(m, bool(is_causal), bool(may_cut), rng)
            for m, is_causal, may_cut in zip(maps, causal, cut, strict=True)
        ]
        found.append(torch.stack(varied))
    return torch.stack(found)


def _varied(weights: Tensor, causal: bool, may_cut: bool, rng: np.random.Generator) -> Tensor:
    """Tokens are stretched and squeezed, read backwards or as a decoder would, weights sharpened or flattened
    and made unsteady."""
    n = len(weights)
    noise = torch.from_numpy(rng.lognormal(0, rng.uniform(0, 0.3), (n, n))).float()
    varied = (weights * noise) ** rng.uniform(0.8, 1.3)
    if not causal and rng.random() < 0.5:
        varied = varied.flip(0, 1)
    varied = varied / varied.sum(-1, keepdim=True)
    if not causal and may_cut and rng.random() < 0.25:
        before = varied.tril()
        if float(before.sum() / n) > 0.6:  # most of what it attends to comes before
            varied = before / before.sum(-1, keepdim=True).clamp(min=1e-9)
    cover = _stretched(n, rng)
    return drawn(cover @ varied @ cover.T)


def _stretched(n: int, rng: np.random.Generator) -> Tensor:
    """cell token: like `cover`, with tokens of uneven widths, the same for queries and keys."""
    knots = rng.lognormal(0, 0.35, 5)
    widths = np.interp(np.linspace(0, 4, n), np.arange(5), knots)
    ends = np.cumsum(widths) / widths.sum() * SIZE
    starts = np.concatenate([[0], ends[:-1]])
    cells = np.arange(SIZE)[:, None]
    shared = np.minimum(cells + 1, ends) - np.maximum(cells, starts)
    return torch.from_numpy(np.clip(shared, 0, None)).float()


def textbook(seed: int) -> tuple[Tensor, Tensor]:
    """map SIZE SIZE, map shape: plain shapes as one would draw them, at all lengths, to learn from beside the
    labelled maps, so that what is plain is told whatever the length. Nothing is judged on them."""
    rng = np.random.default_rng(seed)
    found, shapes = [], rng.integers(len(SHAPES), size=DRAWN)
    for shape in shapes:
        n = round(np.exp(rng.uniform(np.log(10), np.log(300))))
        causal = bool(rng.random() < 0.4) and SHAPES[shape] != "block"
        weights = rng.lognormal(0, rng.uniform(0, 0.6), (n, n)) * rng.uniform(0.02, 0.4) / n
        weights = _plain(SHAPES[shape], weights, causal, rng)
        weights = np.tril(weights) if causal else weights
        weights /= weights.sum(-1, keepdims=True)
        found.append(pictures_of(torch.from_numpy(weights)[None])[0])
    return torch.stack(found), torch.eye(len(SHAPES))[torch.from_numpy(shapes)]


def _plain(shape: str, weights: Array, causal: bool, rng: np.random.Generator) -> Array:
    n = len(weights)
    if "vertical" in shape:
        places = np.unique([0 if rng.random() < 0.6 else rng.integers(n // 3 if causal else n) for _ in "ab"])
        weights[:, places] += rng.uniform(0.4, 1) / len(places)
    if "diagonal" in shape:
        offset = int(rng.integers(-1, 1 if causal else 2))
        rows = np.arange(n)
        weights[rows, np.clip(rows + offset, 0, n - 1)] += rng.uniform(0.4, 1)
    if shape == "block":
        border = int(rng.integers(n // 4, n - n // 4))
        weights[:border, :border] += rng.uniform(1, 3) / n
        weights[border:, border:] += rng.uniform(1, 3) / n
    return weights
