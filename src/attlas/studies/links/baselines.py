"""How often guesses that need no model are correct, in each part of the corpus. The model does not run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch

from attlas.corpora.alignment import with_words
from attlas.corpora.windows import Window
from attlas.reducers.sums import Sums
from attlas.studies.links.link_questions import FindLinks
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

#: does a window belong to a part of the corpus? Must survive pickling
InPart = Callable[[Window], bool]


@dataclass(frozen=True)
class PartCounts:
    """What was counted in one part: windows, the documents that begin in it, links by group, and correct
    guesses by group and baseline."""

    windows: int
    documents: int
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


class BaselineCounts(Sums):
    """Counts links and correct guesses, by group, in parts of the corpus that may overlap."""

    needs = Needs()

    def __init__(
        self, name: str, find: FindLinks, baselines: Sequence[str], parts: Mapping[str, InPart]
    ) -> None:
        self.name = name
        self.find = find
        self.baselines = tuple(baselines)
        self.parts = dict(parts)  # names without `/`
        super().__init__()  # part -> windows, documents; part/group -> links, correct of each baseline

    def update(self, observation: Observation) -> None:
        batch = with_words(observation.batch, self.name)
        for window in batch.windows:
            parts = [name for name, belongs in self.parts.items() if belongs(window)]
            for part in parts:
                self.add(part, torch.tensor([1, int(window.id.place == 0)]))
            for link in self.find(window):
                counts = torch.tensor([1, *(int(link.guessed(name)) for name in self.baselines)])
                for part in parts:
                    for group in link.groups:
                        self.add(f"{part}/{group}", counts)

    def counted(self, part: str) -> PartCounts:
        start = f"{part}/"
        windows, documents = self.sums[part].tolist() if part in self.sums else (0, 0)
        by_group = {
            key.removeprefix(start): self.sums[key].tolist()
            for key in sorted(self.sums)
            if key.startswith(start)
        }
        return PartCounts(
            windows,
            documents,
            {group: links for group, (links, *_) in by_group.items()},
            {
                group: dict(zip(self.baselines, correct, strict=True))
                for group, (_, *correct) in by_group.items()
            },
        )
