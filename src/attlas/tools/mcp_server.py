"""The tools as a server of the Model Context Protocol, by its official SDK."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from attlas.errors import AttlasError
from attlas.extras import version_of
from attlas.tools.answers import AskAnswer, CompareAnswer, DisableAnswer, FindAnswer, HeadAnswer
from attlas.tools.toolbox import Toolbox

P = ParamSpec("P")
R = TypeVar("R")

INSTRUCTIONS = """\
Attlas measures what each attention head of a Transformer does. Heads are written LAYER.HEAD, counted from 0.
Quote a number with its interval and baseline, as given. Attention shows where a head looks, not why a model
answers: for what a prediction needs, use `disable`. Do not call a finding shown when `shown` is false.

Atlases that can be asked:
"""


def make_server(toolbox: Toolbox) -> MCPServer:
    """Return a server with six read-only tools, and the list of statistics as a resource."""
    server = MCPServer(
        "attlas",
        version=version_of("attlas"),
        instructions=INSTRUCTIONS + toolbox.overview(),
        log_level="ERROR",
    )
    tool = _read_only(server)

    @tool
    def ask_atlas(question: str, atlas: str = "") -> AskAnswer:
        """Which heads do something? A question in plain English ("which head links objects to their verbs?"),
        answered from what was measured, with intervals and baselines."""
        return toolbox.ask(question, atlas)

    @tool
    def head(head: str, atlas: str = "") -> HeadAnswer:
        """Everything known about one head, as in 7.10: sentences first, then its numbers."""
        return toolbox.head(head, atlas)

    @tool
    def find(
        statistic: str, group: str = "", lowest: bool = False, count: int = 10, atlas: str = ""
    ) -> FindAnswer:
        """The heads with the most (or least) of a statistic, as in to_next, or to_class with the group sep.
        The resource attlas://statistics lists what there is."""
        return toolbox.find(statistic, group, lowest, count, atlas)

    @tool
    def compare(first: str, second: str, statistic: str, group: str = "", count: int = 10) -> CompareAnswer:
        """The heads whose statistic differs most between two atlases of models of one shape."""
        return toolbox.compare(first, second, statistic, group, count)

    @tool
    def disable(
        heads: list[str], model: str = "", edit: str = "mean", segments: int = 24, seconds: int = 120
    ) -> DisableAnswer:
        """What the model loses without heads. Each entry is disabled by itself: "7.10", "layer 3", or
        "7.9,7.10" together. Runs the model; ended after `seconds`."""
        return toolbox.disable(heads, model, edit, segments, seconds)

    @_read_only(server, structured=False)
    def view(
        text: str, layer: int = 0, heads: list[int] | None = None, model: str = "", seconds: int = 120
    ) -> list[Any]:
        """A picture of where a layer's heads look in a text, and the command that makes it."""
        answer, picture = toolbox.view(text, layer, heads, model, seconds)
        return [answer.model_dump_json(), Image(data=picture, format="png")]

    @server.resource("attlas://statistics")
    def statistics() -> str:
        """The statistics of the first atlas, each with its groups."""
        return "\n".join(toolbox.statistics())

    @server.resource("attlas://skill", mime_type="text/markdown")
    def skill() -> str:
        """Which command answers which question, what its numbers mean, and what not to claim."""
        return Path(__file__).parents[1].joinpath("SKILL.md").read_text(encoding="utf-8")

    return server


def _read_only(
    server: MCPServer, structured: bool | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a tool; an error the user can act on reaches the program as its one line."""

    def register(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **options: P.kwargs) -> R:
            try:
                return function(*args, **options)
            except AttlasError as error:
                raise ToolError(str(error)) from None

        name = function.__name__.removesuffix("_atlas")
        notes = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        server.tool(name=name, annotations=notes, structured_output=structured)(call)
        return call

    return register
