"""A chapter of an atlas as the verb that made it printed it: its sentences, tables and notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import pandas as pd
from rich.console import Console

from attlas.atlas import Atlas
from attlas.atlas.chapter import Chapter, chapter_in
from attlas.atlas.describe import records
from attlas.atlas.printing import ResultTable, notes_html, print_notes, safe
from attlas.atlas.words import number
from attlas.studies.comparing.comparison import Comparison
from attlas.studies.disabling.disable_result import DisableResult
from attlas.studies.patching.patch_result import PatchResult
from attlas.studies.patterns.pattern_result import PatternResult
from attlas.studies.probe_result import ProbeResult
from attlas.studies.pruning.prune_result import PruneResult

MOST = 40  # rows of a table whose study is not known


class Result(Protocol):
    """What a verb gives back."""

    def show(self, console: Console) -> None: ...

    def as_data(self) -> dict[str, Any]: ...

    def _repr_html_(self) -> str: ...


@dataclass(frozen=True, repr=False)
class ChapterResult:
    """One chapter. `made` is what its verb gave back, or None for a map, whose summary is that of the atlas;
    `heads` has one row per head where the chapter has surface statistics."""

    atlas: Atlas
    chapter: str
    made: Result | None
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


@dataclass(frozen=True, repr=False)
class PlainTables:
    """The tables of a study that this Attlas does not know, as they are."""

    chapter: Chapter

    def _shown(self) -> Iterator[tuple[str, ResultTable]]:
        for name, table in self.chapter.tables.items():
            cells = [[_cell(value) for value in row] for row in table.head(MOST).itertuples(index=False)]
            words = {str(c) for c in table.columns if not pd.api.types.is_numeric_dtype(table[c])}
            yield name, ResultTable([str(column) for column in table.columns], cells, words)

    def as_data(self) -> dict[str, Any]:
        return {"tables": {name: records(table) for name, table in self.chapter.tables.items()}}

    def show(self, console: Console) -> None:
        for name, table in self._shown():
            console.print(f"[bold]{safe(name)}[/bold]")
            table.show(console)
        print_notes(console, self.chapter.about["notes"])

    def _repr_html_(self) -> str:
        return "".join(table.html() for _, table in self._shown()) + notes_html(self.chapter.about["notes"])


def _cell(value: Any) -> str:
    return number(value) if isinstance(value, float) else str(value)


def chapter_result(atlas: Atlas, name: str) -> ChapterResult:
    """A chapter by its name; an error that says which there are, if there is none such."""
    chapter = chapter_in(atlas, name)
    notes = chapter.about.get("notes")
    about = {**chapter.about, "notes": [str(note) for note in notes] if isinstance(notes, list) else []}
    return ChapterResult(atlas, name, _made(atlas, replace(chapter, about=about)), atlas.overview(name))


_ONE_EDIT = ("kind", "layer", "score", "plain", "disabled", "change", "low", "high", "p", "n")
_OF_A_LAYER = ("map_cosine", "map_distance", "gradient", "query_key_gradient", "weights_moved")
_PATCHED = ("kind", "effect", "low", "high", "p")
#: table -> the columns that its verb prints
_PRINTED: Mapping[str, tuple[str, ...]] = {
    "disabled": ("head", *_ONE_EDIT),
    "disabled_together": ("what", *_ONE_EDIT),
    "pruned": ("order", "score", "kept", "value"),
    "order": ("kind", "layer", "head"),
    "layers": ("kind", "layer", *_OF_A_LAYER),
    "changes": ("kind", "layer", "head", "statistic", "group", "first", "second", "change", "low", "p"),
    "flows": ("naming", "first", "second", "heads"),
    "best": ("group", "links", "direction", "statistic", "baseline", "baseline_accuracy"),
    "weights": ("statistic", "group", "weight", "matched", "gain", "p", "n"),
    "trees": ("title", "paper_uas", "uas", "spread", "low", "gain", "greedy", "uuas", "control", "las"),
    "patterns": ("pattern", "score"),
    "patched": (*_PATCHED, "attributed", "layer", "head", "what", "into"),
    "paths": (*_PATCHED, "layer", "head", "to"),
    "attribution": ("what", "into", "correlation"),
    "runs": ("text", "value", "n"),
    "shares": ("kind", "shape", "share", "low", "high"),
}


def _made(atlas: Atlas, chapter: Chapter) -> Result | None:
    """By what the chapter holds. None for a map, which has no table."""
    has = {
        name
        for name, table in chapter.tables.items()
        if name in _PRINTED and {*_PRINTED[name]} <= {*table.columns}
    }
    if has & {"disabled", "disabled_together"}:
        return DisableResult(chapter)
    if {"pruned", "order"} <= has:
        return PruneResult(chapter)
    if {"layers", "changes", "flows"} <= has and _says_what_was_compared(chapter):
        return Comparison(str(atlas.model["name"]), (chapter,))
    if {"patched", "paths", "attribution", "runs"} <= has:
        return PatchResult(chapter)
    if has & {"best", "weights", "trees"}:
        return ProbeResult(chapter)
    if has & {"patterns", "shares"}:
        return PatternResult((chapter,))
    return PlainTables(chapter) if chapter.tables else None


def _says_what_was_compared(chapter: Chapter) -> bool:
    other, corpus = chapter.about.get("other"), chapter.about.get("corpus")
    return isinstance(other, dict) and isinstance(corpus, dict) and "name" in other and "items" in corpus
