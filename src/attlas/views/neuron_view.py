"""`from attlas.views.neuron_view import show`, where a notebook has BertViz's."""

from attlas.views.bertviz import show

__all__ = ["show"]
