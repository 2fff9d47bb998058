"""Items of Kovaleva et al. 2019 that need fine-tuned models: its figures 2, 5, 8 and 9, and table 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from attlas.errors import option
from attlas.papers.paper_items import (
    FineTuned,
    Measured,
    PaperEvidence,
    PaperItem,
    Reported,
    at_depth,
    degrees_of_row,
)
from attlas.statistics.hypotheses import student_interval

#: Figure 2: the lowest and the highest share of heterogeneous maps
HETEROGENEOUS = {"MRPC": 32.0, "QQP": 61.0}
#: Table 1: task -> metric, pre-trained alone, fine-tuned from random weights, from pre-trained ones
TABLE_1: Mapping[str, tuple[str, float, float, float]] = {
    "MRPC": ("accuracy", 31.6, 68.3, 82.3),
    "STS-B": ("pearson", 33.1, 2.9, 82.7),
    "SST-2": ("accuracy", 49.1, 80.5, 92.0),
    "QQP": ("accuracy", 60.9, 63.2, 78.6),
    "RTE": ("accuracy", 52.7, 52.7, 64.6),
    "QNLI": ("accuracy", 52.8, 49.5, 84.4),
    "MNLI": ("accuracy", 31.7, 61.0, 78.6),
}
ON_AVERAGE = 35.9  # points that fine-tuning adds
#: Figure 8: task -> points that the score gains without its best head
BEST_GAIN = {"MRPC": (1.2, "+1.2, the most of all tasks"), "STS-B": (0.1, "+0.1, the least of all tasks")}
GAINS_ON_AVERAGE = ("MRPC", "RTE")
NEEDED = {"STS-B", "RTE"}  # tasks that need the heads 4-1 and 2-12 of BERT-base
FIRST_LAYER = {"RTE": 3.2}  # points that the score gains without the first layer


def why_not_trained(evidence: PaperEvidence, task: str) -> str:
    if evidence.tuned:
        return f"not trained on {task}: {option('budget', 'full')} trains on every task that is there"
    return f"no data of the task: give GLUE's folder by {option('data')} (gluebenchmark.com/tasks)"


def name_small_training(tuned: FineTuned) -> tuple[str, ...]:
    """A cause to differ, where the model did not see the whole task."""
    return () if tuned.whole else (f"a small training run of {tuned.examples:,} examples",)


def task_shapes(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Figure 2: the share of maps without a simple shape, on tasks."""
    for task in dict.fromkeys((*HETEROGENEOUS, *evidence.tuned)):
        share, tuned = HETEROGENEOUS.get(task), evidence.tuned.get(task)
        if tuned is not None and tuned.shapes is None:
            continue  # from random weights
        if share is None:
            reported = Reported("32 to 61 %, by task", 46.5, 14.5)
        else:
            reported = Reported(f"{share:g} %", share, 1.0)
        item = PaperItem("Figure 2", f"share of heterogeneous maps on {task}", reported, unit="percent")
        if tuned is None:
            yield replace(item, missing=why_not_trained(evidence, task))
            continue
        causes = (*evidence.causes, "another classifier: theirs and its labels were never released")
        share_after = _share_of_shape(tuned, evidence.kind, "heterogeneous", "second")
        yield replace(item, corrected=share_after, causes=causes)


def _share_of_shape(tuned: FineTuned, kind: str, shape: str, side: str) -> Measured:
    """In percent, the mean over layers. Its error is at most the mean of their errors."""
    rows = tuned.shapes.query("shape == @shape and kind == @kind")
    share, half = (100 * float(rows[name].mean()) for name in (side, f"{side}_stderr"))
    return Measured(share, share - 1.96 * half, share + 1.96 * half)


def changes(evidence: PaperEvidence, task: str) -> Iterator[PaperItem]:
    """Figure 5: which layers change, and whether maps become more vertical."""
    what = f"{task}: fine-tuning changes the last two layers most: mean cosine of the others, less theirs"
    reported = Reported("more, but for QQP" if task != "QQP" else "not so")
    item, tuned = PaperItem("Figure 5", what, reported, unit="share"), evidence.tuned.get(task)
    if tuned is None or tuned.compared is None:
        yield replace(item, missing=why_not_trained(evidence, task))
        return
    compared, causes = tuned.compared, (*evidence.causes, *name_small_training(tuned))
    last = at_depth(11, 12, compared.layers)
    rest = [layer for layer in range(compared.layers) if layer not in last]
    difference = compared.over(rest, "map_cosine") - compared.over(last, "map_cosine")
    yield replace(item, corrected=difference, chance=0.0, below=task == "QQP", causes=causes)
    if tuned.shapes is not None:
        before, after = (
            _share_of_shape(tuned, evidence.kind, "vertical", side) for side in ("first", "second")
        )
        yield PaperItem(
            "section 4.3",
            f"{task}: fine-tuning makes maps more vertical: points of their share, after less before",
            Reported("vertical stripes take over"),
            corrected=after - before,
            chance=0.0,
            causes=causes,
            unit="percent",
        )


