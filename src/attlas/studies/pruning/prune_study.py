"""Pruning (Michel 2019): how many heads can go, and in which order?

One half of the items says which heads matter; on the other half heads are taken away in that order, and in
random orders beside it. Judged on the items that chose them, the orders would look better than they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from attlas.address import Head
from attlas.atlas.chapter import Chapter
from attlas.choices import PruneOrder
from attlas.corpora.halves import Half, Unit
from attlas.corpora.source import Source, seeded
from attlas.edits import zero
from attlas.edits.sweep import Sweep
from attlas.engines import Merged, Pass
from attlas.errors import AttlasError
from attlas.reducers.reducer import ItemMeans, layer_of, reading_order, table
from attlas.row import Row
from attlas.studies.disabling.evaluation import Evaluation
from attlas.studies.disabling.outcomes import Metric, OutcomeChange, Outcomes, changes
from attlas.studies.disabling.screening import HalfCounts
from attlas.studies.disabling.sweep_trial import CheckedSweep, check_sweep
from attlas.studies.provenance import (
    about,
    chapter_name,
    corpus_name,
    described,
    items_of,
    of_documents,
    one_document,
)
from attlas.studies.pruning.prune_result import RANDOM, SAVED, PruneResult
from attlas.studies.pruning.smaller_model import heads_to_go, save_smaller
from attlas.studies.study import RunPass
from attlas.subject import Subject
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation


class GateGradients(ItemMeans):
    """`gate_gradient`: the mean over items of |dL/dξ|, ξ being a factor of what the head gives, at 1, and L
    the item's loss. The absolute value is taken of each item, so that items do not cancel each other out."""

    name = "gates"
    needs = Needs(gates=True)

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            if call.gates is not None:
                sizes = call.gates.abs()[..., None]  # batch head 1
                every = sizes.new_ones(1, 1, 1).bool()
                self.add_items(f"{call.kind}.{call.layer}", sizes, every, observation.batch)

    def rows(self) -> list[Row]:
        return table(self, [("gate_gradient", "")])

    def importance(self) -> dict[Head, float]:
        """Divided by the length of the layer's vector, since layers differ in scale."""
        importance: dict[Head, float] = {}
        for key in sorted(self.sums, key=reading_order):
            means = self.mean(key).mean[:, 0]
            length = float(np.linalg.norm(means)) or 1.0
            importance |= {Head(*layer_of(key), h): float(m) / length for h, m in enumerate(means)}
        return importance


WORSE = 0.01  # of the score: what a recommendation may cost at most
FEW_ITEMS = 30  # fewer say little of a small loss


@dataclass(frozen=True)
class Point:
    """A point of a curve: an order, which draw of it, and the heads that are gone."""

    order: str
    draw: int
    gone: frozenset[Head]


