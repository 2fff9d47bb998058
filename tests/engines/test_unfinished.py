"""An unfinished run: what is finished is never lost, and nothing damaged is taken for finished."""

from __future__ import annotations

import errno
import json
import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from numbers_corpus import one_pass

from attlas.engines import UnfinishedRun, engine_named, run_pass
from attlas.engines import unfinished as module
from attlas.engines.merge_tree import Node
from attlas.engines.part import PassPart
from attlas.errors import AttlasError
from attlas.subject import Subject

PART = PassPart(
    [{"b": np.arange(3.0), "a": np.array([[1, 2]], np.int64)}, {}], Counter(items=7), ("a problem",)
)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "a.attlas"


def test_a_part_comes_back_as_it_was(out: Path) -> None:
    with UnfinishedRun.beside(out, "c") as unfinished:
        unfinished.begin({}, resume=False, overwrite=False)
        unfinished.save("p", {Node(2, 1): PART}, now=True)
        back = unfinished.nodes("p")[Node(2, 1)]
    assert (back.counts, back.problems) == (PART.counts, PART.problems)
    assert [list(state) for state in back.states] == [["a", "b"], []]
    for name, array in PART.states[0].items():
        np.testing.assert_array_equal(back.states[0][name], array)
        assert back.states[0][name].dtype == array.dtype


def test_merged_nodes_are_removed_after_their_parent_is_written(out: Path) -> None:
    with UnfinishedRun.beside(out, "c") as unfinished:
        unfinished.begin({}, resume=False, overwrite=False)
        unfinished.save("p", {Node(0, 0): PART, Node(0, 2): PART}, now=True)
        unfinished.save("p", {Node(1, 0): PART, Node(0, 2): PART}, now=True)
        assert sorted(f.name for f in (unfinished.folder / "p").iterdir()) == [
            "0-2.safetensors",
            "1-0.safetensors",
        ]


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text", "another's"])
def test_a_damaged_part_is_done_again(damage: str, out: Path, mini: Subject) -> None:
    pass_ = one_pass()
    with engine_named("local") as engine:
        quiet = run_pass(mini, pass_, engine)
        with UnfinishedRun.beside(out, "c") as unfinished:
            unfinished.begin({}, resume=False, overwrite=False)
            run_pass(mini, pass_, engine, unfinished)
            path = sorted((unfinished.folder / "numbers").iterdir())[-1]
            whole = path.read_bytes()
            path.write_bytes(
                {
                    "cut": whole[:-5],
                    "flipped": whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:],
                    "empty": b"",
                    "text": b"not a safetensors file",
                    "another's": sorted((unfinished.folder / "numbers").iterdir())[0].read_bytes()[:-8]
                    + whole[-8:],
                }[damage]
            )
            again = run_pass(mini, pass_, engine, unfinished)
            assert len(unfinished.problems) == 1
            assert "damaged" in unfinished.problems[0]
    assert again.reducers[0].state()["sums"].tobytes() == quiet.reducers[0].state()["sums"].tobytes()
    assert again.counts == quiet.counts


def test_half_written_files_are_cleared_away(out: Path) -> None:
    with UnfinishedRun.beside(out, "c") as unfinished:
        unfinished.begin({}, resume=False, overwrite=False)
        unfinished.save("p", {Node(0, 0): PART}, now=True)
        half = unfinished.folder / "p" / "0-1.safetensors.new"
        half.write_bytes(b"half")
        assert unfinished.nodes("p").keys() == {Node(0, 0)}
        assert not half.exists()


