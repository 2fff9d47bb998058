"""Edits: changes to attention inside the tap."""

from attlas.edits.disable import EDITS, Edit, uniform, zero
from attlas.edits.effect import Effect, effect

__all__ = ["EDITS", "Edit", "Effect", "effect", "uniform", "zero"]