@dataclass(frozen=True, kw_only=True)
class Prune:
    subject: Subject
    evaluation: Evaluation
    orders: tuple[PruneOrder, ...] = ("effect", "gradient")
    steps: int = 10
    randoms: int = 5
    keep: float | None = None  # of the heads, in a smaller model
    seed: int = 0
    kernel: str | None = None
    by: Unit = "document"  # what the halves are made of; few documents are halved by items

    @property
    def source(self) -> Source:
        return self.evaluation.source

    @property
    def metric(self) -> Metric:
        return self.evaluation.metric

    @property
    def name(self) -> str:
        return chapter_name("prune", self.source)

    def describe(self) -> dict[str, Any]:
        settings = {
            "orders": list(self.orders),
            "steps": self.steps,
            "random": self.randoms,
            "keep": self.keep,
            "score": self.metric.name,
            "seed": self.seed,
            "kernel": self.kernel,
            "faithful": False,
        }
        return described("prune", self.source, settings)

    def conclude(self, run: RunPass) -> Chapter:
        counting = Pass("halves", self.source, [HalfCounts(self.seed)], doing="halving the items")
        halves = run(counting).reducer(HalfCounts)
        study = replace(self, by=halves.by())
        if self.metric.apart is not None and "gradient" in self.orders:  # 0 where nothing is edited
            others = tuple(order for order in self.orders if order != "gradient") or ("effect",)
            study = replace(study, orders=others)
        return study._conclude_by_half(run)

    def _conclude_by_half(self, run: RunPass) -> Chapter:
        rows: list[Row] = []
        orders: dict[str, list[Head]] = {}  # order -> heads, the first to go first
        importance: dict[str, dict[Head, float]] = {}
        one_by_one = self._sweep([[head] for head in self.subject.heads])
        checked = check_sweep(one_by_one, self.subject, self.source, run)
        alone: dict[Head, OutcomeChange] = {}  # one sweep, from which `effect` orders and `greedy` sets out
        if set(self.orders) - {"gradient"}:
            alone = self._effects(run, "alone", "without each head", [], self.subject.heads, checked)
        for order in self.orders:
            if order == "gradient":
                gates = self._gates(run)
                rows += gates.rows()
                importance[order] = gates.importance()
            else:
                rows += _effect_rows(alone, self.metric) if order == "effect" else []
                importance[order] = {head: self._harm(change) for head, change in alone.items()}
            orders[order] = sorted(self.subject.heads, key=lambda h: (importance[order][h], h))
            if order == "greedy":
                orders[order] = self._greedy(run, importance[order], checked)
        curves, done = self._curves(run, orders, checked)
        return Chapter(
            self.name,
            about(self.describe(), done, [*self._notes(curves, orders, done), *checked.notes]),
            rows,
            {"pruned": curves, "order": _order_table(orders, importance)},
        )

    def _harm(self, change: OutcomeChange) -> float:
        return -change.change if self.metric.more_is_better else change.change

    def _gates(self, run: RunPass) -> GateGradients:
        half = self.source.only(Half(True, self.seed, self.by))
        done = run(
            Pass(
                "gates",
                half,
                [GateGradients()],
                gradients=True,
                kernel=self.kernel,
                seed=self.seed,
                doing="gradients of heads",
            )
        )
        self._refuse_empty_half(done)
        return done.reducer(GateGradients)

    def _sweep(self, sets: Sequence[Sequence[Head]], shared: bool = True) -> Sweep:
        """Each of some sets of heads is zero."""
        edits = [zero(heads).resolved(self.subject.heads) for heads in sets]
        return Sweep(edits, self.evaluation.measure, shared, self.seed, self.kernel)

    def _refuse_empty_half(self, done: Merged) -> None:
        if not done.counts["items"]:
            raise AttlasError(f"{corpus_name(self.source)} has too few items to split into two halves")

    def _effects(
        self,
        run: RunPass,
        name: str,
        doing: str,
        gone: Sequence[Head],
        heads: Sequence[Head],
        checked: CheckedSweep,
    ) -> dict[Head, OutcomeChange]:
        """What each of some heads is worth once others are gone."""
        sweep = self._sweep([[*gone, head] for head in heads], checked.sweep.shared)
        changed, _ = self._judge_sweep(run, name, doing, True, sweep)
        return dict(zip(heads, changed, strict=True))

    def _judge_sweep(
        self, run: RunPass, name: str, doing: str, choosing: bool, sweep: Sweep
    ) -> tuple[list[OutcomeChange], Merged]:
        half = self.source.only(Half(choosing, self.seed, self.by))
        done = run(Pass(name, half, [Outcomes()], sweep=sweep, doing=doing))
        self._refuse_empty_half(done)
        return changes(done.reducer(Outcomes), self.metric, self.seed, len(sweep.edits)), done

    def _greedy(self, run: RunPass, first: dict[Head, float], checked: CheckedSweep) -> list[Head]:
        """Again and again the heads that matter least, once those before them are gone."""
        gone: list[Head] = []
        left = list(self.subject.heads)
        importance = first
        for step, count in enumerate(np.diff([0, *_removal_steps(len(left), self.steps)]).tolist()):
            if step:
                name, doing = f"greedy-{step}", "taking heads away"
                effects = self._effects(run, name, doing, gone, left, checked)
                importance = {head: self._harm(change) for head, change in effects.items()}
            going = sorted(left, key=lambda h: (importance[h], h))[:count]
            gone += going
            left = [head for head in left if head not in going]
        return gone

    def _curves(
        self, run: RunPass, orders: dict[str, list[Head]], checked: CheckedSweep
    ) -> tuple[pd.DataFrame, Merged]:
        """The points of every curve, and the pass that measured them."""
        points = self._curve_points(orders)
        sets = list(dict.fromkeys(point.gone for point in points if point.gone))
        sweep = self._sweep([sorted(gone) for gone in sets], checked.sweep.shared)
        changed, done = self._judge_sweep(run, "curves", "taking heads away", False, sweep)
        plain = changed[0].plain
        values = {frozenset[Head](): (plain, 0.0, 0.0, 0.0)}
        values |= {
            gone: (change.edited, change.change, change.low, change.high)
            for gone, change in zip(sets, changed, strict=True)
        }
        every = len(self.subject.heads)
        rows = [(p.order, p.draw, every - len(p.gone), *values[p.gone]) for p in points]
        table = pd.DataFrame(rows, columns=["order", "draw", "kept", "value", "change", "low", "high"])
        documents = max(change.documents for change in changed)
        table = table.assign(heads=every, plain=plain, score=self.metric.name, documents=documents)
        return table.sort_values(["order", "draw", "kept"], kind="stable", ignore_index=True), done

    def _curve_points(self, orders: dict[str, list[Head]]) -> list[Point]:
        """The points of each order, of random ones beside them, and of the model that is to be saved."""
        every = list(self.subject.heads)
        curves = [(name, 0, heads) for name, heads in orders.items()]
        for draw in range(self.randoms):
            rng = np.random.default_rng(seeded(self.seed, "order", draw))
            curves.append((RANDOM, draw, [every[i] for i in rng.permutation(len(every))]))
        points = [
            Point(name, draw, frozenset(heads[:many]))
            for name, draw, heads in curves
            for many in (0, *_removal_steps(len(every), self.steps))
        ]
        if self.keep is not None:
            going = heads_to_go(self.subject, orders[self.orders[0]], self.keep)
            points += [Point(SAVED, 0, frozenset()), Point(SAVED, 0, frozenset(going))]
        return points

    def _notes(self, curves: pd.DataFrame, orders: Mapping[str, Sequence[Head]], done: Merged) -> list[str]:
        plain = float(curves["plain"].iloc[0])
        documents, what = int(curves["documents"].iloc[0]), items_of(self.source)
        read = of_documents(done.counts["items"], documents, what)
        notes = [
            f"{self.metric.name} {plain:.4f} over {read} as the model is; heads were chosen on other "
            f"{'documents' if self.by == 'document' and documents < done.counts['items'] else 'items'}"
        ]
        notes += one_document([documents], [done.counts["items"]], what)
        if done.counts["items"] < FEW_ITEMS:
            notes.append(f"{done.counts['items']:,} items are too few to be sure of a small loss")
        notes += recommend(curves, orders, self.metric, len(self.subject.kinds) > 1)
        for order, heads in orders.items():
            fewest = fewest_without_loss(curves[curves["order"] == order], self.metric)
            going = [str(head) if len(self.subject.kinds) == 1 else head.full for head in heads]
            going = going[: len(heads) - fewest]
            notes.append(
                f"{order}: down to {fewest:,} of {len(heads):,} heads with no sure loss; these go first: "
                f"{', '.join(going)}"
                if going
                else f"{order}: already the first step has a sure loss"
            )
        return notes

    def save(self, result: PruneResult, folder: Path) -> PruneResult:
        """Writes the smaller model that the curves have a point of."""
        assert self.keep is not None
        going = heads_to_go(self.subject, result.goes_first(self.orders[0]), self.keep)
        prepared = next(p for p in map(self.source.prepare, self.source.shards()) if len(p.items))
        batch = next(iter(self.source.batches(self.subject, prepared.items)))
        smaller = result.table[
            (result.table["order"] == SAVED) & (result.table["kept"] < len(self.subject.heads))
        ]
        row = smaller.iloc[0]
        score = f"{self.metric.name} {row['value']:.4f}, and {row['plain']:.4f} with all heads"
        saved = save_smaller(self.subject, going, folder, batch, f"Over {corpus_name(self.source)}: {score}.")
        return replace(result, written=(*result.written, *saved.sentences(), f"its {score}"))


