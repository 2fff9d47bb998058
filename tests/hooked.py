"""What heads write and what reaches the logits, in float64 from hooks with each model's own names: formulas
written out by architecture, without anything of Attlas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Names:
    """Where a model keeps what is needed; `{}` stands for the layer. `stream` is a module and whether the
    stream is what it reads."""

    output: str  # the map that takes what heads give
    stream: str  # the module that reads the stream
    heads: int = 4
    after: str | None = None  # a norm of what the output map gives, before it is added
    feed_forward: str = ""
    after_feed_forward: str | None = None
    final: str = ""  # the norm before the unembedding


NAMES: dict[str, Names] = {
    "llama": Names(
        "model.layers.{}.self_attn.o_proj",
        "model.layers.{}.input_layernorm",
        feed_forward="model.layers.{}.mlp",
        final="model.norm",
    ),
    "gemma2": Names(
        "model.layers.{}.self_attn.o_proj",
        "model.layers.{}.input_layernorm",
        after="model.layers.{}.post_attention_layernorm",
        feed_forward="model.layers.{}.mlp",
        after_feed_forward="model.layers.{}.post_feedforward_layernorm",
        final="model.norm",
    ),
    "gpt2": Names(
        "transformer.h.{}.attn.c_proj",
        "transformer.h.{}.ln_1",
        feed_forward="transformer.h.{}.mlp",
        final="transformer.ln_f",
    ),
    "gpt_neox": Names(
        "gpt_neox.layers.{}.attention.dense",
        "gpt_neox.layers.{}.input_layernorm",
        feed_forward="gpt_neox.layers.{}.mlp",
        final="gpt_neox.final_layer_norm",
    ),
    "bert": Names("bert.encoder.layer.{}.attention.output.dense", "bert.encoder.layer.{}.attention.self"),
}
#: of encoder-decoders, by kind
SEVERAL: dict[str, dict[str, Names]] = {
    "t5": {
        "encoder": Names("encoder.block.{}.layer.0.SelfAttention.o", "encoder.block.{}.layer.0.layer_norm"),
        "decoder": Names("decoder.block.{}.layer.0.SelfAttention.o", "decoder.block.{}.layer.0.layer_norm"),
        "cross": Names("decoder.block.{}.layer.1.EncDecAttention.o", "decoder.block.{}.layer.1.layer_norm"),
    },
    "bart": {
        "encoder": Names("model.encoder.layers.{}.self_attn.out_proj", "model.encoder.layers.{}.self_attn"),
        "cross": Names(
            "model.decoder.layers.{}.encoder_attn.out_proj", "model.decoder.layers.{}.encoder_attn", 2
        ),
    },
}


def _has_experts(model: nn.Module) -> bool:
    """Which torch multiplies in no more than float32."""
    return any("Experts" in type(module).__name__ for module in model.modules())


class Hooked:
    """What every module of a model read and gave in its last run, in float64."""

    def __init__(self, model: nn.Module, inputs: Mapping[str, Tensor]) -> None:
        self.model = model
        self.read: dict[str, Tensor] = {}
        self.gave: dict[str, Tensor] = {}
        handles = [
            module.register_forward_hook(self._note(name), with_kwargs=True)
            for name, module in model.named_modules()
        ]
        dtype = next(model.parameters()).dtype
        before = {name: weight.data for name, weight in model.named_parameters()}
        try:
            model.to(torch.float32 if _has_experts(model) else torch.float64)
            with torch.no_grad():
                output = model(**inputs)
        finally:
            model.to(dtype)
            for name, weight in model.named_parameters():
                weight.data = before[name]  # the very tensors
            for handle in handles:
                handle.remove()
        logits = output.logits if hasattr(output, "logits") else output.prediction_logits
        self.logits: Tensor = logits.double()

    def _note(self, name: str) -> Any:
        def note(_: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
            read = args[0] if args else kwargs.get("hidden_states")
            if isinstance(read, Tensor):
                self.read[name] = read
            self.gave[name] = output[0] if isinstance(output, tuple) else output

        return note

    def weight(self, name: str) -> Tensor:
        """out x in"""
        module = self.model.get_submodule(name)
        weight = module.get_parameter("weight").detach().double()
        return weight.T if type(module).__name__ == "Conv1D" else weight

    def bias(self, name: str) -> Tensor:
        bias = getattr(self.model.get_submodule(name), "bias", None)
        return torch.zeros((), dtype=torch.float64) if bias is None else bias.detach().double()

    def frozen(self, norm: str, vector: Tensor) -> Tensor:
        """What the norm makes of a part of what it read, its bias apart, by the formula of its class."""
        module: Any = self.model.get_submodule(norm)
        read, weight = self.read[norm], module.weight.detach().double()
        while read.ndim < vector.ndim:
            read = read[..., None, :]
        if isinstance(module, nn.LayerNorm):
            size = (read.var(-1, unbiased=False, keepdim=True) + module.eps).sqrt()
            return (vector - vector.mean(-1, keepdim=True)) / size * weight
        eps = getattr(module, "variance_epsilon", getattr(module, "eps", None))
        gain = 1 + weight if type(module).__name__.startswith("Gemma") else weight
        return vector / (read.square().mean(-1, keepdim=True) + eps).sqrt() * gain

    def written(self, names: Names, layer: int) -> tuple[Tensor, Tensor]:
        """What each head adds (batch query head model), and the stream (batch query model)."""
        output = names.output.format(layer)
        inputs = self.read[output].unflatten(-1, (names.heads, -1))
        weight = self.weight(output).unflatten(-1, (names.heads, -1))  # model head dim
        vectors = torch.stack([inputs[..., h, :] @ weight[:, h].T for h in range(names.heads)], -2)
        if names.after is not None:
            vectors = self.frozen(names.after.format(layer), vectors)
        return vectors, self.read[names.stream.format(layer)]
