"""Says at the end of a run what was skipped and why, and fails it where that was not expected.

`--may-skip shared,browser` names what this machine lacks: `scripts/test` finds that out. Any other skip
then fails the run, so that a broken install or a missing file cannot pass for a green suite. Without the
option, the summary is all.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

#: what is missing -> the reasons that tests give for it
MISSING = {
    "shared": r"the shared data folder is not here",
    "browser": r"no Chromium|needs chromium",
    "npm": r"npm install|sources of the front end",
    "gpu": r"needs a GPU|CUDA",
    "mount": r"needs root and mount|cannot be mounted",
    "compiler": r"no compiled kernel",
    "triton": r"Triton is not installed",
}
OTHER = "other"


def missing(reason: str) -> str:
    """What a test that was skipped for this reason lacked."""
    return next((name for name, words in MISSING.items() if re.search(words, reason)), OTHER)


def skips_of(reports: list[pytest.TestReport | pytest.CollectReport]) -> Counter[tuple[str, str]]:
    """(what is missing, reason) -> how many tests."""
    reasons = [str(report.longrepr[2]) for report in reports if isinstance(report.longrepr, tuple)]
    plain = [reason.removeprefix("Skipped: ") for reason in reasons]
    return Counter((missing(reason), reason) for reason in plain)


def unexpected(skips: Counter[tuple[str, str]], may_skip: str | None) -> list[tuple[str, str]]:
    """Those that are not on the list, where there is one."""
    if may_skip is None:
        return []
    allowed = set(may_skip.replace(",", " ").split())
    return [skip for skip in skips if skip[0] not in allowed]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--may-skip",
        metavar="WORDS",
        help=f"fail when a test is skipped for another reason: any of {', '.join(MISSING)}",
    )


def pytest_configure(config: pytest.Config) -> None:
    allowed = set((config.getoption("--may-skip") or "").replace(",", " ").split())
    if unknown := allowed - MISSING.keys():
        raise pytest.UsageError(f"--may-skip: {', '.join(unknown)}: not one of {', '.join(MISSING)}")


def _skips(config: pytest.Config) -> Counter[tuple[str, str]]:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return skips_of(reporter.stats.get("skipped", [])) if reporter is not None else Counter()


def pytest_sessionfinish(session: pytest.Session) -> None:
    wrong = unexpected(_skips(session.config), session.config.getoption("--may-skip"))
    if wrong and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    skips = _skips(config)
    if not skips:
        return
    wrong = unexpected(skips, config.getoption("--may-skip"))
    terminalreporter.section("skipped")
    for (what, reason), tests in sorted(skips.items()):
        mark = " UNEXPECTED HERE" if (what, reason) in wrong else ""
        terminalreporter.write_line(f"{what}: {tests} tests: {reason}{mark}")
