"""HeadVis's tree: its field names, the numbers in it, and the way back."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import attlas
from attlas.cli import main
from attlas.corpora.source import Source
from attlas.engines import engine_named
from attlas.errors import AttlasError
from attlas.headvis.headvis_format import METRICS, Tree
from attlas.headvis.headvis_sequences import distance_histogram, top_tokens
from attlas.headvis.read_headvis import read_headvis, read_tree
from attlas.headvis.write_headvis import make_tree, write_tree
from attlas.options import TextOptions
from attlas.studies.study_items import text_items
from attlas.studies.study_run import open_passes
from attlas.subject import Subject, load
from attlas.tap import Tap
from test_models import Keep

#: as Neuronpedia's compute-head-metrics.py writes them
CONFIG_FIELDS = {
    "model_name", "np_model_id", "dataset_name", "heads", "n_layers", "n_heads", "n_intervals", "metrics",
    "metric_descriptions", "head_data_pattern", "has_umap", "umap_heads", "custom_plots", "custom_tables",
    "statistics_display", "pipeline_config",
}  # fmt: skip
PIPELINE_FIELDS = {
    "model_name", "np_model_id", "dataset_name", "dataset_config_name", "dataset_split", "dataset_text_field",
    "n_sequences", "seq_len", "batch_size", "exports_dir", "output_run_dir", "device", "dtype",
    "attn_implementation", "induction_attention_threshold", "trust_remote_code", "min_free_vram_gb",
    "streaming", "model_cache_dir", "delete_model_cache", "revision", "dataset_revision", "n_intervals",
    "samples_per_interval", "samples_per_top_interval", "sparse_topk_per_row", "sparse_threshold",
    "sample_seed", "warmup_size", "created_at", "actual_sequences_processed", "num_hidden_layers",
    "num_attention_heads",
}  # fmt: skip
SCATTER_FIELDS = {
    "layer", "head", "self_attention_score", "prev_token_score", "pattern_entropy", "qk_distance",
    "qk_distance_variance", "induction_score",
}  # fmt: skip
HEAD_FIELDS = {
    "sequences", "qk_distance_histogram", "top_query_tokens", "top_key_tokens", "histogram", "statistics",
}  # fmt: skip
SEQUENCE_FIELDS = {
    "sequence_id", "interval", "tokens", "attention_indices", "attention_values", "seq_len", "max_activation",
}  # fmt: skip
TEXTS, LENGTH = 12, 16


@pytest.fixture(scope="module")
def subject() -> Subject:
    return load("mini")


@pytest.fixture(scope="module")
def atlas(subject: Subject, tmp_path_factory: pytest.TempPathFactory) -> attlas.Atlas:
    folder = tmp_path_factory.mktemp("headvis") / "mini.attlas"
    return attlas.map(subject, atlas=folder, segments=TEXTS, length=LENGTH, sample=2, progress=False)


@pytest.fixture(scope="module")
def tree(subject: Subject, atlas: attlas.Atlas) -> Tree:
    with open_passes(subject, engine_named("local"), progress=False) as run:
        return make_tree(atlas, subject, texts(subject), run)


def texts(subject: Subject) -> Source:
    return text_items(subject, TextOptions(segments=TEXTS, length=LENGTH)).source


def test_every_field_has_the_name_that_headvis_gives_it(tree: Tree) -> None:
    assert tree["config"].keys() == CONFIG_FIELDS
    assert tree["config"]["pipeline_config"].keys() == PIPELINE_FIELDS
    assert all(row.keys() == SCATTER_FIELDS for row in tree["scatter"])
    assert len(tree["heads"]) == len(tree["scatter"]) == 144
    for content in tree["heads"].values():
        assert content.keys() == HEAD_FIELDS
        assert all(sequence.keys() == SEQUENCE_FIELDS for sequence in content["sequences"])


def test_the_files_lie_where_headvis_looks_for_them(tree: Tree, tmp_path: Path) -> None:
    write_tree(tree, tmp_path)
    names = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.json")}
    heads = {f"heads/L{layer}H{head}.json" for layer in range(12) for head in range(12)}
    others = {"config.json", "scatter_data.json", "server_config.json", "attributions/manifest.json"}
    assert names == heads | others
    assert json.loads((tmp_path / "server_config.json").read_text()) == {}
    assert json.loads((tmp_path / "attributions" / "manifest.json").read_text()) == {}


def test_what_is_written_is_read_again(tree: Tree, tmp_path: Path) -> None:
    assert read_tree(write_tree(tree, tmp_path)) == json_like(tree)


def json_like(tree: Tree) -> Tree:
    return {
        "config": json.loads(json.dumps(tree["config"])),
        "scatter": json.loads(json.dumps(tree["scatter"])),
        "heads": {key: json.loads(json.dumps(content)) for key, content in tree["heads"].items()},
    }


def test_a_tree_that_is_read_has_the_atlas_its_numbers(
    tree: Tree, atlas: attlas.Atlas, tmp_path: Path
) -> None:
    read = read_headvis(write_tree(tree, tmp_path))
    for statistic, group, _ in METRICS.values():
        if atlas.has(statistic, group):
            there = read.grid(statistic, group)
            np.testing.assert_allclose(there, atlas.grid(statistic, group), rtol=0, atol=5.1e-5)
    assert set(read.examples["sample"]) == {"strongest", "step 0", "step 1", "step 2", "step 3"}


def test_attention_is_the_models_own(subject: Subject, tree: Tree) -> None:
    """The eight largest weights of a row that reach 0.005, as places query * length + key."""
    source = texts(subject)
    items = [item for shard in source.shards() for item in source.prepare(shard).items][:TEXTS]
    (batch,) = source.batches(subject, items)
    seen = Keep()
    with Tap(subject, [seen], kernel="eager") as tap:
        tap.run(batch)
    real = batch.sides["encoder"].real.numpy()
    for (layer, head), content in list(tree["heads"].items())[::29]:
        for sequence in content["sequences"]:
            item, n = sequence["sequence_id"], sequence["seq_len"]
            weights = seen.weights["encoder", layer][item, head].numpy()[real[item]][:, real[item]]
            kept = np.zeros((n, n))
            kept.flat[sequence["attention_indices"]] = sequence["attention_values"]
            assert ((kept > 0).sum(1) <= 8).all()
            for row, expected in zip(kept, weights, strict=True):
                strongest = np.sort(expected)[::-1][:8]
                strongest = strongest[strongest >= 0.005]
                np.testing.assert_allclose(np.sort(row[row > 0])[::-1], strongest, atol=6e-5)
            assert sequence["max_activation"] == pytest.approx(weights[1:, 1:].max(), abs=6e-5)


def test_texts_come_from_five_intervals_of_the_largest_weight(tree: Tree) -> None:
    for content in tree["heads"].values():
        of_interval = [
            [s["max_activation"] for s in content["sequences"] if s["interval"] == i] for i in range(1, 6)
        ]
        assert all(of_interval)
        assert all(max(low) <= min(high) for low, high in pairwise(of_interval))
        assert sum(content["histogram"]["bin_values"]) == TEXTS


def test_distances_and_tokens_are_summed_by_hand() -> None:
    sequence = {
        "sequence_id": 0, "interval": 5, "tokens": ["a", "b", "a"], "seq_len": 3, "max_activation": 0.5,
        "attention_indices": [0, 3, 6, 7], "attention_values": [1.0, 0.5, 0.25, 0.125],
    }  # fmt: skip
    sequences = [sequence]
    assert distance_histogram(sequences)["bin_values"][:3] == [1.0, 0.625, 0.25]  # type: ignore[arg-type]
    queries, keys = (top_tokens(sequences, side) for side in ("query", "key"))  # type: ignore[arg-type]
    assert queries == [{"token": "a", "weight": 1.375}, {"token": "b", "weight": 0.5}]
    assert keys == [{"token": "a", "weight": 1.75}, {"token": "b", "weight": 0.125}]


def test_a_report_is_made_of_a_tree(tree: Tree, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_tree(tree, tmp_path / "tree")
    with pytest.raises(SystemExit) as stopped:
        main(["report", str(tmp_path / "tree"), "--page", str(tmp_path / "page.html")])
    assert not stopped.value.code, capsys.readouterr().err
    assert (tmp_path / "page.html").stat().st_size > 100_000


def test_a_tree_is_read_without_torch(tree: Tree, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from attlas.headvis.read_headvis import read_headvis\n"
        f"read_headvis(Path({str(write_tree(tree, tmp_path))!r}))\n"
        "print([m for m in ('torch', 'transformers') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("broken", ["[]", "{", '[{"layer": 0}]'])
def test_a_broken_tree_is_refused_in_a_line(broken: str, tree: Tree, tmp_path: Path) -> None:
    write_tree(tree, tmp_path)
    (tmp_path / "scatter_data.json").write_text(broken)
    with pytest.raises(AttlasError, match=r"scatter_data\.json"):
        read_headvis(tmp_path)
