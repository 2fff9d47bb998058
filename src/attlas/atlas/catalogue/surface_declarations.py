"""The studies of `attlas map` and `attlas patterns`: where heads look, their names, and tests of these."""

from __future__ import annotations

from typing import Any

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
from attlas.atlas.catalogue.declaration import (
    COUNT,
    ERROR,
    GAIN,
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
from attlas.atlas.catalogue.row_sentences import say_name_test
from attlas.atlas.registry import REGISTRY

TESTED = 100  # segments to test names on, where a chapter does not say how many
STRENGTH = Quantity("way from the null to perfect", high=1)
PLACE_OF_NAME = Quantity("1: the head's name; 2: its second name", 0, 2)


def _twin_again(about: About) -> dict[str, Any]:
    """`--no-twin`, where the twin was left out."""
    return {"no_twin": True} if settings_of(about).get("twin") is False else {}


def _map_again(about: About) -> Again:
    usual = {"offsets": [], "sample": 200, "rows": None}
    return Again(
        (),
        {
            **text_options(about),
            **chosen_settings(about, usual),
            **seed_of(about),
            **faithful_of(about),
            **_twin_again(about),
        },
    )


def _patterns_again(about: About) -> Again:
    """A chapter of one half of a corpus was made where names were tested on the other."""
    usual = {"repeated": 64, "needles": None, "hidden": 16, "maps": 4, "tasks": 16}
    limit = source_of(about).get("limit") or TESTED
    test = {"test": limit} if "half" in corpus_of(about) else {}
    named = {"word_vectors": "VECTORS"} if source_of(about).get("related") not in (None, "embeddings") else {}
    options = {**text_options(about), **chosen_settings(about, usual), **test, **named, **seed_of(about)}
    options |= _twin_again(about)
    if options.get("needles") == []:
        options["needles"] = [0] if "decoder" in model_of(about).get("heads", {}) else None
    return Again((), {name: value for name, value in options.items() if value is not None})


def _shape_name(row: Row) -> str:
    title = REGISTRY["shape"].group_name(str(row["shape"]))
    return f"{row['kind']}: {title}" if row["several_kinds"] else title


SHARES = (
    Column("shape", TEXT, "of all maps", cell=_shape_name, words=True),
    Column("share", SHARE, "share"),
    Column(
        "low",
        SHARE,
        "95 % interval",
        cell=lambda row: f"{SHARE.write(row['low'])} to {SHARE.write(row['high'])}",
    ),
    *columns_of(SHARE, "high"),
    *columns_of(COUNT, "heads", "items", "documents"),
)
#: what untrained twins give: `untrained` as its class initialises it, `peaked` with attention as peaked as
#: the model's
TWIN = Table(
    "twin",
    (
        *columns_of(TEXT, "twin", "statistic", "group", needed=True),
        Column("value", NUMBER, needed=True),
        *columns_of(ERROR, "stderr"),
        *columns_of(COUNT, "n", "documents"),
        *columns_of(NUMBER, "effective"),
    ),
    of_heads=True,
)
SURFACE = Declaration(
    "surface",
    title="Where heads look",
    tells="where heads look, and how broadly",
    command="map MODEL",
    study="attlas.studies.surface.surface_study:Surface",
    tables=(
        Table(
            "looks",
            (*columns_of(TEXT, "side", "token"), *columns_of(SHARE, "share", "common")),
            of_heads=True,
        ),
        TWIN,
    ),
    again=_map_again,
)
PATTERNS = Declaration(
    "patterns",
    title="What heads attend to",
    tells="what heads attend to, and what their maps look like",
    command="patterns MODEL",
    study="attlas.studies.patterns.patterns_study:Patterns",
    result="attlas.studies.patterns.pattern_result:PatternResult",
    figure="patterns",
    tables=(
        Table(
            "patterns",
            (
                Column("pattern", TEXT, needed=True),
                Column("score", SHARE, needed=True),
                *columns_of(SHARE, "null", "rest"),
                *columns_of(P_VALUE, "p"),
                *columns_of(SHARE, "untrained"),
                *columns_of(TEXT, "verdict"),
                *columns_of(ERROR, "stderr", "gain_stderr"),
                *columns_of(COUNT, "n", "documents", "documents_needed", "reach"),
                *columns_of(GAIN, "gain"),
                Column("strength", STRENGTH),
                *columns_of(NUMBER, "effective"),
                Column("named", PLACE_OF_NAME),
                *columns_of(TEXT, "which", "rest_on"),
            ),
            of_heads=True,
            key="scores",
        ),
        TWIN,
    ),
    again=_patterns_again,
)
SHAPES = Declaration(
    "shapes",
    title="What maps look like",
    tells="what maps look like",
    command="patterns MODEL",
    study="attlas.studies.shapes.shapes_study:Shapes",
    result="attlas.studies.patterns.pattern_result:PatternResult",
    figure="shapes",
    tables=(
        Table("shares", (*SHARES, *columns_of(TEXT, "kind"))),
        Table(
            "shares_by_layer",
            (
                *(Column(c.name, c.holds) for c in SHARES),
                *columns_of(TEXT, "kind"),
                *columns_of(COUNT, "layer"),
            ),
        ),
    ),
    again=_patterns_again,
    offered=False,  # with patterns
)
NAME_TESTS = Declaration(
    "name_tests",
    title="Whether names are true",
    tells="whether the names of heads are true",
    command=f"patterns MODEL --test {TESTED}",
    study="attlas.studies.name_tests.name_study:NameTests",
    result="attlas.studies.patterns.pattern_result:PatternResult",
    figure="names",
    tables=(
        Table(
            "name_tests",
            (
                *columns_of(TEXT, "pattern", "verdict", needed=True),
                *columns_of(COUNT, "n", "documents", needed=True),
                *columns_of(COUNT, "documents_needed"),
                *columns_of(P_VALUE, "worth_p"),
                *columns_of(TEXT, "other"),
                *columns_of(NUMBER, "loss", "loss_by_name", "loss_mean", "loss_zero", "loss_by_other"),
                *columns_of(NUMBER, "explained", "low", "high", "explained_by_other", "worth"),
                *columns_of(ERROR, "stderr"),
            ),
            of_heads=True,
            key="tests",
            sentence=say_name_test,
        ),
        Table(
            "names_by_name",
            (
                *columns_of(TEXT, "pattern", "verdict"),
                *columns_of(NUMBER, "loss", "loss_by_name", "loss_mean", "worth", "explained", "low", "high"),
                *columns_of(P_VALUE, "worth_p"),
                *columns_of(COUNT, "heads", "documents_needed", "n", "documents"),
            ),
        ),
        Table(
            "names_together",
            (
                *columns_of(TEXT, "what"),
                *columns_of(NUMBER, "loss", "explained", "low", "high"),
                *columns_of(COUNT, "heads"),
            ),
        ),
    ),
    again=lambda about: Again(
        (), {**text_options(about), "test": source_of(about).get("limit") or TESTED, **seed_of(about)}
    ),
    offered=False,  # takes several passes for each head: for who asks
)
