"""How the network for shapes is trained: what it may see, who teaches it, how ways are compared."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from attlas.studies.shapes.network import SHAPES

RESEARCH = Path(__file__).parent.parent.parent / "research"


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(RESEARCH))
    return importlib.import_module("patterns")


def bare_maps(training: ModuleType) -> Any:
    """The labelled maps, without their pictures."""
    shape_maps = importlib.import_module("shape_maps")
    frame = pd.concat([shape_maps.read(path)[0] for path in (shape_maps.JUDGED, shape_maps.TO_LEARN_FROM)])
    right = torch.tensor([SHAPES.index(shape) for shape in frame["shape"]])
    nothing = torch.zeros(1, len(frame), 0, 0)
    passages, models = frame["passage"].tolist(), frame["model"].tolist()
    return training.Maps(960, nothing, torch.eye(5)[right], right, passages, models, nothing, [])


def test_no_passage_that_a_network_is_asked_about_is_among_those_it_learned_from(
    training: ModuleType,
) -> None:
    maps = bare_maps(training)
    asked = []
    way = training.Way(more_labels=True)
    for train, test in training.folds_of(maps):
        learned = training.to_learn_from(maps, train, way)
        assert not {maps.passages[i] for i in learned} & {maps.passages[i] for i in test}
        assert len(learned) == len(train) + 480
        asked += test
    assert sorted(asked) == list(range(960))  # each of the judged maps once, and none of the others
    assert all(maps.models[i] != "minilm" for i in training.to_learn_from(maps, [], way, "minilm"))


def test_of_a_map_those_teachers_speak_that_have_not_seen_it(training: ModuleType) -> None:
    rng = np.random.default_rng(0)
    said = torch.from_numpy(rng.dirichlet(np.ones(5), (2, 4))).float()  # teacher map shape
    seen = ((0, 1), (1, 2))
    answers = [
        (
            training.Lesson((), train, (), training.SMALL, 0),
            training.Said(answer, answer, answer[:3], None),
        )
        for train, answer in zip(seen, said, strict=True)
    ]
    view = training.together(answers)
    expected = [said[1, 0], said[:, 1].mean(0), said[0, 2], said[:, 3].mean(0)]
    torch.testing.assert_close(view.labelled, torch.stack(expected))
    torch.testing.assert_close(view.unlabelled, said[:, :3].mean(0))


def test_the_best_way_is_that_of_the_highest_mean_among_those_that_were_tried_to_the_end(
    training: ModuleType,
) -> None:
    scores = {"plain": (0.8, 0.9), "two generations": (0.7, 0.95), "unseen": (0.99, np.nan)}
    rows = [
        {"way": way, "split": i, "f1": f1} for way, values in scores.items() for i, f1 in enumerate(values)
    ]
    best, table = training.compared(pd.DataFrame(rows))
    assert best == "plain"
    assert table["mean"].to_dict() == pytest.approx({"plain": 0.85, "two generations": 0.825})


def test_what_ships_was_trained_in_the_best_way(training: ModuleType) -> None:
    explored = json.loads(training.EXPLORED.read_text())
    scores = explored["macro_f1"]
    assert explored["best"] == max(scores, key=scores.__getitem__)
    assert set(scores) <= set(training.TRIED)
    report = json.loads(training.REPORT.read_text())
    assert report["more_labels"] == (480 if training.best_way().more_labels else 0)


def test_a_map_with_fewer_tokens_keeps_its_columns(training: ModuleType) -> None:
    shape_maps = importlib.import_module("shape_maps")
    weights = torch.full((30, 30), 0.2 / 30)
    weights[:, 7] += 0.8
    lengths = set()
    for seed in range(10):
        fewer = shape_maps._with_fewer_tokens(weights, np.random.default_rng(seed))
        lengths.add(len(fewer))
        torch.testing.assert_close(fewer.sum(-1), torch.ones(len(fewer)))
        assert (fewer.max(0).values > 0.8).sum() == 1
    assert min(lengths) < 26


def test_a_network_learns_plain_shapes_from_teachers(
    training: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each teacher does without some of the labelled maps; other maps have no label."""
    shape_maps = importlib.import_module("shape_maps")
    monkeypatch.setattr(shape_maps, "DRAWN", 240)
    monkeypatch.setattr(importlib.import_module("shape_learning"), "FOLLOWING", 0.1)  # for so few steps
    pictures, wanted = shape_maps.textbook(1)
    right = wanted.argmax(-1)[:180]
    passages = [f"{i // 5}" for i in range(180)]
    models = ["mini", "other"] * 30
    maps = training.Maps(
        180, pictures[None, :180], wanted[:180], right, passages, ["mini"] * 180, pictures[None, 180:], models
    )
    teacher = training.Recipe(((8, 2), (8, 2), (16, 2), (16, 1)), epochs=80, dropout=0.0)
    way = training.Way(replace(teacher, epochs=40), teacher, teachers=2, unseen=True)
    job = training.Job(("plain",), way, tuple(range(140)), tuple(range(140, 180)), 0, "other")
    with training.Workers(1) as workers:
        (said,) = training.School(maps, workers, str(tmp_path)).run([job])
    assert said.logits.shape == (180, len(SHAPES))
    assert (said.logits[140:].argmax(-1) == right[140:]).double().mean() > 0.6  # by chance, a fifth