def recommend(
    curves: pd.DataFrame, orders: Mapping[str, Sequence[Head]], metric: Metric, several_kinds: bool
) -> list[str]:
    """Say which heads to remove: the most of them without which the score is surely (95 %) worse by less than
    one part in a hundred; a distance, by less than the smallest size that matters."""
    plain = float(curves["plain"].iloc[0])
    most = metric.smallest or WORSE * abs(plain)
    worst = -curves["low"] if metric.more_is_better else curves["high"]
    fine = curves[curves["order"].isin(list(orders)) & (curves["kept"] < curves["heads"]) & (worst < most)]
    rule = f"surely (95 %) by less than {most:.2g}" if metric.smallest else "surely (95 %) by less than 1 %"
    if fine.empty:
        return [f"no head can be recommended for removal: none of these steps makes it worse {rule}"]
    harm = -fine["change"] if metric.more_is_better else fine["change"]
    best = fine.assign(harm=harm).sort_values(["kept", "harm"], kind="stable").iloc[0]
    gone = int(best["heads"] - best["kept"])
    named = ", ".join(head.write(several_kinds) for head in orders[str(best["order"])][:gone])
    names = ("low", "change", "high")
    low, change, high = (100 * float(best[name]) / abs(plain) if plain else 0.0 for name in names)
    moves = f"changes by {change:+.1f} % ({low:+.1f} to {high:+.1f})"
    if metric.smallest:
        moves = f"moves by {best['change']:.4f} ({best['low']:.4f} to {best['high']:.4f})"
    why = f"The rule: the most that make it worse {rule}"
    return [f"remove these {gone:,}: the {metric.name} {moves}. {why}: {named}"]


