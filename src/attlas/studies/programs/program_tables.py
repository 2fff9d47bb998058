"""What a head is the sum of, as tables and as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from attlas.address import Head
from attlas.atlas.schema import ADDRESS
from attlas.row import Row
from attlas.statistics.claims import POORLY_EXPLAINED
from attlas.statistics.hypotheses import student_interval
from attlas.statistics.verdicts import Estimate, judge
from attlas.studies.programs.program_shares import COLUMNS, Fits, ProgramShares
from attlas.studies.programs.program_vocabulary import Program
from attlas.studies.programs.token_features import CLASSES
from attlas.wording.numbers import count, percent
from attlas.wording.program_names import RESTING, program_words

TWIN_SEGMENTS = 24  # that each untrained twin is fitted on, and as many that it is measured on
STATISTIC = "explained_by_programs"
GROUPS = {"moved": "explained", "weights": "explained_weights", "gain": "gain"}  # group -> column


def explained_table(
    shares: ProgramShares, fits: Mapping[Head, Fits], programs: Sequence[Program], twin: pd.DataFrame | None
) -> pd.DataFrame:
    """A row for every head: what its programs explain of what it moves, beside the best one and even
    attention; and the verdict, beside the untrained twin's head of which programs explain most beyond even
    attention."""
    null = _most_of_twin(twin)
    rows = []
    for head, known in _by_head(shares, fits).items():
        values = {name: known[name] for name in COLUMNS}
        value, low, high, _ = values["gain"]
        gain = Estimate(value, low, high, known["documents"])
        single = fits[head].single.chosen
        row = {
            **{"kind": head.kind, "layer": head.layer, "head": head.head},
            "explained": values["explained"][0],
            **{"low": values["explained"][1], "high": min(values["explained"][2], 1.0)},
            "explained_weights": values["explained_weights"][0],
            "one_program": programs[single[0]].name if single else "",
            "one_explains": values["single"][0],
            "even": values["even"][0],
            **{"gain": gain.value, "gain_low": gain.low, "gain_high": gain.high},
            "untrained": null.value if null is not None else np.nan,
            "verdict": judge("program", gain, untrained=null).verdict,
            "stderr": values["explained"][3],
            "gain_stderr": values["gain"][3],
            "weights_stderr": values["explained_weights"][3],
            "reads": say_sum(
                [programs[i].name for i in fits[head].programs.chosen],
                [known[f"share_{i}"][0] for i in range(len(fits[head].programs.chosen))],
                values["explained"][0],
            ),
            **{"n": known["n"], "documents": known["documents"]},
        }
        rows.append(row)
    return pd.DataFrame(rows)


def _by_head(shares: ProgramShares, fits: Mapping[Head, Fits]) -> dict[Head, dict[str, Any]]:
    """head -> column -> value, low, high, standard error; and how much was read."""
    known = {at: shares.mean(at) for at in shares.sums}
    numbers_of = {}
    for head in sorted(fits):
        of_layer = known[f"{head.kind}.{head.layer}"]
        mean, stderr, degrees = (
            part[head.head] for part in (of_layer.mean, of_layer.stderr, of_layer.degrees)
        )
        low, high = student_interval(mean, stderr, degrees)
        columns = [*COLUMNS, *(f"share_{i}" for i in range(len(mean) - len(COLUMNS)))]
        of_head: dict[str, Any] = {
            name: tuple(float(numbers[i]) for numbers in (mean, low, high, stderr))
            for i, name in enumerate(columns)
        }
        counts = {"n": of_layer.items[head.head, 0], "documents": of_layer.documents[head.head, 0]}
        numbers_of[head] = {**of_head, **{name: int(number) for name, number in counts.items()}}
    return numbers_of


def program_table(
    shares: ProgramShares, fits: Mapping[Head, Fits], programs: Sequence[Program]
) -> pd.DataFrame:
    """A row for every program of every head, the largest share of its weights first, with its weight for each
    class of query."""
    rows = []
    for head, known in _by_head(shares, fits).items():
        fit = fits[head].programs
        order = sorted(range(len(fit.chosen)), key=lambda i: -known[f"share_{i}"][0])
        for rank, place in enumerate(order):
            share = known[f"share_{place}"]
            name = programs[fit.chosen[place]].name
            weights = dict(zip(_class_columns(), fit.by_moved[:, place].tolist(), strict=True))
            address = {"kind": head.kind, "layer": head.layer, "head": head.head}
            numbers = {"share": share[0], "stderr": share[3], "low": share[1], "high": share[2]}
            rows.append({**address, "program": name, "rank": rank, **numbers, **weights})
    columns = [*ADDRESS, "program", "rank", "share", "stderr", "low", "high", *_class_columns()]
    return pd.DataFrame(rows, columns=columns)


def _class_columns() -> list[str]:
    return [f"on_{name.replace(' ', '_')}" for name in CLASSES]


def say_sum(names: Sequence[str], shares: Sequence[float], explained: float) -> str:
    """58 % rests on the first token; of the rest, 49 % the previous token and 22 % an earlier same word; 11 %
    of what it moves is not explained"""
    parts = sorted(zip(names, shares, strict=True), key=lambda part: -part[1])
    parts = [part for part in parts if round(100 * part[1]) >= 1]
    rests = [part for part in parts if part[0] in RESTING]
    others = [part for part in parts if part[0] not in RESTING]
    resting = sum(share for _, share in rests)
    said = []
    if rests:
        where = _join_words([program_words(name) for name, _ in rests])
        said.append(f"{percent(resting, 0)} rests on {where}")
    of_rest = max(1 - resting, 1e-9)
    if others:
        listed = [f"{percent(min(share / of_rest, 1), 0)} {program_words(name)}" for name, share in others]
        said.append(("of the rest, " if rests else "") + _join_words(listed))
    left = percent(min(max(1 - explained, 0.0), 1.0), 0)
    return "; ".join([*said, f"{left} of what it moves is not explained"])


def _join_words(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _most_of_twin(twin: pd.DataFrame | None) -> Estimate | None:
    """The most that programs explain of any untrained head beyond even attention."""
    if twin is None:
        return None
    gains = twin[(twin["statistic"] == STATISTIC) & (twin["group"] == "gain")]
    if gains.empty:
        return None
    row = gains.sort_values("value", kind="stable").iloc[-1]
    half = 1.96 * float(row["stderr"])
    value = float(row["value"])
    return Estimate(value, value - half, value + half, int(row["documents"]))


def rows_of(table: pd.DataFrame) -> list[Row]:
    """What is explained of each head, as statistics of heads."""
    errors = {"moved": "stderr", "weights": "weights_stderr", "gain": "gain_stderr"}
    return [
        Row(
            *(row["kind"], row["layer"], row["head"], STATISTIC, group),
            *(row[column], row[errors[group]], row["n"], row["documents"]),
        )
        for row in table.to_dict("records")
        for group, column in GROUPS.items()
    ]


def sentences(table: pd.DataFrame, with_twin: bool) -> list[str]:
    """How much programs explain, and which heads they do not."""
    beside = (
        "even attention and untrained heads give" if with_twin else "even attention gives (no untrained twin)"
    )
    median, single, even = (
        percent(float(table[name].median()), 0) for name in ("explained", "one_explains", "even")
    )
    shown = int((table["verdict"] == "shown").sum())
    of_median = f"of what the median head moves (one program {single}, even attention {even})"
    said = [
        f"programs explain {median} {of_median}; for {count(shown, 'head')} of {len(table):,} that is shown "
        f"to be more than {beside}"
        if shown
        else f"of no head programs are shown to explain more than {beside}: they explain {median} {of_median}"
    ]
    poorly = least_explained(table)
    if len(poorly):
        named = ", ".join(f"{row['layer']}.{row['head']}" for row in poorly.to_dict("records")[:8])
        said.append(
            f"no sum of programs: {count(len(poorly), 'head')} ({named}{', ...' if len(poorly) > 8 else ''})"
        )
    return said


def least_explained(table: pd.DataFrame) -> pd.DataFrame:
    """The heads of which programs surely explain little, the least explained first."""
    return table[table["high"] < POORLY_EXPLAINED].sort_values("explained", kind="stable")
