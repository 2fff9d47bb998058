"""From an atlas and its model to HeadVis's tree."""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from attlas.address import Kind
from attlas.atlas import Atlas
from attlas.corpora.source import Source
from attlas.errors import AttlasError, option
from attlas.files import write_whole
from attlas.headvis.headvis_format import (
    CONFIG,
    HEAD_FILES,
    IN_AN_INTERVAL,
    IN_THE_TOP,
    INTERVALS,
    KEYS_OF_A_ROW,
    LEAST_WEIGHT,
    MANIFEST,
    METRICS,
    SCATTER,
    SERVER,
    Tree,
)
from attlas.headvis.headvis_sequences import head_files
from attlas.studies.study import RunPass
from attlas.subject import Subject


def make_tree(atlas: Atlas, subject: Subject, source: Source, run: RunPass) -> Tree:
    kind = _choose_kind(atlas)
    heads = head_files(subject, source, kind, run)
    return {
        "config": _make_config(atlas, subject, source, kind),
        "scatter": scatter_rows(atlas, kind),
        "heads": heads,
    }


def write_tree(tree: Tree, folder: Path) -> Path:
    """Writes the tree into the folder, and returns the folder."""
    write_whole(folder / CONFIG, json.dumps(tree["config"], indent=2) + "\n")
    write_whole(folder / SCATTER, json.dumps(tree["scatter"]) + "\n")
    for name in (SERVER, MANIFEST):
        write_whole(folder / name, "{}\n")
    for (layer, head), content in tree["heads"].items():
        name = HEAD_FILES.format(layer=layer, head=head)
        write_whole(folder / "heads" / name, json.dumps(content) + "\n")
    return folder


def refuse_foreign_tree(folder: Path) -> None:
    """Refuse, before any work, a folder whose files are not those of a tree that Attlas wrote."""
    there = [name for name in (CONFIG, SCATTER, SERVER, MANIFEST, "heads") if (folder / name).exists()]
    try:
        config = json.loads((folder / CONFIG).read_bytes()) if there else {}
        ours = not there or config["pipeline_config"]["attn_implementation"] == "attlas"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        ours = False
    if not ours:
        raise AttlasError(
            f"{folder} holds {there[0]}, which Attlas did not write: {option('overwrite', True)} replaces it"
        )


def _choose_kind(atlas: Atlas) -> Kind:
    """Choose one kind of head: HeadVis numbers heads by layer and head alone."""
    if len(atlas.kinds) == 1:
        return atlas.kinds[0]
    if "decoder" in atlas.kinds:
        return "decoder"
    raise AttlasError("HeadVis has no names for heads of several kinds")


def scatter_rows(atlas: Atlas, kind: Kind) -> list[dict[str, Any]]:
    """One row per head; null where the atlas has not measured a metric."""
    grids = {
        metric: atlas.grid(statistic, group, kind) if atlas.has(statistic, group) else None
        for metric, (statistic, group, _) in METRICS.items()
    }
    rows = []
    for address in (a for a in atlas.addresses if a.kind == kind):
        values = {
            metric: None if grid is None else float(grid[address.layer, address.head])
            for metric, grid in grids.items()
        }
        rows.append(
            {"layer": address.layer, "head": address.head}
            | {m: None if v is None or math.isnan(v) else round(v, 4) for m, v in values.items()}
        )
    return rows


def _make_config(atlas: Atlas, subject: Subject, source: Source, kind: Kind) -> dict[str, Any]:
    heads = [a for a in atlas.addresses if a.kind == kind]
    layers, width = max(a.layer for a in heads) + 1, max(a.head for a in heads) + 1
    about = source.describe()
    corpus = str(about["corpus"].get("name", ""))
    return {
        "model_name": subject.name,
        "np_model_id": re.sub(r"[^A-Za-z0-9._-]+", "-", Path(subject.name).name),
        "dataset_name": corpus,
        "heads": [[a.layer, a.head] for a in heads],
        "n_layers": layers,
        "n_heads": width,
        "n_intervals": INTERVALS,
        "metrics": list(METRICS),
        "metric_descriptions": {metric: meaning for metric, (_, _, meaning) in METRICS.items()},
        "head_data_pattern": HEAD_FILES,
        "has_umap": False,
        "umap_heads": [],
        "custom_plots": [
            {"key": "qk_distance_histogram", "label": "Q-K distance"},
            {"key": "histogram", "label": "Activation distribution"},
        ],
        "custom_tables": [
            {"key": "top_query_tokens", "label": "Top query tokens"},
            {"key": "top_key_tokens", "label": "Top key tokens"},
        ],
        "statistics_display": {
            "n_samples": {"label": "Samples kept", "format": "default"},
            "mean_max_activation": {"label": "Mean max activation", "format": "default"},
        },
        "pipeline_config": _make_pipeline(subject, corpus, about, layers, width),
    }


def _make_pipeline(
    subject: Subject, corpus: str, about: dict[str, Any], layers: int, width: int
) -> dict[str, Any]:
    """The settings that their script keeps; null where Attlas has no such setting."""
    return {
        "model_name": subject.name,
        "np_model_id": re.sub(r"[^A-Za-z0-9._-]+", "-", Path(subject.name).name),
        "dataset_name": corpus,
        "dataset_config_name": None,
        "dataset_split": "",
        "dataset_text_field": "text",
        "n_sequences": about.get("limit") or 0,
        "seq_len": about.get("length") or 0,
        "batch_size": about.get("batch") or 0,
        "exports_dir": "",
        "output_run_dir": "",
        "device": subject.device.type,
        "dtype": str(next(subject.model.parameters()).dtype).removeprefix("torch."),
        "attn_implementation": "attlas",
        "induction_attention_threshold": 0.0,
        "trust_remote_code": False,
        "min_free_vram_gb": 0.0,
        "streaming": False,
        "model_cache_dir": "",
        "delete_model_cache": False,
        "revision": None,
        "dataset_revision": None,
        "n_intervals": INTERVALS,
        "samples_per_interval": IN_AN_INTERVAL,
        "samples_per_top_interval": IN_THE_TOP,
        "sparse_topk_per_row": KEYS_OF_A_ROW,
        "sparse_threshold": LEAST_WEIGHT,
        "sample_seed": about.get("seed") or 0,
        "warmup_size": 0,
        "created_at": datetime.now(UTC).isoformat(),
        "actual_sequences_processed": about.get("limit") or 0,
        "num_hidden_layers": layers,
        "num_attention_heads": width,
    }
