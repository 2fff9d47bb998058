"""What a reproduction runs: verbs with their options, in the paper's order. Sizes follow from the budget
alone, so that a reproduction that was stopped goes on with the same settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from attlas.papers.given_data import GivenData

Paper = Literal["clark2019", "kovaleva2019", "vig2019"]
Budget = Literal["quick", "full"]
PROBES = ("right-branching", "embeddings", "distances", "attention", "words")
LENGTH = 128
TREEBANK = 400  # segments that a treebank's sample is worth


@dataclass(frozen=True)
class Run:
    """A verb and its options. `passes` is about how many forward passes of a segment it is worth. `task` is
    the task that a model is fine-tuned on first, where the run is about that."""

    verb: str
    what: str
    passes: float
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def faithful(self) -> bool:
        return bool(self.options.get("faithful"))


@dataclass(frozen=True)
class Training:
    """A task to fine-tune on, from pre-trained or from random weights; `examples` None for all."""

    task: str
    examples: int | None
    epochs: float
    random_init: bool = False
    compared: int = 100  # examples to compare maps on
    disabled: int | None = None  # to disable heads on; None for all

    @property
    def name(self) -> str:
        return f"{self.task} from random weights" if self.random_init else self.task

    @property
    def passes(self) -> float:
        """A training step is worth three passes; disabling every head in turn about 70."""
        seen = 3 * (self.examples or 8_000) * self.epochs
        return seen + (0 if self.random_init else 4 * self.compared + 70 * (self.disabled or 1_000))


def runs(paper: Paper, budget: Budget, data: GivenData, causal: bool, length: int) -> list[Run]:
    """What a paper needs that is read from the model as it is."""
    make = {"clark2019": _clark, "kovaleva2019": _kovaleva, "vig2019": _vig}[paper]
    return list(make(budget == "quick", data, causal, min(length, LENGTH)))


def trainings(paper: Paper, budget: Budget, data: GivenData) -> list[Training]:
    """What the model is fine-tuned on."""
    if paper != "kovaleva2019":
        return []
    if budget == "quick":
        return [Training(t, 320, 1, compared=60, disabled=40) for t in ("MRPC", "RTE") if t in data.tasks]
    both = [(task, random) for task in data.tasks for random in (False, True)]
    return [Training(task, None, 3, random, compared=1000) for task, random in both]


def _clark(quick: bool, data: GivenData, causal: bool, length: int) -> Iterator[Run]:
    segments, sample = (250, 40) if quick else (1000, 200)
    size = {"segments": segments, "length": length, "sample": sample}
    worth = segments + 12 * sample
    yield Run("map", "where heads look (figures 1 to 4 and 6)", worth, size)
    if not causal:
        yield Run("map", "the same, the original's way", worth, {**size, "faithful": True})
    treebank = {} if data.treebank is None else {"corpus": data.treebank}
    few = {"min_count": 40}
    for faithful in (False, True):
        way = {"faithful": True} if faithful else {}
        what = "single heads and grammar (table 1)" + (", the original's way" if faithful else "")
        yield Run("dependencies", what, TREEBANK, {**treebank, **few, "subtypes": True, **way})
        if data.coreference is not None:
            what = "single heads and coreference (table 2)" + (", the original's way" if faithful else "")
            yield Run("coreference", what, TREEBANK, {"corpus": data.coreference, **way})
    training = data.training if data.training is not None and not quick else None
    trees: dict[str, Any] = {"probes": PROBES, "quick": quick, "epochs": 1 if quick else 3}
    trees |= {} if training is None else {"corpus": training}
    trees |= {} if data.word_vectors is None else {"word_vectors": data.word_vectors}
    yield Run("tree", "all heads and grammar (table 3)", 2 * TREEBANK if quick else 30 * TREEBANK, trees)


def _kovaleva(quick: bool, data: GivenData, causal: bool, length: int) -> Iterator[Run]:
    segments = 60 if quick else 1000
    size = {"segments": segments, "length": length}
    names = {**size, "repeated": 2, "hidden": 0, "needles": [0], "maps": 0}
    yield Run("patterns", "the shapes of maps (figure 2)", 3 * segments, names)
    if data.framenet is not None:
        for faithful in (False, True):
            way = {"faithful": True} if faithful else {}
            what = "heads and frames (figures 3 and 4)" + (", the original's way" if faithful else "")
            yield Run("frames", what, 200, {"corpus": data.framenet, **way})
    treebank = {} if data.treebank is None or quick else {"corpus": data.treebank}
    yield Run("features", "heads and features of words (figures 6 and 7)", TREEBANK, treebank)
    disabled = 12 if quick else 100
    what = "the loss without each head (figure 8, on a text)"
    yield Run("disable", what, 70 * disabled, {"segments": disabled, "length": length})


def _vig(quick: bool, data: GivenData, causal: bool, length: int) -> Iterator[Run]:
    segments = 100 if quick else 1000
    hidden = 16 if quick else 64
    size = {"segments": segments, "length": length, "repeated": 16, "hidden": hidden, "needles": [0]}
    yield Run("patterns", "the six patterns over a text", 3 * segments + 8 * hidden, size)
