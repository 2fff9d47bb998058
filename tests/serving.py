"""What tests of the app share: the atlas and the text that they ask about, and how they wait."""

from __future__ import annotations

import os
import secrets
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from attlas.server.state import ServerState
from patience import PATIENCE

ATLAS = Path(__file__).parent / "data" / "ask" / "mini.attlas"
TEXT = "The capital of France is [MASK]."


def ended(client: Any, id: str) -> Any:
    """The job once it has ended."""
    return come_to(client, id, "done", "failed", "cancelled")


def come_to(client: Any, id: str, *phases: str) -> Any:
    """The job once it has come to one of these phases."""
    end = time.monotonic() + PATIENCE
    while (job := client.get(f"/api/jobs/{id}").json())["phase"] not in phases:
        assert time.monotonic() < end, f"job {id} stays {job['phase']}"
        time.sleep(0.02)
    return job


@contextmanager
def standing_still(state: ServerState, client: Any) -> Iterator[int]:
    """The process with the models, stopped meanwhile: however fast it is, what is asked waits."""
    new = {"model": "mini", "text": f"A text {secrets.token_hex(4)} of its own.", "scene": False}
    assert ended(client, client.post("/api/runs", json=new).json()["id"])["phase"] == "done"
    pid = state.worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    try:
        yield pid
    finally:
        with suppress(ProcessLookupError):  # a test may have killed it
            os.kill(pid, signal.SIGCONT)
