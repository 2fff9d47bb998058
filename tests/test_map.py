"""The spine from text to atlas: what it writes, and that a run which is stopped loses nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import attlas
import reference
from attlas.atlas import COLUMNS, EXAMPLE_COLUMNS, REGISTRY, load_atlas
from attlas.corpora.segments import make_segments
from attlas.corpora.text import text_corpus
from attlas.engines import local
from attlas.errors import AttlasError
from attlas.subject import Subject

SMALL: dict[str, Any] = {"segments": 12, "length": 24, "sample": 5, "batch": 4, "progress": False}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, mini: Subject) -> attlas.Atlas:
    return attlas.map(mini, out=tmp_path_factory.mktemp("map") / "small.attlas", **SMALL)


def files(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()}


def test_the_files_are_what_the_design_says(small: attlas.Atlas) -> None:
    assert small.path is not None
    assert sorted(files(small.path)) == [
        "arrays.safetensors",
        "examples.parquet",
        "heads.parquet",
        "manifest.json",
        "tokens.parquet",
    ]
    heads = pd.read_parquet(small.path / "heads.parquet")
    assert tuple(heads.columns) == COLUMNS
    assert set(heads["statistic"]) <= set(REGISTRY)
    assert not heads.duplicated(["kind", "layer", "head", "statistic", "group"]).any()
    assert heads[heads["statistic"] != "label"]["stderr"].notna().all()
    assert (heads[heads["statistic"] != "label"].groupby(["statistic", "group"]).size() == 144).all()
    examples = pd.read_parquet(small.path / "examples.parquet")
    assert tuple(examples.columns) == EXAMPLE_COLUMNS
    assert (examples.groupby(["layer", "head"]).size() == 5).all()
    manifest = json.loads((small.path / "manifest.json").read_text())
    assert {"schema", "model", "chapters", "files", "checksum"} == manifest.keys()
    assert {"study", "corpus", "settings", "software"} <= manifest["chapters"]["surface-wikipedia"].keys()


@pytest.mark.parametrize("batch", [1, 16])
def test_the_atlas_equals_an_independent_computation(batch: int, mini: Subject, tmp_path: Path) -> None:
    atlas = attlas.map(mini, out=tmp_path / "a.attlas", **{**SMALL, "batch": batch, "offsets": (2, -3)})
    segments = make_segments(text_corpus().documents(), mini.tokenizer, 24, 12)
    values: dict[tuple[Any, ...], list[float]] = {}
    for segment in segments:
        for kind, layer, weights, queries, keys in reference.maps(mini, segment):
            for key, by_head in reference.statistics(weights, queries, keys, kind, faithful=False).items():
                for head, value in enumerate(by_head):
                    values.setdefault((kind, layer, head, *key), []).append(value)
    checked = 0
    for row in atlas.heads.itertuples(index=False):
        if row.statistic in ("gradient", "label", "distance_within", "distance_between"):
            continue
        mean, stderr = reference.mean_and_stderr(
            values[row.kind, row.layer, row.head, row.statistic, row.group]
        )
        assert abs(row.value - mean) < 1e-4, row
        assert abs(row.stderr - stderr) < 1e-4, row
        checked += 1
    assert checked == 144 * 25


def test_labels_follow_the_rules(small: attlas.Atlas) -> None:
    labels = small.labels()
    nexts, previous = small.grid("to_next"), small.grid("to_previous")
    entropy = small.grid("entropy", "all")
    scale = small.about()["corpus"]["mean_log_length"] / np.log(128)  # mini is an encoder
    assert any(labels.values())
    for head in small.addresses:
        at = head.layer, head.head
        if entropy[at] > 3.8 * scale:
            expected = "broad"
        elif previous[at] > 0.5:
            expected = "previous"
        elif nexts[at] > 0.5:
            expected = "next"
        else:
            continue
        if small.grid("to_class", "punct")[at] <= 0.6 and small.grid("to_class", "sep")[at] <= 0.6:
            assert labels[head] == expected


def test_the_plane_keeps_near_heads_near(small: attlas.Atlas) -> None:
    distances, plane = (
        small.arrays["surface-wikipedia/encoder.distances"],
        small.arrays["surface-wikipedia/encoder.plane"],
    )
    drawn = np.linalg.norm(plane[:, None] - plane[None], axis=-1)
    upper = np.triu_indices(144, 1)
    assert np.corrcoef(distances[upper], drawn[upper])[0, 1] > 0.8
    stderr = small.arrays["surface-wikipedia/encoder.distances_stderr"]
    assert (stderr[upper] > 0).all()


@pytest.mark.parametrize("stop_after", [1, 3, 6])
def test_a_stopped_run_resumes_to_the_same_files(
    stop_after: int, small: attlas.Atlas, mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in every pass (3 + 2 + 2 batches), between a checkpoint and the next."""
    monkeypatch.setattr(local, "SECONDS_BETWEEN_CHECKPOINTS", -1.0)
    real, done = local._run_batch, []

    def stop(*arguments: Any) -> None:
        if len(done) == stop_after:
            raise RuntimeError("power cut")
        real(*arguments)
        done.append(1)

    out = tmp_path / "small.attlas"
    monkeypatch.setattr(local, "_run_batch", stop)
    with pytest.raises(RuntimeError, match="power cut"):
        attlas.map(mini, out=out, **SMALL)
    assert not out.exists()
    monkeypatch.setattr(local, "_run_batch", real)
    with pytest.raises(AttlasError, match=r"unfinished run: --resume continues it"):
        attlas.map(mini, out=out, **SMALL)
    attlas.map(mini, out=out, resume=True, **SMALL)
    assert small.path is not None
    assert files(out) == files(small.path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["small.attlas"], "nothing is left behind"


def start(out: Path, *more: str) -> subprocess.Popen[bytes]:
    code = (
        "import sys, attlas.engines.local as local; local.SECONDS_BETWEEN_CHECKPOINTS = -1.0;"
        "from attlas.cli import main; main(sys.argv[1:])"
    )
    arguments = [
        "map",
        "--segments",
        "48",
        "--length",
        "24",
        "--sample",
        "0",
        "--batch",
        "4",
        "--out",
        str(out),
    ]
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while not path.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_killed_process_resumes_to_the_same_files(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole.attlas", tmp_path / "killed.attlas"
    process = start(whole)
    process.communicate()
    assert process.returncode == 0
    process = start(killed)
    wait_for(killed.with_name("killed.attlas.part") / "state.safetensors", process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not killed.exists()
    process = start(killed, "--resume")
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    assert files(killed) == files(whole)


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "a.attlas"
    process = start(out)
    wait_for(tmp_path / "a.attlas.part" / "state.safetensors", process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert "--resume" in errors.decode()
    assert "Traceback" not in errors.decode()
    assert (tmp_path / "a.attlas.part" / "state.safetensors").exists()
    process = start(out, "--resume")
    process.communicate()
    assert process.returncode == 0
    assert load_atlas(out).about()["corpus"]["segments"] == 48


def test_resuming_what_is_finished_gives_it_back(mini: Subject, tmp_path: Path) -> None:
    first = attlas.map(mini, out=tmp_path / "a.attlas", **SMALL)
    again = attlas.map(mini, out=tmp_path / "a.attlas", resume=True, **SMALL)
    assert again.heads.equals(first.heads)
    with pytest.raises(AttlasError, match="is finished, with another corpus and settings"):
        attlas.map(mini, out=tmp_path / "a.attlas", resume=True, **{**SMALL, "seed": 1})


def test_resuming_with_other_settings_is_an_error(
    mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("power cut")

    monkeypatch.setattr(local, "_run_batch", fail)
    with pytest.raises(RuntimeError):
        attlas.map(mini, out=tmp_path / "a.attlas", **SMALL)
    with pytest.raises(AttlasError, match=r"other settings \(corpus, settings\)"):
        attlas.map(mini, out=tmp_path / "a.attlas", resume=True, **{**SMALL, "faithful": True})


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/bin/mount").exists(), reason="needs root and mount")
def test_a_full_disk_keeps_what_is_done(mini: Subject, tmp_path: Path) -> None:
    """The checkpoint fits, the atlas beside it does not; with room made, the run goes on to its end."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1800k", "tmpfs", str(disk)], check=False)
    if mounted.returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        (disk / "ballast").write_bytes(b"x" * 800_000)
        with pytest.raises(AttlasError, match=r"cannot be written: No space left on device.*--resume"):
            attlas.map(mini, out=disk / "a.attlas", **SMALL)
        assert (disk / "a.attlas.part" / "state.safetensors").exists()
        assert not (disk / "a.attlas").exists()
        (disk / "ballast").unlink()
        assert attlas.map(mini, out=disk / "a.attlas", resume=True, **SMALL).path == disk / "a.attlas"
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_own_classes_and_offsets(mini: Subject, tmp_path: Path) -> None:
    atlas = attlas.map(
        mini,
        out=tmp_path / "a.attlas",
        classes={"articles": {"the", "a", "an"}, "digits": str.isdigit},
        offsets=(-2, 2),
        **{**SMALL, "sample": 0},
    )
    assert {"articles", "digits"} <= set(atlas.heads.query("statistic == 'to_class'")["group"])
    assert set(atlas.heads.query("statistic == 'to_offset'")["group"]) == {"-2", "+2"}
    assert not atlas.has("gradient", "sep")
    assert atlas.examples.empty


def test_long_segments_have_examples_but_no_distances(
    mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = attlas.map(mini, out=tmp_path / "whole.attlas", **SMALL)
    monkeypatch.setattr("attlas.mapping.LONGEST_SAMPLED", 20)
    long = attlas.map(mini, out=tmp_path / "long.attlas", **SMALL)
    assert long.array("encoder.distances") is None
    assert long.about()["sampled"] == {"statistics": 12, "examples": 5}
    pd.testing.assert_frame_equal(long.examples, whole.examples)


@pytest.mark.parametrize("name", ["llama", "t5", "mpnet"])
def test_other_architectures_are_mapped(
    name: str, subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    subject = subject_of(name)
    atlas = attlas.map(subject, out=tmp_path / "a.attlas", **{**SMALL, "segments": 4, "sample": 3})
    assert len(atlas.addresses) == len(subject.heads)
    assert atlas.kinds == subject.kinds
    assert atlas.has("gradient", "other") is subject.interface


def test_faithful_differs_where_the_original_did(small: attlas.Atlas, mini: Subject, tmp_path: Path) -> None:
    faithful = attlas.map(mini, out=tmp_path / "f.attlas", faithful=True, **SMALL)
    segments = make_segments(text_corpus().documents(), mini.tokenizer, 24, 12, faithful=True)
    assert all(set(s.types) == {0} for s in segments)  # segment ids are zeros
    assert (
        faithful.arrays["surface-wikipedia-faithful/encoder.distances"].max()
        > 10 * small.arrays["surface-wikipedia/encoder.distances"].max()
    )  # a sum
