"""What is kept of a long document: tiles of every head, and the strongest weights of every row of some heads.

The weights themselves, tokens x tokens of them, are never held. A tile is a square of neighbouring tokens;
its share is the mean over its queries of the weight they put on its keys, so that a row of tiles sums to 1.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from attlas.address import Head, Kind

if TYPE_CHECKING:
    from attlas.corpora.batches import Batch
    from attlas.subject import Subject
    from attlas.tap.call import Call
    from attlas.tap.lazy_weights import LazyWeights

Floats = NDArray[np.float32]

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

    A weight takes so many bytes, and a row so many besides. All heads where a few weights of each row fit.
    """
    k = (budget // sum(queries[head.kind] for head in heads) - row) // weight
    k = min(k, MOST_K) if k >= LEAST_K else USUAL_K
    kept, left = [], budget
    for head in heads:
        left -= queries[head.kind] * (row + k * weight)
        if left < 0:
            break
        kept.append(head)
    return k, kept


def shares(look: LazyWeights, size: int) -> Floats:
    """head row column, of a batch of one."""
    sums: Floats = look.tiles(size)[0].float().cpu().numpy()
    return sums / queries_in_tiles(look.shape[2], size)[:, None]


def queries_in_tiles(queries: int, size: int) -> Floats:
    """How many queries each row of tiles has; the last may have fewer."""
    return np.minimum(size, queries - np.arange(0, queries, size)).astype(np.float32)


def strongest(look: LazyWeights, heads: Sequence[int], k: int) -> tuple[NDArray[np.int32], Floats]:
    """The keys and weights (head query k) of these heads of a batch of one, largest first."""
    weights, keys = look.strongest(k)
    return keys[0, heads].int().cpu().numpy(), weights[0, heads].float().cpu().numpy()


def watch(
    subject: Subject, batch: Batch, see: Callable[[Kind, int, LazyWeights], None], kernel: str | None = None
) -> None:
    """Run the model over a batch of one, and show every attention call as it passes."""
    from attlas.tap import Tap, capture
    from attlas.tap.lazy_weights import LazyWeights

    if not subject.interface:
        for captured in capture(subject, batch):
            see(captured.kind, captured.layer, LazyWeights.over(captured.weights[None]))
        return

    def listen(call: Call) -> None:
        see(call.kind, call.layer, LazyWeights.at(call))

    with Tap(subject, kernel=kernel, listener=listen) as tap:
        tap.run(batch)


def stored(
    subject: Subject, batch: Batch, heads: Sequence[Head], size: int, kernel: str | None
) -> dict[str, NDArray[Any]]:
    """The arrays of a batch of one as an atlas holds them: its tokens, tiles of all heads, and the strongest
    weights of the rows of as many heads as fit, the first of `heads` first."""
    queries = {kind: batch.queries(kind).real.shape[1] for kind in subject.kinds}
    k, having = rows_that_fit(heads, queries, STORED_ROWS, STORED_BYTES)
    tiles: dict[tuple[Kind, int], NDArray[np.float16]] = {}
    rows: dict[Head, tuple[NDArray[np.int32], NDArray[np.float16]]] = {}

    def see(kind: Kind, layer: int, look: LazyWeights) -> None:
        tiles[kind, layer] = shares(look, size).astype(np.float16)
        here = [h for h in having if (h.kind, h.layer) == (kind, layer)]
        if here:
            keys, weights = strongest(look, [h.head for h in here], k)
            rows.update({h: (keys[i], weights[i].astype(np.float16)) for i, h in enumerate(here)})

    watch(subject, batch, see, kernel)
    arrays: dict[str, NDArray[Any]] = {
        f"{name}.tokens": np.frombuffer(
            json.dumps(subject.strings(side), ensure_ascii=False).encode(), np.uint8
        )
        for name, side in batch.sides.items()
    }
    for kind in subject.kinds:
        arrays[f"{kind}.tiles"] = np.concatenate([tiles[at] for at in sorted(tiles) if at[0] == kind])
        if own := [head for head in having if head.kind == kind]:
            arrays[f"{kind}.strongest_heads"] = np.array([(h.layer, h.head) for h in own])
            arrays[f"{kind}.strongest_keys"] = np.stack([rows[h][0] for h in own])
            arrays[f"{kind}.strongest_weights"] = np.stack([rows[h][1] for h in own])
    return arrays
