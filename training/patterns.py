"""Trains and judges the network that tells the shapes of attention maps apart.

    python training/patterns.py judge       # folds, baseline, a model held out: training/patterns.json
    python training/patterns.py train       # on all maps: src/attlas/data/shapes/network.safetensors

Minutes each on one core, less on a GPU. docs/shapes.md says what came out: `scripts/docs` writes it there.
"""

from __future__ import annotations

import argparse
import json
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import torch
from annotate import weights_of
from safetensors.torch import save_file
from sklearn.metrics import confusion_matrix, f1_score
from sklearn.model_selection import StratifiedGroupKFold
from torch import Tensor
from torch.nn.functional import cross_entropy

from attlas.studies.shapes.network import SHAPES, ShapeNetwork
from attlas.studies.shapes.pictures import SIZE, drawn, pictures_of

DATA = Path(__file__).parent.parent / "src" / "attlas" / "data" / "shapes"
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
REPORT = Path(__file__).parent / "patterns.json"
FOLDS, SEEDS = 5, 1
DRAWN = 500  # plain shapes, to learn from beside the labelled maps
VARIANTS = 16  # of every map, drawn before training
EPOCHS, BATCH, PEAK_RATE, WEIGHT_DECAY, SMOOTHING = 36, 64, 4e-3, 1e-2, 0.05
FOLLOWING = 0.02  # of the way to the newest weights that their running mean goes in a step
Array = npt.NDArray[Any]


def read() -> tuple[pd.DataFrame, list[Tensor]]:
    frame = pd.read_parquet(DATA / "maps.parquet")
    return frame, [torch.from_numpy(weights_of(row)).float() for row in frame.itertuples()]


def targets(frame: pd.DataFrame) -> Tensor:
    """map shape: the settled shape; where the two passes differ, the other keeps a third."""
    settled = np.stack([frame["shape"] == shape for shape in SHAPES], 1)
    passes = np.stack([(frame["first"] == s) * 0.5 + (frame["second"] == s) * 0.5 for s in SHAPES], 1)
    return torch.from_numpy((settled + 2 * passes) / 3).float()


def variants(maps: list[Tensor], causal: Array, rng: np.random.Generator) -> Tensor:
    """variant map SIZE SIZE: the map itself, then as it might have been with other words."""
    found = [torch.stack([pictures_of(m[None])[0] for m in maps])]
    found += [
        torch.stack([_varied(m, bool(c), rng) for m, c in zip(maps, causal, strict=True)])
        for _ in range(VARIANTS - 1)
    ]
    return torch.stack(found)


def _varied(weights: Tensor, causal: bool, rng: np.random.Generator) -> Tensor:
    """Tokens are stretched and squeezed, read backwards, weights sharpened or flattened and made unsteady."""
    n = len(weights)
    noise = torch.from_numpy(rng.lognormal(0, rng.uniform(0, 0.3), (n, n))).float()
    varied = (weights * noise) ** rng.uniform(0.8, 1.3)
    varied = varied / varied.sum(-1, keepdim=True)
    if not causal and rng.random() < 0.5:
        varied = varied.flip(0, 1)
    cover = _stretched(n, rng)
    return drawn(cover @ varied @ cover.T)


def _stretched(n: int, rng: np.random.Generator) -> Tensor:
    """cell token: like `cover`, with tokens of uneven widths, the same for queries and keys."""
    knots = rng.lognormal(0, 0.35, 5)
    widths = np.interp(np.linspace(0, 4, n), np.arange(5), knots)
    ends = np.cumsum(widths) / widths.sum() * SIZE
    starts = np.concatenate([[0], ends[:-1]])
    cells = np.arange(SIZE)[:, None]
    shared = np.minimum(cells + 1, ends) - np.maximum(cells, starts)
    return torch.from_numpy(np.clip(shared, 0, None)).float()


