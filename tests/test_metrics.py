"""Predictions of a task, and their scores: against scikit-learn and scipy, one by one."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy import stats
from sklearn import metrics as sk

from attlas.corpora.source import ItemId
from attlas.corpora.task_data import TaskData
from attlas.corpora.task_source import TaskItem, TaskSource
from attlas.corpora.tasks import Task
from attlas.engines import Pass, run_pass
from attlas.engines.engine import engine_named
from attlas.errors import AttlasError
from attlas.statistics.bootstrap import draw_counts, interval
from attlas.statistics.hypotheses import mcnemar
from attlas.statistics.scores import METRICS, score
from attlas.studies.finetuning.predictions import Predictions
from attlas.subject import Subject
from attlas.tap import Tap
from made_models import classifier

TASK = Task("mine", ("a", "b"), "y", ("no", "yes", "perhaps"))
NUMBERS = Task("sizes", ("a", "b"), "y", metrics=("pearson", "spearman"))
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "nothing", "but", "rain"]


@pytest.fixture
def source(mini: Subject, tmp_path: Path) -> TaskSource:
    rng = np.random.default_rng(0)
    lines = ["a\tb\ty"]
    for _ in range(23):
        a, b = (" ".join(rng.choice(WORDS, rng.integers(1, 9))) for _ in range(2))
        lines.append(f"{a}\t{b}\t{rng.choice(TASK.labels)}")
    path = tmp_path / "dev.tsv"
    path.write_text("\n".join(lines) + "\n")
    return TaskSource(TaskData(TASK, "dev", path), mini.tokenizer, 32, shard_tokens=60)


def _items(source: TaskSource) -> list[TaskItem]:
    return [item for shard in source.shards() for item in source.prepare(shard).items]


def _observe(subject: Subject, source: TaskSource, items: list[TaskItem], size: int) -> Predictions:
    reducer = Predictions()
    with Tap(subject, [reducer]) as tap:
        for start in range(0, len(items), size):
            for batch in source.batches(subject, items[start : start + size]):
                tap.run(batch)
    return reducer


def _same(predictions: Predictions, expected: Predictions, tolerance: float = 0) -> None:
    assert predictions.state().keys() == expected.state().keys()
    for key, array in expected.state().items():
        np.testing.assert_allclose(predictions.state()[key], array, rtol=0, atol=tolerance)


@pytest.mark.parametrize("kind", ["bert", "llama"])
def test_predictions_are_the_models_own(kind: str, mini: Subject, source: TaskSource) -> None:
    """Item by item in float64, from the tokenizer's own inputs."""
    subject = classifier(mini, kind, 3)
    items = _items(source)
    predictions = _observe(subject, source, items, 8)
    exact = pickle.loads(pickle.dumps(subject.model)).double()
    assert predictions.ids() == [item.id for item in items]
    for i, item in enumerate(items):
        inputs = {"input_ids": torch.tensor(item.ids[None], device=mini.device).long()}
        if kind == "bert":
            inputs["token_type_ids"] = torch.tensor(item.types[None], device=mini.device).long()
        with torch.no_grad():
            logits = exact(**inputs).logits[0]
        np.testing.assert_allclose(predictions.answers[i], logits.cpu().numpy(), atol=1e-4)
        assert predictions.predicted[i] == int(logits.argmax())
        assert predictions.labels[i] == item.label
        assert predictions.correct[i] == (int(logits.argmax()) == item.label)
        assert predictions.losses[i] == pytest.approx(
            -logits.log_softmax(0)[int(item.label)].item(), abs=1e-4
        )


def test_nothing_read_is_nothing_to_score() -> None:
    with pytest.raises(AttlasError, match="no example was read"):
        _ = Predictions().labels


def test_a_pass_streams_them_shard_by_shard(mini: Subject, source: TaskSource) -> None:
    subject = classifier(mini, "bert", 3)
    assert len(list(source.shards())) > 2
    with engine_named("local") as engine:
        (predictions,) = run_pass(subject, Pass("task", source, [Predictions()]), engine).reducers
    assert isinstance(predictions, Predictions)
    _same(predictions, _observe(subject, source, _items(source), 23), 1e-5)


