"""From scores to trees, and how many of their arcs are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attlas.corpora.optional_import import optional_import
from attlas.studies.trees.sentences import Tree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Predicted:
    """The heads of a sentence's words (0 is ROOT): each word by itself, and as one tree."""

    greedy: Ints
    tree: Ints


def decode(scores: Floats) -> Predicted:
    """`scores` are dependent candidate, ROOT first. A word is never its own head."""
    scores = np.array(scores, np.float64)
    words = len(scores)
    scores[np.arange(words), np.arange(words) + 1] = -np.inf
    return Predicted(scores.argmax(1), maximum_spanning_tree(scores))


def maximum_spanning_tree(scores: Floats) -> Ints:
    """The best tree in which ROOT has one child (Chu-Liu-Edmonds). Scores are dependent candidate."""
    edmonds = optional_import("ufal.chu_liu_edmonds", "decoding trees").chu_liu_edmonds
    square = np.full((len(scores) + 1, len(scores) + 1), np.nan)
    square[1:] = np.where(np.isfinite(scores), scores, np.nan)
    heads = np.array(edmonds(square)[0][1:], np.int64)
    if (heads == 0).sum() <= 1:
        return heads
    # ROOT had several children: a penalty that no other arc can make up for leaves it the best one
    square[1:, 0] -= 1 + 2 * len(scores) * float(np.nanmax(np.abs(square[1:])))
    return np.array(edmonds(square)[0][1:], np.int64)


@dataclass(frozen=True)
class Correct:
    """Right arcs of every sentence, and how many there are: directed (all words but punctuation) and
    undirected (of these, not the root's)."""

    directed: Ints  # sentence
    words: Ints
    undirected: Ints
    arcs: Ints

    @property
    def uas(self) -> float:
        return _share(self.directed, self.words)

    @property
    def uuas(self) -> float:
        return _share(self.undirected, self.arcs)


def score(trees: Sequence[Tree], predicted: Sequence[Ints]) -> Correct:
    counts = np.array([_counts(t, p) for t, p in zip(trees, predicted, strict=True)], np.int64).reshape(-1, 4)
    return Correct(*counts.T)


def _counts(tree: Tree, predicted: Ints) -> tuple[int, int, int, int]:
    gold, own = np.array(tree.heads), np.arange(1, len(tree.heads) + 1)
    right = (predicted == gold) & tree.scored
    linked = tree.scored & (gold > 0)
    # an arc is also found when it is predicted the other way round
    back = np.where(gold > 0, predicted[np.maximum(gold, 1) - 1] == own, False)
    found = linked & ((predicted == gold) | back)
    return int(right.sum()), int(tree.scored.sum()), int(found.sum()), int(linked.sum())


def _share(some: Ints, all_of_them: Ints) -> float:
    return float(some.sum() / all_of_them.sum()) if all_of_them.sum() else float("nan")
