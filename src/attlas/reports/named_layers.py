"""The layers that a question names: by number, as a range, or by where they lie."""

from __future__ import annotations

import math
import re

_LAYERS = re.compile(
    r"\blayers?\s+(\d+)(?:\s*(and|to|through|with|vs\.?|versus|or|,|-|–)\s*(?:layers?\s+)?(\d+))?"
)
_RANGE = ("to", "through", "-", "–")
_WITH_LAYER = re.compile(r"\b(?:with|to|and|or|than|versus|vs\.?)\s+layer\s+(\d+)")
#: where layers lie -> the part of the depth from and to which; None: one layer
_PLACES: tuple[tuple[str, float, float | None], ...] = (
    (r"(?:first|bottom|lowest) layer\b", 0, None),
    (r"(?:first|early|earlier|lower)(?: layers| ones| and\b)", 0, 1 / 3),
    (r"(?:first|lower|bottom|early) half\b", 0, 1 / 2),
    (r"middle layers?", 1 / 3, 2 / 3),
    (r"(?:second|last|upper|top|other|late) half\b", 1 / 2, 1),
    (r"(?:last|final|top|highest) layer\b", 1, None),
    (r"(?:last|late|later|deep|deeper|upper|higher)(?: layers| ones)", 2 / 3, 1),
)


def layers_in(said: str, last: int) -> list[int]:
    """The layers that a question names, of a model whose last layer has this number."""
    return _by_number(said) or _by_place(said, last)


def groups_in(said: str, last: int) -> list[list[int]]:
    """The layers that a question names, beside one another: two of them, or early ones and late ones."""
    if layers := _by_number(said):
        return [[layer] for layer in layers] if len(layers) < 3 else [layers]
    groups = _groups(said, last)
    if len(groups) == 2:  # what both would have belongs to the later
        groups[0] = [layer for layer in groups[0] if layer not in groups[1]] or groups[0]
    return groups


def without_layers(said: str) -> str:
    """The rest of the question."""
    for pattern in (_LAYERS.pattern, *(rf"\b{words}" for words, *_ in _PLACES if "layer" in said)):
        said = re.sub(pattern, " ", said)
    return said


def layers_written(layers: list[int]) -> str:
    """layer 3 · layers 3 to 5 · layers 2 and 9"""
    if len(layers) == 1:
        return f"layer {layers[0]}"
    if layers == list(range(layers[0], layers[-1] + 1)) and len(layers) > 2:
        return f"layers {layers[0]} to {layers[-1]}"
    return f"layers {' and '.join(map(str, layers))}"


def _by_number(said: str) -> list[int]:
    numbered = _LAYERS.search(said)
    if numbered is None:
        return []
    first, between, second = numbered.groups()
    if second is None:
        other = _WITH_LAYER.search(said, numbered.end())
        return [int(first), *([int(other[1])] if other else [])]
    if between in _RANGE and "compare" not in said:
        return list(range(min(int(first), int(second)), max(int(first), int(second)) + 1))
    return [int(first), int(second)]


def _by_place(said: str, last: int) -> list[int]:
    """Of two places, the outermost layer of each."""
    parts = _groups(said, last)
    if len(parts) > 1:
        return sorted({parts[0][0], parts[-1][-1]})
    return parts[0] if parts else []


def _groups(said: str, last: int) -> list[list[int]]:
    return [
        _part(start, start if end is None else end, last)
        for words, start, end in _PLACES
        if "layer" in said and re.search(rf"\b{words}", said)
    ]


def _part(start: float, end: float, last: int) -> list[int]:
    """At least one layer, of however small a model."""
    first = min(math.ceil(start * last), last)
    return list(range(first, max(math.floor(end * last), first) + 1))
