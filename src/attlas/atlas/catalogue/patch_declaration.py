"""The study of what heads carry from one text to another."""

from __future__ import annotations

import re
from functools import partial

from attlas.atlas.catalogue.again import corpus_name, corpus_of, source_of
from attlas.atlas.catalogue.change_declarations import AT_LEAST_ONE, SIGNED_3, write_interval
from attlas.atlas.catalogue.declaration import (
    COUNT,
    ERROR,
    NUMBER,
    P_VALUE,
    SHARE,
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
from attlas.atlas.catalogue.row_sentences import say_patching, sure_patches
from attlas.wording.numbers import format_range

AREA = Quantity("area", write=lambda value: f"{value:.2f}")
MEAN = Quantity("count", 0, write=lambda value: f"{value:.1f}")


def _patch_again(about: About) -> Again:
    corpus, source = corpus_of(about), source_of(about)
    drawn = re.match(r"of ([\d,]+) pairs? read", str(corpus.get("dropped", "")))
    count = int(drawn[1].replace(",", "")) if drawn else source.get("pairs")
    seed = {"seed": corpus["seed"]} if corpus.get("seed") else {}
    return Again((corpus_name(about),), {"count": count, **seed})


def _path(row: Row) -> str:
    return f"{row['layer']}.{row['head']} to {row['to']}"


def _area_interval(name: str, row: Row) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return "" if low is None else format_range(low, high, 2)


_PATCHED = (
    *columns_of(NUMBER, "high", needed=True),
    *columns_of(NUMBER, "share"),
    *columns_of(ERROR, "stderr", "attributed_stderr"),
    *columns_of(P_VALUE, "p_alone"),
    Column("n", AT_LEAST_ONE),
)
PATCH = Declaration(
    "patch",
    title="Which heads carry what tells two texts apart",
    tells="which heads carry what tells two texts apart",
    command="patch MODEL",
    study="attlas.studies.patching.patch_study:Patching",
    result="attlas.studies.patching.patch_result:PatchResult",
    figure="patching",
    needs_loss=True,
    tables=(
        Table(
            "runs",
            (
                *columns_of(TEXT, "text", needed=True),
                *columns_of(NUMBER, "value", "low", needed=True),
                *columns_of(NUMBER, "high"),
                *columns_of(ERROR, "stderr"),
                *columns_of(COUNT, "n", needed=True),
                *columns_of(COUNT, "above_zero"),
            ),
            always=True,
            key="runs",
        ),
        Table(
            "patched",
            (
                *columns_of(NUMBER, "effect", "low", needed=True),
                *columns_of(P_VALUE, "p", needed=True),
                *_PATCHED,
                *columns_of(TEXT, "what", "into", needed=True),
                *columns_of(NUMBER, "attributed", "integrated"),
                *columns_of(ERROR, "integrated_stderr"),
                *columns_of(SHARE, "again"),
                *columns_of(TEXT, "from_1"),
            ),
            of_heads=True,
            always=True,
            key="heads",
            sentence=say_patching,
            select=sure_patches,
        ),
        Table(
            "attribution",
            (
                *columns_of(TEXT, "way", "what", "into", needed=True),
                *columns_of(NUMBER, "correlation", "rank_correlation", "by_chance"),
                *columns_of(COUNT, "both", "top", "heads"),
            ),
            always=True,
            key="attribution",
        ),
        Table(
            "paths",
            (
                Column("to", TEXT, "path", cell=_path, words=True, needed=True),
                Column("effect", SIGNED_3, "effect", needed=True),
                Column("low", NUMBER, "95%", cell=write_interval, needed=True),
                Column("p", P_VALUE, "p", needed=True),
                *_PATCHED,
                *columns_of(NUMBER, "to_layer", "to_head"),
            ),
            of_heads=True,
            always=True,
            title="Paths between the strongest heads",
            key="paths",
        ),
        Table(
            "stability",
            (
                Column("way", TEXT, "heads by", words=True, needed=True),
                Column("again", SHARE, "first ten again", needed=True),
                Column("overlap", SHARE, "of two draws"),
                Column("by_chance", SHARE, "by chance"),
                Column("large", COUNT, "large", needed=True),
                Column("large_shuffled", MEAN, "with labels shuffled", needed=True),
                Column("tested", COUNT, "tested", needed=True),
                Column("tested_shuffled", MEAN, "with labels shuffled", needed=True),
                Column("tested_again", SHARE, "tested again"),
                *columns_of(COUNT, "first", "heads", "always", "n"),
            ),
            title="How often the same heads are found",
            key="stability",
            less=("of two draws", "by chance", "large"),
        ),
        Table(
            "control",
            (
                *columns_of(NUMBER, "effect", "low", "high", "corrupt", needed=True),
                *columns_of(P_VALUE, "p", "p_alone", needed=True),
                *columns_of(ERROR, "stderr"),
                Column("n", AT_LEAST_ONE),
            ),
            of_heads=True,
            key="control",
        ),
        Table(
            "faithfulness",
            (
                Column("way", TEXT, "heads by", words=True, needed=True),
                Column("cpr", AREA, "CPR", needed=True),
                Column("cpr_low", NUMBER, "95%", cell=partial(_area_interval, "cpr")),
                Column("cmd", AREA, "CMD", needed=True),
                Column("cmd_low", NUMBER, "its 95%", cell=partial(_area_interval, "cmd")),
                *columns_of(NUMBER, "cpr_high", "cmd_high"),
                *columns_of(COUNT, "n"),
            ),
            title="Circuits of the strongest heads",
            key="faithfulness",
        ),
        Table(
            "circuits",
            (
                *columns_of(TEXT, "way", "first", needed=True),
                *columns_of(SHARE, "size", needed=True),
                *columns_of(COUNT, "kept"),
                *columns_of(NUMBER, "faithfulness", "low", "high", needed=True),
            ),
            key="circuits",
        ),
    ),
    again=_patch_again,
)
