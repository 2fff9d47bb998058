"""The study of heads as sums of programs."""

from __future__ import annotations

import math

from attlas.atlas.catalogue.again import chosen_settings, seed_of, settings_of, text_options
from attlas.atlas.catalogue.change_declarations import write_interval
from attlas.atlas.catalogue.declaration import (
    COUNT,
    ERROR,
    NUMBER,
    TEXT,
    About,
    Again,
    Column,
    Declaration,
    Quantity,
    Row,
    Table,
    columns_of,
)
from attlas.atlas.catalogue.row_sentences import say_programs, told_programs
from attlas.atlas.catalogue.surface_declarations import TWIN
from attlas.wording.numbers import percent

#: of squares: on other documents than those of the fit it may be less than nothing
EXPLAINED = Quantity("share", -math.inf, 1, percent)
PART = Quantity("share", write=percent)
TIMES = Quantity("times the perplexity", 0, write=lambda value: f"{100 * (value - 1):+.1f} %")
RESTORED = Quantity("share", write=lambda value: f"{value:.0%}")


def _again(about: About) -> Again:
    asked = chosen_settings(about, {"programs": 5, "test": 24, "alone": False})
    twin = {"no_twin": True} if settings_of(about).get("twin") is False else {}
    return Again((), {**asked, **twin, **text_options(about), **seed_of(about)})


def _write_restored(row: Row) -> str:
    """58% (0.310 to 0.870)"""
    return "" if row["restored"] is None else f"{row['restored']:.0%} ({write_interval(row)})"


_OF_REPLACED = (
    Column("loss", NUMBER, "loss", needed=True),
    Column("times", TIMES, "perplexity", needed=True),
    Column("restored", RESTORED, "restored (95%)", cell=_write_restored, needed=True),
    Column("verdict", TEXT, "verdict", needed=True),
    *columns_of(NUMBER, "plain", needed=True),
    *columns_of(TIMES, "times_low", "times_high"),
    *columns_of(NUMBER, "low", "high", needed=True),
    *columns_of(COUNT, "n", "documents"),
)
EXPLAIN = Declaration(
    "explain",
    title="What heads are sums of",
    tells="what each head does, as a sum of readable programs, and whether they can replace it",
    command="explain MODEL",
    study="attlas.studies.programs.explain_study:Explain",
    result="attlas.studies.programs.explain_result:ExplainResult",
    figure="programs",
    tables=(
        Table(
            "explained",
            (
                Column("address", TEXT, "head", words=True),
                Column("explained", EXPLAINED, "explained", needed=True),
                Column("one_explains", EXPLAINED, "by one", needed=True),
                Column("even", EXPLAINED, "by even attention", needed=True),
                Column("verdict", TEXT, "verdict", needed=True),
                Column("reads", TEXT, "it is", words=True, needed=True),
                *columns_of(EXPLAINED, "low", "high", needed=True),
                *columns_of(EXPLAINED, "explained_weights"),
                *columns_of(TEXT, "one_program"),
                *columns_of(NUMBER, "gain", "gain_low", "gain_high", "untrained"),
                *columns_of(ERROR, "stderr", "gain_stderr", "weights_stderr"),
                *columns_of(COUNT, "n", "documents"),
            ),
            of_heads=True,
            always=True,
            drawn=True,
            title="Best explained",
            key="heads",
            less=("by even attention", "by one"),
            sentence=say_programs,
            select=told_programs,
        ),
        Table(
            "programs",
            (
                *columns_of(TEXT, "program", needed=True),
                *columns_of(COUNT, "rank", needed=True),
                *columns_of(PART, "share", needed=True),
                *columns_of(ERROR, "stderr"),
                *columns_of(NUMBER, "low", "high"),
                *columns_of(
                    NUMBER,
                    *(
                        "on_special",
                        "on_punctuation",
                        "on_sentence_start",
                        "on_first_piece",
                        "on_later_piece",
                    ),
                ),
            ),
            of_heads=True,
            always=True,
            key="programs",
        ),
        Table(
            "replaced",
            (
                Column("order", TEXT, "order", words=True, needed=True),
                Column("way", TEXT, "replaced by", words=True, needed=True),
                Column("heads", COUNT, "heads", needed=True),
                *columns_of(COUNT, "percent", needed=True),
                *_OF_REPLACED,
            ),
            drawn=True,
            title="Heads replaced",
            key="replaced",
            less=("order",),
        ),
        Table(
            "replaced_alone",
            (*columns_of(TEXT, "way", needed=True), *_OF_REPLACED),
            of_heads=True,
            key="alone",
        ),
        TWIN,
    ),
    again=_again,
)
