"""The name and the provenance of a study's chapter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attlas.corpora.source import Source
from attlas.studies.study import Merged


def chapter_name(study: str, source: Source, faithful: bool = False) -> str:
    """study-corpus, and `-faithful` where it is: so that two corpora, or two ways, stand side by side."""
    corpus = Path(corpus_name(source)).name
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", corpus.split(".")[0]).strip("_")[:60] or "corpus"
    return "-".join([study, plain, *(["faithful"] if faithful else [])])


def corpus_name(source: Source) -> str:
    return str(source.describe()["corpus"]["name"])


def described(study: str, source: Source, settings: Mapping[str, Any]) -> dict[str, Any]:
    """All that decides the numbers of a study, as JSON takes it."""
    about = source.describe()
    return {"study": study, "corpus": about.pop("corpus"), "source": about, "settings": dict(settings)}


def about(identity: Mapping[str, Any], read: Merged, notes: list[str]) -> dict[str, Any]:
    """The provenance of a chapter: `identity`, as `described` gives it, and what was read. Who carries out
    the study adds the software and the time."""
    settings = identity["settings"]
    return {
        **identity,
        "seed": settings.get("seed"),
        "faithful": settings["faithful"],
        "counts": dict(read.counts),
        "problems": list(read.problems),
        "notes": notes,
    }
