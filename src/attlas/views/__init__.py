"""Views of attention: in a notebook, as a page of its own, as a figure."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from attlas.options.view_options import ViewOptions

if TYPE_CHECKING:
    from attlas.views import neuron_view
    from attlas.views.bertviz import head_view, model_view
    from attlas.views.constructors import compare, view_atlas, view_image, view_model, view_tensors
    from attlas.views.display import View

__all__ = [
    "View",
    "ViewOptions",
    "compare",
    "head_view",
    "model_view",
    "neuron_view",
    "view_atlas",
    "view_image",
    "view_model",
    "view_tensors",
]

_ROOMS = {
    "View": "display",
    "compare": "constructors",
    "head_view": "bertviz",
    "model_view": "bertviz",
    "view_atlas": "constructors",
    "view_image": "constructors",
    "view_model": "constructors",
    "view_tensors": "constructors",
}


def __getattr__(name: str) -> Any:
    # numpy loads with the first name that needs it, so that the terminal answers at once
    if name in _ROOMS:
        return getattr(import_module(f"attlas.views.{_ROOMS[name]}"), name)
    if name == "neuron_view":
        return import_module("attlas.views.neuron_view")
    raise AttributeError(f"module 'attlas.views' has no attribute {name!r}")
