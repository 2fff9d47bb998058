"""Names from scores: the pattern that a head follows most beyond chance and beyond untrained heads, if it is
sure and strong enough."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from types import MappingProxyType

import numpy as np
import pandas as pd

from attlas.address import Head
from attlas.atlas.untrained_heads import TABLE, Untrained
from attlas.row import Row
from attlas.statistics.claims import kind_of_pattern, least_strength
from attlas.statistics.clusters import degrees
from attlas.statistics.hypotheses import above_zero, holm, probability_above
from attlas.statistics.verdicts import Estimate, Judgement, estimate, judge
from attlas.studies.patterns.pattern_scores import PatternScore
from attlas.wording.names import NONE, PATTERNS
from attlas.wording.numbers import count
from attlas.wording.pattern_sentences import RESTING

#: what names only heads that nothing else fits: even attention, which is the null of most patterns, and where
#: attention rests
LAST = ("broad", *RESTING)
#: measured over texts made for them, or not as a share of attention: how much rests in the text is another
#: question
ELSEWHERE = (
    *("induction", "long_induction", "retrieval", "query_focus", "predictive"),
    *("successor", "copy_suppression", "function_vector"),
)
PARTLY = 1 / 3  # of the attention on delimiters: with less, one of the two is hardly looked at
COLUMNS = ["kind", "layer", "head", "pattern", "score", "stderr", "null", "gain", "gain_stderr", "strength"]
COLUMNS += ["p", "untrained", "verdict", "documents_needed", "named", "n", "documents", "effective"]
COLUMNS += ["reach", "which", "rest", "rest_on"]


@dataclass(frozen=True)
class JudgedScore:
    """A score beside chance and beside untrained heads, and what may be said of it."""

    score: PatternScore
    p: float  # NaN where there is one item only: nothing can be tested
    twin: Estimate | None = None  # how much more than chance untrained heads have at most

    @cached_property
    def judged(self) -> Judgement:
        s = self.score
        measured = estimate(s.null + s.gain, s.gain_stderr, self.degrees, s.documents or s.items)
        return judge(
            kind_of_pattern(s.pattern),
            measured,
            p=None if math.isnan(self.p) else self.p,
            chance=s.null,
            untrained=self.untrained,
            perfect=1.0,
        )

    @property
    def untrained(self) -> Estimate | None:
        """What untrained heads have at most, from the same null; no score is above 1."""
        if self.twin is None:
            return None
        gains = self.twin.value, self.twin.low, self.twin.high
        return Estimate(*np.clip(np.add(self.score.null, gains), 0.0, 1.0).tolist())

    @property
    def strength(self) -> float:
        """How far from the null, which is chance or what untrained heads have, to a perfect score."""
        return self.judged.excess.value

    @property
    def stderr(self) -> float:
        """Half of the interval, as a standard error."""
        excess = self.judged.excess
        return (excess.high - excess.low) / (estimate(0.0, 1.0, self.degrees).high * 2)

    @property
    def degrees(self) -> float:
        """Degrees of freedom, from items and documents."""
        return float(degrees(self.score.items, self.score.effective or self.score.documents))

    @property
    def fits(self) -> bool:
        """One text has no interval: then names are by strength alone."""
        if math.isnan(self.p):
            return self.strength >= least_strength(self.score.pattern)
        return self.judged.shown


@dataclass(frozen=True)
class RestingPlace:
    """The place where a head's attention stays in the text when it has nothing to do, and how much of it."""

    on: str  # the first token, [SEP], [CLS] and [SEP]
    share: float
    stderr: float


def with_p_values(scores: Sequence[PatternScore]) -> list[JudgedScore]:
    """Each with p of a one-sided paired test against the null over documents. The best of several scales is
    as many tests (Bonferroni). p is corrected over what was asked: which patterns name which heads is one
    question, and what names no head is another."""
    if not scores:
        return []
    gain, error, items, scales = (
        np.array([getattr(s, name) for s in scores], np.float64)
        for name in ("gain", "gain_stderr", "items", "scales")
    )
    freedom = degrees(items, [s.effective or s.documents for s in scores])
    certain = (error == 0) & (items > 1)
    p = np.where(certain, np.where(gain > 0, 0.0, 1.0), above_zero(gain, error, freedom))
    p = np.minimum(p * scales, 1)
    names_heads = np.array([s.pattern in PATTERNS for s in scores])
    corrected = np.full(len(scores), np.nan)
    for asked in (names_heads & (items > 1), ~names_heads & (items > 1)):
        corrected[asked] = holm(p[asked])
    return [JudgedScore(score, float(p_value)) for score, p_value in zip(scores, corrected, strict=True)]


def judge_scores(
    scores: Sequence[PatternScore], tables: Mapping[str, pd.DataFrame] = MappingProxyType({})
) -> list[JudgedScore]:
    """The same, beside the twins of the chapter's tables."""
    twins = Untrained(tables[TABLE]) if TABLE in tables else None
    return [
        replace(
            judged, twin=None if twins is None else twins.gain(judged.score.pattern, judged.score.head.kind)
        )
        for judged in with_p_values(scores)
    ]


def rests(scores: Sequence[PatternScore]) -> dict[Head, RestingPlace]:
    """The resting place of every head that gets more: the first token, or delimiters."""
    resting: dict[Head, RestingPlace] = {}
    delimiters = which_delimiters(scores)
    for s in scores:
        if s.pattern in RESTING and (s.head not in resting or s.score > resting[s.head].share):
            on = "the first token" if s.pattern == "sink" else delimiters.get(s.head, "") or "special tokens"
            resting[s.head] = RestingPlace(on, s.score, s.stderr)
    return resting


