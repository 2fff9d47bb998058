"""The public face: exported names, documented names, and the tables in the docs agree."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pydoc
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import attlas
from attlas.atlas import COLUMNS, REGISTRY
from attlas.choices import VERBS
from attlas.cli import app
from attlas.subject import Subject

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "research").rglob("*.md")]


def test_the_public_names_are_the_documented_ones() -> None:
    documented = re.findall(r"^## `attlas\.(\w+)`", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE)
    assert sorted(documented) == sorted(attlas.__all__)
    others = set(attlas.__all__) - set(VERBS)
    assert len(others) <= 9, f"beside the verbs, few names are public: {', '.join(sorted(others))}"
    for name in attlas.__all__:
        assert getattr(attlas, name).__doc__, name


def test_files_made_from_the_code_are_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the docs say of the code, and the types and schemas of the front end:
    `scripts/docs` writes it."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    generate = importlib.import_module("generate")
    for path, text in generate.pages().items():
        assert path.read_text() == text, f"{path.name} is stale: run scripts/docs"


def test_version_licence_and_address_are_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = (ROOT / "CITATION.cff").read_text()
    for field in ("version", "license"):
        assert re.search(rf"^{field}: (.*)$", citation, re.MULTILINE)[1] == project[field]
    assert " ".join(re.search(r"abstract: >-\n((?:  .*\n)+)", citation)[1].split()) == project["description"]
    assert re.findall(r"^  - (\w+)$", citation, re.MULTILINE) == project["keywords"]
    texts = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*.ipynb")]
    assert [path.name for path in texts if project["urls"]["Repository"] in path.read_text()] == []


def test_the_statistics_page_explains_every_column_and_statistic() -> None:
    text = (ROOT / "docs" / "statistics.md").read_text()
    for name in (*COLUMNS, *REGISTRY):
        assert f"`{name}`" in text


def test_every_command_has_an_example() -> None:
    for name in (n for n in app if not n.startswith("-")):
        inner = [n for n in app[name] if not n.startswith("-")]
        for command in [app[name][n] for n in inner] or [app[name]]:
            assert "Example: attlas" in command.help, command.name


@pytest.mark.slow
@pytest.mark.parametrize("page", ["api", "atlas", "bertviz", "figures", "how-to", "recorded", "views"])
def test_python_in_the_docs_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page are one program, which may read an atlas and an example."""
    if page == "views":
        pytest.importorskip("anywidget", reason="anywidget is not installed")
    for place in {"atlas": ["mini.attlas"], "figures": ["out/mini.attlas"]}.get(page, []):
        shutil.copytree(ROOT / "tests" / "data" / "ask" / "mini.attlas", tmp_path / place)
    (tmp_path / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "bert-base-uncased_store_strawberries.npz", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / f"{page}.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    exec(compile("\n".join(blocks), page, "exec"), {})


def test_links_in_the_docs_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_names_in_the_docs_are_those_of_the_code() -> None:
    for page in PAGES:
        for name in re.findall(r"(?<![.\w])attlas(?:\.[A-Za-z_]\w*)+", page.read_text()):
            there = "NAME" in name or pydoc.locate(name) is not None
            assert there, f"{page.name}: there is no {name}"


def test_files_that_the_docs_name_are_there() -> None:
    rooms = "|".join(path.name for path in (ROOT / "src" / "attlas").iterdir() if path.is_dir())
    places = ROOT, ROOT / "src" / "attlas"
    for page in PAGES:
        named = re.findall(
            rf"`((?:{rooms}|src|tests|docs|scripts|benchmarks|research)/[\w./-]+)`", page.read_text()
        )
        for file in named:
            there = "NAME" in file or any((place / file).exists() for place in places)
            assert there, f"{page.name}: there is no {file}"


def test_stubs_are_made_without_heavy_libraries_and_declare_every_option(tmp_path: Path) -> None:
    """A build of the package makes them, and what it needs is downloaded for it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed, built_with = project["project"]["dependencies"], project["build-system"]["requires"]
    heavy = {re.split("[>=]", package)[0] for package in needed if package not in built_with} - {"rich"}
    code = (  # cyclopts brings rich
        "import runpy, sys\n"
        f"sys.modules |= dict.fromkeys({sorted(heavy)})\n"
        f"sys.argv = ['stubs.py', {str(tmp_path)!r}]\n"
        f"runpy.run_path({str(ROOT / 'scripts' / 'stubs.py')!r}, run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for stub, package in (("__init__.pyi", attlas), ("probe.pyi", attlas.probe)):
        declared: dict[str, Any] = {}
        exec((tmp_path / stub).read_text(), declared)  # which finds the types of all parameters
        for name in package.__all__:
            public = getattr(package, name)
            if hasattr(public, "panel"):  # a verb
                options, there = (inspect.signature(f).parameters for f in (public, declared[name]))
                assert {o.name: o.default for o in there.values()} == {
                    o.name: o.default for o in options.values()
                }
            else:
                assert declared[name] is public


def test_importing_attlas_is_light() -> None:
    heavy = ("torch", "pandas", "transformers", "matplotlib")
    code = f"import sys, attlas; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_python_prints_of_results_is_short(tmp_path: Path, mini: Subject) -> None:
    """Neither a whole table nor an address in memory."""
    atlas = attlas.map(mini, atlas=tmp_path / "a", segments=4, length=16, sample=0, progress=False)
    asked = attlas.show(atlas), attlas.show(atlas, head="7.9"), attlas.show(atlas, provenance=True)
    for result in (mini, atlas, *asked):
        assert len(repr(result)) < 300
        assert " object at 0x" not in repr(result)


def test_what_reads_an_atlas_needs_no_torch(tmp_path: Path, mini: Subject) -> None:
    """Which takes seconds to load: `show` and `draw` begin at once."""
    made = tmp_path / "a.attlas"
    attlas.map(mini, atlas=made, segments=4, length=16, sample=2, progress=False)
    code = (
        "import sys\n"
        "sys.modules['torch'] = sys.modules['transformers'] = None\n"
        "import attlas\n"
        f"attlas.show({str(made)!r})\n"
        f"attlas.draw({str(made)!r}, figures={str(tmp_path / 'drawn')!r}, formats=['svg'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "drawn" / "figure-1-maps.svg").is_file()


def test_the_core_needs_only_torch_transformers_and_numpy() -> None:
    """Subject, tap, edits and reducers run on a bare GPU machine."""
    code = (
        "import sys\n"
        "for heavy in ('pandas', 'pyarrow', 'scipy', 'matplotlib', 'rich', 'cyclopts'):\n"
        "    sys.modules[heavy] = None\n"
        "import attlas.edits, attlas.reducers, attlas.tap\n"
        "from attlas.subject import load\n"
        "subject = load('mini')\n"
        "from attlas.tap import capture\n"
        "print(len(capture(subject, subject.encode('A text.'))))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "12", done.stderr
