"""Kovaleva, Romanov, Rogers and Rumshisky 2019, "Revealing the Dark Secrets of BERT"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from attlas.papers.paper_evidence import FineTuned, PaperEvidence
from attlas.papers.paper_items import Measured, PaperItem, Reported
from attlas.papers.surface_items import SurfaceOf, Z, at_depth

TITLE = "Revealing the Dark Secrets of BERT"
CITATION = (
    "Olga Kovaleva, Alexey Romanov, Anna Rogers and Anna Rumshisky. 2019. Revealing the Dark Secrets of "
    "BERT. EMNLP-IJCNLP 2019."
)
TASKS = ("MRPC", "STS-B", "SST-2", "QQP", "RTE", "QNLI", "MNLI")
#: Figure 2: the lowest and the highest share of heterogeneous maps
HETEROGENEOUS = {"MRPC": 32.0, "QQP": 61.0}
#: Table 1: task -> metric, fine-tuned from random weights, fine-tuned from pre-trained ones
TABLE_1: Mapping[str, tuple[str, float, float]] = {
    "MRPC": ("accuracy", 68.3, 82.3),
    "STS-B": ("pearson", 2.9, 82.7),
    "SST-2": ("accuracy", 80.5, 92.0),
    "QQP": ("accuracy", 63.2, 78.6),
    "RTE": ("accuracy", 52.7, 64.6),
    "QNLI": ("accuracy", 49.5, 84.4),
    "MNLI": ("accuracy", 61.0, 78.6),
}
SENTENCES = 473
FRAME_HEADS = ((0.209, "7-6"), (0.201, "1-2"))
RANKS = ("strongest", "second")
NO_TASK = "no data of the task: give GLUE's folder by --data"
NO_FRAMES = "no FrameNet: give the folder framenet_v17 by --data (framenet.icsi.berkeley.edu)"


def items(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Everything, in the paper's order."""
    yield from _shapes(evidence)
    yield from _frames(evidence)
    for task in TASKS:
        yield from _change(evidence, task)
    for task in TASKS:
        yield from _more_vertical(evidence, task)
    for task in TASKS:
        yield from _scores(evidence, task)
    yield from _features(evidence)
    for task in TASKS:
        yield from _disabling(evidence, task)
    yield from _are_frames_used(evidence)


def _shapes(evidence: PaperEvidence) -> Iterator[PaperItem]:
    for task, share in HETEROGENEOUS.items():
        what = f"share of heterogeneous maps on {task}"
        reported = Reported(f"{share:g} %", share, 1.0)
        tuned = evidence.tuned.get(task)
        if tuned is None or tuned.shapes is None:
            yield PaperItem("Figure 2", what, reported, missing=NO_TASK, unit="percent")
            continue
        of_shape = tuned.shapes.query("shape == 'heterogeneous' and kind == @evidence.kind")
        measured = Measured(100 * float(of_shape["second"].mean()))
        causes = (
            *evidence.another_model,
            "another classifier: theirs and its labels were never released",
        )
        yield PaperItem(
            "Figure 2", what, reported, corrected=measured, chance=20.0, causes=causes, unit="percent"
        )
    shares = evidence.table("shares", "shapes")
    if shares is not None:
        row = shares.query("shape == 'heterogeneous' and kind == @evidence.kind").iloc[0]
        share, low, high = (100 * float(row[key]) for key in ("share", "low", "high"))
        yield PaperItem(
            "section 4.1",
            "maps fall into few shapes: share of maps, over a text, that have one of the four simple ones",
            Reported("39 to 68 %, by task", None),
            corrected=Measured(100 - share, 100 - high, 100 - low),
            chance=0.0,
            causes=evidence.another_model,
            unit="percent",
        )


def _more_vertical(evidence: PaperEvidence, task: str) -> Iterator[PaperItem]:
    what = f"{task}: fine-tuning makes maps more vertical: points of their share, after less before"
    reported = Reported("[SEP] stripes take over in the last layers", None)
    tuned = evidence.tuned.get(task)
    if tuned is None or tuned.shapes is None:
        return
    vertical = tuned.shapes.query("shape == 'vertical' and kind == @evidence.kind")
    by_layer = 100 * (vertical["second"] - vertical["first"]).to_numpy(dtype=float)
    error = Z * float(by_layer.std(ddof=1) / np.sqrt(len(by_layer)))
    change = float(by_layer.mean())
    yield PaperItem(
        "section 4.3",
        what,
        reported,
        corrected=Measured(change, change - error, change + error, f"over {len(by_layer)} layers"),
        chance=0.0,
        causes=(*evidence.another_model, *_small(tuned)),
        unit="percent",
    )