def scores(evidence: PaperEvidence, task: str) -> Iterator[PaperItem]:
    """Table 1: what a task is answered with."""
    metric, alone, from_random, from_pretrained = TABLE_1[task]
    tuned = evidence.tuned.get(task)
    before = _score_before(tuned, metric)
    causes = (*evidence.causes, "an answering layer of random weights: its score is a matter of its seed")
    yield PaperItem(
        "Table 1",
        f"{task}, pre-trained alone: {metric}",
        Reported(f"{alone:g}", alone, 0.5),
        corrected=None if before is None else Measured(before),
        causes=causes,
        missing="" if tuned is not None else why_not_trained(evidence, task),
        incomparable="it gives one answer to everything: no correlation" if tuned and before is None else "",
        unit="percent",
    )
    for title, score, trained in (
        ("fine-tuned", from_pretrained, tuned),
        ("fine-tuned from random weights", from_random, evidence.tuned.get(f"{task} from random weights")),
    ):
        reported = Reported(f"{score:g}", score, 0.5)
        item = PaperItem("Table 1", f"{task}, {title}: {metric}", reported, unit="percent")
        if trained is None or metric not in trained.scores:
            yield replace(item, missing=why_not_trained(evidence, task))
            continue
        majority = trained.scores[metric].get("majority")
        yield replace(
            item,
            corrected=Measured.in_percent(trained.scores[metric]),
            chance=0.0 if majority is None else 100 * float(majority),
            causes=(*evidence.causes, *name_small_training(trained)),
        )


def _score_before(tuned: FineTuned | None, metric: str) -> float | None:
    """The score before training in percent; None where all answers were the same: no correlation."""
    score = None if tuned is None else tuned.before.get(metric)
    return None if score is None or not np.isfinite(float(score)) else 100 * float(score)


def average_gain(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Table 1: the points that fine-tuning adds, over the tasks that were trained."""
    gains, causes = [], list(evidence.causes)
    for task, (metric, *_) in TABLE_1.items():
        tuned = evidence.tuned.get(task)
        before = _score_before(tuned, metric)
        if tuned is not None and before is not None and metric in tuned.scores:
            gains.append(100 * float(tuned.scores[metric]["value"]) - before)
            causes += name_small_training(tuned)
    if len(gains) < 2:
        return
    mean, error = float(np.mean(gains)), float(np.std(gains, ddof=1) / np.sqrt(len(gains)))
    low, high = student_interval(mean, error, len(gains) - 1)
    yield PaperItem(
        "Table 1",
        "points that fine-tuning adds, on average over tasks",
        Reported(f"{ON_AVERAGE}", ON_AVERAGE, 0.1),
        corrected=Measured(mean, float(low), float(high)),
        chance=0.0,
        causes=tuple(dict.fromkeys(causes)),
        unit="percent",
        detail=f"over {len(gains)} tasks",
    )


def disabling(evidence: PaperEvidence, task: str) -> Iterator[PaperItem]:
    """Figures 8 and 9: heads and layers that are disabled on a task."""
    value, words = BEST_GAIN.get(task, (None, "+0.1 to +1.2"))
    what = f"{task}: disabling some head helps: points that the score gains without it, at best"
    item, tuned = PaperItem("Figure 8", what, Reported(words, value, 0.05)), evidence.tuned.get(task)
    if tuned is None or tuned.disabled is None:
        yield replace(item, missing=why_not_trained(evidence, task))
        return
    item = replace(item, chance=0.0, causes=(*evidence.causes, *name_small_training(tuned)), unit="percent")
    heads = len(tuned.disabled)
    best = tuned.disabled.loc[tuned.disabled["change"].idxmax()]
    yield replace(item, corrected=_change_in_points(best, heads), detail=f"of {heads} heads")
    if task in GAINS_ON_AVERAGE:
        change, error = (100 * tuned.disabled[name].to_numpy(float) for name in ("change", "stderr"))
        mean = float(change.mean())
        low, high = student_interval(mean, float(np.nanmean(error)), degrees_of_row(best))
        yield replace(
            item,
            what=f"{task}: disabling a random head helps: points that the score gains, the mean over heads",
            reported=Reported("more than 0"),
            corrected=Measured(mean, float(low), float(high)),
        )
    if task in NEEDED:
        worst = tuned.disabled.loc[tuned.disabled["change"].idxmin()]
        yield replace(
            item,
            what=f"{task}: some head is needed: points that the score gains without it, at worst",
            reported=Reported("heads 4-1 and 2-12; no numbers"),
            corrected=_change_in_points(worst, heads),
            below=True,
        )
    if tuned.layers is not None and task in FIRST_LAYER:
        first = tuned.layers[tuned.layers["layer"] == 0].iloc[0]
        gain = FIRST_LAYER[task]
        yield replace(
            item,
            place="Figure 9",
            what=f"{task}: points that the score gains without the first layer",
            reported=Reported(f"+{gain:g}", gain, 0.05),
            corrected=_change_in_points(first, 1),
        )


def _change_in_points(row: Any, among: int) -> Measured:
    """A change of a score in points; with an interval that knows among how many heads it was picked."""
    change, error = 100 * float(row["change"]), 100 * float(row["stderr"])
    where = f"{row['layer']}.{row['head']}" if "head" in row else str(row["what"])
    if error == 0:  # no answer changed: the interval of the rule of three, where there is one
        return Measured.in_percent(row, "change", where)
    low, high = student_interval(change, error, degrees_of_row(row), among)
    return Measured.between(change, float(low), float(high), where)
