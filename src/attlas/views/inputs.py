"""Your own tensors: take what people have, also what `generate` returns step by step, check it, and say what
is wrong with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attlas.address import Kind
from attlas.array_types import Floats32
from attlas.corpora.recording import wrong_row
from attlas.errors import AttlasError
from attlas.views.contract import SideName
from attlas.views.rows import MOST_ROLLED, Strongest, TiledMaps, roll_out
from attlas.views.text_measures import Measures, measures_of_weights

SIDES: dict[Kind, tuple[SideName, SideName]] = {
    "encoder": ("encoder", "encoder"),
    "decoder": ("decoder", "decoder"),
    "cross": ("decoder", "encoder"),
    "vision": ("vision", "vision"),
}
_EAGER = (
    'load the model with attn_implementation="eager", call it with output_attentions=True and pass '
    "outputs.attentions, or let Attlas run it: attlas.view(model, text)"
)


@dataclass(frozen=True, eq=False)
class HeadVectors:
    """Queries, keys and values of one layer, each [head, token, dim], and what scales q·k."""

    query: Floats32
    key: Floats32
    value: Floats32
    scaling: float


@dataclass(frozen=True, eq=False)
class LayerMaps:
    """The chosen heads of one layer: weights [head, query, key], or only the strongest of each row.

    Where there are tiles, those are of all heads, and rows perhaps of some heads only.
    """

    layer: int
    heads: list[int]
    weights: Floats32 | Strongest
    measures: Measures = field(default_factory=dict)
    vectors: HeadVectors | None = None
    tiles: TiledMaps | None = None
    with_rows: list[int] | None = None  # the heads whose rows `weights` holds; None: all
    value_norms: Floats32 | None = None  # head key
    rollout: Floats32 | None = None  # query key

    @property
    def shape(self) -> tuple[int, int, int]:
        """Heads, queries, keys."""
        if isinstance(self.weights, Strongest):
            return len(self.heads), self.weights.columns.shape[1], self.weights.keys
        heads, queries, keys = self.weights.shape
        return heads, queries, keys

    @property
    def looks_ahead(self) -> bool:
        """Whether any query gives weight to a later key."""
        _, queries, _ = self.shape
        if self.tiles is not None:
            return bool(np.triu(self.tiles.shares, 1).any())
        if isinstance(self.weights, Strongest):
            later = self.weights.columns > np.arange(queries)[:, None]
            return bool((self.weights.weights[later] > 0).any())
        # row by row, since the first row of an encoder tells already
        return any(bool(self.weights[:, query, query + 1 :].any()) for query in range(queries))


@dataclass(frozen=True, eq=False)
class Maps:
    """All layers of one kind of attention."""

    attention: Kind
    layers: list[LayerMaps]
    shares: bool = True  # rows hold weights that sum to 1; else any numbers

    @property
    def signed(self) -> bool:
        """Whether any number is below 0."""
        return not self.shares and any(bool((_stored_weights(layer) < 0).any()) for layer in self.layers)

    @property
    def shape(self) -> tuple[int, int]:
        """How many queries and keys there are."""
        _, queries, keys = self.layers[0].shape
        return queries, keys

    @property
    def causal(self) -> bool:
        """Whether no query looks at a later key."""
        queries, keys = self.shape
        if self.attention == "cross" or queries != keys or queries == 1:
            return False
        return not any(layer.looks_ahead for layer in self.layers)


def read(
    attentions: Mapping[Kind, Any],
    tokens: Mapping[SideName, Sequence[str]],
    include_layers: Collection[int] | None = None,
    include_heads: Collection[int] | None = None,
    check: bool = True,
) -> list[Maps]:
    """Checked maps of each kind of attention, in numpy, only of the layers and heads asked for.

    Without `check`, rows may hold any numbers, and the view says that they do.
    """
    result = []
    for kind, tensors in attentions.items():
        layers: list[LayerMaps] = []
        shares, below = True, None
        chosen = _read_layers(kind, tensors, include_layers)
        # a rollout needs every layer, and a decoder's that reads an encoder has two sources
        rolls = [layer for layer, _ in chosen] == list(range(len(chosen))) and include_layers is None
        rolls = rolls and (kind == "encoder" or "cross" not in attentions) and kind != "cross"
        for layer, every in chosen:
            heads, weights = _select_heads(kind, layer, every, include_heads)
            shares = _is_attention(kind, layer, heads, weights, check) and shares
            _check_finite(kind, layer, every)
            rolls = rolls and shares and every.shape[1] == every.shape[2] <= MOST_ROLLED
            # heads that are not shown have a part in it as well
            rolls = rolls and (include_heads is None or wrong_row(every) is None)
            below = roll_out(every.mean(axis=0), below) if rolls else None
            layers.append(LayerMaps(layer, heads, weights, measures_of_weights(weights, kind), rollout=below))
        if not shares:  # measures and rollouts are those of attention alone
            layers = [
                LayerMaps(layer_maps.layer, layer_maps.heads, layer_maps.weights) for layer_maps in layers
            ]
        maps = Maps(kind, layers, shares)
        _check_tokens(maps, tokens)
        result.append(maps)
    if not result:
        raise AttlasError(
            "there is no attention to view: pass attentions and their tokens, or a model and a text"
        )
    return result


def _stored_weights(layer: LayerMaps) -> Floats32:
    return layer.weights.weights if isinstance(layer.weights, Strongest) else layer.weights


def as_array(tensor: Any) -> Floats32:
    """A float32 array of any tensor: torch (any device and type), numpy, or what numpy understands."""
    if hasattr(tensor, "detach"):
        tensor = tensor.detach().float().cpu().numpy()
    elif hasattr(tensor, "numpy"):
        tensor = tensor.numpy()
    return np.asarray(tensor, dtype=np.float32)


def _read_layers(kind: Kind, tensors: Any, include: Collection[int] | None) -> list[tuple[int, Floats32]]:
    if is_generated(tensors):
        tensors = whole(tensors)
    if isinstance(tensors, str) or not hasattr(tensors, "__len__") or not hasattr(tensors, "__getitem__"):
        raise AttlasError(
            f"{kind} attention is a {type(tensors).__name__}, not a list with one tensor per layer: {_EAGER}"
        )
    if len(tensors) == 0:
        raise AttlasError(
            f"{kind} attention is empty; transformers returns an empty tuple under SDPA: {_EAGER}"
        )
    if hasattr(tensors, "shape") and len(tensors.shape) not in (4, 5):
        raise AttlasError(
            f"{kind} attention has shape {tuple(tensors.shape)}: pass a list with one [1, heads, n, n] "
            "tensor per layer, or one array [layers, heads, n, n]"
        )
    count = len(tensors)
    wrong = sorted(set(include or ()) - set(range(count)))
    if wrong:
        raise AttlasError(
            f"include_layers names layer {wrong[0]}, but {kind} attention has layers 0 to {count - 1}"
        )
    wanted = range(count) if include is None else sorted(include)
    # hybrid models return None for the layers that have no attention
    chosen = [(i, _read_layer(kind, i, tensors[i])) for i in wanted if tensors[i] is not None]
    if not chosen:
        raise AttlasError(
            f"{kind} attention holds no weights in the layers asked for (all are None): {_EAGER}"
        )
    shapes = {weights.shape[1:] for _, weights in chosen}
    if len(shapes) > 1:
        raise AttlasError(
            f"{kind} attention has layers of different sizes, {sorted(shapes)}: pass one input's attention"
        )
    return chosen


def _read_layer(kind: Kind, layer: int, tensor: Any) -> Floats32:
    name = f"{kind} attention, layer {layer}"
    try:
        weights = as_array(tensor)
    except (TypeError, ValueError, AttributeError):
        raise AttlasError(f"{name} is a {type(tensor).__name__}, not a tensor: {_EAGER}") from None
    if weights.ndim == 4:
        if weights.shape[0] != 1:
            raise AttlasError(
                f"{name} has a batch of {weights.shape[0]}: pick one, as in [a[:1] for a in attentions]"
            )
        weights = weights[0]
    if weights.ndim != 3:
        raise AttlasError(
            f"{name} has shape {tuple(weights.shape)}: each layer must be [1, heads, queries, keys]"
        )
    if 0 in weights.shape:
        raise AttlasError(f"{name} has shape {tuple(weights.shape)}: there is nothing in it")
    return weights


def _select_heads(
    kind: Kind, layer: int, weights: Floats32, include: Collection[int] | None
) -> tuple[list[int], Floats32]:
    count = weights.shape[0]
    if include is None:
        return list(range(count)), weights
    heads = sorted(set(include))
    if not heads or heads[0] < 0 or heads[-1] >= count:
        raise AttlasError(
            f"include_heads is {list(include)}, but layer {layer} ({kind}) has heads 0 to {count - 1}"
        )
    return heads, weights[heads]


def _check_finite(kind: Kind, layer: int, weights: Floats32) -> None:
    wrong = ~np.isfinite(weights)
    if wrong.any():
        head, row, _ = (int(i) for i in np.argwhere(wrong)[0])
        raise AttlasError(
            f"{kind} attention: row {row} of head {layer}.{head} holds {weights[head][wrong[head]][0]}, "
            "which cannot be drawn"
        )


def _is_attention(kind: Kind, layer: int, heads: Sequence[int], weights: Floats32, check: bool) -> bool:
    problem = wrong_row(weights)
    if check and problem is not None:
        (head, row), wrong = problem
        raise AttlasError(
            f"{kind} attention: row {row} of head {layer}.{heads[head]} {wrong}: "
            "pass weights after the softmax and cut off padding, or check=False to see them unmodified"
        )
    return problem is None


def _check_tokens(maps: Maps, tokens: Mapping[SideName, Sequence[str]]) -> None:
    for side, count, which in zip(SIDES[maps.attention], maps.shape, ("queries", "keys"), strict=True):
        if side not in tokens:
            raise AttlasError(
                f"{maps.attention} attention has {count} {which}, but no {side} tokens came with it: "
                f"pass {side}_tokens"
            )
        if isinstance(tokens[side], str):
            raise AttlasError(
                f"{side} tokens are one string: pass a list with one string per token, as "
                "tokenizer.convert_ids_to_tokens gives"
            )
        if not all(isinstance(token, str) for token in tokens[side]):
            raise AttlasError(f"{side} tokens must be strings, as tokenizer.convert_ids_to_tokens gives them")
        if len(tokens[side]) != count:
            raise AttlasError(
                f"{maps.attention} attention has {count} {which}, but there are {len(tokens[side])} {side} "
                "tokens: they must be of the same text, special tokens included"
            )


def is_generated(attention: Any) -> bool:
    """Whether this is what `generate(..., output_attentions=True)` gives: a list of layers for each step."""
    return (
        isinstance(attention, list | tuple) and len(attention) > 0 and isinstance(attention[0], list | tuple)
    )


def prompt_length(attention: Any) -> int | None:
    """How many tokens the first step read at once; None where this is not what `generate` gives."""
    if not is_generated(attention) or attention[0][0] is None:
        return None
    return int(attention[0][0].shape[-2])


def whole(steps: Sequence[Sequence[Any]]) -> list[Floats32 | None]:
    """One map (head query key) a layer: the rows of all steps, and no weight on keys that came later."""
    from attlas.views.inputs import as_array

    layers: list[Floats32 | None] = []
    for layer in range(len(steps[0])):
        parts = [step[layer] for step in steps]
        if any(part is None for part in parts):
            layers.append(None)
            continue
        rows = [_rows_of_step(as_array(part)) for part in parts]
        keys = max(part.shape[-1] for part in rows)
        layers.append(np.concatenate([np.pad(r, ((0, 0), (0, 0), (0, keys - r.shape[-1]))) for r in rows], 1))
    return layers


def _rows_of_step(step: Floats32) -> Floats32:
    """One step as head, query, key: without its batch of one, where it has a batch."""
    from attlas.errors import AttlasError

    if step.ndim == 4 and step.shape[0] == 1:
        step = step[0]
    if step.ndim != 3:
        raise AttlasError(
            f"a step of generated attention has shape {tuple(step.shape)}: each must be "
            "[1, heads, queries, keys]; generate one text at a time, without beams"
        )
    return step
