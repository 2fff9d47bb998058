"""The public face: exported names, documented names, and the tables in the docs agree."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import attlas
from attlas.atlas import COLUMNS, STATISTICS
from attlas.cli import app

ROOT = Path(__file__).parent.parent


def test_the_public_names_are_the_documented_ones() -> None:
    documented = re.findall(r"^## `attlas\.(\w+)`", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE)
    assert sorted(documented) == sorted(attlas.__all__)
    assert len(attlas.__all__) <= 12
    for name in attlas.__all__:
        assert getattr(attlas, name).__doc__, name


def test_every_statistic_is_documented_in_one_table() -> None:
    text = (ROOT / "docs" / "statistics.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", text, re.MULTILINE)
    assert {name: (groups, meaning) for name, groups, meaning in rows} == STATISTICS
    for column in COLUMNS:
        assert f"`{column}`" in text


def test_the_command_line_in_the_docs_is_the_real_one() -> None:
    text = (ROOT / "docs" / "cli.md").read_text()
    commands = [name for name in app if not name.startswith("-")]
    assert re.findall(r"^## `attlas (\w+)`", text, re.MULTILINE) == commands
    for name in commands:
        section = text.split(f"## `attlas {name}`")[1].split("\n## ")[0]
        for argument in app[name].assemble_argument_collection(parse_docstring=True):
            for flag in argument.names:
                assert flag in section, f"{name}: {flag} is not in docs/cli.md"


def test_importing_attlas_is_light() -> None:
    code = "import sys, attlas; print([m for m in ('torch', 'pandas', 'transformers', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_core_needs_only_torch_transformers_and_numpy() -> None:
    """Subject, tap, edits and reducers run on a bare GPU machine."""
    code = (
        "import sys\n"
        "for heavy in ('pandas', 'pyarrow', 'scipy', 'sklearn', 'matplotlib', 'rich', 'cyclopts'):\n"
        "    sys.modules[heavy] = None\n"
        "import attlas.edits, attlas.reducers, attlas.tap\n"
        "from attlas.subject import load\n"
        "subject = load('mini')\n"
        "from attlas.tap import capture\n"
        "print(len(capture(subject, subject.encode('A text.'))))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "12", done.stderr
