"""The probes: which heads link which words, and how much of a tree all heads know together."""

from __future__ import annotations

from typing import Any, get_args

from attlas.atlas.catalogue import declaration as d
from attlas.atlas.catalogue.again import (
    faithful_of,
    seed_of,
    settings_of,
    source_of,
    windows_again,
)
from attlas.atlas.catalogue.row_sentences import say_group_weight, say_link
from attlas.choices import TreeProbe
from attlas.wording.numbers import format_percents
from attlas.wording.vocabulary import ALL, link_words

RESULT = "attlas.studies.study_result:ProbeResult"
#: baselines of coreference, each with a column of its own
RULES = ("nearest", "head match", "rules", "first")
#: statistic -> where the weight comes from, in short
FROM = {"feature_weight": "all", "cls_weight": "[CLS]", "link_weight": "word"}


def _precise(value: float) -> str:
    """Three decimals, more where they would all be 0."""
    return f"{value:.3f}" if abs(value) >= 0.0005 or value == 0 else f"{value:.1e}"


WEIGHT = d.Quantity("share", 0, 1, _precise)
WEIGHT_GAIN = d.Quantity("difference of shares", -1, 1, _precise)
PERCENT = d.Quantity("share", 0, 1, lambda share: f"{100 * share:.1f}")
PERCENT_GAIN = d.Quantity("difference of shares", -1, 1, lambda gain: f"{100 * gain:+.1f}")
SPREAD = d.Quantity("standard deviation", 0, write=lambda spread: f"{100 * spread:.2f}")
PAPER = d.Quantity("percent", 0, 100, lambda percent: f"{percent:.0f}")


def _interval(row: d.Row) -> str:
    return "" if row["low"] is None else format_percents(row["low"], row["high"])


def _looks(row: d.Row) -> str:
    """obj: from direct object to verb"""
    words = link_words(str(row["statistic"]), str(row["group"]))
    name = "" if row["group"] == ALL else f"{row['group']}: "
    return name + words.way(str(row["direction"]))


def _links(*baselines: d.Column) -> d.Table:
    """The head that finds each kind of link best, beside its baselines."""
    return d.Table(
        "best",
        (
            d.Column("group", d.TEXT, "the head looks", cell=_looks, words=True, needed=True),
            d.HEAD,
            d.FROM_1,
            d.Column("accuracy", PERCENT, "right", needed=True),
            d.Column("low", d.SHARE, "95%", cell=_interval),
            *baselines,
            d.Column("p", d.P_VALUE, "p"),
            d.Column("links", d.COUNT, "links", needed=True),
            *d.columns_of(d.SHARE, "baseline_accuracy", needed=True),
            *d.columns_of(d.TEXT, "direction", "statistic", needed=True),
            *d.columns_of(d.SHARE, "high", "when_chosen"),
            *d.columns_of(d.P_VALUE, "p_all"),
            *d.columns_of(d.GAIN, "gain_low", "gain_high"),
            *d.columns_of(d.COUNT, "heads_better", "documents"),
        ),
        of_heads=True,
        always=True,
        drawn=True,
        key="table",
        less=("from 1", "first", "rules", "head match", "links", "nearest", "best offset"),
        sentence=say_link,
    )


BEST_OFFSET = d.Column(
    "baseline",
    d.TEXT,
    "best offset",
    cell=lambda row: f"{row['baseline']}: {PERCENT.write(row['baseline_accuracy'])}",
)
WEIGHTS = d.Table(
    "weights",
    (
        d.Column(
            "statistic",
            d.TEXT,
            "from",
            cell=lambda row: FROM.get(str(row["statistic"]), str(row["statistic"])),
            shown="where rows differ",
            words=True,
            needed=True,
        ),
        d.Column("group", d.TEXT, "group", words=True, needed=True),
        d.HEAD,
        d.FROM_1,
        d.Column("weight", WEIGHT, "weight", needed=True),
        d.Column("matched", WEIGHT, "matched", needed=True),
        d.Column("gain", WEIGHT_GAIN, "gain", needed=True),
        d.Column("p", d.P_VALUE, "p", needed=True),
        d.Column("n", d.COUNT, "n", needed=True),
        *d.columns_of(d.ERROR, "stderr", "gain_stderr"),
        *d.columns_of(d.COUNT, "documents"),
    ),
    of_heads=True,
    always=True,
    drawn=True,
    key="table",
    less=("from 1", "n", "matched"),
    sentence=say_group_weight,
)
#: heads in examples of their own links, for the views
AT_WORK = d.Table("at_work", d.columns_of(d.TEXT, "group", "direction", "tokens"), of_heads=True)


def _dependencies_again(about: d.About) -> d.Again:
    return windows_again(about, {"subtypes": False, "min_count": 100, "pieces": "mean"})


def _coreference_again(about: d.About) -> d.Again:
    return windows_again(about, {"candidates": "mentions", "min_count": 100, "pieces": "mean"})


def _frames_again(about: d.About) -> d.Again:
    again = windows_again(about, {}, usual_input="raw")
    every_sentence = source_of(about).get("filter") is None
    return d.Again(again.words, {**(again.options or {}), "all_sentences": every_sentence})


