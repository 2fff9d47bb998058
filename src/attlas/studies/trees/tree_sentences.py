"""The trees themselves: words, heads and relations of every sentence, gathered without running the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from attlas.corpora.alignment import with_words
from attlas.corpora.annotated_documents import ROOT
from attlas.corpora.source import ItemId
from attlas.corpora.windows import Window
from attlas.reducers.reducer import State
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Ints = npt.NDArray[np.int64]


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
        trees = [self.kept[item] for item in sorted(self.kept)]
        if not trees:
            return {}
        return {
            "items": np.array([(*t.id, len(t.words)) for t in trees], np.int64),
            "heads": np.array([head for t in trees for head in t.heads], np.int64),
            "words": _joined([word for t in trees for word in t.words]),
            "relations": _joined([relation for t in trees for relation in t.relations]),
        }

    def restore(self, state: State) -> None:
        self.kept = {}
        if not state:
            return
        words, relations = _parted(state["words"]), _parted(state["relations"])
        heads, start = state["heads"].tolist(), 0
        for document, place, many in state["items"].tolist():
            item, stop = ItemId(document, place), start + many
            self.kept[item] = SentenceTree(
                item, tuple(words[start:stop]), tuple(heads[start:stop]), tuple(relations[start:stop])
            )
            start = stop

    def by_length(self) -> list[SentenceTree]:
        """Shortest first, so that sentences of one length are neighbours; in reading order among equals."""
        return sorted(self.kept.values(), key=lambda tree: (len(tree.words), tree.id))


def _joined(strings: Sequence[str]) -> npt.NDArray[np.uint8]:
    # no line of a treebank holds a line break
    return np.frombuffer("".join(f"{string}\n" for string in strings).encode(), np.uint8)


def _parted(joined: npt.NDArray[np.uint8]) -> list[str]:
    return joined.tobytes().decode().split("\n")[:-1]
