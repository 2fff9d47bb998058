"""A model and a text: run it once under the tap and keep what a view shows, a layer at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from attlas.address import KINDS, Head, Kind
from attlas.array_types import Floats32
from attlas.corpora.batches import Batch
from attlas.edits import Edit
from attlas.errors import AttlasError
from attlas.options.view_options import ViewOptions
from attlas.reducers import document
from attlas.subject import Subject
from attlas.subject.sharing import evaluating
from attlas.tap import Tap
from attlas.tap.call import Call
from attlas.tap.lazy_weights import LazyWeights, MovedLengths
from attlas.tap.needs import Needs
from attlas.tap.stream import output_maps
from attlas.views.contract import SideName
from attlas.views.inputs import SIDES, HeadVectors, LayerMaps, Maps, as_array
from attlas.views.pack import FREE_VECTORS, VECTOR_BUDGET
from attlas.views.rows import MOST_ROLLED, Strongest, TiledMaps, detail_that_fits, roll_out
from attlas.views.text_measures import in_head_order, measures_of_rows, reducers

_MOST_PREDICTED = 2048  # tokens; the predictions of more would take hundreds of megabytes
_BLOCK_CELLS = 1 << 26  # weights computed at once where all are kept: 256 MB


@dataclass(frozen=True)
class TextMaps:
    """The maps and tokens of one text, and how likely the model found each token."""

    maps: list[Maps]
    tokens: dict[SideName, list[str]]
    probabilities: list[float | None] = field(default_factory=list)  # of the decoder's tokens


def look(
    subject: Subject,
    batch: Batch,
    options: ViewOptions,
    tokens: dict[SideName, list[str]] | None = None,
    edits: Sequence[Edit] = (),
) -> TextMaps:
    """Run the model over a batch of one. Memory grows with the length of the text, not with its square.

    Vectors are kept where they are asked for, and where those of all layers are small anyway.
    """
    if tokens is None:
        sides: tuple[SideName, ...] = ("encoder", "decoder")
        tokens = {side: subject.strings(batch.sides[side]) for side in sides if side in batch.sides}
    keep = _MapKeeper(subject, tokens, options)
    families = reducers()
    output = _watch(subject, batch, keep.see, families, edits)
    measured = measures_of_rows(row for family in families for row in family.rows())
    maps = [
        Maps(
            kind,
            [
                replace(layer, measures=in_head_order(measured.get((kind, layer.layer), {}), layer.heads))
                for layer in sorted(layers, key=lambda layer: layer.layer)
            ],
        )
        for kind, layers in keep.kept_layers().items()
    ]
    return TextMaps(maps, tokens, _probabilities(batch, output))


def _predicts(subject: Subject, batch: Batch) -> bool:
    """Whether the model says how likely each token was, and the text is short enough to keep all it says."""
    decoder = batch.sides.get("decoder")
    if decoder is None or decoder.ids is None or decoder.ids.shape[1] > _MOST_PREDICTED:
        return False
    return bool(getattr(subject.model, "can_generate", lambda: False)())


def _probabilities(batch: Batch, output: Any) -> list[float | None]:
    """What the model gave each token of the decoder's, having read those before; nothing before the first."""
    logits = getattr(output, "logits", None)
    if logits is None:
        return []
    every = batch.sides["decoder"].ids
    if every is None or logits.shape[:2] != every.shape:
        return []
    ids = every[0]
    probabilities = logits[0, :-1].float().log_softmax(-1).gather(-1, ids[1:, None].to(logits.device)).exp()
    return [None, *map(float, probabilities[:, 0])]


def _watch(
    subject: Subject,
    batch: Batch,
    see: Callable[[Kind, int, LazyWeights], None],
    families: Sequence[Any],
    edits: Sequence[Edit],
) -> Any:
    """Show every attention call as it passes, and let the reducers count it; what the model predicted."""
    predictions = _predicts(subject, batch)
    if not subject.interface:
        observer: Any = _ReturnedWeights(see)
        with Tap(subject, [*families, observer], edits) as tap:
            return tap.run(batch, predictions=predictions)
    listener = lambda call: see(call.kind, call.layer, LazyWeights.at(call))  # noqa: E731
    with Tap(subject, families, edits, listener=listener) as tap:
        return tap.run(batch, predictions=predictions)


