"""Views of attention: in a notebook, as a page of its own, as a figure."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .verbs import view

if TYPE_CHECKING:
    from .bertviz import head_view, model_view
    from .display import View

__all__ = ["View", "head_view", "model_view", "view"]

_ROOMS = {"View": "display", "head_view": "bertviz", "model_view": "bertviz"}


def __getattr__(name: str) -> Any:
    # numpy loads with the first name that needs it, so that the terminal answers at once
    if name in _ROOMS:
        return getattr(import_module(f"attlas.views.{_ROOMS[name]}"), name)
    raise AttributeError(f"module 'attlas.views' has no attribute {name!r}")
