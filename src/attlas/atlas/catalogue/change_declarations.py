"""The studies that change a model, and of what heads write: disable, prune, writes."""

from __future__ import annotations

from typing import Any

from attlas.atlas.catalogue.again import (
    chosen_settings,
    seed_of,
    settings_of,
    task_words,
    text_options,
)
from attlas.atlas.catalogue.declaration import (
    COUNT,
    ERROR,
    FROM_1,
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
from attlas.atlas.catalogue.row_sentences import (
    say_effect,
    say_pruning_place,
    say_writing,
)
from attlas.wording.numbers import format_range, number

BATCH = 8  # items that `disable` and `prune` score at once, where nothing else is asked
SIGNED_4 = Quantity("number", write=lambda value: f"{value:+.4f}")
SIGNED_3 = Quantity("number", write=lambda value: f"{value:+.3f}")
FOUR = Quantity("number", write=lambda value: f"{value:.4f}")
THREE = Quantity("number", write=lambda value: f"{value:.3f}")
LENGTH = Quantity("length", 0, write=number)
GRADIENT = Quantity("length", 0, write=lambda value: number(value, 3))
SCORES_OF_INACTIVITY = (
    *("first_weight", "entropy", "first_value", "value"),
    *("last_output", "output", "output_beside", "written"),
)
AT_LEAST_ONE = Quantity("count", 1, write=COUNT.write)


def _change_interval(row: Row) -> str:
    if row.get("changed") == 0:  # an interval of no width would claim to be certain
        return f"no change in {row['n']:,}"
    return "" if row["low"] is None else format_range(row["low"], row["high"])


_EFFECT = (
    Column("disabled", FOUR, "{score}", needed=True),
    Column("change", SIGNED_4, "change", needed=True),
    Column("low", NUMBER, "95%", cell=_change_interval, needed=True),
    Column("p", P_VALUE, "p", needed=True),
    Column("n", AT_LEAST_ONE, "n", needed=True),
    Column("documents", COUNT, "documents", cell=lambda row: f"{row.get('documents') or 0:,}"),
    *columns_of(TEXT, "score", needed=True),
    *columns_of(TEXT, "edit"),
    *columns_of(NUMBER, "plain", "high", needed=True),
    *columns_of(ERROR, "stderr"),
    *columns_of(P_VALUE, "p_alone"),
    *columns_of(COUNT, "changed"),
    *columns_of(TEXT, "effect_seen"),
    Column("order", THREE, "order kept", shown="where known"),
)
_LESS = ("from 1", "n", "{score}", "documents", "95%")


def _score_options(about: About) -> dict[str, Any]:
    """What a model was scored on: a text, or a task by one of its metrics."""
    metric = settings_of(about).get("score")
    asked = {} if metric in (None, "loss", "embedding", "answers") else {"metric": metric}
    return {**text_options(about, BATCH), **asked, **seed_of(about)}


def _disable_again(about: About) -> Again:
    settings = settings_of(about)
    sets = settings.get("sets")
    heads = {"heads": sets} if isinstance(sets, list) else {}
    edit = {name: settings[name] for name in ("edit", "confirm") if name in settings}
    return Again(task_words(about), {**edit, **heads, **_score_options(about)})


def _prune_again(about: About) -> Again:
    settings = settings_of(about)
    chosen = chosen_settings(
        about, {"orders": ["effect", "gradient"], "steps": 10, "random": 5, "keep": None}
    )
    if "random" in chosen:
        chosen["random_orders"] = chosen.pop("random")
    save = {"save": "SMALLER"} if settings.get("keep") is not None else {}
    return Again(task_words(about), {**chosen, **save, **_score_options(about)})


def _writes_again(about: About) -> Again:
    sentence = settings_of(about).get("sentence")
    asked: dict[str, Any] = {} if sentence is None else {"sentence": sentence}
    if removed := settings_of(about).get("remove"):
        asked["remove"] = removed
    return Again((), {**asked, **text_options(about), **seed_of(about)})


def _together_interval(row: Row) -> str:
    return "" if row["change_low"] is None else format_range(row["change_low"], row["change_high"], 3)


def write_interval(row: Row) -> str:
    return "" if row["low"] is None else format_range(row["low"], row["high"], 3)


DISABLE = Declaration(
    "disable",
    title="What the model loses without each head",
    tells="what the model loses without each head",
    command="disable MODEL",
    study="attlas.studies.disabling.disable_study:Disable",
    result="attlas.studies.disabling.disable_result:DisableResult",
    tables=(
        Table(
            "disabled",
            (Column("address", TEXT, "", words=True), FROM_1, *_EFFECT),
            of_heads=True,
            title="Heads that change it most",
            key="heads",
            less=_LESS,
            sentence=say_effect,
        ),
        Table(
            "disabled_together",
            (Column("what", TEXT, "", words=True), *_EFFECT, Column("heads", AT_LEAST_ONE)),
            title="Together",
            key="together",
            less=_LESS,
        ),
        Table(
            "screened",
            (
                *columns_of(NUMBER, "estimate", needed=True),
                *columns_of(ERROR, "stderr"),
                *columns_of(COUNT, "n", "documents"),
            ),
            of_heads=True,
            key="estimates",
        ),
    ),
    again=_disable_again,
)
PRUNE = Declaration(
    "prune",
    title="How many heads can go",
    tells="how many heads can go, and which",
    command="prune MODEL",
    study="attlas.studies.pruning.prune_study:Prune",
    result="attlas.studies.pruning.prune_result:PruneResult",
    needs_loss=True,
    tables=(
        Table(
            "pruned",
            (
                *columns_of(TEXT, "order", "score", needed=True),
                *columns_of(COUNT, "kept", needed=True),
                *columns_of(NUMBER, "value", needed=True),
                *columns_of(COUNT, "draw", "heads", "documents"),
                *columns_of(NUMBER, "change", "low", "high", "plain"),
            ),
            always=True,
            key="curves",
        ),
        Table(
            "order",
            (
                *columns_of(NUMBER, "effect", "gradient", "greedy"),
                *columns_of(COUNT, "effect_goes", "gradient_goes", "greedy_goes"),
            ),
            of_heads=True,
            always=True,
            key="order",
            sentence=say_pruning_place,
        ),
    ),
    again=_prune_again,
)
WRITES = Declaration(
    "writes",
    title="What heads write",
    tells="how much each head writes, and which tokens that raises",
    command="writes MODEL",
    study="attlas.studies.writing.writes_study:Writes",
    result="attlas.studies.writing.writes_result:WritesResult",
    figure="writes",
    tables=(
        Table(
            "written",
            (
                *columns_of(SHARE, "on_sink", "on_sink_by_norm", needed=True),
                *columns_of(ERROR, "beside_layer", needed=True),
                *columns_of(TEXT, "rests", needed=True),
                *columns_of(ERROR, "stderr"),
                *columns_of(TEXT, "raises", "lowers"),
            ),
            of_heads=True,
            always=True,
            sentence=say_writing,
        ),
        Table(
            "parts",
            (
                *columns_of(TEXT, "part"),
                *columns_of(NUMBER, "layer", "value"),
                *columns_of(ERROR, "stderr"),
                *columns_of(COUNT, "n"),
            ),
            key="parts",
        ),
        Table(
            "tokens",
            (*columns_of(TEXT, "end", "token"), *columns_of(COUNT, "rank"), *columns_of(NUMBER, "by")),
            of_heads=True,
            key="tokens",
        ),
        Table(
            "entries",
            (
                *columns_of(TEXT, "kind"),
                *columns_of(COUNT, "layer", "dimension", "n"),
                *columns_of(LENGTH, "first", "others", "median", "medians"),
                *columns_of(ERROR, "stderr"),
                *columns_of(SHARE, "share"),
            ),
            key="entries",
        ),
        Table(
            "inactive",
            (
                Column("measures", TEXT, "heads are inactive by", words=True, needed=True),
                Column("correlation", NUMBER, "rank correlation with what removing them costs", needed=True),
                Column("low", NUMBER, "95%", cell=_change_interval, needed=True),
                Column("change", SIGNED_3, "the least active at once", needed=True),
                Column("change_low", NUMBER, "its 95%", cell=_together_interval),
                *columns_of(TEXT, "score", needed=True),
                *columns_of(NUMBER, "high", "change_high"),
                *columns_of(COUNT, "heads", "n"),
            ),
            title="Scores of inactivity",
            key="inactive",
            less=("its 95%", "95%"),
        ),
        Table(
            "inactivity",
            (
                *columns_of(NUMBER, *SCORES_OF_INACTIVITY),
                *columns_of(NUMBER, "removed", needed=True),
                *columns_of(ERROR, "stderr"),
                *columns_of(COUNT, "n"),
            ),
            of_heads=True,
            key="inactivity",
        ),
        Table(
            "contributions",
            (
                *columns_of(TEXT, "token", "target"),
                *columns_of(COUNT, "position"),
                *columns_of(NUMBER, "logit"),
            ),
            of_heads=True,
            key="contributions",
        ),
    ),
    again=_writes_again,
)
