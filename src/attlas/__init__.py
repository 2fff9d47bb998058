"""Attlas: an atlas of attention. What every head of a Transformer does, in numbers with their uncertainty."""

from importlib import import_module
from typing import Any

from attlas.choices import VERBS

#: where the public names are
_ROOMS = {
    **{verb: f"verbs.{verb}" for verb in VERBS},
    "Atlas": "atlas",
    "AttlasError": "errors",
    "Callback": "studies.callback",
    "Subject": "subject",
    "Tap": "tap",
    "load_atlas": "atlas",
}
_NAMESPACES = ("edit", "options", "probe")

__all__ = sorted([*_ROOMS, *_NAMESPACES])


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
