"""A pass: reducers that see the same items of a source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attlas.corpora.source import Source
from attlas.edits import Edit
from attlas.edits.sweep import Sweep
from attlas.engines.unfinished import UnfinishedRun
from attlas.reducers.reducer import Reducer
from attlas.subject import Subject


@dataclass(frozen=True)
class Pass:
    """`reducers` are empty ones: each shard begins with copies of them, which are then merged. With
    `gradients`, the model's own loss is differentiated. With a `sweep`, every batch is run with each of its
    edits by itself, and the reducers see what it measured. With a model `beside`, every batch runs through
    both, and reducers see both observations at once. A pass whose reducers need nothing of the model does not
    run it: they see batches only. Where it is not to be the study's, `subject` is the model, and `kept_in` the
    unfinished run. All the rest must survive pickling, since other processes run it."""

    name: str  # plain letters: a folder of the unfinished run is called so
    source: Source
    reducers: Sequence[Reducer]
    edits: Sequence[Edit] = ()
    gradients: bool = False
    kernel: str | None = None  # None: the one that suits the device
    seed: int = 0  # of masked words, where a loss needs them
    sweep: Sweep | None = None
    beside: Subject | None = None
    subject: Subject | None = None
    kept_in: UnfinishedRun | None = None
    items: int | None = None  # how many there will be, where that is known: for the progress bar
