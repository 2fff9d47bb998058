"""Links: the questions that single heads are asked. From this word, which of the others is linked with it?

A head answers with the candidate that the word attends to most (`to`), or with the candidate that attends
most to the word (`from`). Dependencies and coreference are the same question with other candidates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

import numpy as np
import torch
from torch import Tensor

from attlas.address import Head, Kind
from attlas.corpora.windows import Window

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

    def guessed(self, baseline: str) -> bool:
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
