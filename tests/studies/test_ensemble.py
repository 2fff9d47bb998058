"""Models that are trained together are those that the Trainer would have made one after the other."""

from __future__ import annotations

import importlib
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import attlas
from attlas.corpora.task_data import task_data
from attlas.corpora.task_source import TaskSource
from attlas.corpora.tasks import GLUE
from attlas.studies.finetuning.classifier import classifier
from attlas.studies.finetuning.train import TrainingSettings, read_examples, training_items
from attlas.subject import Subject

sys.path.insert(0, str(Path(__file__).parents[2] / "research"))
ensemble = importlib.import_module("ensemble")
sys.path.pop(0)

SETTINGS: dict[str, Any] = {"batch": 8, "rate": 2e-3, "epochs": 2}


@pytest.fixture(scope="module")
def model(mini: Subject, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny BERT without dropout, which alone would differ."""
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    shape |= {"vocab_size": len(mini.tokenizer), "max_position_embeddings": 32}
    shape |= {"hidden_dropout_prob": 0, "attention_probs_dropout_prob": 0}
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("bert")
    transformers.BertForMaskedLM(transformers.BertConfig(**shape)).save_pretrained(folder)
    pickle.loads(pickle.dumps(mini.tokenizer)).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A task of labels and one of numbers. Texts have many lengths, and the last batch is smaller."""
    folder, rng = tmp_path_factory.mktemp("glue"), np.random.default_rng(0)
    words = ("good", "bad", "the", "film", "was", "a", "very", "one")
    texts = [" ".join(rng.choice(words, rng.integers(1, 9))) for _ in range(60)]
    (folder / "SST-2").mkdir()
    (folder / "STS-B").mkdir()
    for split, part in (("train", slice(0, 44)), ("dev", slice(44, 60))):
        rows = [f"{text}\t{rng.integers(2)}" for text in texts[part]]
        (folder / "SST-2" / f"{split}.tsv").write_text("\n".join(["sentence\tlabel", *rows]) + "\n")
        rows = [f"{a}\t{b}\t{5 * rng.random():.2f}" for a, b in zip(texts[part], texts[::-1], strict=False)]
        header = "sentence1\tsentence2\tscore"
        (folder / "STS-B" / f"{split}.tsv").write_text("\n".join([header, *rows]) + "\n")
    return folder


def _together(model: str, task: str, data: Path, seeds: list[int], checkpoint: Path | None = None) -> Any:
    subject = attlas.load(model, device="cpu")
    source = TaskSource(task_data(GLUE[task], data, "train"), subject.tokenizer, 16)
    settings = [TrainingSettings(**SETTINGS, seed=seed, random_labels=True) for seed in seeds]
    items = [training_items(read_examples(source).items, setting) for setting in settings]
    subjects = [classifier(subject, GLUE[task], seed) for seed in seeds]
    return ensemble.Ensemble(subjects, items, settings, bool(GLUE[task].labels), checkpoint)


@pytest.mark.parametrize("task", ["SST-2", "STS-B"])
def test_models_trained_together_are_those_of_the_trainer(
    task: str, model: str, data: Path, tmp_path: Path
) -> None:
    seeds = [0, 3]
    made = _together(model, task, data, seeds)
    made.train()
    for place, seed in enumerate(seeds):
        settings = {
            "batch": SETTINGS["batch"],
            "learning_rate": SETTINGS["rate"],
            "epochs": SETTINGS["epochs"],
        }
        options: dict[str, Any] = {**settings, "length": 16, "device": "cpu", "progress": False}
        alone = attlas.finetune(
            model, task, data=data, save=tmp_path / str(seed), seed=seed, random_labels=True, **options
        )
        loaded = attlas.load(alone.folder, device="cpu").model
        before = classifier(attlas.load(model, device="cpu"), GLUE[task], seed).model
        first, after, ours = (m.state_dict() for m in (before, loaded, made.subjects[place].model))
        for name, weight in ours.items():
            moved = float((after[name] - first[name]).abs().max())
            apart = float((weight - after[name]).abs().max())
            # Adam divides by the root of squares: where a gradient is near 0, rounding is a share of a step
            assert apart <= 2e-3 * moved + 1e-7, name
        report = alone.report
        assert [loss for _, loss in made.losses_of(place)] == pytest.approx(
            [loss for _, loss in report["losses"]], rel=1e-3
        )
        norms = np.sqrt((made.norms_of(place) ** 2).mean(0))
        assert norms == pytest.approx(list(report["gradients"]["mean_norms"].values()), rel=1e-3)


def test_a_training_that_is_stopped_goes_on_from_its_last_epoch(
    model: str, data: Path, tmp_path: Path
) -> None:
    whole = _together(model, "SST-2", data, [0, 1])
    whole.train()
    stopped = _together(model, "SST-2", data, [0, 1], tmp_path / "kept.pt")
    ends = iter([*[False] * (stopped.steps + 2), True])
    step = stopped.step

    def stopping(rows: torch.Tensor) -> None:
        if next(ends):
            raise KeyboardInterrupt
        step(rows)

    stopped.step = stopping
    with pytest.raises(KeyboardInterrupt):
        stopped.train()
    resumed = _together(model, "SST-2", data, [0, 1], tmp_path / "kept.pt")
    resumed.train()
    assert len(resumed.losses) == len(whole.losses)
    for name, weight in resumed.parameters.items():
        torch.testing.assert_close(weight, whole.parameters[name])
