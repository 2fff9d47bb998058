"""Clark, Khandelwal, Levy and Manning 2019, "What Does BERT Look At? An Analysis of BERT's Attention"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from attlas.papers.clark_numbers import (
    FIGURE_2,
    FIGURE_4,
    LAYERS,
    NO_COUNTERPART,
    READ_OFF,
    READ_OFF_NATS,
    RELATIONS_ASKED,
    TABLE_1,
    TABLE_2,
    TABLE_3,
)
from attlas.papers.paper_evidence import PaperEvidence
from attlas.papers.paper_items import Measured, PaperItem, Reported
from attlas.papers.surface_items import SurfaceOf, at_depth

TITLE = "What Does BERT Look At? An Analysis of BERT's Attention"
CITATION = (
    "Kevin Clark, Urvashi Khandelwal, Omer Levy and Christopher D. Manning. 2019. What Does BERT Look At? An "
    "Analysis of BERT's Attention. BlackboxNLP 2019."
)


def items(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Everything, in the paper's order."""
    corrected, faithful = evidence.surface(), evidence.surface(faithful=True)
    if corrected is not None:
        yield from _figure_1(evidence, faithful, corrected)
        yield from _offsets(evidence, faithful, corrected)
        yield from _by_layer(evidence, faithful, corrected, "Figure 2", FIGURE_2, READ_OFF)
        yield from _separators(evidence, faithful, corrected)
        yield from _gradients(evidence, corrected)
        yield from _by_layer(evidence, faithful, corrected, "Figure 4", FIGURE_4, READ_OFF_NATS)
        yield from _breadth(evidence, faithful, corrected)
    yield from _no_op(evidence)
    yield from _dependencies(evidence)
    yield from _coreference(evidence)
    yield from _trees(evidence)
    if corrected is not None:
        yield from _clustering(evidence, faithful, corrected)


def _both(
    faithful: SurfaceOf | None, corrected: SurfaceOf, statistic: str, group: str = ""
) -> Iterator[tuple[str, SurfaceOf]]:
    for name, surface in (("faithful", faithful), ("corrected", corrected)):
        if surface is not None and surface.has(statistic, group):
            yield name, surface


def _class_share(surface: SurfaceOf, group: str) -> float | None:
    """What even attention would give a class: its share of the tokens, if the atlas says it."""
    counts = surface.atlas.about(surface.chapter).get("classes") or {}
    share = counts.get(group) if isinstance(counts, dict) else None
    return float(share) if share is not None else None


def _figure_1(
    evidence: PaperEvidence, faithful: SurfaceOf | None, corrected: SurfaceOf
) -> Iterator[PaperItem]:
    strongest = (
        ("to_next", "", "one head looks at the next token and hardly at anything else (3-1)", 0.98, 0.5),
        ("to_class", "sep", "one head gives most of its attention to [SEP] (8-7)", None, 0.5),
        ("to_class", "punct", "one head gives most of its attention to periods and commas (11-6)", None, 0.5),
    )
    for statistic, group, what, value, half in strongest:
        measured = {
            name: s.best(statistic, group) for name, s in _both(faithful, corrected, statistic, group)
        }
        reported = (
            Reported("more than half", None)
            if value is None
            else Reported(f"{value:.2f}", value, READ_OFF, "plot")
        )
        yield _item(evidence, "Figure 1", what, reported, measured, half, unit="share")


def _offsets(
    evidence: PaperEvidence, faithful: SurfaceOf | None, corrected: SurfaceOf
) -> Iterator[PaperItem]:
    for statistic, word, heads, plot in (
        ("to_previous", "previous", 4, ""),
        ("to_next", "next", 5, "; the plot that was released shows three and one at 0.49"),
    ):
        measured = {name: s.heads_above(0.5, statistic) for name, s in _both(faithful, corrected, statistic)}
        reported = Reported(f"{heads} heads{plot}", heads, 0.0 if not plot else 2.0)
        what = f"heads that give more than half of their attention to the {word} token"
        yield _item(evidence, "section 3.1", what, reported, measured, 0.0, unit="count")


def _by_layer(
    evidence: PaperEvidence,
    faithful: SurfaceOf | None,
    corrected: SurfaceOf,
    place: str,
    curves: Mapping[tuple[str, str], tuple[str, tuple[float, ...]]],
    tolerance: float,
) -> Iterator[PaperItem]:
    """A curve over layers: a number a layer, for models of as many layers as the paper's."""
    for (statistic, group), (title, values) in curves.items():
        if not corrected.has(statistic, group):
            continue
        if corrected.layers != LAYERS:
            yield PaperItem(
                place,
                f"{title}, by layer",
                Reported(", ".join(f"{v:g}" for v in values), evidence="plot"),
                incomparable=f"{evidence.model} has {corrected.layers} layers, BERT-base {LAYERS}",
            )
            continue
        for layer, value in enumerate(values):
            measured = {
                name: s.over([layer], statistic, group)
                for name, s in _both(faithful, corrected, statistic, group)
            }
            reported = Reported(f"{value:g}", value, tolerance, "plot")
            yield _item(
                evidence,
                place,
                f"{title}, layer {layer + 1}",
                reported,
                measured,
                unit="nats" if statistic == "entropy" else "share",
            )


