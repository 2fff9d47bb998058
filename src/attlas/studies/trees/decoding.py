"""Trees decoded from scores, and how many of their arcs are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from attlas.array_types import Floats, Ints
from attlas.studies.trees.treebank import SentenceTree


@dataclass(frozen=True)
class PredictedHeads:
    """The heads of a sentence's words (0 is ROOT): each word by itself, and as one tree."""

    greedy: Ints
    tree: Ints


def decode(scores: Floats) -> PredictedHeads:
    """`scores` are dependent candidate, ROOT first. A word is never its own head."""
    scores = np.array(scores, np.float64)
    words = len(scores)
    scores[np.arange(words), np.arange(words) + 1] = -np.inf
    return PredictedHeads(scores.argmax(1), maximum_spanning_tree(scores))


def maximum_spanning_tree(scores: Floats) -> Ints:
    """The best tree in which ROOT has one child (Chu-Liu-Edmonds). Scores are dependent candidate."""
    square = np.full((len(scores) + 1, len(scores) + 1), -np.inf)
    square[1:] = scores
    heads = _best_tree(square)
    if (heads == 0).sum() <= 1:
        return heads
    # ROOT had several children: a penalty that no other arc can make up for leaves it the best one
    finite = np.abs(scores[np.isfinite(scores)])
    square[1:, 0] -= 1 + 2 * len(scores) * float(finite.max())
    return _best_tree(square)


def _best_tree(square: Floats) -> Ints:
    """The heads of all places but the first, which is the root: the tree of the largest sum. `square` is
    dependent head, -inf where there is no arc."""
    from ufal.chu_liu_edmonds import chu_liu_edmonds  # one of the extras

    heads, _ = chu_liu_edmonds(np.where(np.isfinite(square), square, np.nan))
    return np.array(heads[1:], np.int64)


@dataclass(frozen=True)
class Correct:
    """Right arcs of every sentence, and how many there are: directed (all words but punctuation) and
    undirected (of these, not the root's)."""

    directed: Ints  # sentence
    words: Ints
    undirected: Ints
    arcs: Ints

    def as_data(self) -> dict[str, list[int]]:
        return {name: counts.tolist() for name, counts in vars(self).items()}

    @staticmethod
    def of(data: Mapping[str, Sequence[int]]) -> Correct:
        return Correct(**{name: np.array(counts, np.int64) for name, counts in data.items()})

    @property
    def uas(self) -> float:
        return _share(self.directed, self.words)

    @property
    def uuas(self) -> float:
        return _share(self.undirected, self.arcs)


def score(trees: Sequence[SentenceTree], predicted: Sequence[Ints]) -> Correct:
    counts = np.array([_counts(t, p) for t, p in zip(trees, predicted, strict=True)], np.int64).reshape(-1, 4)
    return Correct(*counts.T)


def _counts(tree: SentenceTree, predicted: Ints) -> tuple[int, int, int, int]:
    gold, numbers = np.array(tree.heads), np.arange(1, len(tree.heads) + 1)
    right = (predicted == gold) & tree.scored
    linked = tree.scored & (gold > 0)
    # an arc is also found when it is predicted the other way round
    back = np.where(gold > 0, predicted[np.maximum(gold, 1) - 1] == numbers, False)
    undirected = linked & ((predicted == gold) | back)
    return int(right.sum()), int(tree.scored.sum()), int(undirected.sum()), int(linked.sum())


def _share(some: Ints, all_of_them: Ints) -> float:
    return float(some.sum() / all_of_them.sum()) if all_of_them.sum() else float("nan")
