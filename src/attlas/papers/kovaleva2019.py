"""Kovaleva, Romanov, Rogers and Rumshisky 2019, "Revealing the Dark Secrets of BERT"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from attlas.errors import option
from attlas.papers.kovaleva_tasks import (
    average_gain,
    changes,
    disabling,
    name_small_training,
    scores,
    task_shapes,
    why_not_trained,
)
from attlas.papers.paper_items import (
    OF_A_DECODER,
    ChapterNumbers,
    Measured,
    PaperEvidence,
    PaperItem,
    Reported,
    at_depth,
    both_ways,
)
from attlas.papers.runs import TASKS

TITLE = "Revealing the Dark Secrets of BERT"
CITATION = (
    "Olga Kovaleva, Alexey Romanov, Anna Rogers and Anna Rumshisky. 2019. Revealing the Dark Secrets of "
    "BERT. EMNLP-IJCNLP 2019."
)
SENTENCES = 473
FRAME_HEADS = ((0.209, "7-6"), (0.201, "1-2"))
#: Figure 6: what vertical stripes are
STRIPES = {
    group: f"vertical stripes of {when} layers are {token}: attention to it there, less that at the other end"
    for group, when, token in (("cls", "early", "[CLS]"), ("sep", "late", "[SEP]"))
}
FROM_CLS = "[CLS] of the last layer looks most at [SEP]: its weight, less the largest of the features"
NO_DELIMITERS = f"{OF_A_DECODER}: it has neither [CLS] nor [SEP]"
ONE_SIDED = f"{OF_A_DECODER}: the earlier of two words does not see the later, which may only rest on it"
ABOUT_FRAMES = ("some head links", "heads that carry frames")
RANKS = ("strongest", "second")
#: Figure 6: task -> features that receive slightly more attention after fine-tuning
RISES = {
    "MRPC": ("nouns", "objects"),
    "QQP": ("nouns", "objects"),
    "RTE": ("nouns", "objects"),
    "QNLI": ("negation",),
}
#: who attends to whom: the paper's code, and the paper's sentence
DIRECTIONS = {
    "element_to_target": "frame elements to their target",
    "target_to_element": "targets to elements",
}


def _why_no_frames() -> str:
    where = "framenet.icsi.berkeley.edu, or nltk.download('framenet_v17')"
    return f"no FrameNet 1.7: give its folder framenet_v17 by {option('data')} ({where})"


def items(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Everything, in the paper's order."""
    yield from task_shapes(evidence)
    yield from _shapes(evidence)
    yield from _unless_one_sided(evidence, _frames(evidence))
    for task in TASKS:
        yield from changes(evidence, task)
    for task in TASKS:
        yield from scores(evidence, task)
    yield from average_gain(evidence)
    yield from _unless_one_sided(evidence, _features(evidence))
    for task in TASKS:
        yield from disabling(evidence, task)
    yield from _unless_one_sided(evidence, _are_frames_used(evidence))


def _unless_one_sided(evidence: PaperEvidence, items: Iterator[PaperItem]) -> Iterator[PaperItem]:
    """Links between two words are not asked of a decoder: the earlier word does not see the later, and the
    later may look at the earlier only because it is the first, where decoders rest."""
    for item in items:
        of_links = item.place in ("Figure 3", "Figure 7") or item.what.startswith(ABOUT_FRAMES)
        if evidence.kind == "decoder" and item.corrected is not None and of_links:
            item = replace(item, faithful=None, corrected=None, incomparable=ONE_SIDED)
        yield item


def _shapes(evidence: PaperEvidence) -> Iterator[PaperItem]:
    shares = evidence.table("shares", "shapes")
    if shares is None:
        return
    row = shares.query("shape == 'heterogeneous' and kind == @evidence.kind").iloc[0]
    half = 50 * float(row["high"] - row["low"])  # none, of a single text
    yield evidence.item(
        "section 4.1",
        "maps fall into few shapes: share of maps, over a text, that have one of the four simple ones",
        Reported("39 to 68 %, by task", 53.5, 14.5),
        corrected=Measured.around(100 * (1 - float(row["share"])), half),
        unit="percent",
    )


def _frames(evidence: PaperEvidence) -> Iterator[PaperItem]:
    passed = PaperItem(
        "section 4.2",
        "sentences of FrameNet 1.7 that pass the filter",
        Reported(f"{SENTENCES}", SENTENCES, evidence="repository"),
    )
    ways = both_ways(lambda faithful: evidence.numbers("frames", faithful))
    if not ways:
        yield replace(passed, missing=_why_no_frames())
        for weight, head in FRAME_HEADS:
            what = f"weight from frame elements to their target, head {head}"
            reported = Reported(f"{weight:g}", weight, 0.01, "plot")
            yield PaperItem("Figure 3", what, reported, missing=_why_no_frames(), unit="share")
        return
    read = float(evidence.atlas.about(next(reversed(ways.values())).chapter)["counts"]["windows"])
    yield replace(passed, corrected=Measured(read), unit="count")
    for rank, (weight, head) in enumerate(FRAME_HEADS):
        yield evidence.item(
            "Figure 3",
            f"weight from frame elements to their target, {RANKS[rank]} head ({head} there)",
            Reported(f"{weight:g}", weight, 0.01, "plot"),
            unit="share",
            **{way: n.best("frame_weight", "element_to_target", rank) for way, n in ways.items()},
        )
    frames = ways.get("corrected")
    for group, title in DIRECTIONS.items():
        if frames is not None and frames.has("frame_weight_over_matched", group):
            yield evidence.item(
                "section 4.2",
                f"some head links {title}: its weight, less that of the same tokens slid along the sentence",
                Reported("two heads past the 99th percentile"),
                corrected=frames.best("frame_weight_over_matched", group),
                chance=0.0,
                unit="share",
            )


