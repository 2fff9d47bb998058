"""The patterns of two models, as their atlases name them: what `attlas patterns` found, read and not found
again, since scores of patterns take longer than a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attlas.address import Head
from attlas.atlas import Atlas, load_atlas
from attlas.errors import AttlasError, call, option, printable
from attlas.subject import Subject
from attlas.wording.names import NONE


@dataclass(frozen=True)
class NamedPatterns:
    """What an atlas calls the heads of a model, and the chapter and text that say so."""

    atlas: str
    chapter: str
    corpus: Mapping[str, Any]
    names: Mapping[Head, str]

    def describe(self) -> dict[str, Any]:
        return {"atlas": self.atlas, "chapter": self.chapter, "corpus": dict(self.corpus)}


def check_count(paths: Sequence[Any], models: int) -> None:
    if paths and len(paths) != models:
        raise AttlasError(
            f"{option('atlases')} wants an atlas for each of the {models} models, in their "
            f"order: {len(paths)} given"
        )


def named_in(path_or_atlas: str | Path | Atlas, subject: Subject) -> NamedPatterns:
    """The patterns that an atlas of this model names."""
    atlas = path_or_atlas if isinstance(path_or_atlas, Atlas) else load_atlas(path_or_atlas)
    where = printable(str(atlas.path or "the atlas"))
    if atlas.model.get("weights") != subject.weight_hash():
        name = printable(str(atlas.model.get("name", "another model")))
        raise AttlasError(
            f"{option('atlases')}: {where} is an atlas of {name}, whose weights are not {subject.name}'s"
        )
    rows = atlas.heads[atlas.heads["statistic"] == "pattern"]
    chapter = next((c for c in atlas.chapters if c in set(rows["chapter"])), None)
    if chapter is None:
        adding = call("patterns", "MODEL", option("atlas", where))
        raise AttlasError(f"{option('atlases')}: {where} names no patterns: {adding} adds them to it")
    names = atlas.names("pattern", chapter=chapter)
    return NamedPatterns(
        Path(where).name,
        chapter,
        atlas.about(chapter).get("corpus", {}),
        {head: names.get(head, NONE) for head in subject.heads},
    )
