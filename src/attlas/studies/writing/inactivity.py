"""How inactive a head is, by scores that need no training, and which of them predicts what removing it costs.

A score looks at a head's weights, at the vectors that they move, or at what the head gives, and each calls
other heads inactive (Sandoval-Segura et al. 2025, arXiv 2504.03889). The test is to remove them: a head that
is removed gives nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from scipy.stats import rankdata
from torch import Tensor

from attlas.address import Head
from attlas.array_types import Floats
from attlas.corpora.source import ItemId, seeded
from attlas.edits import zero
from attlas.edits.head_edit import HeadEdit
from attlas.reducers.reducer import ItemMeans, layer_of, reading_order
from attlas.statistics.bootstrap import draw_counts, interval
from attlas.statistics.clusters import estimates, moments_by_document
from attlas.statistics.hypotheses import student_interval
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation, ObservedCall

SHARE = 0.1  # of all heads: the most inactive, which are removed at once
RANDOM_SETS = 5
BY_WRITING = "written"  # the score that WriteLengths measures
RANDOM = "random heads"
#: score -> what it measures, and whether a head is inactive where that is large
SCORES: Mapping[str, tuple[str, bool]] = {
    "first_weight": ("weight on the first token", True),
    "entropy": ("entropy of its weights", False),
    "first_value": ("length of the first token's value", False),
    "value": ("mean length of values", False),
    "last_output": ("length of its output at the last token", False),
    "output": ("mean length of its output", False),
    "output_beside": ("mean length of its output beside its layer's heads", False),
    BY_WRITING: ("mean length of what it writes beside its layer's heads", False),
}
_OBSERVED = tuple(name for name in SCORES if name != BY_WRITING)


class InactivityScores(ItemMeans):
    """`kind.layer` -> head column: the scores of `SCORES`, averaged over the queries of an item. An output is
    Σ α v, before the output map."""

    name = "inactivity"
    needs = Needs(lazy_weights=True)

    def update(self, observation: Observation) -> None:
        for call in observation.calls:
            made = call.lazy_weights.call if call.lazy_weights is not None else None
            if made is not None:
                queries, keys = (getattr(observation.batch, side)(call.kind) for side in ("queries", "keys"))
                values = made.per_head(made.value).detach().float()  # batch head key dim
                columns = _columns(call, values, queries.real, keys.real)  # batch head column
                there = queries.real.any(-1)[:, None, None]
                self.add_items(f"{call.kind}.{call.layer}", columns, there, observation.batch)

    def scores(self) -> dict[Head, dict[str, float]]:
        by_head: dict[Head, dict[str, float]] = {}
        for key in sorted(self.sums, key=reading_order):
            for head, means in enumerate(self.mean(key).mean.tolist()):
                by_head[Head(*layer_of(key), head)] = dict(zip(_OBSERVED, means, strict=True))
        return by_head


def _columns(call: ObservedCall, values: Tensor, queries: Tensor, keys: Tensor) -> Tensor:
    """batch head column, of values (batch head key dim) and the tokens that are no padding."""
    assert call.lazy_weights is not None
    weights = call.lazy_weights.rows(0, call.lazy_weights.shape[2]).float()  # batch head query key
    outputs = torch.linalg.vector_norm(weights @ values, dim=-1)  # batch head query
    lengths = torch.linalg.vector_norm(values, dim=-1)  # batch head key
    rows = torch.arange(len(keys), device=keys.device)
    first = keys.int().argmax(-1)
    last = queries.shape[1] - 1 - queries.flip(-1).int().argmax(-1)
    output = _over(outputs, queries)
    by_score = {
        "first_weight": _over(weights[rows, :, :, first], queries),
        "entropy": _over(torch.special.entr(weights).sum(-1), queries),
        "first_value": lengths[rows, :, first],
        "value": _over(lengths, keys),
        "last_output": outputs[rows, :, last],
        "output": output,
        "output_beside": output / output.mean(-1, keepdim=True).clamp(min=1e-30),
    }
    return torch.stack([by_score[name] for name in _OBSERVED], -1).double()


def _over(values: Tensor, tokens: Tensor) -> Tensor:
    """batch head: the mean of values (batch head token) over tokens that are no padding."""
    counted = tokens[:, None].float()
    return (values * counted).sum(-1) / counted.sum(-1).clamp(min=1)


@dataclass(frozen=True)
class RemovalPlan:
    """Which heads are removed: each by itself; those that each score calls most inactive, at once; and as
    many random ones, several times."""

    heads: tuple[Head, ...]
    inactivity: Mapping[str, Floats]  # score -> head: larger where it is less active
    seed: int = 0

    @staticmethod
    def of(scores: Mapping[Head, Mapping[str, float]], seed: int) -> RemovalPlan:
        heads = tuple(sorted(scores))
        signs = {name: 1.0 if large else -1.0 for name, (_, large) in SCORES.items()}
        return RemovalPlan(
            heads,
            {name: np.array([sign * scores[h][name] for h in heads]) for name, sign in signs.items()},
            seed,
        )

    @property
    def together(self) -> int:
        """How many heads are removed at once."""
        return max(1, round(SHARE * len(self.heads)))

    @property
    def sets(self) -> list[tuple[str, tuple[Head, ...]]]:
        chosen = [
            (name, np.argsort(-values, kind="stable")[: self.together])
            for name, values in self.inactivity.items()
        ]
        for number in range(RANDOM_SETS):
            rng = np.random.default_rng(seeded(self.seed, "removed", number))
            chosen.append((RANDOM, rng.permutation(len(self.heads))[: self.together]))
        return [(name, tuple(sorted(self.heads[i] for i in places))) for name, places in chosen]

    def edits(self) -> list[HeadEdit]:
        return [zero([head]) for head in self.heads] + [zero(heads) for _, heads in self.sets]


def removal_tables(
    plan: RemovalPlan, scores: Mapping[Head, Mapping[str, float]], losses: Floats, ids: Sequence[ItemId]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """From losses (edit item), the first without any: what removing each head costs, beside its scores; and
    for every score how well it predicts that (the correlation of ranks, above 0 where heads that it calls
    inactive cost less) and what its most inactive heads cost together."""
    changes = losses[1:] - losses[0]
    alone, together = changes[: len(plan.heads)], changes[len(plan.heads) :]
    known = estimates(moments_by_document(alone, ids))
    address = pd.DataFrame([(h.kind, h.layer, h.head) for h in plan.heads], columns=["kind", "layer", "head"])
    by_head = {name: [scores[head][name] for head in plan.heads] for name in SCORES}
    heads = address.assign(**by_head, removed=known.mean, stderr=known.stderr, n=known.items.astype(int))
    draws = np.column_stack([np.ones(len(ids)), draw_counts(ids, plan.seed)])
    draws = draws[:, draws.sum(0) > 0]
    costs = alone @ (draws / draws.sum(0))  # head draw: the first of all items, once
    names = [name for name, _ in plan.sets]
    rows = []
    for name in dict.fromkeys(names):
        of_name = together[[place for place, other in enumerate(names) if other == name]].mean(0)
        words = SCORES[name][0] if name in SCORES else name
        row = {"score": name, "measures": words, "heads": plan.together}
        ranked = _correlate(plan.inactivity[name], costs) if name in SCORES else np.full(2, np.nan)
        low, high = interval(ranked[1:])
        row |= {"correlation": float(ranked[0]), "low": low, "high": high}
        rows.append(row | _mean_change(of_name, ids))
    return heads, pd.DataFrame(rows)


def _mean_change(changes: Floats, ids: Sequence[ItemId]) -> dict[str, float]:
    known = estimates(moments_by_document(changes, ids))
    low, high = student_interval(known.mean, known.stderr, known.degrees)
    numbers = {"change": known.mean, "change_low": low, "change_high": high}
    return {**{name: float(value) for name, value in numbers.items()}, "n": len(ids)}


def _correlate(inactivity: Floats, costs: Floats) -> Floats:
    """draw: the correlation of ranks between how inactive heads are and how little they cost (head draw)."""
    ranks, others = rankdata(inactivity), rankdata(-costs, axis=0)
    ranks = ranks - ranks.mean()
    others = others - others.mean(0)
    lengths = np.sqrt((ranks**2).sum() * (others**2).sum(0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(ranks @ others / lengths, np.float64)


def removal_sentence(inactive: pd.DataFrame) -> str:
    """Which scores predict what removing a head costs."""
    scores, random = (inactive[(inactive["score"] == RANDOM) == is_random] for is_random in (False, True))
    order = scores.sort_values("correlation", ascending=False, kind="stable").to_dict("records")
    best, worst = order[0], order[-1]
    cost = float(random["change"].iloc[0])
    return (
        f"how little removing a head costs goes most with {_say_score(best)} and least with "
        f"{_say_score(worst)}; removing {best['heads']:,} random heads at once changes the loss by "
        f"{cost:+.3f}"
    )


def _say_score(row: Mapping[object, object]) -> str:
    return (
        f"{row['measures']} (rank correlation {row['correlation']:+.2f}, 95 % {row['low']:+.2f} to "
        f"{row['high']:+.2f}; its {row['heads']:,} least active heads at once {row['change']:+.3f})"
    )
