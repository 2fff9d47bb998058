"""A model and a text: run it once under the tap and keep what a view shows, a layer at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from attlas.errors import AttlasError

from .contract import ATTENTION_KINDS, AttentionKind, SideName
from .inputs import SIDES, HeadVectors, LayerMaps, Maps, as_array
from .pack import FREE_VECTORS, VECTOR_BUDGET
from .rows import Floats, Strongest, measures, strongest, together, top_k

if TYPE_CHECKING:
    from attlas.corpora.batches import Batch
    from attlas.subject import Subject
    from attlas.tap.call import Call

_BLOCK_CELLS = 1 << 26  # weights computed at once: 256 MB


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
    first_layer: int = 0,
    vectors: bool = False,
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
    keep = _Keep(subject, tokens, first_layer, vectors, include_layers, include_heads)
    if subject.interface:
        from attlas.tap import Tap

        with Tap(subject, kernel="tiled", listener=keep.watch) as tap:
            tap.run(batch)
    else:
        keep.read(batch)
    maps = [Maps(kind, sorted(layers, key=lambda layer: layer.layer)) for kind, layers in keep.kept().items()]
    return Looked(maps, tokens, _second_text(subject, text, text_b))


class _Keep:
    """Keeps the wanted heads of each call as it passes: whole where they fit a page, else the strongest."""

    def __init__(
        self,
        subject: Subject,
        tokens: dict[SideName, list[str]],
        first_layer: int,
        vectors: bool,
        include_layers: Collection[int] | None,
        include_heads: Collection[int] | None,
    ) -> None:
        self.subject = subject
        self.first_layer = first_layer
        self.vectors = vectors
        wanted: dict[tuple[AttentionKind, int], list[int]] = {}
        for head in subject.heads:
            if (include_layers is None or head.layer in include_layers) and (
                include_heads is None or head.head in include_heads
            ):
                wanted.setdefault((head.kind, head.layer), []).append(head.head)
        if not wanted:
            most = {kind: max(h.layer for h in subject.heads if h.kind == kind) for kind in subject.kinds}
            raise AttlasError(
                f"{subject.name} has none of the layers and heads asked for: its layers are "
                + ", ".join(f"0 to {layer} ({kind})" for kind, layer in most.items())
            )
        self.wanted = wanted
        self.seen: dict[AttentionKind, list[LayerMaps]] = {
            kind: [] for kind in ATTENTION_KINDS if any(k == kind for k, _ in wanted)
        }
        shapes = []
        for (kind, _), heads in wanted.items():
            queries, keys = SIDES[kind]
            shapes.append((len(heads), len(tokens[queries]), len(tokens[keys])))
        self.k = top_k(shapes)
        self.vector_bytes = 0

    def watch(self, call: Call) -> None:
        """One attention call: its weights by blocks of queries, and its vectors while they fit."""
        heads = self.wanted.get((call.kind, call.layer))
        if heads is None:
            return
        _, count, queries, _ = call.query.shape
        step = max(1, _BLOCK_CELLS // (count * call.key.shape[2]))
        blocks = (
            (start, as_array(call.weights(start, min(queries, start + step))[0, heads]))
            for start in range(0, queries, step)
        )
        self._add(call.kind, call.layer, heads, blocks, queries, self._vectors(call, heads))

    def kept(self) -> dict[AttentionKind, list[LayerMaps]]:
        """All layers; without vectors where nobody asked and some layers' did not fit."""
        if self.vectors or self.vector_bytes <= FREE_VECTORS:
            return self.seen
        return {
            kind: [replace(layer, vectors=None) for layer in layers] for kind, layers in self.seen.items()
        }

    def read(self, batch: Batch) -> None:
        """A model outside the attention interface: what it returns, whole."""
        from attlas.tap import capture

        for captured in capture(self.subject, batch):
            heads = self.wanted.get((captured.kind, captured.layer))
            if heads is not None:
                weights = as_array(captured.weights[heads])
                self._add(captured.kind, captured.layer, heads, [(0, weights)], weights.shape[1], None)

    def _add(
        self,
        kind: AttentionKind,
        layer: int,
        heads: list[int],
        blocks: Iterable[tuple[int, Floats]],
        queries: int,
        vectors: HeadVectors | None,
    ) -> None:
        whole: list[Floats] = []
        best: list[Strongest] = []
        sums: dict[str, Floats] = {}
        for start, weights in blocks:
            share = weights.shape[1] / queries
            for name, numbers in measures(weights, start, kind != "cross").items():
                sums[name] = sums.get(name, 0) + numbers * share
            if self.k is None:
                whole.append(weights)
            else:
                best.append(strongest(weights, self.k))
        kept = np.concatenate(whole, axis=1) if whole else together(best)
        self.seen[kind].append(LayerMaps(layer, heads, kept, sums, vectors))

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
