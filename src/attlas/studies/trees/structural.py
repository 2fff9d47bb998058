"""The structural probe of Hewitt and Manning (2019): distances in a tree as distances in a space that a
linear map makes of hidden states. For comparison: it reads what a layer holds, not what heads attend to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from scipy.sparse import coo_array
from scipy.sparse.csgraph import minimum_spanning_tree, shortest_path
from torch import Tensor, nn

from attlas.array_types import Floats, Ints
from attlas.studies.trees.decoding import Correct
from attlas.studies.trees.training import DECODING_BATCH, Schedule, TreebankPart, batches_of, learn
from attlas.studies.trees.treebank import SentenceTree

RATE = 0.003
EPOCHS = 4  # times as many as of other probes: it goes on learning when they have stopped
BATCH = 32


class StructuralProbe(nn.Module):
    """A map of `rank` dimensions for every layer, all trained at once: none of them knows of the others."""

    def __init__(self, layers: int, width: int, rank: int) -> None:
        super().__init__()
        self.maps = nn.Parameter(torch.empty(layers, width, rank).uniform_(-0.05, 0.05))

    def forward(self, states: Tensor) -> Tensor:
        """sentence layer word word: squared distances; `states` are sentence word layer dim."""
        placed = torch.einsum("swld,ldr->slwr", states, self.maps)
        squares = placed.square().sum(-1)
        products = placed @ placed.transpose(-1, -2)
        return (squares[..., :, None] + squares[..., None, :] - 2 * products).clamp(min=0)


def tree_distances(tree: SentenceTree) -> Floats:
    """word word: how many arcs lie between two words."""
    words = len(tree.heads)
    arcs = [(i, head - 1) for i, head in enumerate(tree.heads) if head]
    if not arcs:
        return np.zeros((words, words))
    rows, columns = zip(*arcs, strict=True)
    graph = coo_array((np.ones(len(arcs)), (rows, columns)), shape=(words, words))
    distances: Floats = shortest_path(graph.tocsr(), directed=False, unweighted=True)
    return distances


def train_structural(part: TreebankPart, probe: StructuralProbe, schedule: Schedule) -> None:
    """The mean over pairs of words of how far the distance is from that in the tree."""
    gold = [tree_distances(tree).astype(np.float32) for tree in part.trees]

    def loss(places: Ints) -> Tensor:
        wanted = torch.from_numpy(np.stack([gold[int(p)] for p in places])).to(part.device)
        distances: Tensor = probe(part.features.get("states", places))
        # the sum over layers: each layer's map gets its own layer's gradient
        return (distances - wanted[:, None]).abs().mean((0, 2, 3)).sum()

    learn(part, probe, RATE, schedule, loss)


@torch.no_grad()
def score_structural(part: TreebankPart, probe: StructuralProbe, layers: Sequence[int]) -> list[Correct]:
    """Count the arcs that the minimum spanning tree over all words but punctuation finds, for some layers."""
    counts: list[list[tuple[int, int]]] = [[] for _ in layers]
    for places in batches_of(part, DECODING_BATCH):
        distances = probe(part.features.get("states", places))[:, list(layers)].double().cpu().numpy()
        for place, by_layer in zip(places, distances, strict=True):
            for layer_counts, square in zip(counts, by_layer, strict=True):
                layer_counts.append(_right_arcs(part.trees[int(place)], square))
    return [_correct(layer_counts) for layer_counts in counts]


def _right_arcs(tree: SentenceTree, distances: Floats) -> tuple[int, int]:
    """Right arcs, and how many there are: those between words that are not punctuation."""
    words = np.flatnonzero(tree.scored)
    gold = {
        (min(i, head - 1), max(i, head - 1))
        for i, head in enumerate(tree.heads)
        if head and tree.scored[i] and tree.scored[head - 1]
    }
    if len(words) < 2:
        return 0, len(gold)
    # a distance of 0 would be no arc at all
    spanning = minimum_spanning_tree(distances[np.ix_(words, words)] + 1e-6).tocoo()
    predicted = {
        (min(a, b), max(a, b))
        for a, b in zip(words[spanning.row].tolist(), words[spanning.col].tolist(), strict=True)
    }
    return len(gold & predicted), len(gold)


def _correct(counts: Sequence[tuple[int, int]]) -> Correct:
    right, arcs = np.array(counts, np.int64).reshape(-1, 2).T
    nothing = np.zeros_like(right)
    return Correct(nothing, nothing, right, arcs)
