"""The study of two models beside each other."""

from __future__ import annotations

from attlas.atlas.catalogue.again import (
    chosen_settings,
    faithful_of,
    seed_of,
    settings_of,
    task_words,
    text_options,
)
from attlas.atlas.catalogue.change_declarations import FOUR, GRADIENT, LENGTH, SIGNED_3, THREE, write_interval
from attlas.atlas.catalogue.declaration import (
    COUNT,
    ERROR,
    HEAD,
    NUMBER,
    P_VALUE,
    SHARE,
    TEXT,
    About,
    Again,
    Column,
    Declaration,
    Row,
    Table,
    columns_of,
)
from attlas.atlas.catalogue.row_sentences import (
    say_change,
    say_match,
    sure_changes,
)
from attlas.atlas.registry import statistic


def _compare_again(about: About) -> Again:
    other = about.get("other")
    name = str(other.get("name", "OTHER")) if isinstance(other, dict) else "OTHER"
    task = {"task": words[0]} if (words := task_words(about)) else {}
    examples = settings_of(about).get("items")
    sampled = {} if examples is None else {"examples": examples}
    chosen = chosen_settings(about, {"matched": 40, "shapes": 100})
    options = {**task, **chosen, **text_options(about), **sampled, **seed_of(about), **faithful_of(about)}
    return Again((name,), options)


def _statistic_title(row: Row) -> str:
    return statistic(str(row["statistic"])).write_title(str(row["group"]))


COMPARE = Declaration(
    "compare",
    title="Beside another model",
    tells="what became of each head in another model",
    command="compare MODEL OTHER",
    study="attlas.studies.comparing.compare_study:Compare",
    result="attlas.studies.comparing.comparison:Comparison",
    says=("other.name", "corpus.items"),
    tables=(
        Table(
            "layers",
            (
                Column("kind", TEXT, "kind", shown="where rows differ", words=True, needed=True),
                Column("layer", TEXT, "layer", needed=True),
                Column("map_cosine", THREE, "cosine", needed=True),
                Column("map_distance", FOUR, "distance (nats)", needed=True),
                Column("gradient", GRADIENT, "gradient", shown="where known", needed=True),
                Column("weights_moved", LENGTH, "weights moved", shown="where known", needed=True),
                *columns_of(LENGTH, "query_key_gradient", needed=True),
            ),
            always=True,
            key="layers",
        ),
        Table(
            "changes",
            (
                HEAD,
                Column("statistic", TEXT, "statistic", cell=_statistic_title, words=True, needed=True),
                Column("first", THREE, "before", needed=True),
                Column("second", THREE, "after", needed=True),
                Column("change", SIGNED_3, "change", needed=True),
                Column("low", NUMBER, "95%", cell=write_interval, needed=True),
                *columns_of(TEXT, "group", needed=True),
                *columns_of(NUMBER, "high", needed=True),
                *columns_of(P_VALUE, "p", needed=True),
                *columns_of(COUNT, "n", "documents"),
            ),
            of_heads=True,
            always=True,
            less=("95%", "before"),
            sentence=say_change,
            select=sure_changes,
        ),
        Table(
            "flows",
            (
                *columns_of(TEXT, "naming", "first", "second", needed=True),
                *columns_of(COUNT, "heads", needed=True),
                *columns_of(TEXT, "kind"),
            ),
            always=True,
            key="flows",
        ),
        Table(
            "shapes",
            (
                *columns_of(TEXT, "kind", "shape"),
                *columns_of(COUNT, "layer"),
                *columns_of(SHARE, "first", "second"),
                *columns_of(ERROR, "first_stderr", "second_stderr"),
            ),
        ),
        Table(
            "matching",
            (
                *columns_of(COUNT, "match_layer", "match_head", needed=True),
                *columns_of(NUMBER, "distance", "own_distance", needed=True),
            ),
            of_heads=True,
            key="matching",
            sentence=say_match,
        ),
    ),
    again=_compare_again,
)
