"""The arrow between rooms: nothing further right is imported further left."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import groupby
from pathlib import Path

import pytest

import attlas

ROOT = Path(attlas.__file__).parent
#: from left to right; names beside each other are one step
ARROW = (
    ("errors", "extras", "address", "array_types", "row", "choices", "files", "outputs", "progress"),
    ("corpora",),
    ("statistics",),
    ("subject",),
    ("tap",),
    ("edits",),
    ("reducers",),
    ("engines",),
    ("options",),
    ("wording",),
    ("atlas",),
    ("studies",),
    ("figures",),
    ("views",),
    ("reports", "papers", "headvis"),
    ("tools", "server", "site"),
    ("probe", "edit", "verbs", "terminal"),
    ("cli", "__init__", "__main__"),
)
#: room -> where it stands
PLACE = {room: step for step, rooms in enumerate(ARROW) for room in rooms}
#: what bends the arrow, and why
EXCEPTIONS = {
    ("subject/survey.py", "tap"): "the survey of a model's heads borrows the tap's calls and masks",
    ("outputs.py", "atlas"): "a table that is there already is ours if it has declared columns",
    ("atlas/atlas.py", "reports"): "atlas.ask(...) hands the question on, when one is asked",
    ("studies/callback.py", "figures"): "the callback of a training draws its curves, when it is asked to",
}
#: files of one room that import each other, and why
CIRCLES = {
    ("tap/kernels.py", "tap/triton"): "kernels choose the fused pass, which leaves to them what it cannot do",
}
#: names that say nothing of what they hold
EMPTY = {"found", "own", "given", "one", "each", "told"}


def test_contributing_draws_the_same_arrow() -> None:
    drawn = (
        (ROOT.parent.parent / "CONTRIBUTING.md")
        .read_text()
        .split("\n\n    corpora ->")[1]
        .partition("\n\n")[0]
    )
    steps = [tuple(step.replace(" ", "").split(",")) for step in "".join(drawn.split("\n")).split("->")]
    hidden = {"__init__", "__main__"}
    assert steps == [tuple(room for room in rooms if room not in hidden) for rooms in ARROW[2:]]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[str]:
    """The modules of attlas that a file imports, in functions too; typing alone aside."""
    tree = parsed(path)
    typing_only = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for part in node.body
        for inner in ast.walk(part)
    }
    package = ".".join(["attlas", *path.relative_to(ROOT).parts[:-1]])
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        match node:
            case ast.Import(names=names):
                yield from (a.name for a in names if a.name.startswith("attlas"))
            case ast.ImportFrom(module=str(base), names=names) if base.split(".")[0] == "attlas":
                yield from (f"{base}.{a.name}" if file_of(f"{base}.{a.name}") else base for a in names)
            case ast.Call(func=ast.Name("import_module"), args=[ast.Constant(str(name))]):
                yield from [name] if name.startswith("attlas.") else ()
            case ast.Call(
                func=ast.Name("import_module"),
                args=[ast.JoinedStr(values=[ast.FormattedValue(value=ast.Name("__name__")), *_])],
            ):
                yield from (
                    f"{package}.{beside.stem}" for beside in path.parent.glob("*.py")
                )  # all of its room


@cache
def file_of(module: str) -> Path | None:
    """The file of a module of attlas; None where the name is none."""
    place = ROOT.joinpath(*module.split(".")[1:])
    return next((p for p in (place.with_suffix(".py"), place / "__init__.py") if p.exists()), None)


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def test_every_room_has_its_place() -> None:
    assert {room_of(p) for p in ROOT.rglob("*.py")} == set(PLACE)


def test_nothing_further_right_is_imported_further_left() -> None:
    bent = set()
    for path in sorted(ROOT.rglob("*.py")):
        for module in imports(path):
            parts = module.split(".")
            room = parts[1] if len(parts) > 1 else "__init__"
            if room in PLACE and PLACE[room] > PLACE[room_of(path)]:
                bent.add((str(path.relative_to(ROOT)), room))
    assert bent == set(EXCEPTIONS)


def test_no_files_import_each_other_in_a_circle() -> None:
    """Functions' imports count as those of files do: a circle that only a call closes is one, too."""
    allowed = {*EXCEPTIONS, *CIRCLES}
    needs: dict[str, set[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        file = str(path.relative_to(ROOT))
        others = {str(other.relative_to(ROOT)) for name in imports(path) if (other := file_of(name))}
        bent = {other for other in others for start, to in allowed if file == start and other.startswith(to)}
        needs[file] = others - bent - {file}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


@pytest.mark.parametrize("folder", ["research", "benchmarks", "docs", "examples"])
def test_what_stands_beside_the_package_imports_names_that_it_has(folder: str) -> None:
    """No test runs most of these scripts, and their types are not checked."""
    asked = (
        (path.name, str(node.module), alias.name)
        for path in sorted((ROOT.parents[1] / folder).glob("*.py"))
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("attlas")
        for alias in node.names
    )
    missing = [
        f"{script}: {module}.{name}"
        for script, module, name in asked
        if not hasattr(importlib.import_module(module), name)
        and importlib.util.find_spec(f"{module}.{name}") is None
    ]
    assert not missing


def test_no_two_rooms_have_a_file_of_one_name() -> None:
    """Or a reader who is told the name of a file finds another."""
    for name, paths in groupby(
        sorted(ROOT.rglob("*.py"), key=lambda path: path.name), lambda path: path.name
    ):
        places = [str(path.relative_to(ROOT)) for path in paths]
        assert len(places) == 1 or name == "__init__.py", f"{' and '.join(places)} share a name"


def test_variables_and_parameters_say_what_they_hold() -> None:
    """`rows`, `scores` and `options` do. What is imported, as hypothesis' `given`, keeps its name."""
    repository, empty = ROOT.parents[1], []
    for folder in ("src", "tests", "research", "benchmarks", "docs", "examples", "scripts"):
        for path in sorted((repository / folder).rglob("*.py")):
            for node in ast.walk(parsed(path)):
                match node:
                    case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) if name.rstrip("_") in EMPTY:
                        empty.append(f"{path.relative_to(repository)}:{node.lineno} {name}")
    assert not empty, f"name these by what they hold: {', '.join(empty)}"


def test_messages_below_the_command_line_name_no_flags() -> None:
    """In Python `--segments` is `segments`: `errors.option` and `errors.call` write either."""
    fronts = {"verbs", "options", "cli", "terminal", "reports"}  # a report lists commands to copy
    for path in sorted(ROOT.rglob("*.py")):
        if room_of(path) in fronts:
            continue
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Raise):
                flag = re.search(r"(?<![\w-])--[a-z]\w+", ast.unparse(node))
                assert flag is None or "ray start" in ast.unparse(node), f"{path.relative_to(ROOT)}: {flag}"
