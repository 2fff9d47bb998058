"""Items of Clark et al. 2019 that ask what heads know: its sections 3.2 (the "no-op"), 4 and 5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from attlas.address import Head
from attlas.errors import option
from attlas.papers.paper_items import Measured, PaperEvidence, PaperItem, Reported, both_ways

#: Table 1: the paper's relation -> Universal Dependencies', accuracy, best fixed offset
TABLE_1: Mapping[str, tuple[str, float, float]] = {
    "all": ("all", 34.5, 26.3),
    "det": ("det", 94.3, 51.7),
    "nsubj": ("nsubj", 58.5, 45.5),
    "dobj": ("obj", 86.8, 40.0),
    "amod": ("amod", 75.6, 68.3),
    "advmod": ("advmod", 48.8, 40.2),
    "aux": ("aux", 81.1, 71.5),
    "nn": ("compound", 70.4, 70.2),
    "poss": ("nmod:poss", 80.5, 47.7),
    "auxpass": ("aux:pass", 94.1, 82.5),
    "ccomp": ("ccomp", 48.8, 12.4),
    "mark": ("mark", 50.7, 14.5),
    "prt": ("compound:prt", 99.1, 91.4),
    "cop": ("cop", 72.2, 40.5),
}
#: relations that the "no-op" is asked of
RELATIONS_ASKED = tuple(universal for universal, _, _ in TABLE_1.values() if universal != "all")
#: Table 1's rows that have no counterpart in Universal Dependencies
NO_COUNTERPART = {"prep": (66.7, 61.8), "pobj": (76.3, 34.6)}
#: Table 2: type of mention -> head 5-4, best rules
TABLE_2 = {"all": (65.0, 69.0), "pronoun": (64.0, 70.0), "proper": (73.0, 77.0), "nominal": (58.0, 60.0)}
#: Table 3: probe -> UAS
TABLE_3 = {
    "right-branching": ("right-branching", 26.0),
    "embeddings": ("random weights, its embeddings kept, with words", 30.0),
    "distances": ("distances and words", 58.0),
    "attention": ("attention alone", 61.0),
    "words": ("attention and words", 77.0),
}
#: probes of Table 3, each of which beats the next
TABLE_3_ORDER = (("distances", "embeddings"), ("attention", "distances"), ("words", "attention"))
#: what the best head for coreference is compared with: its name, the claim, by how many points in the paper
COREFERENCE_BASELINES = {
    "nearest": ("the nearest mention", "better than", 38.0),
    "head match": ("the nearest with the same head word", "better than", 13.0),
    "rules": ("four sieves of rules", "worse than", -4.0),
}
ANOTHER_TREEBANK = "another treebank: Universal Dependencies, not the Penn Treebank"
ANOTHER_CORPUS = "another corpus, and the original's choice of mentions is not known"


def dependencies(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Table 1: the best head for each relation."""
    tables = both_ways(lambda faithful: evidence.table("best", "dependencies", faithful))
    causes = (*evidence.causes, ANOTHER_TREEBANK)
    for relation, (universal, accuracy, offset) in TABLE_1.items():
        printed = ": the repository's; the paper prints 82.5 and 40.5" if relation == "auxpass" else ""
        item = PaperItem(
            "Table 1",
            f"best head for {relation}" + (f" ({universal} here)" if universal != relation else ""),
            Reported(f"{accuracy:g} (offset {offset:g}){printed}", accuracy, 1.0, "repository"),
            causes=causes,
            unit="percent",
        )
        missing = f"the treebank here has too few of them: give a larger one with {option('data')}"
        rows = _rows_of_group(tables, universal)
        yield _compare_best_heads(item, rows, "baseline_accuracy", "the best fixed offset", missing)
    for relation, (accuracy, offset) in NO_COUNTERPART.items():
        yield PaperItem(
            "Table 1",
            f"best head for {relation}",
            Reported(f"{accuracy:g} (offset {offset:g})", accuracy, 1.0, "repository"),
            incomparable="Universal Dependencies make the noun the head of its preposition, not the reverse",
            unit="percent",
        )
    yield from _specialists(tables.get("corrected"), causes)


