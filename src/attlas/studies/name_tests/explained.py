"""What names account for: from the losses of a sweep to the tables of a chapter, and to sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from attlas.array_types import Floats
from attlas.corpora.source import ItemId
from attlas.row import Row
from attlas.statistics.claims import NAME_HOLDS, SURE
from attlas.statistics.clusters import degrees, document_sums, effective_units
from attlas.statistics.hypotheses import above_zero, holm, not_zero, student_interval
from attlas.statistics.verdicts import VERDICTS, Estimate, Judgement, Verdict, judge
from attlas.studies.disabling.outcomes import Outcomes
from attlas.studies.name_tests.following import Claim
from attlas.wording.names import PATTERNS
from attlas.wording.numbers import count

WAYS = ("name", "mean", "zero", "other name")  # what is done to each head, in the order of the sweep
RANDOM = 4  # draws of a random pattern for every head at once
TABLE, ALL, BY_NAME = "name_tests", "names_together", "names_by_name"
NEIGHBOURS = ("next", "previous")  # names of which it is asked how much they restore alone
ALONE = "next and previous alone"
WORTHLESS = "the loss is not shown to rise without the head"


@dataclass(frozen=True)
class Restored:
    """The part of a head's worth to the loss that something restores, with its 95 % interval (Fieller's) over
    documents, and the tests that it rests on: whether the head is worth anything, and whether anything is
    restored."""

    value: float
    stderr: float
    low: float
    high: float
    worth: float
    worth_p: float
    p: float


@dataclass(frozen=True)
class Explained:
    """What a name restores, and the verdict. Where the head's worth is not shown, there is no ratio."""

    value: float
    stderr: float
    low: float
    high: float
    worth: float
    worth_p: float
    judged: Judgement

    @property
    def verdict(self) -> Verdict:
        return self.judged.verdict


def share_restored(plain: Floats, without: Floats, instead: Floats, ids: Sequence[ItemId]) -> Restored:
    """(without - instead) / (without - plain), of mean losses; each has a number for every item.

    Fieller's interval has every ratio r for which the mean of (without - instead) - r (without - plain) does
    not differ from 0. It is bounded where what the head is worth surely differs from 0.
    """
    both = np.stack([without - instead, without - plain])
    several = len({item.document for item in ids}) > 1
    sums, items = document_sums(both, ids) if several else (both, np.ones(len(ids)))
    (gained, worth), n = both.mean(1), items.sum()
    off = sums - both.mean(1, keepdims=True) * items  # 2 document
    units = float(effective_units(n, items @ items))
    errors = off @ off.T / n**2 * (units / (units - 1) if units > 1 else np.nan)
    freedom = degrees(len(ids), units)
    worth_p = float(not_zero(worth, np.sqrt(errors[1, 1]), freedom))
    p = float(above_zero(gained, np.sqrt(errors[0, 0]), freedom))
    value = float(gained / worth) if worth else float("nan")
    spread = np.array([1.0, -value]) @ errors @ np.array([1.0, -value])
    stderr = float(np.sqrt(max(spread, 0.0)) / abs(worth)) if worth else float("nan")
    low, high = _fieller(gained, worth, errors, float(student_interval(0.0, 1.0, freedom)[1]))
    return Restored(value, stderr, low, high, float(worth), worth_p, p)


def _fieller(above: float, below: float, errors: Floats, t: float) -> tuple[float, float]:
    square, middle, constant = np.array([below**2, above * below, above**2]) - t**2 * np.array(
        [errors[1, 1], errors[0, 1], errors[0, 0]]
    )
    if not square > 0:
        return float("nan"), float("nan")
    half = np.sqrt(max(middle**2 - square * constant, 0.0))
    return float((middle - half) / square), float((middle + half) / square)


