"""Table 3 of Clark et al. 2019: trees from the attention of all heads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from attlas.errors import option
from attlas.papers.clark_probes import ANOTHER_TREEBANK
from attlas.papers.paper_evidence import PaperEvidence, both_ways
from attlas.papers.paper_items import NO_DATA, Measured, PaperItem, Reported

#: Table 3: probe -> UAS
TABLE_3 = {
    "right-branching": ("right-branching", 26.0),
    "embeddings": ("random weights, its embeddings kept, with words", 30.0),
    "distances": ("distances and words", 58.0),
    "attention": ("attention alone", 61.0),
    "words": ("attention and words", 77.0),
}
#: probes of Table 3, what each is ahead of, and how that is called
TABLE_3_ORDER = (
    ("attention", "right-branching", "right-branching"),
    ("attention", "distances", "distances and words"),
    ("words", "embeddings", "the same with random weights"),
    ("words", "distances", "distances and words"),
    ("words", "attention", "attention alone"),
)


def trees(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Table 3: probes over all heads, each ahead of what it has to beat. What a probe finds without the model
    (right-branching, distances and words) or with an untrained one is a baseline, not a claim."""
    rows = {
        way: {row["probe"]: row for row in table.to_dict("records")}
        for way, table in both_ways(lambda faithful: evidence.table("trees", "tree", faithful)).items()
    }
    trained = rows.get("corrected", {})
    for better, worse, words in TABLE_3_ORDER:
        ahead = TABLE_3[better][1] - TABLE_3[worse][1]
        item = PaperItem(
            "Table 3",
            f"a probe that sees {TABLE_3[better][0]} is ahead of {words}: UAS, less the second's",
            Reported(f"{ahead:+g} ({TABLE_3[better][1]:g} and {TABLE_3[worse][1]:g})", ahead, 2.0),
            "gain",
            causes=(ANOTHER_TREEBANK,),
            unit="percent",
        )
        if (better, worse) == ("words", "attention") and not _knows_grammar(trained):
            yield replace(item, not_asked="attention alone is no better than right-branching here")
            continue
        if better not in trained or worse not in trained:
            why = f"{NO_DATA}: {option('budget', 'full')} trains it, on a treebank given by {option('data')}"
            yield replace(item, not_asked=why)
            continue
        original = rows.get("faithful", {}).get(better)
        theirs = (
            "" if original is None else f"; {100 * float(original['greedy']):.1f} with the original's defect"
        )
        both = f"{_uas(trained[better]).value:.1f} and {_uas(trained[worse]).value:.1f} here{theirs}"
        yield replace(item, corrected=_ahead(trained[better], trained[worse]), detail=both)


def _knows_grammar(trained: Mapping[str, Mapping[str, Any]]) -> bool:
    needed = trained.get("attention"), trained.get("right-branching")
    return needed[0] is None or needed[1] is None or _ahead(needed[0], needed[1]).bounds[0] > 0


def _ahead(better: Mapping[str, Any], worse: Mapping[str, Any]) -> Measured:
    """`gain` is the UAS less that of attention alone, sentence by sentence. Two other probes have errors that
    may go together either way, so that they add up."""
    for row, sign in ((better, 1), (worse, -1)):
        other = worse if sign > 0 else better
        if other["probe"] == "attention":
            gain, *ends = (100 * sign * float(row[key]) for key in ("gain", "gain_low", "gain_high"))
            return Measured(gain, min(ends), max(ends), documents=int(row.get("documents", 0)))
    return _uas(better) - _uas(worse)


def _uas(row: Mapping[str, Any]) -> Measured:
    return Measured.in_percent(row, "uas")
