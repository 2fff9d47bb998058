"""A head's pattern in words: its name, how much of its attention that is, and where it rests otherwise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from attlas.statistics.claims import HALF_OF_ATTENTION, MENTIONED_SHARE, NAME_HOLDS
from attlas.wording.names import PATTERNS, SCORED_ONLY
from attlas.wording.numbers import count, number, percent

RESTING = ("sink", "delimiter")  # where attention stays when a head has nothing to do


def say_pattern(row: Mapping[str, Any], digits: int = 2) -> str:
    """From a row of a table `patterns`:

    next token, 0.97 · local (reach 4 tokens), 0.51 · delimiters ([SEP]), 0.81
    previous token when it acts, 0.23; rests on [SEP], 0.62
    """
    score = number(float(row["score"]), digits)
    acts = " when it acts" if rests_more(row) else ""
    rest = resting_share(row)
    resting = (
        f"; rests on {row['rest_on']}, {number(rest, digits)}" if rest >= MENTIONED_SHARE or acts else ""
    )
    return f"{pattern_title(row)}{acts}, {score}{resting}"


def say_name_verdict(row: Mapping[str, Any]) -> str:
    """From a row of a table `name_tests`:

    the name holds: by it alone, the head does 83 % of what it does for the loss (95 % 71 to 95; by another
    head's name 4 %; 64 segments of 14 other documents)
    whether the name is true is undecided: ... (...; 40 documents would decide)
    """
    read = f"{count(int(row['n']), 'segment')} of {count(int(row['documents']), 'other document')}"
    if row.get("explained") is None or not math.isfinite(row["explained"]):
        return f"the name cannot be tested: the loss is not shown to rise without the head ({read})"
    part = percent(float(row["explained"]), 0)
    low, high = (f"{100 * float(row[name]):.0f}" for name in ("low", "high"))
    other = row.get("explained_by_other")
    beside = "" if other is None else f"; by another head's name {percent(float(other), 0)}"
    undecided = str(row["verdict"]) == "undecided"
    needed = f"; {count(int(row['documents_needed']), 'document')} would decide" if undecided else ""
    return (
        f"{_name_verdict(row)}: by it alone, the head does {part} of what it does for the loss "
        f"(95 % {low} to {high}{beside}; {read}{needed})"
    )


def _name_verdict(row: Mapping[str, Any]) -> str:
    match str(row["verdict"]):
        case "shown":
            holds = float(row["low"]) > NAME_HOLDS
            return "the name holds" if holds else "the name accounts for a part"
        case "small":
            return "the name is a label"
        case _:
            return "whether the name is true is undecided"


def pattern_title(row: Mapping[str, Any]) -> str:
    """local (reach 4 tokens) · delimiters ([SEP]) · previous token"""
    name = {**PATTERNS, **SCORED_ONLY}.get(str(row["pattern"]), str(row["pattern"]))
    return f"{name} ({more})" if (more := pattern_detail(row)) else name


def pattern_detail(row: Mapping[str, Any]) -> str:
    """What a name does not say: how far local attention reaches, and which delimiter a head looks at."""
    reach = row.get("reach")
    if reach is not None and math.isfinite(reach):
        return f"reach {reach:.0f} tokens"
    return str(row.get("which") or "")


def mostly_follows(row: Mapping[str, Any]) -> bool:
    """Whether the head is called after what it gives half of its attention or more, and more than to rest."""
    return float(row["score"]) >= HALF_OF_ATTENTION and not rests_more(row)


def rests_more(row: Mapping[str, Any]) -> bool:
    """Whether the head gives more of its attention to where it rests than to what it is called after."""
    return resting_share(row) > float(row["score"])


def resting_share(row: Mapping[str, Any]) -> float:
    """The share of its attention that rests; 0 where that is not known, or what the row is about."""
    rest = row.get("rest")
    resting = str(row["pattern"]) in (*RESTING, "cls", "sep")
    return 0.0 if rest is None or resting or not math.isfinite(rest) else float(rest)
