"""An item of a paper (a number, a row of a table, a claim), what was measured here, and the verdict.

The rule is stated once, in `PaperItem.verdict`. Nothing else decides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal[
    "within",
    "same direction",
    "undecided",
    "differs: cause known",
    "differs",
    "not comparable",
    "data missing",
]
KnownFrom = Literal["paper", "repository", "plot", "uncertain"]
#: how a reason begins that no decoder can be asked for
OF_A_DECODER = "cannot be asked of a decoder"
#: how a number of the paper came to us
EVIDENCE = {
    "paper": "the paper's text",
    "repository": "the authors' code or its stored output",
    "plot": "read off a plot",
    "uncertain": "accounts differ",
}


@dataclass(frozen=True)
class Reported:
    """What a paper says: a number and how exactly it is known, or a claim in words alone."""

    words: str
    value: float | None = None
    tolerance: float = 0.0
    evidence: KnownFrom = "paper"


@dataclass(frozen=True)
class Measured:
    """What was measured here, with its 95 % interval where it has one; `where` names heads or layers."""

    value: float
    low: float | None = None
    high: float | None = None
    where: str = ""

    @classmethod
    def between(cls, value: float, low: float, high: float, where: str = "") -> Measured:
        """The value with its interval, or alone where the interval is not finite."""
        return cls(value, low, high, where) if math.isfinite(high - low) else cls(value, where=where)

    @classmethod
    def around(cls, value: float, error: float, where: str = "") -> Measured:
        """The value with an interval of `error` to either side, or alone where it has no error."""
        return cls.between(value, value - error, value + error, where)

    @classmethod
    def in_percent(cls, row: Mapping[str, Any], name: str = "value", where: str = "") -> Measured:
        """A share of a table's row, with its `low` and `high` where it has them."""
        value, low, high = (100 * float(row.get(key, math.nan)) for key in (name, "low", "high"))
        return cls.between(value, low, high, where)

    def __sub__(self, other: Measured) -> Measured:
        """The difference. The two errors may go together either way, so that they add up."""
        error = sum(m.value - m.bounds[0] for m in (self, other))
        where = ", less ".join(m.where for m in (self, other) if m.where)
        return Measured.around(self.value - other.value, error, where)

    @property
    def bounds(self) -> tuple[float, float]:
        """The interval, or the value twice where there is none."""
        return (
            self.value if self.low is None else self.low,
            self.value if self.high is None else self.high,
        )


@dataclass(frozen=True)
class PaperItem:
    """`what` is the same for every model; `detail` is what only this one has beside it.

    `chance` is what no head, or even attention, would give: a claim is that the truth lies on one side of
    it, above unless `below`. `causes` are the known reasons to differ that apply here. An item that was not
    measured says why: `missing` data, or what makes it `incomparable`."""

    place: str  # in the paper: Figure 2, Table 1, section 3.2
    what: str
    reported: Reported
    faithful: Measured | None = None
    corrected: Measured | None = None
    chance: float | None = None
    below: bool = False
    causes: tuple[str, ...] = ()
    missing: str = ""
    incomparable: str = ""
    unit: Literal["share", "percent", "nats", "count", "number"] = "number"
    detail: str = ""
    curve: str = ""  # what it is a point of, and `point` where on it: a curve is shown as one table
    point: str = ""

    @property
    def verdict(self) -> Verdict:
        """The first of these that holds:

        - *data missing*, *not comparable*: the item says so;
        - *undecided*: the interval has the chance level in it, so that it speaks for neither side; or the
          value is that level, where no answer changed and there is no interval;
        - *within*: the paper's number is no further than its tolerance from the interval of the corrected
          value, or from the value that the original's definition gives; and the interval is on the side of
          chance that the paper claims;
        - *same direction*: the whole interval is on the side of chance that the paper claims;
        - *differs: cause known*, where a cause is named that applies here; *differs*, where none is.
        """
        measured = self.corrected or self.faithful
        if self.missing:
            return "data missing"
        if self.incomparable or measured is None:
            return "not comparable"
        low, high = measured.bounds
        if self.chance is not None and low <= self.chance <= high:
            return "undecided"
        claimed = self.chance is not None and (high < self.chance if self.below else low > self.chance)
        near = any(self._within(m) for m in (self.corrected, self.faithful) if m is not None)
        if near and (claimed or self.chance is None):
            return "within"
        if claimed:
            return "same direction"
        return "differs: cause known" if self.causes else "differs"

    def _within(self, measured: Measured) -> bool:
        if self.reported.value is None:
            return False
        low, high = measured.bounds
        slack = self.reported.tolerance + 1e-9
        return low - slack <= self.reported.value <= high + slack

    @property
    def why(self) -> str:
        """The reason for the verdict, where there is one to give."""
        if self.verdict == "differs: cause known":
            return "; ".join(self.causes)
        return self.missing or self.incomparable
