"""Training probes, that of relations among them, on batches of sentences of one length; and what they
predict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from attlas.array_types import Ints
from attlas.studies.trees.decoding import PredictedHeads, decode
from attlas.studies.trees.head_probes import RelationProbe, TreeBatch
from attlas.studies.trees.recorded_features import SPECIAL, RecordedFeatures
from attlas.studies.trees.treebank import SentenceTree
from attlas.studies.word_vectors import WordVectors

BATCH = 16  # sentences
PAIRS = 2**14  # of words in a batch: long sentences come a few at a time
DECODING_BATCH = 64


@dataclass(frozen=True)
class TreebankPart:
    """A part of a treebank: its trees, by length, with what the model made of them."""

    trees: Sequence[SentenceTree]
    features: RecordedFeatures
    vectors: WordVectors | None = None

    @property
    def device(self) -> torch.device:
        return self.features.device

    def batch(self, places: Sequence[int] | Ints) -> TreeBatch:
        """Some sentences of one length."""
        places = np.asarray(places)
        words = len(self.trees[int(places[0])].words)
        same = self._of_length[words]
        rows = torch.from_numpy(places - self.features.ranges[words][0]).to(self.device)
        norms = self.features.layout.shape.norms
        return TreeBatch(
            self.features.get("attention", places),
            self.features.get("norms", places) if norms else None,
            *(numbers[rows] for numbers in same),
        )

    @cached_property
    def _of_length(self) -> dict[int, tuple[Tensor, Tensor, Tensor]]:
        """All sentences of each length (sentence word): rows of word vectors, heads, whether they count."""
        by_length = {}
        for words, (first, past) in self.features.ranges.items():
            trees = self.trees[first:past]
            rows = [self.vectors.look_up(t.words) if self.vectors else [0] * words for t in trees]
            heads, scored = np.array([t.heads for t in trees], np.int64), np.stack([t.scored for t in trees])
            made = torch.tensor(rows), torch.from_numpy(heads), torch.from_numpy(scored)
            by_length[words] = made[0].to(self.device), made[1].to(self.device), made[2].to(self.device)
        return by_length


@dataclass
class Trainee:
    """A probe to be trained. `allow_self`: a word may be its own head, as in the control task and the
    original."""

    probe: nn.Module
    rate: float
    targets: Sequence[Ints] | None = None  # instead of the treebank's heads
    allow_self: bool = False


@dataclass(frozen=True)
class Schedule:
    """How often the sentences are seen; the rate falls to nothing over all steps."""

    epochs: int = 3
    batch: int = BATCH
    seed: int = 0


def train(part: TreebankPart, trainee: Trainee, schedule: Schedule, places: Ints | None = None) -> None:
    """Cross-entropy of the right candidate, punctuation included."""

    def loss(chosen: Ints) -> Tensor:
        return loss_of(trainee, part.batch(chosen), chosen)

    learn(part, trainee.probe, trainee.rate, schedule, loss, places)


def learn(
    part: TreebankPart,
    probe: nn.Module,
    rate: float,
    schedule: Schedule,
    loss: Callable[[Ints], Tensor],
    places: Ints | None = None,
) -> None:
    """Train by Adam over batches of sentences of one length; `loss` takes their places."""
    steps = max(1, schedule.epochs * sum(1 for _ in batches_of(part, schedule.batch, places)))
    parameters = list(probe.parameters())
    # on a GPU a step is one kernel: probes are so small that launching them is what takes time
    optimiser = torch.optim.Adam(parameters, lr=rate, fused=parameters[0].is_cuda)
    falling = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: max(0.0, 1 - step / steps))
    order = np.random.default_rng(schedule.seed)
    for _ in range(schedule.epochs):
        for chosen in shuffled_batches(part, schedule.batch, places, order):
            optimiser.zero_grad()
            loss(chosen).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            falling.step()


def loss_of(trainee: Trainee, batch: TreeBatch, places: Ints) -> Tensor:
    scores = trainee.probe(batch)  # sentence dependent candidate
    heads = batch.heads if trainee.targets is None else of_places(trainee.targets, places, batch.heads.device)
    if not trainee.allow_self:
        itself = torch.eye(scores.shape[1], dtype=torch.bool, device=scores.device)
        scores = scores.masked_fill(nn.functional.pad(itself, (1, 0)), -1e9)
    return nn.functional.cross_entropy(scores.flatten(0, 1), heads.flatten())


def of_places(targets: Sequence[Ints], places: Ints, device: torch.device) -> Tensor:
    """sentence word."""
    return torch.from_numpy(np.stack([targets[int(p)] for p in places])).to(device)


def batches_of(part: TreebankPart, size: int, places: Ints | None = None) -> Iterator[Ints]:
    """Places of sentences of one length, at most `size` of them."""
    for words, chosen in _by_length(part, places).items():
        yield from _cut(chosen, words, size)


def shuffled_batches(
    part: TreebankPart, size: int, places: Ints | None, order: np.random.Generator
) -> Iterator[Ints]:
    """The batches of another epoch: sentences drawn anew among those of their length, batches in any
    order."""
    batches = []
    for words, chosen in _by_length(part, places).items():
        batches += _cut(order.permutation(chosen), words, size)
    for i in order.permutation(len(batches)):
        yield batches[int(i)]


def _by_length(part: TreebankPart, places: Ints | None) -> dict[int, Ints]:
    chosen = np.arange(len(part.trees)) if places is None else np.sort(places)
    lengths = np.array([len(part.trees[int(p)].words) for p in chosen], np.int64)
    return {int(words): chosen[lengths == words] for words in np.unique(lengths)}


def _cut(places: Ints, words: int, size: int) -> list[Ints]:
    step = max(1, min(size, PAIRS // (words + SPECIAL) ** 2))
    return [places[start : start + step] for start in range(0, len(places), step)]


@torch.no_grad()
def predict(part: TreebankPart, probe: nn.Module) -> list[PredictedHeads]:
    """What a probe says of every sentence, in the order of the part's trees."""
    return [
        decode(scores)
        for places in batches_of(part, DECODING_BATCH)
        for scores in probe(part.batch(places)).double().cpu().numpy()
    ]


@torch.no_grad()
def accuracy(part: TreebankPart, probe: nn.Module, targets: Sequence[Ints]) -> float:
    """How often the best candidate, among all, is the target; punctuation aside."""
    right = words = 0
    for places in batches_of(part, DECODING_BATCH):
        batch = part.batch(places)
        best = probe(batch).argmax(-1)
        right += int(((best == of_places(targets, places, part.device)) & batch.scored).sum())
        words += int(batch.scored.sum())
    return right / words if words else float("nan")


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
    """Count in every sentence, punctuation aside: words whose predicted head and relation are both right, and
    words whose relation is right where the treebank's head is given."""
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
