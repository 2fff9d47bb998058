"""The study of who feeds whom."""

from __future__ import annotations

from attlas.atlas.catalogue import declaration as d
from attlas.atlas.catalogue.again import settings_of, source_of, text_options
from attlas.atlas.catalogue.change_declarations import BATCH, SIGNED_3, write_interval
from attlas.atlas.catalogue.row_sentences import say_feeding, strongest_feeds
from attlas.wording.numbers import percent

PART = d.Quantity("share of a lift", write=percent)


def _again(about: d.About) -> d.Again:
    heads = settings_of(about).get("heads")
    seed = {"seed": source_of(about)["seed"]} if source_of(about).get("seed") else {}
    return d.Again((), {**({"heads": heads} if heads else {}), **text_options(about, BATCH), **seed})


WHY = d.Declaration(
    "why",
    title="Who feeds whom",
    tells="which earlier heads feed the queries and keys of each head",
    command="why MODEL",
    study="attlas.studies.feeding.why_study:Why",
    result="attlas.studies.feeding.why_result:WhyResult",
    tables=(
        d.Table(
            "feeds",
            (
                d.Column("address", d.TEXT, "head", words=True),
                d.Column("writer", d.TEXT, "written by", words=True, needed=True),
                d.Column("lift", SIGNED_3, "lift", needed=True),
                d.Column("low", d.NUMBER, "95%", cell=write_interval, needed=True),
                d.Column("share", PART, "share", needed=True),
                d.Column("beside", SIGNED_3, "others of its layer"),
                d.Column("elsewhere", SIGNED_3, "into other heads"),
                d.Column("p", d.P_VALUE, "p", needed=True),
                d.Column("verdict", d.TEXT, "verdict", needed=True),
                *d.columns_of(d.TEXT, "end", "part", needed=True),
                *d.columns_of(d.NUMBER, "excess", "excess_low", "excess_high"),
                *d.columns_of(d.NUMBER, "high", "from_layer", "from_head", needed=True),
                *d.columns_of(d.ERROR, "stderr"),
                *d.columns_of(d.P_VALUE, "p_alone"),
                *d.columns_of(d.COUNT, "n", "documents"),
            ),
            of_heads=True,
            always=True,
            key="feeds",
            less=("95%", "others of its layer", "into other heads"),
            sentence=say_feeding,
            select=strongest_feeds,
        ),
        d.Table(
            "looks",
            (
                d.Column("end", d.TEXT, "end", words=True, needed=True),
                d.Column("lift", SIGNED_3, "lift", needed=True),
                d.Column("embeddings", SIGNED_3, "embeddings"),
                d.Column("positions", SIGNED_3, "positions"),
                d.Column("biases", SIGNED_3, "biases"),
                d.Column("heads", SIGNED_3, "heads"),
                d.Column("feed_forward", SIGNED_3, "MLPs"),
            ),
            of_heads=True,
            always=True,
            title="What lifts the scores of what a head attends to",
            key="looks",
        ),
    ),
    again=_again,
)
