"""Kovaleva, Romanov, Rogers and Rumshisky 2019, "Revealing the Dark Secrets of BERT"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from attlas.errors import option
from attlas.papers.kovaleva_tasks import (
    average_gain,
    changes,
    disabling,
    name_small_training,
    same_shapes,
    scores,
    task_shapes,
    why_not_trained,
)
from attlas.papers.paper_evidence import ChapterNumbers, PaperEvidence, at_depth, name_head
from attlas.papers.paper_items import NO_DATA, NOT_IN_QUICK, OF_A_DECODER, Measured, PaperItem, Reported
from attlas.papers.runs import TASKS
from attlas.studies.redundancy_study import BEYOND, BOTH, FIRST, SECOND

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
FROM_CLS = "[CLS] of the last layer of a fine-tuned model looks most at [SEP], on the task's own texts"
DIAGONAL = ("previous", "self", "next")  # where a diagonal head looks
A_THIRD = 1 / 3
NO_DELIMITERS = f"{OF_A_DECODER}: it has neither [CLS] nor [SEP]"
ONE_SIDED = f"{OF_A_DECODER}: the earlier of two words does not see the later, which may only rest on it"
NO_CARRIERS = "no head surely carries frames here: one that does nothing is not needed"
ABOUT_FRAMES = ("some head links", "heads that carry frames")
RANKS = ("strongest", "second")
FEATURES = ("nouns", "pronouns", "verbs", "subjects", "objects", "negation")
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
    return f"{NO_DATA}: no FrameNet 1.7: give its folder framenet_v17 by {option('data')} ({where})"


def items(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Everything, in the paper's order."""
    yield from task_shapes(evidence)
    yield from _shapes(evidence)
    yield same_shapes(evidence)
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
    yield from _unless_one_sided(evidence, _are_carriers_redundant(evidence))


def _unless_one_sided(evidence: PaperEvidence, items: Iterator[PaperItem]) -> Iterator[PaperItem]:
    """Links between two words are not asked of a decoder: the earlier word does not see the later, and the
    later may look at the earlier only because it is the first, where decoders rest."""
    for item in items:
        of_links = item.place in ("Figure 3", "Figure 7") or item.what.startswith(ABOUT_FRAMES)
        unasked = evidence.kind == "decoder" and item.corrected is not None and of_links
        yield replace(item, not_asked=ONE_SIDED) if unasked else item


def _shapes(evidence: PaperEvidence) -> Iterator[PaperItem]:
    shares = evidence.table("shares", "shapes")
    if shares is None:
        return
    by_shape = {row["shape"]: row for row in shares.query("kind == @evidence.kind").to_dict("records")}
    simple = by_shape["heterogeneous"]
    half = 50 * float(simple["high"] - simple["low"])  # none, of a single text
    documents = int(simple["documents"])
    yield PaperItem(
        "section 4.1",
        "maps fall into few shapes: share of maps, over a text, that have one of the four simple ones",
        Reported("39 to 68 %, by task", 53.5, 14.5),
        corrected=Measured.around(100 * (1 - float(simple["share"])), half, documents=documents),
        agrees=True,
        unit="percent",
    )
    share, low, high = (100 * float(by_shape["vertical"][name]) for name in ("share", "low", "high"))
    yield PaperItem(
        "section 4.1",
        "three maps in ten are vertical: their share, over a text",
        Reported("30 % of 400 maps of fine-tuned models", 30.0),
        corrected=Measured.between(share, low, high, documents=documents),
        agrees=True,
        unit="percent",
    )
    key = "pattern_score", "delimiter"
    delimiters = evidence.over(None, *key, study="patterns")
    item = PaperItem(
        "section 4.1",
        "[CLS] and [SEP] take at least a third of all attention: the mean over heads",
        Reported("at least a third"),
        "share",
        threshold=A_THIRD,
        unit="share",
        **delimiters,
    )
    if evidence.kind == "decoder":
        yield replace(item, not_asked=NO_DELIMITERS)
    elif delimiters:
        yield item


