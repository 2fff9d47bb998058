"""Items of Kovaleva et al. 2019 that need fine-tuned models: its figures 2, 5, 8 and 9, and table 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from attlas.errors import option
from attlas.papers.paper_evidence import FineTuned, PaperEvidence, at_depth, degrees_of_row, name_head
from attlas.papers.paper_items import NO_DATA, NOT_IN_QUICK, Measured, PaperItem, Reported
from attlas.statistics.hypotheses import student_interval
from attlas.wording.names import SHAPES

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
SIMPLE = tuple(shape for shape in SHAPES if shape != "heterogeneous")
ON_AVERAGE = 35.9  # points that fine-tuning adds
ENOUGH_TASKS = 4  # for a mean over tasks
#: Figure 8: task -> points that the score gains without its best head
BEST_GAIN = {"MRPC": (1.2, "+1.2, the most of all tasks"), "STS-B": (0.1, "+0.1, the least of all tasks")}
GAINS_ON_AVERAGE = ("MRPC", "RTE")
NEEDED = {"STS-B", "RTE"}  # tasks that need the heads 4-1 and 2-12 of BERT-base
FIRST_LAYER = {"RTE": 3.2}  # points that the score gains without the first layer


def why_not_trained(evidence: PaperEvidence, task: str) -> str:
    if evidence.quick:
        return f"{NOT_IN_QUICK}: {option('budget', 'full')} trains on every task that is there"
    return f"{NO_DATA}: give GLUE's folder with {task} by {option('data')} (gluebenchmark.com/tasks)"


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
        what = f"share of heterogeneous maps on {task} is the paper's"
        item = PaperItem("Figure 2", what, reported, agrees=True, unit="percent")
        if tuned is None:
            yield replace(item, not_asked=why_not_trained(evidence, task))
            continue
        causes = ("another classifier: theirs and its labels were never released",)
        share_after = _share_of_shape(tuned, evidence.kind, "heterogeneous", "second")
        yield replace(item, corrected=share_after, causes=causes)


def same_shapes(evidence: PaperEvidence) -> PaperItem:
    """Section 4.1: the same simple shapes come back in every task."""
    item = PaperItem(
        "section 4.1",
        "each of the four simple shapes comes back in every task: the share of the rarest of them",
        Reported("consistently repeated across heads and tasks"),
        unit="percent",
    )
    tuned = {task: t for task, t in evidence.tuned.items() if t.shapes is not None}
    if len(tuned) < 2:
        return replace(item, not_asked=why_not_trained(evidence, next(iter(HETEROGENEOUS))))
    shares = {
        f"{shape}, {task}": _share_of_shape(t, evidence.kind, shape, "second")
        for task, t in tuned.items()
        for shape in SIMPLE
    }
    rarest = min(shares, key=lambda name: shares[name].value)
    return replace(item, corrected=shares[rarest], detail=f"{rarest}; of {', '.join(tuned)}")


def _share_of_shape(tuned: FineTuned, kind: str, shape: str, side: str) -> Measured:
    """In percent, the mean over layers. Its error is at most the mean of their errors."""
    rows = tuned.shapes.query("shape == @shape and kind == @kind")
    share, half = (100 * float(rows[name].mean()) for name in (side, f"{side}_stderr"))
    return Measured.around(share, 1.96 * half, documents=tuned.compared_on)


def changes(evidence: PaperEvidence, task: str) -> Iterator[PaperItem]:
    """Figure 5: which layers change, and whether maps become more vertical."""
    what = f"{task}: fine-tuning changes the last two layers most: mean cosine of the others, less theirs"
    reported = Reported("more, but for QQP") if task != "QQP" else Reported("not so", 0.0)
    item, tuned = PaperItem("Figure 5", what, reported, unit="share"), evidence.tuned.get(task)
    if tuned is None or tuned.compared is None:
        yield replace(item, not_asked=why_not_trained(evidence, task))
        return
    compared, causes = tuned.compared, name_small_training(tuned)
    last = at_depth(11, 12, compared.layers)
    rest = [layer for layer in range(compared.layers) if layer not in last]
    difference = compared.over(rest, "map_cosine") - compared.over(last, "map_cosine")
    yield replace(item, corrected=difference, agrees=task == "QQP", causes=causes)
    if tuned.shapes is not None:
        before, after = (
            _share_of_shape(tuned, evidence.kind, "vertical", side) for side in ("first", "second")
        )
        yield PaperItem(
            "section 4.3",
            f"{task}: fine-tuning makes maps more vertical: points of their share, after less before",
            Reported("vertical stripes take over"),
            corrected=after - before,
            causes=causes,
            unit="percent",
        )


def scores(evidence: PaperEvidence, task: str) -> Iterator[PaperItem]:
    """Table 1: what a task is answered with. The score before is no item: an answering layer of random
    weights gives it."""
    metric, alone, from_random, from_pretrained = TABLE_1[task]
    tuned, of_random = evidence.tuned.get(task), evidence.tuned.get(f"{task} from random weights")
    item = PaperItem(
        "Table 1",
        f"{task}, fine-tuned: {metric}, beyond that of one answer to everything",
        Reported(f"{from_pretrained:g}", from_pretrained, 0.5),
        "gain",
        unit="percent",
    )
    if tuned is None or metric not in tuned.scores:
        yield replace(item, not_asked=why_not_trained(evidence, task))
        return
    majority = tuned.scores[metric].get("majority")
    score = Measured.in_percent(tuned.scores[metric])
    before = _score_before(tuned, metric)
    yield replace(
        item,
        corrected=score,
        chance=0.0 if majority is None else 100 * float(majority),
        causes=name_small_training(tuned),
        detail="" if before is None else f"{before:.1f} before, with random answers; {alone:g} in the paper",
    )
    if of_random is not None and metric in of_random.scores:
        yield PaperItem(
            "Table 1",
            f"{task}: fine-tuning from pre-trained weights is ahead of that from random ones: {metric}",
            Reported(f"{from_pretrained - from_random:+g}", from_pretrained - from_random, 0.5),
            "gain",
            corrected=score - Measured.in_percent(of_random.scores[metric]),
            unit="percent",
        )


def _score_before(tuned: FineTuned, metric: str) -> float | None:
    """The score before training in percent; None where all answers were the same: no correlation."""
    score = tuned.before.get(metric)
    return None if score is None or not np.isfinite(float(score)) else 100 * float(score)


def average_gain(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Table 1: the points that fine-tuning adds, over the tasks that were trained."""
    gains, causes = list[float](), list[str]()
    for task, (metric, *_) in TABLE_1.items():
        tuned = evidence.tuned.get(task)
        before = None if tuned is None else _score_before(tuned, metric)
        if tuned is not None and before is not None and metric in tuned.scores:
            gains.append(100 * float(tuned.scores[metric]["value"]) - before)
            causes += name_small_training(tuned)
    item = PaperItem(
        "Table 1",
        "points that fine-tuning adds, on average over tasks",
        Reported(f"{ON_AVERAGE}", ON_AVERAGE, 0.1),
        "gain",
        unit="percent",
    )
    if len(gains) < ENOUGH_TASKS:
        few = f"{len(gains)} tasks give no interval for a mean over tasks"
        yield replace(item, not_asked=f"{NOT_IN_QUICK}: {few}" if evidence.quick else few)
        return
    mean, error = float(np.mean(gains)), float(np.std(gains, ddof=1) / np.sqrt(len(gains)))
    low, high = student_interval(mean, error, len(gains) - 1)
    yield replace(
        item,
        corrected=Measured(mean, float(low), float(high), documents=len(gains)),
        causes=tuple(dict.fromkeys(causes)),
        detail=f"over {len(gains)} tasks",
    )


