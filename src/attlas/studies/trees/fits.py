"""One training at a time: a probe is trained and scored, and what it found is kept, so that a run which is
stopped goes on with the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from attlas.engines import UnfinishedRun
from attlas.errors import AttlasError, option
from attlas.studies.trees import controls, kinds, structural
from attlas.studies.trees.decoding import Correct, score
from attlas.studies.trees.head_probes import HeadsProbe, right_branching
from attlas.studies.trees.kinds import KINDS, RELATIONS, RIGHT_BRANCHING, STRUCTURAL
from attlas.studies.trees.relation_probe import labels_of, score_relations, train_relations
from attlas.studies.trees.training import (
    Schedule,
    Trainee,
    TreebankPart,
    accuracy,
    batches_of,
    predict,
    train,
)
from attlas.studies.trees.tree_sentences import SentenceTree

#: not a probe of its own: that of attention, with few of its heads
FEW_HEADS = "few-heads"
#: probes whose learning curves are drawn
CURVES = ("distances", "attention", "words")

Parts = Mapping[str, TreebankPart]  # train, dev, test


@dataclass(frozen=True)
class TreeSettings:
    """All that decides the numbers, beside model, treebank and words."""

    probes: tuple[str, ...] = kinds.NAMES
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
        *(Fit(name, share=share) for share in controls.SHARES for name in curves),
        *(Fit(name, seed) for seed in range(1, settings.seeds) for name in names),
    ]


def without_training(trees: Sequence[SentenceTree]) -> dict[Fit, Outcome]:
    """What right-branching finds."""
    right = score(trees, [np.array(right_branching(len(tree.words))) for tree in trees])
    return {Fit(RIGHT_BRANCHING): Outcome(right, right)}


def model_of(fit: Fit) -> str:
    """Of whose attention: empty for the model's own, or how one at random is initialised."""
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
                numbers["weights"] = controls.head_weights(dev, probe).tolist()
        predicted = predict(test, probe)
        return Outcome(
            score(test.trees, [p.tree for p in predicted]),
            score(test.trees, [p.greedy for p in predicted]),
            numbers,
        ), probe

    def _sentences(self, fit: Fit) -> tuple[Any, Schedule]:
        """Which sentences are trained on, and how often: few of them are seen more often."""
        part, settings = self.parts["train"], self.settings
        places = controls.some_sentences(len(part.trees), fit.share, settings.seed)
        steps = sum(1 for _ in batches_of(part, settings.batch, places))
        least = -(-controls.FEWEST_STEPS // steps) if fit.share < 1 else 1
        return places, Schedule(max(settings.epochs, least), settings.batch, fit.seed)

    def _control(self, fit: Fit) -> tuple[Outcome, None]:
        part, test = self.parts["train"], self.parts["test"]
        wanted, asked = (controls.control_heads(p.trees, self.settings.seed) for p in (part, test))
        trainee = Trainee(self._make(fit), KINDS[fit.probe].rate, wanted, allow_self=True)
        train(part, trainee, self._sentences(fit)[1])
        return Outcome(numbers={"control": accuracy(test, trainee.probe, asked)}), None

    def _relations(self, fit: Fit) -> tuple[Outcome, nn.Module]:
        """The heads are those that the probe of attention finds."""
        part, test = self.parts["train"], self.parts["test"]
        heads = [p.tree for p in predict(test, self.trained(Fit("attention", fit.seed)))]
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
        probe, weights = self.trained(attention), np.array(self.find(attention).numbers["weights"])
        kept = []
        for how, k, heads in controls.sets_of_heads(weights, self.settings.seed):
            predicted = predict(test, controls.with_heads_only(probe, heads))
            kept.append([how, k, score(test.trees, [p.tree for p in predicted]).uas])
        return Outcome(numbers={"kept": kept}), None

    def trained(self, fit: Fit) -> Any:
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
            norms = kinds.mean_norms([part.features.get("norms", p).cpu() for p in batches_of(part, 256)])
        torch.manual_seed(fit.seed)
        return kind.make(shape.heads, part.vectors.table, norms, self.settings.faithful).to(part.device)


def _size(probe: nn.Module) -> int:
    return sum(parameter.numel() for parameter in probe.parameters())
