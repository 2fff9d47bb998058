"""The accuracy of every head at answering links, as a mergeable reducer.

Sums are over windows, so that a ratio of sums has a standard error that knows that the links of a sentence
are not independent. Nothing is kept per window.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from attlas.address import Kind
from attlas.corpora.alignment import From, WordBatch, with_words, word_maps
from attlas.reducers.reducer import Row, State, check_numbers, reading_order
from attlas.statistics.bootstrap import REPLICATES, Bootstrap, ratio_interval
from attlas.statistics.hypotheses import sign_test
from attlas.statistics.ratios import ratio_and_stderr
from attlas.studies.links.link_questions import DIRECTIONS, DirectedHead, Direction, FindLinks, LinkTensors
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class WindowCounts:
    """Links by window and group, with an entry for each window and group that has any.

    Whole numbers well below 2²⁴, so float32 holds them exactly.
    """

    groups: tuple[str, ...]
    window: Tensor  # entry
    group: Tensor  # entry: place in `groups`
    links: Tensor  # entry: how many there are
    baseline: Tensor  # entry: how many of them the group's baseline has correct
    members: Tensor  # entry link: 1 where the link belongs to the entry

    @classmethod
    def of(cls, asked: LinkTensors, baselines: Mapping[str, str]) -> WindowCounts:
        rows = asked.rows.tolist()
        entries: dict[tuple[int, str], list[int]] = {}
        for i, link in enumerate(asked.links):
            for group in link.groups:
                entries.setdefault((rows[i], group), []).append(i)
        groups = {group: i for i, group in enumerate(dict.fromkeys(group for _, group in entries))}
        members = np.zeros((len(entries), len(asked.links)), np.float32)
        guessed = np.zeros(len(entries), np.float32)
        for entry, ((_, group), places) in enumerate(entries.items()):
            members[entry, places] = 1
            if group in baselines:
                guessed[entry] = sum(asked.links[i].guessed(baselines[group]) for i in places)

        def tensor(values: Any) -> Tensor:
            return torch.as_tensor(values, device=asked.rows.device)

        return cls(
            tuple(groups),
            tensor([window for window, _ in entries]),
            tensor([groups[group] for _, group in entries]),
            tensor(members.sum(1)),
            tensor(guessed),
            tensor(members),
        )

    def sums(self, correct: Tensor) -> Tensor:
        """entry direction head: how many links each head has correct. `correct` is link direction head."""
        # a product with 0 and 1 is faster than index_add, and the same on every device
        return torch.einsum("cl,ldh->cdh", self.members, correct.float())


#: what is summed over windows: links, those the head has correct, squares and products of both, windows that
#: have links, windows where the head does better than the baseline, and where it does worse
SUMS = ("links", "correct", "correct²", "correct·links", "links²", "windows", "better", "worse")
_RESAMPLED = "bootstrap"


class LinkAccuracy:
    """Answers of every head to the links that `find` finds in each window.

    `baselines` names for each group the baseline that heads are compared with. The windows are resampled for
    the heads of `chosen` (group -> head): see `interval`.
    """

    needs = Needs(weights=True)

    def __init__(
        self,
        name: str,
        find: FindLinks,
        statistics: Mapping[Direction, str],
        rows: From = "mean",
        baselines: Mapping[str, str] | None = None,
        chosen: Mapping[str, DirectedHead] | None = None,
        seed: int = 0,
        replicates: int = REPLICATES,
    ) -> None:
        self.name = name
        self.find = find
        self.statistics = dict(statistics)
        self.piece_rows = rows
        self.baselines = dict(baselines or {})
        self.chosen = dict(chosen or {})
        self.bootstrap = Bootstrap(seed, replicates)  # group -> correct, links, the baseline's correct
        self.groups: list[str] = []
        self.sums: dict[str, Tensor] = {}  # kind.layer -> sum group direction head

    def update(self, observation: Observation) -> None:
        batch = with_words(observation.batch, self.name)
        words = max(len(window.words) for window in batch.windows)
        device = batch.word_shares("encoder")[0].device
        asked = LinkTensors.of([self.find(window) for window in batch.windows], words, device)
        if not asked.links:
            return
        counts = WindowCounts.of(asked, self.baselines)
        self.groups += [g for g in counts.groups if g not in self.groups]
        place = torch.tensor([self.groups.index(g) for g in counts.groups], device=device)
        drawn = self._drawn(batch, counts)
        for call in observation.calls:
            assert call.weights is not None
            check_numbers(call.weights)
            maps = word_maps(call.weights, *batch.word_shares(call.kind), self.piece_rows)
            correct = counts.sums(asked.correct(maps))  # entry direction head
            self._resample(call.kind, call.layer, correct, counts, drawn)
            self._add(f"{call.kind}.{call.layer}", place, _window_sums(correct, counts))

    def _drawn(self, batch: WordBatch, counts: WindowCounts) -> Floats | None:
        """entry replicate: how often its window is drawn."""
        if not self.chosen.keys() & set(counts.groups):
            return None
        weights = self.bootstrap.weights(window.id for window in batch.windows)
        return cast(Floats, weights[counts.window.cpu().numpy()])

    def _resample(
        self, kind: Kind, layer: int, correct: Tensor, counts: WindowCounts, drawn: Floats | None
    ) -> None:
        here = [
            g for g, h in self.chosen.items() if (h.kind, h.layer) == (kind, layer) and g in counts.groups
        ]
        if not here or drawn is None:
            return
        group, links, guessed = (t.cpu().numpy() for t in (counts.group, counts.links, counts.baseline))
        values = correct.cpu().numpy()
        for name in here:
            entries = group == counts.groups.index(name)
            head = self.chosen[name]
            hits = values[entries, DIRECTIONS.index(head.direction), head.head]
            several = np.stack([hits, links[entries], guessed[entries]]).astype(np.float64)
            self.bootstrap.add(name, several, drawn[entries])

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
            known = other.groups[: sums.shape[1]]
            self._add(key, torch.tensor([self.groups.index(g) for g in known], device=sums.device), sums)
        self.bootstrap.merge(other.bootstrap)

    def state(self) -> State:
        """One array for each layer and group (sum direction head), and one for each group resampled."""
        counted = {
            f"{key}/{group}": sums[:, i].cpu().numpy().copy()
            for key, sums in self.sums.items()
            for i, group in enumerate(self.groups[: sums.shape[1]])
        }
        return counted | {f"{_RESAMPLED}/{group}": sums for group, sums in self.bootstrap.state().items()}

    def restore(self, state: State) -> None:
        parts = {key: key.partition("/")[::2] for key in state}
        counted = {key: part for key, part in parts.items() if part[0] != _RESAMPLED}
        self.groups = list(dict.fromkeys(group for _, group in counted.values()))
        self.sums = {}
        for key, (layer, group) in counted.items():
            sums = torch.from_numpy(np.array(state[key]))[:, None]
            self._add(layer, torch.tensor([self.groups.index(group)]), sums)
        self.bootstrap.restore(
            {group: state[key] for key, (part, group) in parts.items() if part == _RESAMPLED}
        )

    def table(self, group: str) -> dict[DirectedHead, dict[str, float]]:
        """For every head and direction, the sums over windows of one group."""
        if group not in self.groups:
            return {}
        i = self.groups.index(group)
        sums: dict[DirectedHead, dict[str, float]] = {}
        for key in sorted(self.sums, key=reading_order):
            if i >= self.sums[key].shape[1]:
                continue
            kind, _, layer = key.partition(".")
            values = self.sums[key][:, i].cpu().numpy()  # sum direction head
            for d, direction in enumerate(DIRECTIONS):
                for head in range(values.shape[2]):
                    where = DirectedHead(cast(Kind, kind), int(layer), head, direction)
                    sums[where] = dict(zip(SUMS, values[:, d, head].tolist(), strict=True))
        return sums

    def best(self, group: str) -> DirectedHead | None:
        """The head and direction with the most links correct; of equals the first in reading order."""
        table = self.table(group)
        return max(table, key=lambda head: table[head]["correct"]) if table else None

    def accuracy(self, group: str, head: DirectedHead) -> float:
        return ratio(self.table(group)[head])[0]

    def interval(self, group: str, over_baseline: bool = False) -> tuple[float, float]:
        """Where 95% of the bootstrap's accuracies of the chosen head lie, or how far above the baseline's."""
        if group not in self.bootstrap.sums:
            return float("nan"), float("nan")
        correct, links, guessed = self.bootstrap.sums[group]
        return ratio_interval(correct - guessed * over_baseline, links)

    def beats_baseline(self, group: str) -> dict[DirectedHead, float]:
        """For every head and direction, p: is it more often correct than the baseline? (Sign test over
        windows.)"""
        table = self.table(group)
        better, worse = (np.array([sums[name] for sums in table.values()]) for name in ("better", "worse"))
        return dict(zip(table, sign_test(better, worse).tolist(), strict=True))

    def rows(self) -> list[Row]:
        rows = []
        for group in sorted(self.groups):
            for head, sums in self.table(group).items():
                statistic = self.statistics[head.direction]
                value, stderr = ratio(sums)
                n = int(sums["windows"])
                rows.append(Row(head.kind, head.layer, head.head, statistic, group, value, stderr, n))
        return rows


def _window_sums(correct: Tensor, counts: WindowCounts) -> Tensor:
    """SUMS group direction head, from entry direction head."""
    links = counts.links[:, None, None].expand_as(correct)
    guessed = counts.baseline[:, None, None]
    values = [
        links,
        correct,
        correct.square(),
        correct * links,
        links.square(),
        torch.ones_like(correct),
        (correct > guessed).float(),
        (correct < guessed).float(),
    ]
    groups = torch.nn.functional.one_hot(counts.group, len(counts.groups)).float()
    return torch.einsum("cg,scdh->sgdh", groups, torch.stack(values)).double()


def ratio(sums: Mapping[str, float]) -> tuple[float, float]:
    """The accuracy, and its standard error with windows as the units."""
    names = ("windows", "correct", "links", "correct²", "correct·links", "links²")
    return ratio_and_stderr(*(sums[name] for name in names))
