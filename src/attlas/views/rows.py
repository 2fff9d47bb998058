"""Rows of weights: whole, or their strongest alone; and what a head's rows say of it in short."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BUDGET = 3 << 20  # bytes of weights in a page: with base64 and the bundle it stays under 5 MB
LEAST_K, MOST_K = 4, 64
_SAMPLED = 64


@dataclass(frozen=True, eq=False)
class Strongest:
    """The k largest weights of every row, largest first, and what the other keys of the row share."""

    columns: NDArray[np.intp]  # head query k
    weights: Floats  # head query k
    rest: Floats  # head query
    keys: int


def top_k(shapes: list[tuple[int, int, int]]) -> int | None:
    """How many weights of each row fit the budget, given [head, query, key] of all layers; None: all do."""
    if sum(heads * queries * keys for heads, queries, keys in shapes) <= BUDGET:
        return None
    rows = sum(heads * queries for heads, queries, _ in shapes)
    k = int((BUDGET / rows - 3) / 3)  # a weight of one byte and a column of two; top and rest of three a row
    return min(max(k, LEAST_K), MOST_K, *(keys for _, _, keys in shapes))


def strongest(weights: Floats, k: int) -> Strongest:
    """Keep the k largest weights of each row."""
    columns = np.argpartition(weights, -k, axis=-1)[..., -k:]
    values = np.take_along_axis(weights, columns, axis=-1)
    order = np.argsort(-values, axis=-1, kind="stable")
    values = np.take_along_axis(values, order, axis=-1)
    rest = np.clip(weights.sum(axis=-1) - values.sum(axis=-1), 0, 1)
    return Strongest(np.take_along_axis(columns, order, axis=-1), values, rest, weights.shape[-1])


def together(blocks: list[Strongest]) -> Strongest:
    """Blocks of queries of the same heads, one after the other."""
    return Strongest(
        np.concatenate([block.columns for block in blocks], axis=1),
        np.concatenate([block.weights for block in blocks], axis=1),
        np.concatenate([block.rest for block in blocks], axis=1),
        blocks[0].keys,
    )


def measures(weights: Floats, start: int, self_attention: bool) -> dict[str, Floats]:
    """Mean per head over these rows, of which the first is row `start` of the map."""
    rows, keys = weights.shape[1:]
    # evenly spaced rows are enough to order heads by; short texts use them all
    some = weights[:, np.linspace(0, rows - 1, min(_SAMPLED, rows)).astype(int)]
    logs = np.log(some, where=some > 0, out=np.zeros_like(some))
    result = {
        "entropy": -(some * logs).sum(axis=-1).mean(axis=-1),
        "strongest weight": some.max(axis=-1).mean(axis=-1),
        "first token": weights[:, :, 0].mean(axis=-1),
    }
    if self_attention:
        for name, offset in (("self", 0), ("previous", -1), ("next", 1)):
            if rows == keys == 1 and offset:
                continue
            result[name] = np.diagonal(weights, start + offset, 1, 2).sum(axis=-1) / rows
    return result