def _frames(evidence: PaperEvidence) -> Iterator[PaperItem]:
    tables = {
        name: evidence.table("weights", "frames", f) for name, f in (("faithful", True), ("corrected", False))
    }
    what = f"sentences of FrameNet 1.7 that pass the filter: {SENTENCES}"
    if all(table is None for table in tables.values()):
        yield PaperItem(
            "section 4.2", what, Reported(f"{SENTENCES}", SENTENCES, evidence="repository"), missing=NO_FRAMES
        )
        for weight, head in FRAME_HEADS:
            yield PaperItem(
                "Figure 3",
                f"weight from frame elements to their target, head {head}",
                Reported(f"{weight:g}", weight, 0.01, "plot"),
                missing=NO_FRAMES,
                unit="share",
            )
        return
    counts = evidence.atlas.about(evidence.chapter("frames") or evidence.chapter("frames", True))["counts"]
    read = int(counts.get("sentences") or counts.get("windows") or counts["items"])
    yield PaperItem(
        "section 4.2",
        what,
        Reported(f"{SENTENCES}", SENTENCES, evidence="repository"),
        corrected=Measured(read),
        unit="count",
    )
    strongest = {name: _strongest(t) for name, t in tables.items() if t is not None}
    for place, (weight, head) in enumerate(FRAME_HEADS):
        measured = {name: _weight(rows.iloc[place]) for name, rows in strongest.items()}
        yield PaperItem(
            "Figure 3",
            f"weight from frame elements to their target, {RANKS[place]} head ({head} there)",
            Reported(f"{weight:g}", weight, 0.01, "plot"),
            measured.get("faithful"),
            measured.get("corrected"),
            causes=evidence.another_model,
            unit="share",
        )
    if "corrected" in strongest:
        best = strongest["corrected"].sort_values("gain", ascending=False).iloc[0]
        gain, error = float(best["gain"]), Z * float(best["gain_stderr"])
        yield PaperItem(
            "section 4.2",
            "some head links frame elements with their target: weight less that of the same tokens elsewhere",
            Reported("two heads past the 99th percentile", None),
            corrected=Measured(gain, gain - error, gain + error, f"{best['layer']}.{best['head']}"),
            chance=0.0,
            causes=evidence.another_model,
            unit="share",
        )


def _strongest(table: Any) -> Any:
    """A row a head, from element to target, the strongest first."""
    towards = sorted(set(table["group"]))[0]
    return table[table["group"] == towards].sort_values("weight", ascending=False)


def _weight(row: Any) -> Measured:
    weight, error = float(row["weight"]), Z * float(row["stderr"])
    where = f"{row['layer']}.{row['head']}"
    return Measured(weight, weight - error, weight + error, where) if np.isfinite(error) else Measured(weight)


def _change(evidence: PaperEvidence, task: str) -> Iterator[PaperItem]:
    what = f"{task}: fine-tuning changes the last two layers most: mean cosine of the others, less theirs"
    reported = Reported("more, but for QQP" if task != "QQP" else "not so", None)
    tuned = evidence.tuned.get(task)
    if tuned is None or tuned.compared is None:
        yield PaperItem("Figure 5", what, reported, missing=NO_TASK, unit="share")
        return
    last = at_depth(11, 12, tuned.compared.layers)
    rest = [layer for layer in range(tuned.compared.layers) if layer not in last]
    surface = tuned.compared
    measured = surface.difference(surface.over(rest, "map_cosine"), surface.over(last, "map_cosine"))
    yield PaperItem(
        "Figure 5",
        what,
        reported,
        corrected=measured,
        chance=0.0,
        below=task == "QQP",
        causes=(*evidence.another_model, *_small(tuned)),
        unit="share",
    )


def _scores(evidence: PaperEvidence, task: str) -> Iterator[PaperItem]:
    metric, from_random, from_pretrained = TABLE_1[task]
    for title, reported, tuned in (
        ("fine-tuned", from_pretrained, evidence.tuned.get(task)),
        ("fine-tuned from random weights", from_random, evidence.tuned.get(f"{task} from random weights")),
    ):
        what = f"{task}, {title}: {metric}"
        said = Reported(f"{reported:g}", reported, 0.5)
        if tuned is None or metric not in tuned.scores:
            missing = NO_TASK if evidence.tuned.get(task) is None else "left out: --budget full trains it"
            yield PaperItem("Table 1", what, said, missing=missing, unit="percent")
            continue
        score = tuned.scores[metric]
        value, low, high = (100 * float(score[key]) for key in ("value", "low", "high"))
        majority = score.get("majority")
        yield PaperItem(
            "Table 1",
            what,
            said,
            corrected=Measured(value, low, high),
            chance=None if majority is None else 100 * float(majority),
            causes=(*evidence.another_model, *_small(tuned)),
            unit="percent",
        )


