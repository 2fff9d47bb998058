"""What names account for: from the losses of a sweep to the tables of a chapter, and to sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from attlas.array_types import Floats
from attlas.corpora.source import ItemId
from attlas.row import Row
from attlas.statistics.bootstrap import draw_counts, interval
from attlas.statistics.claims import NAME_HOLDS
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.name_tests.following import Claim
from attlas.wording.names import PATTERNS
from attlas.wording.numbers import count

WAYS = ("name", "mean", "zero", "other name")  # what is done to each head, in the order of the sweep
RANDOM = 4  # draws of a random pattern for every head at once
TABLE, ALL, BY_NAME = "name_tests", "names_together", "names_by_name"
VERDICTS = ("holds", "part", "label only", "worth nothing")


@dataclass(frozen=True)
class Explained:
    """The part of a head's worth that something restores, with a 95 % interval over documents; NaN where the
    head is worth nothing."""

    value: float
    stderr: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        if not np.isfinite(self.value):
            return "worth nothing"
        return "holds" if self.low > NAME_HOLDS else "part" if self.low > 0 else "label only"


def explained(plain: Floats, without: Floats, instead: Floats, weights: Floats) -> Explained:
    """(without - instead) / (without - plain), of mean losses. The first three have a number for every item,
    `weights` how often each draw of documents has it (item draw)."""
    weights = weights[:, weights.sum(0) > 0]  # a draw may have no document at all
    worth = (without - plain).mean()
    drawn_worth = (without - plain) @ weights
    if not worth > 0 or np.quantile(drawn_worth, 0.025) <= 0:
        return Explained(*[float("nan")] * 4)
    with np.errstate(invalid="ignore", divide="ignore"):
        draws = (without - instead) @ weights / drawn_worth
    low, high = interval(draws)
    some = draws[np.isfinite(draws)]
    return Explained(float((without - instead).mean() / worth), float(some.std(ddof=1)), low, high)


def tables_of(
    claims: Sequence[Claim], others: Sequence[Claim], outcomes: Outcomes, seed: int
) -> dict[str, pd.DataFrame]:
    """A row for every head: the loss in each way, what it is worth, and how much of that its name, and the
    name of another head, restore. And the loss with all heads at once."""
    ids: list[ItemId] = outcomes.ids()
    read = len(ids), len({item.document for item in ids})
    table, weights = outcomes.table(), draw_counts(ids, seed)
    plain, rows = table[0], []
    for place, (claim, other) in enumerate(zip(claims, others, strict=True)):
        named, without, nothing, by_other = table[1 + len(WAYS) * place :][: len(WAYS)]
        by_name, control = (explained(plain, without, way, weights) for way in (named, by_other))
        losses = [float(values.mean()) for values in (plain, named, without, nothing, by_other)]
        address = claim.head.kind, claim.head.layer, claim.head.head, claim.pattern
        numbers = by_name.value, by_name.stderr, by_name.low, by_name.high
        beside = other.pattern, control.value, by_name.verdict
        rows.append((*address, *losses, *numbers, *beside, *read))
    together, of_names = np.split(table[1 + len(WAYS) * len(claims) :], [2 + RANDOM])
    columns = ["kind", "layer", "head", "pattern", "loss", "loss_by_name", "loss_mean", "loss_zero"]
    columns += ["loss_by_other", "explained", "stderr", "low", "high", "other", "explained_by_other"]
    return {
        TABLE: pd.DataFrame(rows, columns=[*columns, "verdict", "n", "documents"]),
        ALL: _together(plain, together, weights, len(claims)),
        BY_NAME: _by_name(claims, plain, of_names, weights, read),
    }


def names_of(claims: Sequence[Claim]) -> list[str]:
    """The different names of heads, in the order in which they are met."""
    return list(dict.fromkeys(claim.pattern for claim in claims))


def _by_name(
    claims: Sequence[Claim], plain: Floats, losses: Floats, weights: Floats, read: tuple[int, int]
) -> pd.DataFrame:
    """All heads of a name at once: single heads may be worth too little for a test."""
    rows = []
    for name, (by_name, without) in zip(names_of(claims), losses.reshape(-1, 2, len(plain)), strict=True):
        made = explained(plain, without, by_name, weights)
        heads = sum(claim.pattern == name for claim in claims)
        of_name = float(plain.mean()), float(by_name.mean()), float(without.mean())
        rows.append((name, heads, *of_name, made.value, made.low, made.high, made.verdict, *read))
    columns = ["pattern", "heads", "loss", "loss_by_name", "loss_mean", "explained", "low", "high", "verdict"]
    return pd.DataFrame(rows, columns=[*columns, "n", "documents"])


def _together(plain: Floats, losses: Floats, weights: Floats, heads: int) -> pd.DataFrame:
    """All heads at once: by their names, with their mean outputs, and by random patterns (the mean of the
    draws)."""
    names, without, random = losses[0], losses[1], losses[2:].mean(0)
    ways = {"unmodified": plain, "names": names, "mean": without, "random patterns": random}
    rows = []
    for way, of_way in ways.items():
        restored = explained(plain, without, of_way, weights)
        rows.append((way, float(of_way.mean()), restored.value, restored.low, restored.high, heads))
    return pd.DataFrame(rows, columns=["what", "loss", "explained", "low", "high", "heads"])


def rows_of(table: pd.DataFrame) -> list[Row]:
    return [
        Row(
            *(r["kind"], r["layer"], r["head"], "explained", r["pattern"]),
            *(r["explained"], r["stderr"], r["n"], r["documents"]),
        )
        for r in table[table["explained"].notna()].to_dict("records")
    ]


def sentences(tables: Mapping[str, pd.DataFrame]) -> list[str]:
    table, at_once = tables[TABLE], tables[ALL].set_index("what")
    many = table["verdict"].value_counts()
    holds, part, label, nothing = (int(many.get(verdict, 0)) for verdict in VERDICTS)
    loss, restored = at_once["loss"], at_once["explained"]
    n, documents = int(table["n"].iloc[0]), int(table["documents"].iloc[0])
    return [
        f"{count(len(table), 'name')} tested on {count(n, 'segment')} of {count(documents, 'document')} that "
        f"did not choose them: {holds:,} account for more than half of what the head is worth to the loss, "
        f"{part:,} for a part, {label:,} for nothing; {nothing:,} heads are worth nothing that can be "
        "measured",
        f"all of them at once: loss {loss['unmodified']:.3f} unmodified, {loss['names']:.3f} by their "
        f"names{_of_their_worth(restored['names'])}, {loss['mean']:.3f} with their mean outputs, "
        f"{loss['random patterns']:.3f} by random patterns{_of_their_worth(restored['random patterns'])}",
        f"all heads of a name at once: {_names_said(tables[BY_NAME])}",
    ]


def _names_said(table: pd.DataFrame) -> str:
    """next token holds (0.93); local accounts for a part (0.31); ..."""
    said = {"holds": "holds", "part": "accounts for a part", "label only": "is a label only"}
    rows = table[table["verdict"] != "worth nothing"].sort_values("explained", ascending=False, kind="stable")
    parts = [
        f"{PATTERNS[row['pattern']]} {said[row['verdict']]} ({row['explained']:.2f}, "
        f"95 % {row['low']:.2f} to {row['high']:.2f})"
        for row in rows.to_dict("records")
    ]
    nothing = [PATTERNS[name] for name in table[table["verdict"] == "worth nothing"]["pattern"]]
    parts += [f"worth nothing: {', '.join(nothing)}"] if nothing else []
    return "; ".join(parts)


def _of_their_worth(restored: float) -> str:
    return f" ({restored:.0%} of what they are worth)" if restored > 0 else ""