def _separators(
    evidence: PaperEvidence, faithful: SurfaceOf | None, corrected: SurfaceOf
) -> Iterator[PaperItem]:
    middle = at_depth(6, 10, corrected.layers)
    early = at_depth(2, 4, corrected.layers)
    late = at_depth(11, 12, corrected.layers)
    rest = [layer for layer in range(corrected.layers) if layer not in late]
    claims = (
        ("[SEP] takes more than half of attention in layers 6 to 10", "to_class", "sep", middle, 0.5),
        ("[SEP] gives nearly all its attention to [SEP] there", "sep_to_sep", "", middle, 0.5),
        ("[SEP] takes far more than its share of tokens there (1 in 64)", "to_class", "sep", middle, 1 / 64),
        ("[CLS] is looked at in layers 2 to 4, more than its share", "to_class", "cls", early, 1 / 128),
    )
    for what, statistic, group, layers, line in claims:
        measured = {
            name: s.over(layers, statistic, group) for name, s in _both(faithful, corrected, statistic, group)
        }
        if measured:
            said = Reported("more than half" if line == 0.5 else "more", None)
            yield _item(evidence, "section 3.2", what, said, measured, line, unit="share")
    measured = {
        name: s.difference(s.over(late, "to_class", "punct"), s.over(rest, "to_class", "punct"))
        for name, s in _both(faithful, corrected, "to_class", "punct")
    }
    what = "periods and commas take over in the last two layers: share there, less the share before"
    if measured:
        yield _item(evidence, "section 3.2", what, Reported("more", None), measured, 0.0, unit="share")


def _gradients(evidence: PaperEvidence, surface: SurfaceOf) -> Iterator[PaperItem]:
    what = "from layer 5 on, changing attention to [SEP] matters less than changing it elsewhere"
    reported = Reported("the gradient to [SEP] is near 0; no numbers", None)
    if not surface.has("gradient", "sep"):
        yield PaperItem(
            "Figure 3",
            what,
            reported,
            incomparable=f"{evidence.model} has no gradients to a loss, or no [SEP]",
        )
        return
    layers = at_depth(5, 12, surface.layers)
    to_sep, to_other = (surface.over(layers, "gradient", group) for group in ("sep", "other"))
    ratio = to_sep.value / to_other.value
    width = sum((m.value - (m.low or 0.0)) / m.value for m in (to_sep, to_other))
    measured = Measured(ratio, ratio * (1 - width), ratio * (1 + width), to_sep.where)
    yield PaperItem(
        "Figure 3",
        f"{what}: |gradient| to [SEP] over that to other tokens",
        reported,
        corrected=measured,
        chance=1.0,
        below=True,
        causes=evidence.another_model,
    )


def _breadth(
    evidence: PaperEvidence, faithful: SurfaceOf | None, corrected: SurfaceOf
) -> Iterator[PaperItem]:
    last = [corrected.layers - 1]
    measured = {
        name: s.over(last, "entropy", "cls") for name, s in _both(faithful, corrected, "entropy", "cls")
    }
    if measured:
        yield _item(
            evidence,
            "section 3.3",
            "[CLS] attends broadly in the last layer: its entropy in nats",
            Reported("3.89", 3.89, 0.15),
            measured,
            unit="nats",
        )
    first, rest = at_depth(1, 1, corrected.layers), range(1, corrected.layers)
    measured = {
        name: s.difference(s.over(first, "entropy", "all"), s.over(rest, "entropy", "all"))
        for name, s in _both(faithful, corrected, "entropy", "all")
    }
    what = "heads of the first layer attend more broadly than later ones: entropy there, less that after"
    yield _item(evidence, "section 3.3", what, Reported("more", None), measured, 0.0, unit="nats")


def _dependencies(evidence: PaperEvidence) -> Iterator[PaperItem]:
    corrected, faithful = (evidence.table("best", "dependencies", f) for f in (False, True))
    for relation, (universal, accuracy, offset) in TABLE_1.items():
        said = "the repository's; the paper prints 82.5 and 40.5" if relation == "auxpass" else ""
        reported = Reported(
            f"{accuracy:g} (offset {offset:g}){f': {said}' if said else ''}", accuracy, 1.0, "repository"
        )
        what = f"best head for {relation}" + (f" ({universal} here)" if universal != relation else "")
        rows = {
            name: row
            for name, table in (("faithful", faithful), ("corrected", corrected))
            if (row := _row(table, universal)) is not None
        }
        if not rows:
            missing = "the treebank here has too few of them: give a larger one with --data"
            yield PaperItem("Table 1", what, reported, missing=missing, unit="percent")
            continue
        measured = {name: _accuracy(row) for name, row in rows.items()}
        offset_here = 100 * float(next(reversed(rows.values()))["baseline_accuracy"])
        causes = (*evidence.another_model, "another treebank: Universal Dependencies, not the Penn Treebank")
        yield _item(
            evidence,
            "Table 1",
            f"{what}; the best fixed offset has {offset_here:.1f} here",
            reported,
            measured,
            offset_here,
            causes=causes,
            unit="percent",
        )
    for relation, (accuracy, offset) in NO_COUNTERPART.items():
        yield PaperItem(
            "Table 1",
            f"best head for {relation}",
            Reported(f"{accuracy:g} (offset {offset:g})", accuracy, 1.0, "repository"),
            incomparable="Universal Dependencies make the noun the head of its preposition, not the reverse",
            unit="percent",
        )


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


