"""Every route of the server, in one list. What is not in it is answered 404, before anything else sees it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Method = Literal["GET", "POST", "DELETE"]


@dataclass(frozen=True)
class Route:
    """A method and a path, what answers it (a name in `handlers`), and whether it needs the token."""

    method: Method
    path: str
    handler: str
    public: bool = False

    @property
    def changes(self) -> bool:
        """Whether it changes anything on the server."""
        return self.method != "GET"

    @property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(re.sub(r"\{[a-z]+\}", r"[A-Za-z0-9_.-]{1,64}", self.path))

    def matches(self, path: str) -> bool:
        return self.pattern.fullmatch(path) is not None


ROUTES: tuple[Route, ...] = (
    Route("GET", "/", "page"),
    Route("GET", "/app.js", "script"),
    Route("GET", "/app.css", "style"),
    Route("GET", "/health", "health", public=True),
    Route("GET", "/docs", "docs"),
    Route("GET", "/openapi.json", "openapi"),
    Route("GET", "/api/models", "models"),
    Route("POST", "/api/runs", "run"),
    Route("POST", "/api/writes", "writes"),
    Route("POST", "/api/why", "why"),
    Route("POST", "/api/python", "python"),
    Route("POST", "/api/pages", "save"),
    Route("GET", "/api/jobs/{id}", "job"),
    Route("GET", "/api/jobs/{id}/events", "events"),
    Route("GET", "/api/jobs/{id}/result", "result"),
    Route("DELETE", "/api/jobs/{id}", "cancel"),
    Route("GET", "/api/atlases/{id}/report", "report"),
)

Handler = Callable[..., Any]


def route_of(method: str, path: str) -> Route | None:
    """The route of a request; GET answers HEAD, too."""
    asked = "GET" if method == "HEAD" else method
    return next((route for route in ROUTES if route.method == asked and route.matches(path)), None)


def is_path(path: str) -> bool:
    """Whether any method is known for a path."""
    return any(route.matches(path) for route in ROUTES)
