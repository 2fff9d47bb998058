"""Reading atlases of schema 1: one corpus, the probes' rows beside it, examples as strings.

What it says becomes chapters: one for the text, and one for each probe.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from attlas.atlas.atlas import Atlas
from attlas.atlas.parquet import read_frame
from attlas.atlas.schema import ARRAYS, EXAMPLE_TYPES, EXAMPLES, HEAD_TYPES, HEADS, chapter_name

#: the statistics of each probe of the time
PROBES = {
    "dependencies": ("dependent_to_head", "head_to_dependent"),
    "coreference": (
        "mention_to_antecedent",
        "antecedent_to_mention",
        "pronoun_to_name",
        "name_to_pronoun",
    ),
    "frames": tuple(f"frame_weight{end}" for end in ("", "_matched", "_over_matched")),
    "features": tuple(
        f"{name}_weight{end}"
        for name in ("feature", "cls", "link")
        for end in ("", "_matched", "_over_matched")
    ),
}
_HEAD_TYPES = {name: kind for name, kind in HEAD_TYPES.items() if name != "chapter"}
_EXAMPLE_TYPES = {
    "kind": "str",
    "layer": "int64",
    "head": "int64",
    "rank": "int64",
    "weight": "float64",
    "segment": "int64",
    "query": "int64",
    "key": "int64",
    "query_token": "str",
    "key_token": "str",
    "context": "str",
}


def chapters(manifest: dict[str, Any]) -> list[str]:
    """The names that the chapters of such an atlas get."""
    return list(_abouts(manifest))


def read(path: Path, manifest: dict[str, Any], content: dict[str, bytes]) -> Atlas:
    from safetensors.numpy import load

    abouts = _abouts(manifest)
    heads = read_frame(content[HEADS], _HEAD_TYPES)
    text = next(iter(abouts)) if "corpus" in manifest else ""
    heads.insert(0, "chapter", heads["statistic"].map(_chapter_of(abouts, text)).fillna(text).astype(str))
    if text == "" and (heads["chapter"] == "").any():  # rows whose probe the manifest does not name
        text = "surface-unknown"
        abouts[text] = {"study": "surface"}
        heads.loc[heads["chapter"] == "", "chapter"] = text
    examples, tokens = _examples(content[EXAMPLES], text)
    for kind, strings in manifest.get("maps", {}).items():
        tokens |= {f"{text}/{kind}.maps.{side}": list(strings[side]) for side in ("queries", "keys")}
    arrays = {f"{text}/{name}": array for name, array in load(content[ARRAYS]).items()}
    counted = {str(k): g.drop_duplicates() for k, g in heads.groupby("kind")[["layer", "head"]]}
    model = {
        "heads": {kind: len(own) for kind, own in counted.items()},
        "name": "unknown",
        **manifest["model"],
    }
    new = {"schema": 1, "model": model, "chapters": abouts, "files": manifest["files"]}
    return Atlas(new, heads, arrays, examples, {}, tokens, path)


def _abouts(manifest: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    if "corpus" in manifest:
        faithful = bool(manifest.get("settings", {}).get("faithful", False))
        about = {
            k: v for k, v in manifest.items() if k not in ("schema", "model", "files", "checksum", "probes")
        }
        name = chapter_name("surface", Path(str(manifest["corpus"].get("name", "text"))).stem, faithful)
        found[name] = {"study": "surface", **{k: v for k, v in about.items() if k != "maps"}}
    for probe, about in manifest.get("probes", {}).items():
        corpus = str(about.get("corpus", ""))
        name = chapter_name(probe, Path(corpus).stem, bool(about.get("settings", {}).get("faithful", False)))
        kept = {k: v for k, v in about.items() if k not in ("corpus", "sha256")}
        found[name] = {"study": probe, "corpus": {"name": corpus, "sha256": about.get("sha256")}, **kept}
    return found


def _chapter_of(abouts: dict[str, dict[str, Any]], text: str) -> dict[str, str]:
    """statistic -> the chapter of the probe that made it."""
    by_study = {about["study"]: name for name, about in abouts.items() if name != text}
    return {s: by_study[p] for p, statistics in PROBES.items() if p in by_study for s in statistics}


def _examples(content: bytes, chapter: str) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """The two tokens of each example are all that is known exactly: they make up its list of tokens."""
    old = read_frame(content, _EXAMPLE_TYPES)
    rows, tokens = [], {}
    for number, row in enumerate(old.to_dict("records")):
        name, across = f"example-{number}", row["kind"] == "cross"
        where = [chapter, row["kind"], row["layer"], row["head"], row["rank"], row["weight"], name]
        if across:
            tokens[f"{chapter}/{name}"] = [row["query_token"]]
            tokens[f"{chapter}/{name}-keys"] = [row["key_token"]]
            rows.append((*where, 0, 0, f"{name}-keys"))
            continue
        places = {row["query"]: row["query_token"], row["key"]: row["key_token"]}
        shown = [places[place] for place in sorted(places)]
        if max(places) - min(places) > 1:
            shown.insert(1, "…")
        tokens[f"{chapter}/{name}"] = shown
        first = row["query"] <= row["key"]
        last = len(shown) - 1
        rows.append((*where, 0 if first else last, last if first else 0, ""))
    return pd.DataFrame(rows, columns=list(EXAMPLE_TYPES)).astype(EXAMPLE_TYPES), tokens
