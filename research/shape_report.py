"""How well the network for shapes does, in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import torch
from annotate import alone
from sklearn.metrics import confusion_matrix, f1_score
from torch import Tensor
from torch.nn.functional import cross_entropy

from attlas.studies.shapes.network import SHAPES


def macro_f1(right: Tensor, predicted: Tensor) -> float:
    labels = list(range(len(SHAPES)))
    return float(f1_score(right, predicted, average="macro", labels=labels, zero_division=0))


def report_of(
    frame: pd.DataFrame, right: Tensor, rows: list[dict[str, Any]], logits: Tensor
) -> dict[str, Any]:
    """`logits` (map shape) are those of the folds in which a map was held out, `rows` the folds' scores."""
    scores = pd.DataFrame(rows)
    temperature = temperature_of(logits, right)
    predicted = logits.argmax(-1)
    return {
        "maps": len(frame),
        "folds": rows,
        "macro_f1": {n: [float(scores[n].mean()), float(scores[n].std())] for n in ("network", "rules")},
        "macro_f1_pooled": macro_f1(right, predicted),
        "f1": dict(zip(SHAPES, f1_score(right, predicted, average=None).tolist(), strict=True)),
        "confusion": confusion_matrix(right, predicted).tolist(),
        **_annotators(frame, right, predicted),
        "temperature": temperature,
        "calibration_error": [calibration_error(t, right) for t in (logits, logits / temperature)],
    }


def _annotators(frame: pd.DataFrame, right: Tensor, predicted: Tensor) -> dict[str, float]:
    """How far annotators agree, and how the network does where they do: macro-F1."""
    first = alone(frame)
    same = torch.tensor((first == frame["other"]).tolist())
    named = [SHAPES[i] for i in predicted.tolist()]
    return {
        "passes_f1": float(f1_score(frame["first"], frame["second"], average="macro")),
        "annotators_f1": float(f1_score(first, frame["other"], average="macro")),
        "agreed_f1": macro_f1(right[same], predicted[same]),
        "first_annotator_f1": float(f1_score(first, named, average="macro")),
        "other_annotator_f1": float(f1_score(frame["other"], named, average="macro")),
    }


def held_out(right: Tensor, predicted: Tensor) -> dict[str, float]:
    """Of a whole model that was not trained on; F1 over the shapes that it has."""
    there = sorted(set(right.tolist()))
    score = f1_score(right, predicted, average="macro", labels=there, zero_division=0)
    return {"macro_f1": float(score), "accuracy": float((predicted == right).double().mean())}


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
