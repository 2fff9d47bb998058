"""Which heads the grid of a still picture has, in which order and in which colours: as on the page."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..contract import NAME_KINDS, NameKind
from ..inputs import LayerMaps
from ..rows import Strongest
from .still import Still


@dataclass(frozen=True)
class Ranked:
    """A head of a layer, by its place there, and its number in the order that was chosen."""

    layer: LayerMaps
    index: int
    value: float | None = None
    is_bound: bool = False  # the number is not known, only that it is smaller than this

    @property
    def head(self) -> int:
        return self.layer.heads[self.index]


def by_layer(still: Still) -> bool:
    return still.selection["order"] == "layer" and not any(still.selection[kind] for kind in NAME_KINDS)


def ranked(still: Still) -> list[Ranked]:
    """The heads that have the chosen names, those that people look for first; those without a number last."""
    selection = still.selection
    values, first = _numbers(still)
    bounds = _bounds(still)
    heads = [
        Ranked(
            layer,
            index,
            values.get((layer.layer, head), bounds.get((layer.layer, head))),
            (layer.layer, head) in bounds and (layer.layer, head) not in values,
        )
        for layer in still.maps.layers
        for index, head in enumerate(layer.heads)
        if all(_has(still, kind, layer.layer, head) for kind in NAME_KINDS)
    ]
    if selection["order"] == "layer":
        return heads[::-1] if selection["reverse"] else heads
    up = 1 if (first == "smallest") != selection["reverse"] else -1
    return sorted(heads, key=lambda head: math.inf if head.value is None else up * head.value)


def colour_of(still: Still, layer: int, head: int) -> str:
    """The head's own colour, or that of its name."""
    colouring = still.selection["colour"]
    if colouring == "head":
        return still.colour(head)
    name = still.names.get((colouring, layer, head))
    return still.colours.quiet if name is None else name[still.theme]


def _has(still: Still, kind: NameKind, layer: int, head: int) -> bool:
    wanted = still.selection[kind]
    if not wanted:
        return True
    name = still.names.get((kind, layer, head))
    return name is not None and name["name"] == wanted


def _numbers(still: Still) -> tuple[dict[tuple[int, int], float], str]:
    """Layer and head -> what the order goes by, and which end comes first."""
    selection = still.selection
    if selection["order"] == "asked":
        if selection["asked"] is None:
            return {}, "largest"
        return _answers(still, *selection["asked"]), "largest"
    for statistic in still.scene["statistics"]:
        if statistic["name"] == selection["order"]:
            rows = (row for row in statistic["values"] if row[0] == selection["attention"])
            return {(layer, head): value for _, layer, head, value in rows}, statistic["first"]
    return {}, "largest"


def _answers(still: Still, asked: int, about: int) -> dict[tuple[int, int], float]:
    """What each head puts from one token on another, of all its attention, as far as that was kept; nothing
    where a choice of sentences has left one out."""
    places = _places(still, asked, about)
    if places is None:
        return {}
    return {
        (layer.layer, head): weight
        for layer in still.maps.layers
        if layer.tiles is None
        for head in layer.heads
        if (weight := float(still.weights(head, layer, without_first=False)[places])) != 0
        or not isinstance(layer.weights, Strongest)
    }


def _bounds(still: Still) -> dict[tuple[int, int], float]:
    """Where an answer was cut off with the weak weights of its row: what it is smaller than."""
    asked = still.selection["asked"]
    if still.selection["order"] != "asked" or asked is None:
        return {}
    places = _places(still, *asked)
    if places is None:
        return {}
    query, key = (units[place] for units, place in zip((still.queries, still.keys), places, strict=True))
    return {
        (layer.layer, head): (key.end - key.start) * still.bound(head, layer, query)
        for layer in still.maps.layers
        if layer.tiles is None and isinstance(layer.weights, Strongest)
        for head in layer.heads
    }


def _places(still: Still, asked: int, about: int) -> tuple[int, int] | None:
    """The units that hold two tokens."""
    query = next((i for i, unit in enumerate(still.queries) if unit.start <= asked < unit.end), None)
    key = next((i for i, unit in enumerate(still.keys) if unit.start <= about < unit.end), None)
    return None if query is None or key is None else (query, key)