def _frames(evidence: PaperEvidence) -> Iterator[PaperItem]:
    frames = evidence.numbers("frames")
    read = 0 if frames is None else int(evidence.atlas.about(frames.chapter)["counts"]["windows"])
    detail = f"{read} sentences pass the filter here, {SENTENCES} in the original" if read else ""
    for rank, (weight, head) in enumerate(FRAME_HEADS):
        key = "frame_weight", "element_to_target"
        yield PaperItem(
            "Figure 3",
            f"weight from frame elements to their target, {RANKS[rank]} head ({head} there), is the paper's",
            Reported(f"{weight:g}", weight, 0.01, "plot"),
            agrees=True,
            unit="share",
            not_asked="" if read else _why_no_frames(),
            detail=detail,
            **evidence.best(*key, rank=rank, study="frames"),
        )
    for group, title in DIRECTIONS.items():
        key = "frame_weight_over_matched", group
        yield PaperItem(
            "section 4.2",
            f"some head links {title}: its weight, less that of the same tokens slid along the sentence",
            Reported("two heads past the 99th percentile"),
            unit="share",
            not_asked="" if read else _why_no_frames(),
            **evidence.best(*key, study="frames"),
        )


def _stripes(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Figure 6: what vertical stripes are. Attention to [CLS] is known of maps alone, too; to [SEP] it is the
    larger of two columns in the paper, which only the study of features has."""
    features = evidence.numbers("features")
    study, statistic = ("features", "feature_weight") if features else ("surface", "to_class")
    numbers = features or evidence.numbers()
    if numbers is None:
        return
    early, late = at_depth(1, 4, numbers.layers), at_depth(9, 12, numbers.layers)
    for group, most, least in (("cls", early, late), ("sep", late, early)):
        item = PaperItem("Figure 6", STRIPES[group], Reported("more"), unit="share")
        if evidence.kind == "decoder":
            yield replace(item, not_asked=NO_DELIMITERS)
        elif group == "sep" and features is None:
            yield replace(
                item, not_asked="the paper takes the larger of two [SEP]; maps alone gave their sum"
            )
        elif numbers.has(statistic, group):
            differ = partial(_over_less, most=most, least=least, key=(statistic, group))
            yield replace(item, **evidence.measure(differ, statistic, group, study=study))
    if features is None:
        return
    item = PaperItem(
        "Figure 6",
        "features of words are negligible beside [CLS] and [SEP]: the larger of these two, less the largest "
        "feature, means over heads",
        Reported("negligible"),
        unit="share",
    )
    yield (
        replace(item, not_asked=NO_DELIMITERS)
        if evidence.kind == "decoder"
        else replace(
            item,
            **evidence.measure(_delimiters_over_features, "feature_weight", "cls", study="features"),
        )
    )


def _over_less(numbers: ChapterNumbers, most: range, least: range, key: tuple[str, str]) -> Measured:
    return numbers.over(most, *key) - numbers.over(least, *key)


def _delimiters_over_features(numbers: ChapterNumbers) -> Measured:
    layers = range(numbers.layers)

    def largest(groups: tuple[str, ...]) -> Measured:
        there = [g for g in groups if numbers.has("feature_weight", g)]
        return max((numbers.over(layers, "feature_weight", g) for g in there), key=lambda m: m.value)

    return replace(largest(("cls", "sep")) - largest(FEATURES), where="")


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
                yield replace(item, not_asked=why_not_trained(evidence, task))
                continue
            change, without = (n.over(layers, "feature_weight", feature) for n in (after, before))
            difference = replace(change - without, where="")
            yield replace(item, corrected=difference, causes=name_small_training(tuned))


def _features(evidence: PaperEvidence) -> Iterator[PaperItem]:
    yield from _stripes(evidence)
    features = evidence.numbers("features")
    if features is None:
        return
    yield from _rises(evidence, features)
    for group in features.atlas.groups("link_weight", chapter=features.chapter):
        if features.has("link_weight_over_matched", group):
            yield from _links(evidence, features, group)
    why = NO_DELIMITERS if evidence.kind == "decoder" else "it is about fine-tuned models on their own tasks"
    yield PaperItem("Figure 7", FROM_CLS, Reported("so in four of seven tasks"), not_asked=why)


def _links(evidence: PaperEvidence, features: ChapterNumbers, group: str) -> Iterator[PaperItem]:
    """Figure 7: the paper's question, whether the head that gives a link the most weight is a diagonal one;
    then ours, whether some head gives it more than its distance explains."""
    link = group.replace("_", " ")
    layer, head = features.order("link_weight", group)[0]
    weight = features.at(layer, head, "link_weight", group).value
    beyond = features.at(layer, head, "link_weight_over_matched", group).value
    item = PaperItem(
        "Figure 7",
        f"the head with the most weight from {link} is a diagonal head: what it gives to the token itself "
        "and those beside it",
        Reported("the winners coincide with diagonal heads"),
        "share",
        threshold=0.5,
        unit="share",
        detail=f"weight {weight:.3f}, of which {beyond:.3f} is beyond that at the same distance",
    )
    yield replace(item, **_on_diagonal(evidence, layer, head))
    key = "link_weight_over_matched", group
    yield PaperItem(
        "Figure 7",
        f"no head links {link} beyond the diagonal: the most that any gives, less that at the same distance",
        Reported("nothing beyond the diagonal", 0.0),
        agrees=True,
        unit="share",
        detail="a question of Attlas",
        **evidence.best(*key, study="features"),
    )


def _on_diagonal(evidence: PaperEvidence, layer: int, head: int) -> dict[str, Any]:
    """Attention to the previous token, the token itself and the next, over a text."""
    numbers = evidence.numbers("patterns")
    if numbers is None or not all(numbers.has("pattern_score", place) for place in DIAGONAL):
        return {"not_asked": "no patterns were measured"}
    parts = [numbers.at(layer, head, "pattern_score", place) for place in DIAGONAL]
    error = sum(part.value - part.bounds[0] for part in parts)
    documents = min(part.documents for part in parts)
    total = Measured.around(sum(p.value for p in parts), error, name_head(layer, head), documents)
    return {"corrected": total}


def _are_frames_used(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Do the heads that carry frames matter more than others when they are disabled?"""
    frames = evidence.numbers("frames")
    item = PaperItem(
        "section 4.2",
        "heads that carry frames are not needed: harm without each of the two strongest, less that without "
        "another head",
        Reported("disabling either hurts no task", 0.0),
        agrees=True,
    )
    tables = {"on a text": evidence.table("disabled", "disable")}
    tables |= {f"on {task}": tuned.disabled for task, tuned in evidence.tuned.items()}
    known = {where: t for where, t in tables.items() if t is not None and np.isfinite(t["stderr"]).all()}
    if frames is None or not known:
        why = f"{NOT_IN_QUICK}: {option('budget', 'full')} disables heads on enough texts"
        yield replace(item, not_asked=_why_no_frames() if frames is None else why)
        return
    if not _has_carriers(evidence):
        yield replace(item, not_asked=NO_CARRIERS)
        return
    heads = carriers(frames)
    for where, table in known.items():
        places = list(zip(table["layer"], table["head"], strict=True))
        chosen = np.array([place in heads for place in places])
        of_loss = (table["score"] == "loss").all()
        harm, error = (table[name].to_numpy(float) for name in ("change", "stderr"))  # a change for the worse
        worse = (1 if of_loss else -1) * float(harm[chosen].mean() - harm[~chosen].mean())
        half = 1.96 * float(error[chosen].mean() + error[~chosen].mean())
        named = ", ".join(name_head(*head) for head in heads)
        yield replace(
            item,
            what=item.what.replace("needed:", f"needed {where}:"),
            claim="loss" if of_loss else "score",
            corrected=Measured.around(worse, half, named, int(table["documents"].min())),
        )


def carriers(frames: ChapterNumbers) -> list[tuple[int, int]]:
    """The two heads with the most weight from frame elements to their target."""
    return frames.order("frame_weight", "element_to_target")[:2]


def _has_carriers(evidence: PaperEvidence) -> bool:
    return any(link.place == "section 4.2" and link.verdict == "holds" for link in _frames(evidence))


def _are_carriers_redundant(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Does neither of the two heads matter because the other does its work?"""
    item = PaperItem(
        "section 4.2",
        "heads that carry frames do each other's work: harm without both of the two strongest, less that "
        "without each",
        Reported("not asked: disabling either hurts no task"),
        "loss",
        unit="nats",
        detail="a question of Attlas",
    )
    table, frames = evidence.table("redundancy", "redundancy"), evidence.numbers("frames")
    if frames is None or table is None:
        why = f"no loss was measured: {evidence.model} has none, or this was left out"
        yield replace(item, not_asked=_why_no_frames() if frames is None else why)
    elif not _has_carriers(evidence):
        yield replace(item, not_asked=NO_CARRIERS)
    else:
        rows = {row["compared"]: row for row in table.to_dict("records")}
        named = ", ".join(name_head(*head) for head in carriers(frames))
        alone = ", ".join(f"{rows[what]['change']:+.4f} {what}" for what in (FIRST, SECOND, BOTH))
        change, low, high = (float(rows[BEYOND][name]) for name in ("change", "low", "high"))
        measured = Measured.between(change, low, high, named, int(rows[BEYOND]["documents"]))
        yield replace(item, corrected=measured, detail=f"{item.detail}: {alone}")
