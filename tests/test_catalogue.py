"""The catalogue: every study declares itself once, and reading a chapter gives what its verb gave."""

from __future__ import annotations

import ast
import io
import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from rich.console import Console

import attlas
from attlas import cli, probe
from attlas.atlas import Atlas, load_atlas
from attlas.atlas.catalogue import CATALOGUE, Declaration
from attlas.atlas.catalogue.declaration import flags_of
from attlas.atlas.chapter import Chapter
from attlas.atlas.schema import ADDRESS
from attlas.reports.programme import command_again
from attlas.studies.study_result import result_of
from attlas.subject import Subject
from made_models import disturbed

SOURCE = Path(attlas.__file__).parent
DATA = Path(__file__).parent / "data"
KEPT = sorted((DATA / "ask").glob("*.attlas"))
TEXT = "The old river runs through a town. The town has a bridge. The bridge has two old towers.\n\n" * 9
#: what a command that makes a chapter again cannot know: where the atlas and the work are
ELSEWHERE = ("time", "software", "notes", "counts", "problems", "sampled", "training")


def printed(result: Any) -> str:
    console = Console(width=160, file=io.StringIO(), record=True)
    result.show(console)
    return console.export_text()


# ---- declarations --------------------------------------------------------------------------------


def test_every_study_is_in_the_catalogue() -> None:
    """A chapter names its study in what it says of itself."""
    calls = (
        node
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "described"
    )
    named = {ast.literal_eval(call.args[0]) for call in calls}
    differ = (named | {"vig2019"}) ^ set(CATALOGUE)
    assert not differ, f"declare {differ} in atlas/catalogue/ and list it in CATALOGUE"


@pytest.mark.parametrize("declared", CATALOGUE.values(), ids=lambda declared: declared.name)
def test_a_study_and_its_result_are_where_the_declaration_says(declared: Declaration) -> None:
    for address in filter(None, (declared.study, declared.result)):
        module, _, name = address.partition(":")
        assert hasattr(import_module(module), name), address


@pytest.mark.parametrize("declared", CATALOGUE.values(), ids=lambda declared: declared.name)
def test_the_command_of_a_study_is_one_that_the_terminal_reads(declared: Declaration) -> None:
    tokens = shlex.split(declared.command_for("mini", "a.attlas"))[1:]
    command, *_ = cli.app.parse_args(tokens, print_error=False, exit_on_error=False)
    assert command in cli.COMMANDS


def test_tables_of_one_study_have_different_names_and_columns() -> None:
    for declared in CATALOGUE.values():
        names = [table.name for table in declared.tables]
        assert len(set(names)) == len(names), declared.name
        for table in declared.tables:
            columns = [column.name for column in table.columns]
            assert len(set(columns)) == len(columns), f"{declared.name}/{table.name}: {columns}"


def test_flags_repeat_what_is_several_and_leave_out_what_is_off() -> None:
    options = {"heads": ["1.0", "layer 2"], "faithful": True, "strict": False, "min_count": 5}
    assert list(flags_of(options)) == ["--heads 1.0", "--heads 'layer 2'", "--faithful", "--min-count 5"]


# ---- chapters ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def verbs(
    subject_of: Callable[[str], Subject], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any]]:
    """What every verb that leaves a chapter returns, and the atlas; the options are not the usual ones."""
    folder = tmp_path_factory.mktemp("catalogue")
    (folder / "my.txt").write_text(TEXT)
    (folder / "other.txt").write_text(TEXT)
    for name in ("gum", "gap.tsv", "framenet_v17", "wordnet"):
        (folder / name).symlink_to(DATA / name)
    subject, atlas = subject_of("bert"), folder / "a.attlas"
    common: dict[str, Any] = {"atlas": atlas, "progress": False}
    text = {"text": folder / "my.txt", "segments": 6, "length": 24, "seed": 2}
    made = {
        "map": attlas.map(subject, **text, offsets=[2], sample=3, **common),
        "patterns": attlas.patterns(subject, **text, repeated=4, hidden=1, maps=1, tasks=0, **common),
        "tests": attlas.patterns(
            subject, **{**text, "text": folder / "other.txt"}, hidden=0, maps=0, test=4, **common
        ),
        "disable": attlas.disable(subject, **text, edit="zero", heads=["1.0", "layer 0"], **common),
        "repeated": attlas.disable(subject, text="repeated", segments=6, length=30, **common),
        "prune": attlas.prune(subject, **text, orders=["gradient"], steps=2, random_orders=1, **common),
        "patch": attlas.patch(subject, "agreement", count=9, seed=1, **common),
        "writes": attlas.writes(subject, **text, sentence="The river runs.", remove=3, **common),
        "why": attlas.why(subject, **text, heads=["1.0"], **common),
        "explain": attlas.explain(subject, **text, programs=2, test=3, alone=True, **common),
        "compare": attlas.compare(subject, disturbed(subject), **text, matched=3, shapes=2, **common),
        "dependencies": probe.dependencies(
            subject, folder / "gum", min_count=5, subtypes=True, shortest=3, pieces="first", **common
        ),
        "coreference": probe.coreference(subject, folder / "gum", min_count=2, candidates="words", **common),
        "pronouns": probe.coreference(subject, folder / "gap.tsv", min_count=2, seed=3, **common),
        "features": probe.features(subject, folder / "gum", input="words", windows=9, **common),
        "related": probe.related(subject, folder / "gum", wordnet=folder / "wordnet", **common),
        "frames": probe.frames(subject, folder / "framenet_v17", all_sentences=True, windows=9, **common),
        "tree": probe.tree(
            subject, folder / "gum", probes=["right-branching", "attention"], quick=True, epochs=1, **common
        ),
    }
    return atlas, made


