"""The chapters of an atlas that a paper's items are read from: by study, the original's way and ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.atlas.words import model_title
from attlas.papers.surface_items import SurfaceOf

FEW_SEGMENTS = 20  # that no mean over a corpus is read off


@dataclass(frozen=True)
class FineTuned:
    """What became of the model on a task: its scores before and after, the comparison with the model before,
    the shapes of its maps there, what disabling each head and layer does, and what it looks at. `whole` where
    it saw every example of the task."""

    before: Mapping[str, Any]  # metric -> score, with a random answering layer
    scores: Mapping[str, Mapping[str, Any]]  # metric -> value, low, high, majority
    examples: int
    whole: bool
    compared: SurfaceOf | None = None
    shapes: Any = None  # a row a layer and shape: its share before (first) and after (second)
    disabled: Any = None  # a row a head: change, low, high, p
    layers: Any = None  # a row a layer: the same
    atlas: Atlas | None = None  # of the fine-tuned model
    features: SurfaceOf | None = None  # attention to features of words, of the fine-tuned model


@dataclass(frozen=True)
class PaperEvidence:
    """An atlas, and what became of the model on tasks."""

    atlas: Atlas
    tuned: Mapping[str, FineTuned] = field(default_factory=dict)

    @property
    def model(self) -> str:
        return model_title(str(self.atlas.model["name"]))

    @property
    def kind(self) -> Kind:
        """Of the heads that the papers' questions are asked of: those of an encoder, where there is one."""
        return self.atlas.kinds[0]

    @property
    def is_bert_base(self) -> bool:
        """Whether this is the papers' own model."""
        return "bert-base-uncased" in str(self.atlas.model["name"]).lower()

    @property
    def causes(self) -> tuple[str, ...]:
        """The causes that hold for every number: another model, and a text that is next to none."""
        causes: tuple[str, ...] = (
            () if self.is_bert_base else (f"another model: {self.model} is not BERT-base",)
        )
        surface = self.chapter("surface")
        counts = {} if surface is None else self.atlas.about(surface).get("counts") or {}
        if 0 < counts.get("segments", 0) < FEW_SEGMENTS:
            causes += (f"a text of {counts['tokens']:,} tokens: the paper read 1,000 of 128",)
        return causes

    def chapter(self, study: str, faithful: bool = False) -> str | None:
        """The first chapter of a study."""
        for name in self.atlas.chapters:
            about = self.atlas.about(name)
            if about.get("study") == study and bool(about.get("faithful")) == faithful:
                return name
        return None

    def surface(self, faithful: bool = False) -> SurfaceOf | None:
        name = self.chapter("surface", faithful)
        return None if name is None else SurfaceOf(self.atlas, name, self.kind)

    def table(self, name: str, study: str, faithful: bool = False) -> Any:
        """A table of the first chapter of a study; None where there is none."""
        chapter = self.chapter(study, faithful)
        if chapter is None or f"{chapter}/{name}" not in self.atlas.tables:
            return None
        return self.atlas.tables[f"{chapter}/{name}"]
