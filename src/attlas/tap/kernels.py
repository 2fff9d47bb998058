"""Kernels: the attention output and, beside it, the row functions that the observers asked for.

All kernels give the same numbers. `eager` is the reference; `tiled` never holds more than a block of rows;
`triton` computes everything in one pass on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.util import find_spec
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.errors import AttlasError
from attlas.tap import native
from attlas.tap.call import Call
from attlas.tap.needs import Distance, Entropy, KernelRequest, Largest, Layout, Mass, Offset, RowFunction
from attlas.tap.row_sample import RowSample, check_fraction, sample_rows
from attlas.tap.totals import PlainTotals, Totals


class Rows(NamedTuple):
    """What a fused pass knows of every row, each batch head query."""

    logsum: Tensor  # log₂ Σ e^score
    largest: Tensor  # the largest weight
    best: Tensor  # and the key that it falls on


@dataclass(frozen=True)
class KernelResult:
    output: Tensor  # batch head query dim
    rows: Tensor | None = None  # batch head query function; None where the kernel has added them up itself
    weights: Tensor | None = None  # batch head query key
    known: Rows | None = None


class KernelPass(Protocol):
    """A kernel during one forward pass: it answers the model's calls, and keeps what they add up to."""

    def call(self, call: Call, request: KernelRequest) -> KernelResult: ...

    def add_rows(self, kind: Kind, layer: int, rows: Tensor, request: KernelRequest) -> None:
        """Counts rows (batch head query function) that somebody else computed."""
        ...

    def totals(self) -> tuple[Totals, ...]: ...


class PlainPass:
    """A forward pass on a kernel that is a function of one call."""

    def __init__(self, attend: Callable[[Call, KernelRequest], KernelResult]) -> None:
        self.attend = attend
        self.counted: dict[tuple[Kind, int], tuple[Layout, list[int], list[Tensor]]] = {}

    def call(self, call: Call, request: KernelRequest) -> KernelResult:
        result = self.attend(call, request)
        if result.rows is not None:
            self.add_rows(call.kind, call.layer, result.rows, request)
        return result

    def add_rows(self, kind: Kind, layer: int, rows: Tensor, request: KernelRequest) -> None:
        if request.functions:
            with torch.no_grad(), outside_autocast(rows.device):
                alike = kind, rows.shape[1]
                _, layers, totals = self.counted.setdefault(alike, (request.layout, [], []))
                layers.append(layer)
                totals.append(request.add_up(rows.detach()))

    def totals(self) -> tuple[Totals, ...]:
        return tuple(
            PlainTotals(kind, tuple(layers), layout.totals, torch.stack(totals))
            for (kind, _), (layout, layers, totals) in self.counted.items()
        )


def eager(call: Call, request: KernelRequest) -> KernelResult:
    """The reference: all weights of the call at once."""
    weights = call.weights()
    return KernelResult(
        call.mix(weights), row_functions(weights, request), weights if request.weights else None
    )


BLOCK_BYTES = {"cpu": 2**23, "cuda": 2**28}  # weights that `tiled` holds at once