def _small(tuned: FineTuned) -> tuple[str, ...]:
    return () if tuned.whole else (f"a small training run of {tuned.examples:,} examples",)


def _features(evidence: PaperEvidence) -> Iterator[PaperItem]:
    name = evidence.chapter("features")
    if name is None:
        return
    surface = SurfaceOf(evidence.atlas, name, evidence.kind)
    early, late = at_depth(1, 4, surface.layers), at_depth(9, 12, surface.layers)
    for group, what, most, least in (
        (
            "[CLS]",
            "vertical stripes of early layers are [CLS]: attention to it there, less that late",
            early,
            late,
        ),
        (
            "[SEP]",
            "vertical stripes of late layers are [SEP]: attention to it there, less that early",
            late,
            early,
        ),
    ):
        if not surface.has("feature_weight", group):
            continue
        measured = surface.difference(
            surface.over(most, "feature_weight", group), surface.over(least, "feature_weight", group)
        )
        yield PaperItem(
            "Figure 6",
            what,
            Reported("more", None),
            corrected=measured,
            chance=0.0,
            causes=evidence.another_model,
            unit="share",
        )
    for group in surface.atlas.groups("link_weight", chapter=name):
        gain = surface.best("link_weight_over_matched", group)
        yield PaperItem(
            "Figure 7",
            f"heads for {group} are diagonal heads: the best one's weight, less that at the same distance",
            Reported("nothing beyond the diagonal", None),
            corrected=gain,
            chance=0.0,
            below=True,
            causes=evidence.another_model,
            unit="share",
        )
    last = [surface.layers - 1]
    others = [g for g in surface.atlas.groups("cls_weight", chapter=name) if g not in ("[SEP]", "[CLS]")]
    if surface.has("cls_weight", "[SEP]") and others:
        strongest = max((surface.over(last, "cls_weight", g) for g in others), key=lambda m: m.value)
        yield PaperItem(
            "Figure 7",
            "[CLS] of the last layer looks most at [SEP]: its weight, less the largest of the features",
            Reported("so in four of seven tasks", None),
            corrected=surface.difference(surface.over(last, "cls_weight", "[SEP]"), strongest),
            chance=0.0,
            causes=evidence.another_model,
            unit="share",
        )


def _disabling(evidence: PaperEvidence, task: str) -> Iterator[PaperItem]:
    reported = {"MRPC": (1.2, "+1.2, the most of all tasks"), "STS-B": (0.1, "+0.1, the least of all tasks")}
    value, words = reported.get(task, (None, "+0.1 to +1.2"))
    what = f"{task}: disabling some head helps: points that the score gains without it, at best"
    tuned = evidence.tuned.get(task)
    if tuned is None or tuned.disabled is None:
        yield PaperItem("Figure 8", what, Reported(words, value, 0.05), missing=NO_TASK)
        return
    best = tuned.disabled.loc[tuned.disabled["change"].idxmax()]
    low, high = (100 * float(best[key]) for key in ("low", "high"))
    yield PaperItem(
        "Figure 8",
        f"{what} (p = {float(best['p']):.2g} for {len(tuned.disabled)} heads)",
        Reported(words, value, 0.05),
        corrected=Measured(100 * float(best["change"]), low, high, f"{best['layer']}.{best['head']}"),
        chance=0.0,
        causes=(*evidence.another_model, *_small(tuned)),
    )


def _are_frames_used(evidence: PaperEvidence) -> Iterator[PaperItem]:
    """Do the heads that carry frames matter more than others when they are disabled?"""
    what = "heads that carry frames are not needed: loss without the two strongest, less the mean over heads"
    reported = Reported("disabling either hurts no task", None)
    frames = evidence.table("weights", "frames")
    disabled = evidence.table("disabled", "disable")
    if frames is None or disabled is None:
        missing = NO_FRAMES if frames is None else "nothing was disabled"
        yield PaperItem("section 4.2", what, reported, missing=missing, unit="nats")
        return
    two = _strongest(frames).head(2)
    chosen = disabled.merge(two[["kind", "layer", "head"]], on=["kind", "layer", "head"])
    if not (disabled["score"] == "loss").all() or len(chosen) < 2:
        return
    gain = float(chosen["change"].mean() - disabled["change"].mean())
    error = Z * float(chosen["stderr"].mean() + disabled["stderr"].mean())
    where = ", ".join(f"{row.layer}.{row.head}" for row in two.itertuples())
    yield PaperItem(
        "section 4.2",
        what,
        reported,
        corrected=Measured(gain, gain - error, gain + error, where),
        chance=0.0,
        below=True,
        causes=evidence.another_model,
        unit="nats",
    )
