"""The accuracy of every head at answering links, as a mergeable reducer.

Sums are over documents, so that a ratio of sums has a standard error that knows that the links of a sentence,
and the sentences of a text, are not independent. Nothing is kept per document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from attlas.corpora.alignment import From, WordBatch, with_words, word_maps
from attlas.reducers.reducer import OpenDocuments, State, check_numbers, enlarge, layer_of, reading_order
from attlas.row import Row
from attlas.statistics.clusters import degrees, effective_units, ratio_and_stderr
from attlas.statistics.hypotheses import sign_test, student_interval
from attlas.studies.links.link_questions import DIRECTIONS, DirectedHead, Direction, FindLinks, LinkTensors
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


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
                guessed[entry] = sum(asked.links[i].is_guessed(baselines[group]) for i in places)

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


#: what is summed over windows: links, those that the head has correct, those that the baseline has, and the
#: windows that have links
TOTALS = ("links", "correct", "guessed", "windows")
#: what is summed over units, which are documents or windows: how many have links; squares and products of
#: their links, of those correct, and of the gain over the baseline; in how many the head is better, or worse
OVER_UNITS = ("units", "correct²", "correct·links", "links²", "gain²", "gain·links", "better", "worse")
SUMS = (*TOTALS, *OVER_UNITS)
Units = Literal["document", "window"]


class LinkAccuracy:
    """Answers of every head to the links that `find` finds in each window.

    `baselines` names for each group the baseline that heads are compared with. `units` are what errors are
    over; all windows of a document must be shown to one of the reducers that are merged."""

    needs = Needs(weights=True)

    def __init__(
        self,
        name: str,
        find: FindLinks,
        statistics: Mapping[Direction, str],
        rows: From = "mean",
        baselines: Mapping[str, str] | None = None,
        units: Units = "document",
    ) -> None:
        self.name = name
        self.find = find
        self.statistics = dict(statistics)
        self.piece_rows = rows
        self.baselines = dict(baselines or {})
        self.units = units
        self.groups: list[str] = []
        self.sums: dict[str, Tensor] = {}  # kind.layer -> sum group direction head
        self.open: dict[str, OpenDocuments] = {}

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
        for call in observation.calls:
            assert call.weights is not None
            check_numbers(call.weights)
            maps = word_maps(call.weights, *batch.word_shares(call.kind), self.piece_rows)
            correct = counts.sums(asked.correct(maps)).double()  # entry direction head
            links, guessed = (
                n.double()[:, None, None].expand_as(correct) for n in (counts.links, counts.baseline)
            )
            totals = correct.new_zeros(len(batch.windows), len(TOTALS), len(self.groups), *correct.shape[1:])
            totals[counts.window, :, place[counts.group]] = torch.stack(
                [links, correct, guessed, torch.ones_like(correct)], 1
            )
            self._add_windows(f"{call.kind}.{call.layer}", totals, batch)

    def _add_windows(self, key: str, totals: Tensor, batch: WordBatch) -> None:
        """`totals` is window TOTALS group direction head."""
        over_units: Tensor | None
        if self.units == "window":
            over_units = _over_units(totals)
        else:
            over_units = self.open.setdefault(key, OpenDocuments(_over_units)).add(totals, batch)
        if over_units is None:
            over_units = totals.new_zeros(len(OVER_UNITS), *totals.shape[2:])
        self._add(key, torch.cat([totals.sum(0), over_units]))

    def _add(self, key: str, sums: Tensor) -> None:
        shape = len(SUMS), len(self.groups), *sums.shape[2:]
        self.sums[key] = enlarge(self.sums.get(key), shape, sums) + enlarge(sums, shape, sums)

    def merge(self, other: LinkAccuracy) -> None:
        self.groups += [g for g in other.groups if g not in self.groups]
        for key, sums in other.moments().items():
            place = [self.groups.index(g) for g in other.groups[: sums.shape[1]]]
            here = sums.new_zeros(len(SUMS), len(self.groups), *sums.shape[2:])
            here[:, place] = sums
            self._add(key, here)

    def moments(self) -> dict[str, Tensor]:
        """The sums, as if no open document went on."""
        return {key: self._moments(key) for key in self.sums}

    def _moments(self, key: str) -> Tensor:
        sums, rest = self.sums[key], self.open[key].rest() if key in self.open else None
        if rest is None:
            return sums
        rest = enlarge(rest, (len(OVER_UNITS), *sums.shape[1:]), rest)
        return torch.cat([sums[: len(TOTALS)], sums[len(TOTALS) :] + rest.to(sums.device)])

    def state(self) -> State:
        """One array for each layer and group: sum direction head."""
        return {
            f"{key}/{group}": sums[:, i].cpu().numpy().copy()
            for key, sums in self.moments().items()
            for i, group in enumerate(self.groups[: sums.shape[1]])
        }

    def restore(self, state: State) -> None:
        parts = {key: key.partition("/")[::2] for key in state}
        self.groups = list(dict.fromkeys(group for _, group in parts.values()))
        self.sums, self.open = {}, {}
        for key, (layer, group) in parts.items():
            array = torch.from_numpy(np.array(state[key]))
            sums = array.new_zeros(len(SUMS), len(self.groups), *array.shape[1:])
            sums[:, self.groups.index(group)] = array
            self._add(layer, sums)

    def table(self, group: str) -> dict[DirectedHead, dict[str, float]]:
        """The sums of one group, for every head and direction."""
        if group not in self.groups:
            return {}
        i = self.groups.index(group)
        sums: dict[DirectedHead, dict[str, float]] = {}
        for key in sorted(self.sums, key=reading_order):
            if i >= self.sums[key].shape[1]:
                continue
            values = self._moments(key)[:, i].cpu().numpy()  # sum direction head
            for d, direction in enumerate(DIRECTIONS):
                for head in range(values.shape[2]):
                    where = DirectedHead(*layer_of(key), head, direction)
                    sums[where] = dict(zip(SUMS, values[:, d, head].tolist(), strict=True))
        return sums

    def best(self, group: str) -> DirectedHead | None:
        """The head and direction with the most links correct; of equals the first in reading order."""
        table = self.table(group)
        return max(table, key=lambda head: table[head]["correct"]) if table else None

    def accuracy(self, group: str, head: DirectedHead) -> float:
        return ratio(self.table(group)[head])[0]

    def intervals(self, group: str, over_baseline: bool = False) -> dict[DirectedHead, tuple[float, float]]:
        """The 95% interval of every head and direction: of its accuracy, or of how far that is above
        the baseline's."""
        table = self.table(group)
        above, lowest = (GAIN, -1.0) if over_baseline else (CORRECT, 0.0)
        ratios = np.array([ratio(sums, above) for sums in table.values()]).reshape(-1, 2)
        units = np.array([effective(sums) for sums in table.values()])
        freedom = degrees([sums["windows"] for sums in table.values()], units)
        between = student_interval(ratios[:, 0], ratios[:, 1], freedom)
        low, high = np.clip(between, lowest, 1).tolist()
        return dict(zip(table, zip(low, high, strict=True), strict=True))

    def beats_baseline(self, group: str) -> dict[DirectedHead, float]:
        """p of every head and direction: is it more often correct than the baseline? (Sign test over
        units.)"""
        table = self.table(group)
        better, worse = (np.array([sums[name] for sums in table.values()]) for name in ("better", "worse"))
        return dict(zip(table, sign_test(better, worse).tolist(), strict=True))

    def rows(self) -> list[Row]:
        rows = []
        for group in sorted(self.groups):
            for head, sums in self.table(group).items():
                statistic = self.statistics[head.direction]
                units = int(sums["units"])
                read = (units, effective(sums)) if self.units == "document" else (0, 0.0)
                numbers = *ratio(sums), int(sums["windows"]), *read
                rows.append(Row(head.kind, head.layer, head.head, statistic, group, *numbers))
        return rows


def _over_units(totals: Tensor) -> Tensor:
    """OVER_UNITS ..., from unit TOTALS ..."""
    links, correct, guessed, _ = totals.unbind(1)
    gain = correct - guessed
    values = [
        links > 0,
        correct.square(),
        correct * links,
        links.square(),
        gain.square(),
        gain * links,
        gain > 0,
        gain < 0,
    ]
    return torch.stack([value.sum(0, dtype=torch.float64) for value in values])


#: what a ratio is of: the total, less another; its squares, and its products with links
CORRECT = ("correct", "", "correct²", "correct·links")
GAIN = ("correct", "guessed", "gain²", "gain·links")


def effective(sums: Mapping[str, float]) -> float:
    """How many units with as many links each would say as much."""
    return float(effective_units(sums["links"], sums["links²"]))


def ratio(sums: Mapping[str, float], of: tuple[str, str, str, str] = CORRECT) -> tuple[float, float]:
    """The share of links that are correct (or more than the baseline's), with the standard error over
    units."""
    total, less, squares, products = of
    above = sums[total] - (sums[less] if less else 0)
    value, stderr = ratio_and_stderr(
        sums["units"], above, sums["links"], sums[squares], sums[products], sums["links²"]
    )
    return float(value), float(stderr)
