"""Do the last layers change because of what the layers below them learned? The test of docs/finetuning.md.

    python research/frozen.py --data glue [--tasks MRPC STS-B] [--seeds 3] [--json frozen.json]

`mini` is fine-tuned three times with every seed: as a whole, with the embeddings and layers 0 to 8 frozen,
and with layers 9 to 11 frozen. Then each layer's maps are compared with those before: 1 - cosine, the mean
over heads and inputs.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from attlas.corpora.task_data import task_data
from attlas.corpora.task_source import TaskItem, TaskSource
from attlas.corpora.tasks import GLUE
from attlas.studies.finetuning.classifier import classifier
from attlas.studies.finetuning.train import TrainingSettings, read_examples, training_items
from attlas.subject import Subject, load

LENGTH, BATCH, RATE = 128, 16, 2e-4
FIRST_OF_LAST = 9  # the layers that change most are this one and those above it
ARMS = ("all trained", "0 to 8 frozen", "9 to 11 frozen")


def freeze(model: Any, arm: str) -> None:
    encoder = model.base_model
    if arm == "0 to 8 frozen":
        frozen = [encoder.embeddings, *encoder.encoder.layer[:FIRST_OF_LAST]]
    else:
        frozen = list(encoder.encoder.layer[FIRST_OF_LAST:]) if arm == "9 to 11 frozen" else []
    for part in frozen:
        part.requires_grad_(False)


def inputs_of(items: Sequence[TaskItem]) -> dict[str, torch.Tensor]:
    longest = max(len(item.ids) for item in items)
    made = torch.zeros(3, len(items), longest, dtype=torch.long)
    for row, item in enumerate(items):
        size = len(item.ids)
        made[:, row, :size] = torch.tensor([list(item.ids), list(item.types), [1] * size])
    return dict(zip(("input_ids", "token_type_ids", "attention_mask"), made, strict=True))


def train(subject: Subject, items: Sequence[TaskItem], classes: bool, seed: int) -> None:
    """One epoch: a rate that falls to 0, gradients clipped, no dropout."""
    model: Any = subject.model
    learned = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=RATE, weight_decay=0.0)
    order = np.random.default_rng(seed).permutation(len(items))
    batches = [[items[place] for place in order[at : at + BATCH]] for at in range(0, len(order), BATCH)]
    for step, batch in enumerate(batches):
        labels = torch.tensor([item.label for item in batch])
        for group in optimizer.param_groups:
            group["lr"] = RATE * (1 - step / len(batches))
        loss = model(**inputs_of(batch), labels=labels.long() if classes else labels).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()


@torch.no_grad()
def maps(model: Any, items: Sequence[TaskItem]) -> list[np.ndarray]:
    """Of every input, layer head (query key)."""
    measured = []
    for item in items:
        every = torch.stack(model(**inputs_of([item]), output_attentions=True).attentions)[:, 0]
        measured.append(every.flatten(2).double().numpy())
    return measured


def changed(before: Sequence[np.ndarray], after: Sequence[np.ndarray]) -> list[float]:
    """1 - cosine per layer."""
    cosines = [
        (a * b).sum(-1) / np.sqrt((a**2).sum(-1) * (b**2).sum(-1)) for a, b in zip(before, after, strict=True)
    ]
    return (1 - np.mean(cosines, axis=(0, 2))).tolist()


def run(options: argparse.Namespace) -> dict[str, Any]:
    mini, measured = load("mini"), {}
    for name in options.tasks:
        task = GLUE[name]
        learn, dev = (
            read_examples(TaskSource(task_data(task, options.data, part), mini.tokenizer, LENGTH)).items
            for part in ("train", "dev")
        )
        compared = dev[: options.compared]
        for arm in ARMS:
            of_seeds = []
            for seed in range(options.seeds):
                subject = classifier(mini, task, seed)
                model: Any = subject.model
                model.set_attn_implementation("eager")
                model.eval()
                before = maps(model, compared)
                freeze(model, arm)
                settings = TrainingSettings(epochs=1, rate=RATE, examples=options.examples, seed=seed)
                train(subject, training_items(learn, settings), bool(task.labels), seed)
                of_seeds.append(changed(before, maps(model, compared)))
            measured[f"{name}, {arm}"] = of_seeds
            mean, spread = np.mean(of_seeds, 0), np.std(of_seeds, 0, ddof=1)
            print(
                f"{name}, {arm}: " + " ".join(f"{m:.3f}±{s:.3f}" for m, s in zip(mean, spread, strict=True))
            )
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tasks", nargs="+", default=["MRPC", "STS-B"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--examples", type=int, default=960)
    parser.add_argument("--compared", type=int, default=40)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    measured = run(options)
    if options.json:
        options.json.write_text(json.dumps(measured))


if __name__ == "__main__":
    main()
