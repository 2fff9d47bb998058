"""Annotated maps as the network learns from them: targets, variants, and plain shapes beside them."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import torch
from annotate import alone, weights_of
from shape_workers import Workers
from torch import Tensor

from attlas.studies.shapes.network import SHAPES, SIZE, draw_cells, pictures_of

DATA = Path(__file__).parent / "shapes"
JUDGED = DATA / "maps.parquet"
TO_LEARN_FROM = DATA / "more_maps.parquet"  # labelled maps of other passages, which nothing is judged on
DRAWN = 500  # plain shapes, to learn from beside the labelled maps
VARIANTS, FEWER = 24, 8  # of every map, drawn before training; those with tokens left out
VARIANTS_UNLABELLED = 16
Array = npt.NDArray[Any]


@cache
def read(path: Path = JUDGED) -> tuple[pd.DataFrame, list[Tensor]]:
    frame = pd.read_parquet(path)
    return frame, [torch.from_numpy(weights_of(row)).float() for row in frame.itertuples()]


def targets(frame: pd.DataFrame) -> Tensor:
    """map shape: the settled shape; what an annotator saw instead keeps a sixth."""
    settled = np.stack([frame["shape"] == shape for shape in SHAPES], 1)
    seen = (alone(frame), frame["other"])
    votes = np.stack([sum((labels == shape) * 0.5 for labels in seen) for shape in SHAPES], 1)
    return torch.from_numpy((2 * settled + votes) / 3).float()


def variants(workers: Workers, path: Path, count: int, fewer: int, seed: int) -> Tensor:
    """variant map SIZE SIZE: the map itself, then as it might have been with other words; `fewer` more after
    them, of which tokens are left out."""
    variant = partial(_variant, path=path, whole=count, seed=seed)
    return torch.stack(workers.map(variant, range(count + fewer)))


def _variant(number: int, *, path: Path, whole: int, seed: int) -> Tensor:
    """map SIZE SIZE: one variant of every map, the first `whole` with all tokens."""
    frame, maps = read(path)
    if number == 0:
        return torch.stack([pictures_of(m[None])[0] for m in maps])
    rng = np.random.default_rng([seed, number])
    causal = frame["kind"] == "decoder"
    # what a block would look like to a decoder was never labelled
    lines = ("vertical", "diagonal", "vertical+diagonal")
    cut = frame["shape"].isin(lines) if "shape" in frame else pd.Series(False, frame.index)
    pictures = []
    for weights, is_causal, may_cut in zip(maps, causal, cut, strict=True):
        kept = weights if number < whole else _with_fewer_tokens(weights, rng)
        pictures.append(_varied(kept, bool(is_causal), bool(may_cut), rng))
    return torch.stack(pictures)


def _with_fewer_tokens(weights: Tensor, rng: np.random.Generator) -> Tensor:
    """Without up to a third of the tokens: neither the first nor the last, nor the four that get most."""
    n = len(weights)
    gone = rng.random(n) < rng.uniform(0, 1 / 3)
    gone[[0, n - 1, *weights.sum(0).topk(4).indices.tolist()]] = False
    left = torch.from_numpy(np.flatnonzero(~gone))
    fewer = weights[left][:, left]
    total = fewer.sum(-1, keepdim=True)
    return fewer / total if bool((total > 0.1).all()) else weights  # a row may have looked at those alone


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
    return draw_cells(cover @ varied @ cover.T)


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
    pictures, shapes = [], rng.integers(len(SHAPES), size=DRAWN)
    for shape in shapes:
        n = round(np.exp(rng.uniform(np.log(10), np.log(300))))
        causal = bool(rng.random() < 0.4) and SHAPES[shape] != "block"
        weights = rng.lognormal(0, rng.uniform(0, 0.6), (n, n)) * rng.uniform(0.02, 0.4) / n
        weights = _plain(SHAPES[shape], weights, causal, rng)
        weights = np.tril(weights) if causal else weights
        weights /= weights.sum(-1, keepdims=True)
        pictures.append(pictures_of(torch.from_numpy(weights)[None])[0])
    return torch.stack(pictures), torch.eye(len(SHAPES))[torch.from_numpy(shapes)]


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
