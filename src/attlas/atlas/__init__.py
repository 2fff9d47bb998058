"""The result: what is known about every head, in plain formats on disk."""

from attlas.atlas.atlas import Atlas
from attlas.atlas.disk import add_chapter, check_room, load_atlas, of_chapter
from attlas.atlas.registry import REGISTRY, Statistic, statistic
from attlas.atlas.schema import COLUMNS, EXAMPLE_COLUMNS, SCHEMA

__all__ = [
    "COLUMNS",
    "EXAMPLE_COLUMNS",
    "REGISTRY",
    "SCHEMA",
    "Atlas",
    "Statistic",
    "add_chapter",
    "check_room",
    "load_atlas",
    "of_chapter",
    "statistic",
]
