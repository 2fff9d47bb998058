"""Nothing is added by halves. Each test takes the members of a kind from where the code keeps them, and says
what one of them lacks: an entry in the registry, a value compared with a reference, a line in the docs.

A reference is a test marked with `@pytest.mark.reference(NAME)`, which must hand values to the fixture
`compared` (tests/compared.py), or a test that runs over all members by itself (DECLARED, IN_TEXT, EDITS).
"""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from attlas import edit, probe
from attlas.atlas import REGISTRY
from attlas.choices import FIGURE_FORMATS, PROBES, VERBS
from attlas.edits import EDITS
from attlas.edits.head_edit import HeadEdit
from attlas.engines import ENGINES
from attlas.figures import FIGURES
from attlas.figures.drawing import METADATA
from attlas.reducers import surface_statistics
from attlas.studies.patterns import definitions, needles
from attlas.studies.patterns.definitions import CONTENT, IN_TEXT, POSITION, SPREAD
from attlas.verbs import every_verb
from attlas.wording.names import PATTERNS, SCORED_ONLY
from attlas.wording.vocabulary import DIRECTION, PATTERN_DOES
from attlas.wording.vocabulary import EDITS as WORDS_OF_EDITS
from listed import CLASSES, DECLARED, MORE_OFFSETS

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "attlas"
#: patterns that a score is given for, but not from attention in a text
OTHER_PATTERNS = [name for name in (*PATTERNS, *SCORED_ONLY) if name not in (*IN_TEXT, "induction_text")]
#: probe -> the statistics that it leaves in an atlas, each of which has its own reference
PROBED = {name: {s.name for s in REGISTRY.values() if s.probe == name} for name in probe.__all__}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(folder: Path) -> Iterator[tuple[Path, ast.FunctionDef]]:
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef):
                yield path, node


def gives(function: ast.FunctionDef, kind: str) -> bool:
    """Whether it is declared to return this, quoted or not."""
    return function.returns is not None and ast.unparse(function.returns).strip("\"'") == kind


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@cache
def references() -> dict[str, Path]:
    """What tests are marked as a reference of -> where."""
    marked = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.reference":
                marked |= {ast.literal_eval(name): path for name in node.args}
    return marked


@cache
def calls_in_tests() -> set[str]:
    """attlas.map, probe.tree ..., as tests call them."""
    return {
        ast.unparse(node.func)
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }


# ---- references ----------------------------------------------------------------------------------


def test_what_is_marked_as_a_reference_compares() -> None:
    for path, function in functions(ROOT / "tests"):
        marks = [mark for mark in function.decorator_list if "pytest.mark.reference(" in ast.unparse(mark)]
        takes = {argument.arg for argument in function.args.args}
        assert not marks or "compared" in takes, f"{path.name}: {function.name} does not take `compared`"


def test_references_are_of_things_that_exist() -> None:
    figures, patterns = {f"figure {name}" for name in FIGURES}, {f"pattern {name}" for name in OTHER_PATTERNS}
    unknown = references().keys() - REGISTRY.keys() - figures - patterns
    assert not unknown, f"tests are marked as references of what is not there: {sorted(unknown)}"


# ---- statistics ----------------------------------------------------------------------------------


def test_every_mean_that_is_declared_belongs_to_the_surface() -> None:
    """Or nothing would count it, and no test would see it."""
    called = {
        ast.unparse(node.func)
        for taken in (surface_statistics.surface, surface_statistics.over_a_sample)
        for node in ast.walk(ast.parse(inspect.getsource(taken)))
        if isinstance(node, ast.Call)
    }
    for path, function in functions(SOURCE):
        public = not function.name.startswith("_")
        if public and function.returns is not None and ast.unparse(function.returns) == "list[Mean]":
            where = path.relative_to(SOURCE)
            assert function.name in called, (
                f"{where}: {function.name} declares statistics: add it to surface() in "
                "reducers/surface_statistics.py"
            )


def test_means_are_declared_in_one_place() -> None:
    for path in sorted(SOURCE.rglob("*.py")):
        makes = {ast.unparse(node.func) for node in ast.walk(parsed(path)) if isinstance(node, ast.Call)}
        where = path.relative_to(SOURCE)
        assert "Mean" not in makes or path.name == "surface_statistics.py", (
            f"{where} declares a statistic: move it to reducers/surface_statistics.py, where tests see it"
        )


@pytest.mark.parametrize("statistic", DECLARED)
def test_a_statistic_that_is_declared_is_registered(statistic: str) -> None:
    assert statistic in REGISTRY, f"register {statistic} in src/attlas/atlas/registry/surface.py"


