"""Attlas: an atlas of attention. What every head of a Transformer does, in numbers with their uncertainty."""

from importlib import import_module
from typing import Any

from attlas.errors import AttlasError

__all__ = [
    "Atlas",
    "AttlasError",
    "Callback",
    "Subject",
    "Tap",
    "ask",
    "compare",
    "disable",
    "draw",
    "edit",
    "finetune",
    "load",
    "load_atlas",
    "map",
    "options",
    "patterns",
    "plan",
    "probe",
    "prune",
    "report",
    "show",
    "view",
]

_VERBS = (
    "ask",
    "compare",
    "disable",
    "draw",
    "finetune",
    "load",
    "map",
    "patterns",
    "plan",
    "prune",
    "report",
    "show",
    "view",
)
_ROOMS = {
    **dict.fromkeys(_VERBS, "verbs"),
    "Atlas": "atlas",
    "Callback": "studies.callback",
    "Subject": "subject",
    "Tap": "tap",
    "load_atlas": "atlas",
}
_NAMESPACES = ("edit", "options", "probe")


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    # torch and pandas take seconds to import: they load with the first name that needs them. Even what is
    # quick comes later, so that the terminal can be stopped from the first moment on (`__main__.py`)
    if name in _ROOMS:
        return getattr(import_module(f"attlas.{_ROOMS[name]}"), name)
    if name in _NAMESPACES:
        return import_module(f"attlas.{name}")
    raise AttributeError(f"module 'attlas' has no attribute {name!r}")
