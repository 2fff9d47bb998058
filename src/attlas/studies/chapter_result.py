"""A chapter of an atlas as the verb that made it printed it: its sentences, tables and notes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from attlas.atlas import Atlas
from attlas.atlas.catalogue.result_tables import records
from attlas.atlas.chapter import chapter_in
from attlas.studies.study_result import StudyResult, result_of


@dataclass(frozen=True, repr=False)
class ChapterResult:
    """One chapter. `made` is what its verb returned, or None for a map, whose summary is that of the atlas;
    `heads` has one row per head where the chapter has surface statistics."""

    atlas: Atlas
    chapter: str
    made: StudyResult | None
    heads: pd.DataFrame

    def as_data(self) -> dict[str, Any]:
        data = {} if self.made is None else self.made.as_data()
        about = {"atlas": str(self.atlas.path), "model": self.atlas.model, "chapter": self.chapter}
        notes = self.atlas.about(self.chapter).get("notes") or []
        return {**data, **about, "heads": data.get("heads", records(self.heads)), "notes": notes}

    def __repr__(self) -> str:
        what = f".made is a {type(self.made).__name__}" if self.made is not None else ".heads is a table"
        return f"ChapterResult({self.chapter}; {what})"

    def _repr_html_(self) -> str:
        if self.made is not None:
            return self.made._repr_html_()
        return self.heads.to_html(index=False, escape=True, border=0)


def chapter_result(atlas: Atlas, name: str) -> ChapterResult:
    """A chapter by its name; an error that says which there are, if there is none such."""
    chapter = chapter_in(atlas, name)
    notes = chapter.about.get("notes")
    about = {**chapter.about, "notes": [str(note) for note in notes] if isinstance(notes, list) else []}
    made = result_of([replace(chapter, about=about)], str(atlas.model["name"]))
    return ChapterResult(atlas, name, made, atlas.overview(name))
