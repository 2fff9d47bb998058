"""Checks of the long document in an atlas. Checksums find files that changed; these find files that were
wrong when they were written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.errors import AttlasError
from attlas.views.contract import SideName
from attlas.views.inputs import SIDES

Tokens = dict[SideName, list[str]]
_MOST = 1.01  # of a share: half precision rounds


class _DamageError(Exception):
    """What is wrong with the document."""


def tokens_of(atlas: Atlas, chapter: str) -> Tokens:
    """The tokens of each side, once everything that is kept of the document agrees with them."""
    try:
        return _check_document(_Document(atlas, chapter))
    except _DamageError as wrong:
        raise AttlasError(
            f"the document in {atlas.path or 'the atlas'} is damaged: {wrong}; map it again"
        ) from None


@dataclass(frozen=True)
class _Document:
    """What a chapter of an atlas keeps of the document."""

    atlas: Atlas
    chapter: str

    def array(self, name: str) -> NDArray[Any] | None:
        return self.atlas.array(name, self.chapter)


def _check_document(kept: _Document) -> Tokens:
    atlas = kept.atlas
    about, model = atlas.about(kept.chapter)["document"], atlas.manifest.get("model")
    _require(isinstance(about, dict), "the manifest does not describe it")
    _require(isinstance(model, dict) and isinstance(model.get("name"), str), "the manifest names no model")
    tile, long = about.get("tile"), about.get("tokens")
    _require(
        _is_whole(tile) and tile >= 1 and tile & (tile - 1) == 0, f"tiles of {tile!r} tokens, no power of two"
    )
    _require(_is_whole(long) and long >= 1, f"its number of tokens is {long!r}")
    _require(atlas.kinds, "the atlas has no heads")
    tokens = {
        side: _read_tokens(kept, side) for side in dict.fromkeys(s for k in atlas.kinds for s in SIDES[k])
    }
    longest = max(len(side) for side in tokens.values())
    _require(longest == long, f"it has {longest:,} tokens, and {long:,} by the manifest")
    for kind in atlas.kinds:
        queries, keys = (len(tokens[side]) for side in SIDES[kind])
        heads = _check_heads(kept, kind)
        name = f"{kind}.tiles"
        _check_shape(kept, name, (len(heads), -(-queries // tile), -(-keys // tile)))
        _check_shares(kept, name)
        if kept.array(f"{name}_first") is not None:
            _check_shape(kept, f"{name}_first", (len(heads), -(-queries // tile)))
            _check_shares(kept, f"{name}_first")
        _check_rows(kept, kind, heads, queries, keys)
    return tokens


def _read_tokens(kept: _Document, side: SideName) -> list[str]:
    tokens = kept.atlas.token_list(f"document.{side}", kept.chapter)
    _require(tokens, f"its tokens document.{side} are missing")
    return list(tokens or ())


def _check_heads(kept: _Document, kind: Kind) -> list[list[int]]:
    """Layer and head of each map, in the order of the tiles, which is that of the atlas."""
    heads: list[list[int]] = _read_array(kept, f"{kind}.heads").tolist()
    expected = [[head.layer, head.head] for head in kept.atlas.addresses if head.kind == kind]
    _require(heads == expected, f"{kind}.heads are not the heads of the atlas")
    _require(min(min(head) for head in heads) >= 0, f"{kind}.heads has places below 0")
    return heads


def _check_rows(kept: _Document, kind: Kind, heads: list[list[int]], queries: int, keys: int) -> None:
    """Check the strongest weights: three arrays, or none where no row fitted."""
    names = [f"{kind}.strongest_{what}" for what in ("heads", "keys", "weights")]
    if all(kept.array(name) is None for name in names):
        return
    having, columns = (_read_array(kept, name) for name in names[:2])
    known = {tuple(head) for head in heads}
    _require(having.ndim == 2 and having.shape[1] == 2, f"{names[0]} has shape {having.shape}")
    addresses = [tuple(row) for row in having.tolist()]
    _require(
        set(addresses) <= known and len(set(addresses)) == len(addresses),
        f"{names[0]} are not heads of the atlas, each once",
    )
    k = columns.shape[-1] if columns.ndim == 3 else 0
    _require(1 <= k <= keys, f"{names[1]} has shape {columns.shape}")
    for name in names[1:]:
        _check_shape(kept, name, (len(addresses), queries, k))
    _require(columns.dtype.kind in "iu", f"{names[1]} are not whole numbers")
    inside = columns.size == 0 or (columns.min() >= 0 and columns.max() < keys)
    _require(inside, f"{names[1]} has keys outside its {keys:,} tokens")
    _check_shares(kept, names[2])


def _read_array(kept: _Document, name: str) -> NDArray[Any]:
    array = kept.array(name)
    _require(array is not None, f"{name} is missing")
    assert array is not None
    return array


def _check_shape(kept: _Document, name: str, shape: tuple[int, ...]) -> None:
    stored_shape = _read_array(kept, name).shape
    _require(stored_shape == shape, f"{name} has shape {stored_shape}, not {shape}")


def _check_shares(kept: _Document, name: str) -> None:
    shares = _read_array(kept, name)
    _require(shares.dtype.kind == "f", f"{name} holds no shares")
    # NaN fails both comparisons
    within = shares.size == 0 or (shares.min() >= 0 and shares.max() <= _MOST)
    _require(within and bool(np.isfinite(shares).all()), f"{name} has shares that are not within 0 and 1")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _require(holds: Any, otherwise: str) -> None:
    if not holds:
        raise _DamageError(otherwise)
