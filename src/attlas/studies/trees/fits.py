"""One training at a time: a probe is trained and scored, and what it found is kept, so that a run which is
stopped goes on with the next. Controls tell knowledge of the model from what a probe learned: a task of
chance, fewer sentences, fewer heads."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from attlas.array_types import Floats, Ints
from attlas.corpora.source import seeded
from attlas.engines import UnfinishedRun
from attlas.errors import AttlasError, option
from attlas.studies.trees import structural
from attlas.studies.trees.decoding import Correct, score
from attlas.studies.trees.head_probes import (
    KINDS,
    NAMES,
    RELATIONS,
    RIGHT_BRANCHING,
    STRUCTURAL,
    HeadsProbe,
    mean_norms,
    right_branching,
)
from attlas.studies.trees.training import (
    DECODING_BATCH,
    Schedule,
    Trainee,
    TreebankPart,
    accuracy,
    batches_of,
    labels_of,
    predict,
    score_relations,
    train,
    train_relations,
)
from attlas.studies.trees.treebank import SentenceTree

CURVE_SHARES = (0.01, 0.03, 0.1, 0.3)  # of the sentences, in learning curves, before all of them
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


#: not a probe of its own: that of attention, with few of its heads
FEW_HEADS = "few-heads"
#: probes whose learning curves are drawn
CURVES = ("distances", "attention", "words")

Parts = Mapping[str, TreebankPart]  # train, dev, test


@dataclass(frozen=True)
class TreeSettings:
    """All that decides the numbers, beside model, treebank and words."""

    probes: tuple[str, ...] = NAMES
    seeds: int = 5
    epochs: int = 3
    batch: int = 16
    rank: int = 64  # of the structural probe
    curves: bool = True
    faithful: bool = False
    seed: int = 0


class Fit(NamedTuple):
    """A probe, to be trained with a seed: on the treebank's heads or on the control task, on all sentences or
    a share of them."""

    probe: str
    seed: int = 0
    control: bool = False
    share: float = 1.0

    @property
    def name(self) -> str:
        return f"{self.probe}-{self.seed}{'-control' * self.control}{f'-{self.share:g}' * (self.share < 1)}"

    @property
    def in_words(self) -> str:
        """the probe words, seed 0, on 3 % of the sentences"""
        control = ", on the control task" if self.control else ""
        share = f", on {100 * self.share:g} % of the sentences" if self.share < 1 else ""
        return f"the probe {self.probe}, seed {self.seed}{control}{share}"


@dataclass(frozen=True)
class Outcome:
    """What a fit found in the part that is reported on, as trees and word by word; and `numbers` of its own
    kind (control, las, layer ...), as JSON takes them."""

    tree: Correct | None = None
    greedy: Correct | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        counts = {"tree": self.tree, "greedy": self.greedy}
        return {
            **{name: None if correct is None else correct.as_data() for name, correct in counts.items()},
            "numbers": dict(self.numbers),
        }

    @staticmethod
    def of(data: Mapping[str, Any]) -> Outcome:
        tree, greedy = (None if data[n] is None else Correct.of(data[n]) for n in ("tree", "greedy"))
        return Outcome(tree, greedy, data["numbers"])


def plan(settings: TreeSettings) -> list[Fit]:
    """All that a study trains: everything once, and then again with the other seeds."""
    names = [name for name in settings.probes if name != RIGHT_BRANCHING]
    curves = [name for name in CURVES if name in names and settings.curves]
    return [
        *(Fit(name) for name in names),
        Fit(FEW_HEADS),
        *(Fit(name, control=True) for name in names if name in KINDS),
        *(Fit(name, share=share) for share in CURVE_SHARES for name in curves),
        *(Fit(name, seed) for seed in range(1, settings.seeds) for name in names),
    ]


def without_training(trees: Sequence[SentenceTree]) -> dict[Fit, Outcome]:
    """The outcome of right-branching, which needs no training."""
    right = score(trees, [np.array(right_branching(len(tree.words))) for tree in trees])
    return {Fit(RIGHT_BRANCHING): Outcome(right, right)}


def model_of(fit: Fit) -> str:
    """The model whose attention is read: empty for the one studied, or how one at random is initialised."""
    return KINDS[fit.probe].model if fit.probe in KINDS else ""


@dataclass(frozen=True)
class FitStore:
    """What is trained in an unfinished run: a piece for each fit, its outcome and its probe's weights."""

    run: UnfinishedRun

    def outcome(self, fit: Fit) -> Outcome | None:
        """None where it is to be trained."""
        piece = self.run.piece(fit.name)
        return None if piece is None else Outcome.of(piece.about)

    def weights(self, fit: Fit) -> dict[str, Tensor]:
        piece = self.run.piece(fit.name)
        assert piece is not None
        return {name: torch.from_numpy(array) for name, array in piece.arrays.items()}

    def keep(self, fit: Fit, outcome: Outcome, probe: nn.Module | None) -> None:
        state = {} if probe is None else probe.state_dict()
        arrays = {name: tensor.detach().cpu().numpy() for name, tensor in state.items()}
        self.run.keep(fit.name, arrays, outcome.as_data())


