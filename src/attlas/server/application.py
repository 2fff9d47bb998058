"""The ASGI application: the list of routes behind the gate."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from attlas.errors import AttlasError
from attlas.extras import version_of
from attlas.server.gate import Gate
from attlas.server.handlers import HANDLERS, Unanswered
from attlas.server.messages import JobResult, Problem
from attlas.server.policy import Policy
from attlas.server.routes import ROUTES
from attlas.server.served import Served
from attlas.server.state import ServerState

TITLE = "Attlas"
#: statuses that a handler may answer with beside 200
_PROBLEMS: dict[str, tuple[int, ...]] = {
    "run": (422, 429),
    "writes": (422, 429),
    "python": (422,),
    "save": (404, 409),
    "job": (404,),
    "events": (404,),
    "cancel": (404,),
    "result": (404, 409, 410),
    "report": (404,),
}
#: what answers with something else than JSON of its type
_MEDIA: dict[str, str] = {
    "page": "text/html",
    "docs": "text/html",
    "save": "text/html",
    "script": "text/javascript",
    "style": "text/css",
    "openapi": "application/json",
}


_PROBLEM = {"$ref": "#/components/schemas/Problem"}


def application(state: ServerState, policy: Policy) -> Gate:
    """The whole application, with its gate outermost."""
    return Gate(api(state), policy)


def api(state: ServerState) -> FastAPI:
    """The routes alone."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        state.worker.start()
        jobs = asyncio.create_task(state.queue.run())
        try:
            yield
        finally:
            jobs.cancel()
            with suppress(asyncio.CancelledError):
                await jobs
            state.worker.stop()

    app = FastAPI(
        title=TITLE,
        version=version_of("attlas"),
        summary="Type a text, look at a model's heads, switch some off, see the predictions change.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    app.state.server = state
    # maps are large, and the way to a GPU machine may be slow; events are left alone
    app.add_middleware(GZipMiddleware, minimum_size=2000, compresslevel=2)
    for route in ROUTES:
        app.add_api_route(route.path, **_declare_handler(route.handler), methods=[route.method])
    for error, answer in _ERRORS.items():
        app.add_exception_handler(error, answer)
    return app


def _declare_handler(name: str) -> dict[str, Any]:
    """A handler as FastAPI takes it, and what it may answer."""
    handler = HANDLERS[name]
    problems = {401, 403, 404, 405, 408, 413, 414, 415, 421, 422, *_PROBLEMS.get(name, ())}
    # without a model FastAPI leaves these as they are: events are a stream, and why there are none is JSON
    of_problem = (
        {"content": {"application/json": {"schema": _PROBLEM}}} if name == "events" else {"model": Problem}
    )
    responses: dict[int | str, dict[str, Any]] = {
        status: {**of_problem, "description": "why not"} for status in sorted(problems)
    }
    declared: dict[str, Any] = {
        "endpoint": handler,
        "operation_id": name,
        "responses": responses,
        "description": (handler.__doc__ or "").strip(),
        "summary": (handler.__doc__ or "").partition("\n")[0].strip(),
    }
    if name == "events":
        declared["response_class"] = EventSourceResponse
    elif name == "result":
        responses[200] = {"model": JobResult}
    elif name in _MEDIA:
        content: dict[str, Any] = {"schema": {"type": "object" if name == "openapi" else "string"}}
        responses[200] = {"description": "the page", "content": {_MEDIA[name]: content}}
    return declared


# ---- errors ---------------------------------------------------------------------------------------


def _problem(status: int, message: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(Problem(message=message).model_dump(), status, headers)


async def _unanswered(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Unanswered)
    return _problem(error.status, error.message, error.headers)


async def _wrong(_: Request, error: Exception) -> JSONResponse:
    return _problem(422, str(error))


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    return _problem(422, f"{where}: {first['msg']}" if where else str(first["msg"]))


async def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return _problem(error.status_code, str(error.detail))


_ERRORS: dict[Any, Any] = {
    Unanswered: _unanswered,
    AttlasError: _wrong,
    RequestValidationError: _invalid,
    HTTPException: _http,
}


def openapi_document() -> dict[str, Any]:
    """The API, without a server."""
    app = api(ServerState(Served(())))
    app.version = "1"
    return app.openapi()
