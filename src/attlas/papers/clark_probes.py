"""Items of Clark et al. 2019 that ask what heads know: its sections 3.2 (the "no-op"), 4 and 5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from attlas.address import Head
from attlas.errors import option
from attlas.papers.clark_numbers import (
    NO_COUNTERPART,
    RELATIONS_ASKED,
    TABLE_1,
    TABLE_2,
    TABLE_3,
    TABLE_3_ORDER,
)
from attlas.papers.paper_evidence import PaperEvidence
from attlas.papers.paper_items import Measured, PaperItem, Reported
from attlas.papers.surface_items import SurfaceOf

ANOTHER_TREEBANK = "another treebank: Universal Dependencies, not the Penn Treebank"
ANOTHER_CORPUS = "another corpus, and the original's choice of mentions is not known"


def dependencies(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Table 1: the best head for each relation."""
    tables = _tables(evidence, "best", "dependencies")
    causes = (*evidence.causes, ANOTHER_TREEBANK)
    for relation, (universal, accuracy, offset) in TABLE_1.items():
        said = ": the repository's; the paper prints 82.5 and 40.5" if relation == "auxpass" else ""
        reported = Reported(f"{accuracy:g} (offset {offset:g}){said}", accuracy, 1.0, "repository")
        what = f"best head for {relation}" + (f" ({universal} here)" if universal != relation else "")
        rows = _rows(tables, universal)
        if not rows:
            missing = f"the treebank here has too few of them: give a larger one with {option('data')}"
            yield PaperItem("Table 1", what, reported, missing=missing, unit="percent")
            continue
        measured = {name: _accuracy(row) for name, row in rows.items()}
        offset_here = 100 * float(next(reversed(rows.values()))["baseline_accuracy"])
        yield PaperItem(
            "Table 1",
            what,
            reported,
            measured.get("faithful"),
            measured.get("corrected"),
            offset_here,
            causes=causes,
            unit="percent",
            detail=f"the best fixed offset has {offset_here:.1f} here",
        )
    for relation, (accuracy, offset) in NO_COUNTERPART.items():
        yield PaperItem(
            "Table 1",
            f"best head for {relation}",
            Reported(f"{accuracy:g} (offset {offset:g})", accuracy, 1.0, "repository"),
            incomparable="Universal Dependencies make the noun the head of its preposition, not the reverse",
            unit="percent",
        )
    yield from _specialists(evidence, tables.get("corrected"), causes)


def _specialists(evidence: PaperEvidence, table: Any, causes: tuple[str, ...]) -> Iterator[PaperItem]:
    """No head knows grammar as a whole, and some know one relation well."""
    rows = [row for universal, *_ in TABLE_1.values() if (row := _row(table, universal)) is not None]
    whole = _row(table, "all")
    if whole is None or len(rows) < 2:
        return
    best = max((row for row in rows if row["group"] != "all"), key=lambda row: float(row["accuracy"]))
    yield PaperItem(
        "section 4.2",
        "heads specialise: accuracy of the best head at some relation, less that of the best at all words",
        Reported("no head does well overall (34.5); some do at one relation (99.1)", 64.6, 1.0),
        corrected=_difference(_accuracy(best), _accuracy(whole)),
        chance=0.0,
        causes=causes,
        unit="percent",
        detail=f"the relation is {best['group']}",
    )
    sure = sum(float(row["gain_low"]) > 0 for row in rows)
    possible = sum(float(row["gain_high"]) > 0 for row in rows)
    yield PaperItem(
        "section 4.2",
        "relations of table 1 whose head beats the best fixed offset",
        Reported("all", len(rows)),
        corrected=Measured(float(sure), float(sure), float(possible)),
        causes=causes,
        unit="count",
        detail=f"of {len(rows)} that are here",
    )


def heads_of_relations(evidence: PaperEvidence) -> dict[str, Head]:
    """relation -> the head whose dependents surely look at their head word: it beats the best fixed offset,
    on sentences that it was not chosen on."""
    table = evidence.table("best", "dependencies")
    rows = {relation: _row(table, relation) for relation in RELATIONS_ASKED}
    return {
        relation: Head(row["kind"], int(row["layer"]), int(row["head"]))
        for relation, row in rows.items()
        if row is not None and row["direction"] == "to" and float(row["gain_low"]) > 0
    }


