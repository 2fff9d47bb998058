"""One server for the tests of this folder: mini and its atlas, with the process that runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra `serve` is not installed")

from starlette.testclient import TestClient

from attlas.server.application import application
from attlas.server.policy import Policy
from attlas.server.served import serve_these
from attlas.server.state import ServerState
from patience import PATIENCE
from serving import ATLAS, TEXT, ended


@pytest.fixture(scope="session")
def state() -> ServerState:
    return ServerState(serve_these(["mini"], [ATLAS], {}), waiting=4, seconds=10.0 * PATIENCE)


@pytest.fixture(scope="session")
def server(state: ServerState) -> Iterator[TestClient]:
    with TestClient(application(state, Policy()), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def answer(server: TestClient) -> Callable[..., Any]:
    """Asks for a run, waits for its end, and gives the job and its result."""

    def answered(client: TestClient = server, route: str = "runs", **request: Any) -> tuple[Any, Any]:
        asked = client.post(f"/api/{route}", json={"model": "mini", "text": TEXT, **request})
        assert asked.status_code == 200, asked.text
        job = ended(client, asked.json()["id"])
        result = client.get(f"/api/jobs/{job['id']}/result")
        return job, result.json() if job["phase"] == "done" else None

    return answered