def test_a_number_is_predicted_and_its_error_squared(
    mini: Subject, source: TaskSource, tmp_path: Path
) -> None:
    subject = classifier(mini, "bert", 1)
    path = tmp_path / "numbers.tsv"
    path.write_text("a\tb\ty\nOne cat.\tTwo.\t2.5\nThree.\tFour.\t-1\n")
    numbers = TaskSource(TaskData(NUMBERS, "dev", path), mini.tokenizer)
    predictions = _observe(subject, numbers, _items(numbers), 2)
    np.testing.assert_allclose(predictions.losses, (predictions.predicted - [2.5, -1]) ** 2, rtol=1e-6)
    with pytest.raises(AttlasError, match="bert has 1 output, and mine 3: fine-tune it on mine first"):
        _observe(subject, source, _items(source), 2)


def test_what_is_not_a_task_or_not_a_number_is_refused(mini: Subject, source: TaskSource) -> None:
    with pytest.raises(AttlasError, match="needs a task"), Tap(mini, [Predictions()]) as tap:
        tap.run(mini.encode("The cat sat."))
    with pytest.raises(AttlasError, match="does not classify texts"):
        _observe(mini, source, _items(source), 2)
    broken = classifier(mini, "bert", 3)
    with torch.no_grad():
        next(broken.model.parameters()).fill_(torch.nan)
    with pytest.raises(AttlasError, match="the loss of the model is not a number"):
        _observe(broken, source, _items(source), 2)


REFERENCES = {
    "accuracy": lambda p, y: sk.accuracy_score(y, p),
    "f1": lambda p, y: sk.f1_score(y, p, zero_division=0),
    "matthews": lambda p, y: sk.matthews_corrcoef(y, p),
    "pearson": lambda p, y: stats.pearsonr(p, y).statistic,
    "spearman": lambda p, y: stats.spearmanr(p, y).statistic,
}


@pytest.mark.parametrize("metric", METRICS)
def test_scores_are_those_of_glue_also_of_every_draw(metric: str) -> None:
    rng = np.random.default_rng(1)
    if metric in ("pearson", "spearman"):
        labels = np.round(rng.uniform(0, 5, 40), 0)  # with ties
        predicted = labels + np.round(rng.normal(0, 2, 40), 1)
    else:
        labels = (rng.random(40) < 0.6).astype(float)
        predicted = np.where(rng.random(40) < 0.7, labels, 1 - labels)
    assert score(metric, predicted, labels) == pytest.approx(REFERENCES[metric](predicted, labels), abs=1e-12)
    weights = draw_counts([ItemId(i, 0) for i in range(40)], replicates=25)
    draws = METRICS[metric](predicted, labels, weights)
    for draw, times in zip(draws, weights.T.astype(int), strict=True):
        resampled = np.repeat(predicted, times), np.repeat(labels, times)
        assert draw == pytest.approx(REFERENCES[metric](*resampled), abs=1e-12)
    low, high = interval(draws)
    assert low <= np.median(draws) <= high


@pytest.mark.parametrize(
    ("metric", "value"), [("f1", 0), ("matthews", 0), ("pearson", None), ("spearman", None)]
)
def test_a_model_that_always_answers_the_same_has_no_correlation(metric: str, value: float | None) -> None:
    labels = np.array([0.0, 1, 1, 0, 1])
    scored = score(metric, np.full(5, 0.1 if value is None else 0.0), labels)
    assert np.isnan(scored) if value is None else scored == value


def test_f1_is_nothing_where_its_label_is_neither_there_nor_predicted() -> None:
    assert score("f1", np.zeros(4), np.zeros(4)) == 0


def test_a_spread_far_smaller_than_the_numbers_still_correlates() -> None:
    """A hundred-millionth, where float64 has sixteen digits; and in a draw that holds one value alone,
    repeated, what rounding leaves of it does not."""
    spread = np.random.default_rng(0).normal(size=30)
    labels = spread + np.random.default_rng(1).normal(size=30)
    assert score("pearson", 1 + 1e-8 * spread, labels) == pytest.approx(
        stats.pearsonr(spread, labels).statistic, abs=1e-6
    )
    predicted, drawn_times = (
        np.array([-91275557.7, -91275557.7, -91275557.7, 1.0]),
        np.array([[1.0, 2, 4, 0]]).T,
    )
    mean = (predicted @ drawn_times / 7).item()
    assert (predicted[:3] != mean).all(), "rounding leaves something here"
    assert np.isnan(METRICS["pearson"](predicted, np.arange(4.0), drawn_times)).all()


def test_mcnemar_is_the_exact_two_sided_test() -> None:
    first, second = np.array([0.0, 5, 1, 10]), np.array([0.0, 5, 9, 2])
    wanted = [1, 1, stats.binomtest(1, 10).pvalue, stats.binomtest(10, 12).pvalue]
    np.testing.assert_allclose(mcnemar(first, second), wanted)
