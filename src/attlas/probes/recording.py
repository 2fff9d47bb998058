"""Writing what a probe found into an atlas: its rows beside those that are there, and where they came
from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attlas.atlas import Atlas, add_chapter, load_atlas
from attlas.atlas.chapter import Chapter
from attlas.atlas.model import model_entry
from attlas.atlas.schema import chapter_name
from attlas.corpora.reading import AnnotatedCorpus
from attlas.errors import AttlasError
from attlas.probes.found import Probed
from attlas.subject import Subject


def atlas_of(path: Path, subject: Subject) -> Atlas:
    """The atlas at `path`, if it is one of this model."""
    atlas = load_atlas(path)
    if atlas.manifest["model"].get("weights") != subject.weight_hash():
        raise AttlasError(f"{path} is an atlas of another model, {atlas.manifest['model'].get('name')}")
    return atlas


def write_into_atlas(
    probed: Probed, path: Path, subject: Subject, corpus: AnnotatedCorpus, settings: dict[str, Any]
) -> Atlas:
    """Adds a chapter to an atlas of the same model, in place of what the same probe over the same corpus left
    there; makes the atlas if there is none."""
    about = {
        "study": probed.probe,
        "corpus": {"name": corpus.name, "sha256": corpus.sha256()},
        "settings": settings,
        "notes": list(probed.notes),
    }
    name = chapter_name(probed.probe, Path(corpus.name).stem, bool(settings.get("faithful", False)))
    table = "weights" if "weight" in probed.table else "best"
    chapter = Chapter(name, about, probed.rows, {table: probed.table})
    return add_chapter(path, model_entry(subject), chapter, replace=True)
