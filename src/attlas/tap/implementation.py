"""Which implementation of attention a model uses, for a while."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import nn

#: to an implementation whose name has this in it, transformers hands the images of a batch all at once, one
#: after the other, with the places where they end; for any other it makes a call for each image and window
PACKED = "-flash"


@contextmanager
def attending(model: nn.Module, implementation: str, packed: str | None = None) -> Iterator[None]:
    """All parts of the model attend by it, as transformers names it; afterwards as before. Also those that
    refuse `set_attn_implementation`, and heed their config all the same (Falcon). What reads images in packs
    attends as `packed`."""
    configs: list[Any] = list(
        {id(m.config): m.config for m in model.modules() if hasattr(m, "config")}.values()
    )
    previous = [getattr(config, "_attn_implementation_internal", None) for config in configs]
    packing = _packing(model) if packed else frozenset()
    try:
        for config in configs:
            config._attn_implementation_internal = packed if id(config) in packing else implementation
        yield
    finally:
        for config, before in zip(configs, previous, strict=True):
            config._attn_implementation_internal = before


def _packing(model: Any) -> frozenset[int]:
    """Which configs (their id) are of parts that can be handed all images at once."""
    whole = model.config
    text = {id(whole), id(getattr(whole, "text_config", whole))}
    return frozenset(
        id(module.config)
        for module in model.modules()
        if hasattr(module, "config")
        and id(module.config) not in text
        and "cu_seqlens" in inspect.signature(module.forward).parameters
    )
