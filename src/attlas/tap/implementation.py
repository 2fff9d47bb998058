"""Which implementation of attention a model uses, for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import nn


@contextmanager
def attending(model: nn.Module, implementation: str) -> Iterator[None]:
    """All parts of the model attend by it, as transformers names it; afterwards as before. Also those that
    refuse `set_attn_implementation`, and heed their config all the same (Falcon)."""
    configs: list[Any] = list(
        {id(m.config): m.config for m in model.modules() if hasattr(m, "config")}.values()
    )
    previous = [getattr(config, "_attn_implementation_internal", None) for config in configs]
    try:
        for config in configs:
            config._attn_implementation_internal = implementation
        yield
    finally:
        for config, before in zip(configs, previous, strict=True):
            config._attn_implementation_internal = before
