"""The probes: which heads link which words, and how much of a tree all heads know together."""

from __future__ import annotations

from typing import Any, get_args

from attlas.atlas.catalogue.again import (
    faithful_of,
    seed_of,
    settings_of,
    source_of,
    windows_again,
)
from attlas.atlas.catalogue.declaration import (
    COUNT,
    ERROR,
    FROM_1,
    GAIN,
    HEAD,
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


WEIGHT = Quantity("share", 0, 1, _precise)
WEIGHT_GAIN = Quantity("difference of shares", -1, 1, _precise)
PERCENT = Quantity("share", 0, 1, lambda share: f"{100 * share:.1f}")
PERCENT_GAIN = Quantity("difference of shares", -1, 1, lambda gain: f"{100 * gain:+.1f}")
SPREAD = Quantity("standard deviation", 0, write=lambda spread: f"{100 * spread:.2f}")
PAPER = Quantity("percent", 0, 100, lambda percent: f"{percent:.0f}")


def _interval(row: Row) -> str:
    return "" if row["low"] is None else format_percents(row["low"], row["high"])


def _looks(row: Row) -> str:
    """obj: from direct object to verb"""
    words = link_words(str(row["statistic"]), str(row["group"]))
    name = "" if row["group"] == ALL else f"{row['group']}: "
    return name + words.way(str(row["direction"]))


def _links(*baselines: Column) -> Table:
    """The head that finds each kind of link best, beside its baselines."""
    return Table(
        "best",
        (
            Column("group", TEXT, "the head looks", cell=_looks, words=True, needed=True),
            HEAD,
            FROM_1,
            Column("accuracy", PERCENT, "right", needed=True),
            Column("low", SHARE, "95%", cell=_interval),
            *baselines,
            Column("p", P_VALUE, "p"),
            Column("links", COUNT, "links", needed=True),
            *columns_of(SHARE, "baseline_accuracy", needed=True),
            *columns_of(TEXT, "direction", "statistic", needed=True),
            *columns_of(SHARE, "high", "when_chosen"),
            *columns_of(P_VALUE, "p_all"),
            *columns_of(GAIN, "gain_low", "gain_high"),
            *columns_of(COUNT, "heads_better", "documents"),
        ),
        of_heads=True,
        always=True,
        drawn=True,
        key="table",
        less=("from 1", "first", "rules", "head match", "links", "nearest", "best offset"),
        sentence=say_link,
    )


BEST_OFFSET = Column(
    "baseline",
    TEXT,
    "best offset",
    cell=lambda row: f"{row['baseline']}: {PERCENT.write(row['baseline_accuracy'])}",
)
WEIGHTS = Table(
    "weights",
    (
        Column(
            "statistic",
            TEXT,
            "from",
            cell=lambda row: FROM.get(str(row["statistic"]), str(row["statistic"])),
            shown="where rows differ",
            words=True,
            needed=True,
        ),
        Column("group", TEXT, "group", words=True, needed=True),
        HEAD,
        FROM_1,
        Column("weight", WEIGHT, "weight", needed=True),
        Column("matched", WEIGHT, "matched", needed=True),
        Column("gain", WEIGHT_GAIN, "gain", needed=True),
        Column("p", P_VALUE, "p", needed=True),
        Column("n", COUNT, "n", needed=True),
        *columns_of(ERROR, "stderr", "gain_stderr"),
        *columns_of(COUNT, "documents"),
    ),
    of_heads=True,
    always=True,
    drawn=True,
    key="table",
    less=("from 1", "n", "matched"),
    sentence=say_group_weight,
)
#: heads in examples of their own links, for the views
AT_WORK = Table("at_work", columns_of(TEXT, "group", "direction", "tokens"), of_heads=True)


def _dependencies_again(about: About) -> Again:
    return windows_again(about, {"subtypes": False, "min_count": 100, "pieces": "mean"})


def _coreference_again(about: About) -> Again:
    return windows_again(about, {"candidates": "mentions", "min_count": 100, "pieces": "mean"})


def _frames_again(about: About) -> Again:
    again = windows_again(about, {}, usual_input="raw")
    every_sentence = source_of(about).get("filter") is None
    return Again(again.words, {**(again.options or {}), "all_sentences": every_sentence})


def _tree_again(about: About) -> Again:
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
    return Again(
        again.words, {**(again.options or {}), **options, **seed_of(about), **seed, **faithful_of(about)}
    )


DEPENDENCIES = Declaration(
    "dependencies",
    title="Relations of grammar",
    tells="which relations of grammar each head tracks",
    command="probe dependencies MODEL",
    study="attlas.studies.dependency_study:Dependencies",
    result=RESULT,
    tables=(_links(BEST_OFFSET), AT_WORK),
    again=_dependencies_again,
)
COREFERENCE = Declaration(
    "coreference",
    title="Who is meant: coreference",
    tells="which heads link a mention to its antecedent",
    command="probe coreference MODEL CORPUS",
    study="attlas.studies.coreference_study:Coreference",
    result=RESULT,
    tables=(_links(*(Column(name, PERCENT, name) for name in RULES), Column("baseline", TEXT)), AT_WORK),
    again=_coreference_again,
)
FEATURES = Declaration(
    "features",
    title="Nouns, verbs, subjects, negation",
    tells="which heads look at nouns, verbs, subjects, negation",
    command="probe features MODEL",
    study="attlas.studies.feature_study:FeatureStudy",
    result=RESULT,
    tables=(WEIGHTS, AT_WORK),
    again=lambda about: windows_again(about, {}, usual_input="raw"),
)
FRAMES = Declaration(
    "frames",
    title="Frames and their elements",
    tells="which heads link a frame's elements to its target",
    command="probe frames MODEL FRAMENET",
    study="attlas.studies.frame_study:Frames",
    result=RESULT,
    tables=(WEIGHTS, AT_WORK),
    again=_frames_again,
)
TREE = Declaration(
    "tree",
    title="Parse trees",
    tells="how much of a parse tree attention holds",
    command="probe tree MODEL",
    study="attlas.studies.trees.tree_study:TreeStudy",
    result=RESULT,
    tables=(
        Table(
            "trees",
            (
                Column("title", TEXT, "probe", words=True, needed=True),
                Column("paper_uas", PAPER, "paper's UAS", needed=True),
                Column("uas", PERCENT, "UAS", needed=True),
                Column("spread", SPREAD, "± seeds", needed=True),
                Column(
                    "low",
                    SHARE,
                    "95%",
                    cell=lambda row: (
                        ""
                        if row["low"] is None
                        else f"{PERCENT.write(row['low'])}–{PERCENT.write(row['high'])}"
                    ),
                ),
                Column("gain", PERCENT_GAIN, "over attention", needed=True),
                Column("greedy", PERCENT, "greedy", needed=True),
                Column("uuas", PERCENT, "UUAS", needed=True),
                Column("control", PERCENT, "control", needed=True),
                Column("las", PERCENT, "LAS", needed=True),
                *columns_of(TEXT, "probe"),
                *columns_of(SHARE, "high", "label"),
                *columns_of(GAIN, "gain_low", "gain_high", "selectivity"),
                *columns_of(COUNT, "seeds", "parameters"),
                Column("uuas_spread", SPREAD),
            ),
            always=True,
            key="table",
            less=("± seeds", "LAS", "greedy", "paper's UAS", "control", "95%", "UUAS"),
        ),
        Table(
            "curve", (*columns_of(TEXT, "probe"), *columns_of(COUNT, "sentences"), *columns_of(SHARE, "uas"))
        ),
        Table(
            "few_heads",
            (
                *columns_of(TEXT, "heads"),
                *columns_of(COUNT, "k", "sets"),
                *columns_of(NUMBER, "uas", "spread"),
            ),
        ),
    ),
    again=_tree_again,
)
