"""How far a head follows each pattern, and how often its map has each shape (Kovaleva 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from attlas.atlas.registry.entry import Statistic
from attlas.wording import names

_SCORED: Mapping[str, str] = MappingProxyType({**names.PATTERNS, **names.SCORED_ONLY})

PATTERNS = (
    Statistic(
        "pattern_score",
        groups="pattern",
        meaning="how far the head's attention follows the pattern",
        chance="`pattern_null` of the same pattern",
        title="{group}",
        short="{group}",
        sentence="follows the pattern {group} with a score of {value}",
        family="pattern",
        group_names=_SCORED,
    ),
    Statistic(
        "pattern_null",
        groups="pattern",
        meaning="what position and frequency alone would give it",
        chance="itself the yardstick",
        title="{group}, null",
        short="{group}, null",
        sentence="would have {value} of {group} from position and frequency alone",
        family="pattern",
        group_names=_SCORED,
    ),
    Statistic(
        "shape_share",
        groups="shape",
        meaning="mean probability, over segments, that the head's map has the shape",
        chance="none: people label shapes by eye",
        title="maps that are {group}",
        short="{group}",
        sentence="has {value} of its maps {group}",
        family="pattern",
        group_names=names.SHAPES,
    ),
)
