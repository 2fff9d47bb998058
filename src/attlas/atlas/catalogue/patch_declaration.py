"""The study of what heads carry from one text to another."""

from __future__ import annotations

import re
from functools import partial

from attlas.atlas.catalogue import declaration as d
from attlas.atlas.catalogue.again import corpus_name, corpus_of, source_of
from attlas.atlas.catalogue.change_declarations import AT_LEAST_ONE, SIGNED_3, STABILITY, write_interval
from attlas.atlas.catalogue.row_sentences import say_patching, sure_patches
from attlas.wording.numbers import format_range

AREA = d.Quantity("area", write=lambda value: f"{value:.2f}")


def _patch_again(about: d.About) -> d.Again:
    corpus, source = corpus_of(about), source_of(about)
    drawn = re.match(r"of ([\d,]+) pairs? read", str(corpus.get("dropped", "")))
    count = int(drawn[1].replace(",", "")) if drawn else source.get("pairs")
    seed = {"seed": corpus["seed"]} if corpus.get("seed") else {}
    return d.Again((corpus_name(about),), {"count": count, **seed})


def _path(row: d.Row) -> str:
    return f"{row['layer']}.{row['head']} to {row['to']}"


def _area_interval(name: str, row: d.Row) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return "" if low is None else format_range(low, high, 2)


_JUDGED = (*d.columns_of(d.TEXT, "verdict"), *d.columns_of(d.COUNT, "documents", "documents_needed"))
_PATCHED = (
    *d.columns_of(d.NUMBER, "high", needed=True),
    *d.columns_of(d.NUMBER, "share"),
    *d.columns_of(d.ERROR, "stderr", "attributed_stderr"),
    *d.columns_of(d.P_VALUE, "p_alone"),
    d.Column("n", AT_LEAST_ONE),
    *_JUDGED,
)
PATCH = d.Declaration(
    "patch",
    title="Which heads carry what tells two texts apart",
    tells="which heads carry what tells two texts apart",
    command="patch MODEL",
    study="attlas.studies.patching.patch_study:Patching",
    result="attlas.studies.patching.patch_result:PatchResult",
    figure="patching",
    needs_loss=True,
    tables=(
        d.Table(
            "runs",
            (
                *d.columns_of(d.TEXT, "text", needed=True),
                *d.columns_of(d.NUMBER, "value", "low", needed=True),
                *d.columns_of(d.NUMBER, "high"),
                *d.columns_of(d.ERROR, "stderr"),
                *d.columns_of(d.COUNT, "n", needed=True),
                *d.columns_of(d.COUNT, "above_zero"),
            ),
            always=True,
            key="runs",
        ),
        d.Table(
            "patched",
            (
                *d.columns_of(d.NUMBER, "effect", "low", needed=True),
                *d.columns_of(d.P_VALUE, "p", needed=True),
                *_PATCHED,
                *d.columns_of(d.TEXT, "what", "into", needed=True),
                *d.columns_of(d.NUMBER, "attributed", "integrated"),
                *d.columns_of(d.ERROR, "integrated_stderr"),
                *d.columns_of(d.SHARE, "again"),
                *d.columns_of(d.TEXT, "from_1"),
            ),
            of_heads=True,
            always=True,
            key="heads",
            sentence=say_patching,
            select=sure_patches,
        ),
        d.Table(
            "attribution",
            (
                *d.columns_of(d.TEXT, "way", "what", "into", needed=True),
                *d.columns_of(d.NUMBER, "correlation", "rank_correlation", "by_chance"),
                *d.columns_of(d.COUNT, "both", "top", "heads"),
            ),
            always=True,
            key="attribution",
        ),
        d.Table(
            "paths",
            (
                d.Column("to", d.TEXT, "path", cell=_path, words=True, needed=True),
                d.Column("effect", SIGNED_3, "effect", needed=True),
                d.Column("low", d.NUMBER, "95%", cell=write_interval, needed=True),
                d.Column("p", d.P_VALUE, "p", needed=True),
                *_PATCHED,
                *d.columns_of(d.NUMBER, "to_layer", "to_head"),
            ),
            of_heads=True,
            always=True,
            title="Paths between the strongest heads",
            key="paths",
        ),
        STABILITY,
        d.Table(
            "control",
            (
                *d.columns_of(d.NUMBER, "effect", "low", "high", "corrupt", needed=True),
                *d.columns_of(d.P_VALUE, "p", "p_alone", needed=True),
                *d.columns_of(d.ERROR, "stderr"),
                d.Column("n", AT_LEAST_ONE),
                *_JUDGED,
            ),
            of_heads=True,
            key="control",
        ),
        d.Table(
            "faithfulness",
            (
                d.Column("way", d.TEXT, "heads by", words=True, needed=True),
                d.Column("cpr", AREA, "CPR", needed=True),
                d.Column("cpr_low", d.NUMBER, "95%", cell=partial(_area_interval, "cpr")),
                d.Column("cmd", AREA, "CMD", needed=True),
                d.Column("cmd_low", d.NUMBER, "its 95%", cell=partial(_area_interval, "cmd")),
                *d.columns_of(d.NUMBER, "cpr_high", "cmd_high"),
                *d.columns_of(d.COUNT, "n"),
            ),
            title="Circuits of the strongest heads",
            key="faithfulness",
        ),
        d.Table(
            "circuits",
            (
                *d.columns_of(d.TEXT, "way", "first", needed=True),
                *d.columns_of(d.SHARE, "size", needed=True),
                *d.columns_of(d.COUNT, "kept"),
                *d.columns_of(d.NUMBER, "faithfulness", "low", "high", needed=True),
            ),
            key="circuits",
        ),
        d.Table(
            "pairs",
            (
                *d.columns_of(d.TEXT, "clean", "corrupt", "answer", "wrong", needed=True),
                *d.columns_of(d.TEXT, "control", "group"),
                *d.columns_of(d.COUNT, "document"),
                *d.columns_of(d.NUMBER, "clean_difference", "corrupt_difference"),
            ),
            key="pairs",
        ),
    ),
    again=_patch_again,
)
