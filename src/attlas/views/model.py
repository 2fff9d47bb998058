"""A model and a text: run it once under the tap and keep what a view shows, a layer at a time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from attlas.reducers import document
from attlas.tap import watch
from attlas.address import Head
from attlas.errors import AttlasError

from .choice import Choice
from .contract import ATTENTION_KINDS, AttentionKind, SideName
from .inputs import SIDES, HeadVectors, LayerMaps, Maps, as_array
from .pack import FREE_VECTORS, VECTOR_BUDGET
from .rows import SAMPLED, Floats, Strongest, Tiles, measures, plan

if TYPE_CHECKING:
    from attlas.subject import Subject
    from attlas.tap.call import Call
    from attlas.tap.lazy_weights import LazyWeights

_BLOCK_CELLS = 1 << 26  # weights computed at once where all are kept: 256 MB


@dataclass(frozen=True)
class Looked:
    """What one pass over a text showed."""

    maps: list[Maps]
    tokens: dict[SideName, list[str]]
    b_start: int | None


def look(
    subject: Subject,
    text: str,
    text_b: str | None = None,
    *,
    choice: Choice,
    include_layers: Collection[int] | None = None,
    include_heads: Collection[int] | None = None,
) -> Looked:
    """Run the model over the text. Memory grows with the length of the text, not with its square.

    Vectors are kept where they are asked for, and where those of all layers are small anyway.
    """
    batch = subject.encode(text, text_b)
    tokens: dict[SideName, list[str]] = {
        side: subject.strings(batch.sides[side]) for side in ("encoder", "decoder") if side in batch.sides
    }
    keep = _Keep(subject, tokens, choice, include_layers, include_heads)
    watch(subject, batch, keep.see)
    maps = [Maps(kind, sorted(layers, key=lambda layer: layer.layer)) for kind, layers in keep.kept().items()]
    return Looked(maps, tokens, _second_text(subject, text, text_b))


class _Keep:
    """Keeps the wanted heads of each call as it passes: whole where they fit a page, else the strongest."""

    def __init__(
        self,
        subject: Subject,
        tokens: dict[SideName, list[str]],
        choice: Choice,
        include_layers: Collection[int] | None,
        include_heads: Collection[int] | None,
    ) -> None:
        wanted = [
            head
            for head in subject.heads
            if (include_layers is None or head.layer in include_layers)
            and (include_heads is None or head.head in include_heads)
        ]
        if not wanted:
            most = {kind: max(h.layer for h in subject.heads if h.kind == kind) for kind in subject.kinds}
            raise AttlasError(
                f"{subject.name} has none of the layers and heads asked for: its layers are "
                + ", ".join(f"0 to {layer} ({kind})" for kind, layer in most.items())
            )
        self.wanted = wanted
        self.seen: dict[AttentionKind, list[LayerMaps]] = {
            kind: [] for kind in ATTENTION_KINDS if any(head.kind == kind for head in wanted)
        }
        lengths = {kind: (len(tokens[SIDES[kind][0]]), len(tokens[SIDES[kind][1]])) for kind in self.seen}
        order = choice.first(wanted)
        self.plan = plan({head: lengths[head.kind] for head in wanted}, order)
        self.first_layer = order[0].layer
        self.vectors = choice.kind == "neuron"
        if self.vectors and self.plan.size is not None:
            longest = max(max(pair) for pair in lengths.values())
            raise AttlasError(f"{longest:,} tokens are too many for the neuron view: choose the matrix view")
        self.vector_bytes = 0

    def see(self, kind: AttentionKind, layer: int, look: LazyWeights) -> None:
        """One attention call: its rows, its tiles, and its vectors while they fit."""
        heads = [head.head for head in self.wanted if (head.kind, head.layer) == (kind, layer)]
        if heads:
            self.seen[kind].append(self._layer(kind, layer, heads, look))

    def _layer(self, kind: AttentionKind, layer: int, heads: list[int], look: LazyWeights) -> LayerMaps:
        k, size, with_rows = self.plan.k, self.plan.size, self.plan.with_rows
        vectors = self._vectors(look.call, heads) if look.call is not None and size is None else None
        if k is None:
            weights = _whole(look, heads)
            return LayerMaps(layer, heads, weights, measures(weights, 0, kind != "cross"), vectors)
        having = heads if with_rows is None else [h for h in heads if Head(kind, layer, h) in with_rows]
        tiles = None if size is None else Tiles(document.shares(look, size)[heads], size)
        return LayerMaps(
            layer,
            heads,
            _strongest(look, having, k),
            _sampled(look, heads, kind != "cross"),
            vectors,
            tiles,
            None if with_rows is None else having,
        )

    def kept(self) -> dict[AttentionKind, list[LayerMaps]]:
        """All layers; without vectors where nobody asked and some layers' did not fit."""
        if self.vectors or self.vector_bytes <= FREE_VECTORS:
            return self.seen
        return {
            kind: [replace(layer, vectors=None) for layer in layers] for kind, layers in self.seen.items()
        }

    def _vectors(self, call: Call, heads: Sequence[int]) -> HeadVectors | None:
        query, key, value = (
            as_array(t[0, heads]) for t in (call.query, call.per_head(call.key), call.per_head(call.value))
        )
        size = 2 * (query.size + key.size + value.size)
        self.vector_bytes += size
        if not self.vectors and self.vector_bytes > FREE_VECTORS:
            return None
        if self.vector_bytes > VECTOR_BUDGET and call.layer != self.first_layer:
            self.vector_bytes -= size
            return None
        return HeadVectors(query, key, value, float(call.scaling))


def _whole(look: LazyWeights, heads: Sequence[int]) -> Floats:
    """head query key, by blocks of rows: the call may have many more heads than are wanted."""
    _, count, queries, keys = look.shape
    step = max(1, _BLOCK_CELLS // (count * keys))
    blocks = [
        as_array(look.rows(start, min(queries, start + step))[0, heads]) for start in range(0, queries, step)
    ]
    return np.concatenate(blocks, axis=1)


def _strongest(look: LazyWeights, heads: Sequence[int], k: int) -> Strongest:
    _, _, queries, keys = look.shape
    if not heads:
        return Strongest.none(queries, k, keys)
    return Strongest.of(*document.strongest(look, heads, k), keys)


def _sampled(look: LazyWeights, heads: Sequence[int], self_attention: bool) -> dict[str, Floats]:
    """The measures of rows evenly apart, which are enough to order heads by."""
    queries = look.shape[2]
    found = [
        measures(as_array(look.rows(row, row + 1)[0, heads]), row, self_attention)
        for row in np.linspace(0, queries - 1, min(SAMPLED, queries)).astype(int).tolist()
    ]
    return {name: np.mean([each[name] for each in found], axis=0) for name in found[0]}


def _second_text(subject: Subject, text: str, text_b: str | None) -> int | None:
    """The first token of the second text, where an encoder reads both as one input."""
    if text_b is None or subject.encoder_decoder:
        return None
    encoding = subject.tokenizer(text, text_b)
    try:
        of = encoding.sequence_ids(0)
    except ValueError:  # tokenizers written in Python do not say which text a token is from
        return None
    return of.index(1) if 1 in of else None
