"""The atlas: chapters side by side, on disk and in memory; what cannot be true is refused."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import attlas
from attlas import terminal
from attlas.address import Head
from attlas.atlas import Atlas, add_chapter, check_room, folder, load_atlas
from attlas.atlas.chapter import Chapter, Example
from attlas.atlas.passages import mark_passage
from attlas.atlas.registry import REGISTRY, statistic
from attlas.atlas.schema import chapter_name
from attlas.errors import AttlasError
from attlas.row import Row

MODEL: dict[str, Any] = {
    "name": "tiny",
    "class": "TinyModel",
    "weights": "w" * 64,
    "config": "c" * 64,
    "dtype": "float32",
    "heads": {"encoder": 4},
    "layers": {"encoder": [2, 2]},
}
LOOKS = "dependent_to_head"
HEADS = [Head("encoder", layer, head) for layer in range(2) for head in range(2)]


def surface(name: str = "surface-text", scale: float = 1.0) -> Chapter:
    """A chapter with a bit of everything."""
    rows = []
    for i, h in enumerate(HEADS):
        at = (h.kind, h.layer, h.head)
        rows += [
            Row(*at, "to_next", "", 0.1 * (i + 1) * scale, 0.01, 9),
            Row(*at, "to_class", "cls", 0.05 * (i + 1), 0.01, 9),
            Row(*at, "to_class", "sep", 0.2, 0.01, 9),
            Row(*at, "entropy", "all", 1.0 + i, float("nan"), 1),
        ]
    rows.append(Row("encoder", 1, 1, "behaviour", "broad", 1.0, float("nan"), 9))
    return Chapter(
        name,
        {"study": "surface", "corpus": {"name": "text", "segments": 9, "tokens": 90}, "notes": ["a note"]},
        rows,
        arrays={
            "encoder.heads": np.array([(h.layer, h.head) for h in HEADS]),
            "encoder.plane": np.arange(8.0).reshape(4, 2),
        },
        examples=[Example(HEADS[0], 0.9, "3", 0, 2), Example(HEADS[0], 0.8, "3", 1, 1)],
        tokens={"3": ["the", "cat", "sat"]},
    )


def best() -> pd.DataFrame:
    return pd.DataFrame(
        [("obj", 120, "encoder", 1, 0, "to", "2-1", 0.7, 0.65, 0.75, "-2", 0.36, 0.2, 0.4, 0.0001, LOOKS)],
        columns=[
            *("group", "links", "kind", "layer", "head", "direction", "from_1", "accuracy", "low", "high"),
            *("baseline", "baseline_accuracy", "gain_low", "gain_high", "p", "statistic"),
        ],
    )


def probe(name: str = "dependencies-ewt") -> Chapter:
    rows = [Row(h.kind, h.layer, h.head, "dependent_to_head", "obj", 0.5, 0.02, 120) for h in HEADS]
    return Chapter(name, {"study": "dependencies"}, rows, {"best": best()})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tiny.attlas"


@pytest.fixture
def both(path: Path) -> Atlas:
    add_chapter(path, MODEL, surface())
    return add_chapter(path, MODEL, probe())


def same(atlas: Atlas, other: Atlas) -> None:
    pd.testing.assert_frame_equal(atlas.heads, other.heads)
    pd.testing.assert_frame_equal(atlas.examples, other.examples)
    assert atlas.manifest == other.manifest
    assert {k: list(v) for k, v in atlas.tokens.items()} == {k: list(v) for k, v in other.tokens.items()}
    assert atlas.arrays.keys() == other.arrays.keys()
    for name, array in atlas.arrays.items():
        np.testing.assert_array_equal(array, other.arrays[name])
    assert atlas.tables.keys() == other.tables.keys()
    for name, table in atlas.tables.items():
        pd.testing.assert_frame_equal(table, other.tables[name], check_dtype=False)


def test_what_is_written_is_what_is_read(both: Atlas, path: Path) -> None:
    same(load_atlas(path), both)
    files = sorted(str(p.relative_to(path)) for p in path.rglob("*") if p.is_file())
    assert files == [
        "arrays.safetensors",
        "examples.parquet",
        "heads.parquet",
        "manifest.json",
        "tables/dependencies-ewt.best.parquet",
        "tokens.parquet",
    ]
    # as anyone reads it, without Attlas
    heads = pd.read_parquet(path / "heads.parquet")
    assert list(heads.columns) == [
        *("chapter", "kind", "layer", "head", "statistic", "group", "value", "stderr", "n", "documents"),
        "effective",
    ]
    assert list(pd.read_parquet(path / "tokens.parquet")["tokens"][0]) == ["the", "cat", "sat"]
    manifest = json.loads((path / "manifest.json").read_text())
    assert manifest["schema"] == 2
    assert list(manifest["chapters"]) == ["surface-text", "dependencies-ewt"]
    for name, expected in manifest["files"].items():
        assert hashlib.sha256((path / name).read_bytes()).hexdigest() == expected


def test_chapters_stand_side_by_side(both: Atlas, path: Path) -> None:
    atlas = add_chapter(path, MODEL, surface("surface-text-faithful", scale=0.5))
    assert atlas.chapters == ("surface-text", "dependencies-ewt", "surface-text-faithful")
    np.testing.assert_allclose(atlas.grid("to_next"), [[0.1, 0.2], [0.3, 0.4]])  # the first that has it
    faithful = atlas.grid("to_next", chapter="surface-text-faithful")
    np.testing.assert_allclose(faithful, [[0.05, 0.1], [0.15, 0.2]])
    assert atlas.about("dependencies-ewt")["study"] == "dependencies"
    assert atlas.table("best").equals(atlas.table("best", "dependencies-ewt"))
    assert set(atlas.head("1.1")["chapter"]) == set(atlas.chapters)
    assert set(atlas.head("1.1", "dependencies-ewt")["statistic"]) == {"dependent_to_head"}
    same(load_atlas(path), atlas)


def test_a_chapter_is_replaced_only_when_asked(both: Atlas, path: Path) -> None:
    with pytest.raises(AttlasError, match=r"the chapter surface-text exists in .*overwrite=True replaces it"):
        add_chapter(path, MODEL, surface())
    without = replace(surface(scale=0.5), examples=(), tokens={}, arrays={})
    atlas = add_chapter(path, MODEL, without, replace=True)
    assert atlas.chapters == ("surface-text", "dependencies-ewt")
    np.testing.assert_allclose(atlas.grid("to_next")[0], [0.05, 0.1])
    assert atlas.examples.empty
    assert not atlas.tokens
    assert not atlas.arrays
    same(load_atlas(path), atlas)


def test_another_models_atlas_is_refused(both: Atlas, path: Path) -> None:
    other = {**MODEL, "weights": "x" * 64}
    with pytest.raises(AttlasError, match="is an atlas of another model, tiny"):
        add_chapter(path, other, surface("surface-more"))
    with pytest.raises(AttlasError, match="is an atlas of another model"):
        check_room(path, "surface-more", other)
    assert load_atlas(path).chapters == both.chapters


def test_adding_a_chapter_rewrites_only_what_it_adds_to(both: Atlas, path: Path) -> None:
    def inode(name: str) -> int:
        return (path / name).stat().st_ino

    kept = (
        "tables/dependencies-ewt.best.parquet",
        "arrays.safetensors",
        "examples.parquet",
        "tokens.parquet",
    )
    before = {name: inode(name) for name in (*kept, "heads.parquet")}
    add_chapter(path, MODEL, probe("dependencies-gum"))
    assert {name: inode(name) for name in kept} == {name: before[name] for name in kept}
    assert inode("heads.parquet") != before["heads.parquet"]


def test_the_same_chapters_give_the_same_bytes(tmp_path: Path) -> None:
    def written(name: str) -> dict[str, bytes]:
        path = tmp_path / name
        add_chapter(path, MODEL, surface())
        add_chapter(path, MODEL, probe())
        return {str(p.relative_to(path)): p.read_bytes() for p in path.rglob("*") if p.is_file()}

    assert written("a.attlas") == written("b.attlas")


def test_foreign_files_are_carried_along(both: Atlas, path: Path) -> None:
    (path / "notes.txt").write_text("ten years of work")
    (path / "tables" / "mine.csv").write_text("a,b")
    (path / "mine" / "deep").mkdir(parents=True)
    (path / "mine" / "deep" / "x").write_text("x")
    (path / "mine" / "link").symlink_to("deep")
    (path / "empty").mkdir()
    add_chapter(path, MODEL, surface(scale=0.5), replace=True)
    assert (path / "notes.txt").read_text() == "ten years of work"
    assert (path / "tables" / "mine.csv").read_text() == "a,b"
    assert (path / "mine" / "deep" / "x").read_text() == "x"
    assert os.readlink(path / "mine" / "link") == "deep"
    assert (path / "empty").is_dir()
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_a_link_to_an_atlas_stays_a_link(both: Atlas, path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.attlas"
    link.symlink_to(path)
    add_chapter(link, MODEL, probe("dependencies-gum"))
    assert link.is_symlink()
    assert load_atlas(path).chapters[-1] == "dependencies-gum"


@pytest.mark.parametrize("where", ["notes", "file"])
def test_what_is_not_an_atlas_is_left_alone(where: str, path: Path) -> None:
    if where == "file":
        path.write_text("x")
    else:
        path.mkdir()
        (path / "thesis.docx").write_text("x")
    with pytest.raises(AttlasError, match="exists and is not an atlas"):
        add_chapter(path, MODEL, surface())
    path_is = path.read_text() if where == "file" else (path / "thesis.docx").read_text()
    assert path_is == "x"


def test_an_empty_folder_becomes_an_atlas(path: Path) -> None:
    path.mkdir()
    add_chapter(path, MODEL, surface())
    assert load_atlas(path).chapters == ("surface-text",)


def test_a_table_without_rows_is_read_again(path: Path) -> None:
    """A quick tree probe draws no curve: the columns of its table have no type."""
    curve = pd.DataFrame([], columns=["probe", "sentences", "uas"])
    add_chapter(path, MODEL, Chapter("tree", {"study": "tree"}, tables={"curve": curve}))
    assert load_atlas(path).table("curve", "tree").empty


def test_without_an_exchange_of_names_a_cut_write_is_mended(
    both: Atlas, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some file systems cannot swap two folders in one step."""
    monkeypatch.setattr(folder, "exchange", lambda source, other: False)
    (path / "notes.txt").write_text("mine")
    add_chapter(path, MODEL, probe("dependencies-gum"))
    assert (path / "notes.txt").read_text() == "mine"
    assert [p.name for p in path.parent.iterdir()] == [path.name]
    path.rename(path.with_name(f".{path.name}.0123abcd.old"))  # killed between the two renames
    with pytest.raises(
        AttlasError, match=r"no such atlas; a write was cut short, and .*old is what was there"
    ):
        load_atlas(path)
    atlas = add_chapter(path, MODEL, probe("dependencies-more"))
    assert atlas.chapters == (*both.chapters, "dependencies-gum", "dependencies-more")
    assert (path / "notes.txt").read_text() == "mine"
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_an_interrupt_at_any_step_leaves_the_old_atlas_or_the_new(
    both: Atlas, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path / "notes.txt").write_text("mine")
    for name in ("_to_disk", "_link_foreign", "_put_in_place", "exchange", "_discard", "_move_rest"):
        before = load_atlas(path).chapters
        real = getattr(folder, name)

        def stop(*_: Any, **__: Any) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(folder, name, stop)
        with pytest.raises(KeyboardInterrupt):
            add_chapter(path, MODEL, probe(f"dependencies-{name}"))
        monkeypatch.setattr(folder, name, real)
        after = load_atlas(path).chapters
        assert after in (before, (*before, f"dependencies-{name}"))
        assert (path / "notes.txt").read_text() == "mine"
    add_chapter(path, MODEL, probe("dependencies-last"))
    assert [p.name for p in path.parent.iterdir()] == [path.name], "leftovers are cleared"
    assert (path / "notes.txt").read_text() == "mine"


