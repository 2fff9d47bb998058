"""What a sweep measured of every item, and what follows from it: each edited run is paired with the plain
one, item by item, so that what makes an item hard or easy cancels out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from scipy.special import stdtr
from scipy.stats import norm, rankdata
from torch import Tensor

from attlas.array_types import Floats
from attlas.corpora.batches import Batch
from attlas.corpora.source import ItemId
from attlas.corpora.task_source import TaskBatch
from attlas.corpora.tasks import Task
from attlas.errors import AttlasError
from attlas.reducers.kept_arrays import ItemNumbers
from attlas.statistics.bootstrap import draw_counts, interval
from attlas.statistics.claims import CLAIMS
from attlas.statistics.clusters import estimates, moments_by_document
from attlas.statistics.hypotheses import holm, mcnemar, most_unseen, not_zero, student_interval
from attlas.statistics.scores import METRICS
from attlas.subject import Subject
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

NOTHING_TO_SHUFFLE = "no two inputs of a batch are of the same length: there is nothing to shuffle"
ROUNDING = 1e-12  # of a score in float64: two ways to the same correlation differ by less


class Outcomes(ItemNumbers):
    """One number of every item, without any edit and with each of a sweep's; before them, its label if it is
    an example of a task. As many numbers as items times edits: for the items that a sweep can be paid for,
    not for a corpus."""

    name = "outcomes"
    needs = Needs(output=True)

    def update(self, observation: Observation) -> None:
        assert observation.outcomes is not None
        batch, measured = observation.batch, observation.outcomes.movedim(0, -1)  # item (column) edit
        measured = measured.movedim(1, -1) if measured.ndim > 2 else measured  # item edit (column)
        labels = batch.labels if isinstance(batch, TaskBatch) else torch.full((len(measured),), torch.nan)
        self.add(batch.ids, labels, measured)

    def true_labels(self) -> Floats:
        """item; not a number where it has none."""
        return self.by_item()[:, 0].copy()

    def table(self) -> Floats:
        """edit item, the items in the order of `ids`."""
        return np.ascontiguousarray(self.by_item()[:, 1:].T)


@dataclass(frozen=True)
class Metric:
    """How well a model does on items. `of` gives it from one number an item, the true labels (where there are
    any), and how often each item is drawn (item replicate). Where it is a mean of items, `item` is what two
    runs are paired by, an item at a time: its loss, or whether it is right."""

    name: str
    more_is_better: bool
    of: Callable[[Floats, Floats, Floats], Floats]  # item, item, item replicate -> replicate
    item: Callable[[Floats, Floats], Floats] | None = None
    right_or_wrong: bool = False  # whether `item` is 0 or 1
    #: of a model without labels: item, how far its output (item column) is from the unmodified model's
    apart: Callable[[Floats, Floats], Floats] | None = None
    smallest: float = (
        0.0  # such a distance is never 0 for certain: it is tested against the size that matters
    )

    @property
    def effect(self) -> str:
        """The statistic that says how it changes without a head."""
        if self.apart is not None:
            return "effect_on_output"
        return "effect_on_loss" if self.name == "loss" else "effect_on_score"


def _mean(values: Floats, labels: Floats, weights: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(values @ weights / weights.sum(0), dtype=np.float64)


#: the mean loss of the items, in nats
LOSS = Metric("loss", False, _mean, lambda values, labels: values)


def _embedding_distance(plain: Floats, edited: Floats) -> Floats:
    """1 - cosine of embeddings of length 1."""
    turned: Floats = np.maximum(1 - (plain * edited).sum(-1), 0)
    return turned


def _answer_distance(plain: Floats, edited: Floats) -> Floats:
    """The divergence of edited answers from plain ones in nats; of a number, how far it moves."""
    if plain.shape[-1] == 1:
        return np.abs(edited - plain)[:, 0]
    diverged: Floats = np.maximum((np.exp(plain) * (plain - edited)).sum(-1), 0)
    return diverged


#: how far the embedding of a text moves, and how far a classifier's answers do
EMBEDDING = Metric("embedding", False, _mean, apart=_embedding_distance, smallest=CLAIMS["embedding"].size)
ANSWERS = Metric("answers", False, _mean, apart=_answer_distance, smallest=CLAIMS["answers"].size)


def metric_of(task: Task, name: str | None = None) -> Metric:
    """How a task is scored: by its first metric, or another that it has."""
    name = task.metrics[0] if name is None else name
    if name not in task.metrics:
        raise AttlasError(f"{task.name} has no metric {name!r}: choose one of {', '.join(task.metrics)}")
    if name == "accuracy":
        return Metric(name, True, METRICS[name], lambda values, labels: 1.0 * (values == labels), True)
    return Metric(name, True, METRICS[name])


def measure_answers(subject: Subject, batch: Batch, seed: int) -> tuple[Batch, Callable[[Any], Tensor]]:
    """What a sweep over a task measures: the place of the label that the model chooses, or its number."""
    assert isinstance(batch, TaskBatch)

    def chosen(output: Any) -> Tensor:
        answers = batch.answers(output).double()
        choice = answers[:, 0] if answers.shape[1] == 1 else answers.argmax(1).double()
        return choice.masked_fill(answers.isnan().any(1), torch.nan)

    return batch, chosen


@dataclass(frozen=True)
class OutcomeChange:
    """How a score changes with one edit: the plain score, the edited one, their difference with its standard
    error and 95 % interval over documents, and the chance of such a difference if the edit did nothing on
    average (two-sided). For a loss or a share of right answers it is Student's test of paired differences, or
    McNemar's exact one where every item is a document; for other scores the change over its standard error
    of the bootstrap, as a normal number. `changed` is how many of the `n` items change at all: where none
    does, a share changes by no more than the rule of three says, and other scores have no interval."""

    plain: float
    edited: float
    change: float
    stderr: float
    low: float
    high: float
    p: float
    n: int
    documents: int
    changed: int
    order: float = math.nan  # of embeddings: how far the order of similarities between texts is kept


def changes(outcomes: Outcomes, metric: Metric, seed: int, edits: int = 0) -> list[OutcomeChange]:
    """The changes by every edit of the sweep, in order. How many there are must be said where a metric
    compares outputs of several numbers."""
    if metric.apart is not None:
        return _moves(outcomes, metric, edits)
    ids, table, labels = outcomes.ids(), outcomes.table(), outcomes.true_labels()
    weights = None if metric.item else draw_counts(ids, seed)
    return [_change(metric, table[0], edited, labels, ids, weights) for edited in table[1:]]


def _moves(outcomes: Outcomes, metric: Metric, edits: int) -> list[OutcomeChange]:
    """How far each edit moves the output of every item from the unmodified one. The p is of a mean that is no
    larger than the smallest size that matters."""
    assert metric.apart is not None
    ids, table = outcomes.ids(), outcomes.table()
    plain, *edited = table.reshape(edits + 1, -1, len(ids)).transpose(0, 2, 1)  # item column
    moved = []
    for values in edited:
        distance = metric.apart(plain, values)
        made = ~np.isnan(distance)
        if not made.any():
            raise AttlasError(NOTHING_TO_SHUFFLE)
        some = [item for item, is_made in zip(ids, made, strict=True) if is_made]
        known = estimates(moments_by_document(distance[made], some))
        low, high = student_interval(known.mean, known.stderr, known.degrees)
        beyond = (float(known.mean) - metric.smallest) / max(float(known.stderr), ROUNDING)
        p = float(stdtr(float(known.degrees), -beyond)) if len(some) > 1 else 1.0
        mean, stderr, n, documents = known.at()
        counts = n, documents, int((distance[made] > 0).sum())
        order = _order_kept(plain[made], values[made], some) if metric is EMBEDDING else math.nan
        near, far = max(float(low), 0.0), float(high)
        moved.append(OutcomeChange(0.0, mean, mean, stderr, near, far, p, *counts, order))
    return moved


def _order_kept(plain: Floats, edited: Floats, ids: Sequence[ItemId]) -> float:
    """Spearman's correlation of a text's similarities to the texts of other documents, before and after; the
    mean over texts that have three or more, by document."""
    documents = np.array([item.document for item in ids])
    kept, those = list[float](), list[ItemId]()
    for place, item in enumerate(ids):
        others = documents != item.document
        if others.sum() > 2:
            before, after = (vectors[others] @ vectors[place] for vectors in (plain, edited))
            kept.append(float(np.corrcoef(rankdata(before), rankdata(after))[0, 1]))
            those.append(item)
    return float(estimates(moments_by_document(np.array(kept), those)).mean) if kept else math.nan


def _change(
    metric: Metric, plain: Floats, edited: Floats, labels: Floats, ids: list[ItemId], weights: Floats | None
) -> OutcomeChange:
    made = ~np.isnan(edited)  # `shuffle` leaves an item out that is the only one of its length
    if not made.any():
        raise AttlasError(NOTHING_TO_SHUFFLE)
    plain, edited, labels = plain[made], edited[made], labels[made]
    ids = [item for item, is_made in zip(ids, made, strict=True) if is_made]
    once = np.ones((len(ids), 1))
    before, after = (float(metric.of(values, labels, once)[0]) for values in (plain, edited))
    counts = len(ids), len({item.document for item in ids}), int((plain != edited).sum())
    if plain.tolist() == edited.tolist():
        uncertain = _uncertain_where_unchanged(metric, *counts[:2])
    elif metric.item is None:
        assert weights is not None
        draws = metric.of(edited, labels, weights[made]) - metric.of(plain, labels, weights[made])
        some = draws[np.isfinite(draws)]
        stderr = float(some.std(ddof=1)) if len(some) > 1 else float("nan")
        uncertain = stderr, *interval(draws), normal_p(after - before, stderr)
    else:
        difference = metric.item(edited, labels) - metric.item(plain, labels)
        uncertain = _of_pairs(difference, ids, metric.right_or_wrong)
    return OutcomeChange(before, after, after - before, *uncertain, *counts)


#: standard error, interval, p
Uncertain = tuple[float, float, float, float]


def _uncertain_where_unchanged(metric: Metric, items: int, documents: int) -> Uncertain:
    """Bound the change where no item changes: how much a share of right answers may still change; else
    nothing is known."""
    most = most_unseen(documents if documents > 1 else items) if metric.right_or_wrong else float("nan")
    return 0.0, -most, most, 1.0


def _of_pairs(difference: Floats, ids: list[ItemId], right_or_wrong: bool) -> Uncertain:
    """Test every item's difference. Where each is a document, answers have an exact test."""
    known = estimates(moments_by_document(difference, ids))
    low, high = student_interval(known.mean, known.stderr, known.degrees)
    p = not_zero(known.mean, known.stderr, known.degrees)
    if right_or_wrong and known.documents == len(ids):
        p = mcnemar((difference < 0).sum(), (difference > 0).sum())
    return float(known.stderr), float(low), float(high), float(p)


def normal_p(change: float, stderr: float) -> float:
    """Two-sided; 1 where there is no score to change, since then nothing is shown."""
    if not np.isfinite(change) or not np.isfinite(stderr) or abs(change) < ROUNDING:
        return 1.0
    return float(2 * norm.sf(abs(change) / stderr)) if stderr > 0 else 0.0


def correct_p_values(changed: list[OutcomeChange]) -> list[float]:
    """The p of each change, corrected by Holm for all of them."""
    return holm(np.array([change.p for change in changed], np.float64)).tolist() if changed else []
