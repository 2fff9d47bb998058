"""The study of who feeds whom."""

from __future__ import annotations

from attlas.atlas.catalogue.again import settings_of, source_of, text_options
from attlas.atlas.catalogue.change_declarations import BATCH, SIGNED_3, write_interval
from attlas.atlas.catalogue.declaration import (
    COUNT,
    ERROR,
    NUMBER,
    P_VALUE,
    TEXT,
    About,
    Again,
    Column,
    Declaration,
    Quantity,
    Table,
    columns_of,
)
from attlas.atlas.catalogue.row_sentences import say_feeding, strongest_feeds
from attlas.wording.numbers import percent

PART = Quantity("share of a lift", write=percent)


def _again(about: About) -> Again:
    heads = settings_of(about).get("heads")
    seed = {"seed": source_of(about)["seed"]} if source_of(about).get("seed") else {}
    return Again((), {**({"heads": heads} if heads else {}), **text_options(about, BATCH), **seed})


WHY = Declaration(
    "why",
    title="Who feeds whom",
    tells="which earlier heads feed the queries and keys of each head",
    command="why MODEL",
    study="attlas.studies.feeding.why_study:Why",
    result="attlas.studies.feeding.why_result:WhyResult",
    tables=(
        Table(
            "feeds",
            (
                Column("address", TEXT, "head", words=True),
                Column("writer", TEXT, "written by", words=True, needed=True),
                Column("lift", SIGNED_3, "lift", needed=True),
                Column("low", NUMBER, "95%", cell=write_interval, needed=True),
                Column("share", PART, "share", needed=True),
                Column("beside", SIGNED_3, "others of its layer"),
                Column("elsewhere", SIGNED_3, "into other heads"),
                Column("p", P_VALUE, "p", needed=True),
                Column("verdict", TEXT, "verdict", needed=True),
                *columns_of(TEXT, "end", "part", needed=True),
                *columns_of(NUMBER, "excess", "excess_low", "excess_high"),
                *columns_of(NUMBER, "high", "from_layer", "from_head", needed=True),
                *columns_of(ERROR, "stderr"),
                *columns_of(P_VALUE, "p_alone"),
                *columns_of(COUNT, "n", "documents"),
            ),
            of_heads=True,
            always=True,
            key="feeds",
            less=("95%", "others of its layer", "into other heads"),
            sentence=say_feeding,
            select=strongest_feeds,
        ),
        Table(
            "looks",
            (
                Column("end", TEXT, "end", words=True, needed=True),
                Column("lift", SIGNED_3, "lift", needed=True),
                Column("embeddings", SIGNED_3, "embeddings"),
                Column("positions", SIGNED_3, "positions"),
                Column("biases", SIGNED_3, "biases"),
                Column("heads", SIGNED_3, "heads"),
                Column("feed_forward", SIGNED_3, "MLPs"),
            ),
            of_heads=True,
            always=True,
            title="What lifts the scores of what a head attends to",
            key="looks",
        ),
    ),
    again=_again,
)
