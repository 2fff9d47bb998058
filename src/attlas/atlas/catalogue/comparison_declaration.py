"""The study of two models beside each other."""

from __future__ import annotations

from attlas.atlas.catalogue import declaration as d
from attlas.atlas.catalogue.again import (
    chosen_settings,
    faithful_of,
    seed_of,
    settings_of,
    task_words,
    text_options,
)
from attlas.atlas.catalogue.change_declarations import FOUR, GRADIENT, LENGTH, SIGNED_3, THREE, write_interval
from attlas.atlas.catalogue.row_sentences import (
    say_change,
    say_match,
    sure_changes,
)
from attlas.atlas.registry import statistic


def _compare_again(about: d.About) -> d.Again:
    other = about.get("other")
    name = str(other.get("name", "OTHER")) if isinstance(other, dict) else "OTHER"
    task = {"task": words[0]} if (words := task_words(about)) else {}
    examples = settings_of(about).get("items")
    sampled = {} if examples is None else {"examples": examples}
    chosen = chosen_settings(about, {"matched": 40, "shapes": 100})
    options = {**task, **chosen, **text_options(about), **sampled, **seed_of(about), **faithful_of(about)}
    return d.Again((name,), options)


def _statistic_title(row: d.Row) -> str:
    return statistic(str(row["statistic"])).write_title(str(row["group"]))


COMPARE = d.Declaration(
    "compare",
    title="Beside another model",
    tells="what became of each head in another model",
    command="compare MODEL OTHER",
    study="attlas.studies.comparing.compare_study:Compare",
    result="attlas.studies.comparing.comparison:Comparison",
    says=("other.name", "corpus.items"),
    tables=(
        d.Table(
            "layers",
            (
                d.Column("kind", d.TEXT, "kind", shown="where rows differ", words=True, needed=True),
                d.Column("layer", d.TEXT, "layer", needed=True),
                d.Column("map_cosine", THREE, "cosine", needed=True),
                d.Column("map_distance", FOUR, "distance (nats)", needed=True),
                d.Column("gradient", GRADIENT, "gradient", shown="where known", needed=True),
                d.Column("weights_moved", LENGTH, "weights moved", shown="where known", needed=True),
                *d.columns_of(LENGTH, "query_key_gradient", needed=True),
            ),
            always=True,
            key="layers",
        ),
        d.Table(
            "changes",
            (
                d.HEAD,
                d.Column("statistic", d.TEXT, "statistic", cell=_statistic_title, words=True, needed=True),
                d.Column("first", THREE, "before", needed=True),
                d.Column("second", THREE, "after", needed=True),
                d.Column("change", SIGNED_3, "change", needed=True),
                d.Column("low", d.NUMBER, "95%", cell=write_interval, needed=True),
                *d.columns_of(d.TEXT, "group", needed=True),
                *d.columns_of(d.NUMBER, "high", needed=True),
                *d.columns_of(d.P_VALUE, "p", needed=True),
                *d.columns_of(d.COUNT, "n", "documents"),
            ),
            of_heads=True,
            always=True,
            less=("95%", "before"),
            sentence=say_change,
            select=sure_changes,
        ),
        d.Table(
            "flows",
            (
                *d.columns_of(d.TEXT, "naming", "first", "second", needed=True),
                *d.columns_of(d.COUNT, "heads", needed=True),
                *d.columns_of(d.TEXT, "kind"),
            ),
            always=True,
            key="flows",
        ),
        d.Table(
            "shapes",
            (
                *d.columns_of(d.TEXT, "kind", "shape"),
                *d.columns_of(d.COUNT, "layer"),
                *d.columns_of(d.SHARE, "first", "second"),
                *d.columns_of(d.ERROR, "first_stderr", "second_stderr"),
            ),
        ),
        d.Table(
            "matching",
            (
                *d.columns_of(d.COUNT, "match_layer", "match_head", needed=True),
                *d.columns_of(d.NUMBER, "distance", "own_distance", needed=True),
            ),
            of_heads=True,
            key="matching",
            sentence=say_match,
        ),
    ),
    again=_compare_again,
)