def test_a_statistic_that_is_taken_by_norm_is_registered() -> None:
    means = surface_statistics.surface_by_norm(SimpleNamespace(names=CLASSES), MORE_OFFSETS).means  # type: ignore[arg-type]
    missing = {mean.statistic for mean in means} - REGISTRY.keys()
    assert not missing, (
        f"{missing} are measured by norm: register them, or see by_norm in atlas/registry/entry.py"
    )


@pytest.mark.parametrize("statistic", REGISTRY)
def test_a_statistic_that_is_registered_has_a_reference_and_is_documented(statistic: str) -> None:
    assert statistic in {*DECLARED, *references()}, (
        f"no test compares {statistic} with a reference: mark one with @pytest.mark.reference({statistic!r})"
    )
    line = f"| `{statistic}` |"
    assert line in page("statistics.md"), f"docs/statistics.md lacks {statistic}: run scripts/docs"


# ---- patterns ------------------------------------------------------------------------------------


def test_a_pattern_that_has_targets_is_listed_with_its_null() -> None:
    """A case that nobody lists is never scored."""
    for function, names in ((definitions.targets, (*POSITION, *CONTENT)), (definitions.ideals, SPREAD)):
        source = ast.parse(inspect.getsource(function))
        cases = {
            ast.literal_eval(node.value) for node in ast.walk(source) if isinstance(node, ast.MatchValue)
        }
        assert cases == set(names), (
            f"name {cases ^ set(names)} in POSITION, CONTENT or SPREAD and in {function.__name__}() of "
            "studies/patterns/definitions.py"
        )


@pytest.mark.parametrize("pattern", [*IN_TEXT, *OTHER_PATTERNS])
def test_a_pattern_has_a_name_a_reference_and_a_line_in_the_docs(pattern: str) -> None:
    """Those that are seen in text are all compared by `test_scores_and_nulls_equal_the_reference`."""
    assert pattern in {**PATTERNS, **SCORED_ONLY}, f"give {pattern} a name: PATTERNS in wording/names.py"
    assert pattern in IN_TEXT or f"pattern {pattern}" in references(), (
        f"no test compares {pattern} with a reference: mark one with "
        f"@pytest.mark.reference('pattern {pattern}')"
    )
    assert f"`{pattern}`" in page("patterns.md"), f"docs/patterns.md does not say what {pattern} is"


def test_a_pattern_has_words_for_what_a_head_does_that_follows_it() -> None:
    assert PATTERN_DOES.keys() == {**PATTERNS, **SCORED_ONLY}.keys(), "PATTERN_DOES in wording/vocabulary.py"


def test_the_docs_have_the_words_of_needles_in_the_order_they_are_drawn_from() -> None:
    for what, words in (("who", needles.WHO), ("what", needles.WHAT), ("where", needles.WHERE)):
        assert f"- {what}: {', '.join(words)}\n" in page("patterns-details.md")


# ---- edits ---------------------------------------------------------------------------------------


def test_every_edit_is_listed() -> None:
    for path, function in functions(SOURCE / "edits"):
        public = not function.name.startswith("_") and function in parsed(path).body
        if public and gives(function, HeadEdit.__name__):
            assert function.name in EDITS, f"list {function.name} in EditName (edits/switching_off.py)"


def test_an_edit_has_words_for_what_it_does_to_a_head() -> None:
    assert WORDS_OF_EDITS.keys() == EDITS.keys(), "EDITS in wording/vocabulary.py"


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_public_and_documented(name: str) -> None:
    """What it does is compared by `test_an_edit_does_what_it_says_and_nothing_else`, for all of them."""
    assert name in edit.__all__, f"list {name} in __all__ (edits/switching_off.py)"
    assert f"| `{name}` |" in page("disabling.md"), f"docs/disabling.md lacks {name}: run scripts/docs"


# ---- engines -------------------------------------------------------------------------------------


def test_every_engine_is_listed() -> None:
    """Whatever runs the shards of a pass."""
    takes = ["self", "subject", "pass_", "work", "advance"]
    modules = {
        path.stem
        for path, function in functions(SOURCE / "engines")
        if function.name == "run" and [a.arg for a in function.args.args] == takes and path.stem != "engine"
    }
    assert modules == set(ENGINES), f"name {modules ^ set(ENGINES)} in EngineName (choices.py)"


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_can_be_chosen_and_is_documented(name: str) -> None:
    """That it gives the same bits is seen by tests/engines/test_engines.py, for all of them."""
    module = import_module(f"attlas.engines.{name}")
    assert hasattr(module, "engine"), f"engines/{name}.py has no engine(workers, address), which makes one"
    assert f"| `{name}` |" in page("cluster.md"), f"docs/cluster.md lacks {name}: run scripts/docs"