class _ReturnedWeights:
    """Sees the weights that models outside the attention interface return themselves, and counts nothing."""

    def __init__(self, see: Callable[[Kind, int, LazyWeights], None]) -> None:
        self.needs = Needs(lazy_weights=True)
        self.see = see

    def update(self, observation: Any) -> None:
        for call in observation.calls:
            self.see(call.kind, call.layer, call.lazy_weights)


class _MapKeeper:
    """Keeps the wanted heads of each call as it passes: whole where they fit a page, else the strongest."""

    def __init__(self, subject: Subject, tokens: dict[SideName, list[str]], options: ViewOptions) -> None:
        wanted = [head for head in subject.heads if options.includes(head.layer, head.head)]
        if not wanted:
            most = {kind: max(h.layer for h in subject.heads if h.kind == kind) for kind in subject.kinds}
            raise AttlasError(
                f"{subject.name} has none of the layers and heads asked for: its layers are "
                + ", ".join(f"0 to {layer} ({kind})" for kind, layer in most.items())
            )
        self.subject = subject
        self.wanted = wanted
        self.seen: dict[Kind, list[LayerMaps]] = {
            kind: [] for kind in KINDS if any(head.kind == kind for head in wanted)
        }
        lengths = {kind: (len(tokens[SIDES[kind][0]]), len(tokens[SIDES[kind][1]])) for kind in self.seen}
        order = options.first(wanted)
        self.detail = detail_that_fits({head: lengths[head.kind] for head in wanted}, order)
        self.first_layer = order[0].layer
        self.vectors = options.kind == "neuron"
        if self.vectors and not subject.interface:
            raise AttlasError(
                f"{subject.name} does not show its queries and keys (it is outside transformers' attention "
                "interface), and the neuron view needs them: choose another view"
            )
        if self.vectors and self.detail.size is not None:
            longest = max(max(pair) for pair in lengths.values())
            raise AttlasError(f"{longest:,} tokens are too many for the neuron view: choose the matrix view")
        self.vector_bytes = 0
        self.rolls = options.include_layers is None and max(map(max, lengths.values())) <= MOST_ROLLED
        self.below: dict[Kind, Floats32] = {}

    def see(self, kind: Kind, layer: int, look: LazyWeights) -> None:
        """One attention call: its rows, its tiles, and its vectors while they fit."""
        heads = [head.head for head in self.wanted if (head.kind, head.layer) == (kind, layer)]
        if heads:
            made = self._layer(kind, layer, heads, look)
            self.seen[kind].append(replace(made, rollout=self._rollout(kind, look)))

    def _layer(self, kind: Kind, layer: int, heads: list[int], look: LazyWeights) -> LayerMaps:
        k, size, with_rows = self.detail.k, self.detail.size, self.detail.with_rows
        vectors = self._vectors(look.call, heads) if look.call is not None and size is None else None
        norms = None if look.call is None or size is not None else self._moved_lengths(look.call, heads)
        if k is None:
            weights = _whole_maps(look, heads)
            self._check(weights, layer)
            return LayerMaps(layer, heads, weights, vectors=vectors, value_norms=norms)
        having = heads if with_rows is None else [h for h in heads if Head(kind, layer, h) in with_rows]
        tiles = None if size is None else _tiles(look, heads, size)
        rows = _strongest_rows(look, having, k)
        self._check(rows.weights if tiles is None else tiles.shares, layer)
        with_rows_here = None if with_rows is None else having
        return LayerMaps(layer, heads, rows, {}, vectors, tiles, with_rows_here, norms)

    def _check(self, weights: Floats32, layer: int) -> None:
        if not np.isfinite(weights).all():
            raise AttlasError(
                f"the attention of {self.subject.name} is not a number in layer {layer}: "
                "its weights are broken"
            )

    def _rollout(self, kind: Kind, look: LazyWeights) -> Floats32 | None:
        """The rollout so far; None for a decoder that reads an encoder, whose rows have two sources."""
        if not self.rolls or kind == "cross" or (kind == "decoder" and "cross" in self.subject.kinds):
            return None
        mean = _whole_maps(look, slice(None)).mean(axis=0)
        if mean.shape[0] != mean.shape[1]:
            return None
        self.below[kind] = roll_out(mean, self.below.get(kind))
        return self.below[kind]

    def kept_layers(self) -> dict[Kind, list[LayerMaps]]:
        """All layers; without vectors where nobody asked and some layers' did not fit."""
        if self.vectors or self.vector_bytes <= FREE_VECTORS:
            return self.seen
        return {
            kind: [replace(layer, vectors=None) for layer in layers] for kind, layers in self.seen.items()
        }

    @cached_property
    def _lengths(self) -> MovedLengths:
        return MovedLengths(self.subject, output_maps(self.subject))

    def _moved_lengths(self, call: Call, heads: Sequence[int]) -> Floats32:
        """head key: how long the vector is that a weight on this key moves, |W_O v|; |v| where the output map
        was not found."""
        if (call.kind, call.layer) in self._lengths.maps:
            return as_array(self._lengths.of(call)[0, heads])
        return as_array(call.per_head(call.value)[0, heads].float().norm(dim=-1))

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


