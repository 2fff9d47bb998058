"""Who wrote queries and keys, in float64 from hooks with each model's own names: formulas written out by
architecture, without anything of Attlas."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from hooked import NAMES, Hooked

Parts = dict[str, Tensor]  # who wrote -> 1 token model, or 1 token head dim


def _add(parts: Parts, name: str, vector: Tensor) -> None:
    if bool(vector.any()):
        parts[name] = parts[name] + vector if name in parts else vector


def _of_layer(hooked: Hooked, kind: str, layer: int, parts: Parts) -> None:
    """What the heads and the feed-forward layer of a block add to the stream, one after the other."""
    names = NAMES[kind]
    vectors, _ = hooked.written(names, layer)
    for head in range(names.heads):
        parts[f"{layer}.{head}"] = vectors[:, :, head]
    _add(parts, "biases", hooked.bias(names.output.format(layer)).expand_as(vectors[:, :, 0]))


def stream(hooked: Hooked, kind: str, layer: int) -> Parts:
    """The parts of what the attention of a layer reads, after its norm."""
    if kind == "bert":
        return _stream_of_bert(hooked, layer)
    model: Any = hooked.model
    parts: Parts = {}
    tokens = {"llama": "model.embed_tokens", "gpt2": "transformer.wte", "gpt_neox": "gpt_neox.embed_in"}
    parts["embeddings"] = hooked.gave[tokens[kind]]
    if kind == "gpt2":
        parts["positions"] = hooked.gave["transformer.wpe"].expand_as(parts["embeddings"])
    for earlier in range(layer):
        _of_layer(hooked, kind, earlier, parts)
        parts[f"feed_forward.{earlier}"] = hooked.gave[NAMES[kind].feed_forward.format(earlier)]
    norm = NAMES[kind].stream.format(layer)
    normed = {name: hooked.frozen(norm, vector) for name, vector in parts.items()}
    bias = getattr(model.get_submodule(norm), "bias", None)
    if bias is not None:
        _add(normed, "biases", bias.detach().double().expand_as(normed["embeddings"]))
    return normed


def _stream_of_bert(hooked: Hooked, layer: int) -> Parts:
    embed = "bert.embeddings."
    parts = {
        "embeddings": hooked.gave[f"{embed}word_embeddings"],
        "positions": hooked.gave[f"{embed}position_embeddings"],
        "token types": hooked.gave[f"{embed}token_type_embeddings"],
    }
    whole = parts["embeddings"].shape
    parts = {name: vector.expand(whole) for name, vector in parts.items()}

    def through(norm: str) -> None:
        for name in parts:
            parts[name] = hooked.frozen(norm, parts[name])
        _add(parts, "biases", hooked.bias(norm).expand(whole))

    through(f"{embed}LayerNorm")
    for earlier in range(layer):
        block = f"bert.encoder.layer.{earlier}"
        _of_layer(hooked, "bert", earlier, parts)
        through(f"{block}.attention.output.LayerNorm")
        parts[f"feed_forward.{earlier}"] = hooked.gave[f"{block}.output.dense"]
        through(f"{block}.output.LayerNorm")
    return parts


def queries_and_keys(hooked: Hooked, kind: str, layer: int, heads: int = 4) -> tuple[Parts, Parts]:
    """The parts of every head's queries and keys, after rotary embedding: 1 token head dim."""
    parts = stream(hooked, kind, layer)
    (of_query, bias_q), (of_key, bias_k) = _maps(hooked, kind, layer, heads)
    both: list[Parts] = []
    for weight, bias in ((of_query, bias_q), (of_key, bias_k)):
        made = {name: torch.einsum("btm,hdm->bthd", vector, weight) for name, vector in parts.items()}
        if bias is not None:
            _add(made, "biases", bias.expand_as(made["embeddings"]))
        both.append({name: _turned(hooked, kind, vector) for name, vector in made.items()})
    return both[0], both[1]


def _maps(hooked: Hooked, kind: str, layer: int, heads: int) -> list[tuple[Tensor, Tensor | None]]:
    """For queries and keys, head dim model and head dim."""
    if kind == "llama":
        attention = f"model.layers.{layer}.self_attn"
        weights = (hooked.weight(f"{attention}.{name}") for name in ("q_proj", "k_proj"))
        by_head = [weight.unflatten(0, (-1, 8)) for weight in weights]
        return [(weight.repeat_interleave(heads // len(weight), 0), None) for weight in by_head]
    if kind == "bert":
        attention = f"bert.encoder.layer.{layer}.attention.self"
        names = [f"{attention}.{name}" for name in ("query", "key")]
        return [(hooked.weight(n).unflatten(0, (heads, -1)), hooked.bias(n).view(heads, -1)) for n in names]
    if kind == "gpt2":
        name = f"transformer.h.{layer}.attn.c_attn"
        weight, bias = hooked.weight(name).chunk(3), hooked.bias(name).chunk(3)
        return [(weight[i].unflatten(0, (heads, -1)), bias[i].view(heads, -1)) for i in (0, 1)]
    name = f"gpt_neox.layers.{layer}.attention.query_key_value"
    weight = hooked.weight(name).unflatten(0, (heads, 3, -1))  # head which dim model
    bias = hooked.bias(name).view(heads, 3, -1)
    return [(weight[:, i], bias[:, i]) for i in (0, 1)]


def _turned(hooked: Hooked, kind: str, vector: Tensor) -> Tensor:
    """With rotary embedding, where the model has one."""
    if kind not in ("llama", "gpt_neox"):
        return vector
    rope = hooked.model.config.rope_parameters  # type: ignore[union-attr]
    size = int(vector.shape[-1] * rope.get("partial_rotary_factor", 1.0))
    half = torch.arange(0, size, 2, dtype=torch.float64) / size
    angles = torch.arange(vector.shape[1], dtype=torch.float64)[:, None] * rope["rope_theta"] ** -half
    cos, sin = (torch.cat([f(angles)] * 2, -1)[None, :, None] for f in (torch.cos, torch.sin))
    turns, stays = vector[..., :size], vector[..., size:]
    first, second = turns.chunk(2, -1)
    return torch.cat([turns * cos + torch.cat([-second, first], -1) * sin, stays], -1)


def scaling(hooked: Hooked, kind: str, layer: int, dim: int = 8) -> float:
    """By what the product of a query and a key is multiplied."""
    by_layer = kind == "gpt2" and hooked.model.config.scale_attn_by_inverse_layer_idx  # type: ignore[union-attr]
    return dim**-0.5 / (layer + 1 if by_layer else 1)