# ---- charts --------------------------------------------------------------------------------------


def test_every_chart_is_declared() -> None:
    """Whatever makes a group of panels; `compare` and `probe tree` draw one each by themselves."""
    listed = {recipe.group.__name__ for recipe in FIGURES.values()} | {"curves", "_heads"}
    for path, function in functions(SOURCE / "figures"):
        if gives(function, "Group"):
            where = f"{path.relative_to(SOURCE)}: {function.name}"
            assert function.name in listed, f"{where} is not declared: @chart(...) in figures/charts/"


def test_every_format_of_figures_says_what_its_files_keep() -> None:
    assert set(METADATA) == set(FIGURE_FORMATS), "add it to METADATA in figures/drawing.py"


@pytest.mark.parametrize("figure", FIGURES)
def test_a_chart_has_a_reference_and_a_line_in_the_docs(figure: str) -> None:
    assert f"figure {figure}" in references(), (
        f"no test compares what {figure} draws with the atlas: mark one with "
        f"@pytest.mark.reference('figure {figure}')"
    )
    assert f"| `{figure}` |" in page("figures.md"), f"docs/figures.md lacks {figure}: run scripts/docs"


# ---- verbs and probes ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*VERBS, *PROBES])
def test_a_file_of_verbs_is_a_verb(name: str) -> None:
    folder = "verbs/probe" if name in PROBES else "verbs"
    decorated = {
        node.name: {ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list}
        for node in parsed(SOURCE / folder / f"{name}.py").body
        if isinstance(node, ast.FunctionDef)
    }
    verbs = [function for function, decorators in decorated.items() if "verb" in decorators]
    assert verbs == [name], f"{folder}/{name}.py needs one function with the decorator verb: {name}"
    panel = every_verb()[name].panel
    assert (panel == "Probes") is (name in PROBES), f"{folder}/{name}.py: {panel} is not its panel"


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_called_by_a_test_and_documented(name: str) -> None:
    assert f"attlas.{name}" in calls_in_tests(), f"no test calls attlas.{name}"
    assert f"## `attlas.{name}`" in page("api.md"), f"docs/api.md lacks {name}: run scripts/docs"
    if every_verb()[name].panel is not None:
        assert f"## attlas {name}\n" in page("cli.md"), f"docs/cli.md lacks {name}: run scripts/docs"


@pytest.mark.parametrize("name", PROBES)
def test_a_probe_leaves_registered_statistics_and_is_documented(name: str) -> None:
    assert PROBED[name], f"register the statistics that {name} leaves: atlas/registry/probes.py"
    assert f"probe.{name}" in calls_in_tests(), f"no test calls probe.{name}"
    assert f"| `attlas probe {name}` |" in page("probes.md"), f"docs/probes.md lacks {name}: run scripts/docs"


@pytest.mark.parametrize("name", [s.name for s in REGISTRY.values() if s.family in ("link", "weight")])
def test_a_statistic_of_a_probe_says_which(name: str) -> None:
    known = (*PROBES, *VERBS)
    assert REGISTRY[name].probe in known, f"which probe leaves {name}? See atlas/registry/probes.py"


def test_statistics_of_links_say_which_way_they_look() -> None:
    links = {s.name for s in REGISTRY.values() if s.family == "link"}
    assert DIRECTION.keys() == links, "DIRECTION in wording/vocabulary.py"


def test_probes_leave_what_is_said_of_them(subject_of: typing.Any) -> None:
    """Those that need no training; `probe.tree` is run by test_trees_features.py."""
    data = Path(__file__).parent / "data"
    model = subject_of("bert")
    corpora = {"coreference": [data / "gum", data / "gap.tsv"], "frames": [data / "framenet_v17"]}
    for name in {*PROBES} - {"tree"}:
        more: dict[str, typing.Any] = {"min_count": 5} if name in ("dependencies", "coreference") else {}
        more |= {"wordnet": data / "wordnet"} if name == "related" else {}
        several = corpora.get(name, [data / "gum"])
        results = [getattr(probe, name)(model, corpus, progress=False, **more) for corpus in several]
        left = {row.statistic for result in results for row in result.rows}
        assert left == PROBED[name], f"probe.{name} leaves {left}, and the registry says {PROBED[name]}"
