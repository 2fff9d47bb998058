"""Circuits: how much of what a model does with a task remains when only some of its heads do it.

All other heads give what they gave over the corrupt text; feed-forward layers compute anew. Sizes and areas
are those of the Mechanistic Interpretability Benchmark (Mueller et al. 2025):

    faithfulness(k) = (D(circuit of k) - D(no head)) / (D(all) - D(no head))
    CPR = area under faithfulness over k        CMD = area between faithfulness and 1

with D the mean logit difference, and k ten shares of all heads. Heads enter by how much they speak for the
answer (CPR), or by the size of their effect (CMD).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch

from attlas.address import Head
from attlas.array_types import Floats
from attlas.corpora.batches import Batch
from attlas.corpora.source import ItemId, seeded
from attlas.statistics.bootstrap import draw_counts, interval
from attlas.statistics.clusters import estimates, moments_by_document
from attlas.statistics.hypotheses import student_interval
from attlas.studies.patching.head_runs import head_run
from attlas.studies.patching.pair_texts import PairBatch
from attlas.studies.patching.patch_sweep import changes, patch
from attlas.subject import Subject
from attlas.tap.observation import Observation

SIZES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
SIGNED, BY_SIZE = "for the answer", "by size"  # which heads enter first
RANDOM, RANDOM_ORDERS = "random order", 5


@dataclass(frozen=True)
class CircuitSweep:
    """Outcomes are the logit difference of the clean texts, then that of each circuit."""

    circuits: tuple[frozenset[Head], ...]
    shared: bool = True
    kernel: str | None = None

    def observations(self, subject: Subject, batches: Iterator[Batch]) -> Iterator[Observation]:
        return (self._observe(subject, batch) for batch in batches)

    def _observe(self, subject: Subject, batch: Batch) -> Observation:
        assert isinstance(batch, PairBatch)
        assert batch.corrupt is not None
        corrupt = head_run(subject, batch.corrupt, self.kernel, gradients=False).outputs
        edits = [patch([h for h in subject.heads if h not in kept], corrupt) for kept in self.circuits]
        plain, changed = changes(subject, batch, edits, self.shared, self.kernel)
        return Observation(batch, outcomes=torch.cat([plain, plain + changed]).double().cpu())


def counts_of(heads: int) -> list[int]:
    """How many heads are in a circuit of each size: as many as fit."""
    return [int(size * heads) for size in SIZES]


@dataclass(frozen=True)
class CircuitPlan:
    """Heads in the order in which they enter, for every way to score them; of a random order, several."""

    heads: tuple[Head, ...]
    orders: Mapping[tuple[str, str], tuple[tuple[Head, ...], ...]]  # way, which come first -> orders

    @staticmethod
    def of(heads: Sequence[Head], effects: Mapping[str, Floats], seed: int) -> CircuitPlan:
        """`effects` are head pair, by way: by how much each head speaks for the answer."""
        orders: dict[tuple[str, str], tuple[tuple[Head, ...], ...]] = {}
        for way, values in effects.items():
            means = values.mean(-1)
            for first, scores in ((SIGNED, means), (BY_SIZE, np.abs(means))):
                orders[way, first] = (tuple(heads[i] for i in np.argsort(-scores, kind="stable")),)
        drawn = (np.random.default_rng(seeded(seed, "circuit", i)) for i in range(RANDOM_ORDERS))
        shuffled = tuple(tuple(heads[i] for i in rng.permutation(len(heads))) for rng in drawn)
        orders |= {(RANDOM, first): shuffled for first in (SIGNED, BY_SIZE)}
        return CircuitPlan(tuple(heads), orders)

    @property
    def circuits(self) -> tuple[frozenset[Head], ...]:
        """Each once; first that of no head. The whole model is none: it runs anyway."""
        wanted = [frozenset[Head]()]
        for orders in self.orders.values():
            wanted += [frozenset(order[:n]) for order in orders for n in counts_of(len(self.heads))]
        return tuple(kept for kept in dict.fromkeys(wanted) if len(kept) < len(self.heads))

    def curves(self, outcomes: Floats) -> dict[tuple[str, str], Floats]:
        """order size pair: logit differences, from outcomes (circuit pair) after that of the whole model."""
        known = dict(zip((frozenset(self.heads), *self.circuits), outcomes, strict=True))
        counts = counts_of(len(self.heads))
        return {
            key: np.stack([[known[frozenset(order[:n])] for n in counts] for order in orders])
            for key, orders in self.orders.items()
        }


def circuit_tables(
    plan: CircuitPlan, outcomes: Floats, ids: Sequence[ItemId], seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Faithfulness at every size, and the areas; with intervals from draws of pairs. Both are empty where the
    logit difference of the whole model is not surely above that of no head: a share of nothing is noise."""
    weights = np.column_stack([np.ones(len(ids)), draw_counts(ids, seed)])  # pair draw: first all, once
    weights = weights[:, weights.sum(0) > 0] / weights[:, weights.sum(0) > 0].sum(0)
    whole, nothing = outcomes[0] @ weights, outcomes[1] @ weights
    points: list[dict[str, object]] = []
    areas: dict[str, dict[str, object]] = {}
    if not _is_sure(outcomes[0] - outcomes[1], ids):
        return pd.DataFrame(points, columns=POINT_COLUMNS), pd.DataFrame(columns=AREA_COLUMNS)
    for (way, first), curve in plan.curves(outcomes).items():
        with np.errstate(divide="ignore", invalid="ignore"):
            faithful = (curve @ weights - nothing) / (whole - nothing)  # order size draw
        for place, (size, heads) in enumerate(zip(SIZES, counts_of(len(plan.heads)), strict=True)):
            numbers = _with_interval("", faithful[:, place].mean(0), "faithfulness")
            points.append({"way": way, "first": first, "size": size, "kept": heads, **numbers})
        name, area = ("cpr", _area(faithful)) if first == SIGNED else ("cmd", _area(np.abs(1 - faithful)))
        of_way = areas.setdefault(way, {"way": way, "n": len(ids)})
        of_way |= _with_interval(f"{name}_", area.mean(0), name)
    return pd.DataFrame(points)[POINT_COLUMNS], pd.DataFrame(list(areas.values()))[AREA_COLUMNS]


