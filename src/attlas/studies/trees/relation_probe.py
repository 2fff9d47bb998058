"""Relations from attention: which one links a word to its head?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from attlas.studies.trees.head_probes import RelationProbe
from attlas.studies.trees.training import DECODING_BATCH, Schedule, TreebankPart, batches_of, learn, of_places
from attlas.studies.trees.tree_sentences import SentenceTree

Ints = npt.NDArray[np.int64]
RATE = 0.05


def labels_of(trees: Sequence[SentenceTree]) -> list[str]:
    return sorted({relation for tree in trees for relation in tree.relations})


def train_relations(part: TreebankPart, names: Sequence[str], schedule: Schedule) -> RelationProbe:
    """Trained with the treebank's own heads."""
    numbers = {name: i for i, name in enumerate(names)}
    torch.manual_seed(schedule.seed)
    probe = RelationProbe(part.features.layout.shape.heads, len(names)).to(part.device)
    wanted = [np.array([numbers[r] for r in tree.relations], np.int64) for tree in part.trees]

    def loss(places: Ints) -> torch.Tensor:
        batch = part.batch(places)
        scores = probe(batch, batch.heads)
        return nn.functional.cross_entropy(
            scores.flatten(0, 1), of_places(wanted, places, part.device).flatten()
        )

    learn(part, probe, RATE, schedule, loss)
    return probe


@torch.no_grad()
def score_relations(
    part: TreebankPart, probe: RelationProbe, names: Sequence[str], heads: Sequence[Ints]
) -> tuple[Ints, Ints]:
    """Of every sentence, punctuation aside: words whose predicted head and relation are both right, and words
    whose relation is right where the treebank's head is given."""
    both_right, relation_right = list[int](), list[int]()
    for places in batches_of(part, DECODING_BATCH):
        batch = part.batch(places)
        chosen = of_places(heads, places, part.device)
        predicted, with_gold = (
            _best_names(probe(batch, of_words), names) for of_words in (chosen, batch.heads)
        )
        for row, place in enumerate(places):
            tree = part.trees[int(place)]
            gold = np.array(tree.relations)
            right = np.array(tree.heads) == heads[int(place)]
            both_right.append(int((tree.scored & right & (predicted[row] == gold)).sum()))
            relation_right.append(int((tree.scored & (with_gold[row] == gold)).sum()))
    return np.array(both_right, np.int64), np.array(relation_right, np.int64)


def _best_names(scores: torch.Tensor, names: Sequence[str]) -> npt.NDArray[Any]:
    best: npt.NDArray[Any] = np.array(names)[scores.argmax(-1).cpu().numpy()]
    return best
