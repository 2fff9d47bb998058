"""The rule of evidence: what a claim is compared with, and which of four verdicts it gets.

Names, sentences, cards, answers, tests of names, disabling, comparing and the papers all ask here:

    judge("share", Estimate(0.62, 0.58, 0.66, documents=29), chance=0.01, untrained=0.05).verdict   # "shown"

- **shown**: at least the smallest size that matters, surely beyond chance and beyond the untrained twin
- **small**: shown to be small or absent, since the whole interval lies below that size
- **undecided**: neither, with how many documents would decide
- **not asked**: and why

A claim is judged by its excess over the larger of two nulls, chance and what the untrained twin gives. Sizes
are in `claims.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from scipy.special import ndtri, stdtr, stdtrit

from attlas.statistics.claims import CLAIMS, SURE, ClaimKind

Verdict = Literal["shown", "small", "undecided", "not asked"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

MOST_DOCUMENTS = 1_000_000  # nobody is asked for more: the estimate sits on the limit


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval, and the documents that it is over; NaN where there is no interval."""

    value: float
    low: float = math.nan
    high: float = math.nan
    documents: int = 0


@dataclass(frozen=True)
class Judgement:
    """What may be said of a claim. `excess` is beyond the null, in the kind's unit, with its interval.

    `documents` is how many would decide an undecided claim, from the standard error of now: 0 where that is
    not known. `why` says why a claim was not asked, or could not be decided.
    """

    verdict: Verdict
    kind: ClaimKind
    excess: Estimate
    null: float = 0.0
    untrained: bool = False  # whether the null is the untrained twin's
    documents: int = 0
    why: str = ""

    @property
    def shown(self) -> bool:
        return self.verdict == "shown"


def estimate(value: float, stderr: float, degrees: float, documents: int = 0) -> Estimate:
    """A mean with Student's 95 % interval."""
    if not (math.isfinite(value) and math.isfinite(stderr)):
        return Estimate(value, documents=documents)
    half = stderr * -float(stdtrit(max(degrees, 1.0), 0.025)) if stderr > 0 else 0.0
    return Estimate(value, value - half, value + half, documents)


def judge(
    kind: str,
    measured: Estimate,
    *,
    p: float | None = None,
    chance: float = 0.0,
    untrained: Estimate | float | None = None,
    perfect: float | None = None,
    why_not: str = "",
) -> Judgement:
    """The verdict on one claim.

    `p` is of the test against chance, corrected for all that was asked; without one the interval decides.
    `untrained` is what the twin gives (None: no twin was measured). With `perfect`, the excess is a share of
    the way from the null to it. `why_not` says why the claim was not asked.
    """
    of_kind = CLAIMS[kind]
    if why_not or not math.isfinite(measured.value):
        return Judgement("not asked", of_kind, measured, why=why_not or "it was not measured")
    twin = untrained if isinstance(untrained, Estimate | None) else Estimate(untrained, untrained, untrained)
    of_twin = twin is not None and math.isfinite(twin.value) and _is_larger(of_kind, twin.value, chance)
    null = twin if of_twin and twin is not None else Estimate(chance, chance, chance)
    excess = _excess(measured, null, perfect)
    falls = of_kind.either_way and excess.value < 0
    verdict, documents, why = _decide(of_kind, _mirror(excess) if falls else excess, p)
    return Judgement(verdict, of_kind, excess, null.value, of_twin, documents, why)


def judge_row(kind: str, row: Mapping[str, Any], value: str = "change", chance: float = 0.0) -> Judgement:
    """The verdict on a row of a table: its columns `value`, `low`, `high` and `p`, which is corrected for all
    that the table asks. What never changed at all, in any item, is small."""

    def number(name: str) -> float:
        known = row.get(name)
        return math.nan if known is None else float(known)

    if number("changed") == 0 and not math.isfinite(number("low")):
        return Judgement("small", CLAIMS[kind], Estimate(0.0, 0.0, 0.0))
    documents = int(row.get("documents") or row.get("n") or 0)
    p = number("p")
    measured = Estimate(number(value), number("low"), number("high"), documents)
    return judge(kind, measured, p=None if math.isnan(p) else p, chance=chance)


