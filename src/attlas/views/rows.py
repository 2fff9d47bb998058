"""Rows of weights: whole, or their strongest alone, or tiles; and rows followed down through the layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attlas.address import Head
from attlas.array_types import Floats32
from attlas.reducers.document import LEAST_K, LONG, MOST_K, queries_in_tiles, rows_that_fit, tile_size

ROW_BYTES = 3  # of a row's largest weight and its rest
BUDGET = 12 << 20  # bytes of weights in a page, before they are compressed
LONG_BUDGET = 12 << 20  # bytes of rows where there are tiles as well
MOST_UNTILED = 8192  # tokens; of more, rows alone are too little to see from afar
ROLLOUT_BUDGET = 1 << 18  # bytes of rollouts, where not all of them fit
MOST_ROLLED = 1024  # tokens; a rollout multiplies whole maps
FAINTEST = 1e-9  # what is divided by is at least this
# a row that leaves less than this beside the first key is not scaled up to 1: next to nothing would look like
# all that the token does
LEAST_LEFT = 0.05


def row_divisor(left: Floats32) -> Floats32:
    """What to divide the weights beside the first key by: their sum, or 1 where that is next to nothing."""
    return np.where(left < LEAST_LEFT, np.float32(1), left)


@dataclass(frozen=True, eq=False)
class Strongest:
    """The k largest weights of every row, largest first, and what the other keys of the row share."""

    columns: NDArray[np.integer]  # head query k
    weights: Floats32  # head query k
    rest: Floats32  # head query
    keys: int

    @staticmethod
    def of(columns: NDArray[np.integer], weights: Floats32, keys: int) -> Strongest:
        """What is left of 1 is the rest; an attention sink is part of it."""
        return Strongest(columns, weights, np.clip(1 - weights.sum(axis=-1), 0, 1), keys)

    @staticmethod
    def none(queries: int, k: int, keys: int) -> Strongest:
        """An empty row, for a layer of whose heads no rows are kept."""
        weights = np.zeros((0, queries, k), np.float32)
        return Strongest(weights.astype(np.int32), weights, weights[..., 0], keys)


@dataclass(frozen=True, eq=False)
class TiledMaps:
    """Squares of `size` x `size` tokens: the mean over a square's queries of the weight on its keys."""

    shares: Floats32  # head row column
    size: int
    first: Floats32 | None = None  # head row: what a row puts on the first key; older atlases lack it

    def without_first(self) -> Floats32:
        """head row column: the share of each tile in what its row puts on other keys than the first."""
        assert self.first is not None
        left = self.shares.copy()
        left[..., 0] = np.maximum(left[..., 0] - self.first, 0)
        return np.asarray(left / row_divisor(1 - self.first)[..., None])

    def mean_first(self, queries: int, causal: bool) -> Floats32:
        """head: what a head puts on the first key, the mean over the queries that can look elsewhere."""
        assert self.first is not None
        total = (self.first * queries_in_tiles(queries, self.size)).sum(axis=-1)
        return np.asarray((total - causal) / max(1, queries - causal))


@dataclass(frozen=True)
class PageDetail:
    """What a page keeps of each head."""

    k: int | None = None  # weights of a row; None: all of them
    size: int | None = None  # tokens on a side of a tile; None: no tiles
    with_rows: frozenset[Head] | None = None  # the heads whose rows are kept; None: all


def detail_that_fits(shapes: Mapping[Head, tuple[int, int]], order: Sequence[Head]) -> PageDetail:
    """What fits a page, given the queries and keys of every head; rows go to the first of `order` first."""
    k = top_k([(1, queries, keys) for queries, keys in shapes.values()])
    if k is None:
        return PageDetail()
    most = max(max(shape) for shape in shapes.values())
    rows = sum(queries for queries, _ in shapes.values())
    fits = rows * (k * weight_bytes(most) + ROW_BYTES) <= BUDGET
    if most <= LONG or (fits and most <= MOST_UNTILED):
        return PageDetail(k)
    queries = {head.kind: shape[0] for head, shape in shapes.items()}
    k, kept = rows_that_fit(order, queries, LONG_BUDGET, weight_bytes(most), ROW_BYTES)
    fewest = min(keys for _, keys in shapes.values())
    return PageDetail(min(k, fewest), tile_size(most, len(shapes)), frozenset(kept))


def weight_bytes(keys: int) -> int:
    """The bytes of one of a row's strongest weights: the weight and its column."""
    return 3 if keys <= 1 << 16 else 5


def top_k(shapes: list[tuple[int, int, int]]) -> int | None:
    """How many weights of each row fit the budget, given [head, query, key] of all layers; None: all do."""
    if sum(heads * queries * keys for heads, queries, keys in shapes) <= BUDGET:
        return None
    rows = sum(heads * queries for heads, queries, _ in shapes)
    k = int((BUDGET / rows - ROW_BYTES) / weight_bytes(max(keys for _, _, keys in shapes)))
    return min(max(k, LEAST_K), MOST_K, *(keys for _, _, keys in shapes))


def strongest(weights: Floats32, k: int, shares: bool = True) -> Strongest:
    """Keep the k largest weights of each row: of scores, those farthest from 0, and no rest."""
    size = np.abs(weights)
    columns = np.argpartition(size, -k, axis=-1)[..., -k:]
    order = np.argsort(-np.take_along_axis(size, columns, axis=-1), axis=-1, kind="stable")
    columns = np.take_along_axis(columns, order, axis=-1)
    values = np.take_along_axis(weights, columns, axis=-1)
    rest = (
        np.clip(weights.sum(axis=-1) - values.sum(axis=-1), 0, 1) if shares else np.zeros_like(values[..., 0])
    )
    return Strongest(columns, values, rest, weights.shape[-1])


def tiles(weights: Floats32, size: int, shares: bool = True) -> TiledMaps:
    """Whole maps (head query key) as tiles; of scores, nothing is known of the first key alone."""
    _, queries, keys = weights.shape
    down: Floats32 = np.add.reduceat(weights, np.arange(0, queries, size), axis=1)
    sums: Floats32 = np.add.reduceat(down, np.arange(0, keys, size), axis=2)
    count = queries_in_tiles(queries, size)
    first = np.divide(down[..., 0], count, dtype=np.float32)
    return TiledMaps(sums / count[:, None], size, first if shares else None)


def roll_out(mean: Floats32, below: Floats32 | None) -> Floats32:
    """The attention rollout of a layer (Abnar and Zuidema 2020): its sources, through all layers so far.

    The mean of its heads' maps (query key) is mixed half and half with the identity, for the residual stream,
    and multiplied with the rollout below it. Rows still sum to 1.
    """
    mixed = 0.5 * mean + 0.5 * np.eye(len(mean), dtype=np.float32)
    return mixed if below is None else np.asarray(mixed @ below)
