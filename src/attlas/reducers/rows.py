"""How concentrated a head's attention is: entropy and the largest weight of a row."""

from attlas.reducers.means import Mean, queries_of
from attlas.tap.needs import Entropy, Largest, Total

CLARK_SMOOTHING = 1e-4


def entropy(faithful: bool = False) -> list[Mean]:
    """`entropy` in nats, over all positions (group `all`) and from [CLS] (group `cls`).

    The original mixes each row with 0.0001 of the uniform one to dodge 0 ln 0: `faithful` does so.
    """
    function = Entropy(CLARK_SMOOTHING if faithful else 0.0)
    totals = {over: Total(function, over) for over in ("all", "cls")}
    return [Mean("entropy", over, total, queries_of(total)) for over, total in totals.items()]


def largest() -> list[Mean]:
    """`largest`: the largest weight of a row."""
    total = Total(Largest())
    return [Mean("largest", "", total, queries_of(total))]
