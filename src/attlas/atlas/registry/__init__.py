"""The registry: what is known of every statistic, once. Tables, figures, pages, views and docs read it.

One module a family. A statistic that is not here (a user's own) is shown by its name, and nothing is assumed
of its values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from attlas.atlas.registry.comparing import COMPARING
from attlas.atlas.registry.disabling import DISABLING, PATCHING
from attlas.atlas.registry.entry import Statistic
from attlas.atlas.registry.pattern_statistics import NAMING, PATTERNS, PROGRAMS
from attlas.atlas.registry.probes import PROBES, RESTING
from attlas.atlas.registry.surface import BY_NORM, SURFACE
from attlas.atlas.registry.write_statistics import WRITING

__all__ = ["REGISTRY", "Statistic", "causal_cannot", "in_order", "statistic"]

#: name -> what is known of it, in the order in which a reader wants them
REGISTRY: Mapping[str, Statistic] = MappingProxyType(
    {
        s.name: s
        for s in (
            *SURFACE,
            *PROBES,
            *RESTING,
            *COMPARING,
            *DISABLING,
            *PATCHING,
            *WRITING,
            *BY_NORM,
            *PATTERNS,
            *PROGRAMS,
            *NAMING,
        )
    }
)


def statistic(name: str) -> Statistic:
    """What is known of it; of one that is not registered, its name."""
    if name in REGISTRY:
        return REGISTRY[name]
    plain = name.replace("_", " ")
    return Statistic(
        name,
        meaning="",
        unit="",
        low=-math.inf,
        high=math.inf,
        chance="",
        title=f"{plain} {{group}}",
        short=f"{plain} {{group}}",
        sentence=f"has a {plain} of {{value}} {{group}}",
        family="surface",
        group_names=MappingProxyType({}),
    )


def in_order(name: str) -> int:
    """Sorts statistics as the registry has them; those that are not registered come last."""
    return list(REGISTRY).index(name) if name in REGISTRY else len(REGISTRY)


def causal_cannot(name: str, group: str) -> bool:
    """Whether a head that sees only what came before could have no value but 0."""
    return statistic(name).looks_ahead or (name == "to_offset" and group.startswith("+"))
