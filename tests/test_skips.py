"""A skip that was not expected fails the run: each case is a run of pytest over a test that is skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

SKIPPED = """
import pytest


def test_one():
    pytest.skip({reason!r})
"""


@pytest.mark.parametrize(
    ("reason", "may_skip", "status"),
    [
        ("the shared data folder is not here", [], 0),
        ("the shared data folder is not here", ["--may-skip=shared"], 0),
        ("the shared data folder is not here", ["--may-skip="], 1),
        ("no Chromium to test with: it is gone", ["--may-skip=shared,gpu"], 1),
        ("could not import 'ray'", ["--may-skip=shared,browser,gpu"], 1),
    ],
)
def test_a_skip_fails_the_run_unless_it_is_expected(
    reason: str, may_skip: list[str], status: int, pytester: pytest.Pytester
) -> None:
    pytester.syspathinsert(Path(__file__).parent)
    pytester.makepyfile(SKIPPED.format(reason=reason))
    outcome = pytester.runpytest_inprocess("-p", "skips", "-p", "no:cacheprovider", *may_skip)
    assert outcome.ret == status
    outcome.stdout.fnmatch_lines([f"*: 1 tests: {reason}{' UNEXPECTED HERE' if status else ''}"])


def test_a_word_that_means_nothing_is_refused(pytester: pytest.Pytester) -> None:
    pytester.syspathinsert(Path(__file__).parent)
    outcome = pytester.runpytest_inprocess("-p", "skips", "--may-skip=everything")
    assert outcome.ret == pytest.ExitCode.USAGE_ERROR
    outcome.stderr.fnmatch_lines(["*--may-skip: everything: not one of shared, *"])