#: forks a writer that never ends, says its process id, and once it is killed forks the next
_WRITERS = """
import os, sys
sys.path[:0] = [{tests!r}]
from pathlib import Path
from test_atlas import MODEL, add_chapter, probe, surface
for n in range(int(sys.argv[2])):
    writer = os.fork()
    while writer == 0:
        n += 1
        add_chapter(Path(sys.argv[1]), MODEL, surface(scale=1 / n), replace=True)
        add_chapter(Path(sys.argv[1]), MODEL, probe(f"dependencies-{{n % 5}}"), replace=True)
    print(writer, flush=True)
    os.waitpid(writer, 0)
"""


def test_killed_at_any_moment_there_is_a_whole_atlas(path: Path) -> None:
    add_chapter(path, MODEL, surface())
    (path / "notes.txt").write_text("mine")
    code, rng = _WRITERS.format(tests=str(Path(__file__).parent)), random.Random(0)
    kills = 12
    command = [sys.executable, "-c", code, str(path), str(kills)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writers:
        assert writers.stdout is not None
        for _ in range(kills):
            writer = int(writers.stdout.readline())
            end = time.monotonic() + rng.uniform(0.01, 0.3)
            while time.monotonic() < end:  # a reader meanwhile always finds one, and a whole one
                assert "surface-text" in load_atlas(path).chapters
            os.kill(writer, signal.SIGKILL)
            assert "surface-text" in load_atlas(path).chapters
            assert (path / "notes.txt").read_text() == "mine"
    assert writers.returncode == 0
    add_chapter(path, MODEL, probe("dependencies-last"))
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_two_writers_wait_for_one_another(path: Path) -> None:
    names = [f"dependencies-{i}" for i in range(8)]
    add_chapter(path, MODEL, surface())
    writers = [threading.Thread(target=add_chapter, args=(path, MODEL, probe(n))) for n in names]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert set(load_atlas(path).chapters) == {"surface-text", *names}


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/bin/mount").exists(), reason="needs root and mount")
def test_a_full_disk_leaves_the_old_atlas(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)], check=False
    ).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        add_chapter(disk / "a.attlas", MODEL, surface())
        large = replace(probe(), arrays={"big": np.random.default_rng(0).random(100_000)})
        with pytest.raises(
            AttlasError, match=r"a\.attlas cannot be written: No space left on device; the atlas is"
        ):
            add_chapter(disk / "a.attlas", MODEL, large)
        assert load_atlas(disk / "a.attlas").chapters == ("surface-text",)
        assert [p.name for p in disk.iterdir()] == ["a.attlas"]
    finally:
        subprocess.run(["umount", str(disk)], check=True)