def _whole_maps(look: LazyWeights, heads: Sequence[int] | slice) -> Floats32:
    """head query key, by blocks of rows: the call may have many more heads than are wanted."""
    _, count, queries, keys = look.shape
    step = max(1, _BLOCK_CELLS // (count * keys))
    blocks = [
        as_array(look.rows(start, min(queries, start + step))[0, heads]) for start in range(0, queries, step)
    ]
    return np.concatenate(blocks, axis=1)


def _tiles(look: LazyWeights, heads: Sequence[int], size: int) -> TiledMaps:
    shares, first = document.shares(look, size)
    return TiledMaps(shares[heads], size, first[heads])


def _strongest_rows(look: LazyWeights, heads: Sequence[int], k: int) -> Strongest:
    _, _, queries, keys = look.shape
    if not heads:
        return Strongest.none(queries, k, keys)
    return Strongest.of(*document.strongest(look, heads, k), keys)


def second_text(subject: Subject, text: str, text_b: str | None) -> int | None:
    """The first token of the second text, where an encoder reads both as one input."""
    if text_b is None or subject.encoder_decoder:
        return None
    encoding = subject.tokenizer(text, text_b)
    try:
        of = encoding.sequence_ids(0)
    except ValueError:  # tokenizers written in Python do not say which text a token is from
        return None
    return of.index(1) if 1 in of else None


def generate_text(subject: Subject, prompt: str, count: int) -> tuple[Batch, int | None, list[str]]:
    """The prompt with the tokens that the model adds, the place of the first of those, and a note on them.

    Each token is the likeliest one. A decoder's weights do not depend on later tokens, so that one pass over
    all of them gives the weights of every step.
    """
    import torch

    if count < 1:
        raise AttlasError(f"generate is {count}: it must be 1 token or more")
    model: Any = subject.model
    if not getattr(model, "can_generate", lambda: False)():
        raise AttlasError(f"{subject.name} cannot write: it has no head that predicts the next token")
    batch = subject.encode(prompt)
    start = batch.inputs["input_ids"].shape[1]
    if not subject.encoder_decoder:
        subject.check_length(start + count, "the text with what is generated")
    inputs = {name: batch.inputs[name] for name in ("input_ids", "attention_mask") if name in batch.inputs}
    config = model.generation_config
    end = config.eos_token_id[0] if isinstance(config.eos_token_id, list) else config.eos_token_id
    pad = config.pad_token_id if config.pad_token_id is not None else end
    with torch.no_grad(), evaluating(model):
        ids = model.generate(
            **inputs,
            max_new_tokens=count,
            do_sample=False,
            num_beams=1,
            pad_token_id=pad if pad is not None else 0,
        )
    if subject.encoder_decoder:
        whole = subject.annotate({**inputs, "decoder_input_ids": ids})
        return whole, None, ["The decoder's text was generated, the likeliest token at each step."]
    whole = subject.annotate({"input_ids": ids, "attention_mask": torch.ones_like(ids)})
    note = (
        f"Generated, the likeliest token at each step: the last {ids.shape[1] - start} tokens (sentence B)."
    )
    return whole, start, [note]