def no_op(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Does the head of a relation rest on [SEP] from the words that the relation does not apply to, and does
    it matter to the loss that it does?"""
    chapter = evidence.chapter("resting")
    reported = Reported("the others look more at [SEP]; no numbers")
    surface = None if chapter is None else SurfaceOf(evidence.atlas, chapter, evidence.kind)
    for relation, head in heads_of_relations(evidence).items():
        if surface is None or not surface.has("resting_weight_over_matched", relation):
            continue
        yield PaperItem(
            "section 3.2",
            f"the head of {relation} rests: attention to [SEP], or the first token, from {relation} words, "
            "less that from the others",
            reported,
            corrected=surface.at(head.layer, head.head, "resting_weight_over_matched", relation),
            chance=0.0,
            below=True,
            causes=evidence.causes,
            unit="share",
        )
    yield from _no_op_loss(evidence)


def _no_op_loss(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """The loss without attention to the resting place, beside that without as much attention elsewhere."""
    table = evidence.table("resting_loss", "resting_loss")
    reported = Reported("it is a no-op; no numbers")
    if table is None:
        yield PaperItem(
            "section 3.2",
            "taking attention to [SEP] away changes the loss less than taking as much from other tokens",
            reported,
            incomparable=f"no loss was measured: {evidence.model} has none, or this was left out",
        )
        return
    layers = table[table["heads"] > 1]
    depth = f"layers {', '.join(str(layer) for layer in layers['layer'].unique())}, one at a time"
    heads = table[table["heads"] == 1]
    named = ", ".join(heads["what"].unique())
    for rows, where in ((layers, depth), (heads, f"heads {named}, one at a time")):
        by_name = {name: _mean_change(part, where) for name, part in rows.groupby("compared", sort=False)}
        if not by_name:
            continue
        alone, against = by_name["without resting"], by_name["resting, less the rest"]
        of = "a layer's heads" if rows is layers else "the head of a relation"
        yield PaperItem(
            "section 3.2",
            f"taking the attention of {of} to [SEP], or the first token, away: change of the loss, less that "
            "without as much attention to other tokens",
            reported,
            corrected=against,
            chance=0.0,
            below=True,
            causes=evidence.causes,
            unit="nats",
            detail="the change itself is {:+.4f} ({:+.4f} to {:+.4f})".format(alone.value, *alone.bounds),
        )


def _mean_change(rows: Any, where: str) -> Measured:
    """Over sets of heads, on the same texts: the mean's error is at most the mean of the errors."""
    change, low, high = (float(rows[name].mean()) for name in ("change", "low", "high"))
    return Measured(change, low, high, where)


def coreference(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Table 2: the best head for coreference, and what it beats."""
    tables = _tables(evidence, "best", "coreference")
    causes = (*evidence.causes, ANOTHER_CORPUS)
    for mention, (accuracy, rules) in TABLE_2.items():
        reported = Reported(f"{accuracy:g} (rules {rules:g})", accuracy, 1.0)
        what = f"best head for coreference, {mention} mentions"
        rows = _rows(tables, mention)
        if not rows:
            missing = (
                "no corpus of coreference with enough of them: give a folder with GUM "
                f"(github.com/amir-zeldes/gum), LitBank or OntoNotes by {option('data')}"
            )
            yield PaperItem("Table 2", what, reported, missing=missing, unit="percent")
            continue
        measured = {name: _accuracy(row) for name, row in rows.items()}
        best = next(reversed(rows.values()))
        nearest = 100 * float(best["nearest"])
        yield PaperItem(
            "Table 2",
            what,
            reported,
            measured.get("faithful"),
            measured.get("corrected"),
            nearest,
            causes=causes,
            unit="percent",
            detail=f"the nearest mention has {nearest:.1f} here",
        )
    row = _row(tables.get("corrected"), "all")
    for baseline, (name, words, difference) in _BASELINES.items():
        if row is not None and baseline in row:
            ahead, of = _accuracy(row), 100 * float(row[baseline])
            low, high = ahead.bounds
            yield PaperItem(
                "Table 2",
                f"the best head is {words} {name}: its accuracy, less theirs",
                Reported(f"{difference:+g}", difference, 2.0),
                corrected=Measured(ahead.value - of, low - of, high - of, ahead.where),
                chance=0.0,
                below=difference < 0,
                causes=causes,
                unit="percent",
            )


#: baseline -> its name, how the best head compares with it, by how many points in the paper
_BASELINES = {
    "nearest": ("the nearest mention", "better than", 38.0),
    "head match": ("the nearest with the same head word", "better than", 13.0),
    "rules": ("four sieves of rules", "worse than", -4.0),
}


def trees(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Table 3: probes over all heads."""
    rows = {
        name: {row["probe"]: row for row in table.to_dict("records")}
        for name, table in _tables(evidence, "trees", "tree").items()
    }
    causes = (*evidence.causes, ANOTHER_TREEBANK)
    for probe, (title, uas) in TABLE_3.items():
        reported = Reported(f"{uas:g}", uas, 1.0)
        what = f"UAS of a probe that sees {title}"
        measured = {
            name: _uas(trained[probe], greedy=name == "faithful")
            for name, trained in rows.items()
            if probe in trained
        }
        if not measured:
            missing = (
                f"not trained: {option('budget', 'full')} trains it, on a treebank given by {option('data')}"
            )
            yield PaperItem("Table 3", what, reported, missing=missing, unit="percent")
            continue
        yield PaperItem(
            "Table 3",
            what,
            reported,
            measured.get("faithful"),
            measured.get("corrected"),
            causes=causes,
            unit="percent",
        )
    trained = rows.get("corrected", {})
    for better, worse in TABLE_3_ORDER:
        if better in trained and worse in trained:
            ahead = TABLE_3[better][1] - TABLE_3[worse][1]
            yield PaperItem(
                "Table 3",
                f"{TABLE_3[better][0]}, ahead of {TABLE_3[worse][0]}: UAS of the first, less the second's",
                Reported(f"{ahead:+g}", ahead, 2.0),
                corrected=_ahead(trained[better], trained[worse]),
                chance=0.0,
                causes=causes,
                unit="percent",
            )


def _ahead(better: Mapping[str, Any], worse: Mapping[str, Any]) -> Measured:
    """`gain` is the UAS less that of attention alone, sentence by sentence. Two other probes have errors that
    may go together either way, so that they add up."""
    for row, sign in ((better, 1), (worse, -1)):
        other = worse if sign > 0 else better
        if other["probe"] == "attention":
            gain, *ends = (100 * sign * float(row[key]) for key in ("gain", "gain_low", "gain_high"))
            return Measured(gain, min(ends), max(ends))
    return _difference(_uas(better, False), _uas(worse, False))


def _uas(row: Mapping[str, Any], greedy: bool) -> Measured:
    if greedy:
        return Measured(100 * float(row["greedy"]))
    uas, low, high = (100 * float(row[key]) for key in ("uas", "low", "high"))
    return Measured(uas, low, high)


def _tables(evidence: PaperEvidence, table: str, study: str) -> dict[str, Any]:
    """The original's way and ours, where there are such."""
    both = {name: evidence.table(table, study, f) for name, f in (("faithful", True), ("corrected", False))}
    return {name: made for name, made in both.items() if made is not None}


def _rows(tables: Mapping[str, Any], group: str) -> dict[str, dict[str, Any]]:
    return {name: row for name, table in tables.items() if (row := _row(table, group)) is not None}


def _row(table: Any, group: str) -> dict[str, Any] | None:
    if table is None:
        return None
    rows = table[table["group"] == group]
    return None if rows.empty else dict(rows.iloc[0])


def _accuracy(row: Mapping[str, Any]) -> Measured:
    """In percent, with its interval where it has one."""
    value, low, high = (100 * float(row.get(key, np.nan)) for key in ("accuracy", "low", "high"))
    where = f"{row['layer']}.{row['head']}"
    return Measured(value, low, high, where) if np.isfinite(high - low) else Measured(value, where=where)


def _difference(left: Measured, right: Measured) -> Measured:
    """Their errors may go together either way, so that they add up."""
    value = left.value - right.value
    error = sum(m.value - m.bounds[0] for m in (left, right))
    where = ", less ".join(m.where for m in (left, right) if m.where)
    return Measured(value, value - error, value + error, where)