def test_every_study_that_a_verb_runs_has_left_a_chapter(verbs: tuple[Path, dict[str, Any]]) -> None:
    atlas = load_atlas(verbs[0])
    papers = {name for name, declared in CATALOGUE.items() if declared.verb.startswith("reproduce")}
    missing = set(CATALOGUE) - papers - {atlas.about(chapter)["study"] for chapter in atlas.chapters}
    assert not missing, f"run the verb of {missing} in the fixture `verbs` of this file"


def test_every_chapter_shows_as_its_verb_did(verbs: tuple[Path, dict[str, Any]]) -> None:
    path, made = verbs
    for name, result in made.items():
        if isinstance(result, Atlas) or len(result.chapters) > 1:
            continue  # a map is shown by its summary, and patterns show two chapters at once
        shown = attlas.show(path, chapter=result.chapter.name)
        without_files = [line for line in printed(result).splitlines() if "are in " not in line]
        assert printed(shown.made).splitlines() == without_files, name
        assert type(shown.made) is type(result), name


def test_what_is_printed_of_patterns_stands_in_their_chapters(verbs: tuple[Path, dict[str, Any]]) -> None:
    path, made = verbs
    lines = set(printed(made["tests"]).splitlines())
    for chapter in made["tests"].chapters:
        shown = printed(attlas.show(path, chapter=chapter.name).made).splitlines()
        assert set(shown) <= lines, chapter.name


def test_json_has_every_table_that_is_declared_for_it(verbs: tuple[Path, dict[str, Any]]) -> None:
    for name, result in verbs[1].items():
        if isinstance(result, Atlas) or len(result.chapters) > 1 or name == "compare":
            continue
        data = json.loads(json.dumps(result.as_data()))
        for table in result.declaration.tables:
            if table.key and table.name in result.chapter.tables:
                kept = result.chapter.tables[table.name]
                assert len(data[table.key]) == len(kept), f"{name}: {table.key}"


def test_every_table_and_column_that_a_study_leaves_is_declared(verbs: tuple[Path, dict[str, Any]]) -> None:
    atlas = load_atlas(verbs[0])
    for key, frame in atlas.tables.items():
        chapter, _, name = key.partition("/")
        declared = CATALOGUE[atlas.about(chapter)["study"]]
        assert name in {table.name for table in declared.tables}, (
            f"declare the table {name} of {declared.name}"
        )
        columns = {*ADDRESS, *(column.name for column in declared.table(name).columns)}
        assert set(frame.columns) <= columns, (
            f"declare {set(frame.columns) - columns} of {declared.name}/{name}"
        )


def settings(about: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in about.items() if key not in ELSEWHERE}


@pytest.mark.slow
def test_the_command_of_a_chapter_makes_the_same_settings_again(
    verbs: tuple[Path, dict[str, Any]],
    subject_of: Callable[[str], Subject],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, _ = verbs
    atlas, subject, again = load_atlas(path), subject_of("bert"), tmp_path / "again.attlas"
    monkeypatch.chdir(path.parent)
    for chapter in atlas.chapters:
        tokens = shlex.split(command_again(atlas, chapter, "bert", str(again)))
        command, bound, _ = cli.app.parse_args(tokens[1:], print_error=False, exit_on_error=False)
        others = [disturbed(subject) if other == "disturbed" else other for other in bound.args[1:]]
        options = {**bound.kwargs, "progress": False, "overwrite": True}
        command(subject, *others, **options)
        made = load_atlas(again)
        study = atlas.about(chapter)["study"]
        same = [c for c in made.chapters if settings(made.about(c)) == settings(atlas.about(chapter))]
        assert same, f"{shlex.join(tokens)} does not make the {study} of {chapter} again"


# ---- what comes from elsewhere -------------------------------------------------------------------


def test_a_chapter_without_what_its_study_always_leaves_is_shown_as_it_is() -> None:
    about = {"study": "prune", "notes": []}
    whole = pd.DataFrame({"kind": ["encoder"], "layer": [0], "head": [0], "effect_goes": [1]})
    result = result_of([Chapter("c", about, (), {"order": whole})], "tiny")
    assert result is not None
    assert type(result).__name__ == "UnknownResult"
    assert "effect_goes" in printed(result)


def test_a_study_that_nobody_declared_shows_its_tables() -> None:
    chapter = Chapter("c", {"study": "mine", "notes": ["a note"]}, (), {"t": pd.DataFrame({"mine": [0.5]})})
    result = result_of([chapter], "tiny")
    assert result is not None
    assert "0.5000" in printed(result)
    assert result.as_data() == {"tables": {"t": [{"mine": 0.5}]}}


READING = """
import sys, attlas
from pathlib import Path
path, page = sys.argv[1:]
atlas = attlas.load_atlas(path)
for chapter in atlas.chapters:
    shown = attlas.show(path, chapter=chapter)
    shown.as_data(), shown._repr_html_()
attlas.show(path), attlas.show(path, head="0.0"), attlas.show(path, provenance=True)
attlas.ask(path, "which head finds the object of a verb?")
attlas.report(path, page=Path(page))
print(*sorted({"torch", "transformers"} & sys.modules.keys()))
"""


@pytest.mark.process
@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_reading_an_atlas_loads_no_model_library(path: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", READING, str(path), str(tmp_path / "page.html")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""
