"""From a call to the GPU and back: which calls the fused kernel takes, and in what blocks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import torch
import triton
from torch import Tensor

from attlas.tap.call import Call
from attlas.tap.kernels import Rows
from attlas.tap.mask import Runs
from attlas.tap.needs import Entropy, KernelRequest
from attlas.tap.triton import code
from attlas.tap.triton.prepared import power_of_two, prepare_request, rulers_of

MOST_COLUMNS = 64
LARGEST_HEAD = 576  # that of multi-head latent attention whose keys were not unfolded
DTYPES = (torch.float32, torch.bfloat16, torch.float16)
INTERPRETED: bool = bool(triton.knobs.runtime.interpret)


class Fused(NamedTuple):
    output: Tensor  # batch head query dim
    sums: Tensor  # batch head block (group column), to be added up over blocks of queries
    rows: Rows | None
    launch: Launch | None  # None where it cannot be repeated


def obstacle(call: Call, request: KernelRequest) -> str | None:
    """What keeps the fused kernel from this call, in words; None where nothing does."""
    query, key, value = call.query, call.key, call.value
    if call.edits_weights:
        return "edits"
    if not runs_of(call):
        return "masks whose rows are not runs of keys"
    if call.dropout:
        return "dropout"
    if query.dtype not in DTYPES or not query.dtype == key.dtype == value.dtype:
        return f"{query.dtype}"
    if max(key.shape[-1], value.shape[-1]) > LARGEST_HEAD or 0 in (*query.shape, *key.shape, *value.shape):
        return "heads of this size"
    if any(isinstance(f, Entropy) and f.smoothing for f in request.functions):
        return "smoothed entropy"
    if len(request.functions) > MOST_COLUMNS - 2:
        return "so many statistics at once"
    if call.scaling <= 0 or any(t.stride(2) * t.shape[2] >= 2**31 for t in (query, key, value)):
        return "tensors of this shape"
    if not (query.is_cuda or INTERPRETED):
        return f"tensors on {query.device.type}"
    return None


def runs_of(call: Call) -> bool:
    """Whether the mask is a band, or each of its rows a run of keys."""
    if call.mask.form != "other":
        return True
    return call.mask.runs(call.query.shape[2], call.key.shape[2], call.query.device) is not None


def forward(call: Call, request: KernelRequest) -> Fused:
    query = call.query
    batch, heads, queries, dim = query.shape
    known = prepare_request(request, call.value.dtype)
    columns = known.columns
    keys, wide = call.key.shape[2], call.value.shape[3]
    at = Common.of(call, request.places)
    block = _blocks(dim, wide, query.dtype, at.seen)
    several = -(-queries // block.rows)
    output = query.new_empty(batch, queries, heads, wide)
    sums = query.new_empty((batch, heads, several, known.groups * columns.width), dtype=torch.float32)
    rulers = rulers_of(request, call.value.dtype, block.cols) if columns.distances else request.real
    rows = None
    if request.lazy_weights:
        lse, peaks = query.new_empty((2, batch, heads, queries), dtype=torch.float32).unbind()
        rows = Rows(lse, peaks, query.new_empty((batch, heads, queries), dtype=torch.int32))
    tensors = (
        at.query, at.key, at.value, output, known.features, rulers, known.members,
        at.spans, at.holes, at.runs, at.bias, at.sinks, sums,
        *((query,) * 3 if rows is None else (rows.logsum, rows.best, rows.largest)),
    )  # fmt: skip
    constants = (
        block.rows, block.cols, *at.shape, wide, max(16, power_of_two(wide)),
        columns.masses, len(columns.by), columns.before_distances, columns.by,
        known.groups, known.padded_groups,
        keys % block.cols == 0, call.sinks is not None, request.lazy_weights, call.mask.reach[1] == 0,
        columns.distances,
    )  # fmt: skip
    numbers = (*at.strides, *at.bias_strides, heads, queries, keys)
    programs = several * batch * heads
    compiled = start(code.attend, programs, tensors, numbers, at.floats, at.reach, constants, block)
    launch = None
    as_given = at.query is query and at.key is call.key and at.value is call.value
    repeatable = as_given and at.bias is at.query and call.sinks is None and rows is None
    if compiled is not None and repeatable and request.places is None:
        masks = tuple(None if t is at.query else t for t in (at.spans, at.holes, at.runs))
        launch = Launch(
            _likeness(query, call.key, call.value), compiled[programs, 1, 1], known.features, rulers,
            known.members, masks, numbers, at.floats[1], (*at.reach, *constants), output.shape, sums.shape,
        )  # fmt: skip
    return Fused(output.transpose(1, 2), sums, rows, launch)


@dataclass(frozen=True, eq=False)
class Launch:
    """A launch, with all that later ones for other layers have in common with it."""

    like: tuple[Any, ...]
    start: Any  # of the compiled kernel, with its grid
    features: Tensor
    rulers: Tensor
    members: Tensor
    masks: tuple[Tensor | None, ...]  # spans, holes and runs, where they are read
    numbers: tuple[int, ...]
    cap: float
    constants: tuple[Any, ...]
    output: torch.Size
    sums: torch.Size

    def repeat(
        self, query: Tensor, key: Tensor, value: Tensor, scaling: float
    ) -> tuple[Tensor, Tensor] | None:
        """The output (batch query head dim) and the sums, if the tensors are of the same make."""
        if torch.is_grad_enabled() or _likeness(query, key, value) != self.like:
            return None
        if torch.cuda.current_device() != query.device.index:
            return None
        output = query.new_empty(self.output)
        sums = query.new_empty(self.sums, dtype=torch.float32)
        masks = (query if mask is None else mask for mask in self.masks)
        self.start(
            query, key, value, output, self.features, self.rulers, self.members, *masks, query, query, sums,
            query, query, query, *self.numbers, scaling, self.cap, *self.constants,
        )  # fmt: skip
        return output, sums


def _likeness(query: Tensor, key: Tensor, value: Tensor) -> tuple[Any, ...]:
    """All that Triton specialises on."""
    aligned = (query.data_ptr() | key.data_ptr() | value.data_ptr()) % 16 == 0
    shapes = query.shape, key.shape, value.shape, query.stride(), key.stride(), value.stride()
    return (*shapes, query.dtype, key.dtype, value.dtype, query.device, aligned)


_started: dict[Any, Any] = {}


def start(
    kernel: Any,
    programs: int,
    tensors: tuple[Tensor, ...],
    numbers: tuple[int, ...],
    floats: tuple[float, ...],
    reach: tuple[int, ...],
    constants: tuple[Any, ...],
    block: Blocks,
) -> Any:
    """Launches a kernel. Triton looks at every argument of every launch, which takes longer than a small
    kernel: a launch like an earlier one, in all that Triton specialises on, goes straight to its code,
    which is returned."""
    arguments = (*tensors, *numbers, *floats, *reach, *constants)
    if INTERPRETED:
        kernel[(programs,)](*arguments)
        return None
    device = tensors[0].device
    with torch.cuda.device(device):
        if any(t.data_ptr() % 16 for t in tensors):
            kernel[(programs,)](*arguments, **block.options)
            return None
        sizes = tuple(_constants_of_code(n) for n in (*numbers, *reach))
        like = (kernel, device, *(t.dtype for t in tensors), sizes, constants, block)
        compiled = _started.get(like)
        if compiled is None:
            compiled = kernel[(programs,)](*arguments, **block.options)
            _started[like] = compiled
        else:
            compiled[(programs, 1, 1)](*arguments)
    return compiled


def _constants_of_code(number: int) -> tuple[bool, bool, bool]:
    """What Triton makes code of its own for."""
    return number == 1, number % 16 == 0, number >= 2**31


class Blocks(NamedTuple):
    rows: int
    cols: int
    warps: int
    stages: int
    registers: int | None = None  # of a thread, at most: fewer let more programs run side by side

    @property
    def options(self) -> dict[str, Any]:
        limit = {} if self.registers is None else {"maxnreg": self.registers}
        return {"num_warps": self.warps, "num_stages": self.stages, **limit}


@lru_cache
def _blocks(keys_of: int, values_of: int, dtype: torch.dtype, keys: int) -> Blocks:
    """For keys and values of these sizes, and queries that see `keys` at most. Chosen by measuring on an
    H200; see docs/performance.md."""
    dim = max(keys_of, values_of)
    if INTERPRETED:
        return Blocks(32, 16, 4, 1)
    if dim > 256:
        return Blocks(16, 16, 8, 1) if dtype == torch.float32 else Blocks(64, 32, 8, 1)
    if dtype == torch.float32:
        return Blocks(64, 32, 4, 2) if dim <= 128 else Blocks(32, 16, 4, 1)
    if dim <= 64:
        if keys <= 256:
            return Blocks(64, 32, 4, 3, registers=96)
        return Blocks(64, 64, 4, 2, registers=128) if keys <= 1024 else Blocks(64, 64, 4, 3)
    if dim <= 128:
        return Blocks(64, 32, 4, 3, registers=168) if keys <= 2048 else Blocks(128, 64, 8, 3)
    if keys <= 1024:
        return Blocks(64, 32, 4, 2)
    return Blocks(128, 64, 8, 3 if keys_of + values_of <= 320 else 2)


class Common(NamedTuple):
    """What every kernel is told about a call: tensors with a contiguous last axis, and the mask's shape."""

    query: Tensor
    key: Tensor
    value: Tensor
    spans: Tensor
    holes: Tensor
    runs: Tensor
    bias: Tensor
    sinks: Tensor
    strides: tuple[int, ...]  # batch, head and row of query, key and value
    bias_strides: tuple[int, int, int]
    floats: tuple[float, float]  # scale and cap
    reach: tuple[int, int]
    shape: tuple[Any, ...]  # SHARED, D, DP, REST, RP, PADDED, RUNS, LEFT, RIGHT, CAP, BIAS, PRECISION
    seen: int  # keys that a query sees at most

    @staticmethod
    def of(call: Call, places: Tensor | None = None) -> Common:
        """`places` (batch query) is where each query stands, if it is not where it comes."""
        query, key, value = (
            t if t.stride(-1) == 1 else t.contiguous() for t in (call.query, call.key, call.value)
        )
        mask, queries, keys = call.mask, query.shape[2], key.shape[2]
        runs = mask.runs(queries, keys, query.device) if mask.form == "other" else None
        padded, spans, holes = 0, query, query
        if mask.keys is not None:
            padded = 2 if mask.span is None else 1
            spans, holes = (query, mask.keys.contiguous()) if mask.span is None else (mask.span, query)
        bias, bias_strides, biased = query, (0, 0, 0), 0
        added = [b[..., :keys] for b in (call.bias, mask.bias) if b is not None]
        if added:
            bias = sum(added[1:], added[0])
            bias = bias if bias.stride(-1) == 1 else bias.contiguous()
            bias = bias.expand(*query.shape[:3], keys)
            bias_strides = (bias.stride(0), bias.stride(1), bias.stride(2))
            biased = 1 if bias_strides[2] else 2
        left, right = mask.reach
        precision = "tf32x3" if query.dtype == torch.float32 else "tf32"
        return Common(
            query,
            key,
            value,
            spans,
            holes,
            query if runs is None else _rows_written(runs, len(query), places),
            bias,
            query if call.sinks is None else call.sinks,
            (*query.stride()[:3], *key.stride()[:3], *value.stride()[:3]),
            bias_strides,
            (call.scaling, call.softcap or 0.0),
            (left or 0, right or 0),
            (
                *(query.shape[1] // key.shape[1], *_parts(query.shape[-1]), padded, runs is not None),
                *(left is not None, right is not None, call.softcap is not None, biased, precision),
            ),
            mask.longest(keys) if runs is None else runs.longest,
        )


def _rows_written(runs: Runs, batch: int, places: Tensor | None) -> Tensor:
    """batch query 3, as the kernels read them."""
    first, past = (bound.expand(batch, -1) for bound in runs[:2])
    if places is None:
        places = torch.arange(first.shape[1], device=first.device).expand(batch, -1)
    return torch.stack([first, past, places.int()], -1)


def _parts(dim: int) -> tuple[int, int, int, int]:
    """D, DP, REST, RP: a head's size in one part, or in two where that spares much (192 is 128 and 64);
    and both parts as the powers of two that the matrix units take."""
    whole = max(16, power_of_two(dim))
    half = whole // 2
    if 128 < dim <= half + half // 2:
        return half, half, dim - half, max(16, power_of_two(dim - half))
    return dim, whole, 0, 16
