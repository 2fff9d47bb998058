"""The result: what is known about every head, in plain formats on disk."""

from attlas.atlas.atlas import Atlas
from attlas.atlas.disk import load_atlas, save_atlas
from attlas.atlas.schema import COLUMNS, EXAMPLE_COLUMNS, SCHEMA, STATISTICS

__all__ = ["COLUMNS", "EXAMPLE_COLUMNS", "SCHEMA", "STATISTICS", "Atlas", "load_atlas", "save_atlas"]
