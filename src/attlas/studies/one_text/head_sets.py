"""Heads to switch off, and random heads to compare them with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from attlas.address import Head
from attlas.corpora.source import seeded

#: where random heads are drawn: from the same layers; elsewhere, where whole layers are switched off; nowhere
Control = Literal["same layers", "other layers", "none"]
_TRIES = 50  # draws before a set that was not drawn yet is given up


@dataclass(frozen=True)
class RandomSets:
    """Each set gives every head that is switched off a random one in its place. `every_other`: they are all
    other heads of the layer of a single head, so that nothing is left to chance."""

    control: Control
    sets: tuple[dict[Head, Head], ...]
    every_other: bool = False


def random_sets(chosen: Sequence[Head], heads: Sequence[Head], number: int, seed: int = 0) -> RandomSets:
    """Draw sets of as many heads of the same layers. The chosen heads themselves are left out where a layer
    has enough others; where a whole layer is chosen, heads of other layers take its place."""
    layers: dict[tuple[str, int], list[Head]] = {}
    for head in sorted(set(chosen)):
        layers.setdefault((head.kind, head.layer), []).append(head)
    outside = [head for head in heads if (head.kind, head.layer) not in layers]
    pools: dict[tuple[str, int], list[Head]] = {}
    control: Control = "same layers"
    for at, members in layers.items():
        of_layer = [head for head in heads if (head.kind, head.layer) == at]
        others = [head for head in of_layer if head not in members]
        if not others:
            control = "other layers"
            others = [head for head in outside if head.kind == at[0]] or outside
        pools[at] = others if len(others) >= len(members) else of_layer
        if len(pools[at]) <= len(members) and set(pools[at]) == set(members):
            return RandomSets("none", ())
    sets: dict[frozenset[Head], dict[Head, Head]] = {}
    rng = np.random.default_rng(seeded(seed, *(head.full for head in sorted(set(chosen)))))
    for _ in range(number * _TRIES):
        if len(sets) == number:
            break
        drawn = _draw(layers, pools, rng)
        if drawn is None:
            return RandomSets("none", ())
        if (key := frozenset(drawn.values())) != frozenset(chosen):
            sets.setdefault(key, drawn)
    every_other = len(chosen) == 1 and control == "same layers" and len(sets) == len(others)
    return RandomSets(control if sets else "none", tuple(sets.values()), every_other)


def _draw(
    layers: dict[tuple[str, int], list[Head]],
    pools: dict[tuple[str, int], list[Head]],
    rng: np.random.Generator,
) -> dict[Head, Head] | None:
    """One set, without any head twice; None where there are not enough heads."""
    drawn: dict[Head, Head] = {}
    for at, members in layers.items():
        free = [head for head in pools[at] if head not in drawn.values()]
        if len(free) < len(members):
            return None
        places = rng.permutation(len(free))[: len(members)]
        drawn |= {head: free[int(place)] for head, place in zip(members, places, strict=True)}
    return drawn