POINT_COLUMNS = ["way", "first", "size", "kept", "faithfulness", "low", "high"]
AREA_COLUMNS = ["way", "cpr", "cpr_low", "cpr_high", "cmd", "cmd_low", "cmd_high", "n"]


def _area(curve: Floats) -> Floats:
    """order draw: of curves over sizes (order size draw), by the trapezoidal rule."""
    return np.asarray(np.trapezoid(curve, SIZES, axis=1), np.float64)


def _with_interval(before: str, draws: Floats, name: str) -> dict[str, float]:
    """Of draws of which the first is what was measured."""
    low, high = interval(draws[1:])
    return {name: float(draws[0]), f"{before}low": low, f"{before}high": high}


def _is_sure(gap: Floats, ids: Sequence[ItemId]) -> bool:
    """Whether heads surely speak for the answer together."""
    known = estimates(moments_by_document(gap, ids))
    return bool(student_interval(known.mean, known.stderr, known.degrees)[0] > 0)


def circuit_sentence(areas: pd.DataFrame) -> str:
    """How much of the task small circuits keep."""
    if areas.empty:
        return "together, heads are not sure to speak for the answer: no circuit of them is evaluated"
    said = ", ".join(f"{r['way']} {r['cpr']:.2f} and {r['cmd']:.2f}" for r in areas.to_dict("records"))
    pairs = int(areas["n"].max())
    return (
        f"circuits of the heads chosen on half of the pairs, on the other {pairs:,} (CPR, better when "
        f"larger, and CMD, better when smaller): {said}"
    )