def explain(several: Sequence[Restored], documents: int) -> list[Explained]:
    """The verdict on each, corrected (Holm) over all: first for what heads are worth, then for what names of
    those that are worth something restore."""
    worth_p = holm(np.array([r.worth_p for r in several], np.float64)).tolist()
    asked = [r.worth > 0 and p < SURE and np.isfinite(r.low) for r, p in zip(several, worth_p, strict=True)]
    p_values = iter(holm(np.array([r.p for r, is_asked in zip(several, asked, strict=True) if is_asked])))
    return [
        _explain(r, p, documents, float(next(p_values)) if is_asked else None)
        for r, p, is_asked in zip(several, worth_p, asked, strict=True)
    ]


def _explain(r: Restored, worth_p: float, documents: int, p: float | None) -> Explained:
    measured = Estimate(r.value, r.low, r.high, documents)
    if p is None:
        judged = judge("explained", Estimate(float("nan")), why_not=WORTHLESS)
        nothing = float("nan")
        return Explained(nothing, nothing, nothing, nothing, r.worth, worth_p, judged)
    return Explained(r.value, r.stderr, r.low, r.high, r.worth, worth_p, judge("explained", measured, p=p))


def tables_of(
    claims: Sequence[Claim], others: Sequence[Claim], outcomes: Outcomes
) -> dict[str, pd.DataFrame]:
    """A row for every head: the loss in each way, what it is worth, and how much of that its name, and the
    name of another head, restore. And the loss with all heads at once."""
    ids: list[ItemId] = outcomes.ids()
    read = len(ids), len({item.document for item in ids})
    table = outcomes.table()
    plain, rows = table[0], []
    by_way = [table[1 + len(WAYS) * place :][: len(WAYS)] for place in range(len(claims))]
    parts = explain([share_restored(plain, way[1], way[0], ids) for way in by_way], read[1])
    for claim, other, ways, by_name in zip(claims, others, by_way, parts, strict=True):
        named, without, nothing, by_other = ways
        losses = [float(values.mean()) for values in (plain, named, without, nothing, by_other)]
        address = claim.head.kind, claim.head.layer, claim.head.head, claim.pattern
        numbers = by_name.value, by_name.stderr, by_name.low, by_name.high, by_name.worth, by_name.worth_p
        control = share_restored(plain, without, by_other, ids).value
        beside = other.pattern, control if np.isfinite(by_name.value) else float("nan")
        decided = by_name.verdict, by_name.judged.documents
        rows.append((*address, *losses, *numbers, *beside, *decided, *read))
    together, of_names = np.split(table[1 + len(WAYS) * len(claims) :], [3 + RANDOM])
    columns = ["kind", "layer", "head", "pattern", "loss", "loss_by_name", "loss_mean", "loss_zero"]
    columns += ["loss_by_other", "explained", "stderr", "low", "high", "worth", "worth_p", "other"]
    columns += ["explained_by_other", "verdict", "documents_needed", "n", "documents"]
    return {
        TABLE: pd.DataFrame(rows, columns=columns),
        ALL: _together(plain, together, ids, claims),
        BY_NAME: _by_name(claims, plain, of_names, ids),
    }


def names_of(claims: Sequence[Claim]) -> list[str]:
    """The different names of heads, in the order in which they are met."""
    return list(dict.fromkeys(claim.pattern for claim in claims))


def _by_name(claims: Sequence[Claim], plain: Floats, losses: Floats, ids: Sequence[ItemId]) -> pd.DataFrame:
    """All heads of a name at once: single heads may be worth too little for a test."""
    read = len(ids), len({item.document for item in ids})
    names, ways = names_of(claims), losses.reshape(-1, 2, len(plain))
    parts = explain([share_restored(plain, without, by_name, ids) for by_name, without in ways], read[1])
    rows = []
    for name, (by_name, without), made in zip(names, ways, parts, strict=True):
        heads = sum(claim.pattern == name for claim in claims)
        of_name = float(plain.mean()), float(by_name.mean()), float(without.mean())
        numbers = made.value, made.low, made.high, made.worth, made.worth_p
        rows.append((name, heads, *of_name, *numbers, made.verdict, made.judged.documents, *read))
    columns = ["pattern", "heads", "loss", "loss_by_name", "loss_mean", "explained", "low", "high", "worth"]
    columns += ["worth_p", "verdict", "documents_needed", "n", "documents"]
    return pd.DataFrame(rows, columns=columns)


