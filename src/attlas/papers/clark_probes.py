"""Items of Clark et al. 2019 that ask what heads know: its sections 3.2 (the "no-op") and 4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from attlas.address import Head
from attlas.errors import option
from attlas.papers.paper_evidence import PaperEvidence, both_ways, name_head
from attlas.papers.paper_items import NO_DATA, Measured, PaperItem, Reported

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
    "prep": ("", 66.7, 61.8),  # Universal Dependencies have no counterpart
    "pobj": ("", 76.3, 34.6),
}
#: relations that the "no-op" is asked of
RELATIONS_ASKED = tuple(
    dict.fromkeys(
        name
        for relation, (universal, *_) in TABLE_1.items()
        for name in (universal, relation)
        if name not in ("", "all")
    )
)
PRINTED = {"auxpass": ": the repository's; the paper prints 82.5 and 40.5"}
#: relations that only one of the two schemes has
STANFORD_ALONE = frozenset({"dobj", "nn", "poss", "prep", "pobj", "prt", "auxpass", "nsubjpass", "rcmod"})
UNIVERSAL_ALONE = frozenset(
    {"obj", "compound", "nmod", "nmod:poss", "case", "obl", "aux:pass", "compound:prt", "acl", "nsubj:pass"}
)
#: what single heads find in more than 75 % of cases
WELL_KNOWN = ("det", "dobj", "pobj", "poss")
#: relation -> the head that the authors name for it, counted from 0, and what it finds
AUTHORS_HEADS: Mapping[str, tuple[int, int, str]] = {
    "dobj": (7, 9, "direct objects"),
    "det": (7, 10, "determiners"),
    "poss": (6, 5, "possessors"),
    "auxpass": (3, 9, "passive auxiliaries"),
    "pobj": (8, 5, "objects of prepositions"),
}
#: Table 2: type of mention -> head 5-4, best rules
TABLE_2 = {"all": (65.0, 69.0), "pronoun": (64.0, 70.0), "proper": (73.0, 77.0), "nominal": (58.0, 60.0)}
#: type of mention, and what the best head is compared with -> the claim, and by how many points in the paper
COREFERENCE_BASELINES: Mapping[tuple[str, str], tuple[str, float]] = {
    ("all", "nearest"): ("the best head is better than the nearest mention", 38.0),
    ("all", "head match"): ("the best head is better than the nearest with the same head word", 13.0),
    ("all", "rules"): ("the best head is nearly as good as four sieves of rules", -4.0),
    ("nominal", "head match"): ("it is good with nominal mentions: better than the same head word", 18.0),
}
ANOTHER_TREEBANK = "another treebank: Universal Dependencies, not the Penn Treebank"
ANOTHER_CORPUS = "another corpus, and the original's choice of mentions is not known"


def dependencies(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Table 1: the best head for each relation, whatever the treebank's scheme calls it."""
    tables = both_ways(lambda faithful: evidence.table("best", "dependencies", faithful))
    stanford = has_stanford_relations(tables.get("corrected"))
    causes = () if stanford else (ANOTHER_TREEBANK,)
    for relation, (universal, accuracy, offset) in TABLE_1.items():
        here = relation if stanford else universal
        item = PaperItem(
            "Table 1",
            f"best head for {relation}"
            + (f" ({universal} in UD)" if universal not in (relation, "") else ""),
            Reported(
                f"{accuracy:g} (offset {offset:g}){PRINTED.get(relation, '')}", accuracy, 1.0, "repository"
            ),
            "gain",
            causes=causes,
            unit="percent",
        )
        if not here:
            why = "Universal Dependencies make the noun the head of its preposition, not the reverse"
            yield replace(item, not_asked=why)
            continue
        missing = f"{NO_DATA}: the treebank here has too few of them: give a larger one with {option('data')}"
        rows = _rows_of_group(tables, here)
        twin = _row_of_group(evidence.twin_table("best", "dependencies"), here)
        yield _compare_best_heads(item, rows, twin, "baseline_accuracy", "the best fixed offset", missing)
    yield from _specialists(evidence, tables.get("corrected"), causes)
    yield from _authors_heads(evidence, causes)


def has_stanford_relations(table: Any) -> bool:
    """Whether a table's relations are those of Stanford Dependencies: the labels say so, not the file."""
    groups = set() if table is None else set(table["group"])
    return len(groups & STANFORD_ALONE) > len(groups & UNIVERSAL_ALONE)


