"""How concentrated a head's attention is: entropy and the largest weight of a row."""

from attlas.reducers.segment_means import SegmentMeans, Statistic, queries_of
from attlas.tap.needs import Entropy, Largest, RowFunction, Total

CLARK_SMOOTHING = 1e-4


def entropy(faithful: bool = False) -> SegmentMeans:
    """`entropy` in nats, over all positions (group `all`) and from [CLS] (group `cls`).

    The original mixes each row with 0.0001 of the uniform one to dodge 0 ln 0: `faithful` does so.
    """
    function = Entropy(CLARK_SMOOTHING if faithful else 0.0)
    return SegmentMeans("entropy", [_mean("entropy", over, function, over) for over in ("all", "cls")])


def largest() -> SegmentMeans:
    """`largest`: the largest weight of a row."""
    return SegmentMeans("largest", [_mean("largest", "", Largest(), "all")])


def _mean(name: str, group: str, function: RowFunction, over: str) -> Statistic:
    total = Total(function, over)
    return Statistic(name, group, total, queries_of(total))