def _together(plain: Floats, losses: Floats, ids: Sequence[ItemId], claims: Sequence[Claim]) -> pd.DataFrame:
    """All heads at once: by their names, with their mean outputs, by random patterns (the mean of the draws),
    and with only those by their names that look at a neighbour, and all others with their mean outputs."""
    names, without, alone, random = losses[0], losses[1], losses[2], losses[3:].mean(0)
    neighbours = sum(claim.pattern in NEIGHBOURS for claim in claims)
    ways = {"unmodified": plain, "names": names, "mean": without, "random patterns": random}
    ways |= {ALONE: alone} if neighbours else {}
    rows = []
    for way, of_way in ways.items():
        (part,) = explain([share_restored(plain, without, of_way, ids)], len({item.document for item in ids}))
        heads = neighbours if way == ALONE else len(claims)
        rows.append((way, float(of_way.mean()), part.value, part.low, part.high, heads))
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
    loss, restores = at_once["loss"], at_once["explained"]
    alone = ""
    if ALONE in at_once.index and restores["names"] > 0:
        heads = count(int(at_once["heads"][ALONE]), "head")
        alone = f", {restores[ALONE]:.0%} by those of the {heads} named next or previous token alone"
    return [
        _count_verdicts(table),
        f"all of them at once: loss {loss['unmodified']:.3f} unmodified, {loss['names']:.3f} by their "
        f"names{_of_their_worth(restores['names'], alone)}, {loss['mean']:.3f} with their mean outputs, "
        f"{loss['random patterns']:.3f} by random patterns{_of_their_worth(restores['random patterns'])}",
        f"all heads of a name at once: {_say_names(tables[BY_NAME])}",
    ]


def _count_verdicts(table: pd.DataFrame) -> str:
    n, documents = int(table["n"].iloc[0]), int(table["documents"].iloc[0])
    many = table["verdict"].value_counts()
    shown, small, undecided, not_asked = (int(many.get(verdict, 0)) for verdict in VERDICTS)
    most = int((table["low"] > NAME_HOLDS).sum())
    needed = table.loc[table["verdict"] == "undecided", "documents_needed"]
    would = f" ({count(int(needed.median()), 'document')} would decide half of them)" if undecided else ""
    return (
        f"{count(len(table), 'name')} tested on {count(n, 'segment')} of {count(documents, 'document')} that "
        f"did not choose them: {shown:,} shown to account for what the head is worth to the loss, {most:,} "
        f"of them for more than half; {small:,} shown to account for little or nothing; {undecided:,} "
        f"undecided{would}; {not_asked:,} not asked, since {WORTHLESS}"
    )


def _say_names(table: pd.DataFrame) -> str:
    """next token shown (0.93, 95 % 0.90 to 0.96); local undecided (...; 90 documents would decide); ..."""
    rows = table[table["verdict"] != "not asked"].sort_values("explained", ascending=False, kind="stable")
    parts = []
    for row in rows.to_dict("records"):
        undecided = row["verdict"] == "undecided"
        more = f"; {count(int(row['documents_needed']), 'document')} would decide" if undecided else ""
        interval = f"{row['explained']:.2f}, 95 % {row['low']:.2f} to {row['high']:.2f}{more}"
        parts.append(f"{PATTERNS[row['pattern']]} {row['verdict']} ({interval})")
    not_asked = [PATTERNS[name] for name in table[table["verdict"] == "not asked"]["pattern"]]
    parts += [f"not asked: {', '.join(not_asked)}"] if not_asked else []
    return "; ".join(parts)


def _of_their_worth(share: float, more: str = "") -> str:
    return f" ({share:.0%} of what they are worth{more})" if share > 0 else ""
