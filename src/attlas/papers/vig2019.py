"""Vig 2019, "Deconstructing BERT: Distilling 6 Patterns from 100 Million Parameters"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from attlas.papers.paper_evidence import PaperEvidence
from attlas.papers.paper_items import Measured, PaperItem, Reported
from attlas.papers.vig_maps import PATTERNS
from attlas.statistics.clusters import degrees
from attlas.statistics.hypotheses import student_interval

TITLE = "Deconstructing BERT: Distilling 6 Patterns from 100 Million Parameters"
CITATION = (
    "Jesse Vig. 2019. Deconstructing BERT: Distilling 6 Patterns from 100 Million Parameters. Towards Data "
    "Science; and: A Multiscale Visualization of Attention in the Transformer Model. ACL 2019 (BertViz)."
)
#: number -> what Attlas calls it over a corpus, and where Vig shows it
OVER_A_CORPUS: Mapping[int, tuple[str, str]] = {
    1: ("next", "layer 2, head 0"),
    2: ("previous", "layer 0, head 2 in his figure"),
    3: ("related", "layer 2, head 6 in his figure"),
    4: ("other_sentence", "layer 10, head 10 in his figure"),
    5: ("predictive", "layer 2, head 1 in his figure: straw and ##berries"),
    6: ("delimiter", "layer 7, head 3"),
}


def items(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Each of the six patterns: on his own sentences, and over a corpus."""
    on_text = evidence.table("vig_sentences", "vig2019")
    over_corpus = evidence.table("patterns", "patterns")
    for number, (title, _) in PATTERNS.items():
        name, shown = OVER_A_CORPUS[number]
        reported = Reported(f"seen by eye: {shown}")
        place = f"pattern {number}"
        yield from _on_his_sentences(evidence, place, title, reported, on_text, number)
        yield from _over_a_corpus(evidence, place, title, reported, over_corpus, name)


def _on_his_sentences(
    evidence: PaperEvidence, place: str, title: str, reported: Reported, table: Any, number: int
) -> Iterator[PaperItem]:
    what = f"{title}: the best head on his own sentences"
    rows = [] if table is None else table[table["pattern"] == number].to_dict("records")
    if not rows:
        yield PaperItem(
            place, what, reported, incomparable="this text has no word of two pieces", unit="share"
        )
        return
    best = rows[0]
    yield PaperItem(
        place,
        what,
        reported,
        faithful=Measured(float(best["score"]), where=f"{best['layer']}.{best['head']}"),
        chance=float(best["even"]),
        causes=evidence.causes,
        unit="share",
    )


def _over_a_corpus(
    evidence: PaperEvidence, place: str, title: str, reported: Reported, table: Any, name: str
) -> Iterator[PaperItem]:
    what = f"{title}: the best head over a corpus, less what chance gives it"
    rows = None if table is None else table[table["pattern"] == name]
    if rows is None or rows.empty or not np.isfinite(rows["gain"]).any():
        yield PaperItem(place, what, reported, incomparable=f"{evidence.model} has no score for `{name}`")
        return
    best = rows.loc[rows["gain"].idxmax()]
    gain = float(best["gain"])
    freedom = degrees(np.asarray(float(best["n"])), np.asarray(float(best["documents"])))
    low, high = student_interval(gain, float(best["gain_stderr"]), freedom, among=len(rows))
    yield PaperItem(
        place,
        what,
        reported,
        corrected=Measured(gain, float(low), float(high), f"{best['layer']}.{best['head']}"),
        chance=0.0,
        causes=evidence.causes,
        unit="share",
    )
