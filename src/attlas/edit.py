"""Changes to attention: `attlas.edit.uniform(["7.9"])`, for `attlas.Tap(subject, edits=[...])`."""

from attlas.edits import by_row, effect, mean, shuffle, uniform, zero

__all__ = ["by_row", "effect", "mean", "shuffle", "uniform", "zero"]
