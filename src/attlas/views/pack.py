"""Attention as few bytes: every weight where that is small, else each row's strongest, a rest, and tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attlas.address import Head, Kind
from attlas.array_types import Floats32
from attlas.choices import MapKind
from attlas.errors import option
from attlas.options.view_options import ViewOptions
from attlas.views import contract
from attlas.views.block import Block
from attlas.views.contract import Attention, Layer, Norms, Vector, Vectors
from attlas.views.inputs import SIDES, HeadVectors, LayerMaps, Maps
from attlas.views.rows import (
    ROLLOUT_BUDGET,
    ROW_BYTES,
    PageDetail,
    Strongest,
    TiledMaps,
    detail_that_fits,
    strongest,
    tiles,
    weight_bytes,
)

VECTOR_BUDGET = 12 << 20  # bytes of vectors, where the neuron view was asked for
FREE_VECTORS = 6 << 20  # bytes of vectors that travel unasked, so that other views can go on to neurons


def pack(
    maps: Sequence[Maps], block: Block, options: ViewOptions | None = None
) -> tuple[list[Attention], list[str]]:
    """Headers of all maps, their weights added to the block, and what the page must say about it."""
    heads = {
        Head(kind_maps.attention, layer.layer, head): layer.shape[1:]
        for kind_maps in maps
        for layer in kind_maps.layers
        for head in layer.heads
    }
    order = (options or ViewOptions()).first(list(heads))
    kept = detail_that_fits(heads, order)
    maps = [
        replace(
            kind_maps,
            layers=[
                _reduce_layer(layer, kind_maps.attention, kept, kind_maps.shares)
                for layer in kind_maps.layers
            ],
        )
        for kind_maps in maps
    ]
    with_vectors, notes = _choose_vector_layers(
        [layer for kind_maps in maps for layer in kind_maps.layers], order[0].layer
    )
    notes += _note_left_out(maps)
    attentions: list[Attention] = []
    for kind_maps in maps:
        layers = [
            _pack_layer(layer, layer in with_vectors, kind_maps.signed, block) for layer in kind_maps.layers
        ]
        attentions.append(_describe_attention(kind_maps, kind_maps.attention, layers))
        if not kind_maps.shares:
            notes.append(_note_scores(kind_maps))
    attentions += [
        rollout for kind_maps in maps if (rollout := _pack_rollout(kind_maps, kept.k, block)) is not None
    ]
    return attentions, notes


def _describe_attention(maps: Maps, name: MapKind, layers: list[Layer]) -> Attention:
    queries, keys = SIDES[maps.attention]
    return {
        "attention": name,
        "queries": queries,
        "keys": keys,
        "causal": maps.causal,
        "shares": maps.shares,
        "signed": maps.signed,
        "layers": layers,
    }


def _pack_rollout(maps: Maps, k: int | None, block: Block) -> Attention | None:
    """The rollouts of all layers, as maps of one head each; None where some layer has none."""
    rolled = [layer.rollout for layer in maps.layers if layer.rollout is not None]
    if len(rolled) < len(maps.layers) or len(rolled) < 2:
        return None
    queries, keys = maps.shape
    if k is not None:
        fits = (ROLLOUT_BUDGET // (len(rolled) * queries) - ROW_BYTES) // weight_bytes(keys)
        k = max(4, min(fits, 64, keys))
    layers = []
    for layer, whole in zip(maps.layers, rolled, strict=True):
        weights = whole[None]
        rows = weights if k is None else strongest(weights, k)
        layers.append(_pack_layer(LayerMaps(layer.layer, [0], rows), False, False, block))
    name: MapKind = "encoder rollout" if maps.attention == "encoder" else "decoder rollout"
    return _describe_attention(maps, name, layers)


def _note_scores(maps: Maps) -> str:
    both = "scores above and below 0" if maps.signed else "numbers"
    return (
        f"The rows of this {maps.attention} attention do not sum to 1: they are drawn as the {both} "
        "that they are, and what heads do on this text is not summed up."
    )


def quantise(weights: Floats32, scale: Floats32, signed: bool = False) -> NDArray[Any]:
    """Bytes of weights: 255 times the square root of weight over scale (see contract.py)."""
    root = np.sqrt(np.abs(weights) / np.where(scale > 0, scale, 1))
    if signed:
        return np.asarray((np.rint(127 * root).clip(0, 127) * np.sign(weights)).astype(np.int8))
    return np.asarray(np.rint(255 * root).clip(0, 255).astype(np.uint8))


def _reduce_layer(layer: LayerMaps, kind: Kind, kept: PageDetail, shares: bool) -> LayerMaps:
    """Whole maps as far as the page has room; a layer that was reduced before stays unmodified."""
    if kept.k is None or isinstance(layer.weights, Strongest):
        return layer
    if kept.size is None or kept.with_rows is None:
        return replace(layer, weights=strongest(layer.weights, kept.k, shares))
    having = [head for head in layer.heads if Head(kind, layer.layer, head) in kept.with_rows]
    rows = strongest(layer.weights[[layer.heads.index(head) for head in having]], kept.k, shares)
    squares = tiles(layer.weights, kept.size, shares)
    return replace(layer, weights=rows, tiles=squares, with_rows=having, vectors=None)


def _note_left_out(maps: Sequence[Maps]) -> list[str]:
    """Notes for a page of a long input: which rows it has, and how to choose others."""
    layers = [(kind_maps.attention, layer) for kind_maps in maps for layer in kind_maps.layers]
    k = next(
        (layer.weights.weights.shape[2] for _, layer in layers if isinstance(layer.weights, Strongest)), 0
    )
    size = next((layer.tiles.size for _, layer in layers if layer.tiles is not None), None)
    if not k:
        return []
    if size is None:
        return [
            f"Long input: each row keeps its {k} strongest weights; the others are shown as one rest. "
            "Fewer layers or heads (include_layers, include_heads) keep more."
        ]
    afar = f"Long input: from afar, tiles of {size:,} x {size:,} tokens"
    without = sum(len(layer.heads) - len(_heads_with_rows(layer)) for _, layer in layers)
    if not without:
        return [f"{afar}; each row keeps its {k} strongest weights, and the others are shown as one rest."]
    having = [Head(kind, layer.layer, head) for kind, layer in layers for head in _heads_with_rows(layer)]
    names = ", ".join(head.write(len(maps) > 1) for head in having[:8])
    more = f" and {len(having) - 8} more" if len(having) > 8 else ""
    rows = f"rows of {names}{more} keep their {k} strongest weights" if having else "no rows are kept"
    shown, included = (
        f"{option(layers)} and {option(heads)}"
        for layers, heads in (("layer", "heads"), ("include_layers", "include_heads"))
    )
    choose = f"{shown}, or {included}, choose whose rows are kept"
    return [f"{afar}; {rows}. The other heads have tiles only: {choose}."]


def _heads_with_rows(layer: LayerMaps) -> list[int]:
    """The heads whose rows are there."""
    return layer.heads if layer.with_rows is None else layer.with_rows


def _pack_layer(maps: LayerMaps, with_vectors: bool, signed: bool, block: Block) -> Layer:
    rows = maps.weights
    weights = rows.weights if isinstance(rows, Strongest) else rows  # head query key, or head query k
    scale = np.abs(weights).max(axis=(1, 2), keepdims=True, initial=0)
    tops = _row_tops(rows, scale) if isinstance(rows, Strongest) else None
    of_row = scale if tops is None else scale * (tops[..., None] / 65535) ** 2
    layer: Layer = {
        "layer": maps.layer,
        "heads": maps.heads,
        "scale": [float(s) for s in scale.ravel()],
        "weights": block.add(quantise(weights, of_row, signed)),
    }
    if isinstance(rows, Strongest) and tops is not None:
        layer["tops"] = block.add(tops)
        layer["columns"] = block.add(rows.columns.astype(np.uint16 if rows.keys <= 1 << 16 else np.uint32))
        layer["rest"] = block.add(quantise(rows.rest, np.ones_like(rows.rest)))
    if maps.tiles is not None:
        layer["tiles"] = _pack_tiles(maps.tiles, block)
    if maps.with_rows is not None:
        layer["with_rows"] = maps.with_rows
    if with_vectors and maps.vectors is not None:
        layer["vectors"] = _pack_vectors(maps.vectors, block)
    if maps.value_norms is not None:
        layer["value_norms"] = _pack_norms(maps.value_norms, block)
    return layer


def _pack_norms(norms: Floats32, block: Block) -> Norms:
    scale = norms.max(axis=1, keepdims=True)
    integers = np.rint(norms / np.where(scale > 0, scale, 1) * 255).astype(np.uint8)
    return {"values": block.add(integers), "scale": [float(s) for s in scale.ravel()]}


def _pack_tiles(maps: TiledMaps, block: Block) -> contract.Tiles:
    shares = maps.shares.copy()
    if maps.first is not None:  # apart, and finer: what is left beside a sink is little
        shares[..., 0] = np.maximum(shares[..., 0] - maps.first, 0)
    scale = shares.max(axis=(1, 2), keepdims=True)
    tiles: contract.Tiles = {
        "shares": block.add(quantise(shares, scale)),
        "scale": [float(s) for s in scale.ravel()],
        "size": maps.size,
    }
    if maps.first is not None:
        tiles["first"] = block.add(np.rint(65535 * maps.first.clip(0, 1)).astype(np.uint16))
    return tiles


def _row_tops(rows: Strongest, scale: Floats32) -> NDArray[np.uint16]:
    """head query: each row's largest weight. Rows of causal heads differ by orders of magnitude."""
    share = np.abs(rows.weights[..., 0]) / np.where(scale > 0, scale, 1)[..., 0]
    tops: NDArray[np.uint16] = np.rint(65535 * np.sqrt(share)).astype(np.uint16)
    return tops