def test_a_file_whose_writing_was_stopped_is_written_by_the_same_run(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with UnfinishedRun.beside(out, "c") as unfinished:
        unfinished.begin({}, resume=False, overwrite=False)
        with monkeypatch.context() as stopped:
            stopped.setattr(os, "fsync", stop)
            with pytest.raises(KeyboardInterrupt):
                unfinished.save("p", {Node(0, 0): PART}, now=True)
        unfinished.save("p", {Node(0, 0): PART}, now=True)  # as a run does on its way out
        assert [f.name for f in (unfinished.folder / "p").iterdir()] == ["0-0.safetensors"]


def test_two_runs_into_one_atlas(out: Path) -> None:
    with (
        UnfinishedRun.beside(out, "c"),
        pytest.raises(AttlasError, match="another run is writing into"),
        UnfinishedRun.beside(out, "d"),
    ):
        pass
    with UnfinishedRun.beside(out, "c"):  # it is free again
        pass
    assert not out.with_name("a.attlas.part").exists()


def test_an_unfinished_run_is_continued_only_on_request_and_with_the_same_settings(out: Path) -> None:
    with UnfinishedRun.beside(out, "c") as unfinished:
        unfinished.begin({"corpus": {"name": "x", "seed": 1}}, resume=False, overwrite=False)
        unfinished.save("p", {Node(0, 0): PART}, now=True)
        with pytest.raises(AttlasError, match="resume=True continues it"):
            unfinished.begin({"corpus": {"name": "x", "seed": 1}}, resume=False, overwrite=False)
        with pytest.raises(AttlasError, match=r"other settings \(corpus.seed\)"):
            unfinished.begin({"corpus": {"name": "x", "seed": 2}}, resume=True, overwrite=False)
        unfinished.begin({"corpus": {"name": "x", "seed": 1}}, resume=True, overwrite=False)
        assert unfinished.nodes("p")
        unfinished.begin({"corpus": {"name": "y"}}, resume=False, overwrite=True)
        assert not unfinished.nodes("p")


def test_damaged_settings_are_not_guessed(out: Path) -> None:
    with UnfinishedRun.beside(out, "c") as unfinished:
        unfinished.begin({"a": 1}, resume=False, overwrite=False)
        (unfinished.folder / "settings.json").write_text("{")
        unfinished.begin({"a": 1}, resume=True, overwrite=False)  # nothing was done yet
        assert json.loads((unfinished.folder / "settings.json").read_text()) == {"a": 1}
        unfinished.save("p", {Node(0, 0): PART}, now=True)
        (unfinished.folder / "settings.json").write_text("{")
        with pytest.raises(AttlasError, match="cannot be resumed"):
            unfinished.begin({"a": 1}, resume=True, overwrite=False)


def test_what_is_not_ours_is_left_alone(out: Path) -> None:
    foreign = out.with_name("a.attlas.part") / "c" / "thesis.txt"
    foreign.parent.mkdir(parents=True)
    foreign.write_text("years of work")
    with UnfinishedRun.beside(out, "c") as unfinished:
        for resume, overwrite in ((True, False), (False, True)):
            with pytest.raises(AttlasError, match="not an unfinished run"):
                unfinished.begin({}, resume=resume, overwrite=overwrite)
    assert foreign.read_text() == "years of work"


def test_a_full_disk_leaves_what_was_there(out: Path, mini: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    with UnfinishedRun.beside(out, "c") as unfinished, engine_named("local") as engine:
        unfinished.begin({}, resume=False, overwrite=False)
        unfinished.save("numbers", {}, now=True)
        real, written = os.fsync, []

        def full(descriptor: int) -> None:
            written.append(descriptor)
            if len(written) > 3:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            real(descriptor)

        monkeypatch.setattr(module, "SECONDS_BETWEEN_WRITES", -1.0)
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            run_pass(mini, one_pass(), engine, unfinished)
        monkeypatch.setattr(os, "fsync", real)
        assert unfinished.nodes("numbers")
        again = run_pass(mini, one_pass(), engine, unfinished)
        quiet = run_pass(mini, one_pass(), engine)
    assert again.reducers[0].state()["sums"].tobytes() == quiet.reducers[0].state()["sums"].tobytes()


def test_a_part_under_another_name_is_done_again(out: Path, mini: Subject) -> None:
    with engine_named("local") as engine, UnfinishedRun.beside(out, "c") as unfinished:
        unfinished.begin({}, resume=False, overwrite=False)
        quiet = run_pass(mini, one_pass(), engine, unfinished)
        folder = unfinished.folder / "numbers"
        (folder / "3-0.safetensors").rename(folder / "4-0.safetensors")
        (folder / "99999999999-0.safetensors").write_bytes(b"a level that no tree has")
        again = run_pass(mini, one_pass(), engine, unfinished)
        assert "it was written as numbers/3-0" in unfinished.problems[0]
    assert again.reducers[0].state()["sums"].tobytes() == quiet.reducers[0].state()["sums"].tobytes()


def test_files_of_others_among_ours_stay(out: Path, mini: Subject) -> None:
    with engine_named("local") as engine:
        with UnfinishedRun.beside(out, "c") as unfinished:
            unfinished.begin({}, resume=False, overwrite=False)
            run_pass(mini, one_pass(), engine, unfinished)
            notes = unfinished.folder / "numbers" / "notes.txt"
            notes.write_text("mine")
            thesis = unfinished.folder / "docs" / "thesis.txt"
            thesis.parent.mkdir()
            thesis.write_text("years of work")
        with UnfinishedRun.beside(out, "c") as unfinished:
            unfinished.begin({}, resume=True, overwrite=False)
            run_pass(mini, one_pass(), engine, unfinished)
            unfinished.begin({}, resume=False, overwrite=True)
            unfinished.remove()
    assert notes.read_text() == "mine"
    assert thesis.read_text() == "years of work"
    assert not list(notes.parent.glob("*.safetensors"))


def test_a_run_that_finished_nothing_leaves_nothing(out: Path) -> None:
    with UnfinishedRun.beside(out, "c") as unfinished:
        unfinished.begin({}, resume=False, overwrite=False)
    assert not out.with_name("a.attlas.part").exists()
