"""One model of a site: its atlas as the report has it, and what the pages ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from attlas.address import Head
from attlas.atlas import Atlas
from attlas.atlas.passages import Passage, passages
from attlas.choices import ThemeName
from attlas.reports.assembling import PackedReport, assemble
from attlas.reports.page_contract import NameChoice, Names, Report, Sentence
from attlas.reports.sentences import sentence_text
from attlas.views.palette import BARE
from attlas.wording.names import NONE
from attlas.wording.numbers import count, model_title

BANDS = 5  # of relative depth
GROUND: dict[ThemeName, str] = {"light": "#ffffff", "dark": "#14171c"}


@dataclass(frozen=True, eq=False)
class PublishedModel:
    """`slug` is its folder in the site, and its part of every address."""

    slug: str
    title: str
    atlas: Atlas
    packed: PackedReport

    @property
    def report(self) -> Report:
        return self.packed.report

    @property
    def addresses(self) -> list[str]:
        return self.report["heads"]["address"]

    @cached_property
    def heads(self) -> tuple[Head, ...]:
        return self.atlas.addresses

    def text(self, sentence: Sentence) -> str:
        return sentence_text(sentence, self.addresses)

    def first_sentence(self, place: int) -> str:
        return self.text(self.report["cards"][place]["sentences"][0])

    @cached_property
    def size(self) -> str:
        """144 heads in 12 layers"""
        grids = self.report["model"]["grids"]
        layers = sum(grid["layers"] for grid in grids)
        return f"{count(len(self.addresses), 'head')} in {count(layers, 'layer')}"

    def name_of(self, names: Names, place: int) -> NameChoice | None:
        """The head's name of a kind; None where nothing was asked or nothing fits."""
        choice = names["heads"][place]
        if choice is None or names["choices"][choice]["name"] == NONE:
            return None
        return names["choices"][choice]

    def names_of(self, place: int) -> Iterator[tuple[str, str, str, str, str]]:
        """The head's names: title of the kind, name, meaning, its colour on light pages and on dark ones."""
        for names in self.report["names"]:
            if choice := self.name_of(names, place):
                yield names["title"], choice["title"], choice["meaning"], choice["light"], choice["dark"]

    @cached_property
    def bands(self) -> list[int]:
        """The band of relative depth that each head's layer is in, by its kind."""
        layers = {grid["kind"]: grid["layers"] for grid in self.report["model"]["grids"]}
        heads = self.report["heads"]
        return [
            BANDS * layer // layers[kind] for kind, layer in zip(heads["kind"], heads["layer"], strict=True)
        ]

    def colours(self, theme: ThemeName) -> list[list[str]]:
        """One row per layer, the kinds below each other: each head's colour, as the report first shows it."""
        kinds = {names["kind"]: names for names in self.report["names"]}
        names = kinds.get("pattern") or next(iter(kinds.values()), None)
        heads, rows = self.report["heads"], []
        wide = max(grid["width"] for grid in self.report["model"]["grids"])
        at = {
            (k, la, h): place
            for place, (k, la, h) in enumerate(zip(heads["kind"], heads["layer"], heads["head"], strict=True))
        }
        for grid in self.report["model"]["grids"]:
            for layer in range(grid["layers"]):
                row = []
                for head in range(wide):
                    place = at.get((grid["kind"], layer, head))
                    choice = None if place is None or names is None else self.name_of(names, place)
                    faint = GROUND[theme] if place is None else _faint(theme)
                    row.append(faint if choice is None else choice[theme])
                rows.append(row)
        return rows

    def levels(self, place: int) -> npt.NDArray[np.uint8] | None:
        """The head's typical map, from 0 to 255 for its largest weight, on a scale of square roots."""
        shown = self.report["cards"][place]["map"]
        if shown is None:
            return None
        section = shown["weights"]
        rows, columns = section["shape"]
        flat = np.frombuffer(self.packed.data, np.uint8, rows * columns, section["at"])
        return flat.reshape(rows, columns)

    @cached_property
    def passages(self) -> dict[Head, list[Passage]]:
        by_head = groupby(passages(self.atlas), key=lambda passage: passage.head)
        return {head: list(several) for head, several in by_head}


def _faint(theme: ThemeName) -> str:
    """The colour of a head without a name: the report paints it faintly."""
    bare, ground = BARE[theme], GROUND[theme]
    parts = ((int(bare[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(0.28 * a + 0.72 * b):02x}" for a, b in parts)


def read_model(slug: str, title: str, atlas: Atlas) -> PublishedModel:
    """The model with its report. Its commands name folders without where they lie on this machine."""
    named = {**atlas.model, "name": model_title(str(atlas.model.get("name", "")))}
    path = None if atlas.path is None else Path(atlas.path.name)
    public = replace(atlas, manifest={**atlas.manifest, "model": named}, path=path)
    return PublishedModel(slug, title, public, assemble(public))
