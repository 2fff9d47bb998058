"""One rule for every output of every verb: what is read is never destroyed, and what Attlas did not write is
replaced only where `overwrite` is given."""

from __future__ import annotations

import ast
import inspect
import re
import shutil
from pathlib import Path
from typing import Any

import matplotlib.figure
import pytest

import attlas
from attlas.atlas import load_atlas
from attlas.cli import COMMANDS, main
from attlas.errors import AttlasError
from attlas.options.describing import help_of
from attlas.options.verb import _is_word, _output_kind
from attlas.outputs import GENERATOR, guard_outputs, is_ours, paths_of, write_output
from attlas.subject import Subject

SRC = Path(attlas.__file__).parent


def outputs_of(command: Any) -> dict[str, str]:
    """option -> what it writes"""
    listed = {p.name for p in inspect.signature(command).parameters.values() if p.kind is p.VAR_POSITIONAL}
    kinds = {n: _output_kind(hint) for n, hint in command.__annotations__.items() if n not in listed}
    return {name: kind for name, kind in kinds.items() if kind is not None}


OUTPUTS = [(command, name) for command in COMMANDS for name in outputs_of(command)]
NAMED = [f"{command.__name__} {name}" for command, name in OUTPUTS]


def reading_option(command: Any, output: str) -> str:
    """One of a verb's options that takes a path and is read: its first."""
    names = (n for n in inspect.signature(command).parameters if not n.endswith("_options"))
    others = (n for n in names if n not in outputs_of(command) and n != output)
    return next(name for name in others if not _is_word(command.__annotations__[name]))


def called(command: Any, **options: Any) -> Any:
    """The verb, with its parameters by place where Python wants them so."""
    by_place = []
    for name, parameter in inspect.signature(command).parameters.items():
        if parameter.kind is parameter.POSITIONAL_ONLY:
            by_place.append(options.pop(name, None))
        elif name in ("task", "paper") and parameter.default is parameter.empty:
            options.setdefault(name, "clark2019")
    return command(*by_place, **options)


def test_every_option_that_names_what_is_written_is_an_output() -> None:
    """Its help gives it away."""
    writes = re.compile(r"\b(write to this|writes? .*into this|into this folder|file to write|draw it as)")
    for command in COMMANDS:
        paths = {n: hint for n, hint in command.__annotations__.items() if not n.endswith("_options")}
        for name, hint in paths.items():
            if writes.search(help_of(command, name).lower()) and not _is_word(hint):
                assert name in outputs_of(command), f"{command.__name__} {name}: mark it as an output"


@pytest.mark.parametrize(("command", "name"), OUTPUTS, ids=NAMED)
def test_an_output_that_is_an_input_or_lies_inside_one_is_refused(
    command: Any, name: str, tmp_path: Path
) -> None:
    """Before anything runs: there is no model in this folder."""
    read = tmp_path / "precious"
    read.mkdir()
    (read / "model.safetensors").write_text("weights")
    reading = reading_option(command, name)
    also: dict[str, Any] = {"overwrite": True} if "overwrite" in command.__annotations__ else {}
    for output in (read, read / "model.safetensors", read / "new", read / "new" / "deep"):
        with pytest.raises(AttlasError, match=r"is what is read|lies inside what is read"):
            called(command, **{reading: read, name: output}, **also)
    link = tmp_path / "link"
    link.symlink_to(read)
    with pytest.raises(AttlasError, match="lies inside what is read"):
        called(command, **{reading: read, name: link / "new"}, **also)
    assert sorted(path.name for path in read.iterdir()) == ["model.safetensors"]
    assert (read / "model.safetensors").read_text() == "weights"


@pytest.mark.parametrize(
    ("command", "name"), [(c, n) for c, n in OUTPUTS if outputs_of(c)[n] == "file"], ids=lambda x: str(x)[:20]
)
def test_a_file_that_attlas_did_not_write_is_not_replaced(command: Any, name: str, tmp_path: Path) -> None:
    assert "overwrite" in command.__annotations__, "how is a file replaced that is wanted so?"
    mine = tmp_path / "mine.html"
    mine.write_text("<!doctype html><title>my thesis</title>")
    with pytest.raises(AttlasError, match="Attlas did not write it: overwrite=True replaces it"):
        called(command, **{reading_option(command, name): tmp_path / "none", name: mine})
    assert mine.read_text() == "<!doctype html><title>my thesis</title>"


def test_a_site_is_not_written_into_an_atlas_that_it_shows(tmp_path: Path) -> None:
    atlas = tmp_path / "a.attlas"
    shutil.copytree(Path(__file__).parent / "data" / "ask" / "minilm.attlas", atlas)
    for site in (atlas, atlas / "site", tmp_path):
        with pytest.raises(AttlasError, match=r"is what is read|lies inside|which is read"):
            attlas.publish(atlas, site, overwrite=True)


def test_an_output_inside_the_atlas_that_is_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AttlasError, match="lies inside the atlas"):
        attlas.map("mini", atlas=tmp_path / "a", csv=tmp_path / "a" / "manifest.json")


