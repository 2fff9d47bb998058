"""A network for the shapes of attention maps learns from labelled maps, and from what others say of more."""

from __future__ import annotations

import time
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from shape_maps import (
    FEWER,
    JUDGED,
    TO_LEARN_FROM,
    VARIANTS,
    VARIANTS_UNLABELLED,
    read,
    targets,
    variants,
)
from shape_report import macro_f1
from shape_workers import Workers
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, relu

from attlas.studies.shapes.network import LAYERS, SHAPES

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BATCH, WEIGHT_DECAY = 64, 1e-2
FOLLOWING = 0.02  # of the way to the newest weights that their running mean goes in a step


class ShapeNetwork(nn.Module):
    """The network as it is trained; `folded` is what the library uses."""

    def __init__(self, layers: tuple[tuple[int, int], ...] = LAYERS, dropout: float = 0.3) -> None:
        super().__init__()
        before = (1, *(channels for channels, _ in layers[:-1]))
        self.convolutions = nn.ModuleList(
            nn.Conv2d(into, channels, 3, stride, 1, bias=False)
            for into, (channels, stride) in zip(before, layers, strict=True)
        )
        self.normalisations = nn.ModuleList(nn.BatchNorm2d(channels) for channels, _ in layers)
        self.dropout = nn.Dropout(dropout)
        self.last = nn.Linear(layers[-1][0], len(SHAPES))

    def forward(self, pictures: Tensor) -> Tensor:
        """map SIZE SIZE -> map shape: logits."""
        x = pictures[:, None]
        for convolution, normalisation in zip(self.convolutions, self.normalisations, strict=True):
            x = relu(normalisation(convolution(x)))
        return self.last(self.dropout(x.mean((2, 3))))  # type: ignore[no-any-return]

    @torch.no_grad()
    def folded(self, temperature: float) -> dict[str, Tensor]:
        """The weights and biases of plain convolutions that give the same logits, over the temperature."""
        weights = {}
        pairs = zip(self.convolutions, self.normalisations, strict=True)
        for i, (convolution, normalisation) in enumerate(pairs):
            assert isinstance(convolution, nn.Conv2d)
            assert isinstance(normalisation, nn.BatchNorm2d)
            assert normalisation.running_mean is not None
            assert normalisation.running_var is not None
            scale = normalisation.weight / (normalisation.running_var + normalisation.eps).sqrt()
            weights[f"{i}.weight"] = convolution.weight * scale[:, None, None, None]
            weights[f"{i}.bias"] = normalisation.bias - normalisation.running_mean * scale
        weights["last.weight"] = self.last.weight / temperature
        weights["last.bias"] = self.last.bias / temperature
        return {name: t.detach().clone(memory_format=torch.contiguous_format) for name, t in weights.items()}


@dataclass(frozen=True)
class Recipe:
    """How one network is trained."""

    layers: tuple[tuple[int, int], ...] = LAYERS
    epochs: int = 60
    dropout: float = 0.3
    smoothing: float = 0.05
    peak_rate: float = 4e-3
    beside: int = 64  # unlabelled maps in a batch, beside 64 labelled ones
    fewer_tokens: bool = False  # variants of maps with tokens left out, too
    balance: float = 0.0  # 1: all shapes are equally frequent in a batch; 0: as frequent as they are


@dataclass
class Maps:
    """What there is to learn from. Pictures are variant map SIZE SIZE, the first variant as it is.

    The first `judged` labelled maps are those that networks are judged on; the others are learned from alone.
    """

    judged: int
    pictures: Tensor
    wanted: Tensor  # map shape
    right: Tensor  # map
    passages: list[str]
    models: list[str]
    more: Tensor  # variant map SIZE SIZE: without labels
    more_models: list[str]


def gathered(unlabelled: Path | None, workers: Workers) -> Maps:
    (frame, _), (more, _) = read(JUDGED), read(TO_LEARN_FROM)
    pictures = [variants(workers, path, VARIANTS, FEWER, 0) for path in (JUDGED, TO_LEARN_FROM)]
    others, other_passages, other_models = pictures[0][:, :0], [], []
    if unlabelled is not None:
        others = variants(workers, unlabelled, VARIANTS_UNLABELLED, 0, 1)
        other_passages, other_models = (read(unlabelled)[0][c].tolist() for c in ("passage", "model"))
    if set(frame["passage"]) & {*more["passage"], *other_passages}:
        raise SystemExit("a passage of maps that are judged is among the others, too")
    shapes = torch.tensor([SHAPES.index(shape) for shape in (*frame["shape"], *more["shape"])])
    return Maps(
        len(frame),
        torch.cat(pictures, 1),
        torch.cat([targets(frame), torch.eye(len(SHAPES))[shapes[len(frame) :]]]),
        shapes,
        [*frame["passage"], *more["passage"]],
        [*frame["model"], *more["model"]],
        others,
        other_models,
    )


@dataclass(frozen=True)
class Lesson:
    """A network to be trained: on which labelled maps, and on what it is to say of them and of others."""

    name: tuple[Any, ...]
    train: tuple[int, ...]
    test: tuple[int, ...]  # those on which its score is told
    recipe: Recipe
    seed: int
    without: str = ""  # no unlabelled map of this model is used
    targets: Tensor | None = None  # map shape, of all labelled maps; their labels, if there are none
    taught: Tensor | None = None  # map shape, of all unlabelled maps; they are not used, if there are none