def disabling(evidence: PaperEvidence, task: str) -> Iterator[PaperItem]:
    """Figures 8 and 9: heads and layers that are disabled on a task."""
    value, words = BEST_GAIN.get(task, (None, "+0.1 to +1.2"))
    what = f"{task}: disabling some head helps: points that the score gains without it, at best"
    item = PaperItem("Figure 8", what, Reported(words, value, 0.05), "score", unit="percent")
    tuned = evidence.tuned.get(task)
    if tuned is None or tuned.disabled is None:
        why = f"{NOT_IN_QUICK}: so few examples decide no change of a score by one point"
        yield replace(item, not_asked=why if tuned is not None else why_not_trained(evidence, task))
        return
    item = replace(item, causes=name_small_training(tuned))
    heads = len(tuned.disabled)
    best = tuned.disabled.loc[tuned.disabled["change"].idxmax()]
    yield replace(item, corrected=_change_in_points(best, heads), detail=f"of {heads} heads")
    if task in GAINS_ON_AVERAGE:
        change, error = (100 * tuned.disabled[name].to_numpy(float) for name in ("change", "stderr"))
        mean, freedom = float(change.mean()), degrees_of_row(best)
        low, high = student_interval(mean, float(np.nanmean(error)), freedom)
        yield replace(
            item,
            what=f"{task}: disabling a random head helps: points that the score gains, the mean over heads",
            reported=Reported("more than 0"),
            corrected=Measured(mean, float(low), float(high), documents=int(freedom) + 1),
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
    if tuned.layers is not None:
        yield from _layers(item, task, tuned.layers)


def _layers(item: PaperItem, task: str, layers: Any) -> Iterator[PaperItem]:
    """Figure 9: the layer without which the score is best, and the first."""
    best, first = layers.loc[layers["change"].idxmax()], layers[layers["layer"] == 0].iloc[0]
    gain = FIRST_LAYER.get(task)
    for row, among, words, reported in (
        (best, len(layers), "some layer", Reported("for some tasks")),
        (first, 1, "the first layer", Reported("+3.2" if gain else "for RTE +3.2", gain, 0.05)),
    ):
        yield replace(
            item,
            place="Figure 9",
            what=f"{task}: disabling {words} helps: points that the score gains without it",
            reported=reported,
            corrected=_change_in_points(row, among),
        )


def _change_in_points(row: Any, among: int) -> Measured:
    """A change of a score in points; with an interval that knows among how many heads it was picked."""
    change, error = 100 * float(row["change"]), 100 * float(row["stderr"])
    where = name_head(int(row["layer"]), int(row["head"])) if "head" in row else str(row["what"])
    if error == 0:  # no answer changed: the interval of the rule of three, where there is one
        return Measured.in_percent(row, "change", where)
    freedom = degrees_of_row(row)
    low, high = student_interval(change, error, freedom, among)
    return Measured.between(change, float(low), float(high), where, int(freedom) + 1)