# ---- questions --------------------------------------------------------------------------------


def test_a_head_is_named_in_several_ways(both: Atlas) -> None:
    for written in ("1.1", "encoder.1.1", (1, 1), ("encoder", 1, 1), Head("encoder", 1, 1)):
        rows = both.head(written)
        assert float(rows[rows["statistic"] == "to_next"]["value"].iloc[0]) == pytest.approx(0.4)
    for wrong in (None, 7, (1,), (1, 2, 3, 4), "1-1", Head("encoder", 9, 9), ("cross", 1, 1)):
        with pytest.raises(AttlasError, match="head"):
            both.head(wrong)  # type: ignore[arg-type]


def test_a_question_without_an_answer_lists_what_could_be_asked(both: Atlas) -> None:
    with pytest.raises(AttlasError, match="to_class of several groups: name one of 'sep', 'cls'"):
        both.grid("to_class")
    with pytest.raises(AttlasError, match="no to_class of the group 'verbs': name one of 'sep', 'cls'"):
        both.grid("to_class", "verbs")
    with pytest.raises(
        AttlasError, match="no nonsense: it has to_next, to_class, entropy, dependent_to_head"
    ):
        both.grid("nonsense")
    with pytest.raises(
        AttlasError, match=r"there is no chapter 'x' .*there are surface-text, dependencies-ewt"
    ):
        both.grid("to_next", chapter="x")
    with pytest.raises(AttlasError, match="there is no table 'x': there are dependencies-ewt/best"):
        both.table("x")


