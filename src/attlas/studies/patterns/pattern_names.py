"""From scores to names: the pattern that a head follows most beyond chance, if it is sure and strong
enough."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from attlas.address import Head
from attlas.atlas.names import NONE, PATTERNS
from attlas.reducers.reducer import Row
from attlas.statistics.clusters import degrees
from attlas.statistics.corrections import holm
from attlas.statistics.hypotheses import above_zero, probability_above
from attlas.studies.patterns.pattern_scores import PatternScore

LEAST = 0.2  # of the way from chance to a perfect score: what is weaker names no head
#: where attention rests when it has nothing to do: a name only for heads that nothing else fits
RESTING = ("sink", "delimiter")
SURE = 0.05  # Holm-corrected over all heads and patterns
COLUMNS = ["kind", "layer", "head", "pattern", "score", "stderr", "null", "gain", "gain_stderr", "strength"]
COLUMNS += ["p", "named", "n", "documents"]


@dataclass(frozen=True)
class JudgedScore:
    """A score, and whether it is more than chance."""

    score: PatternScore
    p: float  # NaN where there is one item only: nothing can be tested

    @property
    def strength(self) -> float:
        """How far from chance (0) to a perfect score (1)."""
        return self.score.gain / (1 - self.score.null) if self.score.null < 1 else 0.0

    @property
    def stderr(self) -> float:
        return self.score.gain_stderr / (1 - self.score.null) if self.score.null < 1 else math.nan

    @property
    def degrees(self) -> float:
        """Of freedom."""
        return float(degrees(np.array(self.score.items), np.array(self.score.documents)))

    @property
    def fits(self) -> bool:
        return self.strength >= LEAST and not self.p >= SURE


def with_p_values(scores: Sequence[PatternScore]) -> list[JudgedScore]:
    """Each with p of a one-sided paired test against the null over documents, corrected over all that are
    tested. The best of several scales is as many tests (Bonferroni)."""
    if not scores:
        return []
    gain, error, items, documents, scales = (
        np.array([getattr(s, name) for s in scores], np.float64)
        for name in ("gain", "gain_stderr", "items", "documents", "scales")
    )
    certain = (error == 0) & (items > 1)
    p = np.where(certain, np.where(gain > 0, 0.0, 1.0), above_zero(gain, error, degrees(items, documents)))
    p = np.minimum(p * scales, 1)
    several = items > 1
    corrected = np.full(len(scores), np.nan)
    corrected[several] = holm(p[several])
    return [JudgedScore(score, float(p_value)) for score, p_value in zip(scores, corrected, strict=True)]


def names(scores: Sequence[JudgedScore]) -> list[Row]:
    """Rows `pattern` and `second_pattern` of every head. The confidence is the probability, by the standard
    errors, that the pattern is strong enough, or that it is stronger than the second, whichever is smaller;
    of `none`, that the pattern which is likeliest to be strong enough is not. A place where attention rests
    is not compared: many heads rest there whenever what they look for is absent."""
    by_head: dict[Head, list[JudgedScore]] = {}
    for judged in scores:
        if judged.score.pattern in PATTERNS:
            by_head.setdefault(judged.score.head, []).append(judged)
    return [row for head, head_scores in by_head.items() for row in _names(head, head_scores)]


def _names(head: Head, scores: Sequence[JudgedScore]) -> Iterator[Row]:
    def named(statistic: str, pattern: str, confidence: float, judged: JudgedScore) -> Row:
        score = judged.score
        at = head.kind, head.layer, head.head
        return Row(*at, statistic, pattern, confidence, math.nan, score.items, score.documents)

    fitting = sorted(
        (judged for judged in scores if judged.fits),
        key=lambda judged: (judged.score.pattern in RESTING, -judged.strength),
    )
    if not fitting:
        nearest = max(scores, key=lambda judged: (_strong(judged), judged.strength))
        yield named("pattern", NONE, 1 - _strong(nearest), nearest)
        return
    best, *others = fitting
    sure = _strong(best)
    if others and others[0].score.pattern not in RESTING:
        error = math.hypot(best.stderr, others[0].stderr)
        ahead = best.strength - others[0].strength
        sure = min(sure, probability_above(ahead, error, min(best.degrees, others[0].degrees)))
    yield named("pattern", best.score.pattern, sure, best)
    for second in others[:1]:
        yield named("second_pattern", second.score.pattern, _strong(second), second)


def _strong(judged: JudgedScore) -> float:
    """The probability that it is strong enough."""
    return probability_above(judged.strength, judged.stderr, judged.degrees, LEAST)


def score_table(scores: Sequence[JudgedScore], named: Sequence[Row]) -> pd.DataFrame:
    """A row for every head and pattern."""
    called = {(Head(r.kind, r.layer, r.head), r.group): 1 + r.statistic.startswith("second_") for r in named}
    rows = []
    for judged in scores:
        s = judged.score
        numbers = s.score, s.stderr, s.null, s.gain, s.gain_stderr, judged.strength, judged.p
        place = called.get((s.head, s.pattern), 0)
        rows.append(
            (s.head.kind, s.head.layer, s.head.head, s.pattern, *numbers, place, s.items, s.documents)
        )
    return pd.DataFrame(rows, columns=COLUMNS)
