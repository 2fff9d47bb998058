"""An item of a paper (a claim, or a number), what was measured here, and the verdict.

The rule of evidence gives the verdict (`attlas.statistics.verdicts.judge`). `PaperItem.judged` says what it
is asked; nothing else decides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from attlas.statistics.claims import CLAIMS
from attlas.statistics.verdicts import Estimate, Judgement, judge

#: what is said of a paper's claim: that it is shown; shown to be small, absent or the other way; undecided;
#: not asked
PaperVerdict = Literal["holds", "does not hold", "undecided", "not asked"]
PAPER_VERDICTS: tuple[PaperVerdict, ...] = get_args(PaperVerdict)
KnownFrom = Literal["paper", "repository", "plot", "uncertain"]
Unit = Literal["share", "percent", "nats", "count", "number"]
#: how reasons not to ask begin
OF_A_DECODER, NO_DATA = "cannot be asked of a decoder", "data missing"
NOT_IN_QUICK = "not run in quick"
UNTRAINED_TOO = "the untrained twin does so, too: it says nothing of what was learned"
ONE_TEXT = "by size alone: one text has no interval"
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
    documents: int = 0

    @classmethod
    def between(cls, value: float, low: float, high: float, where: str = "", documents: int = 0) -> Measured:
        """The value with its interval, or alone where the interval is not finite."""
        if not math.isfinite(high - low):
            return cls(value, where=where, documents=documents)
        return cls(value, low, high, where, documents)

    @classmethod
    def around(cls, value: float, error: float, where: str = "", documents: int = 0) -> Measured:
        """The value with an interval of `error` to either side, or alone where it has no error."""
        return cls.between(value, value - error, value + error, where, documents)

    @classmethod
    def in_percent(cls, row: Mapping[str, Any], name: str = "value", where: str = "") -> Measured:
        """A share of a table's row, with its `low` and `high` where it has them."""
        value, low, high = (100 * float(row.get(key, math.nan)) for key in (name, "low", "high"))
        return cls.between(value, low, high, where, int(row.get("documents", 0)))

    def __sub__(self, other: Measured) -> Measured:
        """The difference. The two errors may go together either way, so that they add up."""
        where = ", less ".join(m.where for m in (self, other) if m.where)
        documents = min(self.documents, other.documents)
        error = math.nan if self.low is None else sum(m.value - m.bounds[0] for m in (self, other))
        return Measured.around(self.value - other.value, error, where, documents)

    def scaled(self, by: float, less: float = 0.0) -> Measured:
        """(value - less) · by, with its interval."""
        value, *ends = (by * (number - less) for number in (self.value, *self.bounds))
        low, high = (None, None) if self.low is None else sorted(ends)
        return Measured(value, low, high, self.where, self.documents)

    @property
    def bounds(self) -> tuple[float, float]:
        """The interval, or the value twice where there is none."""
        return (
            self.value if self.low is None else self.low,
            self.value if self.high is None else self.high,
        )

    @property
    def estimate(self) -> Estimate:
        return Estimate(self.value, *self.bounds, self.documents)


@dataclass(frozen=True)
class CurvePoint:
    """One place of a curve: what the paper shows there, and what was measured."""

    name: str
    paper: float
    faithful: float | None = None
    corrected: float | None = None