def test_the_overview_has_labels_and_main_statistics(both: Atlas) -> None:
    table = both.overview()
    assert list(table.columns) == ["kind", "layer", "head", "behaviour", "next", "cls", "sep", "entropy"]
    assert list(table["behaviour"]) == ["", "", "", "broad"]
    assert both.names() == {Head("encoder", 1, 1): "broad"}


def test_what_a_causal_head_cannot_do_is_not_listed(path: Path) -> None:
    model = {**MODEL, "heads": {"decoder": 2}, "layers": {"decoder": [2]}}
    rows = [
        Row("decoder", 0, h, s, "", v, 0.0, 5)
        for h in (0, 1)
        for s, v in (("to_next", 0.0), ("to_first", 0.4))
    ]
    atlas = add_chapter(path, model, Chapter("surface-x", {}, rows))
    assert "next" not in atlas.overview().columns
    assert "first" in atlas.overview().columns


def test_an_atlas_is_short_to_look_at(both: Atlas) -> None:
    assert repr(both).startswith("Atlas(tiny: 4 encoder heads; 2 chapters: surface-text, dependencies-ewt")
    assert len(repr(both)) < 200
    hostile = replace(both, manifest={**both.manifest, "model": {**MODEL, "name": "<script>\x1b"}})
    assert "<script>" not in hostile._repr_html_()
    assert "\x1b" not in repr(hostile)


def test_names_of_chapters_are_fit_for_files() -> None:
    assert chapter_name("surface", "wikipedia") == "surface-wikipedia"
    assert chapter_name("surface", "my text/../x", faithful=True) == "surface-my-text-..-x-faithful"
    assert len(chapter_name("surface", "é" * 500, faithful=True).encode()) <= 120
    for wrong in ("", "a/b", ".hidden", "a b", "x" * 200, "../x"):
        with pytest.raises(AttlasError, match="cannot be the name of a chapter"):
            check_room("nowhere", wrong)


# ---- what cannot be true ------------------------------------------------------------------------


def change(column: str, to: Any, where: str = "") -> Callable[[pd.DataFrame], pd.DataFrame]:
    def changed(frame: pd.DataFrame) -> pd.DataFrame:
        frame = frame.copy()
        at = frame.query(where).index[0] if where else 0
        frame.loc[at, column] = to
        return frame

    return changed


