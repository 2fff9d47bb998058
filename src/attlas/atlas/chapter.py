"""A chapter: what one study leaves in an atlas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt
import pandas as pd

from attlas.address import Head
from attlas.atlas.atlas import Atlas
from attlas.atlas.schema import STRONGEST
from attlas.row import Row
from attlas.wording.printing import notes_html

MOST = 40  # rows of a table in a notebook


@dataclass(frozen=True)
class Example:
    """A head's weight from one token to another: places in the chapter's token list of that name."""

    head: Head
    weight: float
    tokens: str  # which list of tokens
    query: int
    key: int
    key_tokens: str = ""  # the keys' list, where it is another (cross attention)
    sample: str = STRONGEST  # one of `schema.SAMPLES`


@dataclass(frozen=True, repr=False)
class Chapter:
    """`rows` has one value of one head each; `tables` what the study concluded (the relation that a head
    tracks, with its baseline, interval and p); `arrays` what is not a scalar per head; `examples` where each
    head attends most strongly, strongest first within a head, as places in `tokens`.

    `about` is the provenance, as JSON takes it: study, corpus (name, hash), settings, seed, faithful,
    software, counts (what was read, skipped and cut), notes (sentences for people), time.
    """

    name: str  # unique within an atlas: study, corpus, and `faithful` where it is: surface-wikipedia-faithful
    about: dict[str, Any]
    rows: Sequence[Row] = ()
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    arrays: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    examples: Sequence[Example] = ()
    tokens: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __repr__(self) -> str:
        tables = f", tables {', '.join(self.tables)}" if self.tables else ""
        return f"Chapter({self.name}: {len(self.rows):,} values of heads{tables})"

    def _repr_html_(self) -> str:
        notes = self.about.get("notes")
        said = notes_html([repr(self), *map(str, notes if isinstance(notes, list) else ())])
        return said + "".join(table.head(MOST).to_html(index=False) for table in self.tables.values())


def chapter_in(atlas: Atlas, name: str) -> Chapter:
    """One chapter of an atlas, as the study that made it left it."""
    of_it = f"{name}/"

    def part_of(kept: Mapping[str, Any]) -> dict[str, Any]:
        return {key.removeprefix(of_it): value for key, value in kept.items() if key.startswith(of_it)}

    heads = atlas.heads[atlas.heads["chapter"] == name].drop(columns="chapter")
    examples = atlas.examples[atlas.examples["chapter"] == name].sort_values(
        ["kind", "layer", "head", "rank"], kind="stable"
    )
    return Chapter(
        name,
        atlas.about(name),
        [Row(*row) for row in heads.itertuples(index=False)],
        part_of(atlas.tables),
        part_of(atlas.arrays),
        [
            Example(Head(e.kind, e.layer, e.head), e.weight, e.tokens, e.query, e.key, e.key_tokens, e.sample)  # type: ignore[arg-type]
            for e in examples.itertuples(index=False)
        ],
        part_of(atlas.tokens),
    )
