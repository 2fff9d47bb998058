"""Training: sentences in batches of one length, several probes on every batch that is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from attlas.studies.trees.decoding import Predicted, decode
from attlas.studies.trees.features import SPECIAL, Features
from attlas.studies.trees.probes import TreeBatch
from attlas.studies.trees.sentences import Tree
from attlas.studies.trees.word_vectors import WordVectors

Ints = npt.NDArray[np.int64]
BATCH = 32  # sentences
PAIRS = 2**14  # of words in a batch: long sentences come a few at a time
DECODING_BATCH = 64


@dataclass(frozen=True)
class Part:
    """A part of a treebank: its trees, by length, with what the model made of them."""

    trees: Sequence[Tree]
    features: Features
    vectors: WordVectors | None = None
    device: str = "cpu"

    def batch(self, places: Sequence[int] | Ints, targets: Sequence[Ints] | None = None) -> TreeBatch:
        """Some sentences of one length; with other `targets` than the treebank's heads, one a sentence."""
        trees = [self.trees[int(p)] for p in places]
        norms = self.features.layout.shape.norms
        heads = [t.heads for t in trees] if targets is None else [targets[int(p)] for p in places]
        rows = [self.vectors.look_up(t.words) if self.vectors else [0] * len(t.words) for t in trees]
        return TreeBatch(
            self.features.get("attention", places).to(self.device),
            self.features.get("norms", places).to(self.device) if norms else None,
            torch.tensor(rows, device=self.device),
            torch.tensor(np.array(heads), dtype=torch.long, device=self.device),
            torch.from_numpy(np.stack([t.scored for t in trees])).to(self.device),
        )


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

    epochs: int = 6
    batch: int = BATCH
    seed: int = 0


def train(
    part: Part,
    trainees: Mapping[str, Trainee],
    schedule: Schedule,
    places: Ints | None = None,
    advance: Callable[[int], None] = lambda _: None,
) -> None:
    """Cross-entropy of the right candidate, punctuation included, by Adam. Every batch is read once for all
    probes; each learns as if it were alone. `advance` hears of sentences done."""
    steps = max(1, schedule.epochs * sum(1 for _ in batches_of(part, schedule.batch, places)))
    optimisers = {n: torch.optim.Adam(t.probe.parameters(), lr=t.rate) for n, t in trainees.items()}
    falling = {
        n: torch.optim.lr_scheduler.LambdaLR(o, lambda step: max(0.0, 1 - step / steps))
        for n, o in optimisers.items()
    }
    order = np.random.default_rng(schedule.seed)
    for _ in range(schedule.epochs):
        for own in shuffled_batches(part, schedule.batch, places, order):
            batch = part.batch(own)
            for name, trainee in trainees.items():
                optimisers[name].zero_grad()
                loss_of(trainee, batch, own).backward()  # type: ignore[no-untyped-call]
                optimisers[name].step()
                falling[name].step()
            advance(len(own))


def loss_of(trainee: Trainee, batch: TreeBatch, places: Ints) -> Tensor:
    scores = trainee.probe(batch)  # sentence dependent candidate
    heads = batch.heads
    if trainee.targets is not None:
        heads = torch.from_numpy(np.stack([trainee.targets[int(p)] for p in places])).to(heads.device)
    if not trainee.allow_self:
        scores = without_self(scores)
    return nn.functional.cross_entropy(scores.flatten(0, 1), heads.flatten())


def without_self(scores: Tensor) -> Tensor:
    words = scores.shape[1]
    itself = torch.eye(words, dtype=torch.bool, device=scores.device)
    return scores.masked_fill(nn.functional.pad(itself, (1, 0)), -1e9)


def batches_of(part: Part, size: int, places: Ints | None = None) -> Iterator[Ints]:
    """Places of sentences of one length, at most `size` of them."""
    for words, own in _by_length(part, places).items():
        yield from _cut(own, words, size)


def shuffled_batches(
    part: Part, size: int, places: Ints | None, order: np.random.Generator
) -> Iterator[Ints]:
    """The batches of another epoch: sentences drawn anew among those of their length, batches in any
    order."""
    batches = []
    for words, own in _by_length(part, places).items():
        batches += _cut(order.permutation(own), words, size)
    for i in order.permutation(len(batches)):
        yield batches[int(i)]


def _by_length(part: Part, places: Ints | None) -> dict[int, Ints]:
    chosen = np.arange(len(part.trees)) if places is None else np.sort(places)
    lengths = np.array([len(part.trees[int(p)].words) for p in chosen], np.int64)
    return {int(words): chosen[lengths == words] for words in np.unique(lengths)}


def _cut(own: Ints, words: int, size: int) -> list[Ints]:
    step = max(1, min(size, PAIRS // (words + SPECIAL) ** 2))
    return [own[start : start + step] for start in range(0, len(own), step)]


@torch.no_grad()
def predict(part: Part, probes: Mapping[str, nn.Module]) -> dict[str, list[Predicted]]:
    """What every probe says of every sentence, in the order of the part's trees."""
    found: dict[str, list[Predicted]] = {name: [] for name in probes}
    for places in batches_of(part, DECODING_BATCH):
        batch = part.batch(places)
        for name, probe in probes.items():
            scores = probe(batch).double().cpu().numpy()
            found[name] += [decode(own) for own in scores]
    return found


@torch.no_grad()
def accuracy(part: Part, probe: nn.Module, targets: Sequence[Ints]) -> float:
    """How often the best candidate, among all, is the target; punctuation aside."""
    right = words = 0
    for places in batches_of(part, DECODING_BATCH):
        batch = part.batch(places, targets)
        best = probe(batch).argmax(-1)
        right += int(((best == batch.heads) & batch.scored).sum())
        words += int(batch.scored.sum())
    return right / words if words else float("nan")
