"""Edits: changes to attention inside the tap."""

from attlas.edits.effect import Effect, effect
from attlas.edits.head_edit import Edit, by_row
from attlas.edits.shuffle import shuffle
from attlas.edits.switching_off import EDITS, mean, uniform, zero

__all__ = ["EDITS", "Edit", "Effect", "by_row", "effect", "mean", "shuffle", "uniform", "zero"]
