"""Patching in float64 with plain hooks, one text at a time, by each model's own names: without anything of
Attlas. What heads give is what the output map reads, head by head."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

#: layer, head
At = tuple[int, int]


@dataclass(frozen=True)
class Names:
    output: str  # the map that reads what heads give; {} is the layer
    value: str  # the map that makes values


NAMES = {
    "llama": Names("model.layers.{}.self_attn.o_proj", "model.layers.{}.self_attn.v_proj"),
    "gpt2": Names("transformer.h.{}.attn.c_proj", "transformer.h.{}.attn.c_attn"),
    "bert": Names(
        "bert.encoder.layer.{}.attention.output.dense", "bert.encoder.layer.{}.attention.self.value"
    ),
}


@dataclass(frozen=True)
class Asked:
    """A text, the token whose logits are read, and the two answers."""

    ids: Sequence[int]
    place: int
    answer: int
    wrong: int


class Hooks:
    """A model in float64 with eager attention."""

    def __init__(self, model: nn.Module, kind: str, layers: int, heads: int) -> None:
        self.model, self.names, self.layers, self.heads = model, NAMES[kind], layers, heads

    def difference(self, text: Asked, **options: Any) -> tuple[Tensor, Any]:
        output = self.model(**{"input_ids": torch.tensor([list(text.ids)]), **options})
        logits = output.logits[0, text.place]
        return logits[text.answer] - logits[text.wrong], output

    def run(self, text: Asked, instead: Mapping[At, Tensor]) -> tuple[float, dict[At, Tensor]]:
        """The logit difference with other outputs of some heads (token dim), and what each head computed."""
        computed: dict[At, Tensor] = {}

        def hook(layer: int) -> Callable[..., Any]:
            def replace(_: nn.Module, args: tuple[Tensor, ...]) -> tuple[Tensor]:
                by_head = args[0].detach().unflatten(-1, (self.heads, -1)).clone()  # 1 token head dim
                for head in range(self.heads):
                    computed[layer, head] = by_head[0, :, head].clone()
                    if (layer, head) in instead:
                        by_head[0, :, head] = instead[layer, head]
                return (by_head.flatten(-2),)

            return replace

        handles = [self._output(layer).register_forward_pre_hook(hook(layer)) for layer in range(self.layers)]
        with torch.no_grad():
            difference, _ = self.difference(text)
        for handle in handles:
            handle.remove()
        return float(difference), computed

    def _output(self, layer: int) -> nn.Module:
        return self.model.get_submodule(self.names.output.format(layer))

    def weights_over_values(self, weights: Asked, values: Asked) -> dict[At, Tensor]:
        """What heads give that attend as in one text to the values of another."""
        seen: dict[int, Tensor] = {}
        handles = [
            self.model.get_submodule(self.names.value.format(layer)).register_forward_hook(
                lambda _, __, output, layer=layer: seen.update({layer: output[0]})
            )
            for layer in range(self.layers)
        ]
        with torch.no_grad():
            self.difference(values)
            of_values = {layer: self._values(made) for layer, made in seen.items()}  # token head dim
            _, output = self.difference(weights, output_attentions=True)
        for handle in handles:
            handle.remove()
        return {
            (layer, head): output.attentions[layer][0, head] @ of_values[layer][:, head]
            for layer in range(self.layers)
            for head in range(self.heads)
        }

    def _values(self, made: Tensor) -> Tensor:
        """token head dim: GPT-2 makes queries, keys and values at once, and Llama one value for two heads."""
        width = self._output(0).weight.shape[0]
        dim = width // self.heads
        made = made[:, -width:] if "c_attn" in self.names.value else made
        by_group = made.unflatten(-1, (-1, dim))
        return by_group.repeat_interleave(self.heads // by_group.shape[1], 1)

    def gradients(self, text: Asked, embedded: Tensor | None = None) -> dict[At, Tensor]:
        """token dim: of the logit difference by what each head gave. The model may read other embeddings than
        those of its tokens (token model)."""
        read: dict[int, Tensor] = {}

        def hook(layer: int) -> Callable[..., None]:
            def keep(_: nn.Module, args: tuple[Tensor, ...]) -> None:
                args[0].retain_grad()
                read[layer] = args[0]

            return keep

        handles = [self._output(layer).register_forward_pre_hook(hook(layer)) for layer in range(self.layers)]
        options = {} if embedded is None else {"inputs_embeds": embedded[None], "input_ids": None}
        self.difference(text, **options)[0].backward()
        for handle in handles:
            handle.remove()
        self.model.zero_grad(set_to_none=True)
        return {
            (layer, head): gradient.grad[0].unflatten(-1, (self.heads, -1))[:, head]  # type: ignore[index]
            for layer, gradient in read.items()
            for head in range(self.heads)
        }

    def gradients_between(self, text: Asked, other: Asked, steps: int) -> dict[At, Tensor]:
        """token dim: the mean gradient at the middles of steps from the other text's embeddings to this
        one's."""
        table = self.model.get_input_embeddings().weight.detach()  # type: ignore[operator]
        here, there = (table[list(asked.ids)] for asked in (text, other))
        parts = [(2 * step + 1) / (2 * steps) for step in range(steps)]
        several = [self.gradients(text, there * (1 - part) + here * part) for part in parts]
        return {at: torch.stack([gradients[at] for gradients in several]).mean(0) for at in several[0]}

    def path(self, clean: Asked, corrupt: Asked, sender: At, receiver: At | None) -> float:
        """The receiver alone is free to answer to the sender's change; then the model runs with its answer.
        Without a receiver, no head is free, and the change goes to the logits."""
        plain, held = self.run(clean, {})
        _, other = self.run(corrupt, {})
        frozen = {**held, sender: other[sender]}
        if receiver is None:
            return self.run(clean, frozen)[0] - plain
        del frozen[receiver]
        _, computed = self.run(clean, frozen)
        return self.run(clean, {receiver: computed[receiver]})[0] - plain
