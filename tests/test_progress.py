"""Progress bars: they count what they say, in words."""

from __future__ import annotations

import ast
import io
from contextlib import redirect_stderr
from pathlib import Path

import pytest
import rich.console

import attlas
from attlas.corpora.text import text_corpus
from attlas.corpora.text_source import TextSource
from attlas.engines.passes import Pass
from attlas.progress import progress_bars, status_line, tell
from attlas.studies.pass_words import WORDS, bar_of
from attlas.subject import Subject

STUDIES = Path(attlas.__file__).parent / "studies"
#: functions that are given the name of a pass, and where
NAMED = {"Pass": 0, "_pass": 0, "_beside": 2, "_effects": 1, "_judged": 1, "_ask_heads": 1}


def names() -> set[str]:
    """The names that studies give to passes; of one that is put together, its beginning."""
    literals = set()
    for path in STUDIES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called not in NAMED or len(node.args) <= NAMED[called]:
                continue
            name = node.args[NAMED[called]]
            if isinstance(name, ast.JoinedStr):
                name = name.values[0]
            if isinstance(name, ast.Constant):
                literals.add(str(name.value).rstrip("-"))
    return literals


def test_every_pass_has_words() -> None:
    assert len(names()) > 20
    assert names() <= WORDS.keys()


def test_what_is_counted_is_said(mini: Subject) -> None:
    source = TextSource(text_corpus(), mini.tokenizer, 32, 40)
    assert bar_of(Pass("statistics", source, [])) == ("where heads look", 40, "segments")
    half = source.only(lambda item: item.id.document % 2 == 0)  # how many these are, nobody knows yet
    assert bar_of(Pass("alone", half, [])) == ("without each head", None, "segments")
    assert bar_of(Pass("features-train-b81fd3c4", source, [], items=7)) == (
        "recording attention",
        7,
        "segments",
    )
    assert bar_of(Pass("predictive", source, [])) == (
        "hiding tokens, one at a time", None, "texts with a token hidden",
    )  # fmt: skip


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