def which_delimiters(scores: Sequence[PatternScore]) -> dict[Head, str]:
    """[CLS], [SEP], or both where each gets a third or more of what they get together."""
    got: dict[Head, dict[str, float]] = {}
    for s in scores:
        if s.pattern in ("cls", "sep"):
            got.setdefault(s.head, {})[s.pattern] = s.score
    names_of = {"cls": "[CLS]", "sep": "[SEP]"}
    return {
        head: " and ".join(names_of[name] for name, share in parts.items() if share >= PARTLY * total)
        for head, parts in got.items()
        if (total := sum(parts.values())) > 0
    }


def names(scores: Sequence[JudgedScore]) -> list[Row]:
    """Rows `pattern` and `second_pattern` of every head. The confidence is the smallest of the probabilities,
    by the standard errors, that the pattern is strong enough, that it is stronger than the second, and, where
    it was measured in the text, that it gets more of the attention than where the head rests; of `none`, that
    the pattern which is likeliest to be strong enough is not. Even attention, and a place where attention
    rests, name only heads that nothing else fits: many rest whenever what they look for is absent."""
    resting = rests([judged.score for judged in scores])
    by_head: dict[Head, list[JudgedScore]] = {}
    for judged in scores:
        if judged.score.pattern in PATTERNS:
            by_head.setdefault(judged.score.head, []).append(judged)
    return [
        row for head, head_scores in by_head.items() for row in _names(head, head_scores, resting.get(head))
    ]


def _names(head: Head, scores: Sequence[JudgedScore], rest: RestingPlace | None) -> Iterator[Row]:
    def named(statistic: str, pattern: str, confidence: float, judged: JudgedScore) -> Row:
        score = judged.score
        at = head.kind, head.layer, head.head
        return Row(*at, statistic, pattern, confidence, math.nan, score.items, score.documents)

    fitting = sorted(
        (judged for judged in scores if judged.fits),
        key=lambda judged: (judged.score.pattern in LAST, -judged.strength),
    )
    if not fitting:
        nearest = max(scores, key=lambda judged: (_strong(judged), judged.strength))
        yield named("pattern", NONE, 1 - _strong(nearest), nearest)
        return
    best, *others = fitting
    sure = _strong(best)
    if others and (others[0].score.pattern in LAST) == (best.score.pattern in LAST):
        error = math.hypot(best.stderr, others[0].stderr)
        ahead = best.strength - others[0].strength
        sure = min(sure, probability_above(ahead, error, min(best.degrees, others[0].degrees)))
    if rest is not None and best.score.pattern not in (*RESTING, *ELSEWHERE):
        error = math.hypot(best.score.stderr, rest.stderr)
        sure = min(sure, probability_above(best.score.score - rest.share, error, best.degrees))
    yield named("pattern", best.score.pattern, sure, best)
    for second in others[:1]:
        yield named("second_pattern", second.score.pattern, _strong(second), second)


def too_few_documents(scores: Sequence[JudgedScore]) -> list[str]:
    """What to note where a head has no name, and more documents would give it one or show that it has
    none."""
    named = {judged.score.head for judged in scores if judged.fits}
    times: dict[Head, float] = {}
    for judged in scores:
        head, decided = judged.score.head, judged.judged
        if head not in named and judged.score.pattern in PATTERNS and decided.verdict == "undecided":
            more = decided.documents / max(decided.excess.documents, 1)
            times[head] = min(times.get(head, more), more)
    if not times:
        return []
    return [
        f"undecided: {count(len(times), 'head')} without a name may follow a pattern; "
        f"{median(times.values()):,.1f} times as many documents would decide half of them"
    ]


def _strong(judged: JudgedScore) -> float:
    """The probability that it is strong enough."""
    return probability_above(
        judged.strength, judged.stderr, judged.degrees, least_strength(judged.score.pattern)
    )


def score_table(scores: Sequence[JudgedScore], named: Sequence[Row]) -> pd.DataFrame:
    """A row for every head and pattern. `reach` is that of local attention, `which` says which delimiters,
    and `rest` how much of the head's attention in the text stays on `rest_on`."""
    plain_scores = [judged.score for judged in scores]
    resting, delimiters = rests(plain_scores), which_delimiters(plain_scores)
    called = {(Head(r.kind, r.layer, r.head), r.group): 1 + r.statistic.startswith("second_") for r in named}
    rows = []
    for judged in scores:
        s = judged.score
        numbers = s.score, s.stderr, s.null, s.gain, s.gain_stderr, judged.strength, judged.p
        untrained = math.nan if judged.untrained is None else judged.untrained.value
        decided = untrained, judged.judged.verdict, judged.judged.documents
        place = called.get((s.head, s.pattern), 0)
        reach = math.nan if s.reach is None else float(s.reach)
        which = delimiters.get(s.head, "") if s.pattern == "delimiter" else ""
        rest = resting.get(s.head, RestingPlace("", math.nan, math.nan))
        at = s.head.kind, s.head.layer, s.head.head
        read = s.items, s.documents, s.effective or float(s.documents)
        rows.append((*at, s.pattern, *numbers, *decided, place, *read, reach, which, rest.share, rest.on))
    return pd.DataFrame(rows, columns=COLUMNS)


def named_scores(scores: Sequence[JudgedScore], named: Sequence[Row]) -> dict[Head, PatternScore]:
    """The score in text of each head that has a pattern."""
    called = {
        Head(r.kind, r.layer, r.head): r.group for r in named if r.statistic == "pattern" and r.group != NONE
    }
    by_name = {(judged.score.head, judged.score.pattern): judged.score for judged in scores}
    wanted = {}
    for head, pattern in called.items():
        score = by_name.get((head, "induction_text" if pattern == "induction" else pattern))
        if score is not None:
            wanted[head] = score
    return wanted