def test_a_model_is_not_replaced_by_its_own_child_or_its_data(tmp_path: Path) -> None:
    data = tmp_path / "all" / "data"
    data.mkdir(parents=True)
    for save in (data, tmp_path / "all"):
        with pytest.raises(AttlasError, match=r"is what is read|lies inside|which is read"):
            attlas.finetune("mini", "own", data=data, save=save, overwrite=True)


def test_the_verbs_make_the_names_of_their_outputs_by_the_same_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mini.html").write_text("mine")
    with pytest.raises(AttlasError, match=r"mini\.html is there already"):
        attlas.report("mini", progress=False)
    assert (tmp_path / "mini.html").read_text() == "mine"


def test_what_attlas_wrote_is_replaced_without_asking(
    tmp_path: Path, mini: Subject, capsys: pytest.CaptureFixture[str]
) -> None:
    """A command that runs twice does the same twice."""
    text, page, table, picture = (tmp_path / n for n in ("t.txt", "page.html", "table.csv", "still.svg"))
    text.write_text("The old town lies on the river.\n")
    for _ in range(2):
        attlas.view(mini, file=text, page=page, figure=picture)
        attlas.map(mini, text=text, segments=1, length=8, sample=0, twin=False, progress=False,
                   atlas=tmp_path / "a", csv=table, overwrite=True)  # fmt: skip
        for made in (page, table, picture):
            assert is_ours(made), made
    with pytest.raises(SystemExit):
        main(["view", "mini", "--file", str(text), "--page", str(text)])
    assert "is what is read" in capsys.readouterr().err
    assert text.read_text() == "The old town lies on the river.\n"


def test_a_table_of_numbers_of_ones_own_is_not_taken_for_ours(tmp_path: Path) -> None:
    for header in ("text,label,score", "layer,head", "id,name,value,p", "place,what"):
        (tmp_path / "mine.csv").write_text(f"{header}\n1,2\n")
        assert not is_ours(tmp_path / "mine.csv"), header
    (tmp_path / "page.html").write_text(f"<head>{GENERATOR}</head>")
    assert is_ours(tmp_path / "page.html")
    matplotlib.figure.Figure().savefig(tmp_path / "mine.png")
    assert not is_ours(tmp_path / "mine.png")


def test_every_table_of_an_atlas_is_known_as_ours(tmp_path: Path) -> None:
    for folder in sorted((Path(__file__).parent / "data" / "ask").glob("*.attlas")):
        atlas = load_atlas(folder)
        for name, table in [*atlas.tables.items(), ("overview", atlas.overview())]:
            table.to_csv(tmp_path / "table.csv", index=False)
            assert is_ours(tmp_path / "table.csv"), (folder.name, name)


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    """Outside a verb, `save` replaces what it is told to."""
    mine = tmp_path / "mine.svg"
    mine.write_text("mine")
    with guard_outputs([tmp_path / "t.txt"], {}, False), pytest.raises(AttlasError, match="did not write"):
        write_output(mine, "theirs")
    with guard_outputs([mine], {}, True), pytest.raises(AttlasError, match="is what is read"):
        write_output(mine, "theirs")
    write_output(mine, "theirs")
    assert mine.read_text() == "theirs"


def test_inputs_are_paths_patterns_models_and_atlases(tmp_path: Path, mini: Subject) -> None:
    for name in ("a.txt", "b.txt", "mini"):
        (tmp_path / name).write_text("")
    values = [str(tmp_path / "*.txt"), {"train": tmp_path / "mini"}, "a text\nof lines", "no\0", 5, mini]
    paths = [*paths_of(values)]
    assert {tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "mini"} <= set(paths)
    assert any((path / "config.json").is_file() for path in paths), "a loaded model names its folder"


#: what writes files that no user names: pieces of runs, trained probes, what lies inside a folder of ours
STATE = {
    "outputs.py", "files.py", "engines/unfinished.py", "studies/trees/stored_probes.py",
    "studies/finetuning/model_folder.py", "studies/finetuning/train.py", "headvis/write_headvis.py",
    "verbs/reproduce.py",
}  # fmt: skip


def test_nothing_else_writes_files_past_the_rule() -> None:
    """Atlases and models are written as whole folders, which have checks of their own."""
    past = set()
    for path in sorted(SRC.rglob("*.py")):
        calls = (n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call))
        names = {ast.unparse(call.func).rpartition(".")[2] for call in calls}
        if names & {"write_whole", "replace_with"}:
            past.add(str(path.relative_to(SRC)))
    assert past == STATE


def test_a_report_of_a_model_is_not_written_from_the_atlas_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the atlas has every study, so that nothing would be run."""
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "other.attlas"
    shutil.copytree(Path(__file__).parent / "data" / "ask" / "minilm.attlas", other)
    with pytest.raises(AttlasError, match="is an atlas of another model"):
        attlas.report("mini", atlas=other, progress=False)
    assert not list(tmp_path.glob("*.html"))