def tiled(call: Call, request: KernelRequest, block_bytes: int = 0) -> KernelResult:
    """Blocks of queries: memory grows with the length, not with its square. Compiled where it can be."""
    block_bytes = block_bytes or BLOCK_BYTES["cuda" if call.query.is_cuda else "cpu"]
    if (compiled := native.attend(call, request)) is not None:
        return KernelResult(*compiled)
    if _few_are_edited(call, request):
        return _attend_part_by_part(call, request, block_bytes)
    batch, heads, queries, _ = call.query.shape
    block = max(1, block_bytes // (4 * batch * heads * call.key.shape[2]))
    outputs, rows, kept = [], [], []
    for start in range(0, queries, block):
        weights = call.weights(start, min(start + block, queries))
        outputs.append(call.mix(weights))
        rows.append(row_functions(weights, request, start))
        if request.weights:
            kept.append(weights)
    return KernelResult(
        torch.cat(outputs, 2), torch.cat(rows, 2), torch.cat(kept, 2) if request.weights else None
    )


def _few_are_edited(call: Call, request: KernelRequest) -> bool:
    """Whether nobody looks at the weights, and those of few heads change, each by one edit."""
    edits = [edit for edit in call.edits if edit.weights is not None]
    if not edits or request.functions or request.weights or call.dropout:
        return False
    rows, heads = call.query.shape[:2]
    changed = [(row, head) for e in edits for row in e.rows or range(rows) for head in e.heads]
    return len(changed) == len(set(changed)) <= rows * heads / 2


def _attend_part_by_part(call: Call, request: KernelRequest, block_bytes: int) -> KernelResult:
    """The heads that change are computed for themselves, all others as if there were no edit."""
    result = tiled(replace(call, edits=()), request, block_bytes)
    output = result.output.clone()
    for edit in call.edits:
        if edit.weights is not None:
            part = call.part(edit)
            nothing = KernelRequest.nothing(len(part.key), part.key.shape[2], part.key.device)
            output[edit.place(output.device)] = tiled(part, nothing, block_bytes).output
    return replace(result, output=output)


def own_attention(call: Call) -> Tensor | None:
    """The output as the model computes it by itself, by torch's fused attention, through which autograd comes
    too; None for calls that it does not make."""
    if call.edits_weights or call.dropout or call.softcap is not None or call.sinks is not None:
        return None
    queries, keys = call.query.shape[2], call.key.shape[2]
    causal = call.mask.form == "causal" and call.mask.keys is None and queries == keys
    mask = None if causal else call.mask.allowed(0, queries)
    biases = [b[..., :keys] for b in (call.bias, call.mask.bias) if b is not None]
    if biases:
        mask = call.mask.allowed(0, queries)
        bias = sum(biases[1:], biases[0]).to(call.query.dtype)
        mask = bias if mask is None else bias.masked_fill(~mask, torch.finfo(bias.dtype).min)
    # with a mask, or keys and values of different sizes, shared keys would send torch to its slow way
    key, value = call.key, call.value
    shared = key.shape[1] != call.query.shape[1]
    if shared and (mask is not None or key.shape[-1] != value.shape[-1]):
        key, value, shared = call.per_head(key), call.per_head(value), False
    return torch.nn.functional.scaled_dot_product_attention(
        call.query,
        key,
        value,
        mask,
        is_causal=mask is None and causal,
        scale=call.scaling,
        enable_gqa=shared,
    )


class SampledPass:
    """A forward pass in which the model attends by itself, and another kernel sees a sample of the rows. That
    kernel does all of it where the model's own attention cannot be had, or the sample would be most rows."""

    def __init__(self, fraction: float, within: KernelPass, most: int | None = None) -> None:
        self.fraction = fraction
        self.most = most  # rows of an item that belong to the same groups
        self.within = within

    def call(self, call: Call, request: KernelRequest) -> KernelResult:
        sample = None if request.weights or not request.functions else self._sample(request)
        if sample is None or 2 * sample.places.shape[1] > call.query.shape[2]:
            return self.within.call(call, request)
        output = own_attention(call)
        if output is None:
            return self.within.call(call, request)
        with torch.no_grad():
            self.within.call(*sample.of(call, request))
        return KernelResult(output)

    def _sample(self, request: KernelRequest) -> RowSample | None:
        """The same for all layers."""
        if not request.items:
            return None
        if "sample" not in request.prepared:
            request.prepared["sample"] = sample_rows(request.groups, request.items, self.fraction, self.most)
        sample: RowSample = request.prepared["sample"]
        return sample

    def add_rows(self, kind: Kind, layer: int, rows: Tensor, request: KernelRequest) -> None:
        self.within.add_rows(kind, layer, rows, request)

    def totals(self) -> tuple[Totals, ...]:
        return self.within.totals()


def _begin_fused(exact: bool = False) -> KernelPass:
    from attlas.tap.triton.fused_pass import FusedPass

    return FusedPass(exact)


#: name -> what begins a forward pass
KERNELS: dict[str, Callable[[], KernelPass]] = {
    "eager": partial(PlainPass, eager),
    "tiled": partial(PlainPass, tiled),
    "triton": _begin_fused,
}


def kernel(name: str | None, device: torch.device, rows: float | None = None) -> Callable[[], KernelPass]:
    """The kernel of that name, or the one that suits the device; on that fraction of the rows.

    With None it is every row, unless that would take many times as long as the model itself; with 1, always.
    """
    begin = _kernel(name, device)
    fraction = check_fraction(rows)
    if fraction is None:
        return begin
    if begin is _begin_fused:
        begin = partial(_begin_fused, exact=True)
    return begin if fraction == 1 else lambda: SampledPass(fraction, begin())


def _kernel(name: str | None, device: torch.device) -> Callable[[], KernelPass]:
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


def row_functions(weights: Tensor, request: KernelRequest, start: int = 0) -> Tensor:
    """Each function of each row, of the weights of the queries from `start` on: batch head query function."""
    with outside_autocast(weights.device):
        return _row_functions(weights, request, start)


def _row_functions(weights: Tensor, request: KernelRequest, start: int) -> Tensor:
    masses = iter((weights @ request.features[:, None].to(weights.dtype)).unbind(-1))
    distances = _distances(weights, request, start)
    columns = []
    for function in request.functions:
        match function:
            case Mass():
                columns.append(next(masses))
            case Offset(by):
                columns.append(_at_offset(weights, request.places, start, by))
            case Entropy(smoothing):
                columns.append(_entropy(weights, request.real, smoothing))
            case Largest():
                columns.append(weights.amax(-1))
            case Distance():
                columns.append(distances[function])
    return torch.stack(columns, -1) if columns else weights.new_empty(*weights.shape[:3], 0)


def _places(weights: Tensor, places: Tensor | None, start: int) -> Tensor:
    """batch query, or 1 query: where the queries stand."""
    queries = weights.shape[2]
    if places is None:
        return torch.arange(start, start + queries, device=weights.device)[None]
    return places[:, start : start + queries]


def _at_offset(weights: Tensor, places: Tensor | None, start: int, by: int) -> Tensor:
    keys = weights.shape[-1]
    target = _places(weights, places, start)[:, None] + by
    inside = (target >= 0) & (target < keys)
    index = target.clamp(0, keys - 1)[..., None].expand(*weights.shape[:3], 1)
    return weights.gather(-1, index).squeeze(-1) * inside


def _distances(weights: Tensor, request: KernelRequest, start: int) -> dict[RowFunction, Tensor]:
    """Each distance that is asked for: batch head query. The first token's share is taken apart, and not
    subtracted: where it is nearly all, nothing would be left of the rest's digits."""
    wanted = [f for f in request.functions if isinstance(f, Distance)]
    if not wanted:
        return {}
    place, keys = _places(weights, request.places, start), weights.shape[-1]
    key = torch.arange(keys, device=weights.device)
    apart = (place[..., None] - key).abs().to(weights.dtype)[:, None]  # batch 1 query key
    first = request.first[:, None, None, None]
    others = weights * (key != first)
    at_first = weights.gather(-1, first.expand(*weights.shape[:3], 1))[..., 0]
    from_first = (place - first[:, 0, :, 0]).abs().to(weights.dtype)[:, None]  # batch 1 query
    sums: dict[RowFunction, Tensor] = {}
    for power in sorted({f.power for f in wanted}):
        rest = (others * apart**power).sum(-1)
        sums[Distance(power, rest=True)] = rest
        sums[Distance(power)] = rest + at_first * from_first**power
    return sums


def _entropy(weights: Tensor, real: Tensor, smoothing: float) -> Tensor:
    if smoothing:
        real = real[:, None, None].to(weights.dtype)  # batch 1 1 key
        weights = (1 - smoothing) * weights + smoothing * real / real.sum(-1, keepdim=True)
    entropies: Tensor = torch.special.entr(weights).sum(-1)
    return entropies