def shown_rows(kind: str, rows: Iterable[Mapping[str, Any]], value: str = "change") -> list[bool]:
    """Say of each row of a table whether its claim is shown."""
    return [judge_row(kind, row, value).shown for row in rows]


def kind_of_score(score: str) -> str:
    """The kind of claim that a change of a score is: of the loss, of an embedding, of a task's score."""
    return score if score in CLAIMS else "score"


def _is_larger(kind: ClaimKind, untrained: float, chance: float) -> bool:
    """Whether the twin is the null: a claim that goes either way is about the twin wherever there is one."""
    return kind.either_way or untrained > chance


def _excess(measured: Estimate, null: Estimate, perfect: float | None) -> Estimate:
    """Measured minus null, which were measured apart: their errors add up as squares."""
    scale = 1.0 if perfect is None else 1 / (perfect - null.value) if null.value < perfect else math.nan
    value = measured.value - null.value
    if not math.isfinite(scale):  # nothing can exceed a perfect null
        return Estimate(0.0, 0.0, 0.0, measured.documents)
    below = math.hypot(measured.value - measured.low, _half(null.high - null.value))
    above = math.hypot(measured.high - measured.value, _half(null.value - null.low))
    return Estimate(scale * value, scale * (value - below), scale * (value + above), measured.documents)


def _half(width: float) -> float:
    return width if math.isfinite(width) else 0.0


def _mirror(excess: Estimate) -> Estimate:
    return Estimate(-excess.value, -excess.high, -excess.low, excess.documents)


def _decide(kind: ClaimKind, excess: Estimate, p: float | None) -> tuple[Verdict, int, str]:
    """The verdict on an excess that is 0 or more, unless the claim goes one way; the documents that would
    decide; and why it is undecided."""
    if not (math.isfinite(excess.low) and math.isfinite(excess.high)):
        return "undecided", 2, "one document gives no interval"
    if excess.high < kind.size and (not kind.either_way or excess.low > -kind.size):
        return "small", 0, ""
    large = excess.value >= kind.size
    if large and excess.low > 0 and (p is None or p < SURE):
        return "shown", 0, ""
    why = "it may be chance" if large else "it may or may not reach the smallest size that matters"
    return "undecided", _documents(kind, excess, p), why


def _documents(kind: ClaimKind, excess: Estimate, p: float | None) -> int:
    """How many documents would decide, if the estimate stays and its error falls with their square root."""
    if excess.documents < 2:
        return 2
    half = (excess.high - excess.low) / 2
    if excess.value >= kind.size:
        times = max((half / excess.value) ** 2, _times_by_p(excess, half, p))
    else:
        gap = kind.size - excess.value
        times = (half / gap) ** 2 if gap > 0 else math.inf
    wanted = excess.documents * max(times, 1.0)
    return MOST_DOCUMENTS if wanted > MOST_DOCUMENTS else _rounded_up(max(wanted, excess.documents + 1))


def _times_by_p(excess: Estimate, half: float, p: float | None) -> float:
    """How many times as many documents bring a corrected p below SURE: the correction stays as it is."""
    if p is None or p < SURE or not half > 0:
        return 1.0
    degrees = max(excess.documents - 1, 1)
    score = excess.value / (half / -float(stdtrit(degrees, 0.025)))
    alone = 2 * float(stdtr(degrees, -abs(score)))
    corrected_for = max(p / alone, 1.0) if alone > 0 else math.inf
    needed = -float(ndtri(SURE / corrected_for / 2)) if math.isfinite(corrected_for) else math.inf
    return (needed / score) ** 2 if score > 0 else math.inf


def _rounded_up(number: float) -> int:
    """To two digits: 1,234 is 1,300."""
    whole = math.ceil(round(number, 6))
    step: int = 10 ** max(len(str(whole)) - 2, 0)
    return math.ceil(whole / step) * step
