"""A corpus of numbers and reducers that add them up: small enough to know what every engine must find."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from attlas.corpora.source import ItemId, PreparedShard, Shard, Source
from attlas.engines import Pass
from attlas.errors import AttlasError
from attlas.tap import Needs


class Number(NamedTuple):
    id: ItemId
    value: float


@dataclass(frozen=True)
class NumberBatch:
    ids: list[ItemId]
    values: np.ndarray
    ends: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Numbers:
    """Documents 0 to `documents`, each of three numbers; `shard_size` documents a shard. The `bad` one is
    skipped."""

    documents: int = 23
    shard_size: int = 2
    limit: int | None = None
    bad: int = -1
    chosen: Callable[[Number], bool] | None = None
    kills: Path | None = None  # while this file is there, whoever prepares shard 3 is killed
    keeps_killing: bool = False
    breaks: int = -1  # at this shard the stream breaks
    wait: float = 0.0  # seconds that a shard takes
    diary: Path | None = None  # a folder where the process that prepares a shard leaves its id

    def describe(self) -> dict[str, Any]:
        return {"corpus": {"name": "numbers"}, "documents": self.documents, "shard_size": self.shard_size}

    def shards(self) -> Iterator[Shard]:
        for number, first in enumerate(range(0, self.documents, self.shard_size)):
            yield Shard(number, range(first, min(first + self.shard_size, self.documents)))

    def prepare(self, shard: Shard, most: int | None = None) -> PreparedShard:
        time.sleep(self.wait)
        if self.diary is not None:
            (self.diary / str(shard.number)).write_text(str(os.getpid()))
        if shard.number == self.breaks:
            raise AttlasError("numbers, shard 4: the stream broke off")
        if self.kills is not None and shard.number == 3 and self.kills.exists():
            if not self.keeps_killing:
                self.kills.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        counts, problems, items = Counter(documents=len(shard.content)), [], []
        for document in shard.content:
            if document == self.bad:
                counts["skipped"] += 1
                problems.append(f"document {document} is bad")
                continue
            rng = np.random.default_rng(document)
            numbers = [Number(ItemId(document, place), float(rng.normal())) for place in range(3)]
            items += [n for n in numbers if self.chosen is None or self.chosen(n)]
        return PreparedShard(items[:most], counts, tuple(problems))

    def batches(self, subject: Any, items: Sequence[Number]) -> Iterator[Any]:
        for start in range(0, len(items), 4):
            some = items[start : start + 4]
            yield NumberBatch([n.id for n in some], np.array([n.value for n in some]))

    def only(self, chosen: Collection[ItemId] | Callable[[Number], bool]) -> Source:
        return replace(self, chosen=chosen if callable(chosen) else In(frozenset(chosen)))


@dataclass(frozen=True)
class In:
    ids: frozenset[ItemId]

    def __call__(self, item: Number) -> bool:
        return item.id in self.ids


class Sum:
    """A sum of floating-point numbers, whose last bits depend on the order of its additions."""

    name = "sum"
    needs = Needs()

    def __init__(self) -> None:
        self.sums = np.zeros(2)

    def update(self, observation: Any) -> None:
        self.sums += [observation.batch.values.sum(), len(observation.batch.values)]

    def merge(self, other: Sum) -> None:
        self.sums = self.sums + other.sums

    def state(self) -> dict[str, Any]:
        return {"sums": self.sums}

    def restore(self, state: dict[str, Any]) -> None:
        self.sums = np.array(state["sums"])


def one_pass(**settings: Any) -> Pass:
    return Pass("numbers", Numbers(**settings), [Sum()])