def _choose_vector_layers(layers: Sequence[LayerMaps], first: int) -> tuple[list[LayerMaps], list[str]]:
    """The layers whose vectors fit the budget, the chosen layer before all others."""
    having = [layer for layer in layers if layer.vectors is not None]
    chosen: list[LayerMaps] = []
    left = VECTOR_BUDGET
    for layer in sorted(having, key=lambda layer: (layer.layer != first, layer.layer)):
        assert layer.vectors is not None
        left -= 2 * sum(v.size for v in (layer.vectors.query, layer.vectors.key, layer.vectors.value))
        if left < 0 and chosen:
            break
        chosen.append(layer)
    if len(chosen) == len(having):
        return chosen, []
    kept = ", ".join(str(layer.layer) for layer in sorted(chosen, key=lambda layer: layer.layer))
    return chosen, [
        f"Long input: the neuron view has the vectors of layer {kept} only; include_layers chooses others."
    ]


def _pack_vectors(vectors: HeadVectors, block: Block) -> Vectors:
    return {
        "scaling": float(vectors.scaling),
        "query": _pack_vector(vectors.query, block),
        "key": _pack_vector(vectors.key, block),
        "value": _pack_vector(vectors.value, block),
    }


def _pack_vector(values: Floats32, block: Block) -> Vector:
    scale = np.abs(values).max(axis=(1, 2), keepdims=True)
    integers = np.rint(values / np.where(scale > 0, scale, 1) * 32767).astype(np.int16)
    return {"values": block.add(integers), "scale": [float(s) for s in scale.ravel()]}