@dataclass
class Said:
    """What a network says after its lesson."""

    logits: Tensor  # map shape: of the labelled maps as they are
    labelled: Tensor  # map shape: probabilities, the mean over variants
    unlabelled: Tensor
    network: ShapeNetwork


def learn(lesson: Lesson, maps: Maps, textbook: tuple[Tensor, Tensor]) -> Said:
    began = time.time()
    network = _descend(lesson, maps, textbook)
    said = Said(
        logits_of(network, maps.pictures[0]),
        _mean_said(network, maps.pictures[:VARIANTS]),
        _mean_said(network, maps.more),
        network,
    )
    score = score_in_words(said.logits, lesson.test, maps)
    print(*lesson.name, score, f"in {time.time() - began:.0f} s", flush=True)
    return said


def score_in_words(answers: Tensor, test: tuple[int, ...], maps: Maps) -> str:
    """How far answers (map shape) about the maps `test` are right, for people."""
    some = list(test)
    return f"macro-F1 {macro_f1(maps.right[some], answers[some].argmax(-1)):.3f}" if test else ""


def _descend(lesson: Lesson, maps: Maps, textbook: tuple[Tensor, Tensor]) -> ShapeNetwork:
    """What is kept is the running mean of the network's weights, which generalises better than where the last
    step happens to end. A batch has labelled maps, an eighth of plain ones, and those without labels."""
    torch.manual_seed(lesson.seed)
    recipe = lesson.recipe
    network = ShapeNetwork(recipe.layers, recipe.dropout).to(DEVICE, memory_format=torch.channels_last)
    mean = deepcopy(network.train())
    kept, new = (list(n.state_dict().values()) for n in (mean, network))
    floats = [i for i, tensor in enumerate(kept) if tensor.is_floating_point()]
    pictures, wanted, more, taught = (t.to(DEVICE) for t in _material(lesson, maps))
    plain, named = (t.to(DEVICE) for t in textbook)
    in_epoch = len(wanted) // BATCH
    steps = recipe.epochs * in_epoch
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=recipe.peak_rate, weight_decay=WEIGHT_DECAY, fused=DEVICE == "cuda"
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, recipe.peak_rate, total_steps=steps, pct_start=0.15
    )
    for step in range(steps):
        if step % in_epoch == 0:
            order = _order(wanted, recipe.balance)
        chosen = order[step % in_epoch * BATCH :][:BATCH]
        beside = torch.randint(len(plain), (BATCH // 8,), device=DEVICE)
        seen = [pictures[_any(pictures, BATCH), chosen], plain[beside]]
        right = [wanted[chosen], named[beside]]
        if more.shape[1]:
            there = torch.randint(more.shape[1], (recipe.beside,), device=DEVICE)
            seen.append(more[_any(more, recipe.beside), there])
            right.append(taught[there])
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cpu"):  # nearly twice as fast there
            logits = network(torch.cat(seen))
        loss = cross_entropy(logits.float(), torch.cat(right), label_smoothing=recipe.smoothing)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            torch._foreach_lerp_([kept[i] for i in floats], [new[i] for i in floats], FOLLOWING)
    return mean.cpu().eval()


def _material(lesson: Lesson, maps: Maps) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Pictures and targets of the labelled maps, then of the others."""
    train = torch.tensor(lesson.train)
    pictures = maps.pictures if lesson.recipe.fewer_tokens else maps.pictures[:VARIANTS]
    wanted = maps.wanted if lesson.targets is None else lesson.targets
    kept = torch.tensor([model != lesson.without for model in maps.more_models], dtype=torch.bool)
    if lesson.taught is None:
        return pictures[:, train], wanted[train], maps.more[:, :0], wanted[:0]
    return pictures[:, train], wanted[train], maps.more[:, kept], lesson.taught[kept]


def _order(wanted: Tensor, balance: float) -> Tensor:
    """Which maps come one after the other in an epoch."""
    if not balance:
        return torch.randperm(len(wanted), device=DEVICE)
    shapes = wanted.argmax(-1)
    often = torch.bincount(shapes, minlength=len(SHAPES)).clamp(min=1).double()
    return torch.multinomial((often**-balance)[shapes], len(wanted), replacement=True)


def _any(pictures: Tensor, count: int) -> Tensor:
    return torch.randint(len(pictures), (count,), device=DEVICE)


def _mean_said(network: ShapeNetwork, pictures: Tensor) -> Tensor:
    """map shape: the mean of what it says of all variants of a map."""
    said = logits_of(network, pictures.flatten(0, 1)).softmax(-1)
    return said.view(*pictures.shape[:2], -1).mean(0)


@torch.no_grad()
def logits_of(network: ShapeNetwork, pictures: Tensor) -> Tensor:
    network = network.to(DEVICE)
    logits = [network(some.to(DEVICE)).cpu() for some in pictures.split(2048)]
    network.cpu()
    return torch.cat(logits) if logits else torch.zeros(0, len(SHAPES))
