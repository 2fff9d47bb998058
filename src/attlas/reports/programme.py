"""Which studies a report runs, how large, about how long they take, and what an atlas lacks.

Sizes follow from the model and the budget alone, never from how fast the machine is: a report that was
stopped goes on with the same settings. How long a step takes is reckoned from one forward pass here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from attlas.atlas import Atlas
from attlas.atlas.catalogue import CATALOGUE, Again, declaration_of
from attlas.choices import ReportBudget

LENGTH = 128  # tokens of a segment, if the model takes as many
SHORT = 64  # of one that heads are disabled on, where the model is large
LARGE = 30e6  # parameters
GLANCE = 0.2  # of the work of a quick report
TREEBANK_TOKENS = 27_000  # of the embedded sample, with special tokens
FEW_WINDOWS, FEW_TOKENS = 346, 8_000  # of the sample, those that a quick report of a large model reads


@dataclass(frozen=True)
class Size:
    """What decides how large the studies of a model are."""

    parameters: int  # without embeddings
    heads: int
    longest: int | None  # tokens that the model takes
    causal: bool


@dataclass(frozen=True)
class Step:
    """One command of a report: the study that it adds, what that tells, its options, and how many forward
    passes of a segment it is worth."""

    study: str
    passes: float
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tells(self) -> str:
        return CATALOGUE[self.study].tells

    def command(self, model: str, atlas: str) -> str:
        """attlas map mini --atlas mini.attlas --segments 300 --sample 75"""
        return CATALOGUE[self.study].command_for(model, atlas, Again(options=self.options))


def steps(size: Size, budget: ReportBudget) -> list[Step]:
    """What a report of such a model runs, in order."""
    length = min(LENGTH, size.longest or LENGTH)
    limited, glance = budget != "full", budget == "glance"
    part = GLANCE if glance else 1.0
    once = max(0.03, 7.5e-9 * size.parameters) / part  # seconds of a segment on one core, about
    large = limited and size.parameters > LARGE
    comparing = 5 + 1.6e-5 * size.heads**2 / once  # passes that a sampled segment is worth
    segments = _within(30 / once, 16 if glance else 60, 1000) if limited else 1000
    sample = _within(40 / (comparing * once), 8 if glance else 16, 200) if limited else 200
    texts = _within(12 / once, 8 if glance else 24, 200) if limited else 200
    short = min(SHORT, length) if large else length
    confirm = min(size.heads, (8 if glance else 16) if limited else 32)
    # a third is estimated by 4 passes; on the others, what comes before a head that is disabled is shared
    disabling = (4 / 3 + 2 / 3 * (1 + 0.5 * confirm)) * short / length
    disabled = _within(35 / (disabling * once), 24 if glance else 48, 200) if limited else 300
    repeated, hidden = (min(64, texts), min(16, texts // 4)) if limited else (64, 16)
    treebank, read = TREEBANK_TOKENS, {}
    if glance or large:
        windows = round(FEW_WINDOWS * (part if glance and large else 1))
        treebank, read = round(FEW_TOKENS * windows / FEW_WINDOWS), {"windows": windows}
    needles: dict[str, Any] = {"needles": [length]} if limited and size.causal else {}
    tasks: dict[str, Any] = {"tasks": texts // 2} if glance and size.causal else {}
    twin: dict[str, Any] = {"twin": False} if glance else {}
    named = {"segments": texts, "length": length, "repeated": repeated, "hidden": hidden, **needles, **tasks}
    return [
        Step(
            "surface",
            segments + comparing * sample,
            {"segments": segments, "length": length, "sample": sample, **twin},
        ),
        Step("patterns", 3 * texts + repeated + 8 * hidden, {**named, **twin}),
        Step("dependencies", 3 * treebank / length, read),
        Step(
            "disable",
            disabling * disabled,
            {"segments": disabled, "length": short, "confirm": confirm},
        ),
    ]


def _within(wanted: float, least: int, most: int) -> int:
    """Two digits are enough."""
    return int(float(f"{min(max(wanted, least), most):.2g}"))


def missing_from(atlas: Atlas, model: str, folder: str) -> Iterator[tuple[str, str, str]]:
    """What was not measured: what it would tell, why not (where a note says so), and the command."""
    if atlas.model.get("class") == "RecordedModel":
        return  # attention without its model: nothing more can be asked of it
    there = {str(atlas.about(chapter).get("study")) for chapter in atlas.chapters}
    for declared in CATALOGUE.values():
        if declared.offered and declared.name not in there:
            why = _no_objective(atlas) if declared.needs_loss else ""
            yield declared.tells, why, declared.command_for(model, folder)


def _no_objective(atlas: Atlas) -> str:
    """Why no loss could be taken, as a note of the surface chapter says it."""
    notes = (str(note) for chapter in atlas.chapters for note in atlas.about(chapter).get("notes") or ())
    return next(
        (note.removeprefix("no gradients: ") for note in notes if note.startswith("no gradients: ")), ""
    )


def command_again(atlas: Atlas, chapter: str, model: str, folder: str) -> str:
    """The command that makes a chapter again, from what the chapter says of itself; empty where this Attlas
    does not know its study."""
    about = atlas.about(chapter)
    declared = declaration_of(about)
    if declared is None:
        return ""
    return declared.command_for(model, folder, declared.again({**about, "model": atlas.model}))
