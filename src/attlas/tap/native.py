"""The compiled side of `tiled`: one C file, built when it is first needed and kept in the user's cache.

Nothing here is required. Where there is no C compiler, or a build fails, `library()` is None, `reason()` says
why, and the callers compute the same numbers in torch. `ATTLAS_NATIVE=0` switches it off.
"""

from __future__ import annotations

import ctypes
import hashlib
import logging
import math
import os
import platform
import shlex
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from ctypes import Structure, byref, c_float, c_int32, c_int64, c_uint, c_void_p
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from attlas.tap.needs import Distance, Entropy, Largest, Mass, Offset, RowFunction

if TYPE_CHECKING:
    from attlas.tap.call import Call
    from attlas.tap.needs import KernelRequest

# vectors need to know that no NaN is compared; sums keep their order
FLAGS = ("-O3", "-shared", "-fPIC", "-ffinite-math-only", "-fno-signed-zeros", "-fno-trapping-math")


def library() -> ctypes.CDLL | None:
    """The compiled library, or None where there is none."""
    return _load()[0]


def reason() -> str | None:
    """Why there is no compiled library; None where there is one."""
    return _load()[1]


class _Attention(Structure):
    """`attention` in native.c, field by field."""

    _fields_ = (
        *((name, c_void_p) for name in ("query", "key", "value")),
        *((name, c_int64 * 3) for name in ("query_stride", "key_stride", "value_stride")),
        *((name, c_int64) for name in ("batch", "heads", "groups", "queries", "keys", "dim")),
        ("scaling", c_float),
        ("causal", c_int32),
        *((name, c_void_p) for name in ("real", "kind", "belongs", "first")),
        *((name, c_int64) for name in ("kinds", "classes")),
        ("function", c_void_p),
        ("functions", c_int64),
        *((name, c_void_p) for name in ("output", "rows")),
        ("next", c_int64),
    )


class _JointSums(Structure):
    """`joint` in native.c, field by field."""

    _fields_ = (
        ("weights", c_void_p),
        *((name, c_int64) for name in ("heads", "size")),
        ("sums", c_void_p),
        ("next", c_int64),
    )


def attend(call: Call, request: KernelRequest) -> tuple[Tensor, Tensor] | None:
    """The call's output and row functions; None where the compiled kernel cannot give them."""
    compiled = library()
    if compiled is None or not _serves(call, request):
        return None
    tensors = [t if t.stride(-1) == 1 else t.contiguous() for t in (call.query, call.key, call.value)]
    query, key, _ = tensors
    batch, heads, queries, dim = query.shape
    output = query.new_empty(batch, queries, heads, dim)
    rows = query.new_empty(batch, heads, len(request.functions), queries)
    real = None if call.mask.keys is None else call.mask.keys.contiguous()
    kind, belongs = request.kinds
    first = (
        request.first.int().contiguous() if any(isinstance(f, Distance) for f in request.functions) else None
    )
    functions = _codes(request.functions)
    job = _Attention(
        *(t.data_ptr() for t in tensors),
        *(_Strides(*t.stride()[:3]) for t in tensors),
        *(batch, heads, key.shape[1], queries, key.shape[2], dim),
        *(call.scaling, call.mask.form == "causal"),
        *(None if real is None else real.data_ptr(), kind.data_ptr(), belongs.data_ptr()),
        *(None if first is None else first.data_ptr(), *belongs.shape),
        *(ctypes.addressof(functions), len(request.functions)),
        *(output.data_ptr(), rows.data_ptr(), 0),
    )
    _share(compiled.attend, job, torch.get_num_threads())
    if job.next < batch * heads:  # no thread had memory to work with
        return None
    return output.transpose(1, 2), rows.transpose(2, 3)


def joint_sums(weights: Tensor) -> Tensor | None:
    """head row key -> head head, float64: Σ (p + q) ln (p + q) over rows and keys, for each pair of heads,
    from the diagonal up; None where it cannot be computed here."""
    compiled = library()
    if compiled is None or weights.dtype != torch.float32 or weights.device.type != "cpu":
        return None
    weights = weights.detach().contiguous()
    heads, threads = weights.shape[0], torch.get_num_threads()
    sums = torch.zeros(heads, heads, dtype=torch.float64)
    job = _JointSums(weights.data_ptr(), heads, weights[0].numel(), sums.data_ptr(), 0)
    _share(compiled.joint_sums, job, threads)
    return sums * math.log(2)


