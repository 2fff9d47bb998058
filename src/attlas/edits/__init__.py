"""Edits: changes to attention inside the tap."""

from attlas.edits import switching_off
from attlas.edits.head_edit import Edit, by_row
from attlas.edits.switching_off import *  # noqa: F403

__all__ = ["Edit", "by_row"]
__all__ += switching_off.__all__
