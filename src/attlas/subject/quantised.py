"""Weights that a checkpoint keeps in few bits.

transformers reads them: it computes with packed weights where it has the code for the device, and unpacks
them otherwise. Either way a model's attention is observed like any other's.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

_PLAIN = frozenset((torch.float64, torch.float32, torch.float16, torch.bfloat16))


def is_quantised(path: str | Path) -> bool:
    """Whether a folder's config says that its weights are; transformers puts such on a device itself."""
    try:
        return "quantization_config" in json.loads((Path(path) / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


def quantised_by(model: Any) -> str | None:
    """The method, as transformers calls it. None for plain weights, also those that were unpacked."""
    settings = getattr(model.config, "quantization_config", None)
    named = settings.get("quant_method") if isinstance(settings, dict) else settings
    method = getattr(named, "quant_method", named)
    return None if method is None else str(getattr(method, "value", method))


def dense_weight(module: nn.Module) -> Tensor:
    """The weight of a linear map, out x in: itself, or for packed, scaled or absent weights what the module
    makes of unit vectors, which is the same whoever packed them."""
    wide: Any = getattr(module, "in_features", None)
    high: Any = getattr(module, "out_features", None)
    weight = dict(module.named_parameters(recurse=False)).get("weight")
    if weight is not None and (wide is None or _is_plain(weight, (high, wide))):
        return weight.detach()
    some = weight if weight is not None else next(chain(module.parameters(), module.buffers()))
    units = torch.eye(wide, device="cpu" if some.is_meta else some.device)
    bias = getattr(module, "bias", None)
    with torch.no_grad():
        made: Tensor = module(units)
        if bias is not None:  # which may wait elsewhere, too
            made = made - module(units[:1] * 0)
    return made.T


def _is_plain(weight: Tensor, shape: tuple[int, int]) -> bool:
    tensor = weight.detach()  # of a parameter that a library made of its own tensor, that tensor
    return type(tensor) is Tensor and tensor.dtype in _PLAIN and not tensor.is_meta and tensor.shape == shape


def parts_of(tensor: Tensor) -> Iterator[Tensor]:
    """The plain tensors that it is made of: itself, or numbers and scales (torchao)."""
    if not is_traceable_wrapper_subclass(tensor):
        yield tensor
        return
    names, _ = tensor.__tensor_flatten__()
    for name in names:
        yield from parts_of(getattr(tensor, name))


def bytes_of(tensor: Tensor) -> int:
    return sum(part.numel() * part.element_size() for part in parts_of(tensor))


@contextmanager
def reading_gguf(trust_remote_code: bool) -> Iterator[dict[str, Any]]:
    """Let transformers read a GGUF file without its bar; gives the options to read it with.

    Where the package `kernels` is installed, it would fetch code from the hub that computes with packed
    weights. Without trust, they are unpacked instead.
    """
    import transformers

    with redirect_stderr(io.StringIO()):
        if trust_remote_code or not hasattr(transformers, "GgufConfig"):  # older ones fetch nothing
            yield {}
            return
        from transformers.integrations.gguf import kernels

        installed = kernels.is_kernels_available
        kernels.is_kernels_available = lambda: False
        try:
            yield {"quantization_config": transformers.GgufConfig(dequantize=True)}
        finally:
            kernels.is_kernels_available = installed
