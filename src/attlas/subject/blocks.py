"""The blocks of a model: what stands in the lists of layers that hold its attention modules; what in a block
writes into the residual stream beside attention, or norms it; and norms as linear
maps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from attlas.subject.subject import Subject

#: what models call the part of a block that writes beside attention: the feed-forward layer, experts, or a
#: state-space layer. Of BERT's and OPT's it is the last map, which stands in the block itself
_WRITERS = re.compile(
    r"(.*\.)?(mlp|feed_forward|feedforward|ffn|ff|moe|block_sparse_moe|DenseReluDense|ffn_output|fc2|mamba|"
    r"linear_attn)|output\.dense"
)


def blocks_of(subject: Subject) -> tuple[nn.Module, ...]:
    """The model's blocks, those of its stacks one after the other."""
    return tuple(dict.fromkeys(block for stack in stacks_of(subject) for block in stack))


def stacks_of(subject: Subject) -> tuple[nn.ModuleList, ...]:
    """The lists of layers that a model has; none where some attention module stands in no list of layers, or
    is called for several layers (ALBERT), whose calls are told apart by counting all of them, or where blocks
    take more from earlier ones than what the last of them gave (Gemma 3n's take keys)."""
    if any(call[1] for call in subject.addresses if call not in subject.repeated):
        return ()
    if subject.images:  # what reads pictures has rows of its own
        return ()
    config = getattr(subject.model.config, "text_config", subject.model.config)
    if getattr(config, "num_kv_shared_layers", 0):
        return ()
    names = {module: name for name, module in subject.model.named_modules()}
    modules = dict(subject.model.named_modules())
    stacks: dict[nn.ModuleList, None] = {}
    for attention, _ in subject.addresses:
        path = names[attention].split(".")
        above = (modules[".".join(path[:i])] for i in range(len(path)))
        outermost = next((module for module in above if isinstance(module, nn.ModuleList)), None)
        if outermost is None:
            return ()
        stacks[outermost] = None
    return tuple(stacks)


def writers_beside_attention(block: nn.Module) -> list[nn.Module]:
    """The outermost modules of a block that write into the stream, attention apart."""
    named = {name: module for name, module in block.named_modules() if _WRITERS.fullmatch(name)}
    return [
        module
        for name, module in named.items()
        if not any(name.startswith(f"{other}.") for other in named if other != name)
    ]


def is_norm(module: nn.Module) -> bool:
    """LayerNorm, RMSNorm, and what models call theirs: all that divides by the size of what it reads."""
    return "norm" in type(module).__name__.lower() and not any(True for _ in module.children())


@dataclass(frozen=True)
class FrozenNorm:
    """A norm as a linear map: `gain * (x - mean) / size + bias`, without `mean` in RMSNorm.
    With the size of one input held fixed, parts that add up to that input can be sent through one by one."""

    gain: Tensor  # model
    bias: Tensor  # model
    takes_mean_off: bool

    @staticmethod
    def of(norm: nn.Module, width: int) -> FrozenNorm:
        """Ask the norm itself, past its hooks: it may multiply by its weight or by 1 more (Gemma)."""
        parameter = next(norm.parameters(), None)
        kind = torch.float32 if parameter is None else parameter.dtype
        device = None if parameter is None else parameter.device
        ones = torch.ones(width, dtype=kind, device=device)
        steps = ones.clone()
        steps[::2] = -1
        steps = steps - steps.mean()  # no mean, and no 0
        with torch.no_grad():
            up, down, even, odd = (norm.forward(x).float() for x in (steps, -steps, ones, -ones))
        gain = (up - down) / 2 / steps
        off = (even - odd).norm() / 2 < 0.5 * gain.norm()
        return FrozenNorm(gain, (up + down) / 2, bool(off))

    def centre(self, x: Tensor) -> Tensor:
        return x - x.mean(-1, keepdim=True) if self.takes_mean_off else x

    def scale(self, x: Tensor, normed: Tensor) -> Tensor:
        """What each input (..., model) was multiplied by to give `normed`, its gain apart: (..., 1)."""
        plain = self.centre(x) * self.gain
        scaled = normed - self.bias
        return (scaled * plain).sum(-1, keepdim=True) / plain.square().sum(-1, keepdim=True).clamp(min=1e-30)

    def through(self, part: Tensor, scale: Tensor) -> Tensor:
        """What becomes of a part of an input, the bias apart."""
        return self.centre(part) * self.gain * scale
