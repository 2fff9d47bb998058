"""The front door: every verb has a flat list of options, declared once, for Python and the terminal alike."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

import attlas
from attlas.cli import COMMANDS, main
from attlas.errors import AttlasError
from attlas.options import RunOptions, TextOptions
from attlas.options.describing import first_sentence, help_of
from attlas.options.option_groups import IN_PYTHON
from attlas.options.verb import verb
from attlas.subject import Subject

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")))
#: what the terminal adds
EVERYWHERE = {"help", "version", "json", "debug", "install_completion", "shell", "output"}
SMALL = {"segments": 4, "length": 16, "progress": False}


def options_of(command: Any) -> dict[str, inspect.Parameter]:
    """Without the groups as objects."""
    parameters = inspect.signature(command).parameters
    return {name: p for name, p in parameters.items() if not name.endswith("_options")}


def flags_of(command: Any) -> set[str]:
    """Return its options as the terminal takes them: `--no-open` undoes one that is on by default."""
    known = options_of(command)
    return {*known, *(f"no_{name}" for name, parameter in known.items() if parameter.default is True)}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_option_is_explained_in_python_and_in_the_terminal(
    command: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in options_of(command):
        assert help_of(command, name), name
        assert f"\n{name}\n    " in command.__doc__, name
    probe = ["probe"] if "probe" in command.__module__ else []
    with pytest.raises(SystemExit):
        main([*probe, command.__name__, "--help"])
    shown = capsys.readouterr().out
    for name, parameter in options_of(command).items():
        of_python = IN_PYTHON in getattr(command.__annotations__.get(name), "__metadata__", ())
        if not of_python and parameter.kind is parameter.KEYWORD_ONLY:
            assert f"--{name.replace('_', '-')}" in shown


def test_an_option_of_several_verbs_has_one_meaning_and_one_type() -> None:
    """The first sentence of its help is the meaning; what follows tells what the verb makes of it."""
    types, meanings = defaultdict(set), defaultdict(set)
    for command in COMMANDS:
        for name, parameter in options_of(command).items():
            types[name].add(str(parameter.annotation))
            meanings[name].add(first_sentence(command, name))
    assert {name: said for name, said in meanings.items() if len(said) > 1} == {}
    several = {name for name, kinds in types.items() if len(kinds) > 1}
    # verbs that read an atlas, a model or a task need one, others may have one; heads of a view are numbers
    # in its layer; a reproduction takes a folder with the data of several tasks, and knows no glance
    assert several <= {
        "model",
        "task",
        "text",
        "atlas",
        "batch",
        "epochs",
        "heads",
        "pattern",
        "data",
        "budget",
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_on_pages_have_options_that_exist(page: Path) -> None:
    verbs = {command.__name__: flags_of(command) for command in COMMANDS}
    for line in re.findall(r"^(?:    |\$ )?attlas ([a-z].*)", page.read_text().replace("\\\n", " "), re.M):
        words = line.partition(" #")[0].removeprefix("probe ").split()
        for flag in (word.partition("=")[0] for word in words if word.startswith("--")):
            assert flag[2:].replace("-", "_") in {*verbs[words[0]], *EVERYWHERE}, line


def test_the_page_of_commands_names_only_options_that_exist() -> None:
    page = (ROOT / "docs/cli.md").read_text()
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", page))
    options = {f"--{name.replace('_', '-')}" for command in COMMANDS for name in flags_of(command)}
    assert named - options <= {f"--{name.replace('_', '-')}" for name in EVERYWHERE}


def test_options_are_given_flat_or_in_groups_and_what_is_flat_wins(mini: Subject, tmp_path: Path) -> None:
    flat = attlas.map(mini, atlas=tmp_path / "a", sample=0, **SMALL)
    text_options = TextOptions(segments=9, length=16)
    run_options = RunOptions(progress=False)
    grouped = attlas.map(
        mini,
        atlas=tmp_path / "b",
        sample=0,
        text_options=text_options,
        run_options=run_options,
        segments=4,
    )
    assert flat.heads.equals(grouped.heads)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: attlas.map(segments=0),
            AttlasError,
            r"segments=0: should be greater than or equal to 1, or",
        ),
        (lambda: attlas.map(segments=1.5), AttlasError, r"segments=1.5: should be a valid integer"),
        (lambda: attlas.disable(heads="7.9"), AttlasError, r"heads='7.9': "),
        (lambda: attlas.disable(edit="cut"), AttlasError, r"edit='cut': should be 'uniform', 'zero', 'mean'"),
        (lambda: attlas.map(atlas=5), AttlasError, r"atlas=5: "),
        (lambda: attlas.map(atlas=""), AttlasError, r"atlas='': give the path of a file or folder"),
        (lambda: attlas.map(segmentz=3), TypeError, r"map\(\) has no option 'segmentz': segments\?"),
        (lambda: attlas.map("mini", 3), TypeError, r"map\(\) takes model by place"),
        (lambda: attlas.finetune("mini"), AttlasError, r"finetune needs task: A task of GLUE"),
        (lambda: RunOptions(workers=0), AttlasError, r"workers=0: should be greater than or equal to 1$"),
        (lambda: RunOptions(worker=2), AttlasError, r"worker=2: "),
        (lambda: attlas.map(run_options=4), AttlasError, r"run_options: a RunOptions is needed, not 4"),
        (lambda: attlas.map(resume=True, overwrite=True), AttlasError, r"resume=True continues a run"),
    ],
)
def test_a_wrong_value_is_one_line_in_pythons_words(
    call: Callable[[], object], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=f"^{message}"):
        call()


def test_the_terminal_says_the_same_in_flags(tmp_path: Path) -> None:
    for words, said in (
        (["--segments", "0"], "--segments 0: should be greater than or equal to 1, or should be 'all'"),
        (["--resume", "--overwrite"], "--resume continues a run and --overwrite begins it again"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "attlas", "map", *words], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert done.stderr.startswith(f"attlas: {said}"), done.stderr


def test_an_unknown_command_is_refused_and_the_nearest_named(capsys: pytest.CaptureFixture[str]) -> None:
    """With --help, too: the general help would pass for an answer."""
    for words in (["mapp", "--help"], ["probe", "dependency"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "there is no command mapp: do you mean map?" in said.err
    assert "there is no command probe dependency: do you mean dependencies?" in said.err


def test_an_error_below_a_verb_is_not_taken_for_a_wrong_option() -> None:
    @verb(panel=None)
    def broken(model: str = "mini") -> None:
        """Breaks."""
        TypeAdapter(int).validate_python("many")

    with pytest.raises(ValidationError):
        broken()


def test_output_that_the_terminal_cannot_write_is_replaced(tmp_path: Path) -> None:
    """In latin1, cp437 or ascii: characters are replaced, and nothing fails after the work is done."""
    atlas = tmp_path / "a.attlas"
    attlas.map("mini", atlas=atlas, sample=0, **SMALL)
    for encoding in ("ascii", "latin1", "cp437"):
        done = subprocess.run(
            [sys.executable, "-m", "attlas", "show", str(atlas)],
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
        assert done.returncode == 0, done.stderr


def test_a_clone_that_is_not_installed_says_the_version_of_its_project(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python may only be pointed to the folder; an atlas says what made it all the same."""
    import importlib.metadata
    import tomllib

    from attlas.studies.provenance import software

    def missing(package: str) -> str:
        raise importlib.metadata.PackageNotFoundError(package)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    assert software()["attlas"] == project["version"]
    assert software()["torch"] == "unknown"


def test_a_library_that_is_missing_comes_with_a_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """From a clone, that folder; else by its name; into this Python. It is said before a model loads."""
    from attlas import extras

    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(extras, "_clone", lambda: tmp_path)
    monkeypatch.setattr("shutil.which", lambda name: sys.executable)
    with pytest.raises(AttlasError, match=rf"needs conllu: python -m pip install -e '{tmp_path}\[probes\]'"):
        attlas.probe.dependencies("no such model")
    monkeypatch.chdir(tmp_path)
    assert extras.install_command("ray") == "python -m pip install -e '.[ray]'"
    monkeypatch.setattr(extras, "_clone", lambda: None)
    assert extras.install_command("ray") == "python -m pip install 'attlas[ray]'"
    monkeypatch.setattr("shutil.which", lambda name: "another")
    monkeypatch.setattr("sys.executable", str(tmp_path / ".venv/bin/python"))
    assert extras.install_command("ray") == ".venv/bin/python -m pip install 'attlas[ray]'"