def _no_op(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Does the head of a relation rest on [SEP] from the words that the relation does not apply to?"""
    chapter, table = evidence.chapter("resting"), evidence.table("best", "dependencies")
    reported = Reported("words to which a head's relation does not apply look at [SEP]; no numbers")
    if chapter is None or table is None:
        return
    surface = SurfaceOf(evidence.atlas, chapter, evidence.kind)
    for relation in RELATIONS_ASKED:
        row = _row(table, relation)
        if row is None or not surface.has("resting_weight_over_matched", relation):
            continue
        if not float(row["gain_low"]) > 0:
            continue  # no head is surely one of this relation
        measured = surface.at(int(row["layer"]), int(row["head"]), "resting_weight_over_matched", relation)
        yield PaperItem(
            "section 3.2",
            f"the head of {relation} rests: attention to [SEP], or the first token, from {relation} words, "
            "less that from the others",
            reported,
            corrected=measured,
            chance=0.0,
            below=True,
            causes=evidence.another_model,
            unit="share",
        )


def _coreference(evidence: PaperEvidence) -> Iterator[PaperItem]:
    corrected, faithful = (evidence.table("best", "coreference", f) for f in (False, True))
    for mention, (accuracy, rules) in TABLE_2.items():
        reported = Reported(f"{accuracy:g} (rules {rules:g})", accuracy, 1.0)
        what = f"best head for coreference, {mention} mentions"
        rows = {
            name: row
            for name, table in (("faithful", faithful), ("corrected", corrected))
            if (row := _row(table, mention)) is not None
        }
        if not rows:
            missing = "no corpus of coreference: give a folder with GUM, LitBank or OntoNotes by --data"
            yield PaperItem("Table 2", what, reported, missing=missing, unit="percent")
            continue
        measured = {name: _accuracy(row) for name, row in rows.items()}
        best = next(reversed(rows.values()))
        nearest = 100 * float(best.get("nearest_accuracy", best["baseline_accuracy"]))
        causes = (
            *evidence.another_model,
            "another corpus, and the original's choice of mentions is not known",
        )
        yield _item(
            evidence,
            "Table 2",
            f"{what}; the best baseline has {nearest:.1f} here",
            reported,
            measured,
            nearest,
            causes=causes,
            unit="percent",
        )


def _trees(evidence: PaperEvidence) -> Iterator[PaperItem]:
    tables = {
        name: evidence.table("trees", "tree", f) for name, f in (("faithful", True), ("corrected", False))
    }
    rows = {
        name: {row["probe"]: row for row in table.to_dict("records")}
        for name, table in tables.items()
        if table is not None
    }
    causes = (*evidence.another_model, "another treebank: Universal Dependencies, not the Penn Treebank")
    for probe, (title, uas) in TABLE_3.items():
        reported = Reported(f"{uas:g}", uas, 1.0)
        what = f"UAS of a probe that sees {title}"
        measured = {
            name: _uas(trained[probe], greedy=name == "faithful")
            for name, trained in rows.items()
            if probe in trained
        }
        if not measured:
            missing = "not trained: --budget full trains it, on a whole treebank given by --data"
            yield PaperItem("Table 3", what, reported, missing=missing, unit="percent")
            continue
        yield _item(evidence, "Table 3", what, reported, measured, causes=causes, unit="percent")


def _uas(row: Mapping[str, Any], greedy: bool) -> Measured:
    if greedy:
        return Measured(100 * float(row["greedy"]))
    uas, low, high = (100 * float(row[key]) for key in ("uas", "low", "high"))
    return Measured(uas, low, high)


def _clustering(
    evidence: PaperEvidence, faithful: SurfaceOf | None, corrected: SurfaceOf
) -> Iterator[PaperItem]:
    layers = range(corrected.layers)
    measured = {
        name: s.difference(s.over(layers, "distance_between"), s.over(layers, "distance_within"))
        for name, s in _both(faithful, corrected, "distance_between")
        if s.has("distance_within")
    }
    if measured:
        what = "heads of one layer behave alike: divergence between layers, less that within"
        yield _item(evidence, "Figure 6", what, Reported("more", None), measured, 0.0, unit="nats")


def _item(
    evidence: PaperEvidence,
    place: str,
    what: str,
    reported: Reported,
    measured: Mapping[str, Measured],
    chance: float | None = None,
    causes: tuple[str, ...] | None = None,
    unit: str = "number",
) -> PaperItem:
    return PaperItem(
        place,
        what,
        reported,
        measured.get("faithful"),
        measured.get("corrected"),
        chance,
        causes=evidence.another_model if causes is None else causes,
        unit=unit,  # type: ignore[arg-type]
    )