def textbook(rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """map SIZE SIZE, map shape: plain shapes as one would draw them, at all lengths, to learn from beside the
    labelled maps, so that what is plain is told whatever the length. Nothing is judged on them."""
    found, shapes = [], rng.integers(len(SHAPES), size=DRAWN)
    for shape in shapes:
        n = round(np.exp(rng.uniform(np.log(10), np.log(300))))
        causal = bool(rng.random() < 0.4) and SHAPES[shape] != "block"
        weights = rng.lognormal(0, rng.uniform(0, 0.6), (n, n)) * rng.uniform(0.02, 0.4) / n
        weights = _plain(SHAPES[shape], weights, causal, rng)
        weights = np.tril(weights) if causal else weights
        weights /= weights.sum(-1, keepdims=True)
        found.append(pictures_of(torch.from_numpy(weights)[None])[0])
    return torch.stack(found), torch.eye(len(SHAPES))[torch.from_numpy(shapes)]


def _plain(shape: str, weights: Array, causal: bool, rng: np.random.Generator) -> Array:
    n = len(weights)
    if "vertical" in shape:
        places = np.unique([0 if rng.random() < 0.6 else rng.integers(n // 3 if causal else n) for _ in "ab"])
        weights[:, places] += rng.uniform(0.4, 1) / len(places)
    if "diagonal" in shape:
        offset = int(rng.integers(-1, 1 if causal else 2))
        rows = np.arange(n)
        weights[rows, np.clip(rows + offset, 0, n - 1)] += rng.uniform(0.4, 1)
    if shape == "block":
        border = int(rng.integers(n // 4, n - n // 4))
        weights[:border, :border] += rng.uniform(1, 3) / n
        weights[border:, border:] += rng.uniform(1, 3) / n
    return weights


def fit(pictures: Tensor, wanted: Tensor, seed: int) -> ShapeNetwork:
    """`pictures` is variant map SIZE SIZE. What is kept is the running mean of the network's weights, which
    generalises better than where the last step happens to end."""
    torch.manual_seed(seed)
    network = ShapeNetwork().to(DEVICE, memory_format=torch.channels_last).train()
    mean = deepcopy(network)
    plain, named = textbook(np.random.default_rng(seed))
    count = pictures.shape[1]
    optimiser = torch.optim.AdamW(network.parameters(), lr=PEAK_RATE, weight_decay=WEIGHT_DECAY)
    steps = EPOCHS * (count // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, PEAK_RATE, total_steps=steps, pct_start=0.15)
    for _ in range(EPOCHS):
        order = torch.randperm(count)
        for start in range(0, BATCH * (count // BATCH), BATCH):
            chosen = order[start : start + BATCH]
            variant = torch.randint(len(pictures), (BATCH,))
            beside = torch.randint(DRAWN, (BATCH // 8,))
            seen = torch.cat([pictures[variant, chosen], plain[beside]]).to(DEVICE)
            right = torch.cat([wanted[chosen], named[beside]]).to(DEVICE)
            with torch.autocast(DEVICE, torch.bfloat16):  # on CPUs that know it, nearly twice as fast
                logits = network(seen)
            loss = cross_entropy(logits.float(), right, label_smoothing=SMOOTHING)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            _follow(mean, network)
    return mean.cpu().eval()


@torch.no_grad()
def _follow(mean: ShapeNetwork, network: ShapeNetwork) -> None:
    for kept, new in zip(mean.state_dict().values(), network.state_dict().values(), strict=True):
        if kept.is_floating_point():
            kept.lerp_(new, FOLLOWING)
        else:
            kept.copy_(new)


@torch.no_grad()
def logits_of(network: ShapeNetwork, pictures: Tensor) -> Tensor:
    return network(pictures)


def temperature_of(logits: Tensor, right: Tensor) -> float:
    """That under which held-out maps are likeliest; by trying all between a quarter and four."""
    tried = np.geomspace(0.25, 4, 161)
    return float(min(tried, key=lambda t: float(cross_entropy(logits / t, right))))


def calibration_error(logits: Tensor, right: Tensor, bins: int = 10) -> float:
    """Expected calibration error: how far confidence is from accuracy, over bins of confidence."""
    confidence, best = logits.softmax(-1).max(-1)
    hit = (best == right).double()
    place = (confidence * bins).long().clamp(max=bins - 1)
    gaps = [
        float((hit[place == b].mean() - confidence[place == b].double().mean()).abs() * (place == b).sum())
        for b in range(bins)
        if bool((place == b).any())
    ]
    return sum(gaps) / len(right)


def measures(maps: list[Tensor]) -> Array:
    """map 3: what the rules look at. Weight on the three best columns, on the diagonal and its neighbours,
    and in the two squares of the best border, each beyond what even attention under the same mask gives."""
    found = []
    for weights in maps:
        seen = weights > 0 if bool(weights.triu(1).abs().sum() == 0) else torch.ones_like(weights)
        even = seen / seen.sum(-1, keepdim=True)
        n = len(weights)
        band = (torch.arange(n)[:, None] - torch.arange(n)).abs() <= 1
        parts = [_columns(weights), float(weights[band].sum() / n), _squares(weights)]
        chance = [_columns(even), float(even[band].sum() / n), _squares(even)]
        found.append([(a - c) / max(1e-6, 1 - c) for a, c in zip(parts, chance, strict=True)])
    return np.array(found)


def _columns(weights: Tensor) -> float:
    return float(weights.mean(0).topk(3).values.sum())


def _squares(weights: Tensor) -> float:
    n = len(weights)
    inside = [
        min(float(weights[:b, :b].sum() / b), float(weights[b:, b:].sum() / (n - b)))
        for b in range(max(2, n // 8), n - max(2, n // 8) + 1)
    ]
    return max(inside)


def ruled(found: Array, thresholds: tuple[float, ...]) -> Array:
    """The rule: whatever is beyond its threshold; vertical and diagonal before block."""
    vertical, diagonal, block = (found > np.array(thresholds)).T
    return np.select([vertical & diagonal, vertical, diagonal, block], [2, 0, 1, 3], 4)


def fit_rule(found: Array, right: Array) -> tuple[float, ...]:
    grid = product(np.arange(0.05, 0.8, 0.05), np.arange(0.05, 0.8, 0.05), np.arange(0.1, 0.9, 0.1))
    return max(grid, key=lambda t: f1_score(right, ruled(found, t), average="macro"))


def judge() -> None:
    frame, maps = read()
    causal = (frame["kind"] == "decoder").to_numpy()
    pictures = variants(maps, causal, np.random.default_rng(0))
    wanted = targets(frame)
    right = torch.tensor([SHAPES.index(shape) for shape in frame["shape"]])
    rules = measures(maps)
    rows, pooled = [], []
    for seed in range(SEEDS):
        folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
        held = torch.zeros(len(frame), len(SHAPES))
        for fold, (train, test) in enumerate(folds.split(rules, right, frame["passage"])):
            network = fit(pictures[:, train], wanted[train], seed)
            held[test] = logits_of(network, pictures[0, test])
            by_rule = ruled(rules[test], fit_rule(rules[train], right[train].numpy()))
            rows.append(
                {
                    "seed": seed,
                    "fold": fold,
                    "network": _f1(right[test], held[test].argmax(-1)),
                    "rules": _f1(right[test], torch.from_numpy(by_rule)),
                }
            )
            print(rows[-1], flush=True)
        pooled.append(held)
    report = _report(frame, right, rows, pooled)
    for model in ("minilm", "smollm2"):  # an encoder, and the only large decoder
        report.setdefault("held_out", {})[model] = _held_out(model, frame, pictures, wanted, right)
        REPORT.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


def _f1(right: Tensor, found: Tensor) -> float:
    labels = list(range(len(SHAPES)))
    return float(f1_score(right, found, average="macro", labels=labels, zero_division=0))


def _report(
    frame: pd.DataFrame, right: Tensor, rows: list[dict[str, Any]], pooled: list[Tensor]
) -> dict[str, Any]:
    scores = pd.DataFrame(rows)
    every = torch.cat(pooled)
    twice = right.repeat(len(pooled))
    temperature = temperature_of(every, twice)
    found = pooled[0].argmax(-1)
    return {
        "maps": len(frame),
        "folds": rows,
        "macro_f1": {n: [float(scores[n].mean()), float(scores[n].std())] for n in ("network", "rules")},
        "macro_f1_pooled": [_f1(right, held.argmax(-1)) for held in pooled],
        "f1": dict(zip(SHAPES, f1_score(right, found, average=None).tolist(), strict=True)),
        "confusion": confusion_matrix(right, found).tolist(),
        "passes_f1": float(f1_score(frame["first"], frame["second"], average="macro")),
        "agreed_f1": _agreed(frame, right, found),
        "temperature": temperature,
        "calibration_error": [calibration_error(every, twice), calibration_error(every / temperature, twice)],
    }


def _agreed(frame: pd.DataFrame, right: Tensor, found: Tensor) -> float:
    """Of the maps on which both passes agree."""
    same = torch.from_numpy((frame["first"] == frame["second"]).to_numpy())
    return _f1(right[same], found[same])


def _held_out(
    model: str, frame: pd.DataFrame, pictures: Tensor, wanted: Tensor, right: Tensor
) -> dict[str, float]:
    """How a network does on a whole model that it was not trained on; F1 over the shapes that model has."""
    own = torch.from_numpy((frame["model"] == model).to_numpy())
    network = fit(pictures[:, ~own], wanted[~own], 0)
    best = logits_of(network, pictures[0, own]).argmax(-1)
    there = sorted(set(right[own].tolist()))
    score = f1_score(right[own], best, average="macro", labels=there, zero_division=0)
    return {"macro_f1": float(score), "accuracy": float((best == right[own]).double().mean())}


def train() -> None:
    frame, maps = read()
    causal = (frame["kind"] == "decoder").to_numpy()
    pictures = variants(maps, causal, np.random.default_rng(0))
    # without a report, as the network is
    temperature = json.loads(REPORT.read_text())["temperature"] if REPORT.exists() else 1.0
    network = fit(pictures, targets(frame), 0)
    save_file(network.folded(temperature), DATA / "network.safetensors")
    print(f"{sum(p.numel() for p in network.parameters()):,} weights")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("judge", "train"))
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how often the folds are drawn anew")
    given = parser.parse_args()
    EPOCHS, SEEDS = given.epochs, given.seeds
    torch.set_num_threads(1)
    {"judge": judge, "train": train}[given.command]()