def _specialists(evidence: PaperEvidence, table: Any, causes: tuple[str, ...]) -> Iterator[PaperItem]:
    """Section 4.2: no head knows grammar as a whole, and some know one relation well."""
    stanford = has_stanford_relations(table)
    names = {name if stanford else universal: name for name, (universal, *_) in TABLE_1.items()}
    rows = [row for name in names if name and (row := _row_of_group(table, name)) is not None]
    whole = _row_of_group(table, "all")
    if whole is None or len(rows) < 2:
        return
    best = max((row for row in rows if row["group"] != "all"), key=lambda row: float(row["accuracy"]))
    beat = sum(float(row["gain_low"]) > 0 for row in rows)
    yield PaperItem(
        "section 4.2",
        "heads specialise: accuracy of the best head at some relation, less that of the best at all words",
        Reported("no head does well overall (34.5); some do at one relation (99.1)", 64.6, 1.0),
        "gain",
        corrected=_accuracy(best) - _accuracy(whole),
        untrained=_specialisation(evidence.twin_table("best", "dependencies"), best["group"]),
        causes=causes,
        unit="percent",
        detail=f"the relation is {best['group']}; the heads of {beat} of {len(rows)} surely beat the offset",
    )
    known = [row for row in rows if names[row["group"]] in WELL_KNOWN]
    weakest = min(known, key=lambda row: float(row["accuracy"]), default=None)
    item = PaperItem(
        "section 4.2",
        "heads find determiners, direct objects, objects of prepositions and possessors in more than 75 % of "
        "cases: the worst of these",
        Reported("more than 75 % for each of the four", 75.0),
        "gain",
        causes=causes,
        unit="percent",
    )
    if weakest is None:
        yield replace(item, not_asked=f"{NO_DATA}: none of them has enough cases here")
        return
    yield replace(
        item,
        corrected=_accuracy(weakest),
        chance=100 * float(weakest["baseline_accuracy"]),
        threshold=75.0,
        detail=f"of {', '.join(row['group'] for row in known)}: {weakest['group']}",
    )


def _specialisation(table: Any, relation: str) -> Measured | None:
    rows = [_row_of_group(table, group) for group in (relation, "all")]
    return None if rows[0] is None or rows[1] is None else _accuracy(rows[0]) - _accuracy(rows[1])


def _authors_heads(evidence: PaperEvidence, causes: tuple[str, ...]) -> Iterator[PaperItem]:
    """The heads that the authors name: what they do in BERT-base, and in no other model."""
    for study, places in (("dependencies", AUTHORS_HEADS), ("coreference", {"all": (4, 3, "coreference")})):
        chapter, table = evidence.chapter(study), evidence.table("best", study)
        grid = None if chapter is None else evidence.atlas.array(f"{evidence.kind}.accuracy", chapter)
        for relation, (layer, head, words) in places.items():
            place = "Table 1" if study == "dependencies" else "Table 2"
            what = f"the authors' head for {words}, {layer + 1}-{head + 1}, beats the baseline here, too"
            item = PaperItem(place, what, Reported("the best of 144"), "gain", unit="percent", causes=causes)
            if not evidence.is_bert_base:
                yield replace(item, not_asked=f"it is a head of BERT-base, and this is {evidence.model}")
                continue
            group = (
                relation
                if table is not None and has_stanford_relations(table)
                else TABLE_1.get(relation, (relation,))[0]
            )
            groups = [] if table is None else list(table["group"])
            if grid is None or group not in groups:
                yield replace(item, not_asked=f"{NO_DATA}: too few of them, or none was given")
                continue
            yield replace(
                item, **_rank_head(evidence, chapter or "", table, groups.index(group), layer, head)
            )


def _rank_head(
    evidence: PaperEvidence, chapter: str, table: Any, group: int, layer: int, head: int
) -> dict[str, Any]:
    """The accuracy of a head in its better direction, and its rank among all heads."""
    accuracy, low, high = (
        np.asarray(evidence.atlas.array(f"{evidence.kind}.{name}", chapter))[group]
        for name in ("accuracy", "low", "high")
    )  # direction layer head
    direction = int(np.nanargmax(accuracy[:, layer, head]))
    at = direction, layer, head
    rank = 1 + int((np.nanmax(accuracy, axis=0) > accuracy[at]).sum())
    row = table.iloc[group]
    value, least, most = (100 * float(grid[at]) for grid in (accuracy, low, high))
    here = Measured.between(value, least, most, name_head(layer, head), int(row["documents"]))
    baseline = 100 * float(row["baseline_accuracy"])
    return {"corrected": here, "chance": baseline, "detail": f"rank {rank} of {accuracy[0].size} heads"}


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
    """Do the heads of relations rest on [SEP] from the words that the relation does not apply to, and does
    it matter to the loss that they do?"""
    statistic, resting = "resting_weight_over_matched", evidence.numbers("resting")
    heads = heads_of_relations(evidence)
    here = {} if resting is None else {r: h for r, h in heads.items() if resting.has(statistic, r)}
    item = PaperItem(
        "section 3.2",
        "a head that tracks a relation rests where it does not apply: attention to [SEP], or the first "
        "token, from the other words, less that from the relation's; the mean over relations",
        Reported("the others look more at [SEP]; no numbers"),
        unit="share",
    )
    if resting is None or not here:
        yield replace(item, not_asked="no head surely tracks a relation here")
    else:
        by_relation = {r: resting.at(h.layer, h.head, statistic, r).scaled(-1) for r, h in here.items()}
        error = sum(m.value - m.bounds[0] for m in by_relation.values()) / len(by_relation)
        mean = sum(m.value for m in by_relation.values()) / len(by_relation)
        documents = min(m.documents for m in by_relation.values())
        detail = ", ".join(f"{relation} {m.value:+.3f}" for relation, m in by_relation.items())
        yield replace(item, corrected=Measured.around(mean, error, documents=documents), detail=detail)
    yield from _no_op_loss(evidence)