def _serves(call: Call, request: KernelRequest) -> bool:
    query, key, value = call.query, call.key, call.value
    padding = call.mask.keys
    return (
        call.plain
        and not request.weights
        and all(t.dtype == torch.float32 and t.device.type == "cpu" for t in (query, key, value))
        and not (torch.is_grad_enabled() and any(t.requires_grad for t in (query, key, value)))
        and key.shape == value.shape
        and query.shape[-1] == key.shape[-1]
        and key.shape[0] == query.shape[0]
        and 0 not in (*query.shape, *key.shape)
        and request.features.shape[:2] == (key.shape[0], key.shape[2])
        and (padding is None or (padding.shape == request.features.shape[:2] and padding.dtype == torch.bool))
        and not any(isinstance(f, Entropy) and f.smoothing for f in request.functions)
    )


_Strides = c_int64 * 3


@cache
def _codes(functions: tuple[RowFunction, ...]) -> Any:
    """function 2, as native.c numbers them: which one, and of what."""
    codes = []
    classes = 0
    for function in functions:
        match function:
            case Mass():
                codes += [0, classes]
                classes += 1
            case Offset(by):
                codes += [1, by]
            case Entropy():
                codes += [2, 0]
            case Largest():
                codes += [3, 0]
            case Distance(power, rest):
                codes += [5 if rest else 4, power]
    return (c_int32 * max(1, len(codes)))(*codes)


def _share(worker: Any, job: Structure, threads: int) -> None:
    """Run the worker on this many threads: on torch's own where possible, since its idle ones spin."""
    pool = _torch_pool()
    if threads == 1:
        worker(byref(job))
    elif pool is not None:
        pool(worker, byref(job), threads, 0)
    else:
        with ThreadPoolExecutor(threads) as executor:
            list(executor.map(lambda _: worker(byref(job)), range(threads)))


@cache
def _torch_pool() -> Any:
    """What compiled OpenMP code calls to start a parallel region, in the runtime that torch uses."""
    for name in ("libtorch_cpu.so", "libtorch_cpu.dylib"):
        try:
            region = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / name)).GOMP_parallel
        except (OSError, AttributeError):
            continue
        region.argtypes = (c_void_p, c_void_p, c_uint, c_uint)
        region.restype = None
        return region
    return None


@cache
def _load() -> tuple[ctypes.CDLL | None, str | None]:
    if os.environ.get("ATTLAS_NATIVE") == "0":
        return None, "switched off by ATTLAS_NATIVE=0"
    try:
        compiled = ctypes.CDLL(str(_build()))
        compiled.attend.restype = compiled.joint_sums.restype = None
    except (OSError, subprocess.SubprocessError, AttributeError, ValueError, RuntimeError) as error:
        message = getattr(error, "stderr", None) or str(error)
        logging.getLogger(__name__).info("no compiled kernel, torch computes instead: %s", message)
        return None, message
    return compiled, None


def _build() -> Path:
    """The library's path, compiled if this source, compiler and processor have not been seen before."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    source = resources.files("attlas.tap") / "native.c"
    native = "-mcpu=native" if platform.machine() in ("arm64", "aarch64") else "-march=native"
    version = _run([*compiler, "--version"])
    identity = "\0".join([source.read_text("utf-8"), version, _processor(), *compiler, *FLAGS, native])
    folder = _cache()
    target = folder / f"native-{hashlib.sha256(identity.encode()).hexdigest()[:16]}.so"
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with resources.as_file(source) as path, tempfile.TemporaryDirectory(dir=folder) as building:
            fresh = Path(building) / target.name
            _run([*compiler, *FLAGS, native, str(path), "-o", str(fresh)])
            fresh.replace(target)  # whole or not at all, also when two processes build at once
    return target


def _run(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout


def _processor() -> str:
    """What `-march=native` depends on: a cache on a shared disk may serve different machines."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        described = [
            line for line in lines if line.startswith(("flags", "Features", "model name", "CPU part"))
        ]
        return "\n".join(dict.fromkeys(described))
    except OSError:
        return f"{platform.machine()} {platform.processor()}"


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "attlas"
