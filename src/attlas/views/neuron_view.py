"""`from attlas.views.neuron_view import show`, where a notebook has BertViz's."""

from .bertviz import show

__all__ = ["show"]
