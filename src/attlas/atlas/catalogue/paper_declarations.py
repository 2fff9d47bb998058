"""The studies that only the reproduction of a paper runs."""

from __future__ import annotations

from attlas.atlas.catalogue import declaration as d

RESTING = d.Declaration(
    "resting",
    title="Where words rest that a relation does not apply to",
    tells="where words rest that a relation does not apply to",
    command="reproduce clark2019 MODEL",
    study="attlas.studies.resting_study:RestingStudy",
    offered=False,
)
RESTING_LOSS = d.Declaration(
    "resting_loss",
    title="The loss without attention to the resting place",
    tells="what the model loses without attention to the resting place",
    command="reproduce clark2019 MODEL",
    study="attlas.studies.resting_study:RestingLoss",
    tables=(
        d.Table(
            "resting_loss",
            (
                *d.columns_of(d.TEXT, "what", "kind", "compared"),
                *d.columns_of(d.NUMBER, "change", "low", "high"),
                *d.columns_of(d.ERROR, "stderr"),
                *d.columns_of(d.COUNT, "heads", "n", "documents"),
            ),
        ),
    ),
    offered=False,
)
REDUNDANCY = d.Declaration(
    "redundancy",
    title="The loss without each of two heads, and without both",
    tells="whether two heads that carry frames do each other's work",
    command="reproduce kovaleva2019 MODEL",
    study="attlas.studies.redundancy_study:Redundancy",
    tables=(
        d.Table(
            "redundancy",
            (
                *d.columns_of(d.TEXT, "compared"),
                *d.columns_of(d.NUMBER, "change", "low", "high"),
                *d.columns_of(d.ERROR, "stderr"),
                *d.columns_of(d.COUNT, "n", "documents"),
            ),
        ),
    ),
    offered=False,
)
VIG2019 = d.Declaration(
    "vig2019",
    title="The six patterns on Vig's sentences",
    tells="which head shows each of Vig's six patterns best",
    command="reproduce vig2019 MODEL",
    study="attlas.papers.vig2019:vig_chapter",
    tables=(
        d.Table(
            "vig_sentences",
            (*d.columns_of(d.NUMBER, "score", "even", "untrained"), *d.columns_of(d.COUNT, "heads", "token")),
            of_heads=True,
        ),
        d.Table("vig_beside", d.columns_of(d.NUMBER, "value", "even"), of_heads=True),
    ),
    offered=False,
)
