"""The accuracy of every head at answering links, as a mergeable reducer.

Sums are over windows, so that a ratio of sums has a standard error that knows that the links of a sentence
are not independent. Nothing is kept per window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.alignment import From, WordBatch, word_maps
from attlas.errors import AttlasError
from attlas.probes.links import DIRECTIONS, Ask, Asked, Direction
from attlas.reducers.reducer import Row, State, check_numbers, reading_order
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, order=True)
class Cell:
    """One head in one direction."""

    kind: Kind
    layer: int
    head: int
    direction: Direction


class Watcher(Protocol):
    """Is told, window by window, how many links each head had right (see `bootstrap`)."""

    def see(self, kind: Kind, layer: int, batch: WordBatch, right: Tensor, counts: WindowCounts) -> None: ...


@dataclass(frozen=True)
class WindowCounts:
    """Links by window and group, for the pairs of window and group that have any (`cell`).

    Whole numbers well below 2²⁴, so float32 holds them exactly.
    """

    groups: tuple[str, ...]
    window: Tensor  # cell
    group: Tensor  # cell: place in `groups`
    links: Tensor  # cell: how many there are
    rival: Tensor  # cell: how many of them the rival baseline has right
    members: Tensor  # cell link: 1 where the link belongs to the cell

    @classmethod
    def of(cls, asked: Asked, rivals: Mapping[str, str]) -> WindowCounts:
        rows = asked.rows.tolist()
        cells: dict[tuple[int, str], list[int]] = {}
        for i, link in enumerate(asked.links):
            for group in link.groups:
                cells.setdefault((rows[i], group), []).append(i)
        groups = {group: i for i, group in enumerate(dict.fromkeys(group for _, group in cells))}
        members = np.zeros((len(cells), len(asked.links)), np.float32)
        rival = np.zeros(len(cells), np.float32)
        for cell, ((_, group), own) in enumerate(cells.items()):
            members[cell, own] = 1
            rival[cell] = sum(asked.links[i].right(rivals[group]) for i in own) if group in rivals else 0

        def tensor(values: Any) -> Tensor:
            return torch.as_tensor(values, device=asked.rows.device)

        return cls(
            tuple(groups),
            tensor([window for window, _ in cells]),
            tensor([groups[group] for _, group in cells]),
            tensor(members.sum(1)),
            tensor(rival),
            tensor(members),
        )

    def sums(self, right: Tensor) -> Tensor:
        """cell direction head: how many links each head has right. `right` is link direction head."""
        # a product with 0 and 1 is faster than index_add, and the same on every device
        return torch.einsum("cl,ldh->cdh", self.members, right.float())


#: what is summed over windows: links, those the head has right, squares and products of both, windows that
#: have links, windows where the head does better than the rival baseline, and where it does worse
SUMS = ("links", "right", "right²", "right·links", "links²", "windows", "better", "worse")


class LinkAccuracy:
    """Answers of every head to what `ask` asks in each window.

    `rivals` names for each group the baseline that heads are compared with. `watchers` see the counts of each
    window before they are summed.
    """

    needs = Needs(weights=True)

    def __init__(
        self,
        name: str,
        ask: Ask,
        statistics: Mapping[Direction, str],
        rows: From = "mean",
        rivals: Mapping[str, str] | None = None,
        watchers: Sequence[Watcher] = (),
    ) -> None:
        self.name = name
        self.ask = ask
        self.statistics = dict(statistics)
        self.rows = rows
        self.rivals = dict(rivals or {})
        self.watchers = tuple(watchers)
        self.groups: list[str] = []
        self.sums: dict[str, Tensor] = {}  # kind.layer -> sum group direction head

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        if not isinstance(batch, WordBatch):
            raise AttlasError(f"the probe {self.name} needs words: give it batches from aligned_batches")
        asked_by_row = [self.ask(window) for window in batch.windows]
        words = max(len(window.words) for window in batch.windows)
        asked = Asked.of(asked_by_row, words, batch.word_shares("encoder")[0].device)
        if not asked.links:
            return
        counts = WindowCounts.of(asked, self.rivals)
        self.groups += [g for g in counts.groups if g not in self.groups]
        place = torch.tensor([self.groups.index(g) for g in counts.groups], device=asked.rows.device)
        for seen in observation.calls:
            assert seen.weights is not None
            check_numbers(seen.weights)
            maps = word_maps(seen.weights, *batch.word_shares(seen.kind), self.rows)
            right = counts.sums(asked.right(maps))  # cell direction head
            for watcher in self.watchers:
                watcher.see(seen.kind, seen.layer, batch, right, counts)
            self._add(f"{seen.kind}.{seen.layer}", place, _window_sums(right, counts))

    def _add(self, key: str, place: Tensor, sums: Tensor) -> None:
        old = self.sums.get(key)
        if old is None or old.shape[1] < len(self.groups) or old.device != sums.device:
            grown = sums.new_zeros(len(SUMS), len(self.groups), *sums.shape[2:])
            if old is not None:
                grown[:, : old.shape[1]] = old
            self.sums[key] = grown
        self.sums[key].index_add_(1, place, sums)

    def merge(self, other: LinkAccuracy) -> None:
        self.groups += [g for g in other.groups if g not in self.groups]
        for key, sums in other.sums.items():
            place = torch.tensor(
                [self.groups.index(g) for g in other.groups[: sums.shape[1]]], device=sums.device
            )
            self._add(key, place, sums)

    def state(self) -> State:
        """One array for each layer and group: sum direction head."""
        return {
            f"{key}/{group}": sums[:, i].cpu().numpy().copy()
            for key, sums in self.sums.items()
            for i, group in enumerate(self.groups[: sums.shape[1]])
        }

    def restore(self, state: State) -> None:
        self.groups = list(dict.fromkeys(key.partition("/")[2] for key in state))
        self.sums = {}
        for key, sums in state.items():
            layer, _, group = key.partition("/")
            place = torch.tensor([self.groups.index(group)])
            self._add(layer, place, torch.from_numpy(np.array(sums))[:, None])

    def table(self, group: str) -> dict[Cell, dict[str, float]]:
        """For every head and direction, the sums over windows of one group."""
        if group not in self.groups:
            return {}
        i = self.groups.index(group)
        found: dict[Cell, dict[str, float]] = {}
        for key in sorted(self.sums, key=reading_order):
            if i >= self.sums[key].shape[1]:
                continue
            kind, _, layer = key.partition(".")
            values = self.sums[key][:, i].cpu().numpy()  # sum direction head
            for d, direction in enumerate(DIRECTIONS):
                for head in range(values.shape[2]):
                    cell = Cell(cast(Kind, kind), int(layer), head, direction)
                    found[cell] = dict(zip(SUMS, values[:, d, head].tolist(), strict=True))
        return found

    def result(self) -> list[Row]:
        rows = []
        for group in sorted(self.groups):
            for cell, sums in self.table(group).items():
                value, stderr = ratio(sums)
                rows.append(
                    Row(
                        cell.kind, cell.layer, cell.head, self.statistics[cell.direction], group,
                        value, stderr, int(sums["windows"]),
                    )
                )  # fmt: skip
        return rows

    def arrays(self) -> dict[str, Floats]:
        return {}


def _window_sums(right: Tensor, counts: WindowCounts) -> Tensor:
    """SUMS group direction head, from cell direction head."""
    links = counts.links[:, None, None].expand_as(right)
    rival = counts.rival[:, None, None]
    better, worse = (right > rival).float(), (right < rival).float()
    values = [
        links,
        right,
        right.square(),
        right * links,
        links.square(),
        torch.ones_like(right),
        better,
        worse,
    ]
    groups = torch.nn.functional.one_hot(counts.group, len(counts.groups)).float()
    return torch.einsum("cg,scdh->sgdh", groups, torch.stack(values)).double()


def ratio(sums: Mapping[str, float]) -> tuple[float, float]:
    """Right over links, and its standard error with windows as the units (linearised ratio estimator)."""
    links, windows = sums["links"], sums["windows"]
    value = sums["right"] / links if links else float("nan")
    if windows < 2:
        return value, float("nan")
    residuals = sums["right²"] - 2 * value * sums["right·links"] + value**2 * sums["links²"]
    return value, float(np.sqrt(max(residuals, 0) * windows / (windows - 1)) / links)
