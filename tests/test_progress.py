"""Progress bars: they count what they say, in words."""

from __future__ import annotations

import ast
import io
from contextlib import redirect_stderr
from dataclasses import replace
from pathlib import Path

import pytest
import rich.console

import attlas
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.engines.passes import Pass
from attlas.progress import progress_bars, status_line, tell
from attlas.studies.study_run import describe_bar
from attlas.subject import Subject

PACKAGE = Path(attlas.__file__).parent


def test_every_pass_says_what_it_does() -> None:
    passes = [
        (path.name, node.lineno, {keyword.arg for keyword in node.keywords})
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Pass"
    ]
    assert len(passes) > 20
    assert not [place for *place, keywords in passes if "doing" not in keywords]


def test_what_is_counted_is_said(mini: Subject) -> None:
    source = TextSource(text_corpus(), mini.tokenizer, 32, 40)
    statistics = Pass("statistics", source, [], doing="where heads look")
    assert describe_bar(statistics) == ("where heads look", 40, "segments")
    half = source.only(lambda item: item.id.document % 2 == 0)  # how many these are, nobody knows yet
    assert describe_bar(replace(statistics, source=half)) == ("where heads look", None, "segments")
    assert describe_bar(replace(statistics, items=7)) == ("where heads look", 7, "segments")
    hiding = Pass("predictive", source, [], doing="hiding tokens", runs="texts with a token hidden")
    assert describe_bar(hiding) == ("hiding tokens", None, "texts with a token hidden")


def test_a_bar_shows_how_many_of_what(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    console = rich.console.Console

    def terminal(**_: object) -> rich.console.Console:
        return console(file=written, force_terminal=True, width=100)

    monkeypatch.setattr("rich.console.Console", terminal)
    with progress_bars(True) as open_bar:
        open_bar("where heads look", 1000, "segments")(120)
        open_bar("counting links", None, "windows")(346)
        open_bar("copying needles", 16, "texts")(1346)
    shown = written.getvalue()
    assert "120/1,000 segments" in shown
    assert "346 windows" in shown
    assert "1,346/1,346 texts" in shown


def test_the_line_of_what_is_loading_stays_where_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries' own bars are sent elsewhere while they load."""
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stderr", terminal)
    with status_line(), redirect_stderr(io.StringIO()) as elsewhere:
        tell("loading a model")
    assert "loading a model" in terminal.getvalue()
    assert elsewhere.getvalue() == ""
