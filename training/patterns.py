"""Trains and judges the network that tells the shapes of attention maps apart.

    python training/patterns.py explore     # ways to train it, compared within the training parts of folds
    python training/patterns.py judge       # folds, baseline, a model held out: training/patterns.json
    python training/patterns.py train       # on all maps: src/attlas/data/shapes/network.safetensors

The network that ships is small, since it sees every map of a model. Wider ones learn the labelled maps first,
and it learns from their mean: on the labelled maps, and on others that nobody labelled (`--unlabelled`, drawn
by `annotate.py`). Minutes each on a GPU with `--processes 8`, an hour on one core. docs/shapes.md says what
came out: `scripts/docs` writes it there.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import tempfile
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from safetensors.torch import save_file
from shape_maps import DATA, VARIANTS, read, targets, textbook, variants
from shape_rules import fit_rule, measures, ruled
from sklearn.metrics import confusion_matrix, f1_score
from sklearn.model_selection import StratifiedGroupKFold
from torch import Tensor
from torch.nn.functional import cross_entropy

from attlas.studies.shapes.network import LAYERS, SHAPES, ShapeNetwork

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
REPORT = Path(__file__).parent / "patterns.json"
FOLDS, INNER, SEEDS = 5, 4, 1
HELD_OUT = ("minilm", "smollm2")  # an encoder, and the only large decoder
WIDE = ((32, 1), (32, 2), (48, 1), (64, 2), (64, 1), (96, 2), (96, 1), (96, 1))
BATCH, WEIGHT_DECAY = 64, 1e-2
FOLLOWING = 0.02  # of the way to the newest weights that their running mean goes in a step


@dataclass(frozen=True)
class Way:
    """How a network is trained."""

    teachers: int = 4  # wide networks that it learns from; 0: from labels alone
    unlabelled: bool = True
    epochs: int = 60
    teacher_epochs: int = 60
    dropout: float = 0.3
    smoothing: float = 0.05
    peak_rate: float = 4e-3
    layers: tuple[tuple[int, int], ...] = LAYERS


WAY = Way()
TRIED = {
    "labels alone": replace(WAY, teachers=0),
    "teachers": WAY,
    "teachers, labelled maps alone": replace(WAY, unlabelled=False),
    "teachers, little dropout": replace(WAY, dropout=0.1),
    "teachers, slower": replace(WAY, peak_rate=2e-3),
    "wide, labels alone": replace(WAY, teachers=0, layers=WIDE),  # too slow to ship
}


@dataclass
class Maps:
    """What there is to learn from. Pictures are variant map SIZE SIZE, the first variant as it is."""

    pictures: Tensor
    wanted: Tensor  # map shape
    right: Tensor  # map
    passages: list[str]
    models: list[str]
    more: Tensor  # variant map SIZE SIZE: without labels
    more_models: list[str]


def gathered(unlabelled: Path | None) -> Maps:
    frame, maps = read()
    right = torch.tensor([SHAPES.index(shape) for shape in frame["shape"]])
    pictures = variants(maps, frame, VARIANTS, 0)
    more, more_models = torch.zeros(1, 0, *pictures.shape[2:]), []
    if unlabelled is not None:
        others, other_maps = read(unlabelled)
        if set(others["passage"]) & set(frame["passage"]):
            raise SystemExit("a passage is among both labelled and unlabelled maps")
        more, more_models = variants(other_maps, others, 4, 1), others["model"].tolist()
    return Maps(
        pictures, targets(frame), right, frame["passage"].tolist(), frame["model"].tolist(), more, more_models
    )


def fit(maps: Maps, train: Sequence[int], way: Way, seed: int, without: str = "") -> ShapeNetwork:
    """A network of the size that ships, from the labelled maps `train`. No unlabelled map of the model
    `without` is used."""
    chosen = torch.as_tensor(train)
    pictures, wanted = maps.pictures[:, chosen], maps.wanted[chosen]
    kept = torch.tensor([model != without for model in maps.more_models], dtype=torch.bool)
    more = maps.more[:, kept] if way.unlabelled else maps.more[:, :0]
    if not way.teachers:
        return _descend(pictures, wanted, maps.more[:, :0], wanted[:0], way.layers, way, way.epochs, seed)
    wide = [
        _descend(pictures, wanted, more[:, :0], wanted[:0], WIDE, way, way.teacher_epochs, seed + 100 * i)
        for i in range(1, way.teachers + 1)
    ]
    taught = _taught(wide, more) if more.shape[1] else wanted[:0]
    # the labels have half a say, since teachers know them by heart
    own = (_taught(wide, pictures) + wanted) / 2
    return _descend(pictures, own, more, taught, way.layers, way, way.epochs, seed)


@torch.no_grad()
def _taught(teachers: list[ShapeNetwork], pictures: Tensor) -> Tensor:
    """map shape: the mean of what they say of all variants of a map."""
    flat = pictures.flatten(0, 1)
    said = [logits_of(teacher, flat).softmax(-1).view(*pictures.shape[:2], -1) for teacher in teachers]
    return torch.stack(said).mean((0, 1))


def _descend(
    pictures: Tensor,
    wanted: Tensor,
    more: Tensor,
    taught: Tensor,
    layers: tuple[tuple[int, int], ...],
    way: Way,
    epochs: int,
    seed: int,
) -> ShapeNetwork:
    """What is kept is the running mean of the network's weights, which generalises better than where the last
    step happens to end. A batch has labelled maps, an eighth of plain ones, and as many without labels."""
    torch.manual_seed(seed)
    network = ShapeNetwork(layers, way.dropout).to(DEVICE, memory_format=torch.channels_last).train()
    mean = deepcopy(network)
    kept, new = (list(n.state_dict().values()) for n in (mean, network))
    floats = [i for i, tensor in enumerate(kept) if tensor.is_floating_point()]
    plain, named = (t.to(DEVICE) for t in textbook(seed))
    pictures, wanted, more, taught = (t.to(DEVICE) for t in (pictures, wanted, more, taught))
    count = pictures.shape[1]
    steps = epochs * (count // BATCH)
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=way.peak_rate, weight_decay=WEIGHT_DECAY, fused=DEVICE == "cuda"
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, way.peak_rate, total_steps=steps, pct_start=0.15
    )
    for step in range(steps):
        if step % (count // BATCH) == 0:
            order = torch.randperm(count, device=DEVICE)
        chosen = order[step % (count // BATCH) * BATCH :][:BATCH]
        beside = torch.randint(len(plain), (BATCH // 8,), device=DEVICE)
        seen = [pictures[_any(pictures, BATCH), chosen], plain[beside]]
        right = [wanted[chosen], named[beside]]
        if more.shape[1]:
            there = torch.randint(more.shape[1], (BATCH,), device=DEVICE)
            seen.append(more[_any(more, BATCH), there])
            right.append(taught[there])
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cpu"):  # nearly twice as fast there
            logits = network(torch.cat(seen))
        loss = cross_entropy(logits.float(), torch.cat(right), label_smoothing=way.smoothing)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            torch._foreach_lerp_([kept[i] for i in floats], [new[i] for i in floats], FOLLOWING)
    return mean.cpu().eval()


def _any(pictures: Tensor, count: int) -> Tensor:
    return torch.randint(len(pictures), (count,), device=DEVICE)


@torch.no_grad()
def logits_of(network: ShapeNetwork, pictures: Tensor) -> Tensor:
    network = network.to(DEVICE)
    found = torch.cat([network(some.to(DEVICE)).cpu() for some in pictures.split(1024)])
    network.cpu()
    return found


@dataclass(frozen=True)
class Job:
    """A network to be trained on some maps and asked about others."""

    name: tuple[Any, ...]
    train: list[int]
    test: list[int]
    way: Way
    seed: int = 0
    without: str = ""


def run(job: Job) -> Tensor:
    """map shape: logits of the maps that were held out."""
    maps = _shared()
    network = fit(maps, job.train, job.way, job.seed, job.without)
    logits = logits_of(network, maps.pictures[0, job.test])
    print(*job.name, f"{_f1(maps.right[job.test], logits.argmax(-1)):.3f}", flush=True)
    return logits


_MAPS: list[Maps] = []


def _shared() -> Maps:
    """The maps, read once a process."""
    if not _MAPS:
        _MAPS.append(torch.load(os.environ["ATTLAS_SHAPE_MAPS"], weights_only=False))
    return _MAPS[0]


def run_all(jobs: list[Job], maps: Maps, processes: int) -> list[Tensor]:
    """In this process, or in several that share a GPU or have a core each."""
    if processes == 1:
        _MAPS[:] = [maps]
        return [run(job) for job in jobs]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ATTLAS_SHAPE_MAPS"] = str(Path(folder) / "maps.pt")
        torch.save(maps, os.environ["ATTLAS_SHAPE_MAPS"])
        with multiprocessing.get_context("spawn").Pool(processes, _one_thread) as pool:
            return pool.map(run, jobs, chunksize=1)


def _one_thread() -> None:
    torch.set_num_threads(1)


def folds_of(maps: Maps, seed: int) -> list[tuple[list[int], list[int]]]:
    """Train and test of every fold: stratified by shape, no passage in both."""
    folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    return [(a.tolist(), b.tolist()) for a, b in folds.split(maps.right, maps.right, maps.passages)]


def explore(maps: Maps, processes: int) -> None:
    """Every way on one split of the training part of every fold; test parts are not looked at."""
    jobs = []
    for fold, (train, _) in enumerate(folds_of(maps, 0)):
        inner = StratifiedGroupKFold(INNER, shuffle=True, random_state=fold)
        within, held = next(inner.split(train, maps.right[train], [maps.passages[i] for i in train]))
        for name, way in TRIED.items():
            jobs.append(Job((name, fold), [train[i] for i in within], [train[i] for i in held], way))
    found = run_all(jobs, maps, processes)
    rows = [
        {"way": job.name[0], "fold": job.name[1], "f1": _f1(maps.right[job.test], logits.argmax(-1))}
        for job, logits in zip(jobs, found, strict=True)
    ]
    frame = pd.DataFrame(rows).pivot(index="way", columns="fold", values="f1")
    frame.insert(0, "mean", frame.mean(axis=1))
    print(frame.sort_values("mean", ascending=False).round(3).to_string())


def judge(maps: Maps, processes: int) -> None:
    frame, whole = read()
    rules = measures(whole)
    jobs, rows = [], []
    for seed in range(SEEDS):
        for fold, (train, test) in enumerate(folds_of(maps, seed)):
            jobs.append(Job((seed, fold), train, test, WAY, seed))
            by_rule = ruled(rules[test], fit_rule(rules[train], maps.right[train].numpy()))
            rows.append({"seed": seed, "fold": fold, "rules": _f1(maps.right[test], torch.tensor(by_rule))})
    for model in HELD_OUT:
        own = [i for i, name in enumerate(maps.models) if name == model]
        rest = sorted(set(range(len(frame))) - set(own))
        jobs.append(Job((model,), rest, own, WAY, 0, model))
    found = run_all(jobs, maps, processes)
    pooled = [torch.zeros(len(frame), len(SHAPES)) for _ in range(SEEDS)]
    for job, logits, row in zip(jobs, found, rows, strict=False):
        pooled[row["seed"]][job.test] = logits
        row["network"] = _f1(maps.right[job.test], logits.argmax(-1))
    report = _report(frame, maps.right, rows, pooled)
    report["unlabelled"] = len(maps.more_models)
    report["held_out"] = {
        str(job.name[0]): _held_out(maps.right[job.test], logits.argmax(-1))
        for job, logits in zip(jobs[len(rows) :], found[len(rows) :], strict=True)
    }
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
        **_annotators(frame, right, found),
        "temperature": temperature,
        "calibration_error": [calibration_error(every, twice), calibration_error(every / temperature, twice)],
    }


def _annotators(frame: pd.DataFrame, right: Tensor, found: Tensor) -> dict[str, float]:
    """How far annotators agree, and how the network does where they do: macro-F1."""
    first = frame["first"].where(frame["first"] == frame["second"], frame["third"])
    same = torch.tensor((first == frame["other"]).tolist())
    named = [SHAPES[i] for i in found.tolist()]
    return {
        "passes_f1": float(f1_score(frame["first"], frame["second"], average="macro")),
        "annotators_f1": float(f1_score(first, frame["other"], average="macro")),
        "agreed_f1": _f1(right[same], found[same]),
        "first_annotator_f1": float(f1_score(first, named, average="macro")),
        "other_annotator_f1": float(f1_score(frame["other"], named, average="macro")),
    }


def _held_out(right: Tensor, found: Tensor) -> dict[str, float]:
    """Of a whole model that was not trained on; F1 over the shapes that it has."""
    there = sorted(set(right.tolist()))
    score = f1_score(right, found, average="macro", labels=there, zero_division=0)
    return {"macro_f1": float(score), "accuracy": float((found == right).double().mean())}


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


def train(maps: Maps, processes: int) -> None:
    # without a report, as the network is
    temperature = json.loads(REPORT.read_text())["temperature"] if REPORT.exists() else 1.0
    network = fit(maps, range(len(maps.right)), WAY, 0)
    save_file(network.folded(temperature), DATA / "network.safetensors")
    print(f"{sum(p.numel() for p in network.parameters()):,} weights")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("explore", "judge", "train"))
    parser.add_argument("--unlabelled", type=Path, help="maps without labels, drawn by annotate.py")
    parser.add_argument("--epochs", type=int, default=WAY.epochs)
    parser.add_argument("--teachers", type=int, default=WAY.teachers)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how often the folds are drawn anew")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    WAY = replace(WAY, epochs=given.epochs, teacher_epochs=given.epochs, teachers=given.teachers)
    SEEDS = given.seeds
    torch.set_num_threads(1)
    {"explore": explore, "judge": judge, "train": train}[given.command](
        gathered(given.unlabelled), given.processes
    )
