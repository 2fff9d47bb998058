"""Statistics of heads on one text, by the reducers' own definitions.

A statistic means the same everywhere: what a view says of a head on one input is what a map of that input
says. A model's heads are measured by the reducers themselves while the model runs; tensors that somebody
else took are measured here, from the reducers' declarations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from attlas.choices import MapKind
from attlas.views.contract import SceneStatistic

if TYPE_CHECKING:
    from attlas.reducers.means import Mean, Means
    from attlas.views.inputs import Maps

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


def _statistics_shown() -> list[Mean]:
    """The statistics that a view shows."""
    from attlas.reducers import entropy, largest, offsets, sink

    return [*entropy(), *largest(), *sink(), *offsets()]


def reducers() -> list[Means]:
    from attlas.reducers import Means

    return [Means(_statistics_shown())]


def measures_of_rows(rows: Iterable[Any]) -> dict[tuple[str, int], dict[str, dict[int, float]]]:
    """The numbers that reducers found: (kind, layer) -> name -> head -> number."""
    measures: dict[tuple[str, int], dict[str, dict[int, float]]] = {}
    for row in rows:
        name = NAMES.get((row.statistic, row.group))
        if name is not None and _is_possible(name, row.kind):
            layer = measures.setdefault((row.kind, row.layer), {})
            layer.setdefault(name, {})[row.head] = row.value
    return measures


def measures_of_weights(weights: NDArray[Any], kind: str) -> Measures:
    """The statistics of each head, from whole maps (head query key)."""
    result: Measures = {}
    for mean in _statistics_shown():
        name = NAMES.get((mean.statistic, mean.group))
        if name is None or not _is_possible(name, kind):
            continue
        if (per := _count(mean.per, weights.shape)) > 0:
            result[name] = _total(mean.total.of, weights) / per
    return {name: result[name] for name in NAMES.values() if name in result}


def _is_possible(name: str, kind: str) -> bool:
    """A decoder cannot look ahead, and the sides of cross attention have no neighbours in common."""
    if kind == "cross":
        return name not in ("self", "previous", "next")
    return not (kind == "decoder" and name == "next")


def _count(per: Any, shape: tuple[int, ...]) -> int:
    """What a total is divided by; every token counts, so that all classes asked for are `all`."""
    tokens = {"queries": shape[1], "keys": shape[2]}[per.side]
    return int(per.times * tokens + per.plus)


def _total(function: Any, weights: NDArray[Any]) -> NDArray[np.float64]:
    """A row function summed over all queries: one number per head."""
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


def in_head_order(measures: Mapping[str, Mapping[int, float]], heads: Iterable[int]) -> Measures:
    """The numbers of these heads, in this order."""
    return {
        name: np.array([measures[name][head] for head in heads])
        for name in NAMES.values()
        if name in measures
    }


def statistics_on(maps: Sequence[Maps]) -> list[SceneStatistic]:
    """The statistics of each head on this text alone, so that an order exists without an atlas."""
    values: dict[str, list[tuple[MapKind, int, int, float]]] = {}
    for kind_maps in maps:
        for layer in kind_maps.layers:
            for name, numbers in layer.measures.items():
                rows = zip(layer.heads, numbers, strict=True)
                values.setdefault(name, []).extend(
                    (kind_maps.attention, layer.layer, head, round(float(number), 5)) for head, number in rows
                )
    return [scene_statistic(f"{name} (this text)", name, numbers) for name, numbers in values.items()]


def scene_statistic(title: str, name: str, values: list[tuple[MapKind, int, int, float]]) -> SceneStatistic:
    """The statistic under its title, and which end people look for."""
    return {"name": title, "first": "smallest" if name in SMALLEST_FIRST else "largest", "values": values}
