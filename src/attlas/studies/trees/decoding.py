"""From scores to trees, and how many of their arcs are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attlas.studies.trees.tree_sentences import SentenceTree

try:
    from ufal.chu_liu_edmonds import chu_liu_edmonds
except ImportError:  # it is one of the extras; ours finds the same trees, and takes longer
    chu_liu_edmonds = None

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
    best = best_tree if chu_liu_edmonds is None else _by_library
    square = np.full((len(scores) + 1, len(scores) + 1), -np.inf)
    square[1:] = scores
    heads = best(square)
    if (heads == 0).sum() <= 1:
        return heads
    # ROOT had several children: a penalty that no other arc can make up for leaves it the best one
    finite = np.abs(scores[np.isfinite(scores)])
    square[1:, 0] -= 1 + 2 * len(scores) * float(finite.max())
    return best(square)


def _by_library(square: Floats) -> Ints:
    heads, _ = chu_liu_edmonds(np.where(np.isfinite(square), square, np.nan))
    return np.array(heads[1:], np.int64)


def best_tree(square: Floats) -> Ints:
    """The heads of all places but the first, which is the root: the tree of the largest sum. `square` is
    dependent head, -inf where there is no arc.

    Everyone takes its best head. Where that makes a cycle, the cycle becomes one place, whose arcs are what
    an arc into it, or out of it, would gain; the tree of the smaller square says where it is broken.
    """
    heads = np.concatenate([[0], square[1:].argmax(1)])
    places = _cycle(heads.tolist())
    if not places:
        return heads[1:]
    cycle = np.array(places)
    others = np.setdiff1d(np.arange(len(square)), cycle)  # the root is the first of them
    last = len(others)  # where the cycle stands in the smaller square
    smaller = np.full((last + 1, last + 1), -np.inf)
    smaller[:last, :last] = square[np.ix_(others, others)]
    into = square[np.ix_(cycle, others)] - square[cycle, heads[cycle]][:, None]
    out_of = square[np.ix_(others, cycle)]
    smaller[last, :last], smaller[:last, last] = into.max(0), out_of.max(1)
    smaller[0] = -np.inf
    smaller_heads = np.concatenate([[0], best_tree(smaller)])
    for place in range(1, last):
        head = int(smaller_heads[place])
        heads[others[place]] = cycle[int(out_of[place].argmax())] if head == last else others[head]
    broken = into[:, smaller_heads[last]].argmax()  # the one that is reached from outside
    heads[cycle[broken]] = others[smaller_heads[last]]
    return heads[1:]


def _cycle(heads: list[int]) -> list[int]:
    """Places each of which is the next one's dependent, if there are such; the root, 0, is its own head."""
    seen = [0] * len(heads)  # by whose walk
    seen[0] = -1
    for start in range(1, len(heads)):
        at = start
        while not seen[at]:
            seen[at] = start
            at = heads[at]
        if seen[at] == start:
            cycle = [at]
            while heads[cycle[-1]] != at:
                cycle.append(heads[cycle[-1]])
            return cycle
    return []


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
