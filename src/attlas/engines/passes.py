"""A pass: reducers that see the same items of a source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from attlas.corpora.batches import Batch
from attlas.corpora.source import Source
from attlas.edits import Edit
from attlas.engines.unfinished import UnfinishedRun
from attlas.reducers.reducer import Reducer
from attlas.subject import Subject
from attlas.tap.observation import Observation


class BatchSweep(Protocol):
    """Runs batches in a way of its own, as with each of many edits by itself, and says what it observed."""

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]: ...


@dataclass(frozen=True)
class Pass:
    """`reducers` are empty ones: each shard begins with copies of them, which are then merged. With
    `gradients`, the model's own loss is differentiated. With a `sweep`, batches are run as that does, and the
    reducers see what it observed. With models `beside`, every batch runs through all: equally many of the
    reducers, in order, belong to each, and see it beside the first. A pass whose reducers need nothing of the
    model does not run it: they see batches only. Unless they are the study's, `subject` is the model and
    `kept_in` the unfinished run. All the rest must survive pickling, since other processes run it."""

    name: str  # plain letters: a folder of the unfinished run is called so
    source: Source
    reducers: Sequence[Reducer]
    edits: Sequence[Edit] = ()
    gradients: bool = False
    kernel: str | None = None  # None: the one that suits the device
    rows: float | None = None  # the fraction of rows that sums are estimated from (`attlas.tap.Tap`)
    seed: int = 0  # of masked words, where a loss needs them
    sweep: BatchSweep | None = None
    beside: tuple[Subject, ...] = ()
    subject: Subject | None = None
    kept_in: UnfinishedRun | None = None
    # for the progress bar: what is being done, how many items there will be, where that is known, and what is
    # counted, where a pass runs each item several times and counts runs
    doing: str = ""
    items: int | None = None
    runs: str = ""
