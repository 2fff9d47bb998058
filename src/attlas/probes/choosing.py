"""Choosing a head honestly: on one part of the corpus, reported on another, with its uncertainty.

Resampling is over windows. Each window draws its own Poisson weights from its number, so that the bootstrap
runs in constant memory and does not depend on the order or the batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from scipy.stats import binom
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.alignment import WordBatch
from attlas.corpora.windows import Window
from attlas.probes.accuracy import Cell, LinkAccuracy, WindowCounts
from attlas.probes.links import DIRECTIONS, Ask

Floats = npt.NDArray[np.float64]
REPLICATES = 1000


@dataclass
class BaselineCounts:
    """How often each baseline is right, by group. Needs no model."""

    links: dict[str, int] = field(default_factory=dict)
    right: dict[str, dict[str, int]] = field(default_factory=dict)  # group -> baseline -> links
    windows: int = 0

    def see(self, window: Window, ask: Ask) -> None:
        self.windows += 1
        for link in ask(window):
            for group in link.groups:
                self.links[group] = self.links.get(group, 0) + 1
                right = self.right.setdefault(group, {})
                for name in link.guesses:
                    right[name] = right.get(name, 0) + link.right(name)

    def best(self) -> dict[str, str]:
        """group -> its best baseline."""
        return {
            group: max(right, key=lambda name: right[name]) for group, right in self.right.items() if right
        }

    def accuracy(self, group: str, baseline: str) -> float:
        return self.right[group][baseline] / self.links[group]


class Bootstrap:
    """A watcher of `LinkAccuracy` that resamples the windows for the chosen heads."""

    def __init__(self, chosen: Mapping[str, Cell], seed: int = 0, replicates: int = REPLICATES) -> None:
        self.chosen = dict(chosen)
        self.seed = seed
        self.replicates = replicates
        self.sums: dict[str, Floats] = {g: np.zeros((3, replicates)) for g in chosen}  # right, links, rival
        self._draws: tuple[tuple[int, ...], Floats] = ((), np.zeros((0, replicates)))

    def see(self, kind: Kind, layer: int, batch: WordBatch, right: Tensor, counts: WindowCounts) -> None:
        here = {
            g: c for g, c in self.chosen.items() if (c.kind, c.layer) == (kind, layer) and g in counts.groups
        }
        if not here:
            return
        draws = self._weights(tuple(w.number for w in batch.windows))[
            counts.window.cpu().numpy()
        ]  # cell replicate
        group, links, rival = (t.cpu().numpy() for t in (counts.group, counts.links, counts.rival))
        values = right.cpu().numpy()
        for name, cell in here.items():
            own = group == counts.groups.index(name)
            mine = values[own, DIRECTIONS.index(cell.direction), cell.head]
            self.sums[name] += np.stack([mine, links[own], rival[own]]) @ draws[own]

    def _weights(self, numbers: tuple[int, ...]) -> Floats:
        """window replicate: Poisson(1) draws that belong to the window's number."""
        if self._draws[0] != numbers:
            drawn = [
                np.random.Generator(np.random.Philox(key=[self.seed + 1, n])).poisson(1, self.replicates)
                for n in numbers
            ]
            self._draws = numbers, np.stack(drawn).astype(float)
        return self._draws[1]

    def interval(self, group: str, over_rival: bool = False, level: float = 0.95) -> tuple[float, float]:
        """Of the accuracy, or of how far it lies above the baseline's."""
        right, links, rival = self.sums[group]
        drawn = links > 0
        if not drawn.any():
            return float("nan"), float("nan")
        values = (right - rival * over_rival)[drawn] / links[drawn]
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)


def best_cells(accuracy: LinkAccuracy, groups: Iterable[str]) -> dict[str, Cell]:
    """group -> the head and direction with the most links right; of equals the first in reading order."""
    found = {}
    for group in groups:
        table = accuracy.table(group)
        if table:
            found[group] = max(table, key=lambda cell: table[cell]["right"])
    return found


def beats_baseline(accuracy: LinkAccuracy, groups: Sequence[str]) -> dict[tuple[str, Cell], float]:
    """For every group, head and direction, p: is it more often right than the baseline?

    A sign test over windows: exact, so that it can be trusted far out in the tail.
    """
    found = {}
    for group in groups:
        for cell, sums in accuracy.table(group).items():
            decided = sums["better"] + sums["worse"]
            found[group, cell] = float(binom.sf(sums["better"] - 1, decided, 0.5)) if decided else 1.0
    return found


Key = TypeVar("Key")


def adjusted(p: Mapping[Key, float]) -> dict[Key, float]:
    """Holm's correction for having made all these tests; it holds whatever the dependence between them."""
    return dict(zip(p, holm(np.array(list(p.values()))).tolist(), strict=True))


def holm(p: Floats) -> Floats:
    """Holm's step-down adjustment."""
    order = np.argsort(p)
    steps = np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order])
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1)
    return adjusted
