"""`attlas view` in the terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from attlas.cli import main

TEXTS = ("I went to the store.", "At the store, I bought fresh strawberries.")


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stopped:
        main(["view", *arguments])
    return stopped.value.code or 0


def test_the_page_and_the_figure_go_where_they_are_sent(tmp_path, capsys):
    page, figure = tmp_path / "page.html", tmp_path / "out.svg"
    assert (
        run("mini", *TEXTS, "--layer", "2", "--heads", "0", "--page", str(page), "--figure", str(figure)) == 0
    )
    assert page.read_text().startswith("<!doctype html>")
    assert "head 2.0" in figure.read_text()
    assert capsys.readouterr().out.split() == [str(page), str(figure)]


def test_without_a_place_to_go_the_page_opens_in_the_browser(monkeypatch, capsys):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert run("mini", TEXTS[0], "--kind", "model", "--json") == 0
    [file] = json.loads(capsys.readouterr().out)
    assert opened == [f"file://{file}"]
    assert '"kind":"model"' in Path(file).read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mini"], "a model needs a text"),
        (["mini", ""], "the text is empty"),
        (["mini", "--file", "nowhere.txt"], "nowhere.txt: No such file or directory"),
        (["mini", "text", "--file", "nowhere.txt"], "not both"),
        (["mini", "text", "--page", "/dev/null/page.html"], "/dev/null is not a folder"),
        (["mini", "text", "--order", "hat"], "cannot be ordered by 'hat': choose one of layer"),
        (["mini", "text", "--generate", "3"], "mini cannot write"),
        (["mini", "word " * 600], "takes at most"),
        (["mini", "text", "--layer", "40"], "no layer 40 here"),
        (["mini", "text", "--kind", "hat"], "hat"),
        (["mini", "text", "--figure", "out.gif"], "name it .svg, .pdf or .png"),
        (["mini", "text", "--atlas", "nowhere"], "nowhere: no such atlas"),
    ],
)
def test_what_is_wrong_is_one_line_and_no_traceback(arguments, message, capsys):
    assert run(*arguments) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_a_text_file_is_read(tmp_path):
    story, page = tmp_path / "story.txt", tmp_path / "page.html"
    story.write_text("Strawberries are red.", encoding="utf-8")
    assert run("mini", "--file", str(story), "--kind", "text", "--page", str(page)) == 0
    assert '"straw"' in page.read_text() or '"stra"' in page.read_text()
    assert "story.txt" not in page.read_text().split('data-attlas="scene">')[1].split("</script>")[0]


@pytest.mark.parametrize(
    "arguments",
    [["mini"], ["mini", "x", "--page", "/dev/null/page.html"], ["mini", "x", "--figure", "f.gif"]],
)
def test_what_is_wrong_is_said_before_a_model_is_loaded(arguments, monkeypatch, capsys):
    def load(*_, **__):
        raise AssertionError("a model was loaded")

    monkeypatch.setattr("attlas.subject.load", load)
    assert run(*arguments) == 1
    assert "loaded" not in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["mini"], ["mini", " "]])
def test_a_missing_text_is_said_before_pytorch_is_loaded(arguments):
    code = f"""
import sys
from attlas.cli import main
try:
    main(["view", *{arguments!r}])
except SystemExit:
    sys.exit("torch" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "text" in ran.stderr