def _no_op_loss(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """The loss without attention to the resting place, beside that without as much attention elsewhere."""
    table = evidence.table("resting_loss", "resting_loss")
    reported = Reported("it is a no-op; no numbers")
    if table is None:
        what = "taking attention to [SEP] away changes the loss less than taking as much from other tokens"
        why = f"no loss was measured: {evidence.model} has none, or this was left out"
        yield PaperItem("section 3.2", what, reported, not_asked=why)
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
            yield PaperItem(
                "section 3.2",
                f"taking the attention of {of} to [SEP], or the first token, away: change of the loss, less "
                "that without as much attention to other tokens",
                reported,
                "loss",
                corrected=by_name["resting, less the rest"],
                below=True,
                unit="nats",
                detail="the change itself is {:+.4f} ({:+.4f} to {:+.4f})".format(alone.value, *alone.bounds),
            )


def _mean_change(rows: Any, where: str) -> Measured:
    """The mean over sets of heads, on the same texts: its error is at most the mean of the errors."""
    change, low, high = (float(rows[name].mean()) for name in ("change", "low", "high"))
    return Measured(change, low, high, where, int(rows["documents"].min()))


def coreference(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Table 2: the best head for coreference, and what it beats."""
    tables = both_ways(lambda faithful: evidence.table("best", "coreference", faithful))
    twin = evidence.twin_table("best", "coreference")
    causes = (ANOTHER_CORPUS,)
    for mention, (accuracy, rules) in TABLE_2.items():
        item = PaperItem(
            "Table 2",
            f"best head for coreference, {mention} mentions",
            Reported(f"{accuracy:g} (rules {rules:g})", accuracy, 1.0),
            "gain",
            causes=causes,
            unit="percent",
        )
        missing = (
            f"{NO_DATA}: no corpus of coreference with enough of them: give a folder with GUM "
            f"(github.com/amir-zeldes/gum), LitBank or OntoNotes by {option('data')}"
        )
        rows = _rows_of_group(tables, mention)
        untrained = _row_of_group(twin, mention)
        yield _compare_best_heads(item, rows, untrained, "nearest", "the nearest mention", missing)
    for (mention, baseline), (what, difference) in COREFERENCE_BASELINES.items():
        row = _row_of_group(tables.get("corrected"), mention)
        if row is not None and baseline in row:
            theirs = 100 * float(row[baseline])
            yield PaperItem(
                "Table 2",
                f"{what}: its accuracy, less theirs",
                Reported(f"{difference:+g}", difference, 2.0),
                "change" if difference < 0 else "gain",
                corrected=_accuracy(row).scaled(1.0, less=theirs),
                agrees=difference < 0,
                causes=causes,
                unit="percent",
                detail=f"they have {theirs:.1f} here",
            )


def _compare_best_heads(
    item: PaperItem,
    rows: dict[str, dict[str, Any]],
    untrained: Mapping[str, Any] | None,
    column: str,
    baseline: str,
    missing: str,
) -> PaperItem:
    """The accuracy of the best heads, beside that of the baseline in a column and of the best head of the
    untrained twin; or `missing`."""
    if not rows:
        return replace(item, not_asked=missing)
    measured: dict[str, Any] = {way: _accuracy(row) for way, row in rows.items()}
    if untrained is not None:
        measured["untrained"] = _accuracy(untrained)
    ours = next(reversed(rows.values()))
    chance = 100 * float(ours[column])
    if "p" in ours and column == "baseline_accuracy":  # of heads that were chosen on other sentences
        low, high = (100 * float(ours[name]) for name in ("gain_low", "gain_high"))
        above = measured["corrected"].value - chance
        gain = Measured.between(above, low, high, documents=int(ours["documents"]))
        measured |= {"gain": gain, "p": float(ours["p"])}
    return replace(item, chance=chance, detail=f"{baseline} has {chance:.1f} here", **measured)


def _rows_of_group(tables: Mapping[str, Any], group: str) -> dict[str, dict[str, Any]]:
    return {way: row for way, table in tables.items() if (row := _row_of_group(table, group)) is not None}


def _row_of_group(table: Any, group: str) -> dict[str, Any] | None:
    if table is None:
        return None
    rows = table[table["group"] == group]
    return None if rows.empty else dict(rows.iloc[0])


def _accuracy(row: Mapping[str, Any]) -> Measured:
    return Measured.in_percent(row, "accuracy", name_head(int(row["layer"]), int(row["head"])))
