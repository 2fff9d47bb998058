"""What programs ask, by the official client of the Model Context Protocol."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

import attlas
from attlas.atlas import Atlas, load_atlas
from attlas.cli import COMMANDS, app
from attlas.errors import AttlasError
from attlas.tools.mcp_server import make_server
from attlas.tools.toolbox import Toolbox
from run_apart import run_apart

ASK = Path(__file__).parent / "data" / "ask"
TOOLS = ["ask", "head", "find", "compare", "disable", "view"]


@pytest.fixture(scope="module")
def mini() -> Atlas:
    return load_atlas(ASK / "mini.attlas")


@pytest.fixture(scope="module")
def toolbox(mini: Atlas) -> Toolbox:
    return Toolbox(
        {"mini": mini, "again": mini, "smollm2": load_atlas(ASK / "smollm2.attlas")}, {"mini": "mini"}
    )


@pytest.fixture(scope="module")
def call(toolbox: Toolbox) -> Callable[..., Any]:
    """Calls a tool of a server in this process, and gives what its client gets."""

    async def called(tool: str, arguments: dict[str, Any]) -> Any:
        async with Client(make_server(toolbox)) as client:
            return await client.call_tool(tool, arguments)

    return lambda tool, **arguments: run_apart(called(tool, arguments))


def test_a_program_that_starts_the_command_gets_six_tools_that_only_read_and_an_answer():
    async def asked() -> Any:
        attlas_mcp = ["-m", "attlas", "mcp", str(ASK / "mini.attlas")]
        server = StdioServerParameters(command=sys.executable, args=attlas_mcp, env=dict(os.environ))
        async with Client(stdio_client(server)) as client:
            tools = (await client.list_tools()).tools
            listed = await client.read_resource("attlas://statistics")
            skill = await client.read_resource("attlas://skill")
            question = {"question": "which head finds the object of a verb?"}
            return client.instructions, tools, listed, skill, await client.call_tool("ask", question)

    instructions, tools, listed, skill, answer = run_apart(asked())
    assert "mini: 144 heads" in instructions
    assert [tool.name for tool in tools] == TOOLS
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert "to_next" in listed.contents[0].text
    assert "# Attlas for coding agents" in skill.contents[0].text
    assert answer.structured_content["heads"][0]["head"] == "7.10"


def test_an_answer_is_that_of_ask_with_the_command_that_measures_it_again(call, mini):
    question = "which head finds the object of a verb?"
    answer = call("ask", question=question, atlas="mini").structured_content
    expected = attlas.ask(mini, question)
    assert [head["sentence"] for head in answer["heads"]] == [head.sentence for head in expected.heads]
    assert answer["answer"].startswith("Head 7.10: ")
    assert all(head["command"].startswith("attlas probe dependencies mini") for head in answer["heads"])


def test_a_head_has_its_numbers_with_interval_and_baseline(call, mini):
    answer = call("head", head="7.0", atlas="mini").structured_content
    row = mini.head("7.0").query("statistic == 'to_next'").iloc[0]
    number = next(n for n in answer["numbers"] if n["statistic"] == "to the next token")
    assert number["value"] == row["value"]
    assert number["low"] < row["value"] < number["high"]
    assert number["baseline"] == "1 over the tokens in view"
    assert answer["sentences"]


def test_heads_are_found_by_a_statistic_as_the_grid_has_it(call, mini):
    answer = call("find", statistic="to_next", count=3, atlas="mini").structured_content
    grid = mini.grid("to_next")
    best = [f"{place // 12}.{place % 12}" for place in (-grid).argsort(axis=None)[:3]]
    assert [head["head"] for head in answer["heads"]] == best


def test_an_atlas_differs_in_nothing_from_itself_and_another_shape_cannot_be_compared(call):
    same = call("compare", first="mini", second="again", statistic="to_next").structured_content
    assert not any(head["apart"] for head in same["heads"])
    other = call("compare", first="mini", second="smollm2", statistic="to_next", atlas="")
    assert other.is_error


def test_disabling_says_what_the_command_says(call):
    answer = call("disable", heads=["7.10", "layer 3"], segments=2).structured_content
    result = attlas.disable(
        "mini", heads=["7.10", "layer 3"], edit="mean", segments=2, length=64, progress=False
    )
    changes = [row["change"] for row in (*result.as_data()["heads"], *result.as_data()["together"])]
    assert [row["heads"] for row in answer["sets"]] == ["7.10", "layer 3"]
    assert [row["change"] for row in answer["sets"]] == pytest.approx(changes, abs=1e-5)


def test_a_view_is_a_picture(call):
    words, picture = call("view", text="I went to the store.", layer=2, heads=[0]).content
    assert json.loads(words.text)["command"].startswith("attlas view mini 'I went to the store.'")
    assert picture.mime_type == "image/png"


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("ask", {"question": "x", "atlas": "../../precious"}, "there is no atlas"),
        ("ask", {"question": " "}, "1 to 2000 characters"),
        ("head", {"head": "99.99"}, "99.99"),
        ("find", {"statistic": "no_such"}, "attlas://statistics lists them"),
        ("find", {"statistic": "to_class", "group": "nouns"}, "its groups are"),
        ("disable", {"heads": []}, "name heads"),
        ("disable", {"heads": ["--save"]}, "cannot begin with a dash"),
        ("disable", {"heads": ["1.1"], "model": "/models/other"}, "there is no model"),
        ("view", {"text": "--page=x.html"}, "cannot begin with a dash"),
    ],
)
def test_a_wrong_question_is_answered_in_one_line(call, tool, arguments, says):
    answer = call(tool, **arguments)
    assert answer.is_error
    assert says in answer.content[0].text
    assert "\n" not in answer.content[0].text


def test_what_takes_too_long_is_ended(toolbox):
    with pytest.raises(AttlasError, match="not done in 1 seconds: ask for fewer heads"):
        toolbox.disable(["layer 0"], segments=200, seconds=1)


def test_two_atlases_of_one_name_are_refused(tmp_path):
    folder = tmp_path / "mini.attlas"
    folder.symlink_to(ASK / "mini.attlas")
    with pytest.raises(AttlasError, match="two atlases are called mini"):
        attlas.mcp(ASK / "mini.attlas", folder)


def test_every_command_of_the_skill_can_be_run_as_it_stands():
    skill = Path(attlas.__file__).with_name("SKILL.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| .* \| `attlas ([^`]*)`", skill, re.MULTILINE)
    assert len(lines) > 8
    for line in lines:
        command, _, _ = app.parse_args(shlex.split(line), print_error=False, exit_on_error=False)
        assert command in COMMANDS, line