def forge(path: Path, file: str, edit: Callable[[Any], Any]) -> None:
    """Changes a file and puts the checksums right."""
    if file.endswith(".parquet"):
        edit(pd.read_parquet(path / file)).to_parquet(path / file, index=False)
    elif file == "arrays.safetensors":
        from safetensors.numpy import load_file, save_file

        save_file(edit(load_file(path / file)), path / file)
    manifest = json.loads((path / "manifest.json").read_text())
    if file == "manifest.json":
        manifest = edit(manifest)
    elif file in manifest["files"]:
        manifest["files"][file] = hashlib.sha256((path / file).read_bytes()).hexdigest()
    rest = {k: v for k, v in manifest.items() if k != "checksum"}
    manifest["checksum"] = hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()
    (path / "manifest.json").write_text(json.dumps(manifest))


def with_model(**changed: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda m: {**m, "model": {**m["model"], **changed}}


def deeply(m: dict[str, Any]) -> dict[str, Any]:
    nested: Any = 1
    for _ in range(200):
        nested = [nested]
    return {**m, "chapters": {**m["chapters"], "deep": {"x": nested}}}


FORGED: list[tuple[str, Callable[[Any], Any], str]] = [
    ("heads.parquet", change("value", np.nan), "to_next of encoder.0.0 in surface-text is not a number"),
    ("heads.parquet", change("value", np.inf), "is not a number"),
    ("heads.parquet", change("value", 1.7), "to_next .* is 1.7, and such values are within 0 and 1"),
    ("heads.parquet", change("value", -0.2), "is -0.2, and such values are within 0 and 1"),
    ("heads.parquet", change("value", -1, "statistic == 'entropy'"), "is -1, and such values are at least 0"),
    ("heads.parquet", change("value", 3, "statistic == 'behaviour'"), "behaviour broad .* is 3"),
    ("heads.parquet", change("stderr", -0.1), "with a standard error that is negative"),
    ("heads.parquet", change("n", -5), "from fewer than 0 segments"),
    ("heads.parquet", change("layer", 9), "heads has head encoder.9.0, and the model has no such head"),
    ("heads.parquet", change("head", -1), "the model has no such head"),
    ("heads.parquet", change("kind", "cross"), "heads of kind cross, and the model has none"),
    ("heads.parquet", change("chapter", "other"), "a chapter that the manifest does not have, other"),
    ("heads.parquet", lambda f: pd.concat([f, f[:1]]), "to_next of encoder.0.0 .* is there twice"),
    (
        "heads.parquet",
        lambda f: pd.concat([f, f[f["statistic"] == "behaviour"].assign(group="x")]),
        "two names",
    ),
    ("heads.parquet", lambda f: f.astype({"layer": float}), "the column layer is of type double, not int32"),
    (
        "heads.parquet",
        lambda f: f.astype({"value": str}),
        "the column value is of type .*string, not float64",
    ),
    ("heads.parquet", lambda f: f.assign(group=None), "the column group"),
    ("heads.parquet", lambda f: f.assign(layer=2**40), "heads.parquet: .*1099511627776"),
    ("heads.parquet", lambda f: f.drop(columns="n"), "its columns are"),
    ("examples.parquet", change("key", 3), "the key of an example lies outside its tokens"),
    ("examples.parquet", change("query", -1), "the query of an example lies outside its tokens"),
    ("examples.parquet", change("tokens", "17"), "a list of tokens that is not there"),
    ("examples.parquet", change("weight", 1.5), "a weight that is not within 0 and 1"),
    ("examples.parquet", change("weight", np.nan), "a weight that is not within 0 and 1"),
    ("examples.parquet", change("rank", 1), "not numbered from 0, each once"),
    ("examples.parquet", change("head", 7), "examples has head encoder.0.7"),
    ("tokens.parquet", lambda f: f.assign(tokens=[[1, 2, 3]]), "tokens are not lists of strings"),
    ("tokens.parquet", lambda f: f.assign(chapter="x"), "a list of tokens that is not there"),
    (
        "tables/dependencies-ewt.best.parquet",
        change("accuracy", 1.2),
        "accuracy of the table .* within 0 and 1",
    ),
    ("tables/dependencies-ewt.best.parquet", change("p", -0.5), "p of the table .* within 0 and 1"),
    ("tables/dependencies-ewt.best.parquet", change("layer", 5), "best has head encoder.5.0"),
    ("tables/dependencies-ewt.best.parquet", lambda f: f.drop(columns="kind"), "best has no column kind"),
    ("tables/dependencies-ewt.best.parquet", lambda f: f.drop(columns="group"), "best has no column group"),
    (
        "tables/dependencies-ewt.best.parquet",
        lambda f: f.assign(p="small"),
        "p of the table .* is not a number",
    ),
    (
        "arrays.safetensors",
        lambda a: {k: v + 5 if v.dtype.kind == "i" else v for k, v in a.items()},
        "no such head",
    ),
    ("arrays.safetensors", lambda a: {k: v[:, :1] for k, v in a.items()}, "has shape"),
    (
        "arrays.safetensors",
        lambda a: {k: v * np.nan if v.dtype.kind == "f" else v for k, v in a.items()},
        "not a num",
    ),
    ("arrays.safetensors", lambda a: {f"x/{k}": v for k, v in a.items()}, "belongs to no chapter"),
    ("manifest.json", deeply, "nested too deeply"),
    ("manifest.json", with_model(heads={"encoder": "many"}), "the model has many encoder heads"),
    ("manifest.json", with_model(heads={"sideways": 4}), "heads of an unknown kind, sideways"),
    (
        "manifest.json",
        with_model(heads={"encoder": 3}, layers={}),
        "heads has 4 encoder heads, and the model 3",
    ),
    ("manifest.json", with_model(layers={"encoder": [4, 1]}), "do not add up"),
    ("manifest.json", with_model(name=7), "names no model"),
    ("manifest.json", lambda m: {**m, "model": None}, "names no model"),
    ("manifest.json", lambda m: {**m, "chapters": []}, "lists no chapters"),
    ("manifest.json", lambda m: {**m, "chapters": {"a/b": {}}}, "cannot be the name of a chapter"),
    (
        "manifest.json",
        lambda m: {**m, "files": {**m["files"], "../../x": "0"}},
        "files are not those of an atlas",
    ),
    ("manifest.json", lambda m: {**m, "files": {}}, "files are not those of an atlas"),
    ("manifest.json", lambda m: {**m, "schema": "2"}, "schema '2'"),
    ("manifest.json", lambda m: {**m, "schema": 1}, "schema 1"),
    (
        "manifest.json",
        lambda m: {**m, "schema": 99},
        "has schema 99, this Attlas reads up to 2: update attlas",
    ),
]


@pytest.mark.parametrize(("file", "edit", "said"), FORGED)
def test_a_forged_atlas_is_refused_in_one_line(
    file: str, edit: Callable[[Any], Any], said: str, both: Atlas, path: Path
) -> None:
    forge(path, file, lambda content: content)
    load_atlas(path)  # forging alone is not what is refused
    forge(path, file, edit)
    with pytest.raises(AttlasError, match=said) as refused:
        load_atlas(path)
    assert "\n" not in str(refused.value)


def test_a_manifest_that_no_parser_survives_is_refused(both: Atlas, path: Path) -> None:
    (path / "manifest.json").write_text("[" * 100_000)
    with pytest.raises(AttlasError, match="nested too deeply"):
        load_atlas(path)
    (path / "manifest.json").write_bytes(b"\xff\xfe")
    with pytest.raises(AttlasError, match=r"manifest\.json cannot be read"):
        load_atlas(path)


def test_a_chapter_that_cannot_be_true_is_not_added(both: Atlas, path: Path) -> None:
    wrong = replace(
        probe("dependencies-gum"), rows=[Row("encoder", 0, 0, "dependent_to_head", "x", 1.2, 0.0, 1)]
    )
    with pytest.raises(AttlasError, match=r"the chapter dependencies-gum cannot be added: .* is 1\.2"):
        add_chapter(path, MODEL, wrong)
    assert load_atlas(path).chapters == both.chapters


def test_a_users_own_statistic_is_kept_and_shown_by_its_name(path: Path) -> None:
    rows = [Row("encoder", 0, 0, "my_own", "of verbs", -17.5, float("nan"), 3)]
    add_chapter(path, MODEL, Chapter("mine", {}, rows))
    assert load_atlas(path).grid("my_own", "of verbs")[0, 0] == -17.5
    assert statistic("my_own").write_title("of verbs") == "my own of verbs"


def test_odd_text_survives_or_is_marked(path: Path) -> None:
    odd = ["\ud800", "a\x00b", "漢", ""]
    chapter = replace(
        surface(), tokens={"3": [*odd, "x"]}, about={"x": float("nan"), "y": np.int64(3), "z": "\ud800"}
    )
    atlas = add_chapter(path, MODEL, chapter)
    read = load_atlas(path)
    assert list(read.tokens["surface-text/3"]) == ["?", "a\x00b", "漢", "", "x"]
    assert read.about() == {"x": None, "y": 3, "z": "?"} == atlas.about()


# ---- the registry -------------------------------------------------------------------------------


def test_everything_is_said_of_every_statistic() -> None:
    for name, known in REGISTRY.items():
        assert known.name == name
        assert known.low <= known.high
        assert known.meaning
        assert known.chance
        assert known.write_title("x")
        assert known.write_short("x")
        said = known.write_sentence("x", "0.5")
        assert "{" not in said
        assert "0.5" in said


# ---- names ---------------------------------------------------------------------------------------


def test_names_of_each_kind_are_kept_apart_and_none_is_an_answer(tmp_path: Path) -> None:
    rows = [
        Row("encoder", 1, 1, "behaviour", "broad", 0.9, float("nan"), 9),
        Row("encoder", 1, 1, "pattern", "induction", 0.8, float("nan"), 9),
        Row("encoder", 1, 1, "second_pattern", "duplicate", 0.7, float("nan"), 9),
        Row("encoder", 0, 1, "pattern", "none", 0.6, float("nan"), 9),
    ]
    atlas = add_chapter(tmp_path / "a.attlas", MODEL, replace(surface(), rows=rows))
    head = Head("encoder", 1, 1)
    assert atlas.names("behaviour") == {head: "broad"}
    assert atlas.names("pattern") == {head: "induction"}
    assert atlas.names("second_pattern") == {head: "duplicate"}
    with pytest.raises(AttlasError, match="'label' is not a kind of name"):
        atlas.names("label")
    said = [(n.kind, n.name, n.second, n.confidence) for n in attlas.show(atlas, head="1.1").names]
    assert said == [("behaviour", "broad", "", 0.9), ("pattern", "induction", "duplicate", 0.8)]
    assert "pattern: none" in shown(attlas.show(atlas, head="0.1", all=True))


# ---- the terminal ----------------------------------------------------------------------------------


def shown(result: Any, width: int = 80) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    terminal.show(console, result, {})
    return console.export_text()


def test_show_lists_chapters_and_the_heads_of_the_first(both: Atlas) -> None:
    brief = shown(attlas.show(both))
    assert brief.index("What stands out") < brief.index("surface-text")
    assert "  Head 1.0 finds the verb of a direct object 70 % of the time.\n    70 % of 120 on " in brief
    assert "0.400 0.200" not in brief  # nor any other line of a head
    text = shown(attlas.show(both, chapter="surface-text"))
    assert "tiny: 4 encoder heads (TinyModel, float32)" in brief
    assert "tiny: 4 encoder heads over 9 segments (90 tokens) of text" in text
    assert "surface over text, 9 segments, 90 tokens" in text
    assert "a note" in text
    assert re.search(r"1\.1 broad +0\.400 0\.200 0\.200 +4\.000", text)
    assert "obj" not in text
    only = shown(attlas.show(both, chapter="dependencies-ewt"))
    assert re.search(r"obj: from direct object to verb +1\.0 +70\.0 +65–75 +-2: 36\.0 +<0\.001 +120", only)
    assert "not shown at this width: from 1 (widen the terminal, or use .as_data())" in only
    assert "--head" not in only


def test_everything_known_of_a_head_is_told_within_80_columns(both: Atlas, path: Path) -> None:
    long = replace(probe("dependencies-gum"), tables={"best": best().assign(p=0.3, group="nsubj")})
    atlas = add_chapter(path, MODEL, long)
    text = shown(attlas.show(atlas, head="1.0", all=True))
    whole = " ".join(text.split())
    assert "tracks obj (direct object to verb): 70.0 % (95 % 65–75), best fixed offset -2: 36.0 %" in whole
    assert whole.index("Finds the verb of a direct object") < whole.index("to the next token 0.3000")
    assert "p < 0.001, chapter dependencies-ewt" in whole
    assert "is the best head for nsubj" in whole  # no more than the numbers carry
    assert "to the next token 0.3000 ± 0.0100 9" in whole
    assert "entropy 3.0000 nats 1" in whole  # without an error where there is none
    for answer in (text, shown(attlas.show(atlas, head="1.0"))):
        assert "nan" not in answer
        assert all(len(line) <= 80 for line in answer.splitlines())
    first = shown(attlas.show(atlas, head="0.0", all=True))
    assert "‹the› cat «sat»" in first
    assert "the ‹«cat»› sat" in first
    assert "behaviour: broad (surface-text, confidence 1.00)" in shown(
        attlas.show(atlas, head="1.1", all=True)
    )


def test_small_numbers_are_not_shown_as_zero(path: Path) -> None:
    rows = [Row("encoder", 0, 0, "to_next", "", 2.5e-06, 1e-07, 5)]
    atlas = add_chapter(path, MODEL, Chapter("surface-x", {"study": "surface"}, rows))
    assert "2.5e-06 ± 1.0e-07" in shown(attlas.show(atlas, head="0.0", all=True))
    assert "<.001" in shown(attlas.show(atlas, chapter="surface-x"))


def test_a_head_of_many_relations_shows_its_best(path: Path) -> None:
    rows = [Row("encoder", 0, 0, "dependent_to_head", f"r{i}", i / 40, 0.0, 5) for i in range(40)]
    atlas = add_chapter(path, MODEL, Chapter("dependencies-x", {}, rows))
    text = shown(attlas.show(atlas, head="0.0", all=True))
    assert "r39, dependent to head" in text
    assert "r3, " not in text
    assert "and 28 more: .as_data() lists all" in text


def test_provenance_is_all_there_to_read_and_as_data(both: Atlas) -> None:
    result = attlas.show(both, provenance=True)
    text = shown(result)
    for words in ("weights: wwww", "surface-text", "segments: 9", "- a note", "dependencies-ewt"):
        assert words in text
    assert terminal.as_data(result) == {"model": both.model, "chapters": both.manifest["chapters"]}
    probed = attlas.show(both, provenance=True, chapter="dependencies-ewt")
    assert "a note" not in shown(probed)
    with pytest.raises(AttlasError, match="two questions"):
        attlas.show(both, head="1.0", provenance=True)
    with pytest.raises(AttlasError, match="there is no chapter 'x'"):
        attlas.show(both, chapter="x")


def test_what_a_map_found_is_summed_up_without_what_cannot_be(path: Path) -> None:
    model = {**MODEL, "heads": {"decoder": 2}, "layers": {"decoder": [2]}}
    values = (("to_next", 0.0), ("to_first", 0.4), ("to_previous", 0.2))
    rows = [Row("decoder", 0, h, s, "", v, float("nan"), 1) for h in (0, 1) for s, v in values]
    about = {"study": "surface", "corpus": {"name": "x\x1b[31m", "segments": 1, "tokens": 1}}
    text = shown(add_chapter(path, model, Chapter("surface-x", about, rows)))
    assert "1 segment (1 token)" in text
    assert "the first token" in text
    assert "next" not in text
    assert "nan" not in text
    assert "\x1b[31m" not in text


def test_a_map_sums_up_the_chapter_it_has_just_made(path: Path) -> None:
    def at(name: str, value: float, finished: str) -> Chapter:
        rows = [Row("encoder", 0, 0, "to_first", "", value, 0.0, 5)]
        return Chapter(name, {"study": "surface", "time": {"finished": finished}}, rows)

    add_chapter(path, MODEL, at("surface-a", 0.111, "2026-01-02T00:00:00+00:00"))
    assert "0.222" in shown(add_chapter(path, MODEL, at("surface-b", 0.222, "2026-01-03T00:00:00+00:00")))
    again = add_chapter(path, MODEL, at("surface-a", 0.333, "2026-01-04T10:20:30+00:00"), replace=True)
    assert "0.333" in shown(again)
    assert "2026-01-04 10:20" in shown(attlas.show(again))


def test_the_text_of_an_example_is_put_together_as_it_was_written() -> None:
    def text(tokens: list[str], **roles: int) -> str:
        pieces = mark_passage(tokens, {at: role for role, at in roles.items()}, around=2)  # type: ignore[misc]
        return "".join(f"<{p.text}>" if p.role in ("query", "key") else p.text for p in pieces)

    assert text(["straw", "##berries", "are", "red"], query=1, key=3) == "<strawberries> are <red>"
    assert text(["The", "Ġcat", "s", "Ġ", "Ċ"], query=2, key=1) == "The <cat><s> Ċ"
    words = [f"w{i}" for i in range(20)]
    assert text(words, query=3, key=15) == "… w1 w2 <w3> w4 w5 … w13 w14 <w15> w16 w17 …"


@pytest.mark.parametrize(
    ("tokens", "roles", "text"),
    [
        (["the", "aber", "##ta", "##y", "bay"], {2: "query", 4: "key"}, "the ‹abertay› «bay»"),
        (["Ġthe", "ĠAber", "tay", ",", "Ġbay"], {2: "query", 3: "key"}, "the ‹Abertay›«,» bay"),
        (["aber", "##ta", "##y"], {1: "query", 2: "key"}, "aber‹ta›«y»"),  # two pieces of one word
        (["[CLS]", "a", "b"], {0: "key", 1: "query"}, "«[CLS]» ‹a› b"),
    ],
)
def test_a_weight_on_a_piece_marks_the_whole_word(
    tokens: list[str], roles: dict[int, Any], text: str
) -> None:
    marks = {"query": "‹{}›", "key": "«{}»", "": "{}"}
    assert "".join(marks[part.role].format(part.text) for part in mark_passage(tokens, roles)) == text
