"""Edits: changes to attention inside the tap."""

from attlas.edits.disable import EDITS, mean, uniform, zero
from attlas.edits.edit import Edit, by_row
from attlas.edits.effect import Effect, effect
from attlas.edits.shuffle import shuffle

__all__ = ["EDITS", "Edit", "Effect", "by_row", "effect", "mean", "shuffle", "uniform", "zero"]