def _related_again(about: d.About) -> d.Again:
    again = windows_again(about, {})
    return d.Again(again.words, {**(again.options or {}), "wordnet": settings_of(about).get("wordnet")})


def _tree_again(about: d.About) -> d.Again:
    settings = settings_of(about)
    again = windows_again(about, {})
    usual: dict[str, Any] = {"seeds": 5, "epochs": 3, "rank": 64}
    options = {name: settings[name] for name, n in usual.items() if settings.get(name, n) != n}
    options["quick"] = not settings.get("curves", True)
    if options["quick"]:
        options.pop("seeds", None)
    if len(probes := settings.get("probes") or []) < len(get_args(TreeProbe)):
        options["probes"] = probes
    if settings.get("words") != "input embeddings":
        options["word_vectors"] = settings.get("words")
    seed = {"seed": settings["seed"]} if settings.get("seed") else {}
    return d.Again(
        again.words, {**(again.options or {}), **options, **seed_of(about), **seed, **faithful_of(about)}
    )


DEPENDENCIES = d.Declaration(
    "dependencies",
    title="Relations of grammar",
    tells="which relations of grammar each head tracks",
    command="probe dependencies MODEL",
    study="attlas.studies.dependency_study:Dependencies",
    result=RESULT,
    tables=(_links(BEST_OFFSET), AT_WORK),
    again=_dependencies_again,
)
COREFERENCE = d.Declaration(
    "coreference",
    title="Who is meant: coreference",
    tells="which heads link a mention to its antecedent",
    command="probe coreference MODEL CORPUS",
    study="attlas.studies.coreference_study:Coreference",
    result=RESULT,
    tables=(
        _links(*(d.Column(name, PERCENT, name) for name in RULES), d.Column("baseline", d.TEXT)),
        AT_WORK,
    ),
    again=_coreference_again,
)
FEATURES = d.Declaration(
    "features",
    title="Nouns, verbs, subjects, negation",
    tells="which heads look at nouns, verbs, subjects, negation",
    command="probe features MODEL",
    study="attlas.studies.feature_study:FeatureStudy",
    result=RESULT,
    tables=(WEIGHTS, AT_WORK),
    again=lambda about: windows_again(about, {}, usual_input="raw"),
)
FRAMES = d.Declaration(
    "frames",
    title="Frames and their elements",
    tells="which heads link a frame's elements to its target",
    command="probe frames MODEL FRAMENET",
    study="attlas.studies.frame_study:Frames",
    result=RESULT,
    tables=(WEIGHTS, AT_WORK),
    again=_frames_again,
)
RELATED = d.Declaration(
    "related",
    title="Synonyms",
    tells="which heads link synonyms",
    command="probe related MODEL",
    study="attlas.studies.related_study:Related",
    result=RESULT,
    tables=(WEIGHTS, AT_WORK),
    again=_related_again,
)
TREE = d.Declaration(
    "tree",
    title="Parse trees",
    tells="how much of a parse tree attention holds",
    command="probe tree MODEL",
    study="attlas.studies.trees.tree_study:TreeStudy",
    result=RESULT,
    tables=(
        d.Table(
            "trees",
            (
                d.Column("title", d.TEXT, "probe", words=True, needed=True),
                d.Column("paper_uas", PAPER, "paper's UAS", needed=True),
                d.Column("uas", PERCENT, "UAS", needed=True),
                d.Column("spread", SPREAD, "± seeds", needed=True),
                d.Column(
                    "low",
                    d.SHARE,
                    "95%",
                    cell=lambda row: (
                        ""
                        if row["low"] is None
                        else f"{PERCENT.write(row['low'])}–{PERCENT.write(row['high'])}"
                    ),
                ),
                d.Column("gain", PERCENT_GAIN, "over attention", needed=True),
                d.Column("greedy", PERCENT, "greedy", needed=True),
                d.Column("uuas", PERCENT, "UUAS", needed=True),
                d.Column("control", PERCENT, "control", needed=True),
                d.Column("las", PERCENT, "LAS", needed=True),
                *d.columns_of(d.TEXT, "probe"),
                *d.columns_of(d.SHARE, "high", "label"),
                *d.columns_of(d.GAIN, "gain_low", "gain_high", "selectivity"),
                *d.columns_of(d.COUNT, "seeds", "parameters"),
                d.Column("uuas_spread", SPREAD),
            ),
            always=True,
            key="table",
            less=("± seeds", "LAS", "greedy", "paper's UAS", "control", "95%", "UUAS"),
        ),
        d.Table(
            "curve",
            (
                *d.columns_of(d.TEXT, "probe"),
                *d.columns_of(d.COUNT, "sentences"),
                *d.columns_of(d.SHARE, "uas"),
            ),
        ),
        d.Table(
            "few_heads",
            (
                *d.columns_of(d.TEXT, "heads"),
                *d.columns_of(d.COUNT, "k", "sets"),
                *d.columns_of(d.NUMBER, "uas", "spread"),
            ),
        ),
    ),
    again=_tree_again,
)
