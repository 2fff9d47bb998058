"""What a head carries of the difference between two texts: the effects of patching it."""

from __future__ import annotations

import math
from types import MappingProxyType

from attlas.atlas.registry.entry import Statistic

_INTO = MappingProxyType(
    {
        "into_clean": "from the corrupt text into the clean one",
        "into_corrupt": "from the clean text into the corrupt one",
    }
)


def _effect_of_patching(what: str, *, attributed: bool) -> Statistic:
    how = "to first order, from one backward pass" if attributed else "by running the model with it"
    return Statistic(
        f"attributed_{what}" if attributed else f"patched_{what}",
        groups="`into_clean` or `into_corrupt`: the run that is patched, with what the other gave",
        meaning=f"how the logit difference between the answer and a wrong one changes when the head has its "
        f"{what} from the other text, {how}; mean over pairs",
        unit="",
        low=-math.inf,
        high=math.inf,
        chance="0: the head carries nothing that tells the texts apart",
        title=f"{what} patched {{group}}{', attributed' if attributed else ''}",
        short=f"{what} {{group}}{', 1st order' if attributed else ''}",
        sentence=f"{'would change' if attributed else 'changes'} the logit difference by {{value}} with its "
        f"{what} {{group}}{', to first order' if attributed else ''}",
        family="effect",
        group_names=_INTO,
    )


PATCHING = tuple(
    _effect_of_patching(what, attributed=attributed)
    for attributed in (False, True)
    for what in ("output", "weights")
)