def fewest_without_loss(curve: pd.DataFrame, metric: Metric) -> int:
    """How many heads are left before the first point at which something is lost for sure: the interval of the
    change lies on the worse side of none, or there is no score any more."""
    curve = curve.sort_values("kept", ascending=False)
    # never of NaN; a distance is never 0
    fine = curve["high"] >= 0 if metric.more_is_better else curve["low"] <= metric.smallest
    fine |= curve["change"] == 0  # nothing changed, so that there is no interval
    return int(curve["kept"][fine.cummin()].min())


def _removal_steps(heads: int, steps: int) -> list[int]:
    """How many heads are gone at each point of a curve."""
    steps = min(steps, heads)  # more of them are the same points
    return sorted({round(heads * step / steps) for step in range(1, steps + 1)} - {0})


def _effect_rows(effects: dict[Head, OutcomeChange], metric: Metric) -> list[Row]:
    return [
        Row(h.kind, h.layer, h.head, metric.effect, "zero", c.change, c.stderr, c.n, c.documents)
        for h, c in effects.items()
    ]


def _order_table(orders: dict[str, list[Head]], importance: dict[str, dict[Head, float]]) -> pd.DataFrame:
    """A row for every head: how important it is, and when it goes (1 first), by each order."""
    rows = []
    for head in sorted(next(iter(orders.values()))):
        row: dict[str, Any] = {"kind": head.kind, "layer": head.layer, "head": head.head}
        for order, heads in orders.items():
            row |= {order: importance[order][head], f"{order}_goes": heads.index(head) + 1}
        rows.append(row)
    return pd.DataFrame(rows)
