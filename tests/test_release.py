"""What a release holds, and what an installed command offers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from attlas.cli import app

SCRIPTS = Path(__file__).parents[1] / "scripts"
sys.path.insert(0, str(SCRIPTS))

from release_checks import NEEDED, find_faults, find_version_faults, user_extras  # noqa: E402
from release_trial import TRIALS  # noqa: E402

WHEEL = [*(f"attlas/{name}" for name in NEEDED), "attlas-0.1.0.dist-info/RECORD"]


def test_a_wheel_of_what_users_need_has_no_fault():
    assert find_faults(WHEEL, 15_000_000) == []


@pytest.mark.parametrize(
    "stray", ["attlas/tests/x.py", "attlas/research/maps.parquet", "attlas/views/bundle/sources.sha256"]
)
def test_what_only_development_needs_is_found(stray):
    assert find_faults([*WHEEL, stray], 1) == [f"has {stray}"]


def test_a_missing_stub_a_stranger_and_too_much_are_found():
    faults = find_faults([name for name in WHEEL if name != "attlas/probe.pyi"] + ["docs/a.md"], 30_000_000)
    assert faults == [
        "lacks attlas/probe.pyi",
        "has a top folder docs",
        "has 30.0 MB: at most 20 are expected",
    ]


def test_all_files_name_one_version():
    assert find_version_faults() == []


def test_a_release_tries_every_extra():
    assert {"", *user_extras()} <= set(TRIALS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands(shell):
    script = app.generate_completion(shell=shell)
    assert "disable" in script
    if shell == "bash":
        words = "COMP_WORDS=(attlas disab); COMP_CWORD=1; COMP_LINE='attlas disab'; COMP_POINT=12"
        asked = f"{script}\n{words}; _attlas attlas disab attlas; echo ${{COMPREPLY[@]}}"
        answer = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
        assert answer.stdout.split() == ["disable"]
