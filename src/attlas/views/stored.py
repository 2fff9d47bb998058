"""The long document that an atlas keeps, as maps to view: no model runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from attlas.address import Head, Kind
from attlas.atlas import Atlas
from attlas.errors import AttlasError, option
from attlas.reducers.document import LONG, rows_that_fit

from .contract import SideName
from .document_checks import tokens_of
from .inputs import SIDES, LayerMaps, Maps
from .model import Looked
from .rows import LONG_BUDGET, ROW_BYTES, Strongest, TiledMaps, weight_bytes
from .view_options import ViewOptions


def look(atlas: Atlas, options: ViewOptions) -> tuple[Looked, ViewOptions]:
    """What the atlas kept of its longest segment; where nothing is chosen, a head that has rows is."""
    chapter = atlas.chapter_with(about="document")
    if chapter is None:
        raise AttlasError(
            f"{atlas.path or 'the atlas'} keeps no document to view: attlas map keeps the longest segment "
            f"where it has more than {LONG:,} tokens ({option('length')})"
        )
    tokens = tokens_of(atlas, chapter)
    wanted = [head for head in atlas.addresses if options.includes(head.layer, head.head)]
    if not wanted:
        raise AttlasError(f"{atlas.path or 'the atlas'} has none of the layers and heads asked for")
    stored = [
        head
        for kind in atlas.kinds
        for head in _heads(atlas, chapter, kind, "strongest_heads")
        if head in wanted
    ]
    options = _chosen(options, wanted, stored)
    kept, k = _that_fit(stored, tokens, options)
    keys = [atlas.arrays[f"{chapter}/{head.kind}.strongest_keys"] for head in stored]
    k = min(k, *(array.shape[2] for array in keys)) if stored else k
    kinds = dict.fromkeys(h.kind for h in wanted)
    maps = [_maps(atlas, chapter, kind, wanted, kept, k, tokens) for kind in kinds]
    return Looked(maps, tokens, None), options


def _heads(atlas: Atlas, chapter: str, kind: Kind, name: str) -> list[Head]:
    rows = atlas.array(f"{kind}.{name}", chapter)
    return [] if rows is None else [Head(kind, int(layer), int(head)) for layer, head in rows]


def _chosen(options: ViewOptions, wanted: Sequence[Head], stored: Sequence[Head]) -> ViewOptions:
    attention = options.attention or wanted[0].kind
    first = next((head for head in stored if head.kind == attention), None)
    if first is None or options.layer is not None or options.heads is not None:
        return options
    return replace(options, layer=first.layer, heads=[first.head])


def _that_fit(
    stored: Sequence[Head], tokens: Mapping[SideName, Sequence[str]], options: ViewOptions
) -> tuple[list[Head], int]:
    """The heads whose stored rows a page has room for, and how much of each row."""
    if not stored:
        return [], 1
    queries = {head.kind: len(tokens[SIDES[head.kind][0]]) for head in stored}
    longest = max(len(side) for side in tokens.values())
    k, kept = rows_that_fit(options.first(stored), queries, LONG_BUDGET, weight_bytes(longest), ROW_BYTES)
    return kept, k


def _maps(
    atlas: Atlas,
    chapter: str,
    kind: Kind,
    wanted: Sequence[Head],
    kept: Sequence[Head],
    k: int,
    tokens: Mapping[SideName, Sequence[str]],
) -> Maps:
    every, stored = (_heads(atlas, chapter, kind, name) for name in ("heads", "strongest_heads"))
    queries, keys = (len(tokens[side]) for side in SIDES[kind])
    size = int(atlas.about(chapter)["document"]["tile"])
    layers = []
    for layer in dict.fromkeys(head.layer for head in wanted if head.kind == kind):
        heads = [head for head in wanted if (head.kind, head.layer) == (kind, layer)]
        having = [head for head in heads if head in kept]
        places = [every.index(head) for head in heads]
        shares = atlas.arrays[f"{chapter}/{kind}.tiles"][places].astype(np.float32)
        first = atlas.array(f"{kind}.tiles_first", chapter)
        layers.append(
            LayerMaps(
                layer,
                [head.head for head in heads],
                _strongest(atlas, chapter, kind, [stored.index(head) for head in having], k, queries, keys),
                tiles=TiledMaps(shares, size, None if first is None else first[places]),
                with_rows=[head.head for head in having],
            )
        )
    return Maps(kind, layers)


def _strongest(
    atlas: Atlas, chapter: str, kind: Kind, places: Sequence[int], k: int, queries: int, keys: int
) -> Strongest:
    if not places:
        return Strongest.none(queries, k, keys)
    columns, weights = (
        atlas.arrays[f"{chapter}/{kind}.strongest_{name}"][places, :, :k] for name in ("keys", "weights")
    )
    return Strongest.of(columns, weights.astype(np.float32), keys)
