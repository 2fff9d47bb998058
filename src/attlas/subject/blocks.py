"""The blocks of a model: what stands in the lists of layers that hold its attention modules; and what in a
block writes into the residual stream beside attention, or norms it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torch import nn

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