@dataclass(frozen=True)
class Trainer:
    """Trains what was asked for, on features of one model."""

    parts: Parts
    settings: TreeSettings
    store: FitStore

    def find(self, fit: Fit, say: Callable[[str], None] = lambda _: None) -> Outcome:
        """The outcome of a fit; one that is finished is not trained again."""
        there = self.store.outcome(fit)
        if there is not None:
            return there
        say(f"training {fit.in_words}")
        ways = {RELATIONS: self._relations, STRUCTURAL: self._structural, FEW_HEADS: self._few_heads}
        if fit.probe in ways:
            outcome, probe = ways[fit.probe](fit)
        else:
            outcome, probe = self._control(fit) if fit.control else self._heads(fit)
        self.store.keep(fit, outcome, probe)
        return outcome

    def _heads(self, fit: Fit) -> tuple[Outcome, nn.Module]:
        part, test, dev = (self.parts[name] for name in ("train", "test", "dev"))
        places, schedule = self._sentences(fit)
        trainee = Trainee(self._make(fit), KINDS[fit.probe].rate, allow_self=self.settings.faithful)
        train(part, trainee, schedule, places)
        probe = trainee.probe
        numbers: dict[str, Any] = {"parameters": _size(probe), "sentences": len(places)}
        if fit.share == 1 and isinstance(probe, HeadsProbe):
            numbers["dev_uas"] = score(dev.trees, [p.tree for p in predict(dev, probe)]).uas
            if fit.probe == "attention":
                numbers["weights"] = head_weights(dev, probe).tolist()
        predicted = predict(test, probe)
        return Outcome(
            score(test.trees, [p.tree for p in predicted]),
            score(test.trees, [p.greedy for p in predicted]),
            numbers,
        ), probe

    def _sentences(self, fit: Fit) -> tuple[Any, Schedule]:
        """Draw which sentences are trained on, and how often: few of them are seen more often."""
        part, settings = self.parts["train"], self.settings
        places = some_sentences(len(part.trees), fit.share, settings.seed)
        steps = sum(1 for _ in batches_of(part, settings.batch, places))
        least = -(-FEWEST_STEPS // steps) if fit.share < 1 else 1
        return places, Schedule(max(settings.epochs, least), settings.batch, fit.seed)

    def _control(self, fit: Fit) -> tuple[Outcome, None]:
        part, test = self.parts["train"], self.parts["test"]
        wanted, asked = (control_heads(p.trees, self.settings.seed) for p in (part, test))
        trainee = Trainee(self._make(fit), KINDS[fit.probe].rate, wanted, allow_self=True)
        train(part, trainee, self._sentences(fit)[1])
        return Outcome(numbers={"control": accuracy(test, trainee.probe, asked)}), None

    def _relations(self, fit: Fit) -> tuple[Outcome, nn.Module]:
        """The heads are those that the probe of attention finds."""
        part, test = self.parts["train"], self.parts["test"]
        heads = [p.tree for p in predict(test, self.load_probe(Fit("attention", fit.seed)))]
        names = labels_of(part.trees)
        probe = train_relations(part, names, self._sentences(fit)[1])
        both_right, relation_right = score_relations(test, probe, names, heads)
        arcs = score(test.trees, heads)
        las, label = (float(right.sum() / arcs.words.sum()) for right in (both_right, relation_right))
        return Outcome(arcs, None, {"parameters": _size(probe), "las": las, "label": label}), probe

    def _structural(self, fit: Fit) -> tuple[Outcome, nn.Module]:
        """The layer is chosen on the part for choices."""
        part, shape = self.parts["train"], self.parts["train"].features.layout.shape
        rank = min(self.settings.rank, shape.width)
        torch.manual_seed(fit.seed)
        probe = structural.StructuralProbe(shape.states, shape.width, rank).to(part.device)
        epochs = structural.EPOCHS * self.settings.epochs
        structural.train_structural(part, probe, Schedule(epochs, structural.BATCH, fit.seed))
        on_dev = structural.score_structural(self.parts["dev"], probe, range(shape.states))
        layer = int(np.argmax([correct.uuas for correct in on_dev]))
        on_test = structural.score_structural(self.parts["test"], probe, [layer])[0]
        return Outcome(on_test, None, {"parameters": shape.width * rank, "layer": layer}), probe

    def _few_heads(self, _: Fit) -> tuple[Outcome, None]:
        """The UAS of the probe of attention when all heads but k are left out."""
        test, attention = self.parts["test"], Fit("attention")
        probe, weights = self.load_probe(attention), np.array(self.find(attention).numbers["weights"])
        kept = []
        for how, k, heads in sets_of_heads(weights, self.settings.seed):
            predicted = predict(test, with_heads_only(probe, heads))
            kept.append([how, k, score(test.trees, [p.tree for p in predicted]).uas])
        return Outcome(numbers={"kept": kept}), None

    def load_probe(self, fit: Fit) -> Any:
        """The probe of a fit that is finished."""
        self.find(fit)
        probe = self._make(fit)
        probe.load_state_dict(self.store.weights(fit))
        return probe

    def _make(self, fit: Fit) -> nn.Module:
        """A probe that has learned nothing yet."""
        part, kind = self.parts["train"], KINDS[fit.probe]
        shape, norms = part.features.layout.shape, None
        assert part.vectors is not None
        if kind.norms:
            if not shape.norms:
                raise AttlasError(
                    f"the values of this model cannot be seen: leave {fit.probe!r} out of {option('probes')}"
                )
            norms = mean_norms([part.features.get("norms", p).cpu() for p in batches_of(part, 256)])
        torch.manual_seed(fit.seed)
        return kind.make(shape.heads, part.vectors.table, norms, self.settings.faithful).to(part.device)


def _size(probe: nn.Module) -> int:
    return sum(parameter.numel() for parameter in probe.parameters())
