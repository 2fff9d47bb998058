"""What a head mostly does, by the rules of Clark 2019 (figure 6): simple thresholds on its statistics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attlas.address import Head, Kind
from attlas.statistics.clusters import degrees
from attlas.wording.names import NONE

if TYPE_CHECKING:
    from attlas.atlas.untrained_heads import Untrained
    from attlas.row import Row

#: tokens in the original's segments: its entropy threshold is a share of ln 128
CLARK_LENGTH_LOG = 4.852030263919617


@dataclass(frozen=True)
class Rule:
    behaviour: str
    statistic: str
    group: str
    above: float


#: in this order; a later rule overrides an earlier one
RULES = (
    Rule("next", "to_next", "", 0.5),
    Rule("previous", "to_previous", "", 0.5),
    Rule("broad", "entropy", "all", 3.8),
    Rule("cls", "to_class", "cls", 0.6),
    Rule("sep", "to_class", "sep", 0.6),
    Rule("punct", "to_class", "punct", 0.6),
)
#: where there is no [CLS], the first token is what decoders rest on
WITHOUT_CLS = Rule("first", "to_first", "", 0.6)


@dataclass(frozen=True)
class EvenEntropy:
    """The entropy of a head that looks at all it may see alike: the mean over segments of ln n, and where the
    i-th token sees i tokens, of the mean of ln i."""

    mean_log_length: float
    mean_log_visible: float

    def of(self, kind: Kind) -> float:
        return self.mean_log_visible if kind == "decoder" else self.mean_log_length


def threshold(rule: Rule, kind: Kind, even: EvenEntropy | None) -> float:
    """What a head must exceed. The 3.8 nats of the original were set for encoders and segments of 128 tokens;
    with `even`, it is the same share of the entropy that even attention has here."""
    if rule.statistic != "entropy" or even is None:
        return rule.above
    return rule.above * even.of(kind) / CLARK_LENGTH_LOG


def rules(has_cls: bool) -> list[Rule]:
    return [WITHOUT_CLS if rule.behaviour == "cls" and not has_cls else rule for rule in RULES]


def behaviours(
    rows: Sequence[Row],
    mean_log_length: float,
    mean_log_visible: float,
    faithful: bool = False,
    twins: Untrained | None = None,
) -> list[Row]:
    """A `behaviour` row for every head, and a `second_behaviour` where a second rule fits; `none` where no
    rule does. `faithful` has the original's threshold of entropy. A head that is no broader than untrained
    ones, or looks no more at something than any of `twins` does, is not called after that.

    The confidence is the probability that the mean exceeds its threshold, by its standard error over
    documents; of `none`, that no mean does, judged by the one nearest to its threshold.
    """
    even = None if faithful else EvenEntropy(mean_log_length, mean_log_visible)
    chosen = rules(any(r.statistic == "to_class" and r.group == "cls" for r in rows))
    values = {(Head(r.kind, r.layer, r.head), r.statistic, r.group): r for r in rows}
    named = []
    for head in sorted({Head(r.kind, r.layer, r.head) for r in rows}):
        known = [(rule, values.get((head, rule.statistic, rule.group))) for rule in chosen]
        fits = [
            (rule, row, threshold(rule, head.kind, even))
            for rule, row in known
            if row is not None and _differs(rule, row, twins, even)
        ]
        if fits:
            named += _names(fits)
        elif first := next((row for _, row in known if row is not None), None):
            named.append(_name_row(first, "behaviour", NONE, 1.0))
    return named


def _differs(rule: Rule, row: Row, twins: Untrained | None, even: EvenEntropy | None) -> bool:
    """Whether a head is shown to differ from untrained ones in what a rule is about. One document shows
    nothing of others: then its size alone decides."""
    if twins is None:
        return True
    from attlas.statistics.verdicts import estimate, judge

    freedom = float(degrees(row.n, row.effective or row.documents))
    spread = rule.statistic == "entropy"
    scale = even.of(row.kind) if spread and even is not None else 1.0
    measured = estimate(row.value / scale, row.stderr / scale, freedom, row.documents)
    if spread:
        beside = twins.beside(rule.statistic, rule.group, row.kind)
        judged = judge("spread", measured, untrained=None if beside is None else beside / scale)
    else:
        judged = judge("share", measured, untrained=twins.most(rule.statistic, rule.group, row.kind))
    excess = abs(judged.excess.value) if spread else judged.excess.value
    return judged.shown or (math.isnan(measured.low) and excess >= judged.kind.size)


def _names(fits: Sequence[tuple[Rule, Row, float]]) -> list[Row]:
    sure = {rule.behaviour: (_above(row, limit), row) for rule, row, limit in fits if row.value > limit}
    *_, second, first = ("", "", *sure)  # a later rule overrides an earlier one
    if not first:
        nearest, row = max(((_above(row, limit), row) for _, row, limit in fits), key=lambda pair: pair[0])
        return [_name_row(row, "behaviour", NONE, 1 - nearest)]
    named = [("behaviour", first)] + ([("second_behaviour", second)] if second else [])
    return [_name_row(sure[name][1], kind, name, sure[name][0]) for kind, name in named]


def _name_row(row: Row, statistic: str, name: str, confidence: float) -> Row:
    """A name, from the row that speaks for it."""
    return row._replace(statistic=statistic, group=name, value=confidence, stderr=math.nan)


def _above(row: Row, limit: float) -> float:
    """The probability that a mean is above a limit."""
    if not row.stderr > 0:
        return float(row.value > limit)
    from attlas.statistics.hypotheses import probability_above  # who only reads an atlas needs no scipy

    freedom = float(degrees(row.n, row.effective or row.documents))
    return probability_above(row.value, row.stderr, freedom, limit)
