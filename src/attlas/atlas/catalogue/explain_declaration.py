"""The study of heads as sums of programs."""

from __future__ import annotations

import math

from attlas.atlas.catalogue import declaration as d
from attlas.atlas.catalogue.again import chosen_settings, seed_of, settings_of, text_options
from attlas.atlas.catalogue.change_declarations import write_interval
from attlas.atlas.catalogue.row_sentences import say_programs, told_programs
from attlas.atlas.catalogue.surface_declarations import TWIN
from attlas.wording.numbers import percent, percent_change

#: of squares: on other documents than those of the fit it may be less than nothing
EXPLAINED = d.Quantity("share", -math.inf, 1, percent)
PART = d.Quantity("share", write=percent)
TIMES = d.Quantity("times the perplexity", 0, write=lambda times: percent_change(times - 1))
RESTORED = d.Quantity("share", write=lambda share: percent(share, 0))


def _again(about: d.About) -> d.Again:
    asked = chosen_settings(about, {"programs": 5, "test": 24, "alone": False})
    twin = {"no_twin": True} if settings_of(about).get("twin") is False else {}
    return d.Again((), {**asked, **twin, **text_options(about), **seed_of(about)})


def _write_restored(row: d.Row) -> str:
    """58% (0.310 to 0.870)"""
    return "" if row["restored"] is None else f"{percent(row['restored'], 0)} ({write_interval(row)})"


_OF_REPLACED = (
    d.Column("loss", d.NUMBER, "loss", needed=True),
    d.Column("times", TIMES, "perplexity", needed=True),
    d.Column("restored", RESTORED, "restored (95%)", cell=_write_restored, needed=True),
    d.Column("verdict", d.TEXT, "verdict", needed=True),
    *d.columns_of(d.NUMBER, "plain", needed=True),
    *d.columns_of(TIMES, "times_low", "times_high"),
    *d.columns_of(d.NUMBER, "low", "high", needed=True),
    *d.columns_of(d.COUNT, "n", "documents"),
)
EXPLAIN = d.Declaration(
    "explain",
    title="What heads are sums of",
    tells="what each head does, as a sum of readable programs, and whether they can replace it",
    command="explain MODEL",
    study="attlas.studies.programs.explain_study:Explain",
    result="attlas.studies.programs.explain_result:ExplainResult",
    figure="programs",
    tables=(
        d.Table(
            "explained",
            (
                d.Column("address", d.TEXT, "head", words=True),
                d.Column("explained", EXPLAINED, "explained", needed=True),
                d.Column("one_explains", EXPLAINED, "by one", needed=True),
                d.Column("even", EXPLAINED, "by even attention", needed=True),
                d.Column("verdict", d.TEXT, "verdict", needed=True),
                d.Column("reads", d.TEXT, "it is", words=True, needed=True),
                *d.columns_of(EXPLAINED, "low", "high", needed=True),
                *d.columns_of(EXPLAINED, "explained_weights"),
                *d.columns_of(d.TEXT, "one_program"),
                *d.columns_of(d.NUMBER, "gain", "gain_low", "gain_high", "untrained"),
                *d.columns_of(d.ERROR, "stderr", "gain_stderr", "weights_stderr"),
                *d.columns_of(d.COUNT, "n", "documents"),
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
        d.Table(
            "programs",
            (
                *d.columns_of(d.TEXT, "program", needed=True),
                *d.columns_of(d.COUNT, "rank", needed=True),
                *d.columns_of(PART, "share", needed=True),
                *d.columns_of(d.ERROR, "stderr"),
                *d.columns_of(d.NUMBER, "low", "high"),
                *d.columns_of(
                    d.NUMBER,
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
        d.Table(
            "replaced",
            (
                d.Column("order", d.TEXT, "order", words=True, needed=True),
                d.Column("way", d.TEXT, "replaced by", words=True, needed=True),
                d.Column("heads", d.COUNT, "heads", needed=True),
                *d.columns_of(d.COUNT, "percent", needed=True),
                *_OF_REPLACED,
            ),
            drawn=True,
            title="Heads replaced",
            key="replaced",
            less=("order",),
        ),
        d.Table(
            "replaced_alone",
            (*d.columns_of(d.TEXT, "way", needed=True), *_OF_REPLACED),
            of_heads=True,
            key="alone",
        ),
        TWIN,
    ),
    again=_again,
)
