"""Changes to attention: `attlas.edit.uniform(["7.9"])`, for `attlas.Tap(subject, edits=[...])`."""

from attlas.edits import by_row, switching_off
from attlas.edits.effect import effect
from attlas.edits.switching_off import *  # noqa: F403

__all__ = ["by_row", "effect"]
__all__ += switching_off.__all__
