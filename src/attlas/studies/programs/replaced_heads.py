"""What is put in the place of which heads, what the model then loses, and what of that programs give back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from attlas.address import Head, Kind
from attlas.array_types import Floats
from attlas.corpora.source import seeded
from attlas.statistics.bootstrap import draw_counts
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.name_tests.explained import Explained, explain, share_restored
from attlas.studies.programs.fitting import HeadSums
from attlas.studies.programs.program_shares import Fits
from attlas.studies.programs.replacing import Formula, Trial
from attlas.wording.numbers import percent, percent_change

PERCENTS = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)  # of all heads that are replaced at once
#: what is put in a head's place
PROGRAM, SINGLE, MEAN = "programs", "one program", "mean output"
OTHER, RANDOM = "programs of another head of its layer", "programs of a random head"
WAYS = (PROGRAM, SINGLE, MEAN, OTHER, RANDOM)
#: which heads are replaced first, by the documents of the fit: those of which programs leave out least,
#: beside the length of the stream; those of which mean outputs do; those that programs explain best, as a
#: share; any
LEAST, LEAST_MEAN = "programs leave out least first", "means leave out least first"
BEST, ANY = "best explained first", "random order"
MOST_COST = 1.10  # times the perplexity
HALF = 50  # percent of heads


@dataclass(frozen=True)
class Planned:
    """Heads, what is put in their place, and in which order they were taken."""

    order: str
    way: str
    percent: int  # of all heads; 0: one by itself
    formulas: tuple[Formula, ...]

    def made(self) -> Trial:
        return Trial(f"{self.way} in the place of heads", self.formulas)


@dataclass(frozen=True)
class Scales:
    """What lengths are measured by: each head's part of the output map (model dim), and the stream's length
    in each layer. Both may be unknown."""

    maps: Mapping[Head, Floats]
    streams: Mapping[tuple[Kind, int], float]

    def beside_stream(self, squares: float, head: Head) -> float:
        return squares / self.streams.get((head.kind, head.layer), 1.0) ** 2


def order_heads(
    sums: Mapping[Head, HeadSums], fits: Mapping[Head, Fits], scales: Scales, rng: np.random.Generator
) -> dict[str, list[Head]]:
    """Which heads are replaced first, in each order."""
    heads = sorted(fits)

    def by_programs(head: Head) -> float:
        return scales.beside_stream(sums[head].left_out(fits[head].programs), head)

    def by_mean(head: Head) -> float:
        return scales.beside_stream(sums[head].left_out_by_mean(scales.maps.get(head)), head)

    return {
        LEAST: sorted(heads, key=by_programs),
        LEAST_MEAN: sorted(heads, key=by_mean),
        BEST: sorted(heads, key=lambda head: -fits[head].programs.explained),
        ANY: [heads[i] for i in rng.permutation(len(heads))],
    }


def make_trials(
    sums: Mapping[Head, HeadSums],
    fits: Mapping[Head, Fits],
    scales: Scales,
    programs: int,
    seed: int,
    alone: bool,
) -> list[Planned]:
    """Every way for more and more heads, those first of which programs leave out least; programs and means in
    the other orders, too; and perhaps each head by itself."""
    rng = np.random.default_rng(seeded(seed, "replaced"))
    heads = sorted(fits)
    ways = {way: _formulas(way, heads, sums, fits, programs, rng) for way in WAYS}
    orders = order_heads(sums, fits, scales, rng)
    planned = []
    for order, in_order in orders.items():
        of_order = WAYS if order == LEAST else (PROGRAM, MEAN)
        for part in PERCENTS:
            if part == 100 and order != LEAST:
                continue  # all heads, in whatever order
            chosen = in_order[: max(1, round(part * len(heads) / 100))]
            planned += [
                Planned(order, way, part, tuple(ways[way][head] for head in chosen)) for way in of_order
            ]
    if alone:
        planned += [Planned("alone", way, 0, (ways[way][head],)) for head in heads for way in WAYS]
    return planned


def _formulas(
    way: str,
    heads: Sequence[Head],
    sums: Mapping[Head, HeadSums],
    fits: Mapping[Head, Fits],
    programs: int,
    rng: np.random.Generator,
) -> dict[Head, Formula]:
    """What each head does instead."""
    made = {}
    for head in heads:
        fit = fits[head].single if way == SINGLE else fits[head].programs
        if way in (OTHER, RANDOM):
            layer = [h for h in heads if (h.kind, h.layer) == (head.kind, head.layer)]
            others = [h for h in (layer if way == OTHER else heads) if h != head] or [head]
            fit = fits[others[int(rng.integers(len(others)))]].programs
        weights = fit.whole(programs)
        weights = np.zeros_like(weights) if way == MEAN else weights
        made[head] = Formula(head, weights, _rest(sums[head], weights))
    return made


def _rest(sums: HeadSums, weights: Floats) -> Floats:
    """dim: what a head gives on average that these programs (class program) do not."""
    by_programs = np.einsum("cp,cpd->d", weights, sums.program_gives)
    return np.asarray((sums.head_gives - by_programs) / max(sums.rows, 1.0), np.float64)


@dataclass(frozen=True)
class Replacements:
    planned: Sequence[Planned]
    outcomes: Outcomes
    heads: int
    seed: int

    def tables(self) -> dict[str, pd.DataFrame]:
        table = self._table()
        together, alone = table[table["percent"] > 0], table[table["percent"] == 0]
        tables = {"replaced": together.drop(columns=["kind", "layer", "head"]).reset_index(drop=True)}
        if len(alone):
            tables["replaced_alone"] = alone.drop(columns=["order", "percent", "heads"]).reset_index(
                drop=True
            )
        return tables

    def _table(self) -> pd.DataFrame:
        ids = self.outcomes.ids()
        losses, weights = self.outcomes.table(), draw_counts(ids, self.seed)
        means = {
            self._group(planned): losses[1 + place]
            for place, planned in enumerate(self.planned)
            if planned.way == MEAN
        }
        documents = len({item.document for item in ids})
        known = [
            share_restored(losses[0], means[self._group(planned)], loss, ids)
            for planned, loss in zip(self.planned, losses[1:], strict=True)
        ]
        curves: dict[tuple[str, str], list[int]] = {}  # each is corrected for its own points
        for place, planned in enumerate(self.planned):
            if planned.way != MEAN:
                curves.setdefault((planned.order, planned.way), []).append(place)
        judged: dict[int, Explained] = {}
        for places in curves.values():
            judged |= zip(places, explain([known[place] for place in places], documents), strict=True)
        rows = []
        for place, (planned, loss) in enumerate(zip(self.planned, losses[1:], strict=True)):
            head, of_place = planned.formulas[0].head, judged.get(place)
            rows.append(
                {
                    **{"kind": head.kind, "layer": head.layer, "head": head.head},
                    **{"order": planned.order, "way": planned.way, "percent": planned.percent},
                    "heads": len(planned.formulas),
                    "plain": float(losses[0].mean()),
                    "loss": float(loss.mean()),
                    **_cost(loss - losses[0], weights),
                    "restored": of_place.value if of_place else np.nan,
                    "low": of_place.low if of_place else np.nan,
                    "high": of_place.high if of_place else np.nan,
                    "verdict": of_place.verdict if of_place else "",
                    **{"n": len(ids), "documents": documents},
                }
            )
        return pd.DataFrame(rows)

    def _group(self, planned: Planned) -> tuple[Any, ...]:
        alone = planned.formulas[0].head if planned.percent == 0 else None
        order = LEAST if planned.percent == 100 else planned.order
        return order, planned.percent, alone

    def sentences(self) -> list[str]:
        return replaced_sentences(self.tables()["replaced"])


def _cost(difference: Floats, weights: Floats) -> dict[str, float]:
    """How many times the perplexity is of the model as it is, with its interval over documents."""
    weights = weights[:, weights.sum(0) > 0]
    drawn = np.exp(difference @ weights / weights.sum(0))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return {"times": float(np.exp(difference.mean())), "times_low": float(low), "times_high": float(high)}


def replaced_sentences(table: pd.DataFrame) -> list[str]:
    """Half of the heads replaced, beside their means; and how far one can go."""
    least = table[table["order"] == LEAST]
    by_way = {row["way"]: row for row in least[least["percent"] == HALF].to_dict("records")}
    programs = by_way[PROGRAM]
    cost = {way: percent_change(row["times"] - 1) for way, row in by_way.items()}
    half = (
        f"the {programs['heads']:,} of {least['heads'].max():,} heads of which programs leave out least, "
        f"replaced by them: perplexity {cost[PROGRAM]}; by their mean outputs {cost[MEAN]}; by one program "
        f"each {cost[SINGLE]}; by programs of other heads of their layers {cost[OTHER]}, of random heads "
        f"{cost[RANDOM]}"
    )
    return [half + _restored_words(programs), _how_far(table)]


def _restored_words(row: Mapping[Any, Any]) -> str:
    if not np.isfinite(row["restored"]):
        return (
            ". On these texts the heads are not shown to be worth more than their means: what programs "
            "restore of that cannot be said"
        )
    restored, low, high = (percent(row[name], 0) for name in ("restored", "low", "high"))
    return (
        f". Of what their attention is worth beyond the means, programs restore {restored} "
        f"(95 % {low} to {high})"
    )


def _how_far(table: pd.DataFrame) -> str:
    """The most heads that may be replaced at little cost, by programs and by means, each in its own order."""
    most = {}
    for way, order in ((PROGRAM, LEAST), (MEAN, LEAST_MEAN)):
        # all heads are replaced once, which has no order of its own
        of_way = table[(table["way"] == way) & ((table["order"] == order) | (table["percent"] == 100))]
        cheap = of_way[of_way["times"] <= MOST_COST]
        most[way] = int(cheap["percent"].max()) if len(cheap) else 0
    said = (
        f"heads that can be replaced at no more than {percent_change(MOST_COST - 1)} of perplexity, each way "
        f"in its own order: {', '.join(f'{many} % by {way}' for way, many in most.items())}"
    )
    if most[PROGRAM] > most[MEAN]:
        return said
    return f"{said}. Programs are not shown to do the work of heads that their means do not"
