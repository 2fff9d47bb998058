"""What training does to each layer: how large its gradients are, and how far its weights move."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attlas.array_types import Floats
from attlas.subject.projections import makes_queries_or_keys

CLIPPED_AT = 1.0  # the norm of all gradients together
MOST_ROWS = 100  # in the file: steps beside each other share one
_LAYER = re.compile(r"^(.*?)\.?(\d+)\.")


def parts_of(model: nn.Module) -> dict[str, list[str]]:
    """The model's parameters by part: `embeddings`, `layer 0`, `layer 0 query and key`, ..., `head`. What
    makes queries and keys is counted in the layer, too. Encoder-decoders have two kinds of layers."""
    stacks = list(dict.fromkeys(m[1] for name, _ in model.named_parameters() if (m := _LAYER.match(name))))
    parts: dict[str, list[str]] = {}
    layers_began = False
    for name, _ in model.named_parameters():
        match = _LAYER.match(name)
        if match is None:
            parts.setdefault("head" if layers_began else "embeddings", []).append(name)
            continue
        layers_began = True
        stack = "" if len(stacks) == 1 else f"{_stack_name(match[1])} "
        parts.setdefault(f"{stack}layer {match[2]}", []).append(name)
        if makes_queries_or_keys(name[match.end() :]):
            parts.setdefault(f"{stack}layer {match[2]} query and key", []).append(name)
    return parts


def _stack_name(stack: str) -> str:
    """`decoder` of `transformer.decoder.block`."""
    return next((word for word in ("encoder", "decoder") if word in stack), stack)


class GradientNorms:
    """The norm of the gradient of every part at every step, before they are clipped together, which `clip`
    does. They stay on the device until they are asked for."""

    def __init__(self, model: nn.Module) -> None:
        named = dict(model.named_parameters())
        self.parameters = list(named.values())
        places = {name: i for i, name in enumerate(named)}
        self.parts = parts_of(model)
        self._members = [[places[name] for name in names] for names in self.parts.values()]
        self._squares: Tensor | None = None  # part parameter, 1 where it belongs
        self._steps: list[Tensor] = []
        self._done = np.zeros((0, len(self.parts)))

    def clip(self) -> None:
        """Takes down the norms of this step, then scales all gradients down to `CLIPPED_AT` together."""
        having = [p for p in self.parameters if p.grad is not None]
        gradients = [p.grad for p in having if p.grad is not None]
        norms = torch.stack(torch._foreach_norm(gradients)).double()
        if self._squares is None or self._squares.shape[1] != len(having):
            self._squares = self.membership(having).to(norms.device)
        self._steps.append((self._squares @ norms.square()).sqrt())
        total = norms.square().sum().sqrt()
        torch._foreach_mul_(gradients, (CLIPPED_AT / (total + 1e-6)).clamp(max=1.0).to(gradients[0].dtype))

    def membership(self, having: Sequence[Tensor]) -> Tensor:
        place = {id(p): i for i, p in enumerate(having)}
        table = torch.zeros(len(self.parts), len(having), dtype=torch.float64)
        for row, members in enumerate(self._members):
            for i in members:
                if id(self.parameters[i]) in place:
                    table[row, place[id(self.parameters[i])]] = 1
        return table

    def norms(self) -> Floats:
        """step part"""
        if self._steps:
            new = torch.stack(self._steps).cpu().numpy()
            self._done, self._steps = np.concatenate([self._done, new]), []
        return self._done

    def restore(self, norms: Floats) -> None:
        self._done, self._steps = norms, []

    def as_data(self) -> dict[str, Any]:
        """What goes into a file: root mean squares over runs of steps, `MOST_ROWS` at most."""
        norms = self.norms()
        edges = np.unique(np.linspace(0, len(norms), min(MOST_ROWS, len(norms)) + 1).astype(int))
        runs = [norms[a:b] for a, b in pairwise(edges)]
        return {
            "parts": list(self.parts),
            "steps": edges[1:].tolist(),
            "norms": [np.sqrt((run**2).mean(0)).tolist() for run in runs],
            "mean_norms": dict(zip(self.parts, np.sqrt((norms**2).mean(0)).tolist(), strict=True)),
        }


def weights_moved(model: nn.Module, before: Mapping[str, Tensor]) -> dict[str, float]:
    """How far the weights of every part went: the norm of the difference, over that of what was there."""
    now = dict(model.named_parameters())
    moved = {}
    for part, names in parts_of(model).items():
        gone = sum(float((now[n].detach() - before[n]).double().square().sum()) for n in names)
        there = sum(float(before[n].double().square().sum()) for n in names)
        moved[part] = (gone / there) ** 0.5 if there else float("nan")
    return moved
