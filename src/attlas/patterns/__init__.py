"""Labels for heads."""

from attlas.patterns.behaviour import behaviours
from attlas.patterns.plane import in_the_plane

__all__ = ["behaviours", "in_the_plane"]
