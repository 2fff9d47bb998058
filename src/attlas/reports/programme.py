"""Which studies a report runs, how large, about how long they take, and what an atlas lacks.

Sizes follow from the model and the budget alone, never from how fast the machine is: a report that was
stopped goes on with the same settings. How long a step takes is reckoned from one forward pass here.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from attlas.atlas import Atlas
from attlas.reports.glossary import command

Budget = Literal["quick", "full"]
LENGTH = 128  # tokens of a segment, if the model takes as many
SHORT = 64  # of one that heads are disabled on, where the model is large
LARGE = 30e6  # parameters
TREEBANK_TOKENS = 27_000  # of the embedded sample, with special tokens
FEW_WINDOWS, FEW_TOKENS = 346, 8_000  # of the sample, those that a quick report of a large model reads

#: study -> what it tells, and the command that adds it; those that a report runs come first
KNOWN: Mapping[str, tuple[str, str]] = {
    "surface": ("where heads look, and how broadly", "map"),
    "patterns": ("what heads attend to, and what their maps look like", "patterns"),
    "dependencies": ("which relations of grammar each head tracks", "dependencies"),
    "disable": ("what the model loses without each head", "disable"),
    "coreference": ("which heads link a mention to its antecedent", "coreference"),
    "features": ("which heads look at nouns, verbs, subjects, negation", "features"),
    "frames": ("which heads link a frame's elements to its target", "frames"),
    "trees": ("how much of a parse tree attention holds", "tree"),
    "compare": ("what became of each head in another model", "compare"),
}


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
    def what(self) -> str:
        return KNOWN[self.study][0]

    def command(self, model: str, atlas: str) -> str:
        """attlas map mini --atlas mini.attlas --segments 300 --sample 75"""
        return " ".join([command(KNOWN[self.study][1], model, atlas), *_flags(self.options)])


def steps(size: Size, budget: Budget) -> list[Step]:
    """What a report of such a model runs, in order."""
    length = min(LENGTH, size.longest or LENGTH)
    quick = budget == "quick"
    once = max(0.03, 7.5e-9 * size.parameters)  # seconds of a segment on one core, about
    comparing = 5 + 1.6e-5 * size.heads**2 / once  # passes that a sampled segment is worth
    segments = _within(30 / once, 60, 1000) if quick else 1000
    sample = _within(40 / (comparing * once), 16, 200) if quick else 200
    texts = _within(12 / once, 24, 200) if quick else 200
    short = min(SHORT, length) if quick and size.parameters > LARGE else length
    disabling = 0.5 * size.heads * short / length  # what comes before an edit is computed once
    disabled = _within(70 / (disabling * once), 4, 100) if quick else 100
    repeated, hidden = (min(64, texts), min(16, texts // 4)) if quick else (64, 16)
    few = quick and size.parameters > LARGE
    treebank, read = (FEW_TOKENS, {"windows": FEW_WINDOWS}) if few else (TREEBANK_TOKENS, {})
    needles: dict[str, Any] = {"needles": [length]} if quick and size.causal else {}
    named = {"segments": texts, "length": length, "repeated": repeated, "hidden": hidden, **needles}
    return [
        Step(
            "surface",
            segments + comparing * sample,
            {"segments": segments, "length": length, "sample": sample},
        ),
        Step("patterns", 3 * texts + repeated + 8 * hidden, named),
        Step("dependencies", 3 * treebank / length, read),
        Step("disable", disabling * disabled, {"segments": disabled, "length": short}),
    ]


def _within(wanted: float, least: int, most: int) -> int:
    """Two digits are enough."""
    return int(float(f"{min(max(wanted, least), most):.2g}"))


def missing_from(atlas: Atlas, model: str, folder: str) -> Iterator[tuple[str, str, str]]:
    """What was not measured: what it would tell, why not (where a note says so), and the command."""
    if atlas.model.get("class") == "RecordedModel":
        return  # attention without its model: nothing more can be asked of it
    there = {str(atlas.about(chapter).get("study")) for chapter in atlas.chapters}
    for study, (what, name) in KNOWN.items():
        if study not in there:
            why = _no_objective(atlas) if study == "disable" else ""
            yield what, why, command(name, model, folder)


def _no_objective(atlas: Atlas) -> str:
    """Why no loss could be taken, as a note of the surface chapter says it."""
    notes = (str(note) for chapter in atlas.chapters for note in atlas.about(chapter).get("notes") or ())
    return next(
        (note.removeprefix("no gradients: ") for note in notes if note.startswith("no gradients: ")), ""
    )


def chapter_command(about: Mapping[str, Any], model: str, atlas: str) -> str:
    """The command that makes a chapter again, from what the chapter says of itself."""
    study = {"shapes": "patterns"}.get(str(about.get("study")), str(about.get("study")))
    if study not in KNOWN:
        return f"attlas {study} {model} --atlas {atlas}"
    source, settings = about.get("source") or {}, about.get("settings") or {}
    corpus = about.get("corpus")
    name = str(corpus.get("name", "")) if isinstance(corpus, dict) else ""
    options: dict[str, Any] = {}
    if study in ("surface", "patterns", "disable", "compare") and source.get("items") == "segments":
        options = {"segments": source.get("limit") or "all", "length": source.get("length")}
        if name != "wikipedia":
            options = {"text": name, **options}
    kept = {
        "surface": ("sample", "offsets"),
        "patterns": ("repeated", "hidden", "maps", "needles"),
        "dependencies": ("min_count",),
        "disable": ("edit",),
    }
    if study == "dependencies" and source.get("limit"):
        options["windows"] = source["limit"]
    options |= {key: settings[key] for key in kept.get(study, ()) if settings.get(key)}
    if about.get("seed"):
        options["seed"] = about["seed"]
    line = command(KNOWN[study][1], model, atlas)
    if study == "dependencies" and name and not name.startswith("en_ewt-sample"):
        line = line.replace(f" {model} ", f" {model} {shlex.quote(name)} ", 1)
    faithful = ["--faithful"] if about.get("faithful") else []
    return " ".join([line.replace("OTHER", _other(about)), *_flags(options), *faithful])


def _other(about: Mapping[str, Any]) -> str:
    other = about.get("other")
    return shlex.quote(str(other.get("name"))) if isinstance(other, dict) else "OTHER"


def _flags(options: Mapping[str, Any]) -> Iterator[str]:
    for name, setting in options.items():
        for value in setting if isinstance(setting, list | tuple) else [setting]:
            yield f"--{name.replace('_', '-')} {shlex.quote(str(value))}"
