"""What sums of programs explain of heads."""

from __future__ import annotations

import math

from attlas.atlas.registry.entry import Statistic

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
