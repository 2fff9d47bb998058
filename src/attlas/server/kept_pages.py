"""Pages that need no server: they keep the answers to what was asked before they were written."""

from __future__ import annotations

import base64
import html
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attlas.server.atlas_reports import atlas_report
from attlas.server.jobs import Work
from attlas.server.messages import JobResult, Model, Models, PreparedText, RunRequest
from attlas.server.python_lines import python_lines
from attlas.server.state import ServerState
from attlas.views.view_page import block, json_block, self_contained

SCHEMA = "attlas.kept/1"
_NO_SCRIPTS = "The page is drawn by a script inside this file: allow scripts to see it."


@dataclass(frozen=True)
class KeptAnswer:
    """What was asked, and its answer."""

    request: RunRequest
    answer: str  # a `RunResult` as JSON
    python: str


def kept_page(
    models: Models,
    answers: Sequence[KeptAnswer],
    reports: Mapping[str, str],
    opens: str,
    title: str,
) -> str:
    """The app as one file. `reports` are atlases by id, each an `AtlasReport` as JSON; `opens` is the part of
    an address that it begins with."""
    kept = [
        {"request": kept_answer.request.model_dump(), "block": f"answer-{i}", "python": kept_answer.python}
        for i, kept_answer in enumerate(answers)
    ]
    blocks = {f"answer-{i}": kept_answer.answer for i, kept_answer in enumerate(answers)}
    blocks |= {f"report-{id}": text for id, text in reports.items()}
    about = {
        "contract": SCHEMA,
        "models": models.model_dump(),
        "answers": kept,
        "reports": {id: f"report-{id}" for id in reports},
        "opens": opens,
    }
    return self_contained(
        f"{title} · Attlas",
        [json_block("app", about), *(block(name, _deflate(text)) for name, text in blocks.items())],
        f"<h1>{html.escape(title)}</h1><p>{_NO_SCRIPTS}</p>",
        front_end="app",
    )


def saved_page(state: ServerState, work: Work, opens: str) -> str:
    """A run that is done as a page of its own, with the cards of its models."""
    asked, resolved = (RunRequest.model_validate_json(text) for text in (work.asked, work.body))
    answer = JobResult.model_validate_json(work.answer or "").run
    assert answer is not None
    models = state.about_all()
    used = {asked.model, asked.beside.model if asked.beside else None}
    models = models.model_copy(
        update={"models": [_only(model, asked) for model in models.models if model.id in used]}
    )
    atlases = [model.atlas for model in state.served.models if model.id in used and model.atlas]
    reports = {atlas.id: atlas_report(atlas).model_dump_json() for atlas in atlases}
    python = python_lines(resolved, state.served, state.abouts())
    kept = KeptAnswer(asked, answer.model_dump_json(), python)
    return kept_page(models, [kept], reports, opens, asked.text[:60])


def _only(model: Model, asked: RunRequest) -> Model:
    """A model with no other text to begin with: the page has answers to none."""
    text = PreparedText(id="saved", title="The saved text", why="", request=asked)
    return model.model_copy(update={"texts": [text] if model.id == asked.model else []})


def _deflate(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 6)).decode("ascii")
