"""What answers each route (`routes`), by its name there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Depends, Path, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.sse import ServerSentEvent

from attlas.server import messages as c
from attlas.server.atlas_reports import atlas_report
from attlas.server.jobs import ENDED, QueueFull, Work
from attlas.server.kept_pages import saved_page
from attlas.server.python_lines import python_lines
from attlas.server.state import ServerState

Id = Annotated[str, Path(max_length=64, pattern=r"^[A-Za-z0-9_.-]+$")]


class Unanswered(Exception):
    """A request that is answered with a status and a sentence."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, headers or {}


def _state(request: Request) -> ServerState:
    state: ServerState = request.app.state.server
    return state


def _session(request: Request) -> str:
    return str(request.state.session)


# ---- the page -------------------------------------------------------------------------------------


async def page() -> Response:
    """The app."""
    from attlas.server.page_shell import shell

    return HTMLResponse(shell())


async def script() -> Response:
    """The app's script."""
    from attlas.server.page_shell import script_text

    return Response(script_text(), media_type="text/javascript")


async def style() -> Response:
    """The app's style."""
    from attlas.server.page_shell import style_text

    return Response(style_text(), media_type="text/css")


async def health() -> dict[str, str]:
    """Whether the server answers."""
    return {"status": "ok"}


async def docs(request: Request) -> Response:
    """The API, as people read it."""
    from attlas.server.api_page import api_page

    return HTMLResponse(api_page(request.app.openapi()))


async def openapi(request: Request) -> Response:
    """The API, as programs read it."""
    return JSONResponse(request.app.openapi())


# ---- what there is --------------------------------------------------------------------------------


async def models(request: Request) -> c.Models:
    """Models, atlases, prepared texts and limits."""
    return _state(request).about_all()


async def report(id: Id, request: Request) -> c.AtlasReport:
    """An atlas: the cards of its heads, and what finds them."""
    atlas = _state(request).served.atlas(id)
    if atlas is None:
        raise Unanswered(404, "there is no such atlas")
    return await _state(request).in_thread(atlas_report, atlas)


# ---- jobs -----------------------------------------------------------------------------------------


async def run(asked: c.RunRequest, request: Request) -> c.Job:
    """Run a text: what the model predicts, which heads write it, what edits change, and the maps."""
    resolved = _state(request).served.resolve(asked)
    return _submit(request, "run", resolved.model_dump_json(), asked.model_dump_json())


async def writes(asked: c.WritesRequest, request: Request) -> c.Job:
    """Rank heads by what they write into one predicted token."""
    _state(request).served.model(asked.model)
    return _submit(request, "writes", asked.model_dump_json())


async def why(asked: c.WhyRequest, request: Request) -> c.Job:
    """Say who wrote the query and the key by which a head looks from one token at another."""
    run = _state(request).served.resolve(asked.run)
    return _submit(request, "why", asked.model_copy(update={"run": run}).model_dump_json())


def _submit(request: Request, kind: str, body: str, asked: str = "") -> c.Job:
    queue = _state(request).queue
    try:
        return queue.submit(_session(request), kind, body, asked).state()
    except QueueFull:
        why = f"{queue.limit} requests wait already: try again in a few seconds"
        raise Unanswered(429, why, {"retry-after": "3"}) from None


def _job(request: Request, id: str) -> Work:
    work = _state(request).queue.get(_session(request), id)
    if work is None:
        raise Unanswered(404, "there is no such job: it is not yours, or was forgotten")
    return work


async def job(id: Id, request: Request) -> c.Job:
    """How a job stands."""
    return _job(request, id).state()


async def _own(id: Id, request: Request) -> Work:
    """A job, before a stream begins: afterwards it is too late for a status."""
    return _job(request, id)


async def events(work: Annotated[Work, Depends(_own)], request: Request) -> AsyncIterator[ServerSentEvent]:
    """How a job stands, whenever that changes: events named `job`, the last of which has ended."""
    async for state in _state(request).queue.watch(work):
        yield ServerSentEvent(data=state, event="job")


async def result(id: Id, request: Request) -> Response:
    """What a job has found, once it is done."""
    work = _job(request, id)
    if work.answer is None:
        ended = work.phase in ENDED
        raise Unanswered(
            410 if ended else 409, work.message or ("it was cancelled" if ended else "it is not done yet")
        )
    return Response(work.answer, media_type="application/json")


async def cancel(id: Id, request: Request) -> c.Job:
    """Cancel a job: in the queue, or in the middle of the model."""
    work = _job(request, id)
    _state(request).queue.cancel(work)
    return work.state()


async def python(asked: c.RunRequest, request: Request) -> c.PythonLines:
    """The lines of Python that give the same numbers."""
    state = _state(request)
    return c.PythonLines(code=python_lines(state.served.resolve(asked), state.served, state.abouts()))


async def save(asked: c.SaveRequest, request: Request) -> Response:
    """A run as a page of its own, which needs no server."""
    work = _job(request, asked.job)
    if work.answer is None or work.kind != "run":
        raise Unanswered(409, "only a run that is done can be saved")
    saved = await _state(request).in_thread(saved_page, _state(request), work, asked.address)
    return HTMLResponse(saved, headers={"content-disposition": 'attachment; filename="attlas.html"'})


HANDLERS: dict[str, Any] = {
    function.__name__: function
    for function in (
        *(page, script, style, health, docs, openapi, models, report),
        *(run, writes, why, job, events, result, cancel, python, save),
    )
}
