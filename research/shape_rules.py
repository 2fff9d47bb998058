"""Three thresholds that tell shapes apart: what the network is compared with."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sklearn.metrics import f1_score
from torch import Tensor

Array = npt.NDArray[Any]


def measures(maps: list[Tensor]) -> Array:
    """map 3: what the rules look at. Weight on the three best columns, on the diagonal and its neighbours,
    and in the two squares of the best border, each beyond what even attention under the same mask gives."""
    rows = []
    for weights in maps:
        seen = weights > 0 if bool(weights.triu(1).abs().sum() == 0) else torch.ones_like(weights)
        even = seen / seen.sum(-1, keepdim=True)
        n = len(weights)
        band = (torch.arange(n)[:, None] - torch.arange(n)).abs() <= 1
        parts = [_columns(weights), float(weights[band].sum() / n), _squares(weights)]
        chance = [_columns(even), float(even[band].sum() / n), _squares(even)]
        rows.append([(a - c) / max(1e-6, 1 - c) for a, c in zip(parts, chance, strict=True)])
    return np.array(rows)


def _columns(weights: Tensor) -> float:
    return float(weights.mean(0).topk(3).values.sum())


def _squares(weights: Tensor) -> float:
    n = len(weights)
    inside = [
        min(float(weights[:b, :b].sum() / b), float(weights[b:, b:].sum() / (n - b)))
        for b in range(max(2, n // 8), n - max(2, n // 8) + 1)
    ]
    return max(inside)


def ruled(measured: Array, thresholds: tuple[float, ...]) -> Array:
    """The rule: whatever is beyond its threshold; vertical and diagonal before block."""
    vertical, diagonal, block = (measured > np.array(thresholds)).T
    return np.select([vertical & diagonal, vertical, diagonal, block], [2, 0, 1, 3], 4)


def fit_rule(measured: Array, right: Array) -> tuple[float, ...]:
    grid = product(np.arange(0.05, 0.8, 0.05), np.arange(0.05, 0.8, 0.05), np.arange(0.1, 0.9, 0.1))
    return max(grid, key=lambda t: f1_score(right, ruled(measured, t), average="macro"))
