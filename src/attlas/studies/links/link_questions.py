"""Links: the questions that single heads are asked. From this word, which of the others is linked with it?
And how often guesses that need no model are correct.

A head answers with the candidate that the word attends to most (`to`), or with the candidate that attends
most to the word (`from`). Dependencies and coreference are the same question with other candidates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Protocol, get_args

import numpy as np
import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.corpora.alignment import with_words
from attlas.corpora.windows import Window
from attlas.reducers.reducer import Sums
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Direction = Literal["to", "from"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


@dataclass(frozen=True)
class Link:
    """One question: places are words of the window. `guesses` are what each baseline would answer."""

    word: int
    gold: tuple[int, ...]  # the correct answers; none of them: no answer is correct
    groups: tuple[str, ...]
    candidates: tuple[int, ...] | None = None  # None: every other word
    guesses: Mapping[str, int | None] = field(default_factory=dict)

    def is_guessed(self, baseline: str) -> bool:
        """Is the baseline's guess correct?"""
        return self.guesses[baseline] in self.gold


class FindLinks(Protocol):
    """The links of a window: a function, or a dataclass with settings, that survives pickling."""

    def __call__(self, window: Window, /) -> Sequence[Link]: ...


@dataclass(frozen=True, order=True)
class DirectedHead:
    """One head, asked in one direction."""

    kind: Kind
    layer: int
    head: int
    direction: Direction

    @property
    def address(self) -> Head:
        return Head(self.kind, self.layer, self.head)


@dataclass(frozen=True)
class LinkTensors:
    """The links of a batch as tensors."""

    rows: Tensor  # link: row of the batch
    words: Tensor  # link
    candidates: Tensor  # link word
    gold: Tensor  # link word
    links: tuple[Link, ...]

    @classmethod
    def of(cls, links_of_rows: Sequence[Sequence[Link]], words: int, device: torch.device) -> LinkTensors:
        links = [(row, link) for row, some in enumerate(links_of_rows) for link in some]
        candidates = np.zeros((len(links), words), bool)
        gold = np.zeros((len(links), words), bool)
        for i, (_, link) in enumerate(links):
            if link.candidates is None:
                candidates[i] = True  # padding words never win: their weight is 0
                candidates[i, link.word] = False
            else:
                candidates[i, list(link.candidates)] = True
            gold[i, list(link.gold)] = True
        return cls(
            torch.tensor([row for row, _ in links], dtype=torch.long, device=device),
            torch.tensor([link.word for _, link in links], dtype=torch.long, device=device),
            torch.from_numpy(candidates).to(device),
            torch.from_numpy(gold).to(device),
            tuple(link for _, link in links),
        )

    def correct(self, maps: Tensor) -> Tensor:
        """link direction head: is the answer of each head correct? `maps` is batch head word word.

        Where every candidate has weight 0 (a decoder cannot look ahead) the head has no answer.
        """
        answers = []
        for rows in (maps[self.rows, :, self.words], maps[self.rows, :, :, self.words]):  # link head word
            best = rows.masked_fill(~self.candidates[:, None], 0).max(-1)
            is_gold = self.gold[:, None].expand_as(rows).gather(-1, best.indices[..., None])[..., 0]
            answers.append(is_gold & (best.values > 0))
        return torch.stack(answers, 1)


#: does a window belong to a part of the corpus? Must survive pickling
InPart = Callable[[Window], bool]


def in_any_part(window: Window) -> bool:
    """Return True: every window is in the whole corpus."""
    return True


EVERYTHING: Mapping[str, InPart] = MappingProxyType({"all": in_any_part})


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
                counts = torch.tensor([1, *(int(link.is_guessed(name)) for name in self.baselines)])
                for part in parts:
                    for group in link.groups:
                        self.add(f"{part}/{group}", counts)

    def part_counts(self, part: str) -> PartCounts:
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
