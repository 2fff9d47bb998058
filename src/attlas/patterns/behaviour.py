"""What a head mostly does, by the rules of Clark 2019 (figure 6): simple thresholds on its statistics."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from attlas.address import Head
from attlas.reducers.reducer import Row

#: tokens in the original's segments: its entropy threshold is a share of ln 128
CLARK_LENGTH_LOG = 4.852030263919617


@dataclass(frozen=True)
class Rule:
    label: str
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


def behaviours(
    rows: Sequence[Row], mean_log_length: float, mean_log_visible: float, faithful: bool = False
) -> list[Row]:
    """A `label` row for every head that a rule fits.

    The entropy threshold of 3.8 nats was set for encoders and segments of 128 tokens. Unless `faithful`, it
    is the same share of the entropy that even attention has here: ln n where every token is seen, and in a
    decoder, whose i-th token sees i tokens, the mean of ln i.
    """
    values = {(Head(r.kind, r.layer, r.head), r.statistic, r.group): r for r in rows}
    labels: dict[Head, tuple[Rule, Row]] = {}
    for rule in _rules(rows):
        for head in dict.fromkeys(Head(r.kind, r.layer, r.head) for r in rows):
            row = values.get((head, rule.statistic, rule.group))
            above = rule.above
            if rule.statistic == "entropy" and not faithful:
                even = mean_log_visible if head.kind == "decoder" else mean_log_length
                above *= even / CLARK_LENGTH_LOG
            if row is not None and row.value > above:
                labels[head] = (rule, row)
    return [
        Row(head.kind, head.layer, head.head, "label", rule.label, 1.0, math.nan, row.n)
        for head, (rule, row) in sorted(labels.items())
    ]


def _rules(rows: Sequence[Row]) -> Iterable[Rule]:
    has_cls = any(r.statistic == "to_class" and r.group == "cls" for r in rows)
    return RULES if has_cls else [WITHOUT_CLS if rule.label == "cls" else rule for rule in RULES]
