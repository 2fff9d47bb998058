"""From HeadVis's tree to an atlas: its metrics, its sequences as examples, its tables of tokens."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from attlas.address import Head, Kind
from attlas.atlas.atlas import Atlas
from attlas.atlas.chapter import Chapter, Example
from attlas.atlas.disk import of_chapter
from attlas.errors import AttlasError
from attlas.headvis.headvis_format import (
    CONFIG,
    HEAD_FILES,
    INTERVALS,
    METRICS,
    SCATTER,
    HeadFile,
    Tree,
)
from attlas.row import Row

CHAPTER = "headvis"
KIND: Kind = "decoder"  # HeadVis is for causal models


def is_tree(folder: Path) -> bool:
    return all((folder / name).is_file() for name in (CONFIG, SCATTER))


def read_tree(folder: Path) -> Tree:
    """Read the files unchanged. Heads without a file of their own are left out of `heads`."""
    config, scatter = _read_json(folder / CONFIG), _read_json(folder / SCATTER)
    if not isinstance(config, dict) or not isinstance(scatter, list) or not scatter:
        raise AttlasError(f"{folder} is not a HeadVis tree: {SCATTER} lists no heads")
    heads: dict[tuple[int, int], HeadFile] = {}
    for row in scatter:
        if not isinstance(row, dict) or not all(isinstance(row.get(k), int) for k in ("layer", "head")):
            raise AttlasError(f"{folder / SCATTER}: a row has no layer and head")
        file = folder / "heads" / HEAD_FILES.format(layer=row["layer"], head=row["head"])
        if file.is_file():
            heads[row["layer"], row["head"]] = _read_json(file)
    return {"config": config, "scatter": scatter, "heads": heads}


def read_headvis(folder: Path) -> Atlas:
    """Read a tree as an atlas in memory. Its numbers come without standard errors."""
    tree = read_tree(folder)
    try:
        atlas = of_chapter(_make_chapter(tree))
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise AttlasError(f"{folder} is not as HeadVis writes it: {error!r}") from error
    atlas.manifest["model"]["name"] = str(tree["config"].get("model_name") or folder.name)
    return atlas


def _make_chapter(tree: Tree) -> Chapter:
    config = {**(tree["config"].get("pipeline_config") or {}), **tree["config"]}
    rows, examples, looks = [], [], []
    tokens: dict[str, list[str]] = {}
    for row in tree["scatter"]:
        for metric, (statistic, group, _) in METRICS.items():
            value = row.get(metric)
            if value is not None and math.isfinite(value):
                n = int(config.get("actual_sequences_processed") or config.get("n_sequences") or 1)
                rows.append(Row(KIND, row["layer"], row["head"], statistic, group, float(value), math.nan, n))
    for (layer, head), content in tree["heads"].items():
        address = Head(KIND, layer, head)
        examples += _read_examples(address, content, tokens)
        looks += _read_looks(address, content)
    columns = ["kind", "layer", "head", "side", "token", "share", "common"]
    return Chapter(
        CHAPTER,
        {
            "study": "surface",
            "corpus": {
                "name": str(config.get("dataset_name", "")),
                "segments": int(config.get("actual_sequences_processed") or config.get("n_sequences") or 0),
            },
            "notes": ["read from a HeadVis tree: its numbers have no standard errors"],
        },
        rows,
        tables={"looks": pd.DataFrame(looks, columns=columns)} if looks else {},
        examples=examples,
        tokens=tokens,
    )


def _read_examples(head: Head, content: HeadFile, tokens: dict[str, Any]) -> list[Example]:
    """The strongest pair of each sequence, but for the first row and column; by interval."""
    examples = []
    for sequence in sorted(content["sequences"], key=lambda s: -s["max_activation"]):
        length = sequence["seq_len"]
        query, key = np.divmod(np.array(sequence["attention_indices"], int), length)
        values = np.where((query > 0) & (key > 0), np.array(sequence["attention_values"]), -1.0)
        if not len(values) or values.max() < 0:
            continue
        best = int(values.argmax())
        name = f"{sequence['sequence_id']}"
        tokens[name] = sequence["tokens"]
        interval = int(sequence["interval"])
        sample = "strongest" if interval == INTERVALS else f"step {min(interval, INTERVALS) - 1}"
        examples.append(
            Example(head, float(values[best]), name, int(query[best]), int(key[best]), sample=sample)
        )
    return examples


def _read_looks(head: Head, content: HeadFile) -> list[tuple[Any, ...]]:
    """Read the share of kept attention of each token, beside its share of the same texts."""
    texts = [token for sequence in content["sequences"] for token in sequence["tokens"]]
    common = pd.Series(texts, dtype=str).value_counts(normalize=True)
    lines = []
    for side, listed in (("from", content["top_query_tokens"]), ("at", content["top_key_tokens"])):
        whole = sum(sum(sequence["attention_values"]) for sequence in content["sequences"])
        for entry in listed:
            share = entry["weight"] / whole if whole else 0.0
            beside = float(common.get(entry["token"], 0.0))
            lines.append((head.kind, head.layer, head.head, side, entry["token"], share, beside))
    return lines


def _read_json(file: Path) -> Any:
    try:
        return json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise AttlasError(f"{file} cannot be read: {error}") from error
