"""Marks tests by what they need, so that `scripts/test fast` can leave out those that take long.

- `browser`: opens a page in Chromium
- `ray`: starts a Ray cluster
- `zoo`: goes over all architectures
- `process`: starts processes of its own
- `slow`: takes long for other reasons: whole studies, reports, notebooks and figures, GPU kernels in Triton's
  interpreter, and what says so above the test
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from inspect import getsource, unwrap
from types import FunctionType
from typing import Any

import pytest
import torch

#: what starts a process
STARTS = re.compile(
    r"subprocess\.|multiprocessing\.|ProcessPool|os\.fork|pty\.|\bPopen\b|Cluster\(|"
    r"workers\W+[1-9]|\"processes\"|kill_and_resume\(|OwnProcess\("
)

#: files whose tests carry out studies, run notebooks, draw every figure, or go over every reducer, kernel and
#: wrong input
WHOLE = (
    "test_ahead.py",
    "test_bad_input.py",
    "test_bertviz_notebooks.py",
    "test_clusters.py",
    "test_decoders.py",
    "test_figure.py",
    "test_figures.py",
    "test_headvis.py",
    "test_images_read.py",
    "test_map.py",
    "test_paper_tables.py",
    "test_quantised.py",
    "test_questions.py",
    "test_recorded.py",
    "test_reducers.py",
    "test_report.py",
    "test_report_page.py",
    "test_reproduce.py",
    "test_threads.py",
    "test_triton.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function):
            for mark in marks_of(item):
                item.add_marker(mark)


def marks_of(item: pytest.Function) -> Iterator[str]:
    params = item.callspec.params.values() if hasattr(item, "callspec") else ()
    values = [value for value in params if isinstance(value, str)]
    if "chromium" in item.fixturenames:
        yield "browser"
    if "ray" in values or item.path.name == "test_ray.py":
        yield "ray"
    zoo: Any = getattr(item.module, "ZOO", ())
    if any(value in zoo for value in values):
        yield "zoo"
    interpreted = not torch.cuda.is_available() and {"triton", "fused"} & {*values}
    if item.path.parent.name == "studies" or item.path.name in WHOLE or interpreted:
        yield "slow"
    if any("process" in value for value in values) or any(_starts(function) for function in _functions(item)):
        yield "process"


def _functions(item: pytest.Function) -> Iterator[Callable[..., Any]]:
    """The test and its fixtures."""
    yield item.function
    for fixtures in item._fixtureinfo.name2fixturedefs.values():
        yield fixtures[-1].func


@cache  # a test has many cases
def _starts(function: Callable[..., Any]) -> bool:
    return _starts_processes(function, set())


def _starts_processes(function: Callable[..., Any], seen: set[str]) -> bool:
    """Whether it does, or one of the functions of the tests' own that it calls."""
    function = unwrap(function)
    if not isinstance(function, FunctionType) or function.__qualname__ in seen:
        return False
    seen.add(function.__qualname__)
    if "/tests/" not in function.__code__.co_filename:
        return False
    if _names_a_start(function):
        return True
    helpers = (function.__globals__.get(name) for name in function.__code__.co_names)
    return any(_starts_processes(helper, seen) for helper in helpers if isinstance(helper, FunctionType))


@cache  # a test has many cases
def _names_a_start(function: Callable[..., Any]) -> bool:
    return STARTS.search(getsource(function)) is not None
