"""The names of heads as statistics: the name is the group, how sure it is the value."""

from __future__ import annotations

from attlas.atlas.registry.entry import Statistic
from attlas.wording import names

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
