"""The treebank itself: words, heads and relations of every sentence, gathered without running the model;
and its parts, to train on, to choose on, to report on."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from attlas.corpora.alignment import with_words
from attlas.corpora.annotated_documents import ROOT
from attlas.corpora.source import ItemId, Source, seeded
from attlas.corpora.windows import Window
from attlas.errors import AttlasError, option
from attlas.reducers.reducer import State
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


@dataclass(frozen=True)
class SentenceTree:
    """A sentence. `heads` has 0 for the root and i for the i-th word, counted from 1."""

    id: ItemId
    words: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]

    @cached_property
    def scored(self) -> npt.NDArray[np.bool_]:
        """Words whose heads count: all but punctuation."""
        return np.array([relation != "punct" for relation in self.relations], bool)

    @staticmethod
    def of(window: Window) -> SentenceTree | None:
        """None for a sentence with a word whose head is not annotated."""
        heads = window.heads
        if not heads or any(head is None for head in heads):
            return None
        return SentenceTree(
            window.id,
            tuple(word.text for word in window.words),
            tuple(0 if head == ROOT else int(head or 0) + 1 for head in heads),
            tuple(word.relation.split(":")[0] for word in window.words),
        )


class Trees:
    """A reducer that keeps the tree of every sentence that has one. It needs nothing of the model."""

    name = "trees"
    needs = Needs()

    def __init__(self) -> None:
        self.kept: dict[ItemId, SentenceTree] = {}

    def update(self, observation: Observation) -> None:
        batch = with_words(observation.batch, self.name)
        for window in batch.windows:
            tree = SentenceTree.of(window)
            if tree is not None:
                self.kept[tree.id] = tree

    def merge(self, other: Trees) -> None:
        self.kept |= other.kept

    def state(self) -> State:
        trees = [(tree.id, tree.words, tree.heads, tree.relations) for _, tree in sorted(self.kept.items())]
        return {"trees": np.frombuffer(json.dumps(trees).encode(), np.uint8)} if trees else {}

    def restore(self, state: State) -> None:
        trees = json.loads(state["trees"].tobytes()) if state else []
        made = (SentenceTree(ItemId(*id), *map(tuple, parts)) for id, *parts in trees)
        self.kept = {tree.id: tree for tree in made}

    def by_length(self) -> list[SentenceTree]:
        """Shortest first, so that sentences of one length are neighbours; in reading order among equals."""
        return sorted(self.kept.values(), key=lambda tree: (len(tree.words), tree.id))


PARTS = ("train", "dev", "test")
FEWEST = 10  # sentences of a treebank that is cut into parts
SHARES = (0.8, 0.9)  # where training ends, and where choosing ends


def files_of_parts(path: Path | None) -> dict[str, Path] | None:
    """The three files of a treebank of Universal Dependencies: a folder that has them, or the one to train
    on, with the others beside it. None for anything else, which is cut into parts."""
    if path is None or not path.exists():
        return None
    if path.is_dir():
        training = sorted(path.glob("*train*.conllu"))
        if len(training) > 1:
            names = ", ".join(file.name for file in training)
            raise AttlasError(f"{path} has several treebanks: name the file of one of them ({names})")
    else:
        training = [path] if "train" in path.name else []
    if not training:
        return None
    files = {part: training[0].with_name(training[0].name.replace("train", part)) for part in PARTS}
    return files if all(file.is_file() for file in files.values()) else None


def split_by_chance(ids: Collection[ItemId], seed: int, too_long: int = 0) -> dict[str, frozenset[ItemId]]:
    """Eight tenths of the sentences to train on, one to choose on, one to report on: by their ids, whoever
    reads them."""
    if len(ids) < FEWEST:
        many = "1 sentence with a tree" if len(ids) == 1 else f"{len(ids)} sentences with trees"
        raise AttlasError(
            f"the treebank has {many}{_left_out(too_long)}, and training, choosing and reporting need at "
            f"least {FEWEST}: {'see ' + option('length') if too_long else 'name a larger one'}"
        )
    order = sorted(ids, key=lambda item: (seeded(seed, "part", *item), item))
    first, second = (round(share * len(order)) for share in SHARES)
    parts = order[:first], order[first:second], order[second:]
    return {name: frozenset(part) for name, part in zip(PARTS, parts, strict=True)}


def _left_out(too_long: int) -> str:
    return f" ({too_long:,} longer than the window left out)" if too_long else ""


def refuse_empty(part: str, trees: int, source: Source) -> None:
    if not trees:
        name = source.describe()["corpus"]["name"]
        raise AttlasError(
            f"{name} has no sentence with a whole tree to {'train' if part == 'train' else 'report'} on: is "
            f"every word's head annotated, and do sentences fit into {option('length')}?"
        )
