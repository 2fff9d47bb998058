"""The studies of `attlas map` and `attlas patterns`: where heads look, their names, and tests of these."""

from __future__ import annotations

from typing import Any

from attlas.atlas.catalogue import declaration as d
from attlas.atlas.catalogue.again import (
    chosen_settings,
    corpus_of,
    faithful_of,
    model_of,
    seed_of,
    settings_of,
    source_of,
    text_options,
)
from attlas.atlas.catalogue.row_sentences import say_name_test
from attlas.atlas.registry import REGISTRY

TESTED = 100  # segments to test names on, where a chapter does not say how many
STRENGTH = d.Quantity("way from the null to perfect", high=1)
PLACE_OF_NAME = d.Quantity("1: the head's name; 2: its second name", 0, 2)


def _twin_again(about: d.About) -> dict[str, Any]:
    """`--no-twin`, where the twin was left out."""
    return {"no_twin": True} if settings_of(about).get("twin") is False else {}


def _map_again(about: d.About) -> d.Again:
    usual = {"offsets": [], "sample": 200, "rows": None}
    return d.Again(
        (),
        {
            **text_options(about),
            **chosen_settings(about, usual),
            **seed_of(about),
            **faithful_of(about),
            **_twin_again(about),
        },
    )


def _patterns_again(about: d.About) -> d.Again:
    """A chapter of one half of a corpus was made where names were tested on the other."""
    usual = {"repeated": 64, "needles": None, "hidden": 16, "maps": 4, "tasks": 16}
    limit = source_of(about).get("limit") or TESTED
    test = {"test": limit} if "half" in corpus_of(about) else {}
    named = {"word_vectors": "VECTORS"} if source_of(about).get("related") not in (None, "embeddings") else {}
    options = {**text_options(about), **chosen_settings(about, usual), **test, **named, **seed_of(about)}
    options |= _twin_again(about)
    if options.get("needles") == []:
        options["needles"] = [0] if "decoder" in model_of(about).get("heads", {}) else None
    return d.Again((), {name: value for name, value in options.items() if value is not None})


def _shape_name(row: d.Row) -> str:
    title = REGISTRY["shape"].group_name(str(row["shape"]))
    return f"{row['kind']}: {title}" if row["several_kinds"] else title


