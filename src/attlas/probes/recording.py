"""Writing what a probe found into an atlas: its rows beside those that are there, and where they came
from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from attlas.atlas import COLUMNS, EXAMPLE_COLUMNS, Atlas, load_atlas, save_atlas
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
    """Adds the rows to an atlas of the same model, in place of what the same probe left there; makes the
    atlas if there is none."""
    own = pd.DataFrame(list(probed.rows), columns=list(COLUMNS))
    own = own.astype({"layer": "int32", "head": "int32", "n": "int64"})
    source = {
        "corpus": corpus.name,
        "sha256": corpus.sha256(),
        "settings": settings,
        "notes": list(probed.notes),
    }
    if path.exists():
        atlas = atlas_of(path, subject)
        kept = atlas.heads[~atlas.heads["statistic"].isin(set(own["statistic"]))]
        probes = {**atlas.manifest.get("probes", {}), probed.probe: source}
        atlas = Atlas(
            {**atlas.manifest, "probes": probes},
            pd.concat([kept, own], ignore_index=True),
            atlas.arrays,
            atlas.examples,
        )
        return save_atlas(atlas, path, overwrite=True)
    model = {
        "name": subject.name,
        "class": type(subject.model).__name__,
        "weights": subject.weight_hash(),
        "heads": {k: sum(h.kind == k for h in subject.heads) for k in subject.kinds},
    }
    examples = pd.DataFrame(columns=list(EXAMPLE_COLUMNS))
    return save_atlas(Atlas({"model": model, "probes": {probed.probe: source}}, own, {}, examples), path)
