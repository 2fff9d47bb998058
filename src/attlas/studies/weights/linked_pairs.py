"""The largest weight between linked tokens, beside that of the same tokens slid along the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.alignment import Piece, WordBatch
from attlas.corpora.windows import Window
from attlas.studies.weights.window_weights import Weigh
from attlas.tap.lazy_weights import LazyWeights


@dataclass(frozen=True)
class Pairs:
    """Linked pieces: (query, key) places. Their largest weight is one value of the group."""

    group: str
    places: tuple[tuple[int, int], ...]


class FindPairs(Protocol):
    """Linked pieces among the queries and keys of a window; a group without places counts as a weight of 0. A
    function, or a dataclass with settings, that survives pickling."""

    def __call__(
        self, window: Window, queries: Sequence[Piece], keys: Sequence[Piece], /
    ) -> Sequence[Pairs]: ...


@dataclass(frozen=True)
class BetweenPairs:
    """The largest weight within each set of linked pieces, averaged over the sets of a window.

    Matched: the same set slid along the window, so that distances stay, averaged over all places where it
    fits.
    """

    find: FindPairs

    def prepare(self, batch: WordBatch, kind: Kind) -> Weigh:
        slid: dict[str, _Slid] = {}
        for row, window in enumerate(batch.windows):
            queries, keys = batch.word_pieces(kind, row)
            for pairs in self.find(window, queries, keys):
                slid.setdefault(pairs.group, _Slid(len(batch.windows))).add(row, pairs, queries, keys)
        device = batch.queries(kind).real.device
        ready = {group: sets.ready(device) for group, sets in slid.items()}
        places = torch.cat([tensors.places for tensors in ready.values()], 1) if ready else None

        def weigh(lazy_weights: LazyWeights) -> dict[str, tuple[Tensor, Tensor, Tensor]]:
            if places is None:
                return {}
            sizes = [tensors.places.shape[1] for tensors in ready.values()]
            chosen = torch.split(lazy_weights.pairs(*places), sizes)
            return {
                group: tensors.weigh(some)
                for (group, tensors), some in zip(ready.items(), chosen, strict=True)
            }

        return weigh


class _Slid:
    """The sets of one group in a batch: where each is, and everywhere it could be slid to."""

    def __init__(self, windows: int) -> None:
        self.windows = windows
        self.sets: list[int] = []  # set: its window
        self.unslid: list[tuple[int, int, int, int]] = []  # set, window, query, key
        self.places: list[int] = []  # place that a set could be slid to: its set
        self.slid: list[tuple[int, int, int, int]] = []  # place, window, query, key

    def add(self, row: int, pairs: Pairs, queries: Sequence[Piece], keys: Sequence[Piece]) -> None:
        number = len(self.sets)
        self.sets.append(row)
        self.unslid += [(number, row, q, k) for q, k in pairs.places]
        if not pairs.places:
            return
        spelled = [[i for i, p in enumerate(side) if p.spells] for side in (queries, keys)]
        ranges = [(places[0], places[-1]) for places in spelled if places]
        if len(ranges) < 2:
            return
        down = min(
            min(q - ranges[0][0] for q, _ in pairs.places), min(k - ranges[1][0] for _, k in pairs.places)
        )
        up = min(
            min(ranges[0][1] - q for q, _ in pairs.places), min(ranges[1][1] - k for _, k in pairs.places)
        )
        for shift in range(-down, up + 1):
            if shift:
                place = len(self.places)
                self.places.append(number)
                self.slid += [(place, row, q + shift, k + shift) for q, k in pairs.places]

    def ready(self, device: torch.device) -> _Ready:
        several = len(self.sets)
        places = torch.tensor(
            [*self.unslid, *((place + several, *rest) for place, *rest in self.slid)],
            dtype=torch.long,
            device=device,
        ).view(-1, 4)
        return _Ready(
            self.windows,
            torch.tensor(self.sets, device=device),
            torch.tensor(self.places, dtype=torch.long, device=device),
            places[:, 0],
            places[:, 1:].T.contiguous(),
        )


@dataclass(frozen=True)
class _Ready:
    """`_Slid` as tensors: sets where they are, and after them where they could be."""

    windows: int
    sets: Tensor  # set: its window
    slid: Tensor  # place that a set could be slid to: its set
    member: Tensor  # pair: its set, or place
    places: Tensor  # 3 pair: window, query, key

    def weigh(self, chosen: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """`chosen` is (pair head)."""
        several, heads = len(self.sets), chosen.shape[1]
        largest = chosen.new_zeros(several + len(self.slid), heads)  # a set without pairs has 0
        largest = largest.scatter_reduce(0, self.member[:, None].expand_as(chosen), chosen, "amax")
        matched = _mean_by(largest[several:], self.slid, several)  # set head
        value = _mean_by(largest[:several], self.sets, self.windows)
        can_slide = torch.isfinite(matched[:, 0])
        windows = _mean_by(matched[can_slide], self.sets[can_slide], self.windows)
        present = torch.zeros(self.windows, dtype=torch.bool, device=chosen.device)
        present[self.sets] = True
        return value, windows, present


def _mean_by(values: Tensor, groups: Tensor, count: int) -> Tensor:
    """The mean of the rows of each group; NaN for groups without rows. `groups` rise, as windows do: rows are
    added in their order, where `index_add` would take a GPU's, which differs from run to run."""
    rows = torch.bincount(groups, minlength=count)
    return torch.segment_reduce(values, "mean", lengths=rows)