def _stripes(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Figure 6: what vertical stripes are. Where no corpus was annotated, maps alone can tell."""
    features = evidence.numbers("features")
    numbers, statistic = (features, "feature_weight") if features else (evidence.numbers(), "to_class")
    if numbers is None:
        return
    early, late = at_depth(1, 4, numbers.layers), at_depth(9, 12, numbers.layers)
    for group, most, least in (("cls", early, late), ("sep", late, early)):
        item = evidence.item("Figure 6", STRIPES[group], Reported("more"))
        if evidence.kind == "decoder":
            yield replace(item, incomparable=NO_DELIMITERS)
        elif numbers.has(statistic, group):
            difference = numbers.over(most, statistic, group) - numbers.over(least, statistic, group)
            yield replace(item, corrected=difference, chance=0.0, unit="share")


def _rises(evidence: PaperEvidence, before: ChapterNumbers) -> Iterator[PaperItem]:
    """Figure 6: does fine-tuning draw attention to words that the task turns on?"""
    layers = range(before.layers)
    for task, features in RISES.items():
        tuned = evidence.tuned.get(task)
        after = None if tuned is None else tuned.features
        for feature in features:
            what = f"{task}: fine-tuning draws attention to {feature}: the mean over heads, after less before"
            item = PaperItem("Figure 6", what, Reported("slightly more"), unit="share")
            if tuned is None or after is None or not after.has("feature_weight", feature):
                yield replace(item, missing=why_not_trained(evidence, task))
                continue
            change, without = (n.over(layers, "feature_weight", feature) for n in (after, before))
            causes = (*evidence.causes, *name_small_training(tuned))
            yield replace(item, corrected=replace(change - without, where=""), chance=0.0, causes=causes)


def _features(evidence: PaperEvidence) -> Iterator[PaperItem]:
    yield from _stripes(evidence)
    features = evidence.numbers("features")
    if features is None:
        return
    yield from _rises(evidence, features)
    for group in features.atlas.groups("link_weight", chapter=features.chapter):
        if features.has("link_weight_over_matched", group):
            yield evidence.item(
                "Figure 7",
                f"heads for {group.replace('_', ' ')} are diagonal heads: the best one's weight, less that "
                "at the same distance",
                Reported("nothing beyond the diagonal"),
                corrected=features.best("link_weight_over_matched", group),
                chance=0.0,
                below=True,
                unit="share",
            )
    item = evidence.item("Figure 7", FROM_CLS, Reported("so in four of seven tasks"))
    if evidence.kind == "decoder":
        yield replace(item, incomparable=NO_DELIMITERS)
    last = [features.layers - 1]
    groups = features.atlas.groups("cls_weight", chapter=features.chapter)
    others = [features.over(last, "cls_weight", group) for group in groups if group not in ("sep", "cls")]
    if features.has("cls_weight", "sep") and others:
        strongest = max(others, key=lambda measured: measured.value)
        difference = features.over(last, "cls_weight", "sep") - strongest
        yield replace(item, corrected=difference, chance=0.0, unit="share")


def _are_frames_used(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Do the heads that carry frames matter more than others when they are disabled?"""
    reported, frames = Reported("disabling either hurts no task"), evidence.numbers("frames")
    if frames is None:
        what = (
            "heads that carry frames are not needed: the score without them, less that without another head"
        )
        yield PaperItem("section 4.2", what, reported, missing=_why_no_frames())
        return
    heads = [frames.best("frame_weight", "element_to_target", rank).where for rank in (0, 1)]
    tables = {"on a text": evidence.table("disabled", "disable")}
    tables |= {f"on {task}": tuned.disabled for task, tuned in evidence.tuned.items()}
    for where, table in tables.items():
        if table is None or not np.isfinite(table["stderr"]).all():
            continue
        named = table["layer"].astype(str) + "." + table["head"].astype(str)
        sign = 1 if (table["score"] == "loss").all() else -1  # a change for the worse
        harm, error = (table[name].to_numpy(float) for name in ("change", "stderr"))
        chosen = named.isin(heads).to_numpy()
        worse = sign * float(harm[chosen].mean() - harm[~chosen].mean())
        half = 1.96 * float(error[chosen].mean() + error[~chosen].mean())
        yield evidence.item(
            "section 4.2",
            f"heads that carry frames are not needed {where}: harm to the {table['score'].iloc[0]} without "
            "the two strongest, less that without another head",
            reported,
            corrected=Measured(worse, worse - half, worse + half, ", ".join(heads)),
            chance=0.0,
            below=True,
        )
