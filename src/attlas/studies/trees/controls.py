"""What tells knowledge of the model from what a probe learned: a task of chance, fewer sentences, fewer
heads."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch

from attlas.corpora.source import seeded
from attlas.studies.trees.head_probes import HeadsProbe
from attlas.studies.trees.training import DECODING_BATCH, TreebankPart, batches_of
from attlas.studies.trees.tree_sentences import SentenceTree

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
SHARES = (0.01, 0.03, 0.1, 0.3)  # of the sentences, in learning curves, before all of them
FEWEST_STEPS = 600  # of training on few sentences
RANDOM_SETS = 5  # of k heads


def control_heads(trees: Sequence[SentenceTree], seed: int = 0) -> list[Ints]:
    """Hewitt and Liang's control task (2019): each word, wherever it stands, always attaches to itself, to
    the first or to the last word, as chance decided for its spelling. Only what a probe memorises helps with
    it."""
    heads = []
    for tree in trees:
        many = len(tree.words)
        kinds = [seeded(seed, "control", word.lower()) % 3 for word in tree.words]
        heads.append(np.array([(i, 1, many)[kind] for i, kind in enumerate(kinds, 1)], np.int64))
    return heads


def some_sentences(many: int, share: float, seed: int) -> Ints:
    """Places of a share of the sentences, at least one; a larger share has all of a smaller one."""
    order = np.random.default_rng(seed).permutation(many)
    return np.sort(order[: max(1, round(share * many))])


@torch.no_grad()
def head_weights(part: TreebankPart, probe: HeadsProbe) -> Floats:
    """head direction: what share of the scores' variation comes from each head, in each direction: the size
    of its weight times the standard deviation of its attention. They add up to 1."""
    count, moments = 0, torch.zeros(2, len(probe.weights), dtype=torch.float64)  # sum and squares, head
    for places in batches_of(part, DECODING_BATCH):
        maps = probe.maps(part.batch(places)).flatten(0, 2).double().cpu()
        count, moments = count + len(maps), moments + torch.stack([maps.sum(0), maps.square().sum(0)])
    mean, squares = moments / count
    deviation = (squares - mean**2).clamp(min=0).sqrt()
    sizes = probe.weights.abs().double().cpu() * deviation[:, None]
    shares: Floats = (sizes / sizes.sum()).numpy()
    return shares


def with_heads_only(probe: HeadsProbe, heads: Ints) -> HeadsProbe:
    """The trained probe with the weights of all other heads set to 0; it is not trained again."""
    kept = copy.deepcopy(probe)
    others = torch.ones(len(probe.weights), dtype=torch.bool)
    others[torch.from_numpy(heads)] = False
    with torch.no_grad():
        kept.weights[others.to(kept.weights.device)] = 0
    return kept


def sets_of_heads(weights: Floats, seed: int) -> Iterator[tuple[str, int, Ints]]:
    """(`top` or `random`, k, heads): the k heads of the most weight, and k heads at random, several times."""
    order = np.argsort(-weights.sum(1), kind="stable")
    drawn = np.random.default_rng(seed)
    k = 1
    while k < len(order):
        yield "top", k, order[:k]
        for _ in range(RANDOM_SETS):
            yield "random", k, drawn.permutation(len(order))[:k]
        k *= 2
    yield "top", len(order), order
