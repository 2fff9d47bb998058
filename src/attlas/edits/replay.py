"""Running a model again from one of its blocks on: what earlier blocks gave is kept from a first run.

A block is what stands in the list of layers that holds an attention module. Blocks are called one after the
other in a forward pass; the first of them are answered from what was kept, and the others compute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from attlas.address import Kind
from attlas.subject.sharing import replaced_forwards
from attlas.tap.call import Call


@dataclass
class Kept:
    """What the blocks of one forward pass gave, in the order of their calls, and in which of these calls each
    layer attended. Those that end a stack are read by others than the next block."""

    blocks: tuple[nn.Module, ...]
    rows: int
    ends: frozenset[nn.Module] = frozenset()
    outputs: list[Any] = field(default_factory=list)
    calls: dict[tuple[Kind, int], int] = field(default_factory=dict)

    def listen(self, call: Call) -> None:
        """To be a tap's listener while a pass is being kept."""
        # a block has given nothing yet while it attends
        self.calls[call.kind, call.layer] = len(self.outputs)


@contextmanager
def keeping(kept: Kept) -> Iterator[None]:
    """A forward pass within fills `kept`."""

    def keep(_: nn.Module, forward: Callable[..., Any]) -> Callable[..., Any]:
        def keeping_forward(*args: Any, **kwargs: Any) -> Any:
            output = forward(*args, **kwargs)
            kept.outputs.append(output)
            return output

        return keeping_forward

    with replaced_forwards(kept.blocks, keep):
        yield


@contextmanager
def replaying(kept: Kept, first: int, copies: int) -> Iterator[None]:
    """A forward pass within computes from the block call `first` on, for `copies` copies of the batch."""
    made = 0

    def replay(block: nn.Module, forward: Callable[..., Any]) -> Callable[..., Any]:
        def replaying_forward(*args: Any, **kwargs: Any) -> Any:
            nonlocal made
            made += 1
            if made > first:
                return forward(*args, **kwargs)
            whole = made == first or block in kept.ends
            return _copy(kept.outputs[made - 1], kept.rows, copies, whole)

        return replaying_forward

    with replaced_forwards(kept.blocks, replay):
        yield


def _copy(output: Any, rows: int, copies: int, whole: bool) -> Any:
    """What a block gave, for copies of the batch one after the other. Not `whole`: what the next block, which
    does not compute either, takes no notice of. Should a model read it all the same, all it gives is not a
    number, so that nobody takes it for a result."""
    if isinstance(output, Tensor):
        if (
            whole
            or copies == 1
            or output.ndim == 0
            or output.shape[0] != rows
            or not output.is_floating_point()
        ):
            return spread(output, rows, copies)
        return output.new_full((), torch.nan).expand(copies * rows, *output.shape[1:])
    if isinstance(output, tuple | list):
        return type(output)(_copy(part, rows, copies, whole) for part in output)
    return output


def spread(tensor: Tensor, rows: int, copies: int) -> Tensor:
    """A batch's tensor for copies of the batch, one after the other."""
    if copies == 1 or tensor.ndim == 0 or tensor.shape[0] != rows:
        return tensor
    return tensor.expand(copies, *tensor.shape).flatten(0, 1)
