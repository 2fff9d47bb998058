"""What the maps of one text say of each head, by the reducers' own definitions.

A statistic means the same everywhere: what a view says of a head on one input is what a map of that input
says. A model's heads are measured by the reducers themselves while the model runs; tensors that somebody
else took are measured here, from the reducers' declarations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from attlas.reducers.means import Mean, Means

Measures = dict[str, NDArray[np.float64]]  # name -> one number a head

# (statistic, group) of an atlas -> its name in a view, and which end people look for
NAMES = {
    ("entropy", "all"): "entropy",
    ("largest", ""): "strongest weight",
    ("to_first", ""): "first token",
    ("to_self", ""): "self",
    ("to_previous", ""): "previous",
    ("to_next", ""): "next",
}
SMALLEST_FIRST = {"entropy"}  # focused heads are those that people look for


def _declared() -> list[Mean]:
    """The statistics that a view shows."""
    from attlas.reducers import entropy, largest, offsets, sink

    return [*entropy(), *largest(), *sink(), *offsets()]


def reducers() -> list[Means]:
    from attlas.reducers import Means

    return [Means(_declared())]


def of_rows(rows: Iterable[Any]) -> dict[tuple[str, int], dict[str, dict[int, float]]]:
    """What reducers found: (kind, layer) -> name -> head -> number."""
    measures: dict[tuple[str, int], dict[str, dict[int, float]]] = {}
    for row in rows:
        name = NAMES.get((row.statistic, row.group))
        if name is not None and _possible(name, row.kind):
            layer = measures.setdefault((row.kind, row.layer), {})
            layer.setdefault(name, {})[row.head] = row.value
    return measures


def of_weights(weights: NDArray[Any], kind: str) -> Measures:
    """The same of whole maps (head query key), every row of them."""
    result: Measures = {}
    for mean in _declared():
        name = NAMES.get((mean.statistic, mean.group))
        if name is None or not _possible(name, kind):
            continue
        if (per := _count(mean.per, weights.shape)) > 0:
            result[name] = _total(mean.total.of, weights) / per
    return {name: result[name] for name in NAMES.values() if name in result}


def _possible(name: str, kind: str) -> bool:
    """A decoder cannot look ahead, and the sides of cross attention have no neighbours in common."""
    if kind == "cross":
        return name not in ("self", "previous", "next")
    return not (kind == "decoder" and name == "next")


def _count(per: Any, shape: tuple[int, ...]) -> int:
    """What a total is divided by; every token counts, so that all classes asked for are `all`."""
    tokens = {"queries": shape[1], "keys": shape[2]}[per.side]
    return int(per.times * tokens + per.plus)


def _total(function: Any, weights: NDArray[Any]) -> NDArray[np.float64]:
    """A row function summed over all queries: one number a head."""
    kind = type(function).__name__
    if kind == "Offset":
        return np.asarray(np.diagonal(weights, function.by, 1, 2).sum(-1, dtype=np.float64))
    if kind == "Mass" and function.on == "first":
        return np.asarray(weights[:, :, 0].sum(-1, dtype=np.float64))
    if kind == "Largest":
        return np.asarray(weights.max(-1).sum(-1, dtype=np.float64))
    if kind == "Entropy":
        # a layer of a long input at once would take gigabytes of logarithms
        return np.array([_entropy(head) for head in weights])
    raise AssertionError(f"a view has no way to compute {function}")


def _entropy(rows: NDArray[Any]) -> float:
    logs = np.log(rows, where=rows > 0, out=np.zeros_like(rows))
    return -float((rows * logs).sum(dtype=np.float64))


def ordered(measures: Mapping[str, Mapping[int, float]], heads: Iterable[int]) -> Measures:
    """The numbers of these heads, in this order."""
    return {
        name: np.array([measures[name][head] for head in heads])
        for name in NAMES.values()
        if name in measures
    }
