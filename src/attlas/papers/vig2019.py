"""Vig 2019, "Deconstructing BERT: Distilling 6 Patterns from 100 Million Parameters"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from attlas.papers.paper_evidence import PaperEvidence, degrees_of_row
from attlas.papers.paper_items import OF_A_DECODER, Measured, PaperItem, Reported
from attlas.papers.vig_sentences import PATTERNS
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
NO_NEXT_WORD = f"{OF_A_DECODER}: it does not see the next word"
FIRST_TOKEN = "a decoder has no delimiter here: the first token stands in its place"


def items(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Each of the six patterns: on his own sentences, and over a corpus."""
    for number, (title, _) in PATTERNS.items():
        reported = Reported(f"seen by eye: {OVER_A_CORPUS[number][1]}")
        item = evidence.item(f"pattern {number}", title, reported, unit="share")
        yield _measure_on_his_sentences(evidence, number, item)
        yield _measure_over_a_corpus(evidence, number, item)


def _measure_on_his_sentences(evidence: PaperEvidence, number: int, item: PaperItem) -> PaperItem:
    item = replace(item, what=f"{item.what}: the best head on his own sentences")
    table = evidence.table("vig_sentences", "vig2019")
    rows = [] if table is None else table[table["pattern"] == number].to_dict("records")
    if not rows:
        why = NO_NEXT_WORD if number == 1 else "this text has no word of two pieces"
        return replace(item, incomparable=why)
    best = rows[0]
    return replace(
        item,
        faithful=Measured(float(best["score"]), where=f"{best['layer']}.{best['head']}"),
        chance=float(best["even"]),
        detail=FIRST_TOKEN if number == 6 and best.get("first") else "",
    )


def _measure_over_a_corpus(evidence: PaperEvidence, number: int, item: PaperItem) -> PaperItem:
    item = replace(item, what=f"{item.what}: the best head over a corpus, less what chance gives it")
    table = evidence.table("patterns", "patterns")
    name = OVER_A_CORPUS[number][0]
    scored = set() if table is None else set(table["pattern"][np.isfinite(table["gain"])])
    rests = number == 6 and name not in scored and "sink" in scored
    name = "sink" if rests else name
    if name not in scored:
        causal = number == 1 and evidence.kind == "decoder"
        why = NO_NEXT_WORD if causal else f"{evidence.model} has no score for `{name}`"
        return replace(item, incomparable=why)
    rows = table[table["pattern"] == name]
    best = rows.loc[rows["gain"].idxmax()]
    gain = float(best["gain"])
    stderr = float(best["gain_stderr"])
    low, high = student_interval(gain, stderr, degrees_of_row(best), among=len(rows))
    return replace(
        item,
        corrected=Measured(gain, float(low), float(high), f"{best['layer']}.{best['head']}"),
        chance=0.0,
        detail=FIRST_TOKEN if rests else "",
    )
