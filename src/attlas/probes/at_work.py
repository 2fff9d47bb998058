"""Heads at work: stretches of text in which a head links the words that the corpus links (Clark 2019, figure
5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt
import torch

from attlas.corpora.alignment import WordBatch, aligned_batches, word_maps
from attlas.corpora.windows import Window
from attlas.probes.accuracy import Cell
from attlas.probes.links import Ask, Asked, Link
from attlas.subject import Subject
from attlas.tap import Needs, Observation, Tap

LOOKED_AT = 400  # windows in which examples are looked for
TRIED = 12  # windows of a group that are run, for links over a distance and for neighbours
WIDEST = 16  # words in an example
BESIDE = 3  # words shown on either side of a link


@dataclass(frozen=True)
class Example:
    """A head's weights between the words of a stretch: row attends to column. `gold` are the links of the
    group."""

    group: str
    cell: Cell
    words: tuple[str, ...]
    weights: npt.NDArray[np.float64]
    gold: tuple[tuple[int, int], ...]  # attending word, attended word


def examples(
    subject: Subject, windows: Iterable[Window], ask: Ask, best: Mapping[str, Cell], each: int = 2
) -> list[Example]:
    """For every group, the first stretches where its head is right: over a distance if there are such, else
    between neighbours. They show what a hit looks like, and nothing about how often it comes: that is the
    table's business."""
    tried = _tries(islice(windows, LOOKED_AT), ask, list(best))
    chosen = {t.window.number: t.window for tries in tried.values() for t in tries}
    maps = _maps(subject, list(chosen.values()), set(best.values()))
    found = []
    for group, tries in tried.items():
        cell = best[group]
        hits = [t for t in tries if _right(t.link, maps[t.window.number, cell], cell)]
        for hit in sorted(hits, key=lambda t: t.neighbours)[:each]:
            links = [link for link in ask(hit.window) if group in link.groups]
            weights = maps[hit.window.number, cell]
            found.append(_example(group, cell, hit.window, weights, hit.stretch, links))
    return found


@dataclass(frozen=True)
class _Try:
    window: Window
    link: Link
    stretch: tuple[int, int]  # first and past-the-last word
    neighbours: bool


def _tries(windows: Iterable[Window], ask: Ask, groups: Sequence[str]) -> dict[str, list[_Try]]:
    """For every group, links in the first windows that have one: some over a distance, some of neighbours."""
    found: dict[str, list[_Try]] = {group: [] for group in groups}
    for window in windows:
        for link in ask(window):
            first, last = min((link.word, *link.gold)), max((link.word, *link.gold))
            low, high = max(0, first - BESIDE), min(len(window.words), last + BESIDE + 1)
            if not link.gold or high - low > WIDEST:
                continue
            one = _Try(window, link, (low, high), last - first < 2)
            for group in set(link.groups) & found.keys():
                alike = [t for t in found[group] if t.neighbours == one.neighbours]
                if len(alike) < TRIED and all(t.window is not window for t in alike):
                    found[group].append(one)
    return found


def _maps(
    subject: Subject, windows: list[Window], cells: set[Cell]
) -> dict[tuple[int, Cell], npt.NDArray[np.float64]]:
    keep = _Keep(cells)
    with Tap(subject, [keep], kernel="eager") as tap:
        for batch in aligned_batches(subject, windows):
            tap.run(batch)
    return keep.maps


class _Keep:
    """The word maps of some heads. An observer, not a statistic: it only needs `update`."""

    needs = Needs(weights=True)

    def __init__(self, cells: set[Cell]) -> None:
        self.cells = cells
        self.maps: dict[tuple[int, Cell], npt.NDArray[np.float64]] = {}

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        assert isinstance(batch, WordBatch)
        for seen in observation.calls:
            here = [c for c in self.cells if (c.kind, c.layer) == (seen.kind, seen.layer)]
            if here and seen.weights is not None:
                words = word_maps(seen.weights, *batch.word_shares(seen.kind))
                for row, window in enumerate(batch.windows):
                    n = len(window.words)
                    for cell in here:
                        self.maps[window.number, cell] = words[row, cell.head, :n, :n].double().cpu().numpy()


def _right(link: Link, weights: npt.NDArray[np.float64], cell: Cell) -> bool:
    asked = Asked.of([[link]], len(weights), torch.device("cpu"))
    right = asked.right(torch.from_numpy(weights)[None, None])  # link direction head
    return bool(right[0, ("to", "from").index(cell.direction), 0])


def _example(
    group: str,
    cell: Cell,
    window: Window,
    weights: npt.NDArray[np.float64],
    stretch: tuple[int, int],
    links: list[Link],
) -> Example:
    low, high = stretch
    ends = [(link.word, gold) for link in links for gold in link.gold]
    if cell.direction == "from":
        ends = [(b, a) for a, b in ends]
    return Example(
        group,
        cell,
        tuple(w.text for w in window.words[low:high]),
        weights[low:high, low:high],
        tuple((a - low, b - low) for a, b in ends if low <= a < high and low <= b < high),
    )
