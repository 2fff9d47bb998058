"""The studies that change a model, and of what heads write: disable, prune, writes."""

from __future__ import annotations

from typing import Any

from attlas.atlas.catalogue import declaration as d
from attlas.atlas.catalogue.again import (
    chosen_settings,
    seed_of,
    settings_of,
    task_words,
    text_options,
)
from attlas.atlas.catalogue.row_sentences import (
    say_effect,
    say_pruning_place,
    say_writing,
)
from attlas.wording.numbers import format_range, number

BATCH = 8  # items that `disable` and `prune` score at once, where nothing else is asked
SIGNED_4 = d.Quantity("number", write=lambda value: f"{value:+.4f}")
SIGNED_3 = d.Quantity("number", write=lambda value: f"{value:+.3f}")
MEAN = d.Quantity("count", 0, write=lambda value: f"{value:.1f}")
#: how often the same heads are found, of patch and writes
STABILITY = d.Table(
    "stability",
    (
        d.Column("way", d.TEXT, "heads by", words=True, needed=True),
        d.Column("again", d.SHARE, "first ten again", needed=True),
        d.Column("overlap", d.SHARE, "of two draws"),
        d.Column("by_chance", d.SHARE, "by chance"),
        d.Column("large", d.COUNT, "large", needed=True),
        d.Column("large_shuffled", MEAN, "with labels shuffled", needed=True),
        d.Column("tested", d.COUNT, "tested", needed=True),
        d.Column("tested_shuffled", MEAN, "with labels shuffled", needed=True),
        d.Column("tested_again", d.SHARE, "tested again"),
        *d.columns_of(d.COUNT, "first", "heads", "always", "n"),
    ),
    title="How often the same heads are found",
    key="stability",
    less=("of two draws", "by chance", "large"),
)
FOUR = d.Quantity("number", write=lambda value: f"{value:.4f}")
THREE = d.Quantity("number", write=lambda value: f"{value:.3f}")
LENGTH = d.Quantity("length", 0, write=number)
GRADIENT = d.Quantity("length", 0, write=lambda value: number(value, 3))
SCORES_OF_INACTIVITY = (
    *("first_weight", "entropy", "first_value", "value"),
    *("last_output", "output", "output_beside", "written"),
)
AT_LEAST_ONE = d.Quantity("count", 1, write=d.COUNT.write)


def _change_interval(row: d.Row) -> str:
    if row.get("changed") == 0:  # an interval of no width would claim to be certain
        return f"no change in {row['n']:,}"
    return "" if row["low"] is None else format_range(row["low"], row["high"])


_EFFECT = (
    d.Column("disabled", FOUR, "{score}", needed=True),
    d.Column("change", SIGNED_4, "change", needed=True),
    d.Column("low", d.NUMBER, "95%", cell=_change_interval, needed=True),
    d.Column("p", d.P_VALUE, "p", needed=True),
    d.Column("n", AT_LEAST_ONE, "n", needed=True),
    d.Column("documents", d.COUNT, "documents", cell=lambda row: f"{row.get('documents') or 0:,}"),
    *d.columns_of(d.TEXT, "score", needed=True),
    *d.columns_of(d.TEXT, "edit"),
    *d.columns_of(d.NUMBER, "plain", "high", needed=True),
    *d.columns_of(d.ERROR, "stderr"),
    *d.columns_of(d.P_VALUE, "p_alone"),
    *d.columns_of(d.COUNT, "changed"),
    *d.columns_of(d.TEXT, "effect_seen"),
    d.Column("order", THREE, "order kept", shown="where known"),
)
_LESS = ("from 1", "n", "{score}", "documents", "95%")


def _score_options(about: d.About) -> dict[str, Any]:
    """What a model was scored on: a text, or a task by one of its metrics."""
    metric = settings_of(about).get("score")
    asked = {} if metric in (None, "loss", "embedding", "answers") else {"metric": metric}
    return {**text_options(about, BATCH), **asked, **seed_of(about)}


def _disable_again(about: d.About) -> d.Again:
    settings = settings_of(about)
    sets = settings.get("sets")
    heads = {"heads": sets} if isinstance(sets, list) else {}
    edit = {name: settings[name] for name in ("edit", "confirm") if name in settings}
    return d.Again(task_words(about), {**edit, **heads, **_score_options(about)})


def _prune_again(about: d.About) -> d.Again:
    settings = settings_of(about)
    chosen = chosen_settings(
        about, {"orders": ["effect", "gradient"], "steps": 10, "random": 5, "keep": None}
    )
    if "random" in chosen:
        chosen["random_orders"] = chosen.pop("random")
    save = {"save": "SMALLER"} if settings.get("keep") is not None else {}
    return d.Again(task_words(about), {**chosen, **save, **_score_options(about)})


def _writes_again(about: d.About) -> d.Again:
    sentence = settings_of(about).get("sentence")
    asked: dict[str, Any] = {} if sentence is None else {"sentence": sentence}
    if removed := settings_of(about).get("remove"):
        asked["remove"] = removed
    return d.Again((), {**asked, **text_options(about), **seed_of(about)})


def _together_interval(row: d.Row) -> str:
    return "" if row["change_low"] is None else format_range(row["change_low"], row["change_high"], 3)


def write_interval(row: d.Row) -> str:
    return "" if row["low"] is None else format_range(row["low"], row["high"], 3)


