"""What heads know: `attlas.probe.dependencies("mini")`."""

from importlib import import_module
from typing import Any

from attlas.choices import PROBES

__all__ = sorted(PROBES)


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name in PROBES:
        return getattr(import_module(f"attlas.verbs.probe.{name}"), name)
    raise AttributeError(f"module 'attlas.probe' has no attribute {name!r}")
