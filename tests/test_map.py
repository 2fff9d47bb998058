"""The spine from text to atlas: what it writes, and that a run which is stopped loses nothing."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import attlas
import reference
from attlas import terminal
from attlas.atlas import COLUMNS, EXAMPLE_COLUMNS, REGISTRY, load_atlas
from attlas.cli import main
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.engines import unfinished, worker
from attlas.errors import AttlasError
from attlas.subject import Subject
from attlas.wording.names import NAMING
from kill_and_resume import contents, kill_and_resume
from own_process import OwnProcess, command
from patience import PATIENCE

SMALL: dict[str, Any] = {
    "segments": 12, "length": 24, "sample": 5, "batch": 2, "shard": 96, "progress": False,
}  # fmt: skip


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, mini: Subject) -> attlas.Atlas:
    return attlas.map(mini, atlas=tmp_path_factory.mktemp("map") / "small.attlas", **SMALL)


def files(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def test_the_files_are_what_the_design_says(small: attlas.Atlas) -> None:
    assert small.path is not None
    assert sorted(files(small.path)) == [
        "arrays.safetensors",
        "examples.parquet",
        "heads.parquet",
        "manifest.json",
        "tables/surface-wikipedia.looks.parquet",
        "tables/surface-wikipedia.twin.parquet",
        "tokens.parquet",
    ]
    heads = pd.read_parquet(small.path / "heads.parquet")
    assert tuple(heads.columns) == COLUMNS
    assert set(heads["statistic"]) <= set(REGISTRY)
    assert not heads.duplicated(["kind", "layer", "head", "statistic", "group"]).any()
    assert heads[~heads["statistic"].isin(NAMING)]["stderr"].notna().all()
    assert (heads[~heads["statistic"].isin(NAMING)].groupby(["statistic", "group"]).size() == 144).all()
    examples = pd.read_parquet(small.path / "examples.parquet")
    assert tuple(examples.columns) == EXAMPLE_COLUMNS
    assert (examples[examples["sample"] == "strongest"].groupby(["layer", "head"]).size() == 5).all()
    manifest = json.loads((small.path / "manifest.json").read_text())
    assert {"schema", "model", "chapters", "files", "checksum"} == manifest.keys()
    assert {"study", "corpus", "settings", "software"} <= manifest["chapters"]["surface-wikipedia"].keys()


@pytest.mark.parametrize("batch", [1, 16])
def test_the_atlas_equals_an_independent_computation(batch: int, mini: Subject, tmp_path: Path) -> None:
    """Every segment is in the sample, so that what comes from it is known, too."""
    options = {**SMALL, "sample": 12, "batch": batch, "offsets": (2, -3)}
    atlas = attlas.map(mini, atlas=tmp_path / "a.attlas", **options)
    source = TextSource(text_corpus(), mini.tokenizer, 24, 12)
    segments = [item for shard in source.shards() for item in source.prepare(shard).items]
    assert len(segments) == 12
    values: dict[tuple[Any, ...], list[tuple[float, int]]] = {}
    for segment in segments:
        for kind, layer, weights, queries, keys in reference.maps(mini, segment):
            for key, by_head in reference.statistics(weights, queries, keys, kind, faithful=False).items():
                for head, value in enumerate(by_head):
                    values.setdefault((kind, layer, head, *key), []).append((value, segment.id.document))
    checked = 0
    for row in atlas.heads.itertuples(index=False):
        if row.statistic in ("gradient", *NAMING, "distance_within", "distance_between"):
            continue
        known = values[row.kind, row.layer, row.head, row.statistic, row.group]
        mean, stderr = reference.clustered([v for v, _ in known], [d for _, d in known])
        assert row.documents == len({d for _, d in known})
        assert abs(row.value - mean) < 1e-4, row
        assert abs(row.stderr - stderr) < 1e-4, row
        checked += 1
    assert checked == 144 * 27


def test_behaviours_follow_the_rules(small: attlas.Atlas) -> None:
    behaviours = small.names("behaviour")
    nexts, previous = small.grid("to_next"), small.grid("to_previous")
    entropy = small.grid("entropy", "all")
    scale = small.about()["corpus"]["mean_log_length"] / np.log(128)  # mini is an encoder
    even = small.about()["corpus"]["mean_log_length"]
    assert any(behaviours.values())
    for head in small.addresses:
        at = head.layer, head.head
        if 3.8 * scale < entropy[at] < 0.87 * even:
            expected = "broad"  # and narrower than untrained heads, by a tenth or more
        elif entropy[at] > 0.9 * even:
            assert head not in behaviours, "as untrained heads are"
            continue
        elif previous[at] > 0.5:
            expected = "previous"
        elif nexts[at] > 0.5:
            expected = "next"
        else:
            continue
        if small.grid("to_class", "punct")[at] <= 0.6 and small.grid("to_class", "sep")[at] <= 0.6:
            assert behaviours[head] == expected


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


def stop_after(
    batches: int, monkeypatch: pytest.MonkeyPatch, mini: Subject, out: Path, overwrite: bool = False
) -> None:
    """A map that ends in a power cut after so many batches."""
    monkeypatch.setattr(unfinished, "SECONDS_BETWEEN_WRITES", -1.0)
    real, done = worker._run_batch, []

    def stop(*arguments: Any) -> None:
        if len(done) == batches:
            raise RuntimeError("power cut")
        real(*arguments)
        done.append(1)

    monkeypatch.setattr(worker, "_run_batch", stop)
    with pytest.raises(RuntimeError, match="power cut"):
        attlas.map(mini, atlas=out, overwrite=overwrite, **SMALL)
    assert out.exists() is overwrite
    monkeypatch.setattr(worker, "_run_batch", real)


@pytest.mark.parametrize("batches", [1, 4, 7, 11])
def test_a_stopped_run_resumes_to_the_same_files(
    batches: int, small: attlas.Atlas, mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in every pass. Where no shard was finished, there is nothing to resume."""
    out = tmp_path / "small.attlas"
    stop_after(batches, monkeypatch, mini, out)
    unfinished = (tmp_path / "small.attlas.part").exists()
    assert unfinished or batches < 7
    if unfinished:
        with pytest.raises(AttlasError, match=r"unfinished run: resume=True continues it"):
            attlas.map(mini, atlas=out, **SMALL)
    attlas.map(mini, atlas=out, resume=unfinished, **SMALL)
    assert small.path is not None
    assert contents(out) == contents(small.path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["small.attlas"], "nothing is left behind"


def test_a_run_that_was_to_replace_a_chapter_is_resumed(
    small: attlas.Atlas, mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "small.attlas"
    attlas.map(mini, atlas=out, **{**SMALL, "seed": 1})
    stop_after(9, monkeypatch, mini, out, overwrite=True)
    attlas.map(mini, atlas=out, resume=True, **SMALL)
    assert small.path is not None
    assert contents(out) == contents(small.path)


@pytest.mark.usefixtures("one_thread")
def test_two_workers_write_the_same_files(small: attlas.Atlas, mini: Subject, tmp_path: Path) -> None:
    """Token classes given as functions travel to them as tables."""
    options: dict[str, Any] = {
        **SMALL,
        "classes": {"digits": str.isdigit, "short": lambda token: len(token) < 3},
    }
    here = attlas.map(mini, atlas=tmp_path / "here.attlas", **options)
    there = attlas.map(mini, atlas=tmp_path / "there.attlas", workers=2, **options)
    assert here.path is not None
    assert there.path is not None
    assert contents(there.path) == contents(here.path)
    # a class of one's own changes nothing else
    same = here.heads[~here.heads["group"].isin(["digits", "short"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(same, small.heads, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("name", ["map on 2 workers", "probe", "prune"])
def test_killed_runs_resume_to_the_same_atlas(name: str, tmp_path: Path) -> None:
    """`python tests/kill_and_resume.py` does this 50 times, and with other commands."""
    kill_and_resume(name, 1, seed=int.from_bytes(os.urandom(4)), folder=tmp_path)


def start(out: Path, *more: str) -> OwnProcess:
    arguments = "map --segments 400 --length 24 --sample 0 --batch 4 --shard 96 --atlas".split()  # noqa: SIM905
    return OwnProcess(command, *arguments, str(out), *more)


def wait_for_work(out: Path, process: OwnProcess) -> None:
    """Until something is in the checkpoint."""
    deadline = time.monotonic() + PATIENCE
    while not list(out.with_name(out.name + ".part").glob("*/statistics/*.safetensors")):
        assert process.ended(within=0.01) is None, process.said
        assert time.monotonic() < deadline


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_request_to_stop_keeps_what_is_done_and_says_how_to_go_on(
    sent: signal.Signals, status: int, tmp_path: Path
) -> None:
    out = tmp_path / "a.attlas"
    process = start(out)
    wait_for_work(out, process)
    process.send(sent)
    assert process.ended() == status
    assert "--resume" in process.said
    assert "Traceback" not in process.said
    assert not out.exists()
    process = start(out, "--resume")
    assert process.ended() == 0
    assert load_atlas(out).about()["corpus"]["segments"] == 400


def test_two_runs_into_one_atlas(tmp_path: Path) -> None:
    out = tmp_path / "a.attlas"
    with unfinished.UnfinishedRun.beside(out, "another"):
        process = start(out)
        assert process.ended() == 1
    assert "another run is writing into" in process.said
    assert not list(tmp_path.iterdir())


def test_resuming_what_is_finished_gives_it_back(mini: Subject, tmp_path: Path) -> None:
    first = attlas.map(mini, atlas=tmp_path / "a.attlas", **SMALL)
    again = attlas.map(mini, atlas=tmp_path / "a.attlas", resume=True, **SMALL)
    assert again.heads.equals(first.heads)
    with pytest.raises(
        AttlasError, match="has a chapter surface-wikipedia already, made with other settings"
    ):
        attlas.map(mini, atlas=tmp_path / "a.attlas", resume=True, **{**SMALL, "seed": 1})
    with pytest.raises(AttlasError, match="has a chapter surface-wikipedia already: chapter"):
        attlas.map(mini, atlas=tmp_path / "a.attlas", **SMALL)


def test_faithful_and_corrected_stand_side_by_side(mini: Subject, tmp_path: Path) -> None:
    out = tmp_path / "a.attlas"
    corrected = attlas.map(mini, atlas=out, **SMALL)
    both = attlas.map(mini, atlas=out, faithful=True, **SMALL)
    assert both.chapters == ("surface-wikipedia", "surface-wikipedia-faithful")
    assert both.grid("to_next", chapter="surface-wikipedia").tolist() == corrected.grid("to_next").tolist()
    assert (both.grid("to_next") != both.grid("to_next", chapter="surface-wikipedia-faithful")).all()
    replaced = attlas.map(mini, atlas=out, overwrite=True, **{**SMALL, "seed": 1})
    assert replaced.chapters == both.chapters
    named = attlas.map(mini, atlas=out, chapter="mine", **SMALL)
    assert named.chapters == (*both.chapters, "mine")


def test_an_atlas_of_another_model_is_refused(
    small: attlas.Atlas, subject_of: Callable[[str], Subject]
) -> None:
    with pytest.raises(AttlasError, match="is an atlas of another model, mini"):
        attlas.map(subject_of("llama"), atlas=small.path, **SMALL)


def test_resuming_with_other_settings_is_an_error(
    mini: Subject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_after(9, monkeypatch, mini, tmp_path / "a.attlas")
    with pytest.raises(AttlasError, match=r"other settings \(settings\.sample\)"):
        attlas.map(mini, atlas=tmp_path / "a.attlas", resume=True, **{**SMALL, "sample": 3})
    with pytest.raises(AttlasError, match="give one of them"):
        attlas.map(mini, atlas=tmp_path / "a.attlas", resume=True, overwrite=True, **SMALL)


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/bin/mount").exists(), reason="needs root and mount")
def test_a_full_disk_keeps_what_is_done(mini: Subject, tmp_path: Path) -> None:
    """The checkpoint fits, the atlas beside it does not; with room made, the run goes on to its end."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3400k", "tmpfs", str(disk)], check=False)
    if mounted.returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        (disk / "ballast").write_bytes(b"x" * 2_500_000)
        with pytest.raises(AttlasError, match=r"cannot be written: No space left on device"):
            attlas.map(mini, atlas=disk / "a.attlas", **{**SMALL, "twin": False})
        assert list((disk / "a.attlas.part").glob("*/statistics/*.safetensors"))
        assert not (disk / "a.attlas").exists()
        (disk / "ballast").unlink()
        assert (
            attlas.map(mini, atlas=disk / "a.attlas", resume=True, **{**SMALL, "twin": False}).path
            == disk / "a.attlas"
        )
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_own_classes_and_offsets(mini: Subject, tmp_path: Path) -> None:
    atlas = attlas.map(
        mini,
        atlas=tmp_path / "a.attlas",
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
    whole = attlas.map(mini, atlas=tmp_path / "whole.attlas", **SMALL)
    monkeypatch.setattr("attlas.studies.surface.surface_study.LONGEST_COMPARED", 20)
    long = attlas.map(mini, atlas=tmp_path / "long.attlas", **SMALL)
    assert long.array("encoder.distances") is None
    assert long.about()["sampled"] == {"examples": 5}
    pd.testing.assert_frame_equal(long.examples, whole.examples)


@pytest.mark.parametrize("name", ["llama", "t5", "mpnet"])
def test_other_architectures_are_mapped(
    name: str, subject_of: Callable[[str], Subject], tmp_path: Path
) -> None:
    subject = subject_of(name)
    atlas = attlas.map(subject, atlas=tmp_path / "a.attlas", **{**SMALL, "segments": 4, "sample": 3})
    assert len(atlas.addresses) == len(subject.heads)
    assert atlas.kinds == subject.kinds
    assert atlas.has("gradient", "other") is subject.interface


def test_a_decoder_is_also_told_without_its_sink(
    subject_of: Callable[[str], Subject], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("one two three four five six seven eight nine ten " * 40)
    atlas = attlas.map(subject_of("llama"), text=text, atlas=tmp_path / "a.attlas", **SMALL)
    assert atlas.grid("rest_entropy").shape == atlas.grid("rest_distance_within").shape
    with pytest.raises(SystemExit, match="0"):
        main(["show", str(atlas.path), "--head", "0.0", "--all"])
    said = capsys.readouterr().out
    assert "of the rest, to the previous token" in said
    assert "the rest: what does not fall on the first token" in said
    terminal.summary(Console(width=100), atlas)
    said = capsys.readouterr().out
    assert "of what does not fall on the first token" in said
    assert "comma" not in said  # which the text does not have
    faithful = attlas.map(subject_of("llama"), atlas=tmp_path / "f.attlas", faithful=True, **SMALL)
    assert not faithful.has("rest_entropy")


def test_what_was_cut_is_said(mini: Subject, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.txt"
    text.write_text("a sentence that has no end and goes on " * 60)
    atlas = attlas.map(mini, text=text, atlas=tmp_path / "a.attlas", **{**SMALL, "sample": 0})
    terminal.summary(Console(width=100), atlas)
    assert "of 1 sentence read, 1 longer than a segment was cut" in capsys.readouterr().out


def test_faithful_differs_where_the_original_did(small: attlas.Atlas, mini: Subject, tmp_path: Path) -> None:
    faithful = attlas.map(mini, atlas=tmp_path / "f.attlas", faithful=True, **SMALL)
    assert (
        faithful.arrays["surface-wikipedia-faithful/encoder.distances"].max()
        > 10 * small.arrays["surface-wikipedia/encoder.distances"].max()
    )  # a sum


def test_a_sample_of_rows_gives_means_within_their_errors_and_says_so(mini: Subject, tmp_path: Path) -> None:
    more = {**SMALL, "length": 64, "sample": 2}
    exact, sampled = (
        attlas.map(mini, atlas=tmp_path / f"{number}.attlas", rows=rows, **more)
        for number, rows in enumerate((None, "1/4"))
    )
    chapter = sampled.about("surface-wikipedia")
    assert chapter["settings"]["rows"] == 1 / 4
    assert any(
        note.startswith("statistics come from a random sample of the rows (0.25") for note in chapter["notes"]
    )
    same = ["kind", "layer", "head", "statistic", "group"]
    both = exact.heads.merge(sampled.heads, on=same, suffixes=("", "_sampled"))
    both = both[
        both["statistic"].isin(["entropy", "to_previous", "to_class", "largest"]) & (both["stderr"] > 1e-9)
    ]
    apart = (both["value"] - both["value_sampled"]).abs()
    assert (apart > 0).mean() > 0.5
    assert (apart < 2 * both["stderr_sampled"]).mean() > 0.95
    every = [a.heads[a.heads["statistic"].str.startswith("gradient")] for a in (exact, sampled)]
    assert len(every[0])
    assert every[0].equals(every[1])


def test_studies_that_need_every_row_say_so(mini: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(TypeError, match=r"patterns\(\) needs every row of the weights"):
        attlas.patterns(mini, rows=1 / 16)
    with pytest.raises(SystemExit):
        main(["disable", "mini", "--rows", "1/16"])
    assert "attlas: disable needs every row of the weights: only map and plan" in capsys.readouterr().err


def test_a_model_is_described_alike_wherever_it_lies(mini: Subject, tmp_path: Path) -> None:
    """The folder that it was read from is in its config, and must not be in the manifest's hash of it."""
    shutil.copytree(Path(attlas.__file__).parent / "data" / "mini", tmp_path / "elsewhere")
    moved = attlas.load(tmp_path / "elsewhere").describe()
    assert {**moved, "name": "mini"} == mini.describe()
