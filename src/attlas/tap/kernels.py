"""Kernels: the attention output and, beside it, the row functions that the reducers asked for.

All kernels give the same numbers. `eager` is the reference; `tiled` never holds more than a block of rows;
`triton` computes everything in one pass on a GPU.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from attlas.errors import AttlasError
from attlas.tap import native
from attlas.tap.call import Call
from attlas.tap.needs import Entropy, Largest, Mass, Offset, RowFunction


@dataclass(frozen=True)
class Ask:
    """What a kernel computes besides the output: row functions in order, and perhaps the weights."""

    functions: tuple[RowFunction, ...]
    features: Tensor  # batch key class: a column of 0 and 1 for each Mass among the functions, in order
    real: Tensor  # batch key: True on tokens, False on padding
    weights: bool
    groups: Tensor | None = None  # batch group query: 0 and 1; a kernel may add its rows up over these itself
    look: bool = False  # whether a second look will follow: a kernel may leave `Rows` for it
    # what a kernel made of this for itself, kept for the next layer
    prepared: dict[Any, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def kinds(self) -> tuple[Tensor, Tensor]:
        """Keys of the same classes are of one kind: each key's (batch key), and its classes (kind class)."""
        members = self.features.flatten(0, 1) != 0
        kind = torch.zeros(len(members), dtype=torch.long)
        for some in torch.split(members, 32, dim=1):  # as the bits of a number
            bits = (some * 2 ** torch.arange(some.shape[1])).sum(-1)
            kind = torch.unique(kind * 2**32 + bits, return_inverse=True)[1]
        classes = self.features.new_empty(int(kind.max()) + 1, members.shape[1])
        classes[kind] = members.to(classes.dtype)
        return kind.view(self.features.shape[:2]).int(), classes


class Again(Protocol):
    """Answers a later call like this one, if its tensors are alike: the output (batch query head dim), and
    sums."""

    def __call__(
        self, query: Tensor, key: Tensor, value: Tensor, scaling: float, softcap: float | None
    ) -> tuple[Tensor, Tensor] | None: ...


class Rows(NamedTuple):
    """What a fused pass knows of every row, each batch head query."""

    logsum: Tensor  # log₂ Σ e^score
    largest: Tensor  # the largest weight
    best: Tensor  # and the key that it falls on


@dataclass(frozen=True)
class Answer:
    """Either `rows`, or what they add up to: `sums`, with the place of each function among its columns."""

    output: Tensor  # batch head query dim
    rows: Tensor | None  # batch head query function
    weights: Tensor | None  # batch head query key
    sums: Tensor | None = None  # batch head block (group column), to be added up over blocks of queries
    columns: tuple[int, ...] = ()
    width: int = 0  # columns of a group
    known: Rows | None = None
    again: Again | None = None


Kernel = Callable[[Call, Ask], Answer]


def eager(call: Call, ask: Ask) -> Answer:
    """The reference: all weights of the call at once."""
    weights = call.weights()
    return Answer(call.mix(weights), row_functions(weights, ask), weights if ask.weights else None)


def tiled(call: Call, ask: Ask, block_bytes: int = 2**23) -> Answer:
    """Blocks of queries: memory grows with the length, not with its square. Compiled where it can be."""
    if (compiled := native.attend(call, ask)) is not None:
        return Answer(*compiled, None)
    batch, heads, queries, _ = call.query.shape
    block = max(1, block_bytes // (4 * batch * heads * call.key.shape[2]))
    outputs, rows, kept = [], [], []
    for start in range(0, queries, block):
        weights = call.weights(start, min(start + block, queries))
        outputs.append(call.mix(weights))
        rows.append(row_functions(weights, ask, start))
        if ask.weights:
            kept.append(weights)
    return Answer(torch.cat(outputs, 2), torch.cat(rows, 2), torch.cat(kept, 2) if ask.weights else None)


def triton(call: Call, ask: Ask) -> Answer:
    """One fused pass on the GPU; what it cannot do goes to `tiled`."""
    from attlas.tap.triton.launch import attend

    return attend(call, ask)


KERNELS: dict[str, Kernel] = {"eager": eager, "tiled": tiled, "triton": triton}


def kernel(name: str | None, device: torch.device) -> Kernel:
    """The kernel of that name, or the one that suits the device."""
    name = kernel_for(device) if name is None else name
    if name not in KERNELS:
        raise AttlasError(f"there is no kernel {name!r}: choose one of {', '.join(KERNELS)}")
    if name == "triton" and (why := _no_triton()) is not None:
        raise AttlasError(f"the kernel 'triton' cannot run here: {why}; 'tiled' runs everywhere")
    return KERNELS[name]


def kernel_for(device: torch.device) -> str:
    return "triton" if device.type == "cuda" and _no_triton() is None else "tiled"


def usable() -> tuple[str, ...]:
    """The names of the kernels that run on this machine."""
    return tuple(name for name in KERNELS if name != "triton" or _no_triton() is None)


@cache
def _no_triton() -> str | None:
    """Why Triton cannot run here; None where it can, on a GPU or in its interpreter (TRITON_INTERPRET=1)."""
    if find_spec("triton") is None:
        return "Triton is not installed"
    if torch.cuda.is_available():
        return None
    from attlas.tap.triton.launch import INTERPRETED

    return None if INTERPRETED else "there is no CUDA device"


def outside_autocast(device: torch.device) -> AbstractContextManager[object]:
    """Statistics are taken in full precision, also where the model runs under autocast."""
    if torch.is_autocast_enabled(device.type):
        return torch.autocast(device.type, enabled=False)
    return nullcontext()


def row_functions(weights: Tensor, ask: Ask, start: int = 0) -> Tensor:
    """Each function of each row, of the weights of the queries from `start` on: batch head query function."""
    with outside_autocast(weights.device):
        return _row_functions(weights, ask, start)


def _row_functions(weights: Tensor, ask: Ask, start: int) -> Tensor:
    masses = iter((weights @ ask.features[:, None].to(weights.dtype)).unbind(-1))
    columns = []
    for function in ask.functions:
        match function:
            case Mass():
                columns.append(next(masses))
            case Offset(by):
                columns.append(_at_offset(weights, start, by))
            case Entropy(smoothing):
                columns.append(_entropy(weights, ask.real, smoothing))
            case Largest():
                columns.append(weights.amax(-1))
    return torch.stack(columns, -1) if columns else weights.new_empty(*weights.shape[:3], 0)


def _at_offset(weights: Tensor, start: int, by: int) -> Tensor:
    queries, keys = weights.shape[-2:]
    target = torch.arange(start, start + queries, device=weights.device) + by
    inside = (target >= 0) & (target < keys)
    index = target.clamp(0, keys - 1)[:, None].expand(*weights.shape[:3], 1)
    return weights.gather(-1, index).squeeze(-1) * inside


def _entropy(weights: Tensor, real: Tensor, smoothing: float) -> Tensor:
    if smoothing:
        real = real[:, None, None].to(weights.dtype)  # batch 1 1 key
        weights = (1 - smoothing) * weights + smoothing * real / real.sum(-1, keepdim=True)
    entropies: Tensor = torch.special.entr(weights).sum(-1)
    return entropies
