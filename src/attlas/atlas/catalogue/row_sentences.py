"""What a row of a study's table says of its head, in a sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, cast

import pandas as pd

from attlas.atlas.registry import REGISTRY, statistic
from attlas.statistics.claims import POORLY_EXPLAINED, SURE
from attlas.wording.names import PATTERNS
from attlas.wording.numbers import (
    chance_of,
    format_percents,
    format_range,
    number,
    percent,
    uncertain,
)
from attlas.wording.pattern_sentences import say_name_verdict
from attlas.wording.vocabulary import link_words

Row = dict[str, Any]
MOST_FEEDS = 3  # of a head, that are listed
MOST_CHANGES = 6  # of a head between two models, that are listed


def say_link(row: Row) -> str:
    """tracks obj (direct object to verb): 70.1 % (95 % 67–73), best fixed offset -2: 36.4 %, p < 0.001"""
    verb = "is the best head for" if value_of(row, "p") >= SURE else "tracks"
    baseline = say_baseline(row)
    accuracy = f"{say_accuracy(row)}{f', {baseline}' if baseline else ''}"
    return f"{verb} {row['group']}{_direction(row)}: {accuracy}{say_significance(row)}"


def _direction(row: Row) -> str:
    """(direct object to verb)"""
    if (direction := row.get("direction")) not in ("to", "from"):
        return ""
    words = link_words(str(row.get("statistic", "")), str(row["group"]))
    return f" ({words.way(direction).removeprefix('from ')})"


def say_accuracy(row: Row) -> str:
    """70.1 % (95 % 67–73)"""
    low, high = value_of(row, "low"), value_of(row, "high")
    interval = f" (95 % {format_percents(low, high)})" if _both_known(low, high) else ""
    return f"{percent(value_of(row, 'accuracy'))}{interval}"


def say_baseline(row: Row) -> str:
    """best fixed offset -2: 36.4 %"""
    accuracy = value_of(row, "baseline_accuracy")
    return f"{baseline_name(row)}: {percent(accuracy)}" if math.isfinite(accuracy) else ""


def baseline_name(row: Row) -> str:
    """best fixed offset -2"""
    baseline = str(row.get("baseline"))
    return f"best fixed offset {baseline}" if re.fullmatch(r"[+-]?\d+", baseline) else baseline


def say_group_weight(row: Row) -> str:
    """weighs subjects, from all tokens: 0.310 ± 0.020, matched 0.120, gain 0.190 ± 0.010, p < 0.001"""
    name = str(row.get("statistic", ""))
    about = statistic(name).write_title(str(row["group"])) if name in REGISTRY else str(row["group"])
    return f"weighs {about}: {say_weight(row)}"


def say_weight(row: Row) -> str:
    """0.310 ± 0.020, matched 0.120, gain 0.190 ± 0.010, p < 0.001"""
    words = uncertain(value_of(row, "weight"), value_of(row, "stderr"), 3)
    if math.isfinite(value_of(row, "matched")):
        words += f", matched {number(value_of(row, 'matched'), 3)}"
    if math.isfinite(value_of(row, "gain")):
        words += f", gain {uncertain(value_of(row, 'gain'), value_of(row, 'gain_stderr'), 3)}"
    return f"{words}{say_significance(row)}"


def say_writing(row: Row) -> str:
    """writes 1.89 times its layer's mean, rests by weight; raises gmina genes, lowers ##ici ##iser"""
    rests = {"neither": "", "both": ", rests by weight and output"}
    words = f"writes {value_of(row, 'beside_layer'):.2f} times its layer's mean"
    words += rests.get(str(row["rests"]), f", rests {row['rests']}")
    return f"{words}; raises {row['raises']}, lowers {row['lowers']}" if row.get("raises") else words


def say_effect(row: Row) -> str:
    """disabled (uniform): loss 2.763, +0.067 (95 % -0.044 to +0.180), p = 1.000"""
    low, high = value_of(row, "low"), value_of(row, "high")
    interval = f" (95 % {format_range(low, high)})" if _both_known(low, high) else ""
    return (
        f"disabled ({row['edit']}): {row.get('score')} {value_of(row, 'disabled'):.4f}, "
        f"{value_of(row, 'change'):+.4f}{interval}{say_significance(row)}"
    )


def say_patching(row: Row) -> str:
    """it speaks for the answer: its output, patched from the corrupt text into the clean one, moves the logit
    difference by -0.513 (95 % -0.610 to -0.415), p < 0.001"""
    what, moves = ("weights alone", "move") if row["what"] == "weights" else (row["what"], "moves")
    other = "clean" if row["into"] == "corrupt" else "corrupt"
    low, high, effect = (value_of(row, name) for name in ("low", "high", "effect"))
    interval = f" (95 % {format_range(low, high, 3)})" if _both_known(low, high) else ""
    speaks = "for" if (effect > 0) == (row["into"] == "corrupt") else "against"
    return (
        f"it speaks {speaks} the answer: its {what}, patched from the {other} text into the {row['into']} "
        f"one, {moves} the logit difference by {effect:+.3f}{interval}{say_significance(row)}"
    )