def _specialists(table: Any, causes: tuple[str, ...]) -> Iterator[PaperItem]:
    """Section 4.2: no head knows grammar as a whole, and some know one relation well."""
    rows = [row for universal, *_ in TABLE_1.values() if (row := _row_of_group(table, universal)) is not None]
    whole = _row_of_group(table, "all")
    if whole is None or len(rows) < 2:
        return
    best = max((row for row in rows if row["group"] != "all"), key=lambda row: float(row["accuracy"]))
    yield PaperItem(
        "section 4.2",
        "heads specialise: accuracy of the best head at some relation, less that of the best at all words",
        Reported("no head does well overall (34.5); some do at one relation (99.1)", 64.6, 1.0),
        corrected=_accuracy(best) - _accuracy(whole),
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
    rows = {relation: _row_of_group(table, relation) for relation in RELATIONS_ASKED}
    return {
        relation: Head.from_row(row)
        for relation, row in rows.items()
        if row is not None and row["direction"] == "to" and float(row["gain_low"]) > 0
    }


def no_op(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Does the head of a relation rest on [SEP] from the words that the relation does not apply to, and does
    it matter to the loss that it does?"""
    statistic, resting = "resting_weight_over_matched", evidence.numbers("resting")
    for relation, head in heads_of_relations(evidence).items():
        if resting is not None and resting.has(statistic, relation):
            yield evidence.item(
                "section 3.2",
                f"the head of {relation} rests: attention to [SEP], or the first token, from {relation} "
                "words, less that from the others",
                Reported("the others look more at [SEP]; no numbers"),
                corrected=resting.at(head.layer, head.head, statistic, relation),
                chance=0.0,
                below=True,
                unit="share",
            )
    yield from _no_op_loss(evidence)


def _no_op_loss(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """The loss without attention to the resting place, beside that without as much attention elsewhere."""
    table = evidence.table("resting_loss", "resting_loss")
    reported = Reported("it is a no-op; no numbers")
    if table is None:
        what = "taking attention to [SEP] away changes the loss less than taking as much from other tokens"
        why = f"no loss was measured: {evidence.model} has none, or this was left out"
        yield PaperItem("section 3.2", what, reported, incomparable=why)
        return
    layers, heads = table[table["heads"] > 1], table[table["heads"] == 1]
    depth = ", ".join(str(layer) for layer in layers["layer"].unique())
    for rows, of, where in (
        (layers, "a layer's heads", f"layers {depth}, one at a time"),
        (heads, "the head of a relation", f"heads {', '.join(heads['what'].unique())}, one at a time"),
    ):
        by_name = {name: _mean_change(part, where) for name, part in rows.groupby("compared", sort=False)}
        if by_name:
            alone = by_name["without resting"]
            yield evidence.item(
                "section 3.2",
                f"taking the attention of {of} to [SEP], or the first token, away: change of the loss, less "
                "that without as much attention to other tokens",
                reported,
                corrected=by_name["resting, less the rest"],
                chance=0.0,
                below=True,
                unit="nats",
                detail="the change itself is {:+.4f} ({:+.4f} to {:+.4f})".format(alone.value, *alone.bounds),
            )


def _mean_change(rows: Any, where: str) -> Measured:
    """The mean over sets of heads, on the same texts: its error is at most the mean of the errors."""
    change, low, high = (float(rows[name].mean()) for name in ("change", "low", "high"))
    return Measured(change, low, high, where)


def coreference(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Table 2: the best head for coreference, and what it beats."""
    tables = both_ways(lambda faithful: evidence.table("best", "coreference", faithful))
    causes = (*evidence.causes, ANOTHER_CORPUS)
    for mention, (accuracy, rules) in TABLE_2.items():
        item = PaperItem(
            "Table 2",
            f"best head for coreference, {mention} mentions",
            Reported(f"{accuracy:g} (rules {rules:g})", accuracy, 1.0),
            causes=causes,
            unit="percent",
        )
        missing = (
            "no corpus of coreference with enough of them: give a folder with GUM "
            f"(github.com/amir-zeldes/gum), LitBank or OntoNotes by {option('data')}"
        )
        rows = _rows_of_group(tables, mention)
        yield _compare_best_heads(item, rows, "nearest", "the nearest mention", missing)
    row = _row_of_group(tables.get("corrected"), "all")
    for baseline, (name, claim, difference) in COREFERENCE_BASELINES.items():
        if row is not None and baseline in row:
            best, theirs = _accuracy(row), 100 * float(row[baseline])
            low, high = best.bounds
            yield PaperItem(
                "Table 2",
                f"the best head is {claim} {name}: its accuracy, less theirs",
                Reported(f"{difference:+g}", difference, 2.0),
                corrected=Measured(best.value - theirs, low - theirs, high - theirs, best.where),
                chance=0.0,
                below=difference < 0,
                causes=causes,
                unit="percent",
            )


def trees(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Table 3: probes over all heads."""
    rows = {
        way: {row["probe"]: row for row in table.to_dict("records")}
        for way, table in both_ways(lambda faithful: evidence.table("trees", "tree", faithful)).items()
    }
    causes = (*evidence.causes, ANOTHER_TREEBANK)
    for probe, (title, uas) in TABLE_3.items():
        measured: dict[str, Any] = {
            way: _uas(trained[probe], greedy=way == "faithful")
            for way, trained in rows.items()
            if probe in trained
        }
        missing = (
            f"not trained: {option('budget', 'full')} trains it, on a treebank given by {option('data')}"
        )
        yield PaperItem(
            "Table 3",
            f"UAS of a probe that sees {title}",
            Reported(f"{uas:g}", uas, 1.0),
            causes=causes,
            missing="" if measured else missing,
            unit="percent",
            **measured,
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
    return _uas(better) - _uas(worse)


def _uas(row: Mapping[str, Any], greedy: bool = False) -> Measured:
    return Measured(100 * float(row["greedy"])) if greedy else Measured.in_percent(row, "uas")


def _compare_best_heads(
    item: PaperItem, rows: dict[str, dict[str, Any]], column: str, baseline: str, missing: str
) -> PaperItem:
    """The accuracy of the best heads, beside that of the baseline in a column; or `missing`."""
    if not rows:
        return replace(item, missing=missing)
    measured: dict[str, Any] = {way: _accuracy(row) for way, row in rows.items()}
    chance = 100 * float(next(reversed(rows.values()))[column])
    return replace(item, chance=chance, detail=f"{baseline} has {chance:.1f} here", **measured)


def _rows_of_group(tables: Mapping[str, Any], group: str) -> dict[str, dict[str, Any]]:
    return {way: row for way, table in tables.items() if (row := _row_of_group(table, group)) is not None}


def _row_of_group(table: Any, group: str) -> dict[str, Any] | None:
    if table is None:
        return None
    rows = table[table["group"] == group]
    return None if rows.empty else dict(rows.iloc[0])


def _accuracy(row: Mapping[str, Any]) -> Measured:
    return Measured.in_percent(row, "accuracy", f"{row['layer']}.{row['head']}")
