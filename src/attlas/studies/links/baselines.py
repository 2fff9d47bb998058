"""How often guesses that need no model are correct, in each part of the corpus. The model does not run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attlas.corpora.alignment import WordBatch
from attlas.corpora.windows import Window
from attlas.errors import AttlasError
from attlas.reducers.reducer import Row, State
from attlas.studies.links.link_questions import FindLinks
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

#: does a window belong to a part of the corpus? Must survive pickling
InPart = Callable[[Window], bool]


@dataclass(frozen=True)
class PartCounts:
    """What was counted in one part: windows, links by group, and correct guesses by group and baseline."""

    windows: int
    links: Mapping[str, int]
    correct: Mapping[str, Mapping[str, int]]

    def best(self) -> dict[str, str]:
        """group -> its best baseline; of equals the first."""
        return {
            group: max(correct, key=lambda name: correct[name])
            for group, correct in self.correct.items()
            if correct
        }

    def accuracy(self, group: str, baseline: str) -> float:
        return self.correct[group][baseline] / self.links[group]


class BaselineCounts:
    """Counts links and correct guesses, by group, in parts of the corpus that may overlap."""

    needs = Needs()

    def __init__(
        self, name: str, find: FindLinks, baselines: Sequence[str], parts: Mapping[str, InPart]
    ) -> None:
        self.name = name
        self.find = find
        self.baselines = tuple(baselines)
        self.parts = dict(parts)  # names without `/`
        self.windows = dict.fromkeys(parts, 0)
        self.counts: dict[str, npt.NDArray[np.int64]] = {}  # part/group -> links, correct of each baseline

    def update(self, observation: Observation) -> None:
        batch = observation.batch
        if not isinstance(batch, WordBatch):
            raise AttlasError(f"{self.name} needs words: give it windows of an annotated corpus")
        for window in batch.windows:
            parts = [name for name, belongs in self.parts.items() if belongs(window)]
            for part in parts:
                self.windows[part] += 1
            for link in self.find(window):
                counts = np.array([1, *(link.guessed(name) for name in self.baselines)])
                for part in parts:
                    for group in link.groups:
                        self._add(f"{part}/{group}", counts)

    def _add(self, key: str, counts: npt.NDArray[np.int64]) -> None:
        self.counts[key] = self.counts[key] + counts if key in self.counts else counts

    def merge(self, other: BaselineCounts) -> None:
        for part, windows in other.windows.items():
            self.windows[part] += windows
        for key, counts in other.counts.items():
            self._add(key, counts)

    def state(self) -> State:
        return {part: np.array([n]) for part, n in self.windows.items() if n} | self.counts

    def restore(self, state: State) -> None:
        self.windows = {part: int(state[part][0]) if part in state else 0 for part in self.parts}
        self.counts = {key: np.array(counts) for key, counts in state.items() if "/" in key}

    def counted(self, part: str) -> PartCounts:
        own = {
            key.partition("/")[2]: c for key, c in sorted(self.counts.items()) if key.startswith(f"{part}/")
        }
        return PartCounts(
            self.windows[part],
            {group: int(counts[0]) for group, counts in own.items()},
            {g: dict(zip(self.baselines, counts[1:].tolist(), strict=True)) for g, counts in own.items()},
        )

    def result(self) -> list[Row]:
        """Baselines are not heads: see `counted`."""
        return []

    def arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        return {}
