"""What a head matters: the effects of disabling and patching it, and the gradient of its gate."""

from __future__ import annotations

import math
from types import MappingProxyType

from attlas.atlas.registry.entry import Statistic, Unit
from attlas.wording.vocabulary import EDITS


def _effect(what: str, unit: Unit, meaning: str) -> Statistic:
    """How much something of the model changes when the head is disabled."""
    *others, last = EDITS
    return Statistic(
        f"effect_on_{what}",
        groups=f"edit: {', '.join(map('`{}`'.format, others))} or `{last}`",
        meaning=meaning,
        unit=unit,
        low=-math.inf,
        high=math.inf,
        chance="0: the head makes no difference",
        title=f"{what} without the head ({{group}})",
        short=f"{what}, {{group}}",
        sentence=f"changes the {what} by {{value}} when it is disabled ({{group}})",
        family="effect",
    )


DISABLING = (
    _effect("loss", "nats", "how much the loss rises when the head is disabled"),
    _effect("score", "", "how much the score of a task rises when the head is disabled"),
    _effect(
        "output",
        "",
        "how far the output moves when the head is disabled: 1 - cosine of a text's embedding, or the "
        "divergence of a classifier's answers, in nats",
    ),
    Statistic(
        "estimated_effect",
        groups="edit: `mean` or `zero`",
        meaning="how much the loss would rise if the head were disabled, to first order: one backward pass",
        unit="nats",
        low=-math.inf,
        high=math.inf,
        chance="0: the head makes no difference",
        title="estimated loss without the head ({group})",
        short="estimate, {group}",
        sentence="would change the loss by about {value} when disabled ({group}), by attribution",
        family="effect",
    ),
    Statistic(
        "gate_gradient",
        meaning="mean over items of |dL/dgate|, the gate being a factor of what the head gives (Michel 2019)",
        unit="nats",
        high=math.inf,
        chance="0: the head makes no difference",
        title="gradient of the head's gate",
        short="|∂L/∂gate|",
        sentence="would change the loss by {value} for every unit that it is turned down",
        family="effect",
    ),
)


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
