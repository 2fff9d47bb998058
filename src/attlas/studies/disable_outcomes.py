"""What a sweep measured of every item, and what follows from it: each edited run is paired with the plain one,
item by item, so that what makes an item hard or easy cancels out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import binom, t

from attlas.corpora.source import ItemId
from attlas.errors import AttlasError
from attlas.reducers.reducer import Row, State
from attlas.statistics.bootstrap import Bootstrap
from attlas.statistics.corrections import holm
from attlas.tap.needs import Needs
from attlas.tap.observation import Observation

Floats = npt.NDArray[np.float64]


class Outcomes:
    """One number of every item, without any edit and with each of a sweep's. As many numbers as items times
    edits: for the items that a sweep can be paid for, not for a corpus."""

    name = "outcomes"
    needs = Needs(output=True)

    def __init__(self) -> None:
        self.values: dict[ItemId, Floats] = {}  # item -> edit

    def update(self, observation: Observation) -> None:
        assert observation.outcomes is not None
        by_item = observation.outcomes.T.cpu().numpy()
        self.values |= zip(observation.batch.ids, by_item.astype(np.float64), strict=True)

    def merge(self, other: Outcomes) -> None:
        self.values |= other.values

    def state(self) -> State:
        if not self.values:
            return {}
        ids = sorted(self.values)
        return {"ids": np.array(ids, np.int64), "values": np.stack([self.values[i] for i in ids])}

    def restore(self, state: State) -> None:
        ids = state["ids"].tolist() if state else []
        self.values = {ItemId(*i): np.array(v) for i, v in zip(ids, state.get("values", ()), strict=True)}

    def result(self) -> list[Row]:
        return []

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {}

    def ids(self) -> list[ItemId]:
        return sorted(self.values)

    def table(self) -> Floats:
        """edit item, the items in the order of `ids`."""
        return np.stack([self.values[i] for i in self.ids()], axis=1)


@dataclass(frozen=True)
class Score:
    """What a run is judged by. `of` gives it from one number an item and how often each item is drawn (item
    replicate); `item` is what two runs are paired by, an item at a time: its loss, or whether it is right."""

    name: str
    more_is_better: bool
    of: Callable[[Floats, Floats], Floats]  # item, item replicate -> replicate
    item: Callable[[Floats], Floats]
    right_or_wrong: bool = False  # whether `item` is 0 or 1


def mean_of(values: Floats, weights: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(values @ weights / weights.sum(0), dtype=np.float64)


#: the mean loss of the items, in nats
LOSS = Score("loss", False, mean_of, lambda values: values)


@dataclass(frozen=True)
class Change:
    """How a score changes with one edit: the plain score, the edited one, their difference with its standard
    error and 95 % interval over items, and the chance of such a difference if the edit did nothing on average
    (two-sided; McNemar's exact test of items right and wrong, else Student's of paired differences)."""

    plain: float
    edited: float
    change: float
    stderr: float
    low: float
    high: float
    p: float
    n: int


def changes(found: Outcomes, score: Score, seed: int) -> list[Change]:
    """Of every edit of the sweep, in order."""
    ids, table = found.ids(), found.table()
    drawn = Bootstrap(seed).weights(ids)  # item replicate
    return [_change(score, table[0], edited, drawn) for edited in table[1:]]


def _change(score: Score, plain: Floats, edited: Floats, drawn: Floats) -> Change:
    made = ~np.isnan(edited)  # `shuffle` leaves an item out that is the only one of its length
    plain, edited, drawn = plain[made], edited[made], drawn[made]
    n = int(made.sum())
    if not n:
        raise AttlasError("no two inputs of a batch are of the same length: there is nothing to shuffle")
    once = np.ones((n, 1))
    before, after = float(score.of(plain, once)[0]), float(score.of(edited, once)[0])
    with np.errstate(invalid="ignore"):
        replicates = score.of(edited, drawn) - score.of(plain, drawn)
    replicates = replicates[np.isfinite(replicates)]
    low, high = np.quantile(replicates, [0.025, 0.975]) if len(replicates) else (np.nan, np.nan)
    return Change(
        before,
        after,
        after - before,
        float(replicates.std(ddof=1)) if len(replicates) > 1 else float("nan"),
        float(low),
        float(high),
        paired_p(score.item(plain), score.item(edited), score.right_or_wrong),
        n,
    )


def paired_p(before: Floats, after: Floats, right_or_wrong: bool) -> float:
    """Two-sided: McNemar's exact test, or Student's of the differences."""
    if right_or_wrong:
        gained, lost = int((after > before).sum()), int((after < before).sum())
        return float(min(1.0, 2 * binom.cdf(min(gained, lost), gained + lost, 0.5)))
    difference = after - before
    if len(difference) < 2:
        return 1.0
    stderr = float(difference.std(ddof=1)) / len(difference) ** 0.5
    if stderr == 0:
        return 1.0 if difference[0] == 0 else 0.0
    return float(2 * t.sf(abs(difference.mean()) / stderr, len(difference) - 1))


def corrected(found: list[Change]) -> list[float]:
    """Holm's correction for so many tests."""
    return holm(np.array([change.p for change in found], np.float64)).tolist() if found else []  # type: ignore[no-any-return]
