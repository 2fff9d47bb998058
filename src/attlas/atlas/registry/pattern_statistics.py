"""How far a head follows each pattern, how often its map has each shape (Kovaleva 2019), what sums of
programs explain of it, and its names as statistics: the name is the group, how sure it is the value."""

from __future__ import annotations

import math
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


PROGRAMS = (
    Statistic(
        "explained_by_programs",
        groups="`moved`: of what the head moves; `weights`: of its weights as they are; `gain`: of what it "
        "moves, beyond what even attention explains",
        meaning="mean over segments of the share of squared weights that a sum of at most five programs "
        "explains, on other documents than those that it was fitted on",
        unit="",
        low=-math.inf,
        chance="0 of `gain`: programs explain no more than even attention",
        title="a sum of programs ({group})",
        short="programs, {group}",
        sentence="is explained by a sum of programs by {value} ({group})",
        family="pattern",
        probe="explain",
        more_is_better=True,
        by_norm=False,
    ),
)


_WHAT = {
    "behaviour": "what the head mostly does, by the rules of Clark 2019",
    "pattern": "what the head attends to",
    "shape": "what the head's map looks like, after Kovaleva 2019",
}


def _name(kind: str, *, second: bool) -> Statistic:
    """A head's name of a kind, or its second best."""
    order = "second " if second else ""
    return Statistic(
        names.SECOND[kind] if second else kind,
        groups=f"the {kind}",
        meaning=f"confidence in the name: {'second best for ' if second else ''}{_WHAT[kind]}",
        unit="",
        chance=f"`none`, where no {kind} fits",
        title=f"{order}{kind}",
        short=f"{order}{kind}",
        sentence=f"has the {order}{kind} {{group}}, with a confidence of {{value}}",
        family="name",
        group_names=names.NAMES[kind],
    )


NAMING = tuple(_name(kind, second=second) for kind in names.NAMES for second in (False, True))
