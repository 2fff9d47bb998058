"""What is kept of a long document: tiles of every head, and the strongest weights of every row of some heads.

The weights themselves, tokens x tokens of them, are never held. A tile is a square of neighbouring tokens;
its share is the mean over its queries of the weight they put on its keys, so that a row of tiles sums to 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attlas.address import Head, Kind
from attlas.array_types import Floats32
from attlas.errors import AttlasError
from attlas.reducers.reducer import State
from attlas.tap.lazy_weights import LazyWeights
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

LONG = 1024  # tokens; a document of more is worth tiles
MOST_TILES = 256  # on a side
TILE_CELLS = 4 << 20  # tiles of all heads together
LEAST_K, USUAL_K, MOST_K = 4, 8, 64
STORED_BYTES = 4 + 2  # of a strong weight in an atlas: its key, and itself
STORED_ROWS = 56 << 20  # bytes of the strongest weights in an atlas; the tiles take 8 MiB at most


def tile_size(tokens: int, heads: int) -> int:
    """Tokens on a side of a tile: the power of two that leaves few enough tiles."""
    most = min(MOST_TILES, math.isqrt(TILE_CELLS // heads))
    return 1 << max(0, math.ceil(math.log2(tokens / most)))


def rows_that_fit(
    heads: Sequence[Head], queries: Mapping[Kind, int], budget: int, weight: int, row: int = 0
) -> tuple[int, list[Head]]:
    """How many weights of a row, and of which heads, the first of `heads` first.

    `weight` is the bytes of a weight, `row` those of a row besides. All heads where a few weights of each row
    fit."""
    k = (budget // sum(queries[head.kind] for head in heads) - row) // weight
    k = min(k, MOST_K) if k >= LEAST_K else USUAL_K
    kept, left = [], budget
    for head in heads:
        left -= queries[head.kind] * (row + k * weight)
        if left < 0:
            break
        kept.append(head)
    return k, kept


def shares(weights: LazyWeights, size: int) -> tuple[Floats32, Floats32]:
    """The tiles of a batch of one (head row column), and what their rows put on the first key (head row)."""
    sums = weights.tiles(size)
    tiles: Floats32 = sums.tiles[0].float().cpu().numpy()
    first: Floats32 = sums.first[0].float().cpu().numpy()
    queries = queries_in_tiles(weights.shape[2], size)
    return np.divide(tiles, queries[:, None], dtype=np.float32), np.divide(first, queries, dtype=np.float32)


def queries_in_tiles(queries: int, size: int) -> Floats32:
    """How many queries each row of tiles has; the last may have fewer."""
    return np.minimum(size, queries - np.arange(0, queries, size)).astype(np.float32)


def strongest(weights: LazyWeights, heads: Sequence[int], k: int) -> tuple[NDArray[np.int32], Floats32]:
    """The keys and weights (head query k) of these heads of a batch of one, largest first."""
    values, keys = weights.strongest(k)
    return keys[0, heads].int().cpu().numpy(), values[0, heads].float().cpu().numpy()


class LongDocument:
    """What an atlas keeps of one long item: tiles of all heads, and the strongest weights of the rows of as
    many heads as fit, the first of `heads` first. Half precision, since it is for looking at."""

    name = "document"
    needs = Needs(lazy_weights=True)

    def __init__(self, heads: Sequence[Head], tokens: int) -> None:
        self.tile = tile_size(tokens, len(heads))
        kinds = {head.kind for head in heads}
        self.k, self.having = rows_that_fit(heads, dict.fromkeys(kinds, tokens), STORED_ROWS, STORED_BYTES)
        self.kept: dict[str, NDArray[Any]] = {}  # kind.layer.what -> head ...; item -> document, place

    def update(self, observation: Observation) -> None:
        self._only(np.array(observation.batch.ids, np.int64))
        for call in observation.calls:
            weights = call.lazy_weights
            assert weights is not None
            at = f"{call.kind}.{call.layer}"
            tiles, first = shares(weights, self.tile)
            self.kept[f"{at}.tiles"] = tiles.astype(np.float16)
            self.kept[f"{at}.tiles_first"] = first
            here = [h.head for h in self.having if (h.kind, h.layer) == (call.kind, call.layer)]
            if here:
                keys, values = strongest(weights, here, self.k)
                self.kept[f"{at}.keys"] = keys
                self.kept[f"{at}.weights"] = values.astype(np.float16)

    def _row(self, head: Head) -> int:
        """Its place among the heads of its layer that are kept."""
        return [h for h in self.having if (h.kind, h.layer) == (head.kind, head.layer)].index(head)

    def _only(self, items: NDArray[Any]) -> None:
        """Tiles are of one document without padding: two would silently become the last."""
        if len(items) > 1 or not np.array_equal(self.kept.setdefault("item", items), items):
            raise AttlasError("tiles are kept of one document alone")

    def merge(self, other: LongDocument) -> None:
        if other.kept:
            self._only(other.kept["item"])
        self.kept |= other.kept

    def state(self) -> State:
        return dict(self.kept)

    def restore(self, state: State) -> None:
        self.kept = dict(state)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays as an atlas has them: `kind.tiles` (head tile tile), `kind.tiles_first` (head
        tile), `kind.strongest_heads` (head 2), `kind.strongest_keys` and `kind.strongest_weights` (head query
        k)."""
        arrays: dict[str, NDArray[Any]] = {}
        layers: dict[str, list[int]] = {}
        for key in self.kept:
            if key.endswith(".tiles"):
                kind, layer, _ = key.split(".")
                layers.setdefault(kind, []).append(int(layer))
        for kind, numbers in layers.items():
            for what in ("tiles", "tiles_first"):
                parts = [self.kept[f"{kind}.{n}.{what}"] for n in sorted(numbers)]
                arrays[f"{kind}.{what}"] = np.concatenate(parts)
            having = [h for h in self.having if h.kind == kind]  # the first of them first
            if having:
                arrays[f"{kind}.strongest_heads"] = np.array([(h.layer, h.head) for h in having])
                for what in ("keys", "weights"):
                    rows = [self.kept[f"{kind}.{h.layer}.{what}"][self._row(h)] for h in having]
                    arrays[f"{kind}.strongest_{what}"] = np.stack(rows)
        return arrays