def say_feeding(row: Row) -> str:
    """16.0 writes 42.0 % of what lifts its keys (others of layer 16 +0.02 on average), p < 0.001"""
    ends = "keys" if row["end"] == "key" else "queries"
    beside = value_of(row, "beside")
    others = f" (others of layer {row['from_layer']:.0f} {beside:+.2f} on average)"
    return (
        f"{row['writer']} writes {percent(value_of(row, 'share'))} of what lifts its {ends}"
        f"{others if math.isfinite(beside) else ''}{say_significance(row)}"
    )


def say_programs(row: Row) -> str:
    """is 58% the previous token and 22% the start of its sentence; 11% of what it moves is not explained"""
    if row["verdict"] == "shown":
        return f"attends as a sum of programs: {row['reads']}"
    return f"is no sum of programs: they explain {percent(value_of(row, 'explained'))} of what it moves"


def say_change(row: Row) -> str:
    """entropy: 0.735 here, 0.329 in the other model (-0.472 to -0.341), p < 0.001"""
    about = statistic(str(row["statistic"])).write_name(str(row["group"]))
    here, there, low, high = (number(value_of(row, name), 3) for name in ("first", "second", "low", "high"))
    return f"{about}: {here} here, {there} in the other model (change {low} to {high}){say_significance(row)}"


def say_match(row: Row) -> str:
    """does what 3.7 does in the other model: 0.012 nats apart, 0.120 from the head of its own address"""
    apart, from_own = (number(value_of(row, name), 3) for name in ("distance", "own_distance"))
    if (row["match_layer"], row["match_head"]) == (row["layer"], row["head"]):
        return f"is best matched by itself in the other model: {apart} nats apart"
    there = f"{row['match_layer']}.{row['match_head']}"
    return (
        f"is best matched by {there} in the other model: {apart} nats apart, {from_own} from its own address"
    )


def say_name_test(row: Row) -> str:
    return f"{PATTERNS.get(str(row['pattern']), row['pattern'])}: {say_name_verdict(row)}"


def say_pruning_place(row: Row) -> str:
    """goes as number 3 by effect, as number 17 by gradient"""
    places = [(name.removesuffix("_goes"), place) for name, place in row.items() if name.endswith("_goes")]
    return "goes " + ", ".join(f"as number {place} by {order}" for order, place in places)


def sure_changes(rows: pd.DataFrame, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The statistics of a head that changed, of the many that were compared."""
    by_size = [statistic(str(name)).changes_by_size for name in rows["statistic"]]
    rows = rows[pd.Series(by_size, rows.index, dtype=bool)]
    shown = pd.Series(_judge_rows(rows, "change", "change"), rows.index, dtype=bool)
    return rows[shown].head(MOST_CHANGES)


def sure_patches(rows: pd.DataFrame, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The effects of patching a head that are shown, in a task that the model does."""
    return rows[does_task(tables) & pd.Series(_judge_rows(rows, "logits", "effect"), rows.index, dtype=bool)]


def _judge_rows(rows: pd.DataFrame, kind: str, value: str) -> list[bool]:
    from attlas.statistics.verdicts import shown_rows  # who only reads an atlas needs no scipy

    return shown_rows(kind, cast("list[Row]", rows.to_dict("records")), value)


def strongest_feeds(rows: pd.DataFrame, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The earlier heads that are shown to feed a head, the largest shares first."""
    shown = rows[rows["verdict"] == "shown"]
    return shown.sort_values("share", ascending=False, kind="stable").head(MOST_FEEDS)


def told_programs(rows: pd.DataFrame, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """What is shown to be a sum of programs, and what surely is none."""
    return rows[(rows["verdict"] == "shown") | (rows["high"] < POORLY_EXPLAINED)]


def does_task(tables: Mapping[str, pd.DataFrame]) -> bool:
    """Whether the model surely prefers the answer in the clean texts that were patched: where it does not,
    its heads say nothing of how the task is done."""
    runs = tables.get("runs")
    if runs is None or not {"text", "low"} <= set(runs.columns):
        return False
    return bool((runs.loc[runs["text"] == "clean", "low"] > 0).all())


def say_significance(row: Row) -> str:
    p = value_of(row, "p")
    return f", {chance_of(p)}" if math.isfinite(p) else ""


def value_of(row: Row, name: str) -> float:
    value = row.get(name)
    return float(value) if isinstance(value, int | float) else math.nan


def _both_known(low: float, high: float) -> bool:
    return math.isfinite(low) and math.isfinite(high)
