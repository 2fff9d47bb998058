"""The studies that only the reproduction of a paper runs."""

from __future__ import annotations

from attlas.atlas.catalogue.declaration import (
    COUNT,
    ERROR,
    NUMBER,
    TEXT,
    Declaration,
    Table,
    columns_of,
)

RESTING = Declaration(
    "resting",
    title="Where words rest that a relation does not apply to",
    tells="where words rest that a relation does not apply to",
    command="reproduce clark2019 MODEL",
    study="attlas.studies.resting_study:RestingStudy",
    offered=False,
)
RESTING_LOSS = Declaration(
    "resting_loss",
    title="The loss without attention to the resting place",
    tells="what the model loses without attention to the resting place",
    command="reproduce clark2019 MODEL",
    study="attlas.studies.resting_study:RestingLoss",
    tables=(
        Table(
            "resting_loss",
            (
                *columns_of(TEXT, "what", "kind", "compared"),
                *columns_of(NUMBER, "change", "low", "high"),
                *columns_of(ERROR, "stderr"),
                *columns_of(COUNT, "heads", "n", "documents"),
            ),
        ),
    ),
    offered=False,
)
VIG2019 = Declaration(
    "vig2019",
    title="The six patterns on Vig's sentences",
    tells="which head shows each of Vig's six patterns best",
    command="reproduce vig2019 MODEL",
    study="attlas.papers.vig2019:vig_chapter",
    tables=(
        Table(
            "vig_sentences",
            (*columns_of(NUMBER, "score", "even", "untrained"), *columns_of(COUNT, "heads", "token")),
            of_heads=True,
        ),
        Table("vig_beside", columns_of(NUMBER, "value", "even"), of_heads=True),
    ),
    offered=False,
)