@dataclass(frozen=True)
class PaperItem:
    """`what` is the same for every model; `detail` is what only this one has beside it.

    A claim says that a number lies beyond its nulls, `chance` and what the `untrained` twin gives: above
    them, unless `below`. `claim` names its kind, which has the smallest size that matters. A `threshold` that
    the paper words ("more than half") must be reached. With `agrees` the claim is that the number is the
    paper's. `causes` are the known reasons not to hold that apply here. `not_asked` says why there is no
    number."""

    place: str  # in the paper: Figure 2, Table 1, section 3.2
    what: str
    reported: Reported
    claim: str = "change"
    faithful: Measured | None = None
    corrected: Measured | None = None
    untrained: Measured | None = None
    chance: float = 0.0
    gain: Measured | None = None  # beyond chance, where both were measured on the same items
    threshold: float | None = None
    perfect: float | None = None
    below: bool = False
    agrees: bool = False
    p: float | None = None  # corrected for all that was asked, where a test was made
    causes: tuple[str, ...] = ()
    not_asked: str = ""
    unit: Unit = "number"
    detail: str = ""
    points: tuple[CurvePoint, ...] = ()  # of the curve that it is about

    @property
    def measured(self) -> Measured | None:
        return self.corrected or self.faithful

    @cached_property
    def judged(self) -> Judgement:
        """What the rule of evidence says of the number; of one that should agree, whether it differs."""
        measured = self.measured
        if self.not_asked or measured is None:
            return judge(self.claim, Estimate(math.nan), why_not=self.not_asked or "it was not measured")
        if self.agrees:
            off = judge(self.claim, self._off(measured).estimate)
            if off.shown or not self._has_papers_number(self.untrained):
                return off
            return judge(self.claim, off.excess, why_not=UNTRAINED_TOO)
        return judge(
            self.claim,
            self._towards_claim(
                measured if self.gain is None else self.gain.scaled(1.0, less=-self.chance)
            ).estimate,
            p=self.p,
            chance=self._chance(),
            untrained=None if self.untrained is None else self._towards_claim(self.untrained).estimate,
            perfect=None if self.perfect is None else -self.perfect if self.below else self.perfect,
        )

    @property
    def verdict(self) -> PaperVerdict:
        """What the judgement says of the paper's claim. What surely goes the other way does not hold."""
        judged = self.judged
        if judged.verdict == "not asked" or judged.verdict == "undecided":
            return judged.verdict
        if self.agrees:
            return "holds" if judged.verdict == "small" else "does not hold"
        return "holds" if judged.shown and judged.excess.value > 0 else "does not hold"

    @property
    def why(self) -> str:
        """The reason for the verdict, where there is one to give."""
        judged, verdict, measured = self.judged, self.verdict, self.measured
        if verdict == "not asked":
            return judged.why
        if verdict == "undecided":
            return judged.why + (f": {self._would_decide()}" if judged.documents > 2 else "")
        of_one_text = (ONE_TEXT,) if measured is not None and measured.low is None else ()
        return "; ".join((*of_one_text, *(self.causes if verdict == "does not hold" else ())))

    def _would_decide(self) -> str:
        read = self.judged.excess.documents
        return f"about {self.judged.documents:,} documents would decide" + (
            f", {read:,} read" if read else ""
        )

    @property
    def beside_paper(self) -> str:
        """Where the paper's number lies: within the interval here, above or below it."""
        measured, paper = self.measured, self.reported.value
        if measured is None or paper is None or self.agrees:
            return ""
        low, high = measured.bounds
        slack = self.reported.tolerance + 1e-9
        if low - slack <= paper <= high + slack:
            return "the paper's number is in the interval"
        return "the paper's number is " + ("higher" if paper > high else "lower")

    def _chance(self) -> float:
        """In the units of the claim's size. A threshold lies that size above its null."""
        sign = -1 if self.below else 1
        chance = sign * self._in_units_of_claim(self.chance)
        if self.threshold is None:
            return chance
        return max(chance, sign * self._in_units_of_claim(self.threshold) - CLAIMS[self.claim].size)

    def _in_units_of_claim(self, number: float) -> float:
        return number / 100 if self.unit == "percent" else number

    def _towards_claim(self, measured: Measured) -> Measured:
        """In the units of the claim's size, and larger where the claim holds."""
        return measured.scaled((-1 if self.below else 1) * self._in_units_of_claim(1.0))

    def _off(self, measured: Measured) -> Measured:
        """How far from what the paper reports: 0 within its tolerance."""
        paper, slack = self.reported.value, self.reported.tolerance
        assert paper is not None  # what should agree has a number to agree with
        nearest = min(max(measured.value, paper - slack), paper + slack)
        return measured.scaled(self._in_units_of_claim(1.0), less=nearest)

    def _has_papers_number(self, measured: Measured | None) -> bool:
        return measured is not None and abs(self._off(measured).value) < CLAIMS[self.claim].size
