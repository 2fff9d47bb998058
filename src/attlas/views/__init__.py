"""Views of attention: in a notebook, as a page of its own, as a figure."""

from .bertviz import head_view, model_view
from .view import View, view

__all__ = ["View", "head_view", "model_view", "view"]
