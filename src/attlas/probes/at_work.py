"""Heads at work: stretches of text in which a head links the words that the corpus links (Clark 2019, figure
5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
TRIED = 12  # windows of a group that are run
WIDEST = 16  # words in an example
BESIDE = 2  # words shown on either side of a link


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
    """For every group, the first stretches where its head is right. They show what a hit looks like, and
    nothing about how often it comes: that is the table's business."""
    asked: dict[str, list[tuple[Window, Link, tuple[int, int]]]] = {group: [] for group in best}
    for window in islice(windows, LOOKED_AT):
        for link in ask(window):
            for group in link.groups:
                stretch = _stretch(link, len(window.words))
                if group in asked and len(asked[group]) < TRIED and stretch is not None:
                    seen = {id(w) for w, _, _ in asked[group]}
                    if id(window) not in seen:
                        asked[group].append((window, link, stretch))
    chosen = {w.number: w for found in asked.values() for w, _, _ in found}
    maps = _maps(subject, list(chosen.values()), set(best.values()))
    found = []
    for group, tries in asked.items():
        cell, shown = best[group], 0
        for window, link, stretch in tries:
            weights = maps[window.number, cell]
            if shown < each and _right(link, weights, cell):
                links = [other for other in ask(window) if group in other.groups]
                found.append(_example(group, cell, window, weights, stretch, links))
                shown += 1
    return found


def _stretch(link: Link, words: int) -> tuple[int, int] | None:
    places = [link.word, *link.gold]
    if not link.gold or max(places) - min(places) < 2:
        return None  # neighbours show nothing
    low, high = max(0, min(places) - BESIDE), min(words, max(places) + BESIDE + 1)
    return (low, high) if high - low <= WIDEST else None


def _maps(
    subject: Subject, windows: list[Window], cells: set[Cell]
) -> dict[tuple[int, Cell], npt.NDArray[np.float64]]:
    keep = _Keep(cells)
    with Tap(subject, [keep], kernel="eager") as tap:  # type: ignore[list-item]
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
        for seen in observation.seen:
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