DISABLE = d.Declaration(
    "disable",
    title="What the model loses without each head",
    tells="what the model loses without each head",
    command="disable MODEL",
    study="attlas.studies.disabling.disable_study:Disable",
    result="attlas.studies.disabling.disable_result:DisableResult",
    tables=(
        d.Table(
            "disabled",
            (d.Column("address", d.TEXT, "", words=True), d.FROM_1, *_EFFECT),
            of_heads=True,
            title="Heads that change it most",
            key="heads",
            less=_LESS,
            sentence=say_effect,
        ),
        d.Table(
            "disabled_together",
            (d.Column("what", d.TEXT, "", words=True), *_EFFECT, d.Column("heads", AT_LEAST_ONE)),
            title="Together",
            key="together",
            less=_LESS,
        ),
        d.Table(
            "screened",
            (
                *d.columns_of(d.NUMBER, "estimate", needed=True),
                *d.columns_of(d.ERROR, "stderr"),
                *d.columns_of(d.COUNT, "n", "documents"),
            ),
            of_heads=True,
            key="estimates",
        ),
    ),
    again=_disable_again,
)
PRUNE = d.Declaration(
    "prune",
    title="How many heads can go",
    tells="how many heads can go, and which",
    command="prune MODEL",
    study="attlas.studies.pruning.prune_study:Prune",
    result="attlas.studies.pruning.prune_result:PruneResult",
    needs_loss=True,
    tables=(
        d.Table(
            "pruned",
            (
                *d.columns_of(d.TEXT, "order", "score", needed=True),
                *d.columns_of(d.COUNT, "kept", needed=True),
                *d.columns_of(d.NUMBER, "value", needed=True),
                *d.columns_of(d.COUNT, "draw", "heads", "documents"),
                *d.columns_of(d.NUMBER, "change", "low", "high", "plain"),
            ),
            always=True,
            key="curves",
        ),
        d.Table(
            "order",
            (
                *d.columns_of(d.NUMBER, "effect", "gradient", "greedy"),
                *d.columns_of(d.COUNT, "effect_goes", "gradient_goes", "greedy_goes"),
            ),
            of_heads=True,
            always=True,
            key="order",
            sentence=say_pruning_place,
        ),
    ),
    again=_prune_again,
)
WRITES = d.Declaration(
    "writes",
    title="What heads write",
    tells="how much each head writes, and which tokens that raises",
    command="writes MODEL",
    study="attlas.studies.writing.writes_study:Writes",
    result="attlas.studies.writing.writes_result:WritesResult",
    figure="writes",
    tables=(
        d.Table(
            "written",
            (
                *d.columns_of(d.SHARE, "on_sink", "on_sink_by_norm", needed=True),
                *d.columns_of(d.ERROR, "beside_layer", needed=True),
                *d.columns_of(d.TEXT, "rests", needed=True),
                *d.columns_of(d.ERROR, "stderr"),
                *d.columns_of(d.TEXT, "raises", "lowers"),
            ),
            of_heads=True,
            always=True,
            sentence=say_writing,
        ),
        d.Table(
            "parts",
            (
                *d.columns_of(d.TEXT, "part"),
                *d.columns_of(d.NUMBER, "layer", "value"),
                *d.columns_of(d.ERROR, "stderr"),
                *d.columns_of(d.COUNT, "n"),
            ),
            key="parts",
        ),
        d.Table(
            "tokens",
            (
                *d.columns_of(d.TEXT, "end", "token"),
                *d.columns_of(d.COUNT, "rank"),
                *d.columns_of(d.NUMBER, "by"),
            ),
            of_heads=True,
            key="tokens",
        ),
        d.Table(
            "entries",
            (
                *d.columns_of(d.TEXT, "kind"),
                *d.columns_of(d.COUNT, "layer", "dimension", "n"),
                *d.columns_of(LENGTH, "first", "others", "median", "medians"),
                *d.columns_of(d.ERROR, "stderr"),
                *d.columns_of(d.SHARE, "share"),
            ),
            key="entries",
        ),
        d.Table(
            "inactive",
            (
                d.Column("measures", d.TEXT, "heads are inactive by", words=True, needed=True),
                d.Column(
                    "correlation", d.NUMBER, "rank correlation with what removing them costs", needed=True
                ),
                d.Column("low", d.NUMBER, "95%", cell=_change_interval, needed=True),
                d.Column("change", SIGNED_3, "the least active at once", needed=True),
                d.Column("change_low", d.NUMBER, "its 95%", cell=_together_interval),
                *d.columns_of(d.TEXT, "score", needed=True),
                *d.columns_of(d.NUMBER, "high", "change_high"),
                *d.columns_of(d.COUNT, "heads", "n"),
            ),
            title="Scores of inactivity",
            key="inactive",
            less=("its 95%", "95%"),
        ),
        d.Table(
            "inactivity",
            (
                *d.columns_of(d.NUMBER, *SCORES_OF_INACTIVITY),
                *d.columns_of(d.NUMBER, "removed", needed=True),
                *d.columns_of(d.ERROR, "stderr"),
                *d.columns_of(d.COUNT, "n"),
            ),
            of_heads=True,
            key="inactivity",
        ),
        STABILITY,
        d.Table(
            "contributions",
            (
                *d.columns_of(d.TEXT, "token", "target"),
                *d.columns_of(d.COUNT, "position"),
                *d.columns_of(d.NUMBER, "logit"),
            ),
            of_heads=True,
            key="contributions",
        ),
    ),
    again=_writes_again,
)