SHARES = (
    d.Column("shape", d.TEXT, "of all maps", cell=_shape_name, words=True),
    d.Column("share", d.SHARE, "share"),
    d.Column(
        "low",
        d.SHARE,
        "95 % interval",
        cell=lambda row: f"{d.SHARE.write(row['low'])} to {d.SHARE.write(row['high'])}",
    ),
    *d.columns_of(d.SHARE, "high"),
    *d.columns_of(d.COUNT, "heads", "items", "documents"),
)
#: what untrained twins give: `untrained` as its class initialises it, `peaked` with attention as peaked as
#: the model's
TWIN = d.Table(
    "twin",
    (
        *d.columns_of(d.TEXT, "twin", "statistic", "group", needed=True),
        d.Column("value", d.NUMBER, needed=True),
        *d.columns_of(d.ERROR, "stderr"),
        *d.columns_of(d.COUNT, "n", "documents"),
        *d.columns_of(d.NUMBER, "effective"),
    ),
    of_heads=True,
)
SURFACE = d.Declaration(
    "surface",
    title="Where heads look",
    tells="where heads look, and how broadly",
    command="map MODEL",
    study="attlas.studies.surface.surface_study:Surface",
    tables=(
        d.Table(
            "looks",
            (*d.columns_of(d.TEXT, "side", "token"), *d.columns_of(d.SHARE, "share", "common")),
            of_heads=True,
        ),
        TWIN,
    ),
    again=_map_again,
)
PATTERNS = d.Declaration(
    "patterns",
    title="What heads attend to",
    tells="what heads attend to, and what their maps look like",
    command="patterns MODEL",
    study="attlas.studies.patterns.patterns_study:Patterns",
    result="attlas.studies.patterns.pattern_result:PatternResult",
    figure="patterns",
    tables=(
        d.Table(
            "patterns",
            (
                d.Column("pattern", d.TEXT, needed=True),
                d.Column("score", d.SHARE, needed=True),
                *d.columns_of(d.SHARE, "null", "rest"),
                *d.columns_of(d.P_VALUE, "p"),
                *d.columns_of(d.SHARE, "untrained"),
                *d.columns_of(d.TEXT, "verdict"),
                *d.columns_of(d.ERROR, "stderr", "gain_stderr"),
                *d.columns_of(d.COUNT, "n", "documents", "documents_needed", "reach"),
                *d.columns_of(d.GAIN, "gain"),
                d.Column("strength", STRENGTH),
                *d.columns_of(d.NUMBER, "effective"),
                d.Column("named", PLACE_OF_NAME),
                *d.columns_of(d.TEXT, "which", "rest_on"),
            ),
            of_heads=True,
            key="scores",
        ),
        TWIN,
    ),
    again=_patterns_again,
)
_UNTRAINED_SHARE = d.Column("untrained", d.SHARE, "untrained", shown="where known")
SHAPES = d.Declaration(
    "shapes",
    title="What maps look like",
    tells="what maps look like",
    command="patterns MODEL",
    study="attlas.studies.shapes.shapes_study:Shapes",
    result="attlas.studies.patterns.pattern_result:PatternResult",
    figure="shapes",
    tables=(
        d.Table("shares", (*SHARES, _UNTRAINED_SHARE, *d.columns_of(d.TEXT, "kind"))),
        d.Table(
            "shares_by_layer",
            (
                *(d.Column(c.name, c.holds) for c in SHARES),
                *d.columns_of(d.TEXT, "kind"),
                *d.columns_of(d.COUNT, "layer"),
            ),
        ),
        TWIN,
    ),
    again=_patterns_again,
    offered=False,  # with patterns
)
NAME_TESTS = d.Declaration(
    "name_tests",
    title="Whether names are true",
    tells="whether the names of heads are true",
    command=f"patterns MODEL --test {TESTED}",
    study="attlas.studies.name_tests.name_study:NameTests",
    result="attlas.studies.patterns.pattern_result:PatternResult",
    figure="names",
    tables=(
        d.Table(
            "name_tests",
            (
                *d.columns_of(d.TEXT, "pattern", "verdict", needed=True),
                *d.columns_of(d.COUNT, "n", "documents", needed=True),
                *d.columns_of(d.COUNT, "documents_needed"),
                *d.columns_of(d.P_VALUE, "worth_p"),
                *d.columns_of(d.TEXT, "other"),
                *d.columns_of(d.NUMBER, "loss", "loss_by_name", "loss_mean", "loss_zero", "loss_by_other"),
                *d.columns_of(d.NUMBER, "explained", "low", "high", "explained_by_other", "worth"),
                *d.columns_of(d.ERROR, "stderr"),
            ),
            of_heads=True,
            key="tests",
            sentence=say_name_test,
        ),
        d.Table(
            "names_by_name",
            (
                *d.columns_of(d.TEXT, "pattern", "verdict"),
                *d.columns_of(
                    d.NUMBER, "loss", "loss_by_name", "loss_mean", "worth", "explained", "low", "high"
                ),
                *d.columns_of(d.P_VALUE, "worth_p"),
                *d.columns_of(d.COUNT, "heads", "documents_needed", "n", "documents"),
            ),
        ),
        d.Table(
            "names_together",
            (
                *d.columns_of(d.TEXT, "what"),
                *d.columns_of(d.NUMBER, "loss", "explained", "low", "high"),
                *d.columns_of(d.COUNT, "heads"),
            ),
        ),
    ),
    again=lambda about: d.Again(
        (), {**text_options(about), "test": source_of(about).get("limit") or TESTED, **seed_of(about)}
    ),
    offered=False,  # takes several passes for each head: for who asks
)
